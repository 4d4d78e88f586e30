"""Actions by slot: every legal decision is one action, and the same cards can be reached."""

from __future__ import annotations

import numpy as np
import pytest

import parure
from parure.envs.single_seat import SingleSeatEnv
from parure.envs.slot_actions import SlotActions
from parure.errors import NotationError

GAMES = [("splendor", 3, 83), ("duel", 2, 284), ("duel+counterfeiters", 2, 349)]


@pytest.mark.parametrize(("game", "players", "count"), GAMES)
def test_legal_decisions_and_actions_correspond(game: str, players: int, count: int) -> None:
    state = parure.new(game, players=players, seed=5)
    actions = SlotActions(state.rules)
    assert len(actions.texts) == len(set(actions.texts)) == count
    rng = np.random.default_rng(1)
    while not state.is_over:
        ids = state.legal_decisions.ids
        masks = np.zeros((1, len(state.rules.decision_texts)), np.int8)
        masks[0, ids] = 1
        actions.update(state.words[np.newaxis], masks)
        legal = np.flatnonzero(actions.masks[0])
        assert sorted(actions.decisions[0, legal].tolist()) == ids
        decision = int(rng.choice(ids))
        assert actions.decisions[0, actions.action(state.words, decision)] == decision
        state.play(decision)


def test_a_slot_names_the_card_that_lies_there() -> None:
    state = parure.new("duel", seed=7)
    actions = SlotActions(state.rules)
    (decisions,) = actions.decisions_in(state.words[np.newaxis])
    texts = state.rules.decision_texts
    cards = [card for row in state.pyramid for card in row]
    for n, card in enumerate(cards):
        assert texts[decisions[actions.texts.index(f"buy slot {n}")]] == f"buy {card}"
        assert texts[decisions[actions.texts.index(f"reserve slot {n}")]] == f"reserve {card}"
    assert decisions[actions.texts.index("buy reserved 0")] == -1
    with pytest.raises(NotationError, match="no slot action"):
        actions.action(state.words, state.rules.decision(f"buy {state.deck(1)[0]}"))


def test_a_view_gives_the_same_actions_as_the_state() -> None:
    state = parure.new("duel+counterfeiters", seed=3)
    actions = SlotActions(state.rules)
    rng = np.random.default_rng(2)
    while not state.is_over:
        view = state.view(state.seat)
        rows = np.stack([state.words, view.words])
        first, second = actions.decisions_in(rows)
        assert np.array_equal(first, second)
        state.play(int(rng.choice(state.legal_decisions.ids)))


def test_an_environment_plays_by_slot() -> None:
    env = SingleSeatEnv("splendor", actions="slot", seat=0, illegal="raise")
    _, info = env.reset(seed=1)
    assert env.action_encoder.count == len(info["action_mask"]) == 83
    assert env.action_encoder.slots is not None
    buy = env.action_encoder.slots.texts.index("buy reserved 1")
    with pytest.raises(parure.IllegalDecision, match="no card in this place"):
        env.step(buy)
    is_over = False
    while not is_over:
        action = env.action_space.sample(info["action_mask"])
        _, _, is_terminated, is_truncated, info = env.step(action)
        is_over = is_terminated or is_truncated
