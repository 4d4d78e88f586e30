"""The search: its budgets, its threads, its tree, and who watches it."""

from __future__ import annotations

from random import Random
from time import perf_counter

import pytest
from tests.bots.games import some_way_in

import parure
from parure.bots import Bot, Budget, bot, mcts
from parure.bots.mcts import (
    MULTI_SEAT_SETTINGS,
    TWO_SEAT_SETTINGS,
    MctsBot,
    RootEdge,
    Search,
    parallel_map,
)
from parure.bots.search import (
    EDGES_END,
    FREE_EDGE,
    FREE_NODE,
    FREE_OUTCOME,
    NODES_END,
    OUTCOMES_END,
    Settings,
)
from parure.games.engine.rng import rng_from
from parure.games.state import State


def turn_of(player: Bot, state: State, budget: Budget | None = None) -> float:
    """The seconds that a bot takes for a whole turn."""
    seat, turns, start = state.seat, state.turns, perf_counter()
    while not state.is_over and (state.seat, state.turns) == (seat, turns):
        state.play(player.decide(state.view(seat), Random(1), budget).decision)
    return perf_counter() - start


def test_seconds_are_for_a_whole_turn() -> None:
    bot("mcts:10").decide(parure.new("duel", seed=1).view(0), Random(1))  # compiles
    for seed in range(4):
        state = some_way_in("duel", 2, seed, decisions=60)
        assert turn_of(bot("mcts:0.3s"), state) < 0.6
        state = some_way_in("duel", 2, seed, decisions=60)
        assert turn_of(bot("mcts:9s"), state, Budget(seconds=0.1)) < 0.4


@pytest.mark.parametrize(
    ("game", "decision", "seconds"),
    [("splendor", "take wug", 95), ("duel", "gold a1", 70)],  # and now a card to reserve
)
def test_a_decision_that_ends_the_turn_gets_nearly_all_of_the_time(
    game: str, decision: str, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = parure.new(game, seed=1)
    ends: list[float] = []

    def edges(self: Search) -> list[RootEdge]:
        return [RootEdge(self.rules.decision(decision), 1, 0.5)]

    def run_until(self: Search, rngs: object, end: float, *_: object) -> None:
        ends.append(end)

    monkeypatch.setattr(Search, "edges", edges)
    monkeypatch.setattr(Search, "run_until", run_until)
    start = perf_counter()
    bot("mcts:100s").decide(state.view(0), Random(1))
    assert ends[-1] - start == pytest.approx(seconds, abs=5)


@pytest.mark.parametrize("spec", ["mcts:100000000", "mcts:60s", "mcts:60s:2"])
def test_a_full_tree_ends_the_search(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcts, "MAX_NODES", 2048)
    state = some_way_in("duel", 2, 2)
    player, start = bot(spec), perf_counter()
    for number in range(12):  # several in a turn, and both seats in turn
        answer = player.decide(state.view(state.seat), Random(number))
        assert answer.iterations < 3000
        assert answer.iterations > 1000 or number > 0
        state.play(answer.decision)
    assert perf_counter() - start < 20


def test_iterations_are_for_a_decision() -> None:
    answer = bot("mcts:123").decide(parure.new("splendor", seed=1).view(0), Random(1))
    assert answer.iterations == 123
    assert sum(candidate.share for candidate in answer.candidates) == pytest.approx(1)


def test_threads_grow_one_tree() -> None:
    threads, iterations = 4, 20_000
    view = parure.new("duel", seed=1).view(0)
    search = Search(view, Settings(), threads)
    with parallel_map(threads) as parallel:
        search.run([rng_from(Random(i)) for i in range(threads)], iterations, parallel)
    tree = search.tree
    for next_free, end in (
        (FREE_NODE, NODES_END),
        (FREE_EDGE, EDGES_END),
        (FREE_OUTCOME, OUTCOMES_END),
    ):
        assert (tree.counters[:, next_free] <= tree.counters[:, end]).all()
    visits = sum(edge.visits for edge in search.edges())
    assert visits == iterations - 1  # the first one went no further than the root
    answer = search.answer()
    decisions = [candidate.decision for candidate in answer.candidates]
    assert len(set(decisions)) == len(decisions)
    assert all(0 < candidate.value < 1 for candidate in answer.candidates)
    alone = bot("mcts:5000").decide(view, Random(1))
    # Several decisions are about as good; how good the best of them is, both must find.
    assert answer.candidates[0].value == pytest.approx(alone.candidates[0].value, abs=0.04)


@pytest.mark.parametrize(
    ("seats", "settings"),
    [(2, TWO_SEAT_SETTINGS), (3, MULTI_SEAT_SETTINGS), (4, MULTI_SEAT_SETTINGS)],
)
def test_settings_depend_on_how_many_play(seats: int, settings: Settings) -> None:
    player = MctsBot(Budget(iterations=10))
    player.decide(parure.new("splendor", players=seats, seed=1).view(0), Random(1))
    assert player._search
    assert player._search.settings == settings


def test_threads_share_the_iterations() -> None:
    view = parure.new("splendor", seed=1).view(0)
    assert bot("mcts:401:2").decide(view, Random(1)).iterations == 401


def test_a_forced_decision_costs_nothing() -> None:
    chance = Random(1)
    state = parure.new("duel", seed=1)
    while len(state.legal_decisions) != 1:
        if state.is_over:
            state = parure.new("duel", seed=chance.randrange(1000))
        state.play(chance.choice(state.legal_decisions))
    start = perf_counter()
    answer = bot("mcts:60s").decide(state.view(state.seat), Random(1))
    assert answer.decision == state.legal_decisions[0]
    assert perf_counter() - start < 0.1


def test_the_tree_is_kept_within_a_turn() -> None:
    """A decision without hidden consequences: what was found behind it is not searched again."""
    for seed in range(40):
        state = some_way_in("duel", 2, seed, decisions=50)
        player = MctsBot(Budget(iterations=400))
        first = player.decide(state.view(state.seat), Random(1))
        seat, turns = state.seat, state.turns
        state.play(first.decision)
        is_same_turn = (state.seat, state.turns) == (seat, turns)
        if not is_same_turn or len(state.legal_decisions) < 2 or " > " in state.decisions[-1]:
            continue
        second = player.decide(state.view(state.seat), Random(2))
        assert second.iterations == 800
        return
    pytest.fail("no turn with two decisions came up")


def test_the_tree_is_kept_past_forced_decisions() -> None:
    kept = 0
    for seed in range(40):
        state = some_way_in("duel+counterfeiters", 2, seed, decisions=60)
        for _ in range(30):
            if state.is_over:
                break
            view = state.view(state.seat)
            search = Search(view, Settings())
            search.run([rng_from(Random(1))], 40)
            decision = search.answer().decision
            search.follow(decision, rng_from(Random(2)))
            state.play(decision)
            forced = 0
            while len(state.legal_decisions) == 1:
                state.play(state.legal_decisions[0])
                forced += 1
            if forced and not state.is_over and state.seat == view.seat:
                search.move_to(state.view(state.seat))
                kept += search.iterations > 0
    assert kept > 0


def test_a_new_turn_begins_with_an_empty_tree() -> None:
    """The room of the tree is used again; what an earlier turn left there must not matter."""
    used = bot("mcts:1500")
    used.decide(parure.new("duel", seed=1).view(0), Random(1))
    state = some_way_in("duel", 2, 2, decisions=40)
    view = state.view(state.seat)
    assert used.decide(view, Random(2)) == bot("mcts:1500").decide(view, Random(2))


# --- watching -------------------------------------------------------------------------------------


class Enough(Exception):
    pass


@pytest.mark.parametrize(
    "spec", ["mcts:2000", "mcts:200ms", "mcts:2000:2", "mcts:200ms:2", "level:8"]
)
def test_a_search_tells_how_far_it_is_and_can_be_stopped(spec: str) -> None:
    view = parure.new("splendor", seed=4).view(0)
    told: list[int] = []
    watched = bot(spec)
    watched.on_progress = told.append
    watched.decide(view, Random(1))
    assert len(told) > 1
    assert told == sorted(set(told))

    def stop(iterations: int) -> None:
        raise Enough

    watched.on_progress = stop
    with pytest.raises(Enough):
        watched.decide(parure.new("splendor", seed=5).view(0), Random(1))


def test_watching_changes_nothing() -> None:
    view = parure.new("splendor", seed=4).view(0)
    watched = bot("mcts:1500")
    watched.on_progress = lambda iterations: None
    assert watched.decide(view, Random(1)) == bot("mcts:1500").decide(view, Random(1))
