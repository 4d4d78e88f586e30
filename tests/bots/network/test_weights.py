"""Files of weights: what is in the package, and what is refused."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from parure.bots.network.weights import (
    TRAINED,
    encode_parameters,
    load_network,
    load_parameters,
    network_from,
    network_layout,
    parameter_shapes,
    random_parameters,
    trained_network,
)
from parure.errors import ParureError
from parure.games.registry import all_labels, rules_from_label

MAX_BYTES = 2 << 20
DUEL = rules_from_label("duel")


@pytest.mark.parametrize("label", all_labels())
def test_every_game_has_a_trained_network(label: str) -> None:
    rules = rules_from_label(label)
    path = trained_network(rules)
    assert path is not None
    assert path.stat().st_size <= MAX_BYTES
    network = network_from(rules, load_parameters(path, rules))
    assert all(np.isfinite(array).all() for array in network[1:])


def test_the_package_has_no_other_networks() -> None:
    assert {path.stem for path in TRAINED.iterdir()} == set(all_labels())


@pytest.mark.parametrize("label", all_labels())
def test_written_parameters_are_read_again(label: str, tmp_path: Path) -> None:
    rules = rules_from_label(label)
    parameters = random_parameters(rules, seed=1)
    content = encode_parameters(label, parameters)
    path = tmp_path / "weights.npz"
    path.write_bytes(content)
    for source in (path, content):
        found = load_parameters(source, rules)
        assert found.keys() == parameters.keys() == parameter_shapes(network_layout(rules)).keys()
        for name, array in parameters.items():
            np.testing.assert_array_equal(found[name], array)


def test_a_network_of_another_game_is_refused() -> None:
    splendor = rules_from_label("splendor-3")
    content = encode_parameters("splendor-3", random_parameters(splendor))
    with pytest.raises(ParureError, match="holds a network for splendor-3, version 1; needed is"):
        load_parameters(content, DUEL)


def test_missing_and_wrong_arrays_are_refused() -> None:
    parameters = random_parameters(DUEL)
    del parameters["second.bias"]
    with pytest.raises(ParureError, match="does not have the arrays"):
        load_parameters(encode_parameters("duel", parameters), DUEL)
    parameters["second.bias"] = np.zeros(3, np.float32)
    with pytest.raises(ParureError, match="does not have the arrays"):
        load_parameters(encode_parameters("duel", parameters), DUEL)


def test_weights_that_are_not_finite_are_refused() -> None:
    parameters = random_parameters(DUEL)
    parameters["first.bias"][3] = np.nan
    with pytest.raises(ParureError, match="not finite"):
        load_parameters(encode_parameters("duel", parameters), DUEL)


@pytest.mark.parametrize("content", [b"", b"nothing", b"PK\x03\x04 not a zip file"])
def test_what_is_no_file_of_weights_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    path.write_bytes(content)
    for source in (path, content):
        with pytest.raises(ParureError, match="cannot be read as a file of weights"):
            load_parameters(source, DUEL)
    with pytest.raises(ParureError, match="cannot be read"):
        load_parameters(tmp_path / "missing.npz", DUEL)


def test_a_file_that_was_replaced_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "best.npz"
    found = []
    for seed in (1, 2):
        path.write_bytes(encode_parameters("duel", random_parameters(DUEL, seed)))
        os.utime(path, ns=(seed, seed))
        found.append(load_network(path, DUEL))
    assert load_network(path, DUEL) is found[1]
    assert (found[0].first_bias != found[1].first_bias).any()
