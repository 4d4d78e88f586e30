"""The spaces of the environments, and the encodings of observations."""

from __future__ import annotations

from typing import Any, Final, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from parure.envs.checks import check_choice
from parure.envs.kernels.observation_layout import ObservationLayout

ObservationEncoding = Literal["bytes", "floats"]
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
    """All decisions of a game. `sample` without a mask returns a decision that is legal now.

    Attributes:
        legal: 1 for each legal decision; the environment keeps it up to date.
    """

    def __init__(self, legal: NDArray[np.int8]) -> None:
        super().__init__(len(legal))
        self.legal = legal

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Return a random decision among those that the mask allows, or that are legal."""
        if probability is not None or not _is_mask(mask, self.legal):
            return super().sample(mask, probability)
        (allowed,) = np.nonzero(self.legal if mask is None else mask)
        if not len(allowed):
            return super().sample(mask)
        # Gymnasium's own implementation takes three times as long.
        return allowed[self.np_random.integers(len(allowed))]


def _is_mask(mask: Any, legal: NDArray[np.int8]) -> bool:
    return mask is None or (
        isinstance(mask, np.ndarray) and mask.dtype == legal.dtype and mask.shape == legal.shape
    )
