"""The spaces of the environments, and the encodings of observations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from parure.envs.checks import check_choice
from parure.envs.kernels.single_step import choose_allowed
from parure.observations.layout import ObservationLayout

ObservationEncoding = Literal["bytes", "floats"]
MASK_TYPE: Final = np.dtype(np.int8)
SHARES: Final = 64  # random numbers that are drawn at once: one alone takes as long as ten
IS_SCALED: Final = {"bytes": False, "floats": True}


class ObservationEncoder:
    """Encodes observations as integers of one byte, or as floats scaled to 0 … 1."""

    def __init__(self, layout: ObservationLayout, encoding: ObservationEncoding) -> None:
        self.is_scaled = check_choice("observation", encoding, IS_SCALED)
        self.layout = layout
        self._scale = (1 / layout.max_values.astype(np.float32)).astype(np.float32)

    def space(self) -> spaces.Box:
        """Return the space of all observations."""
        if self.is_scaled:
            return spaces.Box(0.0, 1.0, (self.layout.size,), np.float32)
        max_values = self.layout.max_values
        return spaces.Box(np.zeros_like(max_values), max_values, dtype=np.uint8)

    def encode(self, observations: NDArray[np.uint8]) -> NDArray[Any]:
        """Return encoded observations, always in a new array."""
        return observations * self._scale if self.is_scaled else observations.copy()


class DecisionSpace(spaces.Discrete):
    """All actions of a game. `sample` without a mask returns an action that is legal now.

    Args:
        count: The number of actions.
        find_legal: Returns 1 for each action that is legal now.
    """

    def __init__(self, count: int, find_legal: Callable[[], NDArray[np.int8]]) -> None:
        super().__init__(count)
        self._find_legal = find_legal
        self._mask_shape = (count,)
        self._actions = list(np.arange(count))  # as Gymnasium returns them
        self._shares: list[float] = []  # random numbers for the next samples, the last one first

    @property
    def legal(self) -> NDArray[np.int8]:
        """1 for each action that is legal now."""
        return self._find_legal()

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Return a random action among those that the mask allows, or that are legal."""
        if mask is None:
            mask = self._find_legal()
        if (
            probability is not None
            or type(mask) is not np.ndarray
            or mask.dtype != MASK_TYPE  # an array from a pickle has another object
            or mask.shape != self._mask_shape
            or not mask.flags.carray  # another layout would be compiled again
        ):
            return super().sample(mask, probability)
        # Gymnasium's own implementation takes twenty times as long.
        if not self._shares:
            self._shares = self.np_random.random(SHARES).tolist()
            self._shares.reverse()
        action = choose_allowed(mask, self._shares.pop())
        return self._actions[action] if action >= 0 else super().sample(mask)

    def seed(self, seed: int | None = None) -> Any:
        """Seed the generator of the samples."""
        self._shares.clear()
        return super().seed(seed)

    def copy_random_state(self, other: DecisionSpace) -> None:
        """Continue with the samples that another space would draw next."""
        self._np_random, self._shares = other._np_random, other._shares

    def __getstate__(self) -> dict[str, Any]:
        left_out = ("_find_legal", "_actions")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, state: Any) -> None:
        """Restore a space; without its environment everything is legal."""
        count = int(state["n"])
        legal = np.ones(count, np.int8)
        self._find_legal = lambda: legal
        self._actions = list(np.arange(count))
        super().__setstate__(state)
