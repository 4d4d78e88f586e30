"""The network as plain NumPy code, straight from the text of `parure.bots.network.layout`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from parure.bots.network.layout import CARD_ENCODING, CELL_ENCODING, CELL_KINDS, NetworkLayout
from parure.bots.network.weights import byte_scales

Floats = NDArray[np.float64]


def relu(values: Floats) -> Floats:
    return np.maximum(values, 0)


def naive_scores(
    layout: NetworkLayout,
    parameters: dict[str, NDArray[Any]],
    observation: NDArray[np.uint8],
    features: Floats,
) -> tuple[Floats, Floats]:
    """Return the corrections of the seats, and all scores."""
    weights = {name: array.astype(np.float64) for name, array in parameters.items()}
    scaled = observation * byte_scales(layout).astype(np.float64)
    encodings, sums = [], []
    for number, group in enumerate(layout.card_groups):
        total = np.zeros(CARD_ENCODING)
        for i in range(group.count):
            start = 8 * group.start + layout.card_bytes * i
            card = scaled[start : start + layout.card_bytes]
            encoding = np.zeros(CARD_ENCODING)
            if card.any():
                encoding = relu(weights["card.weight"] @ card + weights["card_bias"][number])
            encodings.append(encoding)
            total += encoding
        sums.append(total)
    cell_scores: list[float] = []
    cells: list[Floats] = []
    if layout.cells:
        start = 8 * layout.cell_start
        board = observation[start : start + layout.cells * CELL_KINDS].reshape(5, 5, CELL_KINDS)
        padded = np.pad(board, ((1, 1), (1, 1), (0, 0))).astype(np.float64)
        for cell in range(layout.cells):
            row, column = divmod(cell, 5)
            around = padded[row : row + 3, column : column + 3]
            encoding = relu(
                np.einsum("okyx,yxk->o", weights["cell.weight"], around) + weights["cell.bias"]
            )
            cells.append(encoding * board[row, column].any())
        sums.append(np.sum(cells, axis=0))
    inputs = np.concatenate(
        [scaled[layout.trunk_bytes], (features * weights["feature_scale"]).ravel(), *sums]
    )
    hidden = relu(weights["first.weight"] @ inputs + weights["first.bias"])
    hidden = relu(weights["second.weight"] @ hidden + weights["second.bias"])
    outputs = weights["output.weight"] @ hidden + weights["output.bias"]
    arrays = layout.arrays
    if layout.cells:
        query = outputs[arrays.cell_query_start :][:CELL_ENCODING]
        cell_scores = [float(query @ encoding) for encoding in cells]
    card_scores = [
        float(outputs[start : start + CARD_ENCODING] @ encoding)
        for encoding in encodings
        for start in arrays.query_starts
    ]
    plain = outputs[arrays.plain_start :]
    return outputs[: layout.seats], np.array([*cell_scores, *card_scores, *plain, 0.0])
