"""Eight levels of play, from a friendly beginner to the strongest.

The lower levels judge as `greedy` does but overlook things, as people do: each decision goes
unnoticed with a certain chance, and the best of the others is taken. The higher ones search longer
and longer. Budgets are iterations, so a level is equally strong everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from parure.bots.bot import Answer, Bot, Budget
from parure.bots.greedy import GreedyBot
from parure.bots.mcts import MctsBot
from parure.errors import NotationError

if TYPE_CHECKING:
    from parure.games.position import View


@dataclass(frozen=True, slots=True)
class Level:
    """How a level plays, and the longest it may take for a decision on an ordinary machine."""

    overlooks: float  # the share of decisions that it does not notice
    iterations: int  # 0: it does not search but looks one turn ahead
    seconds: float


LEVELS = (
    Level(overlooks=0.75, iterations=0, seconds=0.3),
    Level(overlooks=0.55, iterations=0, seconds=0.3),
    Level(overlooks=0.3, iterations=0, seconds=0.3),
    Level(overlooks=0.0, iterations=0, seconds=0.3),
    Level(overlooks=0.0, iterations=60, seconds=0.3),
    Level(overlooks=0.0, iterations=200, seconds=0.5),
    Level(overlooks=0.0, iterations=800, seconds=1.0),
    Level(overlooks=0.0, iterations=4000, seconds=2.0),
)


def level_bot(number: str) -> LevelBot:
    """The bot of a level, 1 to 8; NotationError if there is none."""
    if number not in map(str, range(1, len(LEVELS) + 1)):
        raise NotationError(f"there is no level {number[:40]!r}: they go from 1 to {len(LEVELS)}")
    return LevelBot(LEVELS[int(number) - 1])


class LevelBot(Bot):
    """Plays as a level says."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self._thinker: Bot = (
            MctsBot(Budget(iterations=level.iterations)) if level.iterations else GreedyBot()
        )

    def decide(self, view: View, rng: Random, budget: Budget | None = None) -> Answer:
        """The best decision that is not overlooked, whatever budget is given."""
        self._thinker.watch = self.watch
        answer = self._thinker.decide(view, rng)
        noticed = [
            candidate for candidate in answer.candidates if rng.random() >= self.level.overlooks
        ]
        if not noticed or noticed[0].decision == answer.decision:
            return answer
        return Answer(noticed[0].decision, candidates=answer.candidates)
