"""Eight levels of play, from a friendly beginner to the strongest.

The lower levels evaluate like `greedy` but overlook decisions, as people do: each goes unnoticed
with a certain probability, and the best of the others is played (the best of all if none is
noticed). The higher levels search, the highest three with the network of the game, each with more
iterations than the one below. Budgets are iterations, so a level is equally strong on every
machine.

Each game has its own numbers, chosen to put neighbors about 100 Elo points apart;
docs/research/strength.md has the measurements.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from parure.bots.base import Answer, Bot, Budget
from parure.bots.greedy import GreedyBot
from parure.bots.mcts import MctsBot, NetworkSource
from parure.errors import NotationError

if TYPE_CHECKING:
    from parure.games.rules import Rules
    from parure.games.view import View


@dataclass(frozen=True, slots=True)
class Level:
    """How a level plays a game."""

    overlooked_share: float = 0.0  # of decisions
    iterations: int = 0  # of the search; 0: looks one turn ahead instead
    has_network: bool = False  # whether the search uses the network of the game

    def new_bot(self) -> Bot:
        """Return the bot that evaluates the decisions."""
        if not self.iterations:
            return GreedyBot()
        network: NetworkSource = "trained" if self.has_network else None
        return MctsBot(Budget(iterations=self.iterations), network=network)


def _levels(
    overlooked_shares: tuple[float, ...],
    iterations: tuple[int, ...],
    network_iterations: tuple[int, ...],
) -> tuple[Level, ...]:
    """Return levels that look one turn ahead, that search, and that search with the network."""
    return (
        *(Level(overlooked_share=share) for share in overlooked_shares),
        *(Level(iterations=number) for number in iterations),
        *(Level(iterations=number, has_network=True) for number in network_iterations),
    )


LEVELS = {
    "splendor-2": _levels((0.31, 0.18, 0.0), (50, 120), (25, 65, 150)),
    "splendor-3": _levels((0.5, 0.42, 0.32, 0.18, 0.0), (), (6, 40, 190)),
    "splendor-4": _levels((0.63, 0.55, 0.455, 0.335, 0.15), (), (4, 40, 230)),
    "duel": _levels((0.15, 0.04), (15, 50, 140), (12, 32, 75)),
    "duel+counterfeiters": _levels((0.28, 0.14, 0.0), (30, 75), (27, 65, 160)),
}
HIGHEST_LEVEL = 8


def level_bot(number: str) -> LevelBot:
    """Return the bot of a level, `1` to `8`; NotationError if there is no such level."""
    if number not in map(str, range(1, HIGHEST_LEVEL + 1)):
        raise NotationError(f"there is no level {number[:40]!r}: they go from 1 to {HIGHEST_LEVEL}")
    return LevelBot(int(number))


class LevelBot(Bot):
    """Plays at a level from 1 to 8, which sets its own budget."""

    is_compiled = True

    def __init__(self, number: int) -> None:
        self.number = number
        self._rules: Rules | None = None  # until a view says which game is played
        self._level = Level()
        self._bot = Bot()

    def choose(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        """Return the best decision that is not overlooked."""
        if self._rules is not view.rules:
            self._rules = view.rules
            self._level = LEVELS[view.rules.label][self.number - 1]
            self._bot = self._level.new_bot()
        self._bot.on_progress, self._bot.memory_limit = self.on_progress, self.memory_limit
        answer = self._bot.decide(view, rng)
        noticed = [
            candidate
            for candidate in answer.candidates
            if rng.random() >= self._level.overlooked_share
        ]
        if not noticed or noticed[0].decision == answer.decision:
            return answer
        return Answer(noticed[0].decision, candidates=answer.candidates)

    @property
    def memory(self) -> int:
        """The bytes that the search keeps."""
        return self._bot.memory

    def release_memory(self) -> None:
        """Forget what the search keeps."""
        self._bot.release_memory()
