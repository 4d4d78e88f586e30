"""The weights of a network: the file they are stored in, and the arrays of compiled code.

A file is an `.npz` with the parameters of :class:`parure.train.model.Network` by name, the version
of the architecture and the label of the game. Inputs are scaled while the network is trained;
here the scales become part of the weights.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from parure.bots.evaluator import evaluator_for
from parure.bots.network.layout import (
    CARD_ENCODING,
    CELL_ENCODING,
    CELL_KINDS,
    HIDDEN,
    NEIGHBORS,
    VERSION,
    LayoutArrays,
    NetworkLayout,
)
from parure.bots.network.symmetry import Symmetry
from parure.errors import ParureError
from parure.games.engine.matrix import COLUMNS
from parure.games.registry import family_of, import_part
from parure.games.rules import Rules

Floats32: TypeAlias = NDArray[np.float32]

TRAINED = Path(__file__).with_name("trained")  # the networks of this package, by label of the game


class Network(NamedTuple):
    """A network as compiled code needs it; a weight matrix has a row for each input."""

    layout: LayoutArrays
    card_weights: Floats32
    card_bias: Floats32  # a row for each group
    cell_weights: Floats32  # a row for each neighbor and kind
    cell_bias: Floats32
    first_weights: Floats32
    first_bias: Floats32
    second_weights: Floats32
    second_bias: Floats32
    output_weights: Floats32
    output_bias: Floats32


@lru_cache(maxsize=16)
def network_layout(rules: Rules) -> NetworkLayout:
    """Return the inputs and outputs of a game's network."""
    found: NetworkLayout = import_part(family_of(rules.game).network).layout_for(rules)
    return found


def network_symmetries(rules: Rules) -> Sequence[Symmetry]:
    """Return the symmetries of a game, the identity first."""
    found: Sequence[Symmetry] = import_part(family_of(rules.game).network).symmetries(rules)
    return found


def parameter_shapes(layout: NetworkLayout) -> dict[str, tuple[int, ...]]:
    """Return the name and shape of each array in a file, as torch stores them."""
    shapes: dict[str, tuple[int, ...]] = {
        "card.weight": (CARD_ENCODING, layout.card_bytes),
        "card_bias": (len(layout.card_groups), CARD_ENCODING),
        "first.weight": (HIDDEN, layout.inputs),
        "first.bias": (HIDDEN,),
        "second.weight": (HIDDEN, HIDDEN),
        "second.bias": (HIDDEN,),
        "output.weight": (layout.outputs, HIDDEN),
        "output.bias": (layout.outputs,),
        "feature_scale": (layout.features,),
    }
    if layout.cells:
        shapes["cell.weight"] = (CELL_ENCODING, CELL_KINDS, 3, 3)
        shapes["cell.bias"] = (CELL_ENCODING,)
    return shapes


def byte_scales(layout: NetworkLayout) -> Floats32:
    """Return the factor on each byte of an observation."""
    scales: Floats32 = (1 / np.sqrt(layout.observation.max_values)).astype(np.float32)
    return scales


def encode_parameters(label: str, parameters: dict[str, NDArray[Any]]) -> bytes:
    """Return the content of a file of weights."""
    file = io.BytesIO()
    np.savez(file, version=np.array(VERSION), label=np.array(label), **parameters)  # type: ignore[arg-type]
    return file.getvalue()


def load_parameters(source: Path | bytes, rules: Rules) -> dict[str, Floats32]:
    """Return the arrays of a file, or of the content of one, by name.

    Raises:
        ParureError: The file cannot be read, or is for another game or architecture.
    """
    name = "this content" if isinstance(source, bytes) else str(source)
    try:
        file = io.BytesIO(source if isinstance(source, bytes) else source.read_bytes())
        with np.load(file, allow_pickle=False) as content:
            arrays = {array: content[array] for array in content.files}
        label, version = str(arrays.pop("label", "")), int(arrays.pop("version", 0))
    except (
        OSError,
        ValueError,
        TypeError,
        EOFError,
        AttributeError,
        RuntimeError,  # and NotImplementedError: of archives in other forms
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise ParureError(f"{name} cannot be read as a file of weights: {error}") from None
    if (label, version) != (rules.label, VERSION):
        raise ParureError(
            f"{name} holds a network for {label or 'no game'}, version {version}; "
            f"needed is {rules.label}, version {VERSION}"
        )
    shapes = {array: content.shape for array, content in arrays.items()}
    if shapes != parameter_shapes(network_layout(rules)):
        raise ParureError(f"{name} does not have the arrays of a network for {rules.label}")
    if not all(np.isfinite(content).all() for content in arrays.values()):
        raise ParureError(f"{name} has weights that are not finite numbers")
    return {array: content.astype(np.float32) for array, content in arrays.items()}


def network_from(rules: Rules, parameters: dict[str, Floats32]) -> Network:
    """Return a network for compiled code."""
    layout = network_layout(rules)
    scales = byte_scales(layout)
    first_card = layout.card_groups[0].start * 8
    card_scales = scales[first_card : first_card + layout.card_bytes]
    first = parameters["first.weight"].T.copy()
    first[: layout.first_feature_input] *= scales[layout.trunk_bytes, np.newaxis]
    feature_scales = np.tile(parameters["feature_scale"], layout.seats)
    first[layout.first_feature_input : layout.first_group_input] *= feature_scales[:, np.newaxis]
    cell_weights = np.zeros((NEIGHBORS * CELL_KINDS, CELL_ENCODING), np.float32)
    cell_bias = np.zeros(CELL_ENCODING, np.float32)
    if layout.cells:
        by_neighbor = parameters["cell.weight"].transpose(2, 3, 1, 0)
        cell_weights = by_neighbor.reshape(NEIGHBORS * CELL_KINDS, CELL_ENCODING)
        cell_bias = parameters["cell.bias"]
    arrays = {
        "card_weights": parameters["card.weight"].T * card_scales[:, np.newaxis],
        "card_bias": parameters["card_bias"],
        "cell_weights": cell_weights,
        "cell_bias": cell_bias,
        "first_weights": first,
        "first_bias": parameters["first.bias"],
        "second_weights": parameters["second.weight"].T,
        "second_bias": parameters["second.bias"],
        "output_weights": parameters["output.weight"].T,
        "output_bias": parameters["output.bias"],
    }
    padding = -layout.outputs % COLUMNS
    arrays["output_weights"] = np.pad(arrays["output_weights"], ((0, 0), (0, padding)))
    arrays["output_bias"] = np.pad(arrays["output_bias"], (0, padding))
    contiguous = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    return Network(layout=layout.arrays, **contiguous)


def random_parameters(rules: Rules, seed: int = 0) -> dict[str, Floats32]:
    """Return parameters of an untrained network, for tests and benchmarks."""
    generator = np.random.default_rng(seed)
    return {
        name: generator.normal(0, 1 / np.sqrt(shape[-1]), shape).astype(np.float32)
        for name, shape in parameter_shapes(network_layout(rules)).items()
    }


def trained_network(rules: Rules) -> Path | None:
    """Return the file of this package that holds the trained network of a game, if there is one."""
    path = TRAINED / f"{rules.label}.npz"
    return path if path.exists() else None


def load_network(source: Path | bytes, rules: Rules) -> Network:
    """Return the network in a file, or in the content of one."""
    modified = source.stat().st_mtime_ns if isinstance(source, Path) and source.exists() else 0
    return _load_network(source, rules, modified)


@lru_cache(maxsize=8)
def _load_network(source: Path | bytes, rules: Rules, modified: int) -> Network:
    """Return a network; one whose file was replaced since is read again."""
    return network_from(rules, load_parameters(source, rules))


def network_evaluator(rules: Rules, network: Network) -> Any:
    """Return the evaluator of a game with a network."""
    linear = evaluator_for(rules)
    game = import_part(family_of(rules.game).network)
    return game.evaluator_type(linear.cards, linear.weights, linear.card_worth, network)
