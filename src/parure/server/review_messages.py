"""What a client receives of a review, and how the store keeps it."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from parure.analysis import LANGUAGES, Review, SeatReview, TurnReview, in_all_languages
from parure.analysis.story import story
from parure.analysis.tree import Values

DIGITS = 4  # of chances, losses and luck

ReviewStatus: TypeAlias = Literal["waiting", "running", "done"]


class ReviewedTurn(TurnReview, frozen=True, kw_only=True):
    """One turn, with the reasons for what was better in words."""

    words: dict[str, str]  # by language; `{2}` is the name of seat 2


class ReviewProgress(Struct, kw_only=True):
    """A review, or as much of it as is computed. It is made from what each mover knew."""

    status: ReviewStatus
    reviewed: int  # decisions
    decisions: int  # of the whole game
    start: int = 0  # the number of turns that the client has already
    turns: list[ReviewedTurn] = []  # the following ones
    values: Values = ()  # the chance of each seat after the last reviewed turn
    seats: tuple[SeatReview, ...] = ()  # empty until the review is done
    story: dict[str, str] = {}  # by language; `{0}` is the name of seat 0, and so on

    def after(self, start: int) -> ReviewProgress:
        """Return the same without the first turns."""
        return msgspec.structs.replace(self, start=start, turns=self.turns[start:])


def reviewed_turn(turn: TurnReview, seats: int) -> ReviewedTurn:
    """Return a turn with its reasons in all languages, and with shorter numbers."""
    fields: dict[str, Any] = {
        name: _rounded(value) for name, value in msgspec.structs.asdict(turn).items()
    }
    return ReviewedTurn(**fields, words=in_all_languages(turn.reasons, seats))


def story_in_all_languages(review: Review) -> dict[str, str]:
    """Return the story of a game; the client replaces `{0}` by the name it shows for seat 0.

    Turns are counted from 1, as at the table.
    """
    replace = msgspec.structs.replace
    seats = tuple(replace(one, name=f"{{{seat}}}") for seat, one in enumerate(review.seats))
    turns = tuple(replace(one, turn=one.turn + 1) for one in review.turns)
    told = replace(review, seats=seats, turns=turns)
    return {language: story(told, language) for language in LANGUAGES}


def finished(review: Review, turns: Sequence[ReviewedTurn]) -> ReviewProgress:
    """Return a whole review."""
    decisions = sum(len(turn.decisions) for turn in turns)
    return ReviewProgress(
        status="done",
        reviewed=decisions,
        decisions=decisions,
        turns=list(turns),
        values=review.values,
        seats=review.seats,
        story=story_in_all_languages(review),
    )


def pack(progress: ReviewProgress) -> bytes:
    """Return a review as the store keeps it."""
    return zlib.compress(msgspec.json.encode(progress))


def unpack(data: bytes) -> ReviewProgress | None:
    """Return a stored review; None if another version of Parure stored it in another form."""
    try:
        return msgspec.json.decode(zlib.decompress(data), type=ReviewProgress)
    except (zlib.error, msgspec.MsgspecError):
        return None


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, tuple):
        return tuple(_rounded(item) for item in value)
    return value
