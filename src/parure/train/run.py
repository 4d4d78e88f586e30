"""A training run: self-play, fitting and gating, generation after generation, in one folder.

| file | content |
|---|---|
| `config.toml` | the configuration of the run |
| `start.npz` | the network that the run begins with, if one was given |
| `shards/0003-00012.npz` | positions of self-play games: generation, number |
| `networks/0003.npz` | the candidate of a generation |
| `networks/0003.json` | the result of its fit |
| `gates/0003.jsonl` | the candidate's scores, a line for each deal of its gating match |
| `metrics.jsonl` | a line for each generation that is complete |
| `best.npz` | the best network so far |
| `rating.svg` | the rating of the best network by generation |

Every file is written as a whole, except that of a gate, which grows line by line. What a generation
lacks is found by looking at its files. So a run can be stopped or killed at any moment, and
continued with the same command.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

import msgspec

from parure.atomic_write import atomic_replacement, write_atomically
from parure.bots.network.weights import load_parameters
from parure.errors import ParureError
from parure.train.config import Config, changed_keys, encode_config
from parure.train.files import open_folder, read_network
from parure.train.gate import elo_difference, gate_tasks, play_match
from parure.train.progress import Log, Progress
from parure.train.shard_folder import play_shards
from parure.train.shards import DamagedShard, Samples, read_shard
from parure.train.workers import Workers

if TYPE_CHECKING:
    from parure.train.fit import FitResult

SETTINGS = "config.toml"


class Generation(msgspec.Struct, frozen=True, kw_only=True):
    """A line of `metrics.jsonl`."""

    generation: int
    games: int  # of self-play that were played, all generations together
    positions: int  # that the candidate was trained on
    steps: int
    policy_loss: float
    value_loss: float
    linear_value_loss: float
    agreement: float
    gate_games: int
    gate_score: float  # of the candidate against the best so far, see `two_player_score`
    is_accepted: bool
    rating: float  # of the best network, in Elo points above what the run began with
    seconds: dict[str, float]  # of each step, in the process that finished it


class Run:
    """The folder of a training run; only one process at a time can open it."""

    def __init__(
        self, folder: Path, config: Config, workers: Workers, log: Log, start: Path | None = None
    ) -> None:
        self.folder = folder
        self.config = config
        self.workers = workers
        self.log = log
        self.progress = Progress(log)
        self._lock = open_folder(folder, SETTINGS, "run")
        try:
            self._check_config()
            self._keep_start(start)
            for name in ("shards", "networks", "gates"):
                (folder / name).mkdir(exist_ok=True)
            self.generations = self._read_generations()
            if self.generations:
                self._plot()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Unlock the folder."""
        self._lock.close()

    def _check_config(self) -> None:
        """Keep the configuration in the folder; refuse the folder of another game."""
        path = self.folder / SETTINGS
        if path.exists():
            try:
                before = msgspec.toml.decode(path.read_bytes(), type=Config)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise ParureError(f"{path}: {error}") from None
            if (before.game, before.seed) != (self.config.game, self.config.seed):
                raise ParureError(f"{self.folder} holds a run of another game or seed")
            if changed := changed_keys(before, self.config):
                self.log(f"changed settings: {', '.join(changed)}")
        write_atomically(path, encode_config(self.config))

    def _keep_start(self, start: Path | None) -> None:
        """Copy the network to begin with into a new run; refuse another one in an old run."""
        if start is None:
            return
        content = read_network(start, self.config.rules)
        if self._start_path.exists():
            if self._start_path.read_bytes() != content:
                raise ParureError(f"{self.folder} began with another network than {start}")
        elif (self.folder / "shards").exists():
            raise ParureError(f"{self.folder} began without a network: choose another folder")
        else:
            write_atomically(self._start_path, content)

    def _read_generations(self) -> list[Generation]:
        path = self.folder / "metrics.jsonl"
        if not path.exists():
            return []
        try:
            decoder = msgspec.json.Decoder(Generation)
            return [decoder.decode(line) for line in path.read_bytes().splitlines()]
        except msgspec.DecodeError as error:
            raise ParureError(f"{path}: {error}") from None

    # --- the loop ---------------------------------------------------------------------------------

    def run(self, generations: int) -> Iterator[Generation]:
        """Complete generations until there are this many; yield each."""
        while len(self.generations) < generations:
            number = len(self.generations)
            started = perf_counter()
            games = self.self_play(number)
            played = perf_counter()
            result = self.fit(number)
            fitted = perf_counter()
            gate = self.gate(number)
            seconds = {
                "self-play": round(played - started, 1),
                "fit": round(fitted - played, 1),
                "gate": round(perf_counter() - fitted, 1),
            }
            yield self._complete(number, games, result, gate, seconds)

    @property
    def best(self) -> Path | None:
        """The best network so far; None for the linear search."""
        accepted = [line.generation for line in self.generations if line.is_accepted]
        return self._network_path(accepted[-1]) if accepted else self._start

    def self_play(self, generation: int) -> int:
        """Play the games of a generation that are missing; return the number of all of them."""
        config = self.config.self_play
        return play_shards(
            self.config,
            self.folder / "shards",
            self.best,
            config.games if generation or self._start else config.first_games,
            self.workers,
            lambda line: self.log(f"generation {generation}: self-play, {line}"),
            generation,
        )

    def fit(self, generation: int) -> FitResult:
        """Train the candidate of a generation, unless that was done before."""
        from parure.train.fit import fit

        path = self._network_path(generation)
        if path.exists():
            try:
                return self._earlier_fit(generation)
            except Exception as error:  # damaged archives raise errors of many types
                self.log(f"generation {generation}: fit again, as {error}")
        self._gate_path(generation).unlink(missing_ok=True)  # of a candidate that was damaged
        samples = self._window()
        self.log(f"generation {generation}: fit to {len(samples):,} positions")
        before = self._network_path(generation - 1)
        result = fit(
            self.config.rules,
            samples,
            self.config.fit,
            before if before.exists() else self._start,
            path.with_suffix(".new"),
            seed=Random(f"{self.config.seed} fit {generation}").getrandbits(32),
            on_progress=lambda share: self.progress(f"generation {generation}: fit, {share:.0%}"),
        )
        write_atomically(self._fit_path(generation), msgspec.json.encode(result))
        path.with_suffix(".new").replace(path)
        return result

    def _earlier_fit(self, generation: int) -> FitResult:
        """Return the result of a fit that was done before; raise if its files are damaged."""
        from parure.train.fit import FitResult

        load_parameters(self._network_path(generation), self.config.rules)
        return msgspec.json.decode(self._fit_path(generation).read_bytes(), type=FitResult)

    def gate(self, generation: int) -> tuple[float, int]:
        """Play the gating match; return the candidate's two-player score, and the games."""
        candidate = self._network_path(generation)
        return play_match(
            gate_tasks(self.config, candidate, self.best, f"gate {generation}"),
            self.workers,
            lambda done, total: self.progress(
                f"generation {generation}: gate, {done} of {total} games"
            ),
            self._gate_path(generation),
        )

    def _complete(
        self,
        generation: int,
        games: int,
        result: FitResult,
        gate: tuple[float, int],
        seconds: dict[str, float],
    ) -> Generation:
        """Write the line of a generation, and what follows from it."""
        score, gate_games = gate
        games_before = self.generations[-1].games if self.generations else 0
        rating = self.generations[-1].rating if self.generations else 0.0
        is_accepted = score >= self.config.gate.threshold
        if is_accepted:
            rating += elo_difference(score, gate_games)
        line = Generation(
            generation=generation,
            games=games_before + games,
            positions=result.positions,
            steps=result.steps,
            policy_loss=round(result.policy_loss, 4),
            value_loss=round(result.value_loss, 4),
            linear_value_loss=round(result.linear_value_loss, 4),
            agreement=round(result.agreement, 4),
            gate_games=gate_games,
            gate_score=round(score, 4),
            is_accepted=is_accepted,
            rating=round(rating, 1),
            seconds=seconds,
        )
        if is_accepted:
            with atomic_replacement(self.folder / "best.npz") as draft:
                shutil.copyfile(self._network_path(generation), draft)
        self.generations.append(line)
        content = b"".join(msgspec.json.encode(each) + b"\n" for each in self.generations)
        write_atomically(self.folder / "metrics.jsonl", content)
        self._plot()
        return line

    def _plot(self) -> None:
        from parure.train.plot import plot_ratings

        with atomic_replacement(self.folder / "rating.svg") as draft:
            plot_ratings(self.config.game, self.generations, draft)

    # --- files ------------------------------------------------------------------------------------

    def _network_path(self, generation: int) -> Path:
        return self.folder / "networks" / f"{generation:04}.npz"

    @property
    def _start_path(self) -> Path:
        return self.folder / "start.npz"

    @property
    def _start(self) -> Path | None:
        return self._start_path if self._start_path.exists() else None

    def _fit_path(self, generation: int) -> Path:
        return self.folder / "networks" / f"{generation:04}.json"

    def _gate_path(self, generation: int) -> Path:
        return self.folder / "gates" / f"{generation:04}.jsonl"

    def _window(self) -> Samples:
        """Return the positions of the newest games; a damaged shard is left out."""
        parts: list[Samples] = []
        games = 0
        for path in sorted((self.folder / "shards").glob("*.npz"), reverse=True):
            if games >= self.config.fit.window:
                break
            try:
                part = read_shard(path, self.config.game)
            except DamagedShard as error:
                self.log(str(error))
                continue
            parts.append(part)
            games += part.game_count
        if not parts:
            raise ParureError(f"{self.folder} has no games to fit a network to")
        return Samples.join(parts[::-1])


def train(
    folder: Path,
    config: Config,
    workers: Workers,
    generations: int | None = None,
    start: Path | None = None,
) -> list[Generation]:
    """Run until there are enough generations, and print what happens to stderr."""

    def log(message: str) -> None:
        sys.stderr.write(f"{message}\n")
        sys.stderr.flush()

    with closing(workers), closing(Run(folder, config, workers, log, start)) as run:
        for line in run.run(generations or config.generations):
            verdict = "accepted" if line.is_accepted else "rejected"
            log(
                f"generation {line.generation}: value loss {line.value_loss:.3f} "
                f"(linear {line.linear_value_loss:.3f}), first choice {line.agreement:.0%}, "
                f"gate {line.gate_score:.1%} of {line.gate_games} games: {verdict}, "
                f"rating {line.rating:+.0f}"
            )
        return run.generations
