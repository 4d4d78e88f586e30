"""Configurations of training runs."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from parure.errors import ParureError
from parure.games.registry import all_labels
from parure.train.config import CONFIGS, changed_keys, encode_config, load_config


@pytest.mark.parametrize("label", all_labels())
def test_every_game_has_a_configuration(label: str) -> None:
    config = load_config(label)
    assert config.game == config.rules.label == label


def test_there_are_no_other_configurations() -> None:
    assert {path.stem for path in CONFIGS.iterdir()} == set(all_labels())


def test_an_encoded_configuration_is_read_again(tmp_path: Path) -> None:
    config = load_config("duel")
    path = tmp_path / "config.toml"
    path.write_bytes(encode_config(config))
    assert load_config(str(path)) == config


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "missing required field `game`"),
        ("game = 'duel'\nself_play = 3\n", "Expected `object`"),
        ("game = 'duel'\n[self_play]\ngames = 0\nfirst_games = 1\n[fit]\nwindow = 1\n", ">= 1"),
        ("game = 'duel'\nfoo = 1\n[self_play]\ngames = 1\nfirst_games = 1\n", "unknown field"),
        ("game = 'chess'\n[self_play]\ngames = 1\nfirst_games = 1\n[fit]\nwindow = 1\n", "chess"),
        ("game = ", "Invalid"),
    ],
)
def test_wrong_configurations_are_errors(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(ParureError, match=message):
        load_config(str(path))


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("full_iterations = 1", ">= 2.*full_iterations"),
        ("fast_iterations = 1", ">= 2.*fast_iterations"),
        ("full_share = 0.0", "> 0.*full_share"),
    ],
)
def test_self_play_needs_visits_and_samples(setting: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(
        f"game = 'duel'\n[self_play]\ngames = 1\nfirst_games = 1\n{setting}\n[fit]\nwindow = 1\n"
    )
    with pytest.raises(ParureError, match=message):
        load_config(str(path))


def test_changed_keys_are_named() -> None:
    config = load_config("duel")
    fit = msgspec.structs.replace(config.fit, epochs=7, window=3)
    other = msgspec.structs.replace(config, fit=fit, seed=5)
    assert changed_keys(config, config) == []
    assert changed_keys(config, other) == ["fit.window", "fit.epochs", "seed"]


def test_a_missing_configuration_names_those_there_are() -> None:
    with pytest.raises(ParureError, match=r"duel\+counterfeiters.*splendor-2"):
        load_config("chess")
