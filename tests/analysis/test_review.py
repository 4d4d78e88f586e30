"""Reviews: losses, accuracy, luck, unfinished games, and the page."""

from __future__ import annotations

import re
from random import Random

import msgspec
import pytest
from tests.bots.games import each_kind, play_game

import parure
from parure.analysis import Review, TurnReview, analyse, review
from parure.analysis.review_html import review_page
from parure.analysis.review_types import accuracy, kept, weight
from parure.analysis.story import story
from parure.errors import NotationError
from parure.games.position_text import reshuffled
from parure.games.state import State

SEAT_KEYS = {"accuracy", "inaccuracies", "mistakes", "blunders", "luck"}
TURN_KEYS = set("turn seat decisions before after loss kind best line luck".split())


def played_game(game: str, seats: int, decisions: int | None = None) -> State:
    """Return the game of a weak bot against the random one, or its beginning."""
    state = parure.new(game, players=[f"player {n}" for n in range(seats)], seed=5)
    play_game(state, ["greedy", *["random"] * (seats - 1)])
    while decisions is not None and len(state.decisions) > decisions:
        state.undo()
    return state


@pytest.mark.slow_without_jit
@each_kind
def test_a_review_covers_every_turn(game: str, seats: int) -> None:
    state = played_game(game, seats, decisions=30)
    found = review(state, "60")
    decisions = [text for turn in found.turns for text in turn.decisions]
    assert decisions == state.decisions
    assert [turn.seat for turn in found.turns] == [state.movers[turn.start] for turn in found.turns]
    for turn, following in zip(found.turns, found.turns[1:], strict=False):
        assert turn.after == following.values[turn.seat]
        assert turn.before == turn.values[turn.seat]
    for turn in found.turns:
        assert 0 <= turn.loss <= 1
        assert sum(turn.values) == pytest.approx(1)
        assert sum(turn.lucks) == pytest.approx(0, abs=1e-9)
        assert turn.line[0] == turn.best
        assert turn.start <= turn.step < turn.start + len(turn.decisions)
    for seat in range(seats):
        total = sum(turn.lucks[seat] for turn in found.turns)
        assert found.seats[seat].luck == pytest.approx(total)
    assert found.result is None


@pytest.mark.slow_without_jit
def test_the_data_of_a_review() -> None:
    found = review(played_game("splendor", 2, decisions=8), "40")
    data = msgspec.to_builtins(found)
    assert {"game", "seats", "turns"} <= set(data)
    assert all(set(seat) >= SEAT_KEYS for seat in data["seats"])
    assert all(set(turn) >= TURN_KEYS for turn in data["turns"])
    assert msgspec.json.decode(msgspec.json.encode(found), type=Review) == found


@pytest.mark.slow_without_jit
@pytest.mark.slow_without_jit
@each_kind
def test_cards_that_nobody_has_seen_change_nothing(game: str, seats: int) -> None:
    """Each decision is judged by what its seat knew then."""
    state = parure.position(parure.new(game, players=seats, seed=3).text())
    assert isinstance(state, parure.State)
    rng = Random(3)
    for _ in range(12):
        state.play(rng.choice(list(state.legal_decisions)))
    other = parure.position(reshuffled(state, Random(4)))
    assert isinstance(other, parure.State)
    for decision in state.decisions:
        other.play(decision)
    assert other != state
    judgements = [
        [(turn.before, turn.after, turn.loss, turn.best, turn.line, turn.reason) for turn in turns]
        for turns in (review(one, "40").turns for one in (state, other))
    ]
    assert judgements[0] == judgements[1]


def test_threads_change_nothing() -> None:
    state = played_game("splendor", 2, decisions=10)
    assert review(state, "60", jobs=1, seed=3) == review(state, "60", jobs=3, seed=3)


@pytest.mark.slow_without_jit
def test_the_random_player_is_less_accurate() -> None:
    found = review(played_game("splendor", 2), "150")
    strong, weak = (seat.accuracy for seat in found.seats)
    assert strong is not None
    assert weak is not None
    assert strong > weak
    assert found.seats[1].mistakes + found.seats[1].blunders > 0
    assert found.result is not None
    assert found.values == found.result.scores(2)
    assert "player 0 played better" in story(found)


@pytest.mark.slow_without_jit
def test_a_win_that_was_missed_is_a_loss() -> None:
    """The last turn of a game that was won, played otherwise."""
    state = played_game("duel", 2)
    winner = state.movers[-1]
    state.undo()
    while state.phase != "turn":
        state.undo()
    assert analyse(state, "20").is_exact
    missed = next(text for text in state.legal_decisions if text.startswith(("take", "gold")))
    state.play(missed)
    last = review(state, "100").turns[-1]
    assert (last.seat, last.decisions[-1]) == (winner, missed)
    assert last.step == len(state.decisions) - 1
    assert last.loss > 0


@pytest.mark.slow_without_jit
def test_resigned_and_empty_games() -> None:
    state = parure.new("splendor", seed=7)
    empty = review(state, "40")
    assert (empty.turns, empty.seats[0].accuracy) == ((), None)
    assert sum(empty.values) == pytest.approx(1)
    assert story(empty) == ""
    state.play("take wug")
    state.resign()
    found = review(state, "40")
    assert len(found.turns) == 1
    assert found.result is not None
    assert 0 < found.turns[0].after < 1


@pytest.mark.slow_without_jit
def test_a_record_that_starts_from_a_position() -> None:
    start = played_game("splendor", 2, decisions=12)
    state = parure.new(position=start.text())
    state.play(state.legal_decisions[0])
    state.play(state.legal_decisions[0])
    found = review(state.record(), "40")
    assert [text for turn in found.turns for text in turn.decisions] == state.decisions


@pytest.mark.slow_without_jit
def test_watch_receives_turns_and_stops() -> None:
    seen: list[TurnReview] = []

    def watch(turn: TurnReview) -> bool:
        seen.append(turn)
        return len(seen) < 3

    found = review(played_game("splendor", 2, decisions=12), "40", watch=watch)
    assert list(found.turns) == seen
    assert len(seen) == 3


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("language", ["en", "fr", "es"])
@pytest.mark.parametrize("game", ["splendor", "duel"])
def test_the_page_needs_nothing_else(game: str, language: str) -> None:
    state = played_game(game, 2, decisions=24)
    state.names = ["<b>Ann</b>", "Bob & co"]
    record = state.record()
    found = review(record, "40", language=language)
    page = review_page(record, found, language)
    assert not re.search(r"https?:|src=|@import|url\(", page)
    assert "<b>Ann" not in page
    assert "&lt;b&gt;Ann" in page
    assert f'<html lang="{language}">' in page
    assert page.count("<polyline") == 2
    for turn in found.turns:
        assert not turn.kind or f'id="turn-{turn.turn}"' in page


def some_turn(before: float, loss: float) -> TurnReview:
    turn = review(played_game("splendor", 2, decisions=1), "40").turns[0]
    return msgspec.structs.replace(turn, before=before, loss=loss)


@pytest.mark.slow_without_jit
def test_accuracy_is_the_weighted_mean_of_what_was_kept() -> None:
    perfect, half = some_turn(0.5, 0.0), some_turn(0.5, 0.25)
    assert (kept(perfect), kept(half)) == (1.0, 0.5)
    assert weight(perfect) == 1.0
    assert accuracy([perfect]) == 100.0
    assert accuracy([half]) == 50.0
    assert accuracy([]) is None
    lost = some_turn(0.01, 0.01)
    assert weight(lost) == 0.05  # lost anyway
    assert accuracy([perfect, lost]) == pytest.approx(100 * 1.0 / 1.05)
    thrown_away = some_turn(0.99, 0.49)
    assert weight(thrown_away) == pytest.approx(1.0)  # it was won, and is open now


def test_wrong_arguments() -> None:
    state = parure.new("splendor", seed=7)
    with pytest.raises(NotationError, match="not a budget"):
        review(state, "long")
    with pytest.raises(NotationError, match="jobs"):
        review(state, jobs=0)
    with pytest.raises(NotationError, match="no words"):
        review(state, language="xx")
