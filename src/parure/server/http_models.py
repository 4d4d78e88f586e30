"""The JSON bodies of HTTP requests and responses.

What also crosses other borders (an outcome, a printed card, a replay) is a msgspec struct defined
elsewhere, and is used here as it is.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from parure.games.position import Outcome
from parure.games.registry import GAMES, GameName, rules
from parure.games.rules import CardInfo
from parure.server.names import clean_name
from parure.server.pydantic_types import INTEGER, OneOf, StructSchema
from parure.server.review_messages import ReviewProgress
from parure.table.replay import Replay

Name = Annotated[
    str, StringConstraints(max_length=40, strip_whitespace=True), AfterValidator(clean_name)
]
BotSpec = Annotated[str, StringConstraints(min_length=1, max_length=40)]

ALL_RULES = [rules(game) for game in GAMES]
MIN_SEATS = min(count for game_rules in ALL_RULES for count in game_rules.seat_counts)
MAX_SEATS = max(count for game_rules in ALL_RULES for count in game_rules.seat_counts)
OPTIONS = sorted({option for game_rules in ALL_RULES for option in game_rules.known_options})

SeatNumber = Annotated[int, Field(ge=0, le=MAX_SEATS - 1), INTEGER]
OptionName = Annotated[str, OneOf(OPTIONS)]
OutcomeField: TypeAlias = Annotated[Outcome, StructSchema()]
CardInfoField: TypeAlias = Annotated[CardInfo, StructSchema()]
ReplayBody: TypeAlias = Annotated[Replay, StructSchema()]
ReviewBody: TypeAlias = Annotated[ReviewProgress, StructSchema()]


class Body(BaseModel):
    """A JSON object; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ErrorDetail(Body):
    """What went wrong: a code for programs, a message for people."""

    code: str
    message: str


class ErrorBody(Body):
    """The body of every error response."""

    error: ErrorDetail


# --- requests -------------------------------------------------------------------------------------


class NewPlayer(Body):
    """A player of a new match: a person with a name, which may be empty, or a bot."""

    name: Name = ""
    bot: BotSpec | None = None


Players = Annotated[list[NewPlayer], Field(min_length=MIN_SEATS, max_length=MAX_SEATS)]


class ClockBody(Body):
    """A time control: `bank` is for the whole game with an increment per turn, `turn` per turn."""

    kind: Literal["bank", "turn"]
    seconds: Annotated[int, Field(ge=1, le=30 * 24 * 3600), INTEGER]
    increment: Annotated[int, Field(ge=0, le=3600), INTEGER] = 0


class CreateMatch(Body):
    """A request for a new match. The first player is the creator."""

    game: GameName = "duel"
    options: dict[OptionName, bool] = {}
    players: Players
    begins: SeatNumber | None = None  # index into `players`; null: random
    clock: ClockBody | None = None


class ImportMatch(Body):
    """A request for a match that continues a record."""

    record: dict[str, Any]
    at: Annotated[int, Field(ge=0), INTEGER] | None = None  # decisions to keep; null: all
    players: Players  # in the order of the seats
    creator: SeatNumber = 0  # the creator's seat
    clock: ClockBody | None = None
    shuffle: bool = True  # the cards that nobody has seen; between persons they always are


class ReplayRequest(Body):
    """A request for the replay of a record."""

    record: dict[str, Any]


# --- responses ------------------------------------------------------------------------------------


class SeatLink(Body):
    """A seat of a new match; a bot's seat has no key."""

    seat: int
    name: str
    bot: str | None
    key: str | None
    link: str | None


class WatchLink(Body):
    """The key and link for watchers."""

    key: str
    link: str


class MatchCreated(Body):
    """A new match with all its keys. No later response contains them."""

    match: str
    game: GameName
    seat: int  # the creator's
    seats: list[SeatLink]
    watch: WatchLink
    creator_key: str
    is_local_only: bool  # whether the links work on this machine only
    has_known_decks: bool  # whether the decks are those of an imported record


class MatchSummary(Body):
    """The state of a match in short, for a player's list of matches."""

    match: str
    game: GameName
    seat: int | None
    creator: int | None  # the seat of the person who invites the others
    players: list[str]
    clock: ClockBody | None
    turns: int
    to_move: int | None
    is_over: bool
    result: OutcomeField | None
    can_delete: bool
    created: int
    changed: int  # when something changed that all may see


class GameInfo(Body):
    """A game that can be played."""

    game: GameName
    least_players: int
    most_players: int
    options: list[str]


class BotInfo(Body):
    """A bot that can be chosen as a player."""

    bot: str
    strength: int  # for sorting; higher is stronger


class Catalogue(Body):
    """The games and bots of a server, and the settings that the page needs."""

    version: str
    games: list[GameInfo]
    bots: list[BotInfo]
    is_local_only: bool
    take_over_after: int


class Cards(Body):
    """All cards of a game."""

    game: GameName
    cards: list[CardInfoField]


HealthStatus: TypeAlias = Literal["ok", "no database", "database failed"]


class Health(Body):
    """Whether the server can serve requests."""

    status: HealthStatus
    version: str
