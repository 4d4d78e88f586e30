"""Bot.decide: which views it accepts, and what a bot may return."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import parure
from parure.bots import Answer, Bot, Budget, bot
from parure.errors import InvalidPosition, NotationError
from parure.games.view import View


class LastBot(Bot):
    """Takes the last legal decision, and keeps the arguments it was called with."""

    def choose(self, view: View, rng: Random, budget: Budget | None) -> str:
        self.rng, self.budget = rng, budget
        return list(view.legal_decisions)[-1]


@pytest.mark.parametrize("spec", ["random", "greedy", "mcts:5", "level:1"])
def test_a_state_is_refused(spec: str) -> None:
    """It holds the hidden cards, which a bot must not see."""
    state: Any = parure.new("duel", seed=7)
    with pytest.raises(TypeError, match=r"DuelState, which holds hidden cards.*state\.view"):
        bot(spec).decide(state)


def test_anything_but_a_view_is_refused() -> None:
    text: Any = "take wug"
    with pytest.raises(TypeError, match="decides from a View, not from str"):
        bot("random").decide(text)


def test_the_viewer_must_be_the_seat_to_move() -> None:
    state = parure.new("splendor", players=3, seed=7)
    with pytest.raises(InvalidPosition, match="the view of seat 2, but seat 0 is to move"):
        bot("random").decide(state.view(2))
    with pytest.raises(ValueError, match="the view of a spectator"):
        bot("random").decide(state.view(None))


def test_there_is_nothing_to_decide_after_the_end() -> None:
    state = parure.new("splendor", seed=7)
    state.end("resigned", [0])
    with pytest.raises(InvalidPosition, match="the game is over"):
        bot("random").decide(state.view(state.seat))


def test_a_bot_may_return_the_text_of_a_decision() -> None:
    view = parure.new("splendor", seed=7).view(0)
    assert LastBot().decide(view) == Answer(view.legal_decisions[-1])


def test_other_return_values_are_refused() -> None:
    class Wrong(LastBot):
        def choose(self, *_: object) -> Any:
            return 7

    with pytest.raises(TypeError, match=r"Wrong\.choose returned 7"):
        Wrong().decide(parure.new("splendor", seed=7).view(0))


def test_generator_and_budget_are_passed_on() -> None:
    view, player, rng = parure.new("splendor", seed=7).view(0), LastBot(), Random(1)
    player.decide(view, rng, Budget(iterations=3))
    assert player.rng is rng
    assert player.budget == Budget(iterations=3)


def test_without_a_generator_the_system_seeds_one() -> None:
    view, player = parure.new("splendor", seed=7).view(0), LastBot()
    drawn = set()
    for _ in range(2):
        player.decide(view)
        drawn.add(player.rng.getrandbits(64))
    assert len(drawn) == 2


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("0.2s", Budget(seconds=0.2)),
        ("200ms", Budget(seconds=0.2)),
        ("2000", Budget(iterations=2000)),
    ],
)
def test_budgets_are_parsed(text: str, budget: Budget) -> None:
    assert Budget.parse(text) == budget
    assert Budget.parse(str(budget)) == budget


@pytest.mark.parametrize("text", ["", "soon", "-1s", "1m", "0", "0s", "1e9", "٣"])
def test_wrong_budgets_are_refused(text: str) -> None:
    with pytest.raises(NotationError, match="budget"):
        Budget.parse(text)
