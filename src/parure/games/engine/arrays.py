"""The arrays that the kernels work on, as types."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Row: TypeAlias = NDArray[np.int64]
"""A state: the 64-bit view of its bytes."""
Cards: TypeAlias = NDArray[np.int64]
"""The card table: a row for each property, a column for each card."""
Menu: TypeAlias = NDArray[np.int64]
"""The legal decisions as bits."""
Rng: TypeAlias = NDArray[np.uint64]
"""The generator: its first word."""
Chance: TypeAlias = NDArray[np.uint8]
"""What chance brought: a count, then that many kinds."""
Mask: TypeAlias = NDArray[Any]
"""One flag for each decision of the game."""
