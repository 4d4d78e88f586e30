"""The configuration of a training run: a TOML file with a section for each step."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from parure.errors import ParureError
from parure.games.registry import rules_from_label
from parure.games.rules import Rules

CONFIGS = Path(__file__).with_name("configs")  # those of this package, by label of the game

Count = Annotated[int, Meta(ge=1)]
Iterations = Annotated[int, Meta(ge=2)]  # the first one only gives the root its edges
Share = Annotated[float, Meta(ge=0.0, le=1.0)]
Positive = Annotated[float, Meta(gt=0.0)]


class SelfPlay(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How games are played.

    Playout-cap randomization: some decisions get a full search, which is recorded; the others a
    fast one, which only moves the game along.
    """

    games: Count  # in a generation
    first_games: Count  # in the first generation of a run without a network to begin with
    games_per_shard: Count = 100
    full_iterations: Iterations = 300
    fast_iterations: Iterations = 60
    full_share: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.25  # of decisions
    noise_share: Share = 0.25  # of Dirichlet noise in the priors at the root of a full search
    noise_total: Positive = 8.0  # concentration of the noise, divided among the legal decisions
    sampled_turns: Annotated[int, Meta(ge=0)] = 12  # the first ones: sampled by visits


class Fit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a candidate is trained."""

    window: Count  # games, the newest ones
    first_epochs: Positive = 20.0  # passes over the games, for a network that begins untrained
    epochs: Positive = 4.0  # passes over the window, for a network that continues another
    batch: Count = 512
    learning_rate: Positive = 2e-3
    weight_decay: Annotated[float, Meta(ge=0.0)] = 1e-4
    search_share: Share = 0.6  # of the search's value in the value target; the rest is the result
    value_weight: Positive = 1.5  # of the value loss against the policy loss
    held_out: Share = 0.03  # of the games, to measure the losses
    symmetries: bool = True  # whether each batch is seen in a random symmetry of the game


class Gate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The match between a candidate and the best network so far."""

    games: Count = 100
    iterations: Count = 200  # of each decision
    threshold: Share = 0.5  # the least score with which the candidate becomes the best


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A training run."""

    game: str  # a label: `splendor-3`, `duel`
    self_play: SelfPlay
    fit: Fit
    gate: Gate = Gate()
    generations: Count = 1000
    seed: Annotated[int, Meta(ge=0)] = 0

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return rules_from_label(self.game)


def load_config(name: str) -> Config:
    """Return the configuration in a file, or the one of this package for the label of a game.

    Raises:
        ParureError: There is no such file, or it is not a valid configuration.
    """
    path = Path(name)
    if not path.suffix and (CONFIGS / f"{name}.toml").exists():
        path = CONFIGS / f"{name}.toml"
    try:
        config = msgspec.toml.decode(path.read_bytes(), type=Config)
    except FileNotFoundError:
        known = ", ".join(sorted(file.stem for file in CONFIGS.glob("*.toml")))
        raise ParureError(
            f"there is no configuration {name!r}: name a file, or one of {known}"
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ParureError(f"{path}: {error}") from None
    config.rules  # noqa: B018  (raises for an unknown game)
    return config


def encode_config(config: Config) -> bytes:
    """Return a configuration as TOML."""

    def assignment(name: str, value: object) -> str:
        return f"{name} = {msgspec.json.encode(value).decode()}"  # such a value is also TOML

    lines: list[str] = []
    sections: list[str] = []
    for name, value in msgspec.to_builtins(config).items():
        if isinstance(value, dict):
            sections += ["", f"[{name}]", *(assignment(*item) for item in value.items())]
        else:
            lines.append(assignment(name, value))
    return ("\n".join(lines + sections) + "\n").encode()


def changed_keys(before: Config, after: Config) -> list[str]:
    """Return the keys with other values: `self_play.games`, `seed`."""
    old, new = _by_key(before), _by_key(after)
    return [key for key, value in new.items() if value != old[key]]


def _by_key(config: Config) -> dict[str, object]:
    values: dict[str, object] = {}
    for name, value in msgspec.to_builtins(config).items():
        if isinstance(value, dict):
            values |= {f"{name}.{key}": inner for key, inner in value.items()}
        else:
            values[name] = value
    return values
