"""Greedy, the search and the levels: they know views only, and play well."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from random import Random
from time import perf_counter

import numpy as np
import pytest
from tests.games.positions import COUNTERFEIT, NOBODY, Seat, duel, splendor

import parure
from parure.bots import Answer, Bot, Budget, bot
from parure.bots.chance import RandomBot
from parure.bots.greedy import GreedyBot, generator
from parure.bots.judging import see
from parure.bots.knowledge import WEIGHTS, feature_names, knowledge
from parure.bots.levels import HIGHEST, LEVELS, SECONDS
from parure.bots.mcts import OF_MORE, OF_TWO, MctsBot, Search, in_threads
from parure.bots.playing import prepare
from parure.bots.search import (
    EDGES,
    EDGES_END,
    NODES,
    NODES_END,
    OUTCOMES,
    OUTCOMES_END,
    Settings,
)
from parure.errors import NotationError
from parure.games.position import State
from parure.games.rules import rules

KINDS = [
    ("duel", 2),
    ("duel+counterfeiters", 2),
    ("splendor", 2),
    ("splendor", 3),
    ("splendor", 4),
]
THINKERS = ["greedy", "mcts:40", "level:1", "level:5"]

each_kind = pytest.mark.parametrize(("game", "seats"), KINDS)


def play(state: State, specs: Sequence[str], seed: int = 0) -> State:
    bots = [bot(spec) for spec in specs]
    chance = [Random(f"{seed} {seat}") for seat in range(state.seats)]
    while not state.is_over:
        legal, seat = state.legal_decisions, state.seat
        if len(legal) == 1:
            state.play(legal[0])
        else:
            state.play(bots[seat].decide(state.view(seat), chance[seat]).decision)
    return state


def some_way_in(game: str, seats: int, seed: int, decisions: int = 40) -> State:
    state = parure.new(game, players=seats, seed=seed)
    chance = Random(seed)
    while len(state.decisions) < decisions or len(state.legal_decisions) < 2:
        state.play(chance.choice(state.legal_decisions))
    return state


# --- specifications -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mcts:0s", "leaves no time"),
        ("mcts:0", "leaves no time"),
        ("mcts:soon", "is no budget"),
        ("mcts:-1s", "is no budget"),
        ("mcts:1s:0", "is no number of threads"),
        ("mcts:1s:two", "is no number of threads"),
        ("level:0", "there is no level '0'"),
        ("level:9", "there is no level '9'"),
        ("level:", "there is no level ''"),
        ("level:²", "there is no level '²'"),
        ("greedy:2", "takes nothing behind a colon"),
        ("clever", "no bot is called 'clever'"),
    ],
)
def test_a_wrong_specification_says_what_is_wrong(spec: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        bot(spec)


# --- the view is all they know --------------------------------------------------------------------


@each_kind
@pytest.mark.parametrize("spec", THINKERS)
def test_hidden_cards_make_no_difference(game: str, seats: int, spec: str) -> None:
    """Two true states behind the same view: the same choice for the same seed."""
    for seed in range(3):
        state = some_way_in(game, seats, seed)
        view = state.view(state.seat)
        one, other = parure.determinize(view, seed=1), parure.determinize(view, seed=2)
        assert one != other
        answers = [bot(spec).decide(state.view(view.seat), Random(5)) for state in (one, other)]
        assert answers[0] == answers[1]


@each_kind
def test_the_view_is_left_as_it_was(game: str, seats: int) -> None:
    state = some_way_in(game, seats, 1)
    view, same = state.view(state.seat), state.view(state.seat)
    for spec in THINKERS:
        bot(spec).decide(view, Random(1))
    assert view == same


# --- what is decided ------------------------------------------------------------------------------


@each_kind
def test_whole_games_between_thinkers(game: str, seats: int) -> None:
    specs = ["mcts:25", "greedy", "level:2", "level:5"][:seats]
    for seed in range(2):
        assert play(parure.new(game, players=seats, seed=seed), specs, seed).outcome is not None


@each_kind
def test_greedy_beats_random(game: str, seats: int) -> None:
    won = 0
    for number in range(10):
        specs = ["random"] * seats
        specs[number % seats] = "greedy"
        outcome = play(parure.new(game, players=seats, seed=number), specs, number).outcome
        assert outcome is not None
        won += number % seats in outcome.winners
    assert won >= 9


@pytest.mark.parametrize("game", ["duel", "duel+counterfeiters", "splendor"])
def test_a_search_beats_greedy(game: str) -> None:
    won = 0.0
    for number in range(20):
        specs = ["greedy", "greedy"]
        specs[number % 2] = "mcts:250"
        outcome = play(parure.new(game, seed=number // 2), specs, number).outcome
        assert outcome is not None
        won += number % 2 in outcome.winners
    assert won >= 12


def test_greedy_explains_itself() -> None:
    state = some_way_in("duel", 2, 3)
    answer = bot("greedy").decide(state.view(state.seat), Random(1))
    assert answer.because.endswith(".")
    names = [*feature_names(rules("duel")), "Nothing gains anything"]
    assert any(name in answer.because for name in names)


def test_candidates_are_all_legal_and_the_best_comes_first() -> None:
    state = some_way_in("duel", 2, 4)
    view = state.view(state.seat)
    for spec in ("greedy", "mcts:200"):
        answer = bot(spec).decide(view, Random(1))
        assert answer.candidates[0].decision == answer.decision
        assert {candidate.decision for candidate in answer.candidates} <= set(view.legal_decisions)
        assert all(0 <= candidate.value <= 1 for candidate in answer.candidates)


def test_a_victory_at_hand_is_taken() -> None:
    """Whoever can win at once does: in games played to their end by greedy, one decision back."""
    for game, seats in KINDS[:3]:
        state = play(parure.new(game, players=seats, seed=8), ["greedy"] * seats)
        assert state.outcome is not None
        if state.outcome.winners != (state.movers[-1],):
            continue
        state.undo()
        while len(state.legal_decisions) == 1:
            state.undo()
        before = state.turns
        answer = bot("mcts:300").decide(state.view(state.seat), Random(1))
        assert answer.candidates[0].value > 0.95
        seat = state.seat
        while not state.is_over and state.turns == before:
            state.play(bot("mcts:300").decide(state.view(seat), Random(1)).decision)
        assert state.outcome is not None
        assert seat in state.outcome.winners


# --- budgets --------------------------------------------------------------------------------------


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


def test_iterations_are_for_a_decision() -> None:
    answer = bot("mcts:123").decide(parure.new("splendor", seed=1).view(0), Random(1))
    assert answer.iterations == 123
    assert sum(candidate.share for candidate in answer.candidates) == pytest.approx(1)


def test_threads_grow_one_tree() -> None:
    threads, iterations = 4, 20_000
    view = parure.new("duel", seed=1).view(0)
    search = Search(view, Settings(), threads)
    with in_threads(threads) as at_once:
        search.run([generator(Random(i)) for i in range(threads)], iterations, at_once)
    tree = search.tree
    for next_free, end in ((NODES, NODES_END), (EDGES, EDGES_END), (OUTCOMES, OUTCOMES_END)):
        assert (tree.counters[:, next_free] <= tree.counters[:, end]).all()
    followed = sum(edge.followed for edge in search.edges())
    assert followed == iterations - 1  # the first one went no further than the root
    answer = search.answer()
    decisions = [candidate.decision for candidate in answer.candidates]
    assert len(set(decisions)) == len(decisions)
    assert all(0 < candidate.value < 1 for candidate in answer.candidates)
    alone = bot("mcts:5000").decide(view, Random(1))
    # Several decisions are about as good; how good the best of them is, both must find.
    assert answer.candidates[0].value == pytest.approx(alone.candidates[0].value, abs=0.04)


@pytest.mark.parametrize(("seats", "settings"), [(2, OF_TWO), (3, OF_MORE), (4, OF_MORE)])
def test_settings_depend_on_how_many_play(seats: int, settings: Settings) -> None:
    player = MctsBot(Budget(iterations=10))
    player.decide(parure.new("splendor", players=seats, seed=1).view(0), Random(1))
    assert player._kept
    assert player._kept.settings == settings


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
            search.run([generator(Random(1))], 40)
            decision = search.answer().decision
            search.follow(decision, generator(Random(2)))
            state.play(decision)
            forced = 0
            while len(state.legal_decisions) == 1:
                state.play(state.legal_decisions[0])
                forced += 1
            if forced and not state.is_over and state.seat == view.seat:
                search.go_on_at(state.view(state.seat))
                kept += search.iterations > 0
    assert kept > 0


def test_a_new_turn_begins_with_an_empty_tree() -> None:
    """The room of the tree is used again; what an earlier turn left there must not matter."""
    used = bot("mcts:1500")
    used.decide(parure.new("duel", seed=1).view(0), Random(1))
    state = some_way_in("duel", 2, 2, decisions=40)
    view = state.view(state.seat)
    assert used.decide(view, Random(2)) == bot("mcts:1500").decide(view, Random(2))


@each_kind
def test_every_level_answers_in_its_time(game: str, seats: int) -> None:
    state = some_way_in(game, seats, 2)
    for number in range(1, HIGHEST + 1):
        player = bot(f"level:{number}")
        player.decide(state.view(state.seat), Random(1))  # compiles
        start = perf_counter()
        player.decide(state.view(state.seat), Random(2))
        assert perf_counter() - start < SECONDS[number - 1]


@each_kind
def test_levels_search_more_and_overlook_less(game: str, seats: int) -> None:
    levels = LEVELS[rules(game, seats).label]
    assert len(levels) == HIGHEST
    strengths = [(-level.overlooks, level.iterations) for level in levels]
    assert strengths == sorted(set(strengths))


# --- what they judge by ---------------------------------------------------------------------------


@each_kind
def test_every_weight_belongs_to_a_feature(game: str, seats: int) -> None:
    by = rules(game, seats)
    table = json.loads(WEIGHTS.read_text(encoding="utf-8"))[by.label]
    names = feature_names(by)
    assert set(table) <= set(names)
    at_start, until_end = knowledge(by).weights
    assert np.abs(at_start).max() < 10
    for name, (start, end) in table.items():
        assert at_start[names.index(name)] == pytest.approx(start)
        assert (at_start + until_end)[names.index(name)] == pytest.approx(end)
    assert table["points"][1] > 0


@each_kind
def test_weights_change_with_the_points_of_the_leader(game: str, seats: int) -> None:
    by = rules(game, seats)
    at = by.layout

    def far(points: int) -> float:
        words = parure.new(game, players=seats, seed=3).words.copy()
        words[at.SEATS + at.SEAT_WORDS + at.SCORE] = points
        return see(knowledge(by), words, 0, np.zeros(len(feature_names(by))))

    assert [far(0), far(at.GOAL), far(at.GOAL + 4)] == [0, 1, 1]
    assert 0 < far(1) < far(2) < 1


def features_of(state: State, seat: int) -> dict[str, float]:
    """All features of a seat by their names."""
    names = feature_names(state.rules)
    found = np.zeros(len(names))
    see(knowledge(state.rules), state.words, seat, found)
    return dict(zip(names, found, strict=True))


@each_kind
def test_features_of_a_new_game_are_those_of_every_seat(game: str, seats: int) -> None:
    state = parure.new(game, players=seats, seed=3)
    for seat in range(seats):
        features = features_of(state, seat)
        assert features["points"] == features["bonuses"] == features["gems"] == 0
        assert features["the turn"] == (seat == 0)
        assert features["the best card within reach"] > 0


def test_discounts_bring_cards_within_reach() -> None:
    """J1-01 asks for two red and two black; C02 takes off the red, C05 the black."""

    def buyable(me: Seat) -> float:
        state = duel(me, face_up="J1-01", game=COUNTERFEIT)
        return features_of(state, 0)["cards that can be bought at once"]

    assert buyable(Seat("vv")) == buyable(Seat("vv", counterfeiters="C02")) == 0
    assert buyable(Seat("v", counterfeiters="C02 C05")) == 0
    assert buyable(Seat("vv", counterfeiters="C02 C05")) == buyable(Seat("rrkk")) == 1


def test_counterfeiters_are_features() -> None:
    features = features_of(duel(Seat(counterfeiters="C02 C05 C13"), game=COUNTERFEIT), 0)
    assert (features["C01 to C05"], features["C13"], features["C14"]) == (2, 1, 0)


RED, BLUE, BLACK = 8 * "r", 2 * "wwuuugg", 8 * "k"  # bonuses that pay for J3-12, J3-04, J3-11


@pytest.mark.parametrize(
    ("me", "reaches"),
    [
        (Seat(reserved="J3-04", bonuses=BLUE, points=15), False),
        (Seat(reserved="J3-04", bonuses=BLUE, points=16), True),
        (Seat(reserved="J3-04", points=16), False),  # it cannot be paid
        (Seat(reserved="J3-11", bonuses=BLACK, crowns=6), False),
        (Seat(reserved="J3-11", bonuses=BLACK, crowns=6, royals="R7"), True),
        (Seat(reserved="J3-11", bonuses=BLACK, crowns=7), True),
        (Seat(reserved="J3-04", bonuses=BLUE, cards="J3-03 J2-07"), False),
        (Seat(reserved="J3-04", bonuses=BLUE, cards="J3-03 J2-07", royals="R6"), True),
        (Seat(reserved="J3-04", bonuses=BLUE, cards="J3-03 J2-07 J1-10"), True),
        (Seat(reserved="J3-12", bonuses=RED, cards="J3-03 J2-07 J1-10"), False),
        (Seat(reserved="J3-12", bonuses=RED, cards="J3-03 J2-07 J2-08"), True),  # a joker
    ],
)
def test_a_purchase_that_reaches_a_goal_of_duel(me: Seat, reaches: bool) -> None:
    state = duel(me, game=COUNTERFEIT)
    assert features_of(state, 0)["a purchase that reaches the goal"] == reaches
    assert features_of(state, 0)["a purchase that reaches the goal now"] == reaches


@pytest.mark.parametrize(
    ("me", "reaches"),
    [
        (Seat(reserved="D3-07", bonuses="wwwwwww", points=10), False),
        (Seat(reserved="D3-07", bonuses="wwwwwww", points=11), True),
        (Seat(reserved="D3-07", tokens="wwwwww", points=11), False),
        (Seat(reserved="D3-07", bonuses="wwwwwwwuuu", points=8), True),  # the noble comes
        (Seat(reserved="D3-07", bonuses="wwwwwwwuuu", points=7), False),
        (Seat(reserved="D3-07", bonuses="wwwwwwwuu", points=8), False),
    ],
)
def test_a_purchase_that_reaches_the_goal_of_splendor(me: Seat, reaches: bool) -> None:
    state = splendor(NOBODY, me, nobles="N01")
    assert features_of(state, 1)["a purchase that reaches the goal"] == reaches
    assert features_of(state, 1)["a purchase that reaches the goal now"] == 0


@pytest.mark.parametrize(("bonuses", "lacking"), [("", 7), ("wwww", 3), (9 * "w", 0)])
def test_bonuses_bring_cards_near(bonuses: str, lacking: int) -> None:
    """D3-07, four points and a bonus, asks for seven white; tokens do not count."""
    with_it, without = (
        features_of(splendor(Seat("www", bonuses=bonuses, reserved=reserved)), 0)
        for reserved in ("D3-07", "")
    )
    for name, worth in ("cards", 4.9), ("points", 4):
        near = f"{name} that bonuses bring near"
        assert with_it[near] - without[near] == pytest.approx(worth * 0.8**lacking)


def test_points_in_two_colors() -> None:
    """Blue 3 + 2, white 4, black 3: what counts is the best color and the one after it."""
    features = features_of(duel(Seat(cards="J3-02 J3-03 J2-07 J3-09")), 0)
    assert (features["points in one color"], features["points in a second color"]) == (5, 4)


def test_without_the_compiler_the_same_is_decided() -> None:
    program = (
        "from random import Random\nimport parure\nfrom parure.bots import bot\n"
        "for game in ('duel+counterfeiters', 'splendor'):\n"
        "    view = parure.new(game, seed=5).view(0)\n"
        "    print(bot('greedy').decide(view, Random(1)).decision)\n"
        "    print(bot('mcts:30').decide(view, Random(1)))\n"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "NUMBA_DISABLE_JIT": flag},
        ).stdout
        for flag in ("0", "1")
    ]
    assert outputs[0] == outputs[1]


def test_what_is_slow_at_first_can_be_done_before(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def decide(self: Bot, *_: object) -> Answer:
        asked.append(type(self).__name__)
        return Answer("pass")

    for kind in (GreedyBot, RandomBot):
        monkeypatch.setattr(kind, "decide", decide)
    prepare.cache_clear()
    for _ in range(2):
        prepare("greedy", rules("splendor"))
        prepare("random", rules("splendor"))
    assert asked == ["GreedyBot"], "once, and only what is compiled"
    prepare.cache_clear()


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
    watched.watch = told.append
    watched.decide(view, Random(1))
    assert len(told) > 1
    assert told == sorted(set(told))

    def stop(iterations: int) -> None:
        raise Enough

    watched.watch = stop
    with pytest.raises(Enough):
        watched.decide(parure.new("splendor", seed=5).view(0), Random(1))


def test_watching_changes_nothing() -> None:
    view = parure.new("splendor", seed=4).view(0)
    watched = bot("mcts:1500")
    watched.watch = lambda iterations: None
    assert watched.decide(view, Random(1)) == bot("mcts:1500").decide(view, Random(1))
