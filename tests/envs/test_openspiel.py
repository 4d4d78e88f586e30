"""OpenSpiel: its own simulation test, its bots, and what a player can tell."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest

from parure.envs.explicit_chance import TOKEN
from parure.games.engine.tokens import KIND_OF_LETTER
from parure.games.record import FORMAT, Record, replay
from parure.games.registry import rules

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import ismcts, mcts  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

import parure.envs.openspiel  # noqa: E402, F401 — registers the games

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


def states(name: str, seed: int, most: int = 250) -> Iterator[Any]:
    """One state at every moment of a game in which many cards are hidden."""
    rng = np.random.default_rng(seed)
    state = pyspiel.load_game(name).new_initial_state()
    for _ in range(most):
        yield state
        if state.is_terminal():
            return
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            assert sum(odds) == pytest.approx(1)
            state.apply_action(int(rng.choice(outcomes, p=odds)))
            continue
        legal = state.legal_actions()
        texts = state.play.rules.decision_texts
        wanted = [a for a in legal if texts[a].startswith(SECRETIVE[rng.integers(len(SECRETIVE))])]
        state.apply_action(int(rng.choice(wanted or legal)))


@each_game
def test_the_simulation_test_passes(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@each_game
def test_facts_are_declared(name: str) -> None:
    game = pyspiel.load_game(name)
    by = rules(
        {"parure_duel_counterfeiters": "duel+counterfeiters"}.get(name, name[7:].split("(")[0])
        if "splendor" not in name
        else "splendor",
        game.num_players(),
    )
    assert game.num_distinct_actions() == len(by.decision_texts)
    assert game.utility_sum() == 0
    assert str(game).startswith(name.split("(")[0])


@pytest.mark.parametrize("name", ["parure_duel", "parure_splendor", "parure_splendor(players=3)"])
def test_a_game_is_one_of_the_rules(name: str) -> None:
    """What chance brought, written down as a record, replays to the same end."""
    for state in states(name, seed=2, most=3000):
        if state.is_terminal():
            break
    supply, by = state.play.supply, state.play.rules
    pools: dict[str, list[str]] = {pool: [] for pool in supply.pools}
    decisions: list[str] = []
    for i, item in enumerate(state.full_history()):
        if item.player != pyspiel.PlayerId.CHANCE:
            decisions.append(by.decision_texts[item.action])
            continue
        outcome = supply.outcomes[item.action]
        if i >= len(supply.due) and outcome in KIND_OF_LETTER:
            decisions[-1] += outcome if " > " in decisions[-1] else f" > {outcome}"
        else:
            where = TOKEN if outcome in KIND_OF_LETTER else f"deck {outcome[1]}"
            pools[where if outcome[0] != "N" else "nobles"].append(outcome)
    setup = supply.setup(state.play.drawn)
    for level in (1, 2, 3):
        drawn = pools[f"deck {level}"]
        rest = [card for card in supply.pools[f"deck {level}"] if card not in drawn]
        setup["decks"][level - 1] = drawn + rest
    record = Record(FORMAT, by.game, {}, ["player"] * by.seats, setup, decisions)
    *_, last = islice(replay(record), len(decisions) + 1)
    assert last.is_over
    assert (last.words[: by.layout.SLOTS] == state.play.row[: by.layout.SLOTS]).all()
    winners = [seat for seat, worth in enumerate(state.returns()) if worth > 0]
    assert last.outcome is not None
    assert list(last.outcome.winners) == winners or not winners


@pytest.mark.parametrize(
    "name", ["parure_duel", "parure_duel_counterfeiters", "parure_splendor(players=3)"]
)
def test_a_resampled_state_looks_the_same_to_its_player(name: str) -> None:
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
    assert others > 3  # what the others know was indeed drawn anew


@pytest.mark.parametrize("name", ["parure_duel", "parure_splendor", "parure_splendor(players=3)"])
def test_what_was_told_holds_no_hidden_card(name: str) -> None:
    """A card drawn from a deck is named to its owner; the others hear its level."""
    for state in states(name, seed=1):
        if state.is_chance_node() or state.is_terminal():
            continue
        row = state.play
        for player in range(state.num_players()):
            numbers = row.rules.view_type.card_names
            hidden = {numbers[card] for card in row.hidden_from(player)}
            told = set(state.information_state_string(player).replace("\n", " ").split())
            assert not hidden & told
    assert any("??" in line for line in row.told[0] + row.told[1])


def test_a_look_into_a_deck_is_told_to_nobody_else() -> None:
    """What C17 shows, keeps and puts under."""
    seen = 0
    for seed in range(4):
        for state in states("parure_duel_counterfeiters", seed):
            if state.play.row is not None and len(state.play.told[0]) == 1:
                at = state.play.rules.layout
                state.play.row[at.SEATS + at.COUNTERFEITERS_HELD] |= 1 << 16  # C17
        own, other = state.play.told
        for mine, theirs in zip(own, other, strict=True):
            if mine.startswith("0 keep"):
                assert theirs.startswith("0 keep ??")
            if mine.startswith("0 deck"):
                seen += 1
                assert mine.count("J") == theirs.count("??") > 0
    assert seen


def test_information_states_remember_everything() -> None:
    before: dict[int, str] = {0: "", 1: ""}
    for state in states("parure_duel", seed=3):
        for player in range(2):
            told = state.information_state_string(player)
            assert told.startswith(before[player])
            before[player] = told


def test_observers_see_one_player_or_everyone() -> None:
    game = pyspiel.load_game("parure_duel")
    *_, state = states("parure_duel", seed=6, most=120)
    own = make_observation(game)
    own.set_from(state, 0)
    assert own.dict["board"].shape == (25, 8)
    assert own.dict["own_tokens"].tolist() == [
        state.play.view(0).players[0].tokens.get(letter, 0) for letter in "wugrkpvy"
    ]
    public = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
    )
    everyone = make_observation(game, public)
    everyone.set_from(state, 0)
    first = everyone.tensor.copy()
    assert everyone.string_from(state, 0) == everyone.string_from(state, 1)
    for card, hidden in zip(everyone.dict["own_reserve"], own.dict["own_reserve"], strict=True):
        assert card[15] or not card[16]  # what is shown is known to everyone
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
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choice(outcomes, p=odds))
        elif decisions < 12:  # then at random, for the sake of time
            state.apply_action(bot.step(state))
            decisions += 1
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    assert sum(state.returns()) == pytest.approx(0)


def test_so_does_mcts_that_does_not_look() -> None:
    """ISMCTS resamples what its player cannot know."""
    game = pyspiel.load_game("parure_duel")
    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = ismcts.ISMCTSBot(game, evaluator, 1.4, 4, random_state=rng)
    *_, state = (s for s in states("parure_duel", seed=6, most=80) if not s.is_chance_node())
    if state.is_chance_node():
        return
    assert bot.step(state) in state.legal_actions()


def test_illegal_actions_are_refused() -> None:
    *_, state = (s for s in states("parure_duel", seed=6, most=38))
    assert not state.is_chance_node()
    with pytest.raises(ValueError, match="not among the legal actions"):
        state.apply_action(state.play.rules.decision("pass"))
    with pytest.raises(ValueError, match="chance has nothing to say"):
        state.chance_outcomes()
    with pytest.raises(ValueError, match="2 to 4 players"):
        pyspiel.load_game("parure_splendor(players=7)")
