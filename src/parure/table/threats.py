"""Threats: which seats can reach a goal in their next turn, as far as a viewer knows.

Only purchases of cards that the viewer knows are tried, with the tokens that everybody sees and
with privileges. What hidden cards or chance could add does not count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from parure.games.api import determinize
from parure.games.position import Position
from parure.games.state import State
from parure.games.view import View
from parure.table.game import table_game

MIN_SHARE = 0.4  # of a goal: no purchase brings more than the rest
MAX_STATES = 300  # tried for one seat
BRANCHING = ("color", "royal", "noble", "window")  # phases in which a choice decides who wins


def seats_that_can_win(view: View, excluded: Collection[str] = ()) -> list[int]:
    """Return the seats that can reach a goal in their next turn by buying a card.

    In Splendor that ends the game only after the round. In the middle of a turn the seat to move is
    left out: its next turn is another one.

    Args:
        view: What the viewer knows.
        excluded: Cards that the viewer has not seen yet although the view names them.
    """
    if view.is_over:
        return []
    is_turn = view.phase == "turn"
    return [
        seat
        for seat in range(view.seats)
        if (is_turn or seat != view.seat)
        and _is_near(view, seat)
        and _can_win(view, seat, excluded)
    ]


def _is_near(view: View, seat: int) -> bool:
    """Return whether a seat has a share of some goal that a purchase could complete."""
    return _share(view, seat) >= MIN_SHARE


def _can_win(view: View, seat: int, excluded: Collection[str]) -> bool:
    before = determinize(view, seed=0)
    table_game(view.game).start_turn(before.words, seat)
    face_up = {card for row in view.face_up_rows for card in row if card}
    known = (face_up | set(view.players[seat].reserved)) - set(excluded)
    tried: set[str] = set()
    for number, state in enumerate(_after_privileges(before, "")):
        if number == MAX_STATES:
            return False
        for decision in state.legal_decisions:
            if not decision.startswith("buy ") or decision in tried:
                continue
            tried.add(decision)
            if decision.removeprefix("buy ") in known and _wins(state, decision, seat):
                return True
    return False


def _after_privileges(state: State, last_kind: str) -> Iterator[State]:
    """Yield a state, and those after its seat has used privileges; cells of a kind are alike."""
    yield state
    kinds: dict[str, str] = {}
    for decision in state.legal_decisions:
        if decision.startswith("privilege "):
            kinds.setdefault(state.board_cells[decision.split()[1]], decision)
    for kind, decision in kinds.items():
        if kind >= last_kind:  # in one order only
            after = state.copy()
            after.play(decision)
            while after.phase == "second":
                after.play("done")
            yield from _after_privileges(after, kind)


def _wins(before: State, decision: str, seat: int) -> bool:
    """Return whether a decision, and what may follow in the same turn, reaches a goal."""
    after = before.copy()
    after.play(decision)
    if after.is_over or after.turns > before.turns:
        return _share(after, seat) >= 1
    legal = [text for text in after.legal_decisions if not text.startswith(after.rules.uncertain)]
    if after.phase not in BRANCHING:
        plain = [text for text in legal if text in ("pay", "done")]
        legal = (plain or legal)[:1]
    return any(_wins(after, text, seat) for text in legal)


def _share(position: Position, seat: int) -> float:
    """Return the largest share of a goal that a seat has reached."""
    progress = table_game(position.game).progress(position, seat)
    goals = position.players[seat].goals
    return max(progress[name] / goal for name, goal in goals.items())
