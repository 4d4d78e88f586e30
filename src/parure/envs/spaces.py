"""The spaces of the environments, and the encodings of observations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from parure.envs.checks import check_choice
from parure.observations.layout import ObservationLayout

ObservationEncoding = Literal["bytes", "floats"]
MASK_TYPE: Final = np.dtype(np.int8)
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
            or mask.dtype is not MASK_TYPE
            or mask.shape != self._mask_shape
        ):
            return super().sample(mask, probability)
        allowed = mask.view(np.bool_).nonzero()[0]  # of truth values, which is faster
        count = len(allowed)
        if not count:
            return super().sample(mask)
        # Gymnasium's own implementation takes six times as long.
        rng = self._np_random or self.np_random
        return allowed[int(rng.random() * count)]

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_find_legal"}

    def __setstate__(self, state: Any) -> None:
        """Restore a space; without its environment everything is legal."""
        legal = np.ones(int(state["n"]), np.int8)
        self._find_legal = lambda: legal
        super().__setstate__(state)
