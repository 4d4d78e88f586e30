"""A training run: self-play, fitting and gating, generation after generation, in one folder.

| file | content |
|---|---|
| `config.toml` | the configuration of the run |
| `start.npz` | the network that the run begins with, if one was given |
| `shards/0003-00012.npz` | positions of self-play games: generation, number |
| `networks/0003.npz` | the candidate of a generation |
| `gates/0003.jsonl` | the candidate's scores, a line for each deal of its gating match |
| `metrics.jsonl` | a line for each generation that is complete |
| `best.npz` | the best network so far |
| `rating.svg` | the rating of the best network by generation |

Every file is written as a whole, and what a generation lacks is found by looking at its files, so
a run can be stopped or killed at any moment and continued with the same command.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import msgspec

from parure.atomic_write import atomic_replacement, write_atomically
from parure.bots.network.weights import load_network
from parure.errors import ParureError
from parure.file_lock import lock_folder
from parure.train.config import Config
from parure.train.gate import GateTask, elo_difference, play_deal, two_player_score
from parure.train.selfplay import SelfPlayTask, play_task
from parure.train.shards import Samples, read_shard, write_shard
from parure.train.workers import Workers

if TYPE_CHECKING:
    from parure.train.fit import FitResult

Log = Callable[[str], object]


class Generation(msgspec.Struct, frozen=True, kw_only=True):
    """A line of `metrics.jsonl`."""

    generation: int
    games: int  # of self-play, all generations together
    positions: int  # that the candidate was trained on
    steps: int
    policy_loss: float
    value_loss: float
    linear_value_loss: float
    agreement: float
    gate_games: int
    gate_score: float  # of the candidate against the best so far, as between two
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
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = lock_folder(folder)
        try:
            self._check_config()
            self._keep_start(start)
            for name in ("shards", "networks", "gates"):
                (folder / name).mkdir(exist_ok=True)
            self.generations = self._read_generations()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Unlock the folder."""
        self._lock.close()

    def _check_config(self) -> None:
        """Keep the configuration in the folder; refuse the folder of another game."""
        path = self.folder / "config.toml"
        if path.exists():
            try:
                before = msgspec.toml.decode(path.read_bytes(), type=Config)
            except msgspec.DecodeError as error:
                raise ParureError(f"{path}: {error}") from None
            if (before.game, before.seed) != (self.config.game, self.config.seed):
                raise ParureError(f"{self.folder} holds a run of another game or seed")
        elif any(path.name != ".lock" for path in self.folder.iterdir()):
            raise ParureError(f"{self.folder} is not empty and holds no run: choose another folder")
        write_atomically(path, encode_config(self.config))

    def _keep_start(self, start: Path | None) -> None:
        """Copy the network to begin with into a new run; refuse another one in an old run."""
        if start is None:
            return
        content = start.read_bytes()
        load_network(content, self.config.rules)  # raises if it is not one of this game
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
            self.self_play(number)
            played = perf_counter()
            result = self.fit(number)
            fitted = perf_counter()
            score, games = self.gate(number)
            seconds = {
                "self-play": round(played - started, 1),
                "fit": round(fitted - played, 1),
                "gate": round(perf_counter() - fitted, 1),
            }
            yield self._complete(number, result, score, games, seconds)

    @property
    def best(self) -> Path | None:
        """The best network so far; None for the linear search."""
        accepted = [line.generation for line in self.generations if line.is_accepted]
        return self._network_path(accepted[-1]) if accepted else self._start

    def self_play(self, generation: int) -> None:
        """Play the games of a generation that are missing."""
        games = self._games(generation) - self._games(generation - 1)
        shards = play_shards(
            self.config, self.folder / "shards", self.best, games, self.workers, generation
        )
        for line in shards:
            self.log(f"generation {generation}: self-play, {line}")

    def fit(self, generation: int) -> FitResult | None:
        """Train the candidate of a generation; None if that was done before."""
        from parure.train.fit import fit

        path = self._network_path(generation)
        if path.exists():
            return None
        samples = self._window()
        self.log(f"generation {generation}: fit to {len(samples):,} positions")
        before = self._network_path(generation - 1)
        result = fit(
            self.config.rules,
            samples,
            self.config.fit,
            before if before.exists() else self._start,
            path.with_suffix(".new"),
            seed=generation,
        )
        write_atomically(self._fit_path(generation), msgspec.json.encode(result))
        path.with_suffix(".new").replace(path)
        return result

    def gate(self, generation: int) -> tuple[float, int]:
        """Play the gating match; return the candidate's score as between two, and the games."""
        path = self.folder / "gates" / f"{generation:04}.jsonl"
        candidate, seats = self._network_path(generation), self.config.rules.seats
        tasks = gate_tasks(self.config, candidate, self.best, f"gate {generation}")
        lines = _complete_lines(path)
        scores: dict[str, list[float]] = dict(msgspec.json.decode(line) for line in lines)
        missing = [task for task in tasks if task.seed not in scores]
        with path.open("wb") as file:
            file.write(b"".join(line + b"\n" for line in lines))
            for task, found in self.workers.map(play_deal, missing):
                scores[task.seed] = found
                file.write(msgspec.json.encode([task.seed, found]) + b"\n")
                file.flush()
        return _match_score(scores.values(), seats)

    def _complete(
        self,
        generation: int,
        result: FitResult | None,
        score: float,
        games: int,
        seconds: dict[str, float],
    ) -> Generation:
        """Write the line of a generation, and what follows from it."""
        if result is None:
            from parure.train.fit import FitResult

            content = self._fit_path(generation).read_bytes()
            result = msgspec.json.decode(content, type=FitResult)
        rating = self.generations[-1].rating if self.generations else 0.0
        is_accepted = score >= self.config.gate.threshold
        if is_accepted:
            rating += elo_difference(score, games)
        line = Generation(
            generation=generation,
            games=self._games(generation),
            positions=result.positions,
            steps=result.steps,
            policy_loss=round(result.policy_loss, 4),
            value_loss=round(result.value_loss, 4),
            linear_value_loss=round(result.linear_value_loss, 4),
            agreement=round(result.agreement, 4),
            gate_games=games,
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

    def _games(self, generation: int) -> int:
        """Return the number of self-play games up to a generation."""
        config = self.config.self_play
        if generation < 0:
            return 0
        first = config.games if self._start else config.first_games
        return first + generation * config.games

    def _window(self) -> Samples:
        """Return the positions of the newest games; a shard that cannot be read is left out."""
        parts: list[Samples] = []
        games = 0
        for path in sorted((self.folder / "shards").glob("*.npz"), reverse=True):
            if games >= self.config.fit.window:
                break
            try:
                part = read_shard(path)
            except ParureError as error:
                self.log(str(error))
                continue
            parts.append(part)
            games += part.game_count
        if not parts:
            raise ParureError(f"{self.folder} has no games to fit a network to")
        return Samples.join(parts[::-1])


def play_shards(
    config: Config,
    folder: Path,
    network: Path | None,
    games: int,
    workers: Workers,
    generation: int = 0,
) -> Iterator[str]:
    """Play the games that a folder of shards lacks; yield a line of progress for each shard."""
    content = network.read_bytes() if network else None
    size = config.self_play.games_per_shard
    paths: dict[str, Path] = {}
    tasks = []
    total = -(-games // size)
    for number in range(total):
        path = folder / f"{generation:04}-{number:05}.npz"
        if not path.exists():
            seed = f"{config.seed} self-play {generation} {number}"
            count = min(size, games - number * size)
            paths[seed] = path
            tasks.append(
                SelfPlayTask(config.game, content, generation, config.self_play, count, seed)
            )
    done = total - len(tasks)
    for task, samples in workers.map(play_task, tasks):
        write_shard(paths[task.seed], samples)
        done += 1
        yield f"{done} of {total} shards"


def gate_tasks(
    config: Config, candidate: Path, opponent: Path | None, name: str, games: int | None = None
) -> list[GateTask]:
    """Return the deals of a match; the same name gives the same deals."""
    seats = config.rules.seats
    return [
        GateTask(
            config.game,
            candidate.read_bytes(),
            opponent.read_bytes() if opponent else None,
            config.gate.iterations,
            f"{config.seed} {name} {deal}",
        )
        for deal in range(-(-(games or config.gate.games) // seats))
    ]


def play_match(
    config: Config, candidate: Path, opponent: Path | None, games: int | None, workers: Workers
) -> tuple[float, int]:
    """Play a match; return the candidate's score as between two, and the number of games."""
    tasks = gate_tasks(config, candidate, opponent, "match", games)
    scores = [found for _, found in workers.map(play_deal, tasks)]
    return _match_score(scores, config.rules.seats)


def _match_score(scores: Iterable[list[float]], seats: int) -> tuple[float, int]:
    every = list(chain.from_iterable(scores))
    return two_player_score(sum(every) / len(every), seats), len(every)


def _complete_lines(path: Path) -> list[bytes]:
    """Return the lines of a file that were written to their end."""
    if not path.exists():
        return []
    return [line[:-1] for line in path.read_bytes().splitlines(keepends=True) if line[-1:] == b"\n"]


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
