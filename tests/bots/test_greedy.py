"""How greedy explains its decisions."""

from __future__ import annotations

from random import Random

from tests.bots.games import each_kind, midgame

import parure
from parure.bots import bot
from parure.bots.evaluator import feature_names
from parure.bots.greedy import UNEXPLAINING_FEATURES, gains, lead
from parure.games.engine.rng import rng_from


def test_an_answer_is_explained_by_features() -> None:
    state = midgame("duel", 2, 3)
    answer = bot("greedy").decide(state.view(state.seat), Random(1))
    assert answer.because.endswith(".")
    names = [*feature_names(state.rules), "Nothing gains anything"]
    assert any(name in answer.because for name in names)


@each_kind
def test_only_features_that_a_decision_changes_are_named(game: str, seats: int) -> None:
    named = 0
    for seed in range(20):
        state = midgame(game, seats, seed)
        view, decision = state.view(state.seat), state.legal_decisions[-1]
        determinized = state.rules.state_type.determinized(view, rng_from(Random(seed)))
        before, _ = lead(determinized, view.seat)
        determinized.play(decision)
        after, _ = lead(determinized, view.seat)
        changed = dict(zip(feature_names(state.rules), after != before, strict=True))
        names = gains(view, decision, Random(seed))
        assert all(changed[name] for name in names)
        assert not set(names) & set(UNEXPLAINING_FEATURES)
        named += len(names)
    assert named


def test_the_features_that_explain_nothing_exist() -> None:
    names = {*feature_names(parure.rules("duel")), *feature_names(parure.rules("splendor", 4))}
    assert set(UNEXPLAINING_FEATURES) <= names
