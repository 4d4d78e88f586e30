"""Types of the arrays that kernels work on."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Row: TypeAlias = NDArray[np.int64]
"""A state, as 64-bit words."""
Cards: TypeAlias = NDArray[np.int64]
"""The card table: a row for each property, a column for each card."""
Menu: TypeAlias = NDArray[np.int64]
"""The legal decisions of the current phase, as bits."""
Rng: TypeAlias = NDArray[np.uint64]
"""The state of a random generator, in its first word."""
Chance: TypeAlias = NDArray[np.uint8]
"""The tokens that chance brings: their number, then the kind of each."""
Mask: TypeAlias = NDArray[Any]
"""A flag for each decision of the game."""
