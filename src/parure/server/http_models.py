"""What goes over HTTP: the bodies of requests and answers. `docs/server.md` explains them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

Name = Annotated[str, StringConstraints(max_length=40, strip_whitespace=True)]
BotSpec = Annotated[str, StringConstraints(min_length=1, max_length=40)]


def _whole(value: object) -> object:
    """A whole number, however it is written: in JSON 2.0 is one too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE = BeforeValidator(_whole)
SeatNumber = Annotated[int, Field(ge=0, le=3), WHOLE]


class Body(BaseModel):
    """A JSON object; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ErrorDetail(Body):
    """What was wrong: a code for programs, a sentence for people."""

    code: str
    message: str


class ErrorBody(Body):
    """The body of every answer that is an error."""

    error: ErrorDetail


class NewPlayer(Body):
    """Who is to sit somewhere: a person (by name, may be empty) or a bot."""

    name: Name = ""
    bot: BotSpec | None = None


class ClockBody(Body):
    """How time is kept: `bank` for the whole game and an increment a turn, or `turn` for each."""

    kind: Literal["bank", "turn"]
    seconds: Annotated[int, Field(ge=1, le=30 * 24 * 3600), WHOLE]
    increment: Annotated[int, Field(ge=0, le=3600), WHOLE] = 0


class CreateMatch(Body):
    """A match to be made. The first player named is the creator."""

    game: Literal["splendor", "duel", "duel+counterfeiters"] = "duel"
    options: dict[Literal["anti-blocking"], bool] = {}
    players: list[NewPlayer] = Field(min_length=2, max_length=4)
    begins: SeatNumber | None = None  # None: chance decides
    clock: ClockBody | None = None


class ImportedMatch(Body):
    """A match that goes on from a position of a record."""

    record: dict[str, Any]
    at: Annotated[int, Field(ge=0), WHOLE] | None = None  # how many decisions to keep; None: all
    players: list[NewPlayer] = Field(min_length=2, max_length=4)  # in the order of the seats
    creator: SeatNumber = 0  # the creator's seat
    clock: ClockBody | None = None
    shuffle: bool = True  # shuffle anew what nobody has seen


class SeatLink(Body):
    """A seat of a new match; a bot's has no key."""

    seat: int
    name: str
    bot: str | None
    key: str | None
    link: str | None


class WatchLink(Body):
    """The link for watchers."""

    key: str
    link: str


class MatchCreated(Body):
    """A match, with all its links: nobody is told them again."""

    match: str
    game: str
    seat: int  # the creator's
    seats: list[SeatLink]
    watch: WatchLink
    creator_key: str
    is_local_only: bool  # the links work on this machine only


class Result(Body):
    """How a game ended."""

    winners: list[int]
    reason: str


class MatchSummary(Body):
    """A match in short, for a list of one's own."""

    match: str
    game: str
    seat: int | None
    players: list[str]
    turns: int
    to_move: int | None
    is_over: bool
    result: Result | None
    can_delete: bool
    created: int
    changed: int


class ReplayRequest(Body):
    """A record to be looked at."""

    record: dict[str, Any]


class ReplayStep(Body):
    """The table after some decisions, everything open, and the log line that led there."""

    table: dict[str, Any]
    line: dict[str, Any] | None


class Replay(Body):
    """A whole game to look at."""

    game: str
    players: list[str]
    steps: list[ReplayStep]
    result: Result | None


class GameInfo(Body):
    """A game that can be played here."""

    game: str
    least_players: int
    most_players: int
    options: list[str]


class BotInfo(Body):
    """A bot that can be played against here."""

    bot: str
    strength: int  # for sorting; larger is stronger


class Catalogue(Body):
    """What can be played here."""

    version: str
    games: list[GameInfo]
    bots: list[BotInfo]
    is_local_only: bool
    take_over_after: int


class CardInfo(Body):
    """A printed card; `kind` is jewel, royal, counterfeiter, development or noble."""

    id: str
    kind: str
    level: int
    color: str  # a letter, `joker`, or "" without
    bonus: int
    points: int
    crowns: int
    ability: str
    cost: dict[str, int]  # of a noble: the bonuses needed


class Cards(Body):
    """All cards of a game."""

    game: str
    cards: list[CardInfo]


class Health(Body):
    """Whether the server can work."""

    status: Literal["ok", "no database"]
    version: str
