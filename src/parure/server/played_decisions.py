"""Decisions of a match, played: chance comes from the secret of the match."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from parure.errors import IllegalDecision, ParureError
from parure.games.engine.rng import new_rng
from parure.games.state import State
from parure.table.events import Event, event_between
from parure.table.turn_boundary import reveals, will_reveal


class Refusal(ParureError):
    """A command cannot be carried out; `code` is for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class PlayedDecision:
    """A decision that was applied, with the states before and after it."""

    text: str  # chance included
    before: State
    after: State
    event: Event
    is_revealing: bool  # its seat has seen something hidden, or the result of chance


def play(texts: Iterable[str], state: State, secret: str) -> Iterator[PlayedDecision]:
    """Play decisions one after another from a state, which does not change.

    What chance brings depends on the secret and on the number of decisions before, so that it is
    the same after an undo or a restart.
    """
    before = state
    for text in texts:
        after = before.copy()
        seed = f"{secret}:{len(after.decisions)}".encode()
        after.rng = new_rng(int.from_bytes(hashlib.sha256(seed).digest()[:8], "little"))
        full_text = after.play(text)
        event = event_between(before, after, full_text)
        is_revealing = reveals(before, after, full_text)
        yield PlayedDecision(full_text, before, after, event, is_revealing)
        before = after


def play_together(
    decisions: Sequence[str], state: State, secret: str
) -> tuple[PlayedDecision, ...]:
    """Play decisions of the seat to move, all of them or none.

    Nothing may follow a decision that reveals something: whether it is legal could depend on what
    was revealed, and refused commands would tell hidden cards. The refusal comes before the
    revealing decision is played, so that not even the time it takes tells anything.

    Raises:
        Refusal: A decision is not legal, or the last one comes too late in this command.
    """
    played: list[PlayedDecision] = []
    for number, text in enumerate(decisions, start=1):
        if played and played[-1].event.ends_turn:
            raise Refusal("illegal", f"{text!r}: the turn is complete before it")
        if ">" in text:
            raise Refusal("illegal", "chance cannot be chosen")
        if number < len(decisions) and _is_legal_and_reveals(state, text):
            message = "shows something hidden: send what follows it in a later command"
            raise Refusal("reveals", f"{text!r} {message}")
        try:
            played += play([text], state, secret)
        except IllegalDecision as error:
            raise Refusal("illegal", f"{error.decision!r}: {error.reason}") from None
        except ParureError as error:
            raise Refusal("illegal", str(error)) from None
        state = played[-1].after
    return tuple(played)


def _is_legal_and_reveals(state: State, text: str) -> bool:
    decision, view = state.rules.find_decision(text), state.view(state.seat)
    if decision is None or decision not in view.legal_decisions.ids:
        return False
    return will_reveal(view, decision)
