"""The JSON bodies of the analysis board: positions, decisions, chance, and the engine's lines."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Struct
from pydantic import Field, StringConstraints

from parure.games.position_text import MAX_LENGTH
from parure.games.registry import GameName
from parure.server.http_models import MAX_SEATS, MIN_SEATS, Body, OptionName, SeatNumber
from parure.server.pydantic_types import INTEGER, StructSchema
from parure.table.analysis_board import BoardPosition, PendingChance
from parure.table.events import Event

MAX_LINES = 10

PositionText = Annotated[str, StringConstraints(min_length=1, max_length=MAX_LENGTH)]
Decision = Annotated[str, StringConstraints(min_length=1, max_length=80)]
CardId = Annotated[str, StringConstraints(min_length=2, max_length=8)]
Letters = Annotated[str, StringConstraints(max_length=25)]


# --- requests -------------------------------------------------------------------------------------


class OpenPosition(Body):
    """A request for a position: exactly one of `text`, `view` and `game` (a new deal)."""

    text: PositionText | None = None
    view: dict[str, Any] | None = None  # the data of a view
    game: GameName | None = None
    players: Annotated[int, Field(ge=MIN_SEATS, le=MAX_SEATS), INTEGER] | None = None
    options: Annotated[dict[OptionName, bool], Field(default_factory=dict)]
    viewer: SeatNumber | Literal["all"] | None = None  # whose view; null: as it is
    deal: bool = False  # give a view's hidden cards places at random


class OpenRecord(Body):
    """A request for all positions of a record."""

    record: dict[str, Any]


class PlayDecision(Body):
    """A request to play a decision of the seat to move."""

    text: PositionText
    decision: Decision
    enter_chance: bool = False  # false: cards and tokens are drawn at random
    # the cards and tokens that came, in the order asked for
    cards: Annotated[list[CardId], Field(max_length=30, default_factory=list)]
    tokens: Letters | None = None


class AnalysePosition(Body):
    """A request for an analysis."""

    text: PositionText
    lines: Annotated[int, Field(ge=1, le=MAX_LINES), INTEGER] = 3


# --- responses ------------------------------------------------------------------------------------


class BoardStep(Struct):
    """A position of a record, and what led there."""

    text: str
    line: Event | None  # null before the first decision


class BoardRecord(Struct):
    """All positions of a record."""

    game: GameName
    players: list[str]
    steps: list[BoardStep]


class BoardAnswer(Struct):
    """What came of a decision: a position and an event, or what has to be entered first."""

    position: BoardPosition | None
    event: Event | None
    pending: PendingChance | None


class EngineChoice(Struct):
    """A decision that the engine considers."""

    decision: str
    share: float  # of the visits of the search, 0 to 1
    values: list[float]  # the expected score of each seat after it: 1 is a sure victory
    line: list[str]  # what is expected, this decision first, until chance enters
    words: dict[str, str]  # the reasons in words, by language: `en`, `fr`, `es`


class EngineReport(Struct):
    """What the engine has found so far; one line of the answer."""

    values: list[float]  # the expected score of each seat
    choices: list[EngineChoice]  # the best first
    iterations: int
    is_exact: bool  # the game is over, or won in this turn for certain
    is_final: bool
    error: str | None = None  # why there is no analysis; the report is then final


BoardPositionBody: TypeAlias = Annotated[BoardPosition, StructSchema()]
BoardRecordBody: TypeAlias = Annotated[BoardRecord, StructSchema()]
BoardAnswerBody: TypeAlias = Annotated[BoardAnswer, StructSchema()]
EngineReportBody: TypeAlias = Annotated[EngineReport, StructSchema()]
