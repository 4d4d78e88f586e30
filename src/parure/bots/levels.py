"""Eight levels of play, from a friendly beginner to the strongest.

The lower levels judge as `greedy` does but overlook things, as people do: each decision goes
unnoticed with a certain chance, and the best of the others is taken (of all, if none is noticed).
The higher ones search longer and longer. Budgets are iterations, so a level is equally strong
everywhere.

Each game has its own numbers, meant to put neighbours about 100 Elo points apart; what was
measured stands in docs/strength.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from parure.bots.base import Answer, Bot, Budget
from parure.bots.greedy import GreedyBot
from parure.bots.mcts import MctsBot
from parure.errors import NotationError

if TYPE_CHECKING:
    from parure.games.view import View


@dataclass(frozen=True, slots=True)
class Level:
    """How a level plays in a game."""

    overlooks: float = 0.0  # the share of decisions that it does not notice
    iterations: int = 0  # 0: it does not search but looks one turn ahead

    def thinker(self) -> Bot:
        """The bot that thinks for this level."""
        return MctsBot(Budget(iterations=self.iterations)) if self.iterations else GreedyBot()


def _levels(overlooks: tuple[float, ...], iterations: tuple[int, ...]) -> tuple[Level, ...]:
    """Levels that look a turn ahead, then those that search."""
    return *(Level(overlooks=share) for share in overlooks), *(
        Level(iterations=number) for number in iterations
    )


LEVELS = {
    "splendor-2": _levels((0.31, 0.18, 0.0), (50, 120, 290, 950, 4000)),
    "splendor-3": _levels((0.5, 0.42, 0.32, 0.18, 0.0), (60, 500, 5000)),
    "splendor-4": _levels((0.66, 0.6, 0.5, 0.38, 0.22, 0.0), (200, 4000)),
    "duel": _levels((0.15, 0.04), (15, 50, 140, 400, 1200, 6000)),
    "duel+counterfeiters": _levels((0.28, 0.14, 0.0), (30, 75, 220, 900, 5000)),
}
HIGHEST = 8
SECONDS = (0.3, 0.3, 0.3, 0.3, 0.3, 0.5, 1.0, 2.0)  # promised for a decision of each level


def level_bot(number: str) -> LevelBot:
    """The bot of a level, 1 to 8; NotationError if there is none."""
    if number not in map(str, range(1, HIGHEST + 1)):
        raise NotationError(f"there is no level {number[:40]!r}: they go from 1 to {HIGHEST}")
    return LevelBot(int(number))


class LevelBot(Bot):
    """Plays as a level says."""

    is_compiled = True

    def __init__(self, number: int) -> None:
        self.number = number
        self._level: Level | None = None  # until it sees which game is played

    def choose(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        """The best decision that is not overlooked, whatever budget is given."""
        if self._level is None:
            self._level = LEVELS[view.rules.label][self.number - 1]
            self._thinker = self._level.thinker()
        self._thinker.on_progress = self.on_progress
        answer = self._thinker.decide(view, rng)
        noticed = [
            candidate for candidate in answer.candidates if rng.random() >= self._level.overlooks
        ]
        if not noticed or noticed[0].decision == answer.decision:
            return answer
        return Answer(noticed[0].decision, candidates=answer.candidates)
