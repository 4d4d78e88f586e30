"""A batch of games that all advance in one compiled call: what every environment is built on.

It is also the interface for self-play: decisions in; rows, masks and rewards out, in arrays that
are never replaced.

>>> games = Games("duel", 4, seed=7)
>>> rows, masks, rewards = games.step(games.random_decisions())
>>> masks.shape, games.seats.tolist()
((4, 389), [1, 1, 1, 1])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parure.envs.adapter import adapter_for
from parure.envs.checks import (
    INTEGER_KINDS,
    check_choice,
    check_flags,
    check_integer,
    check_integers,
    check_seats,
    describe,
    rules_name,
)
from parure.envs.kernels import batch_step
from parure.envs.kernels.batch_step import BatchArrays, StepOptions, Workspace
from parure.envs.observations import REWARD_KINDS, RewardKind
from parure.errors import IllegalDecision, InvalidPosition, NotationError
from parure.games.engine.arrays import Rng, Row
from parure.games.engine.jit import compiling
from parure.games.playouts import generators
from parure.games.registry import rules
from parure.games.rules import CHANCE_SIZE, MAX_LEGAL, MENU_WORDS, Rules
from parure.games.state import State
from parure.games.view import View

Autoreset = Literal["off", "next step", "same step"]
Hidden = Literal["redrawn", "kept"]

AUTORESETS: Final = {
    "off": batch_step.AUTORESET_OFF,
    "next step": batch_step.AUTORESET_NEXT_STEP,
    "same step": batch_step.AUTORESET_SAME_STEP,
}


GUESSES = 1  # tells the generators of guesses from others with the same seed


class Guesses:
    """The generator for what is redrawn, which is none of those of the games.

    It is made when it is first used, because that takes longer than dealing a game.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed

    @cached_property
    def rng(self) -> np.random.Generator:
        """The generator."""
        return np.random.default_rng([self._seed, GUESSES])


class Games:
    """Many games of the same rules. Row i of every array belongs to game i.

    The arrays are never replaced, and every step overwrites them: copy what you want to keep.

    Args:
        game: The name of the game.
        num_games: The number of games.
        players: The number of seats; None for the smallest.
        options: The options of the game, such as `{"anti-blocking": True}`.
        seed: Makes the games reproducible.
        autoreset: When a game that is over starts again: with the `"next step"`, whose decision
            for it is ignored; within the `"same step"`; or `"off"`, never.
        learner: None for self-play; otherwise the seat that the caller plays, or `"any"` for one
            drawn for each game. The other seats then play at random.
        rewards: `"result"` for victory and defeat, `"margin"` for the difference in points.

    Attributes:
        rules: The rules of all games.
        observation_layout: What the bytes of an observation mean.
        rows: The words of each state.
        rngs: The random generators; write other numbers to change what chance brings.
        masks: 1 for each legal decision; all 0 where the game is over.
        observations: What the learner observes; without a learner, what the seat to move observes.
        final_observations: The last observation of the game before, where it ended and started
            again in the same step.
        seats: The seat to move.
        learners: The seat of the learner; -1 if there is none.
        rewards: A column for each seat: what the game was worth to it, where the game ended with
            the last step; otherwise 0.
        endings: RUNNING, TERMINATED or TRUNCATED (of `kernels.batch_step`), after the last step.
    """

    def __init__(
        self,
        game: str,
        num_games: int,
        *,
        players: int | None = None,
        options: Mapping[str, bool] | None = None,
        seed: int = 0,
        autoreset: Autoreset = "next step",
        learner: int | Literal["any"] | None = None,
        rewards: RewardKind = "result",
    ) -> None:
        found = rules(game, players, options)
        count = check_integer("the number of games", num_games, 1)
        step_options = StepOptions(
            autoreset=check_choice("autoreset", autoreset, AUTORESETS),
            learner=_learner_number(learner, found.seats),
            reward=check_choice("rewards", rewards, REWARD_KINDS),
        )
        self._guesses = Guesses(0)
        words = adapter_for(found).layout_for(found).size // 8
        batch = BatchArrays(
            rows=np.repeat(found.blank()[np.newaxis], count, axis=0),
            rngs=np.zeros((count, 1), np.uint64),
            learners=np.full(count, max(step_options.learner, batch_step.NO_LEARNER)),
            seats=np.zeros(count, np.int64),
            masks=np.zeros((count, len(found.decision_texts)), np.int8),
            observations=np.zeros((count, words), np.int64),
            rewards=np.zeros((count, found.seats), np.float64),
            endings=np.zeros(count, np.int64),
            final_observations=np.zeros((count, words), np.int64),
        )
        self._set_up(found, batch, step_options)
        with compiling(f"the environments of {found.family.capitalize()}"):
            self.reset(seed)

    def _set_up(self, found: Rules, batch: BatchArrays, options: StepOptions) -> None:
        self._batch = batch
        self._options = options
        self._adapter = adapter_for(found)
        self.rules = found
        self.observation_layout = self._adapter.layout_for(found)
        self.rows: Row = batch.rows
        self.rngs: Rng = batch.rngs
        self.masks: NDArray[np.int8] = batch.masks
        self.observations: NDArray[np.uint8] = batch.observations.view(np.uint8)
        self.final_observations: NDArray[np.uint8] = batch.final_observations.view(np.uint8)
        self.seats: Row = batch.seats
        self.learners: Row = batch.learners
        self.rewards: NDArray[np.float64] = batch.rewards
        self.endings: Row = batch.endings
        self._workspace = Workspace(
            menu=np.empty(MENU_WORDS, np.int64),
            ids=np.empty(MAX_LEGAL, np.int64),
            chance=np.zeros(CHANCE_SIZE, np.uint8),
        )

    def __len__(self) -> int:
        return len(self._batch.rows)

    def __getstate__(self) -> dict[str, Any]:
        found = self.rules
        return {
            "rules": (found.game, found.seats, dict(found.options)),
            "batch": tuple(self._batch),
            "options": tuple(self._options),
            "guesses": self._guesses,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        batch, options = BatchArrays(*state["batch"]), StepOptions(*state["options"])
        self._guesses = state["guesses"]
        self._set_up(rules(*state["rules"]), batch, options)

    @property
    def is_over(self) -> NDArray[np.bool_]:
        """Which games are over, in a new array."""
        layout = self.rules.layout
        over: NDArray[np.bool_] = self.rows[:, layout.PHASE] == layout.OVER
        return over

    @property
    def has_learner(self) -> bool:
        """Whether the caller plays one seat of each game only."""
        return self._options.learner != batch_step.NO_LEARNER

    # --- playing ----------------------------------------------------------------------------------

    def step(self, decisions: ArrayLike) -> tuple[Row, NDArray[np.int8], NDArray[np.float64]]:
        """Take one decision in each game and return `rows`, `masks` and `rewards`.

        The decision for a game that is over is ignored.

        Raises:
            IllegalDecision: Names the first game whose decision is not legal. No game has changed.
            NotationError: There is not exactly one whole number for each game, or one is too large.
        """
        given = np.asarray(decisions)
        if given.shape != (len(self),):
            raise NotationError(
                f"there must be a decision for each of {len(self)} games: "
                f"an array of shape ({len(self)},), not {given.shape}"
            )
        if given.dtype.kind not in INTEGER_KINDS:
            raise NotationError(f"decisions are whole numbers, not {given.dtype}: cast them first")
        checked = np.ascontiguousarray(given, np.int64)
        layout = self.rules.layout
        illegal = batch_step.first_illegal(
            checked, self.masks, self.rows, layout.PHASE, layout.OVER
        )
        if illegal >= 0:
            raise self.illegal_decision_error(illegal, int(given[illegal]))
        self._step(checked)
        return self.rows, self.masks, self.rewards

    def step_single(self, decision: int) -> None:
        """Take a decision in a batch of one game: like `step`, with less overhead."""
        masks = self.masks
        if len(masks) != 1:
            raise NotationError(f"step_single is for a batch of one game, not of {len(masks)}")
        if not isinstance(decision, int):
            raise TypeError(f"a decision is a whole number, not {describe(decision)}")
        if not 0 <= decision < masks.shape[1] or not masks[0, decision]:
            raise self.illegal_decision_error(0, decision)
        self._step(np.array([decision]))

    def step_some(self, indices: Row, decisions: Row) -> None:
        """Take a decision in some games only. Whether the decisions are legal is not checked.

        Args:
            indices: The numbers of different games that are not over.
            decisions: A decision for each.
        """
        some = self._arrays_of(indices)
        self._adapter.step_many(some, self.rules.cards, decisions, *self._options, *self._workspace)
        for array, new in zip(self._batch, some, strict=True):
            array[indices] = new

    def step_randomly(self) -> None:
        """Take a random legal decision in each game."""
        self._step(self.random_decisions())

    def _step(self, decisions: Row) -> None:
        self._adapter.step_many(
            self._batch, self.rules.cards, decisions, *self._options, *self._workspace
        )

    def random_decisions(self) -> Row:
        """Return a legal decision for each game, each equally likely; 0 where it is over."""
        decisions = np.zeros(len(self), np.int64)
        self.rules.kernel.choose_many(
            self.rows, self.rules.cards, self.rngs, self._workspace.menu, decisions
        )
        return decisions

    def illegal_decision_error(self, index: int, decision: int) -> IllegalDecision | NotationError:
        """Return the error for an illegal decision of a game, with what its seat to move sees."""
        texts = self.rules.decision_texts
        if not 0 <= decision < len(texts):
            return NotationError(
                f"game {index}: {decision} is no decision: they count from 0 to {len(texts) - 1}"
            )
        seat = int(self.rows[self._check_index(index), self.rules.layout.SEAT])
        view = self.view(index, seat)
        reason = self.rules.reason_against(view, decision)
        return IllegalDecision(
            texts[decision],
            f"{reason} (game {index}, decision {decision}; choose where the mask is 1)",
            str(view),
        )

    # --- looking ----------------------------------------------------------------------------------

    def observe(self, seats: ArrayLike) -> NDArray[np.uint8]:
        """Return what a seat of each game observes, in a new array.

        Args:
            seats: One seat for all games, or a seat for each.
        """
        viewers = check_seats(seats, len(self), self.rules.seats)
        observations = np.zeros_like(self.observations)
        self._adapter.observe_many(
            self.rows, self.rules.cards, viewers, observations.view(np.int64)
        )
        return observations

    def view(self, index: int, seat: int | None) -> View:
        """Return what a seat, or a spectator (None), may know of a game."""
        game = self._check_index(index)
        if seat is not None:
            seat = check_integer("seat", seat, 0, self.rules.seats - 1)
        words = self.rows[game].copy()
        self.rules.kernel.hide(words, self.rules.layout.EVERYONE if seat is None else seat)
        return self.rules.view_type(self.rules, words, seat)

    def rewards_if_ended(self, index: int) -> NDArray[np.float64]:
        """Return what a game would be worth to each seat if it ended now without a winner."""
        rewards = np.zeros(self.rules.seats, np.float64)
        self._adapter.write_rewards(
            self.rows[self._check_index(index)], self._options.reward, rewards
        )
        return rewards

    # --- starting and copying games ---------------------------------------------------------------

    def seed(self, seeds: Sequence[int | None]) -> None:
        """Set the generator of each game; None leaves one as it is.

        A game depends on its own seed only: call `reset` afterwards to deal.

        Raises:
            NotationError: There is not exactly one seed for each game, or one is negative.
        """
        if len(seeds) != len(self):
            raise NotationError(f"{len(seeds)} seeds for {len(self)} games: pass one for each")
        for index, seed in enumerate(seeds):
            if seed is not None:
                self.rngs[index] = generators(check_integer("a seed", seed, 0), 0, 1)[0]

    def reset(self, seed: int | None = None, which: ArrayLike | None = None) -> None:
        """Deal new games.

        Args:
            seed: Makes all that follows reproducible; None continues with the generators as they
                are.
            which: Truth values that select the games to deal again; None for all.
        """
        if which is None:
            chosen = np.ones(len(self), np.bool_)
        else:
            chosen = check_flags("which", which, len(self))
        if seed is not None:
            self.rngs[:] = generators(seed, 0, len(self))
            self._guesses = Guesses(seed)
        indices = np.flatnonzero(chosen)
        dealt = self._copies(indices, self._options._replace(autoreset=AUTORESETS["next step"]))
        dealt.rows[:, self.rules.layout.PHASE] = self.rules.layout.OVER
        dealt._step(np.zeros(len(indices), np.int64))
        for array, new in zip(self._batch, dealt._batch, strict=True):
            array[indices] = new

    def set_state(self, index: int, state: State, seed: int) -> None:
        """Replace a game by a copy of a state that is not over.

        Args:
            index: The number of the game.
            state: A state of the same rules.
            seed: The generator of the game from now on.
        """
        game = self._check_index(index)
        if not isinstance(state, State):
            raise TypeError(f"a game is replaced by a State, not {describe(state)}")
        if rules_name(state.rules) != rules_name(self.rules):
            raise NotationError(
                f"a state of {rules_name(state.rules)} cannot replace a game of "
                f"{rules_name(self.rules)}"
            )
        if state.is_over:
            raise InvalidPosition("the game of this state is over")
        number = check_integer("seed", seed, 0)
        batch, one = self._batch, slice(game, game + 1)
        batch.rows[game] = state.words
        batch.rngs[game] = number % (1 << 64)
        batch.seats[game] = state.seat
        batch.masks[game] = 0
        batch.masks[game, self.rules.legal(state.words)] = 1
        batch.rewards[game] = 0
        batch.endings[game] = batch_step.RUNNING
        viewers = batch.seats if batch.learners[game] < 0 else batch.learners
        self._adapter.observe_many(
            batch.rows[one], self.rules.cards, viewers[one], batch.observations[one]
        )

    def take(
        self, indices: ArrayLike, *, autoreset: Autoreset | None = None, hidden: Hidden = "redrawn"
    ) -> Games:
        """Return a copy of some games, in this order; an index may occur several times.

        A search looks ahead with it. What the seat to move, or the learner, does not know is drawn
        again in each copy: see `determinize`.

        Args:
            indices: The numbers of the games.
            autoreset: Replaces the option of that name for the copies.
            hidden: `"kept"` copies hidden cards and generators as they are, so that decks and
                chance bring the copies the same as the games. A search on such copies cheats.
        """
        chosen = check_integers("indices", indices, 0, len(self) - 1)
        is_redrawn = check_choice("hidden", hidden, {"redrawn": 1, "kept": 0})
        options = self._options
        if autoreset is not None:
            number = check_choice("autoreset", autoreset, AUTORESETS)
            options = options._replace(autoreset=number)
        copies = self._copies(chosen, options)
        if is_redrawn:
            copies.determinize(np.where(copies.learners < 0, copies.seats, copies.learners))
        return copies

    def _copies(self, indices: Row, options: StepOptions) -> Games:
        copies = object.__new__(Games)
        copies._guesses = Guesses(int(self._guesses.rng.integers(1 << 63)))
        copies._set_up(self.rules, self._arrays_of(indices), options)
        return copies

    def _arrays_of(self, indices: Row) -> BatchArrays:
        """Return copies of the arrays of some games."""
        arrays: Any = (array[indices] for array in self._batch)
        return BatchArrays(*arrays)

    def determinize(self, viewers: ArrayLike) -> None:
        """Replace what a seat of each game does not know by random cards that fit its view.

        All that fit are equally likely. The games also get other generators, because the seat does
        not know what chance will bring either. Both depend on the seed of the games, and on how
        often games were copied or determinized before.

        Args:
            viewers: One seat for all games, or a seat for each.
        """
        seats = check_seats(viewers, len(self), self.rules.seats)
        self.rngs[:] = self._guesses.rng.integers(1 << 64, size=self.rngs.shape, dtype=np.uint64)
        menu, ids, _ = self._workspace
        self._adapter.determinize_many(self._batch, self.rules.cards, seats, menu, ids)

    def _check_index(self, index: int) -> int:
        return check_integer("the number of a game", index, 0, len(self) - 1)


def _learner_number(learner: int | str | None, seats: int) -> int:
    if learner is None:
        return batch_step.NO_LEARNER
    if learner == "any":
        return batch_step.RANDOM_SEAT
    if isinstance(learner, bool) or not isinstance(learner, int) or not 0 <= learner < seats:
        raise NotationError(
            f"the learner's seat is a number from 0 to {seats - 1}, 'any' or None, not {learner!r}"
        )
    return learner
