"""Why a decision is good: what its line changes, as data without words.

The reasons are read off the positions before and after the mover's part of a line. Where chance or
unknown cards have a part, nothing is said: reasons never depend on what the viewer does not know.
:mod:`parure.analysis.wording` puts them into words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

from parure.games.engine.rng import new_rng
from parure.games.position import Player, Position
from parure.games.rules import CardInfo, Rules
from parure.games.state import State
from parure.games.view import View
from parure.table.events import Event, event_between
from parure.table.game import table_game

ReasonCode: TypeAlias = Literal[
    "do",  # the decision itself
    "then",  # a later decision of the same turn
    "wins",
    "points",
    "crowns",
    "bonus",
    "tile",  # a royal or a noble that comes without a decision
    "effect",  # of a Counterfeiter card
    "privilege",
    "extra-turn",
    "points-left",  # to the goal
    "crowns-left",
    "affordable",  # a card that can be bought then
    "nearer",  # a card of which `count` tokens are missing then
    "tile-nearer",  # a noble of which `count` bonuses are missing then
    "denies",  # a card that another seat could buy, or almost
    "leaves",  # a card that another seat can buy
    "gives-privilege",
    "returns",  # tokens over the limit
    "reply",  # what the next seat is expected to do
]

MAX_PROSPECTS = 2
FAR = 4  # tokens; a card that is farther away is named only if no other is nearer
VALUABLE = 3  # points and crowns of a card that is worth a word when others can buy it
NEAR_GOAL = 3
WORLDS = 4  # determinizations in which a decision with chance is played
SILENT_VERBS = ("pay", "gold-for", "done", "color", "discount")  # parts of a purchase


class Reason(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that a decision brings. What a code does not need is left out."""

    code: ReasonCode
    decision: str = ""
    card: str = ""  # with a decision: what is paid for
    effect: str = ""  # of a Counterfeiter card
    count: int = 0  # points, crowns, bonuses or tokens
    total: int = 0  # of a bonus: how many the seat has then; of a card for others: its crowns
    color: str = ""  # the letter of a bonus
    seat: int | None = None  # the other seat that is concerned
    tokens: dict[str, int] = {}  # gained, or below 0 lost, by the seat that decides


class _Turn(NamedTuple):
    """The mover's part of a line, as far as nothing unknown has a part in it."""

    before: State
    after: State
    events: list[Event]
    played: int  # decisions of the line


def reasons_for(view: View, line: Sequence[str]) -> tuple[Reason, ...]:
    """Return the reasons for the first decision of a line.

    Args:
        view: The position before, as far as the viewer knows it.
        line: The decision, and what is expected to follow.

    >>> import parure
    >>> view = parure.new("splendor", seed=7).view(0)
    >>> reasons_for(view, ["take wug"])[0].tokens
    {'w': 1, 'u': 1, 'g': 1}
    """
    turn = _play_turn(view, line)
    found = [_action(line, turn), *_following(turn)]
    if not turn.events:
        found += _privileges_given(view, line[0])
    else:
        found += _gains(turn)
        if not turn.after.is_over:
            found += _prospects(turn, line)
            found += _others(turn)
            found += _reply(turn, line)
    return tuple(found)


def _play_turn(view: View, line: Sequence[str]) -> _Turn:
    """Play the decisions of one turn in a state that fits the view."""
    state = view.rules.state_type.determinized(view, new_rng(0))
    before, events = state.copy(), []
    for decision in line:
        if (state.seat, state.turns) != (before.seat, before.turns) or state.is_over:
            break
        if _is_uncertain(state, decision):
            break
        previous = state.copy()
        state.play(decision)
        events.append(event_between(previous, state, decision))
    return _Turn(before, state, events, len(events))


def _is_uncertain(state: State, decision: str) -> bool:
    """Return whether chance decides what a decision brings."""
    rules = state.rules
    return bool(rules.chance_size(state.words, decision)) or decision.startswith(rules.uncertain)


def _action(line: Sequence[str], turn: _Turn) -> Reason:
    tokens = _gained_tokens(turn.events[0]) if turn.events else {}
    paid = turn.before.buying or "" if line[0] == "pay" else ""
    return Reason(code="do", decision=line[0], card=paid, tokens=tokens)


def _following(turn: _Turn) -> Iterator[Reason]:
    for event in turn.events[1:]:
        if event.decision.partition(" ")[0] not in SILENT_VERBS:
            tokens = _gained_tokens(event)
            yield Reason(code="then", decision=event.decision, tokens=tokens)


def _gained_tokens(event: Event) -> dict[str, int]:
    changes = event.tokens.get(event.seat, {})
    return {letter: change for letter, change in changes.items() if change > 0}


def _privileges_given(view: View, decision: str) -> Iterator[Reason]:
    """Yield the other seats that get a privilege, whatever chance brings."""
    states = [view.rules.state_type.determinized(view, new_rng(seed)) for seed in range(WORLDS)]
    for state in states:
        state.play(decision)
    for other in range(view.seats):
        owned = view.players[other].counters.get("privileges", 0)
        if other != view.seat and all(
            state.players[other].counters.get("privileges", 0) > owned for state in states
        ):
            yield Reason(code="gives-privilege", seat=other)


# --- what the mover gains -------------------------------------------------------------------------


def _gains(turn: _Turn) -> Iterator[Reason]:
    before, after = turn.before, turn.after
    seat = before.seat
    if after.is_over and after.outcome is not None and seat in after.outcome.winners:
        yield Reason(code="wins")
    old, new = before.players[seat], after.players[seat]
    counters, gained = old.counters, new.counters
    for code in ("points", "crowns"):
        change = gained.get(code, 0) - counters.get(code, 0)
        if change > 0:
            yield Reason(code=code, count=change)
    bonuses = old.bonuses
    for color, total in new.bonuses.items():
        if total > bonuses.get(color, 0):
            count = total - bonuses.get(color, 0)
            yield Reason(code="bonus", color=color, count=count, total=total)
    infos = _infos(before.rules)
    named = {word for event in turn.events for word in event.decision.split()}
    for card in (card for event in turn.events for card in event.gained):
        info = infos[card]
        if info.kind in ("royal", "noble") and card not in named:
            yield Reason(code="tile", card=card, count=info.points)
        elif info.kind == "counterfeiter" and not info.crowns:
            yield Reason(code="effect", card=card, effect=info.ability, color=info.color)
    if gained.get("privileges", 0) > counters.get("privileges", 0):
        yield Reason(code="privilege")
    if _has_extra_turn(turn):
        yield Reason(code="extra-turn")
    if not after.is_over:
        yield from _distance_to_goal(old, new)


def _has_extra_turn(turn: _Turn) -> bool:
    """Return whether the mover has another turn after this one, thanks to the line."""
    before, after = turn.before, turn.after
    if after.is_over:
        return False
    if after.turns > before.turns:
        return after.seat == before.seat
    game = table_game(before.game)
    rows = (state.words.reshape(1, -1) for state in (before, after))
    was, is_now = (bool(game.has_extra_turn(row)[0]) for row in rows)
    return is_now and not was


def _distance_to_goal(old: Player, new: Player) -> Iterator[Reason]:
    goals, counters = new.goals, new.counters
    for counter, code in (("points", "points-left"), ("crowns", "crowns-left")):
        if counter in goals and counters[counter] > old.counters[counter]:
            left = goals[counter] - counters[counter]
            if 0 < left <= NEAR_GOAL:
                yield Reason(code=code, count=left)  # type: ignore[arg-type]


# --- what becomes possible ------------------------------------------------------------------------


def tokens_away(position: Position, card: str, seat: int) -> int:
    """Return how many tokens a seat still lacks to buy a card, gold counted; discounts are not."""
    missing = position.missing(card, seat)
    lacking_gold = missing.pop("y", 0)
    gold = position.players[seat].tokens.get("y", 0)
    spare_gold = max(0, gold - position.price(card, seat).get("y", 0))
    return lacking_gold + max(0, sum(missing.values()) - spare_gold)


def _prospects(turn: _Turn, line: Sequence[str]) -> list[Reason]:
    """Return the cards that have come within reach, the most valuable first."""
    before, after, seat = turn.before, turn.after, turn.before.seat
    infos = _infos(before.rules)
    expected = {text.removeprefix("buy ") for text in line[turn.played :]}
    scored: list[tuple[float, Reason]] = []
    own = [card for card in before.players[seat].reserved if card in infos]
    there = set(_face_up(before))
    kept = [card for card in after.players[seat].reserved if card in there]
    for card in (*_face_up_in_both(before, after), *own, *kept):
        if card in after.players[seat].collection:
            continue
        away, away_before = tokens_away(after, card, seat), tokens_away(before, card, seat)
        if away >= away_before and card not in kept:
            continue
        worth = _worth(infos[card]) + 1 + 4 * (card in expected) + 20 * (card in kept)
        code: ReasonCode = "nearer" if away else "affordable"
        scored.append((worth / (away + 1), Reason(code=code, card=card, count=away)))
    scored.sort(key=lambda pair: -pair[0])
    found = [reason for _, reason in scored[:MAX_PROSPECTS]]
    near = [reason for reason in found if reason.count <= FAR or reason.card in kept] or found[:1]
    return [*near, *_nearer_tiles(turn)]


def _nearer_tiles(turn: _Turn) -> Iterator[Reason]:
    """Yield the noble on the table to which the fewest bonuses are missing, if it came nearer."""
    infos, seat = _infos(turn.before.rules), turn.before.seat
    distances = []
    for card in turn.after.tiles:
        if card and infos[card].kind == "noble":
            away, away_before = (
                _bonuses_away(state.players[seat], infos[card])
                for state in (turn.after, turn.before)
            )
            if 0 < away < away_before:
                distances.append((away, card))
    if distances and min(distances)[0] <= FAR:
        away, card = min(distances)
        yield Reason(code="tile-nearer", card=card, count=away)


def _bonuses_away(player: Player, noble: CardInfo) -> int:
    bonuses = player.bonuses
    return sum(max(0, count - bonuses.get(color, 0)) for color, count in noble.cost.items())


def _others(turn: _Turn) -> Iterator[Reason]:
    """Yield what the line takes from the other seats, and what it leaves them."""
    before, after, seat = turn.before, turn.after, turn.before.seat
    infos = _infos(before.rules)
    if after.phase == before.rules.layout.PHASES[before.rules.layout.DISCARD]:
        player = after.players[seat]
        yield Reason(code="returns", count=player.token_count - player.token_limit)
    seats = [other for other in range(before.seats) if other != seat]
    for other in seats:
        given = after.players[other].counters.get("privileges", 0)
        if given > before.players[other].counters.get("privileges", 0):
            yield Reason(code="gives-privilege", seat=other)
    visible = set(_face_up(before)) - set(_face_up(after))
    taken = {event.card for event in turn.events if event.card in visible}
    for card in sorted(taken, key=lambda name: -_worth(infos[name])):
        near = [other for other in seats if tokens_away(before, card, other) <= 1]
        if near and _worth(infos[card]) >= VALUABLE:
            yield Reason(code="denies", card=card, seat=near[0])
            break
    if after.turns > before.turns and after.seat != seat:
        yield from _left_to_others(turn, seats, infos)


def _left_to_others(
    turn: _Turn, seats: Sequence[int], infos: dict[str, CardInfo]
) -> Iterator[Reason]:
    """Yield the most valuable card that another seat can buy after the turn."""
    found = [
        (_worth(infos[card]), card, other)
        for card in _face_up_in_both(turn.before, turn.after)
        for other in seats
        if _worth(infos[card]) >= VALUABLE and tokens_away(turn.after, card, other) == 0
    ]
    if found:
        _, card, other = max(found)
        info = infos[card]
        yield Reason(code="leaves", card=card, seat=other, count=info.points, total=info.crowns)


def _reply(turn: _Turn, line: Sequence[str]) -> Iterator[Reason]:
    """Yield the first expected decision of the next seat."""
    after = turn.after
    if turn.played < len(line) and after.seat != turn.before.seat:
        decision, *following = line[turn.played :]
        if decision.startswith("gold ") and following and following[0].startswith("reserve "):
            decision = following[0]  # the gold comes with it
            yield Reason(code="reply", seat=after.seat, decision=decision)
            return
        tokens: dict[str, int] = {}
        if not _is_uncertain(after, decision):
            played = after.copy()
            played.play(decision)
            tokens = _gained_tokens(event_between(after, played, decision))
        yield Reason(code="reply", seat=after.seat, decision=decision, tokens=tokens)


def _worth(info: CardInfo) -> int:
    return info.points + info.crowns


def _face_up(position: Position) -> list[str]:
    return [card for row in position.face_up_rows for card in row if card]


def _face_up_in_both(before: Position, after: Position) -> list[str]:
    """Return the face-up cards that have stayed: those that arrived depend on chance."""
    there = set(_face_up(before))
    return [card for card in _face_up(after) if card in there]


_infos_by_game: dict[str, dict[str, CardInfo]] = {}


def _infos(rules: Rules) -> dict[str, CardInfo]:
    """Return what is printed on each card of a game."""
    if rules.game not in _infos_by_game:
        _infos_by_game[rules.game] = {info.id: info for info in rules.card_infos}
    return _infos_by_game[rules.game]
