"""The spaces of the environments, and observations in the form that was asked for."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from parure.envs.games import choice
from parure.envs.kernels.observation_layout import ObservationLayout

ObservationEncoding = Literal["bytes", "floats"]
ENCODINGS = {"bytes": 0, "floats": 1}


class ObservationEncoder:
    """Observations as raw integers, a byte each, or as floats from 0 to 1."""

    def __init__(self, layout: ObservationLayout, encoding: ObservationEncoding) -> None:
        self.is_scaled = bool(choice("observation", encoding, ENCODINGS))
        self.layout = layout
        self._scale = (1 / layout.max_values.astype(np.float32)).astype(np.float32)

    def space(self) -> spaces.Box:
        """All that may be observed."""
        if self.is_scaled:
            return spaces.Box(0.0, 1.0, (self.layout.size,), np.float32)
        max_values = self.layout.max_values
        return spaces.Box(np.zeros_like(max_values), max_values, dtype=np.uint8)

    def encode(self, observations: NDArray[np.uint8]) -> NDArray[Any]:
        """Observations, always in a new array."""
        return observations * self._scale if self.is_scaled else observations.copy()


class DecisionSpace(spaces.Discrete):
    """All decisions of a game. A sample without a mask is one that is legal at the moment."""

    def __init__(self, legal: NDArray[np.int8]) -> None:
        super().__init__(len(legal))
        self.legal = legal  # kept up to date by the environment

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """A random decision among those that the mask flags, or that are legal."""
        if probability is not None or not _is_mask(mask, self.legal):
            return super().sample(mask, probability)
        (legal,) = np.nonzero(self.legal if mask is None else mask)
        if not len(legal):
            return super().sample(mask)
        return legal[self.np_random.integers(len(legal))]  # Gymnasium's own takes thrice the time


def _is_mask(mask: Any, legal: NDArray[np.int8]) -> bool:
    return mask is None or (
        isinstance(mask, np.ndarray) and mask.dtype == legal.dtype and mask.shape == legal.shape
    )
