"""The searching bot: budgets, threads, the tree that is kept, and progress reports.

No test looks at the real time: budgets in seconds are tested on a simulated machine.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from tests.bots.games import midgame
from tests.games.engine.calls import callable_from_python

import parure
from parure.bots import Bot, Budget, bot, mcts
from parure.bots.evaluator import evaluator_for
from parure.bots.mcts import (
    FIRST_SLICE,
    MULTI_SEAT_NETWORK_SETTINGS,
    MULTI_SEAT_SETTINGS,
    NETWORK_SETTINGS,
    SLICE_SECONDS,
    TWO_SEAT_SETTINGS,
    MctsBot,
    RootEdge,
    Search,
    parallel_map,
)
from parure.bots.search import (
    DECISION,
    EDGES_END,
    FREE_EDGE,
    FREE_NODE,
    FREE_OUTCOME,
    NODES_END,
    OUTCOMES_END,
    Settings,
    add_edge,
    new_tree,
    reset,
    tree_of_thread,
)
from parure.bots.search import search as compiled_search
from parure.games.engine.rng import rng_from
from parure.games.state import State
from parure.games.view import View


class SimulatedMachine:
    """A machine on which every iteration takes the same time."""

    def __init__(self, iterations_per_second: float) -> None:
        self.speed = iterations_per_second
        self.now = 0.0
        self._search: Any = compiled_search

    def clock(self) -> float:
        """Return the time in seconds."""
        return self.now

    def search(self, *arguments: Any) -> int:
        """Run the compiled search, and advance the clock by the time it takes here."""
        done: int = self._search(*arguments)
        self.now += done / self.speed
        return done


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> SimulatedMachine:
    """A machine that does 10,000 iterations a second."""
    simulated = SimulatedMachine(10_000)
    monkeypatch.setattr(mcts, "search", simulated.search)
    return simulated


def play_turn(player: Bot, state: State, budget: Budget | None = None) -> int:
    """Let a bot play a whole turn, and return the number of its decisions."""
    seat, turns, decisions = state.seat, state.turns, 0
    while not state.is_over and (state.seat, state.turns) == (seat, turns):
        state.play(player.decide(state.view(seat), Random(1), budget).decision)
        decisions += 1
    return decisions


# --- budgets --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("own_seconds", [0.3, 9.0])
def test_the_seconds_of_a_budget_are_for_a_whole_turn(
    machine: SimulatedMachine, own_seconds: float, seed: int
) -> None:
    """A budget that is passed to `decide` replaces the bot's own."""
    player = MctsBot(Budget(seconds=own_seconds), clock=machine.clock)
    passed = None if own_seconds < 1 else Budget(seconds=0.3)
    decisions = play_turn(player, midgame("duel", 2, seed, decisions=60), passed)
    # Even with no time left a decision gets a first slice, once or twice.
    assert machine.now <= 0.3 + decisions * 3 * FIRST_SLICE / machine.speed


def test_the_time_of_a_budget_is_used(machine: SimulatedMachine) -> None:
    player = MctsBot(Budget(seconds=1.0), clock=machine.clock)
    answer = player.decide(parure.new("splendor", seed=1).view(0), Random(1))
    assert answer.iterations == pytest.approx(machine.now * machine.speed)
    assert 0.5 < machine.now <= 0.95 + SLICE_SECONDS


def test_a_certain_choice_ends_the_search(machine: SimulatedMachine) -> None:
    """What remains of the time could not change the decision."""
    view = parure.new("splendor", seed=1).view(0)
    search = Search(view, Settings(), evaluator_for(view.rules), clock=machine.clock)
    search.run_until([rng_from(Random(1))], end=3.0)
    first, second = sorted((edge.visits for edge in search.edges()), reverse=True)[:2]
    assert machine.now < 3
    assert first - second > (3 - machine.now - SLICE_SECONDS) * machine.speed


@pytest.mark.parametrize(
    ("game", "decision", "seconds"),
    [("splendor", "take wug", 95), ("duel", "gold a1", 70)],  # in Duel a card is reserved next
)
def test_a_decision_that_ends_the_turn_gets_nearly_all_of_the_time(
    game: str, decision: str, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends: list[float] = []

    def edges(self: Search) -> list[RootEdge]:
        return [RootEdge(self.rules.decision(decision), 1, 0.5)]

    def run_until(self: Search, rngs: object, end: float, *_: object) -> None:
        ends.append(end)

    monkeypatch.setattr(Search, "edges", edges)
    monkeypatch.setattr(Search, "run_until", run_until)
    player = MctsBot(Budget(seconds=100), clock=lambda: 1000.0)
    player.decide(parure.new(game, seed=1).view(0), Random(1))
    assert ends[-1] - 1000 == pytest.approx(seconds)


def test_a_forced_decision_is_not_searched() -> None:
    rng, state = Random(1), parure.new("duel", seed=1)
    while len(state.legal_decisions) != 1:
        if state.is_over:
            state = parure.new("duel", seed=rng.randrange(1000))
        state.play(rng.choice(state.legal_decisions))
    answer = bot("mcts:60s").decide(state.view(state.seat), Random(1))
    assert answer.decision == state.legal_decisions[0]
    assert answer.iterations == 0


def test_iterations_are_for_a_decision() -> None:
    answer = bot("mcts:123").decide(parure.new("splendor", seed=1).view(0), Random(1))
    assert answer.iterations == 123
    assert sum(candidate.share for candidate in answer.candidates) == pytest.approx(1)


@pytest.mark.parametrize(
    ("budget", "threads"),
    [
        (Budget(iterations=100_000_000), 1),
        (Budget(seconds=60), 1),
        (Budget(seconds=60), 2),
    ],
)
def test_a_full_tree_ends_the_search(
    budget: Budget, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a clock that stands still nothing else ends it."""
    monkeypatch.setattr(mcts, "MAX_NODES", 2048)
    state = midgame("duel", 2, 2)
    player = MctsBot(budget, threads=threads, clock=lambda: 0.0)
    for number in range(12):  # several in a turn, and both seats in turn
        answer = player.decide(state.view(state.seat), Random(number))
        assert answer.iterations < 3000
        assert answer.iterations > 1000 or number > 0
        state.play(answer.decision)


@pytest.mark.parametrize("detail", ["0s", "0", "soon", "-1s", "1s:0", "1s:two", "1s:65", "1s:"])
def test_wrong_details_are_refused(detail: str) -> None:
    with pytest.raises(parure.NotationError, match=r"budget|number of threads"):
        bot(f"mcts:{detail}")


@pytest.mark.parametrize(
    ("seats", "spec", "settings"),
    [
        (2, "mcts-linear:10", TWO_SEAT_SETTINGS),
        (3, "mcts-linear:10", MULTI_SEAT_SETTINGS),
        (4, "mcts-linear:10", MULTI_SEAT_SETTINGS),
        (2, "mcts:10", NETWORK_SETTINGS),
        (3, "mcts:10", MULTI_SEAT_NETWORK_SETTINGS),
        (4, "mcts:10", MULTI_SEAT_NETWORK_SETTINGS),
    ],
)
def test_settings_depend_on_the_number_of_seats(seats: int, spec: str, settings: Settings) -> None:
    player = bot(spec)
    assert isinstance(player, MctsBot)
    player.decide(parure.new("splendor", players=seats, seed=1).view(0), Random(1))
    assert player._search
    assert player._search.settings == settings


# --- threads --------------------------------------------------------------------------------------


def test_threads_share_one_tree() -> None:
    threads, iterations = 4, 20_000
    view = parure.new("duel", seed=1).view(0)
    search = Search(view, Settings(), evaluator_for(view.rules), threads)
    with parallel_map(threads) as parallel:
        search.run([rng_from(Random(i)) for i in range(threads)], iterations, parallel)
    tree = search.tree
    for free, end in (
        (FREE_NODE, NODES_END),
        (FREE_EDGE, EDGES_END),
        (FREE_OUTCOME, OUTCOMES_END),
    ):
        assert (tree.counters[:, free] <= tree.counters[:, end]).all()
    visits = sum(edge.visits for edge in search.edges())
    assert visits == iterations - 1  # the first one ends at the root
    answer = search.answer()
    decisions = [candidate.decision for candidate in answer.candidates]
    assert len(set(decisions)) == len(decisions)
    assert all(0 < candidate.value < 1 for candidate in answer.candidates)
    alone = bot("mcts:5000").decide(view, Random(1))
    # Several decisions are about equally good; the value of the best one must agree.
    assert answer.candidates[0].value == pytest.approx(alone.candidates[0].value, abs=0.04)


def test_threads_share_the_iterations() -> None:
    view = parure.new("splendor", seed=1).view(0)
    assert bot("mcts:401:2").decide(view, Random(1)).iterations == 401


# --- the tree -------------------------------------------------------------------------------------


def test_the_tree_is_kept_within_a_turn() -> None:
    """After a decision without hidden consequences the search continues in the same tree."""
    for seed in range(40):
        state = midgame("duel", 2, seed, decisions=50)
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
        state = midgame("duel+counterfeiters", 2, seed, decisions=60)
        for _ in range(30):
            if state.is_over:
                break
            view = state.view(state.seat)
            search = Search(view, Settings(), evaluator_for(view.rules))
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
    """The arrays of the tree are reused; what an earlier turn left in them must not matter."""
    used = bot("mcts:1500")
    used.decide(parure.new("duel", seed=1).view(0), Random(1))
    state = midgame("duel", 2, 2, decisions=40)
    view = state.view(state.seat)
    assert used.decide(view, Random(2)) == bot("mcts:1500").decide(view, Random(2))


# --- progress -------------------------------------------------------------------------------------


class Stop(Exception):
    """Raised to stop a search."""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("budget", [Budget(iterations=2000), Budget(seconds=0.2)])
def test_a_search_reports_progress_and_can_be_stopped(
    machine: SimulatedMachine, budget: Budget, threads: int
) -> None:
    reported: list[int] = []
    player = MctsBot(budget, threads=threads, clock=machine.clock)
    player.on_progress = reported.append
    player.decide(parure.new("splendor", seed=4).view(0), Random(1))
    assert len(reported) > 1
    assert reported == sorted(set(reported))

    def stop(iterations: int) -> None:
        raise Stop

    player.on_progress = stop
    with pytest.raises(Stop):
        player.decide(parure.new("splendor", seed=5).view(0), Random(1))


def test_a_level_reports_the_progress_of_its_search() -> None:
    reported: list[int] = []
    player = bot("level:8")
    player.on_progress = reported.append
    answer = player.decide(parure.new("splendor", seed=4).view(0), Random(1))
    assert reported[-1] == answer.iterations


def test_reporting_progress_changes_nothing() -> None:
    view = parure.new("splendor", seed=4).view(0)
    watched = bot("mcts:1500")
    watched.on_progress = lambda iterations: None
    assert watched.decide(view, Random(1)) == bot("mcts:1500").decide(view, Random(1))


def test_edges_stay_within_their_block() -> None:
    """However many decisions a node has, the edges of other threads are not overwritten."""
    add = callable_from_python(add_edge, 5)
    tree = new_tree(seats=2, threads=1)
    reset(tree)
    tree.counters[0, EDGES_END] = 2
    values, own = np.array([0.5, 0.5]), tree_of_thread(tree, 0)
    for decision in range(5):
        add(own, 0, decision, 0.2, values)
    assert tree.counters[0, FREE_EDGE] == 2
    assert tree.edges[:, DECISION].tolist()[:4] == [0, 1, 0, 0]


@pytest.mark.parametrize("spec", ["mcts:4000", "mcts-linear:4000"])
def test_a_search_keeps_within_its_memory(spec: str) -> None:
    view = parure.new("duel", seed=3).view(0)
    free, limited = bot(spec), bot(spec)
    assert limited.memory == 0
    limited.memory_limit = 6_000_000
    for player in (free, limited):
        player.decide(view, Random(1))
    assert 0 < 1.5 * limited.memory <= limited.memory_limit < free.memory
    for player in (free, limited):
        player.release_memory()
        assert player.memory == 0
        assert player.decide(view, Random(1)).decision in view.legal_decisions


def test_a_level_passes_on_its_memory_limit() -> None:
    view, player = parure.new("duel", seed=3).view(0), bot("level:8")
    player.memory_limit = 1  # so the tree stays as small as it is at first
    player.decide(view, Random(1))
    small = player.memory
    player.release_memory()
    assert player.memory == 0
    assert 0 < small <= new_search_memory(view)


def new_search_memory(view: View) -> int:
    """Return the bytes of a tree that has not been enlarged."""
    player = bot("mcts:1")
    player.decide(view, Random(1))
    return player.memory
