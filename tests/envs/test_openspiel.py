"""OpenSpiel: its simulation test, its bots, and hidden information."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest

import parure
from parure.envs import explicit_chance, observation_layout
from parure.envs.chance_pools import TOKEN_POOL
from parure.envs.explicit_chance import HistoryEntry
from parure.games.duel import layout
from parure.games.engine.tokens import KIND_OF_LETTER
from parure.games.record import FORMAT, Record, replay
from parure.games.registry import rules

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import ismcts, mcts  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

import parure.envs.openspiel  # noqa: E402 — registers the games

NAMES = [
    "parure_duel",
    "parure_duel(anti_blocking=True)",
    "parure_duel_counterfeiters",
    "parure_splendor",
    "parure_splendor(players=3)",
    "parure_splendor(players=4)",
]
each_game = pytest.mark.parametrize("name", NAMES)
SECRETIVE = ("use C17", "deck ", "keep", "reserve deck", "gold", "buy C")


def states(name: str, seed: int, max_nodes: int = 250) -> Iterator[Any]:
    """Yield one state, at every node of a game in which many cards are hidden."""
    rng = np.random.default_rng(seed)
    state = pyspiel.load_game(name).new_initial_state()
    for _ in range(max_nodes):
        yield state
        if state.is_terminal():
            return
        if state.is_chance_node():
            outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
            assert sum(probabilities) == pytest.approx(1)
            state.apply_action(int(rng.choice(outcomes, p=probabilities)))
            continue
        legal = state.legal_actions()
        texts = state.chance_game.rules.decision_texts
        wanted = [a for a in legal if texts[a].startswith(SECRETIVE[rng.integers(len(SECRETIVE))])]
        state.apply_action(int(rng.choice(wanted or legal)))


@each_game
def test_the_simulation_test_passes(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@each_game
def test_the_game_declares_its_facts(name: str) -> None:
    game = pyspiel.load_game(name)
    game_name = name.removeprefix("parure_").partition("(")[0].replace("_", "+")
    expected = rules(game_name, game.num_players())
    assert game.num_distinct_actions() == len(expected.decision_texts)
    assert game.get_type().long_name == expected.title
    assert game.utility_sum() == 0
    assert str(game).startswith(name.split("(")[0])


@pytest.mark.parametrize("name", ["parure_duel", "parure_splendor", "parure_splendor(players=3)"])
def test_a_game_can_be_replayed_by_the_rules(name: str) -> None:
    """The outcomes of chance, written as a record, lead to the same end."""
    for state in states(name, seed=2, max_nodes=3000):
        if state.is_terminal():
            break
    game, game_rules = state.chance_game, state.chance_game.rules
    pools: dict[str, list[str]] = {pool: [] for pool in game.pools.pools}
    decisions: list[str] = []
    for i, item in enumerate(state.full_history()):
        if item.player != pyspiel.PlayerId.CHANCE:
            decisions.append(game_rules.decision_texts[item.action])
            continue
        outcome = game.pools.outcomes[item.action]
        if i >= len(game.pools.setup_draws) and outcome in KIND_OF_LETTER:
            decisions[-1] += outcome if " > " in decisions[-1] else f" > {outcome}"
        else:
            pool = TOKEN_POOL if outcome in KIND_OF_LETTER else f"deck {outcome[1]}"
            pools[pool if outcome[0] != "N" else "nobles"].append(outcome)
    setup = game.pools.record_setup(game.setup_outcomes)
    for level in (1, 2, 3):
        drawn = pools[f"deck {level}"]
        rest = [card for card in game.pools.pools[f"deck {level}"] if card not in drawn]
        setup["decks"][level - 1] = drawn + rest
    record = Record(
        format=FORMAT,
        game=game_rules.game,
        options={},
        players=["player"] * game_rules.seats,
        setup=setup,
        decisions=decisions,
    )
    *_, last = islice(replay(record), len(decisions) + 1)
    assert last.is_over
    slots = game_rules.layout.SLOTS
    assert (last.words[:slots] == game.row[:slots]).all()
    winners = [seat for seat, value in enumerate(state.returns()) if value > 0]
    assert last.outcome is not None
    assert list(last.outcome.winners) == winners or not winners


@pytest.mark.parametrize(
    "name", ["parure_duel", "parure_duel_counterfeiters", "parure_splendor(players=3)"]
)
def test_the_player_cannot_tell_a_resampled_state(name: str) -> None:
    sampler = pyspiel.UniformProbabilitySampler(5, 0.0, 1.0)
    others = 0
    for number, state in enumerate(states(name, seed=4)):
        if number % 9 or state.is_chance_node() or state.is_terminal():
            continue
        for player in range(state.num_players()):
            guess = state.resample_from_infostate(player, sampler)
            assert guess.information_state_string(player) == state.information_state_string(player)
            assert guess.observation_string(player) == state.observation_string(player)
            assert guess.observation_tensor(player) == state.observation_tensor(player)
            assert guess.current_player() == state.current_player()
            if player == state.current_player():
                assert guess.legal_actions() == state.legal_actions()
            others += any(
                guess.information_state_string(other) != state.information_state_string(other)
                for other in range(state.num_players())
            )
    assert others > 3  # what the other players know is resampled


@pytest.mark.parametrize("name", ["parure_duel", "parure_splendor", "parure_splendor(players=3)"])
def test_histories_contain_no_hidden_card(name: str) -> None:
    """A card drawn from a deck is named in its owner's history; in others it is a level."""
    for state in states(name, seed=1):
        if state.is_chance_node() or state.is_terminal():
            continue
        game = state.chance_game
        for player in range(state.num_players()):
            names = game.rules.view_type.card_names
            hidden = {names[card] for card in game.hidden_cards(player)}
            words = set(state.information_state_string(player).split())
            assert not hidden & words
    assert any("??" in line for line in game.history(0) + game.history(1))


def test_what_c17_shows_is_only_in_the_history_of_its_owner() -> None:
    found = 0
    for seed in range(4):
        for state in states("parure_duel_counterfeiters", seed):
            if state.chance_game.row is not None and len(state.chance_game.entries) == 1:
                first_seat = layout.SEATS + layout.COUNTERFEITERS_HELD
                state.chance_game.row[first_seat] |= 1 << 16  # C17
        own, other = (state.chance_game.history(seat) for seat in range(2))
        for mine, theirs in zip(own, other, strict=True):
            if mine.startswith("0 keep"):
                assert theirs.startswith("0 keep ??")
            if mine.startswith("0 deck"):
                found += 1
                assert mine.count("J") == theirs.count("??") > 0
    assert found


def test_information_states_grow() -> None:
    before: dict[int, str] = {0: "", 1: ""}
    for state in states("parure_duel", seed=3):
        for player in range(2):
            text = state.information_state_string(player)
            assert text.startswith(before[player])
            before[player] = text


def test_observers_see_one_player_or_everyone() -> None:
    game = pyspiel.load_game("parure_duel")
    *_, state = states("parure_duel", seed=6, max_nodes=120)
    own = make_observation(game)
    own.set_from(state, 0)
    assert own.dict["board"].shape == (25, 8)
    limits = observation_layout(state.chance_game.rules)
    largest = limits.split(limits.max_values.astype(np.float32))["own_tokens"]
    assert (own.dict["own_tokens"] * largest).round().tolist() == [
        state.chance_game.view(0).players[0].tokens.get(letter, 0) for letter in "wugrkpvy"
    ]
    assert own.tensor.min() >= 0
    assert own.tensor.max() <= 1
    public = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
    )
    everyone = make_observation(game, public)
    everyone.set_from(state, 0)
    first = everyone.tensor.copy()
    assert everyone.string_from(state, 0) == everyone.string_from(state, 1)
    for card, hidden in zip(everyone.dict["own_reserve"], own.dict["own_reserve"], strict=True):
        assert card[15] or not card[16]  # everyone knows what is shown
        assert hidden[16] >= card[16]
    assert first.shape == own.tensor.shape


def test_mcts_plays_a_game() -> None:
    game = pyspiel.load_game("parure_splendor")
    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = mcts.MCTSBot(game, 1.4, 2, evaluator, random_state=rng)
    state = game.new_initial_state()
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choice(outcomes, p=probabilities))
        elif decisions < 12:  # then at random, for the sake of time
            state.apply_action(bot.step(state))
            decisions += 1
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    assert sum(state.returns()) == pytest.approx(0)


@each_game
def test_random_bots_in_cpp_play(name: str) -> None:
    """Those that search crash with every game in Python: docs/how-to/openspiel.md."""
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(seat, 1) for seat in range(game.num_players())]
    returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 3)
    assert sum(returns) == pytest.approx(0)


def test_ismcts_plays() -> None:
    """It resamples what its player cannot know."""
    game = pyspiel.load_game("parure_duel")
    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = ismcts.ISMCTSBot(game, evaluator, 1.4, 4, random_state=rng)
    *_, state = (s for s in states("parure_duel", seed=6, max_nodes=80) if not s.is_chance_node())
    if state.is_chance_node():
        return
    assert bot.step(state) in state.legal_actions()


@each_game
def test_chance_outcomes_leave_nothing_to_the_generator_of_the_rules(name: str) -> None:
    before = explicit_chance._NO_RNG.copy()
    for _ in states(name, seed=5):
        pass
    assert np.array_equal(explicit_chance._NO_RNG, before)


def test_chance_refuses_what_it_cannot_draw() -> None:
    state = pyspiel.load_game("parure_splendor").new_initial_state()
    first, _ = state.chance_outcomes()[0]
    state.apply_action(first)
    assert first not in dict(state.chance_outcomes())
    with pytest.raises(ValueError, match="chance cannot draw it from the pool 'deck 1' now"):
        state.apply_action(first)


def test_illegal_actions_raise() -> None:
    *_, state = (s for s in states("parure_duel", seed=6, max_nodes=38))
    assert not state.is_chance_node()
    with pytest.raises(ValueError, match="not among the legal actions"):
        state.apply_action(state.chance_game.rules.decision("pass"))
    with pytest.raises(ValueError, match="this is no chance node"):
        state.chance_outcomes()
    with pytest.raises(ValueError, match="2 to 4 players"):
        pyspiel.load_game("parure_splendor(players=7)")


@each_game
def test_the_information_state_tensor_holds_the_last_decisions(name: str) -> None:
    game = pyspiel.load_game(name)
    recall = pyspiel.IIGObservationType(perfect_recall=True)
    observer, current = make_observation(game, recall), make_observation(game)
    *_, state = states(name, seed=4, max_nodes=150)
    taken = [item for item in state.full_history() if item.player >= 0]
    if state.is_chance_node():
        taken = taken[:-1]  # the last decision waits for chance
    seats = game.num_players()
    for player in range(seats):
        observer.set_from(state, player)
        current.set_from(state, player)
        size = len(current.tensor)
        assert len(observer.tensor) == size + 16 * (seats + game.num_distinct_actions())
        assert np.array_equal(observer.tensor[:size], current.tensor)
        assert len(state.information_state_tensor(player)) == len(observer.tensor)
        for row, item in zip(observer.dict["recent_decisions"], reversed(taken), strict=False):
            mover = (item.player - player) % seats
            assert np.flatnonzero(row[:seats]).tolist() == [mover]
            text = state.chance_game.rules.decision_texts[item.action]
            is_secret = mover != 0 and text.startswith(("keep", "bottom"))
            assert row[seats + item.action] == (not is_secret)
            assert row.sum() == 2 - is_secret


def test_another_player_s_secret_decision_is_not_in_the_tensor() -> None:
    game = pyspiel.load_game("parure_duel_counterfeiters")
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    keep = state.chance_game.rules.decision("keep J1-01")
    state.chance_game.entries.append(HistoryEntry("keep J1-01", 0, keep, [], [()]))
    observer = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    for player, is_shown in ((0, 1), (1, 0)):
        observer.set_from(state, player)
        assert observer.dict["recent_decisions"][0, 2 + keep] == is_shown


def test_without_openspiel_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "parure.envs.openspiel")
    with pytest.raises(parure.ParureError, match=r"pip install 'parure\[openspiel\]'"):
        importlib.import_module("parure.envs.openspiel")
