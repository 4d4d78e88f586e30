"""A match: turns, undo, hand-over, the log, and what each viewer may know."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from tests.server.matches import START, any_decision, new_match, random_entry, snapshot_for

from parure.errors import InvalidPosition
from parure.games.engine.arrays import Row
from parure.games.record import replay
from parure.games.rules import Rules
from parure.games.state import State
from parure.server import match as match_module
from parure.server import played_decisions
from parure.server.log_entries import AnyEntry, Joined, TimedOut, decode_entry, decode_setup, encode
from parure.server.match import Match, Refusal
from parure.table.events import Event, event_between

GAMES = ["duel", "duel+counterfeiters", "splendor"]


def decide(match: Match, *decisions: str, ends_turn: bool = False) -> None:
    assert match.mover is not None
    match.apply(match.decide(match.mover, list(decisions), ends_turn, match.changed_at + 1000))


def take_decision(match: Match) -> str:
    """Return a decision that completes a turn and reveals nothing."""
    return next(text for text in match.state.legal_decisions if text.startswith("take"))


def test_the_last_decision_of_a_turn_is_held() -> None:
    match = new_match()
    decide(match, take_decision(match))
    mine, theirs = snapshot_for(match, 0), snapshot_for(match, 1)
    assert mine.turn.is_complete
    assert mine.table.phase == "end"
    assert mine.table.seat == 0
    assert mine.choices == []
    assert mine.table.players[0].token_count == 1
    assert [line.decision for line in mine.log.lines] == mine.turn.decisions
    assert mine.turn.provisional == 1
    assert theirs.table.players[0].token_count == 0
    assert theirs.log.lines == []
    assert not theirs.turn.is_complete
    assert theirs.version < mine.version
    match.apply(match.end_turn(0, match.changed_at))
    assert match.mover == 1
    assert snapshot_for(match, 1).table.players[0].token_count == 1
    assert snapshot_for(match, 0).version == snapshot_for(match, 1).version > mine.version


def test_a_held_decision_can_be_undone() -> None:
    match = new_match()
    before = snapshot_for(match, 0)
    decide(match, take_decision(match))
    match.apply(match.undo(0, False, match.changed_at))
    after = snapshot_for(match, 0)
    assert after.table == before.table
    assert after.choices == before.choices
    assert after.log.lines == []
    assert after.version > before.version
    assert snapshot_for(match, 1).version == before.version
    with pytest.raises(Refusal, match="nothing to undo"):
        match.undo(0, False, match.changed_at)


def test_undo_goes_back_one_command_or_all() -> None:
    match = new_match()
    while not {"privilege"} <= {text.split()[0] for text in match.state.legal_decisions}:
        decide(match, take_decision(match), ends_turn=True)
    seat = match.mover
    assert seat is not None
    start = snapshot_for(match, seat).table
    first = next(t for t in match.state.legal_decisions if t.startswith("privilege"))
    decide(match, first)
    middle = snapshot_for(match, seat).table
    decide(match, take_decision(match))
    assert snapshot_for(match, seat).turn.provisional == 2
    match.apply(match.undo(seat, False, match.changed_at))
    assert snapshot_for(match, seat).table == middle
    decide(match, take_decision(match))
    match.apply(match.undo(seat, True, match.changed_at))
    assert snapshot_for(match, seat).table == start


def test_what_was_revealed_cannot_be_undone() -> None:
    """Replenishing depends on chance: it is visible to all at once and cannot be undone."""
    match, rng = new_match(), Random(2)
    while "replenish" not in match.state.legal_decisions:
        takes = [t for t in match.state.legal_decisions if t.startswith("take")]
        decide(match, rng.choice(takes), ends_turn=True)
        while match.state.phase == "discard":
            decide(match, match.state.legal_decisions[0], ends_turn=True)
    seat = match.mover
    assert seat is not None
    choice = next(c for c in snapshot_for(match, seat).choices if c.decision == "replenish")
    assert choice.reveals
    assert choice.gives_privilege
    decide(match, "replenish")
    assert snapshot_for(match, 1 - seat).log.lines[-1].decision.startswith("replenish > ")
    with pytest.raises(Refusal) as refused:
        match.undo(seat, True, match.changed_at)
    assert refused.value.code == "fixed"


def test_a_card_drawn_by_the_last_decision_stays_covered_until_the_turn_ends() -> None:
    match = new_match(game="splendor")
    decide(match, "reserve deck2")
    mine = snapshot_for(match, 0)
    assert mine.table.players[0].reserved == ["??2"]
    assert mine.table.deck_sizes == [36, 25, 16]
    match.apply(match.undo(0, False, match.changed_at))
    assert snapshot_for(match, 0).table.players[0].reserved == []
    decide(match, "reserve deck2", ends_turn=True)
    (card,) = snapshot_for(match, 0).table.players[0].reserved
    assert card.startswith("D2-")
    assert snapshot_for(match, 1).table.players[0].reserved == ["??2"]
    assert snapshot_for(match, None).table.players[0].reserved == ["??2"]
    assert card not in repr(snapshot_for(match, 1))


def test_a_gap_is_not_refilled_before_the_turn_ends() -> None:
    match = new_match(game="splendor")
    card = match.state.pyramid[0][1]
    decide(match, f"reserve {card}")
    assert snapshot_for(match, 0).table.pyramid[0][1] is None
    assert snapshot_for(match, 0).table.deck_sizes == [36, 26, 16]
    assert snapshot_for(match, 0).log.lines[-1].arrivals == ()
    match.apply(match.end_turn(0, match.changed_at))
    new = snapshot_for(match, 0).table.pyramid[0][1]
    assert new not in (None, card)
    assert snapshot_for(match, 0).log.lines[-1].arrivals[0].card == new


def test_decisions_are_played_together_or_not_at_all() -> None:
    match = new_match()
    gold = next(t for t in match.state.legal_decisions if t.startswith("gold"))
    with pytest.raises(Refusal) as refused:
        match.decide(0, [gold, "reserve deck9"], False, START)
    assert refused.value.code == "illegal"
    assert match.state.decisions == []
    with pytest.raises(Refusal, match="complete before it"):
        match.decide(0, [take_decision(match), take_decision(match)], False, START)
    decide(match, gold, "reserve deck1")
    assert match.held is not None
    match.apply(match.undo(0, False, match.changed_at))
    assert match.state.decisions == []


def test_chance_cannot_be_chosen() -> None:
    match = new_match()
    with pytest.raises(Refusal, match="chance cannot be chosen"):
        match.decide(0, ["replenish > wkg"], False, START)


def test_a_seat_cannot_act_for_another() -> None:
    match = new_match()
    for attempt in (
        lambda: match.decide(1, [take_decision(match)], False, START),
        lambda: match.end_turn(1, START),
        lambda: match.undo(1, False, START),
    ):
        with pytest.raises(Refusal) as refused:
            attempt()
        assert refused.value.code == "turn"


def test_a_decision_of_a_bot_is_fixed_and_never_held() -> None:
    match = new_match("Ann", "bot:random")
    decide(match, take_decision(match), ends_turn=True)
    assert match.is_bot_to_move
    decide(match, take_decision(match))
    assert match.mover == 0
    assert len(snapshot_for(match, 0).log.lines) == 2


def test_take_back_goes_to_the_start_of_the_seats_last_turn() -> None:
    match = new_match("Ann", "bot:random")
    start = snapshot_for(match, 0).table
    decide(match, take_decision(match), ends_turn=True)
    decide(match, take_decision(match))
    assert snapshot_for(match, 0).turn.can_take_back
    match.apply(match.take_back(0, match.changed_at))
    assert snapshot_for(match, 0).table == start
    assert snapshot_for(match, 0).log.lines == []
    assert not snapshot_for(match, 0).turn.can_take_back
    between_people = new_match()
    decide(between_people, take_decision(between_people), ends_turn=True)
    with pytest.raises(Refusal):
        between_people.take_back(0, START)


def test_chance_is_the_same_after_a_take_back() -> None:
    match, rng = new_match("Ann", "bot:random"), Random(4)
    while match.mover != 0 or "replenish" not in match.state.legal_decisions:
        takes = [t for t in match.state.legal_decisions if t.startswith("take")]
        decide(match, rng.choice(takes or list(match.state.legal_decisions)), ends_turn=True)
    decide(match, "replenish")
    first = match.state.decisions[-1]
    match.apply(match.take_back(0, match.changed_at))
    decide(match, "replenish")
    assert match.state.decisions[-1] == first


def test_resigning_ends_a_game_of_two() -> None:
    match = new_match()
    decide(match, take_decision(match))
    match.apply(match.resign(1, match.changed_at))
    assert match.is_over
    outcome = snapshot_for(match, 1).table.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((0,), "resigned")
    assert match.state.decisions == []  # a turn that was not handed over is no part of the game
    *_, last = replay(match.record())
    assert last.outcome is not None


def test_a_bot_plays_on_after_a_resignation_with_more_seats() -> None:
    match = new_match("Ann", "Bob", "Eve", game="splendor")
    match.apply(match.resign(1, match.changed_at))
    assert not match.is_over
    assert match.occupants[1].bot is not None
    assert match.occupants[1].has_resigned
    with pytest.raises(Refusal):
        match.sit_down(1, match.changed_at)


def test_a_match_in_progress_has_no_record() -> None:
    with pytest.raises(InvalidPosition):
        new_match().record()


def test_a_time_bank_runs_down_and_grows_with_each_turn() -> None:
    match = new_match(clock={"kind": "bank", "seconds": 60, "increment": 5})
    assert match.deadline() == START + 60_000
    decide(match, take_decision(match), ends_turn=True)  # after a second
    assert match.clocks.left == [64_000, 60_000]
    assert match.deadline() == START + 61_000
    match.apply(TimedOut(at=START + 61_000, seat=1))
    assert match.is_over
    assert match.state.outcome is not None
    assert match.state.outcome.winners == (0,)
    assert match.state.outcome.reason == "timeout"


def test_time_per_turn() -> None:
    match = new_match(clock={"kind": "turn", "seconds": 60})
    decide(match, take_decision(match), ends_turn=True)
    decide(match, take_decision(match), ends_turn=True)
    assert match.deadline() == match.changed_at + 60_000
    assert match.clocks.remaining(match.mover, match.changed_at + 10_000)[0] == 50_000


def test_no_clock_runs_before_all_have_joined() -> None:
    match = new_match(clock={"kind": "turn", "seconds": 60})
    match.occupants[1].has_joined = False
    assert match.deadline() is None


def played(match: Match, rng: Random, entries: list[AnyEntry], number: int) -> Match:
    """Return a match after some random commands; its entries are added to the list."""
    for _ in range(number):
        entry = random_entry(match, rng)
        if entry is not None:
            match = match.after(entry)
            entries.append(entry)
    return match


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("players", [("Ann", "Bob"), ("Ann", "bot:random")])
def test_the_log_determines_the_match(game: str, players: tuple[str, str]) -> None:
    """Applying the stored entries gives the same match, undone turns included."""
    first = new_match(*players, game=game)
    entries: list[AnyEntry] = []
    match = played(first, Random(1), entries, 250)
    stored_setup = decode_setup(encode(first.setup))
    again = Match("m", stored_setup)
    for seat in first.person_seats:
        again.apply(decode_entry(encode(_joined(first, seat))))
    for entry in entries:
        again.apply(decode_entry(encode(entry)))
    assert again.version == match.version
    assert again.commands == match.commands
    for viewer in (0, 1, None):
        assert snapshot_for(again, viewer) == snapshot_for(match, viewer)
    assert {type(entry).__name__ for entry in entries} >= {"Decided", "Ended", "Undone"}


def _joined(match: Match, seat: int) -> AnyEntry:
    return Joined(at=START, seat=seat, name=match.occupants[seat].name)


@pytest.fixture
def applied(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The decisions that states have played and the rules have applied, in order."""
    decisions: list[int] = []
    play, apply = State.play, Rules.apply

    def counting_play(self: State, decision: str | int) -> str:
        number = decision if isinstance(decision, int) else self.rules.decision(decision)
        decisions.append(number)
        return play(self, decision)

    def counting_apply(self: Rules, row: Row, decision: int, *rest: Any, **named: Any) -> list[int]:
        decisions.append(decision)
        return apply(self, row, decision, *rest, **named)

    monkeypatch.setattr(State, "play", counting_play)
    monkeypatch.setattr(Rules, "apply", counting_apply)
    return decisions


def test_a_decision_is_applied_once(applied: list[int]) -> None:
    match = new_match()
    gold = next(t for t in match.state.legal_decisions if t.startswith("gold"))
    applied.clear()
    entry = match.decide(0, [gold, "reserve deck1"], False, START)
    match = match.after(entry)
    assert len(applied) == 2
    match = match.after(match.end_turn(0, START))
    assert len(applied) == 2
    assert match.state.decisions == [gold, "reserve deck1"]


def test_a_stored_entry_is_applied_once(applied: list[int]) -> None:
    match = new_match()
    reader = Match("m", match.setup)
    entry = match.decide(0, [take_decision(match)], True, START)
    applied.clear()
    reader.apply(decode_entry(encode(entry)))
    assert len(applied) == 1


def test_an_entry_made_for_another_state_is_played_again() -> None:
    """A proposal is reused only from the state that it was made for."""
    match = new_match(game="splendor")
    card = match.state.pyramid[0][0]
    entry = match.decide(0, [f"reserve {card}"], True, START)
    stale = match._proposal
    moved = match.after(match.decide(0, ["take wug"], True, START))
    moved = moved.after(moved.decide(1, ["take wug"], True, START))
    moved._proposal = stale
    moved = moved.after(entry)
    assert moved.state.decisions == ["take wug", "take wug", f"reserve {card}"]
    assert moved.state.turns == 3


@pytest.mark.parametrize("game", GAMES)
def test_a_snapshot_names_no_hidden_card(game: str) -> None:
    match, rng = new_match(game=game), Random(3)
    for _ in range(120):
        entry = random_entry(match, rng)
        if entry is None:
            continue
        match = match.after(entry)
        if match.is_over:
            break
        for viewer in (0, 1, None):
            decks = {f"??{level}" for level in (1, 2, 3)}
            view = (match.state if match.is_private_to(viewer) else match.public_state).view(viewer)
            hidden = _hidden_cards(match, viewer)
            text = msgspec.json.encode(snapshot_for(match, viewer)).decode()
            for card in hidden:
                assert f'"{card}"' not in text, (viewer, card)
            assert decks >= {c for c in view.players[0].reserved if c.startswith("??")}


def _hidden_cards(match: Match, viewer: int | None) -> set[str]:
    """Return the cards in decks and reserves that a viewer has not seen.

    A card that will leave a deck when a held turn is handed over is hidden too.
    """
    is_private = match.is_private_to(viewer)
    state = match.state if is_private else match.public_state
    view = state.view(viewer)
    hidden = set()
    for level in (1, 2, 3):
        pairs = zip(state.deck(level), view.deck(level), strict=True)
        hidden |= {true for true, seen in pairs if seen.startswith("??")}
    for seat, player in enumerate(state.players):
        pairs = zip(player.reserved, view.players[seat].reserved, strict=True)
        hidden |= {true for true, seen in pairs if seen.startswith("??")}
    return hidden


@pytest.mark.parametrize("game", GAMES)
def test_a_finished_game_has_a_valid_record(game: str) -> None:
    match, rng = new_match("Ann", "bot:random", game=game), Random(6)
    while not match.is_over:
        decide(match, any_decision(match, rng), ends_turn=True)
    record = match.record()
    *_, last = replay(record)
    assert last.outcome == match.state.outcome
    assert record.players == ["Ann", "random"]


# --- what others can tell from it -----------------------------------------------------------------


def test_trying_something_out_moves_nothing_that_others_see() -> None:
    plain, tried = new_match(), new_match()
    before = snapshot_for(tried, 1)
    for _ in range(5):
        decide(tried, take_decision(tried))
        tried.apply(tried.undo(0, False, tried.changed_at + 1000))
    assert snapshot_for(tried, 1).version == before.version
    assert snapshot_for(tried, None).version == before.version
    assert tried.visibly_changed_at == START
    for match in (plain, tried):
        decide(match, take_decision(match), ends_turn=True)
    for viewer in (0, 1, None):
        assert snapshot_for(tried, viewer).version == snapshot_for(plain, viewer).version
    assert tried.visibly_changed_at == tried.changed_at


@pytest.mark.parametrize("game", GAMES)
def test_a_version_grows_exactly_when_the_viewers_table_changes(game: str) -> None:
    match, rng = new_match(game=game), Random(8)
    for _ in range(200):
        entry = random_entry(match, rng)
        if entry is None:
            continue
        after = match.after(entry)
        for viewer in (0, 1, None):
            old, new = snapshot_for(match, viewer), snapshot_for(after, viewer)
            has_changed = (new.table, new.log, new.choices) != (old.table, old.log, old.choices)
            assert (new.version > old.version) == has_changed, (viewer, entry)
            if viewer is None:
                assert (after.visible_changes > match.visible_changes) == has_changed
        match = after
        if match.is_over:
            break


def test_the_end_is_final_once_the_record_was_read() -> None:
    match = new_match("Ann", "bot:random", game="splendor")
    rng = Random(1)
    with pytest.raises(Refusal, match="not over"):
        match.disclose(START)
    while not match.is_over:
        decide(match, any_decision(match, rng), ends_turn=True)
    assert snapshot_for(match, 0).turn.can_take_back
    unread = match.after(match.take_back(0, match.changed_at))
    assert not unread.is_over
    entry = match.disclose(match.changed_at)
    assert entry is not None
    match = match.after(entry)
    assert not snapshot_for(match, 0).turn.can_take_back
    with pytest.raises(Refusal, match="record was read"):
        match.take_back(0, match.changed_at)
    assert match.disclose(match.changed_at) is None  # once is enough


def test_the_record_of_a_match_between_persons_needs_no_entry() -> None:
    match = new_match()
    match.apply(match.resign(0, match.changed_at))
    assert match.disclose(match.changed_at) is None


def test_endless_undoing_ends_but_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_module, "MAX_REVERSALS", 5)
    match = new_match()
    for _ in range(4):  # joining was the first change
        decide(match, take_decision(match))
        match.apply(match.undo(0, False, match.changed_at))
    decide(match, take_decision(match))
    with pytest.raises(Refusal) as refused:
        match.undo(0, False, match.changed_at)
    assert refused.value.code == "long"
    assert match.join(0, "Another", START) is None
    match.apply(match.end_turn(0, match.changed_at))
    decide(match, take_decision(match))
    match.apply(match.undo(1, False, match.changed_at))  # each seat has a limit of its own
    decide(match, take_decision(match), ends_turn=True)
    match.apply(match.resign(0, match.changed_at))
    assert match.is_over


def test_a_take_back_in_a_long_match_replays_few_decisions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It begins at a checkpoint, and leads to the same match as from the start."""
    monkeypatch.setattr(match_module, "CHECKPOINT_INTERVAL", 10)
    match, rng, entries = new_match("Ann", "bot:random", game="splendor"), Random(4), []
    while match.fixed_count < 45:
        assert match.mover is not None
        entries.append(match.decide(match.mover, [any_decision(match, rng)], True, 0))
        match = match.after(entries[-1])
    assert len(match._checkpoints) == 5
    played: list[str] = []

    def noting(before: State, after: State, decision: str) -> Event:
        played.append(decision)
        return event_between(before, after, decision)

    monkeypatch.setattr(played_decisions, "event_between", noting)
    entry = match.take_back(0, 0)
    after = match.after(entry)
    assert len(played) < 15
    replayed = new_match("Ann", "bot:random", game="splendor")
    replayed.setup = match.setup
    replayed._restart()
    replayed._play_fixed(match.state.decisions[: entry.to])
    assert after.state == replayed.state
    assert after.state.decisions == replayed.state.decisions
    assert after.events == replayed.events
    assert len(match.events) > len(after.events)  # the match before it is unchanged
