"""Many games side by side, a step further in one compiled call: what all environments stand on.

This is also the interface for self-play: decisions in, rows, masks and rewards out, in arrays that
stay where they are.

>>> games = Games("duel", 4, seed=7)
>>> rows, masks, rewards = games.step(games.random_decisions())
>>> masks.shape, games.seats.tolist()
((4, 389), [1, 1, 1, 1])
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parure.envs.kernels import (
    batch_step,
    duel_observation_layout,
    splendor_observation_layout,
)
from parure.envs.kernels import duel_batch as duel
from parure.envs.kernels import splendor_batch as splendor
from parure.envs.kernels.observation_layout import ObservationLayout
from parure.errors import IllegalDecision, NotationError
from parure.games.engine.arrays import Row
from parure.games.engine.jit import announce_compilation
from parure.games.playouts import generators
from parure.games.registry import rules
from parure.games.rules import CHANCE_SIZE, MAX_LEGAL, MENU_WORDS, Rules

Autoreset = Literal["off", "next step", "same step"]
Rewards = Literal["result", "margin"]

AUTORESETS: Final = {
    "off": batch_step.STAYS_OVER,
    "next step": batch_step.NEXT_STEP,
    "same step": batch_step.SAME_STEP,
}
REWARDS: Final = {"result": batch_step.RESULTS, "margin": batch_step.MARGINS}


def kernels_of(by: Rules) -> ModuleType:
    """The compiled observations and steps of a game."""
    return splendor if by.game == "splendor" else duel


def observation_layout(by: Rules) -> ObservationLayout:
    """The layout of the observations of a game.

    >>> observation_layout(rules("duel")).by_name["board"].shape
    (25, 8)
    """
    if by.game == "splendor":
        return splendor_observation_layout.layout_for(by.seats)
    return (
        duel_observation_layout.PLAIN_LAYOUT
        if by.game == "duel"
        else duel_observation_layout.LAYOUT
    )


def choice(what: str, value: Any, known: Mapping[str, int]) -> int:
    """The number of a word; NotationError if it is not one of those known."""
    if value not in known:
        words = ", ".join(map(repr, known))
        raise NotationError(f"{what} must be one of {words}, not {value!r}")
    return known[value]


class Games:
    """Many games of the same rules. Row i of every array belongs to game i.

    `masks` flags what is legal, `observations` is what the seat to move observes (or the learner,
    if one sits at a table), `seats` says who is to move, `rewards` has a column for each seat and
    is not zero only when a game has ended with the last step; `endings` tells how. None of these
    arrays is ever replaced: keep a copy of what the next step may not overwrite.

    `learner` is None for self-play, a seat, or "any" for one drawn for each game; the other seats
    then play at random.
    """

    def __init__(
        self,
        game: str,
        number: int,
        *,
        players: int | None = None,
        options: Mapping[str, bool] | None = None,
        seed: int = 0,
        autoreset: Autoreset = "next step",
        learner: int | Literal["any"] | None = None,
        rewards: Rewards = "result",
    ) -> None:
        self.rules = by = rules(game, players, options)
        if number < 1:
            raise NotationError(f"there must be at least 1 game, not {number}")
        self.settings = np.array(
            [
                choice("autoreset", autoreset, AUTORESETS),
                _learner(learner, by.seats),
                choice("rewards", rewards, REWARDS),
            ]
        )
        self.rows = np.repeat(by.blank()[np.newaxis], number, axis=0)
        self.masks = np.zeros((number, len(by.decision_texts)), np.int8)
        self.observations = np.zeros((number, observation_layout(by).size), np.uint8)
        self.final_observations = np.zeros_like(self.observations)  # of games that began anew
        self.seats = np.zeros(number, np.int64)
        self.learners = np.full(number, max(self.settings[1], batch_step.NO_SEAT))
        self.rewards = np.zeros((number, by.seats), np.float64)
        self.endings = np.zeros(number, np.int64)
        self._menu = np.empty(MENU_WORDS, np.int64)
        self._ids = np.empty(MAX_LEGAL, np.int64)
        self._chance = np.zeros(CHANCE_SIZE, np.uint8)
        self._bind()
        title = f"the environments of {self._kernels.__name__.split('.')[-1].capitalize()}"
        announce_compilation(self._kernels, "step_many", title)
        self.reset(seed)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def is_over(self) -> NDArray[np.bool_]:
        """Which games are over."""
        over: NDArray[np.bool_] = self.rows[:, self.rules.layout.PHASE] == self.rules.layout.OVER
        return over

    def reset(self, seed: int | None = None, which: NDArray[np.bool_] | None = None) -> None:
        """Deal all games anew, or those that `which` flags; a seed makes chance repeatable."""
        if seed is not None:
            self.rngs = generators(seed, 0, len(self))
        chosen = np.ones(len(self), np.bool_) if which is None else which
        where = [*np.flatnonzero(chosen)]
        part = self._part(where)
        part.rows[:, self.rules.layout.PHASE] = self.rules.layout.OVER
        part.settings[0] = batch_step.NEXT_STEP
        part.step_unchecked(np.zeros(len(where), np.int64))
        for name in _ARRAYS:
            getattr(self, name)[where] = getattr(part, name)

    def set_state(self, game: int, row: Row, generator: int) -> None:
        """Put a position, not over, in the place of a game; chance comes from the generator."""
        self.rows[game] = row
        self.rngs[game] = generator
        self.seats[game] = row[self.rules.layout.SEAT]
        self.masks[game] = 0
        self.masks[game, self.rules.legal(row)] = 1
        self.rewards[game] = 0
        self.endings[game] = batch_step.RUNNING
        learner = self.learners[game]
        viewer = self.seats[game : game + 1] if learner < 0 else self.learners[game : game + 1]
        self._kernels.observe_many(
            self.rows[game : game + 1],
            self.rules.cards,
            viewer,
            self._words[game : game + 1],
        )

    def rewards_if_ended(self, game: int) -> NDArray[np.float64]:
        """What a game would bring each seat if it ended here with no winner."""
        rewards = np.zeros(self.rules.seats, np.float64)
        self._kernels.reward(self.rows[game], int(self.settings[2]), rewards)
        return rewards

    def _part(self, where: list[Any]) -> Games:
        """Some of the games, copied."""
        part = object.__new__(Games)
        part.__dict__.update(self.__dict__)
        part.settings = self.settings.copy()
        for name in _ARRAYS:
            setattr(part, name, getattr(self, name)[where])
        part._bind()
        return part

    def __getstate__(self) -> dict[str, Any]:
        by = self.rules
        state = {k: v for k, v in self.__dict__.items() if k not in _DERIVED}
        return state | {"game": (by.game, by.seats, dict(by.options))}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.rules = rules(*self.__dict__.pop("game"))
        self._bind()

    def _bind(self) -> None:
        """Find the kernels, and give them the observations as words."""
        self.observation_layout = observation_layout(self.rules)
        self._kernels = kernels_of(self.rules)
        self._words = self.observations.view(np.int64)
        self._last_words = self.final_observations.view(np.int64)

    def select(self, where: ArrayLike) -> Games:
        """A copy of the games at these places, in this order, each as often as it is named.

        A search looks ahead with it: the copies go their own ways, with the same chance to come
        unless `rngs` is given other numbers.
        """
        return self._part(np.asarray(where).tolist())

    def step(self, decisions: ArrayLike) -> tuple[Row, NDArray[np.int8], NDArray[np.float64]]:
        """One decision in each game: gives the rows, masks and rewards.

        The decision of a game that is over is not read. IllegalDecision names the first game whose
        decision is not legal, and nothing has been done then.
        """
        taken = self.check_decisions(decisions)
        self.step_unchecked(taken)
        return self.rows, self.masks, self.rewards

    def check_decisions(self, decisions: ArrayLike) -> Row:
        """Decisions as the kernels take them, all of them legal."""
        taken = np.asarray(decisions)
        if taken.shape != (len(self),):
            raise NotationError(
                f"there must be a decision for each of {len(self)} games: "
                f"an array of shape ({len(self)},), not {taken.shape}"
            )
        if not np.issubdtype(taken.dtype, np.integer):
            raise NotationError(f"decisions are whole numbers, not {taken.dtype}: cast them first")
        taken = np.ascontiguousarray(taken, np.int64)
        wrong = batch_step.first_illegal(taken, self.masks, self.is_over)
        if wrong >= 0:
            raise self.illegal_decision_error(wrong, int(taken[wrong]))
        return taken

    def illegal_decision_error(self, game: int, decision: int) -> IllegalDecision | NotationError:
        """The error for a decision that is not legal, as its seat may read it."""
        texts = self.rules.decision_texts
        if not 0 <= decision < len(texts):
            return NotationError(
                f"game {game}: {decision} is no decision: they count from 0 to {len(texts) - 1}"
            )
        words = self.rows[game].copy()
        viewer = int(words[self.rules.layout.SEAT])
        self.rules.kernel.hide(words, viewer)
        view = self.rules.view_type(self.rules, words, viewer)
        reason = self.rules.reason_against(view, decision)
        return IllegalDecision(
            texts[decision],
            f"{reason} (game {game}, decision {decision}; choose where the mask is 1)",
            str(view),
        )

    def step_unchecked(self, decisions: Row) -> None:
        """One decision in each game, unchecked."""
        games = batch_step.Batch(
            self.rows,
            self.rngs,
            self.learners,
            self.seats,
            self.masks,
            self._words,
            self.rewards,
            self.endings,
            self._last_words,
        )
        scratch = self._menu, self._ids, self._chance
        self._kernels.step_many(games, self.rules.cards, decisions, self.settings, *scratch)

    def observe(self, viewers: ArrayLike) -> NDArray[np.uint8]:
        """What a seat of each game observes, in a new array."""
        seen = np.zeros_like(self.observations)
        seats = np.broadcast_to(np.asarray(viewers, np.int64), len(self)).copy()
        self._kernels.observe_many(self.rows, self.rules.cards, seats, seen.view(np.int64))
        return seen

    def random_decisions(self) -> Row:
        """A legal decision for each game, each equally likely; 0 where it is over."""
        decisions = np.zeros(len(self), np.int64)
        self.rules.kernel.choose_many(self.rows, self.rules.cards, self.rngs, self._menu, decisions)
        return decisions


_DERIVED = ("rules", "observation_layout", "_kernels", "_words", "_last_words")
_ARRAYS = (
    "rows",
    "rngs",
    "masks",
    "observations",
    "final_observations",
    "seats",
    "learners",
    "rewards",
    "endings",
)


def _learner(learner: int | str | None, seats: int) -> int:
    if learner is None:
        return batch_step.NO_SEAT
    if learner == "any":
        return batch_step.ANY_SEAT
    if not isinstance(learner, int) or not 0 <= learner < seats:
        raise NotationError(
            f"the learner's seat is a number from 0 to {seats - 1}, 'any' or None, not {learner!r}"
        )
    return learner
