"""Analysis of positions: from what the seat to move knows, with lines that can be played."""

from __future__ import annotations

from time import perf_counter

import msgspec
import pytest
from tests.bots.games import each_kind, midgame

import parure
from parure.analysis import Analysis, analyse, evaluate
from parure.errors import NotationError
from parure.games.state import State


def other_world(state: State) -> State:
    """Return another state that looks the same to the seat to move."""
    view = state.view(state.seat)
    for seed in range(20):
        other = parure.determinize(view, seed)
        if other != state:
            return other
    raise AssertionError("nothing is hidden")


@pytest.mark.slow_without_jit
@each_kind
def test_hidden_cards_change_nothing(game: str, seats: int) -> None:
    for seed in range(3):
        state = midgame(game, seats, seed)
        other = other_world(state)
        assert analyse(state, "100", seed=5) == analyse(other, "100", seed=5)
        assert analyse(state, "100", seed=5) == analyse(state.view(state.seat), "100", seed=5)
        assert evaluate(state) == evaluate(other)


@pytest.mark.slow_without_jit
@each_kind
def test_lines_can_be_played(game: str, seats: int) -> None:
    for seed in range(4):
        state = midgame(game, seats, seed, decisions=20 + 8 * seed)
        found = analyse(state, "300", lines=4, seed=seed)
        assert found.seat == found.viewer == state.seat
        assert sum(found.values) == pytest.approx(1)
        assert 1 <= len(found.choices) <= 4
        assert len({choice.decision for choice in found.choices}) == len(found.choices)
        for choice in found.choices:
            assert choice.line[0] == choice.decision == choice.reasons[0].decision
            assert sum(choice.values) == pytest.approx(1)
            assert choice.reason
            played = other_world(state)
            for decision in choice.line:
                played.play(decision)


@pytest.mark.slow_without_jit
@each_kind
def test_a_line_ends_where_chance_enters(game: str, seats: int) -> None:
    """All but the last decision of a line lead to the same view in every world."""
    for seed in range(3):
        state = midgame(game, seats, seed, decisions=25)
        viewer = state.seat
        for choice in analyse(state, "400", seed=seed).choices:
            worlds = [parure.determinize(state.view(viewer), number) for number in range(40, 46)]
            for decision in choice.line[:-1]:
                for world in worlds:
                    world.play(decision)
                assert len({world.view(viewer) for world in worlds}) == 1, choice.line


@pytest.mark.slow_without_jit
def test_the_analysis_is_data() -> None:
    found = analyse(parure.new("splendor", seed=7), "100", seed=1)
    assert msgspec.json.decode(msgspec.json.encode(found), type=Analysis) == found


@pytest.mark.slow_without_jit
def test_the_only_decision() -> None:
    state = midgame("splendor", 2, 1)
    while len(state.legal_decisions) > 1 or state.is_over:
        state.play(state.legal_decisions[0])
        if state.is_over:
            pytest.skip("no position with one decision")
    found = analyse(state, "50", seed=1)
    assert [choice.decision for choice in found.choices] == list(state.legal_decisions)
    assert found.choices[0].share == 1.0


def test_a_game_that_is_over_is_exact() -> None:
    state = parure.new("duel", seed=7)
    state.resign()
    found = analyse(state)
    assert (found.values, found.choices, found.is_exact) == ((0.0, 1.0), (), True)
    assert evaluate(state) == (0.0, 1.0)


@pytest.mark.slow_without_jit
def test_watch_stops_the_analysis() -> None:
    seen: list[int] = []

    def watch(analysis: Analysis) -> bool:
        seen.append(analysis.iterations)
        return len(seen) < 2

    found = analyse(parure.new("splendor", seed=7), budget=None, seed=1, watch=watch)
    assert len(seen) == 2
    assert found.iterations == seen[-1] > seen[0] > 0


@pytest.mark.slow_without_jit
def test_an_analysis_that_is_not_wanted_stops() -> None:
    end = perf_counter() + 0.05
    state = parure.new("splendor", seed=7)
    found = analyse(
        state, "900000000", watch=lambda _: True, is_wanted=lambda: perf_counter() < end
    )
    assert 0 < found.iterations < 900_000_000


@pytest.mark.slow_without_jit
def test_the_view_of_another_seat() -> None:
    """Only decisions that the viewer can name are choices."""
    state = midgame("splendor", 2, 3)
    view = state.view(1 - state.seat)
    found = analyse(view, "200", seed=1)
    assert found.viewer == view.viewer != found.seat
    for choice in found.choices:
        assert choice.decision in state.legal_decisions


@pytest.mark.parametrize(
    "arguments",
    [{"budget": "soon"}, {"budget": "0"}, {"budget": None}, {"lines": 0}, {"lines": 99}],
)
def test_wrong_arguments(arguments: dict[str, object]) -> None:
    with pytest.raises(NotationError):
        analyse(parure.new("splendor", seed=7), **arguments)  # type: ignore[arg-type]


def test_unknown_language_and_type() -> None:
    with pytest.raises(NotationError, match="no words in 'de'"):
        analyse(parure.new("splendor", seed=7), language="de")
    with pytest.raises(TypeError, match="State or a View"):
        analyse("splendor")  # type: ignore[arg-type]


@pytest.mark.slow_without_jit
@each_kind
def test_evaluation_is_close_to_the_search(game: str, seats: int) -> None:
    state = parure.new(game, players=seats, seed=3)
    values = evaluate(state)
    assert len(values) == seats
    assert sum(values) == pytest.approx(1)
    assert all(abs(value - 1 / seats) < 0.2 for value in values)


@pytest.mark.slow_without_jit
def test_an_analysis_ends_when_its_tree_is_full() -> None:
    state = parure.new("splendor", seed=7)
    found = analyse(state, budget="20000", seed=1, memory_limit=2 << 20)
    assert 0 < found.iterations < 20_000
    assert found.choices
