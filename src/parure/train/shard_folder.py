"""Self-play into a folder of shards: what is missing is played."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from itertools import count
from pathlib import Path

import msgspec

from parure.atomic_write import write_atomically
from parure.errors import ParureError
from parure.train.config import Config
from parure.train.files import open_folder, read_network
from parure.train.progress import Log
from parure.train.selfplay import SelfPlayTask, play_task
from parure.train.shards import DamagedShard, read_shard, write_shard
from parure.train.workers import Workers

SETTINGS = "selfplay.json"  # in the folder of `parure train selfplay`
AMOUNTS = ("games", "first_games", "games_per_shard")  # settings that may change in a folder


def play_folder(
    config: Config, folder: Path, network: Path | None, games: int, workers: Workers, log: Log
) -> int:
    """Play the games that a folder lacks, and return the number it holds then.

    Raises:
        ParureError: The folder is in use, or holds games of other settings.
    """
    with closing(open_folder(folder, SETTINGS, "self-play games")):
        _check_settings(config, folder / SETTINGS, network)
        return play_shards(config, folder, network, games, workers, log)


def _check_settings(config: Config, path: Path, network: Path | None) -> None:
    """Keep the settings of the games in a file; refuse others than those it holds."""
    content = read_network(network, config.rules) if network else None
    settings = {
        "game": config.game,
        "seed": config.seed,
        "network": sha256(content).hexdigest() if content else None,
        **msgspec.to_builtins(config.self_play),
    }
    for name in AMOUNTS:
        del settings[name]
    if not path.exists():
        write_atomically(path, msgspec.json.encode(settings))
        return
    try:
        before = msgspec.json.decode(path.read_bytes(), type=dict[str, object])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ParureError(f"{path}: {error}") from None
    if changed := [name for name, value in settings.items() if before.get(name) != value]:
        raise ParureError(
            f"{path.parent} holds games of other settings ({', '.join(changed)}): "
            "choose another folder"
        )


def play_shards(
    config: Config,
    folder: Path,
    network: Path | None,
    games: int,
    workers: Workers,
    log: Log,
    generation: int = 0,
) -> int:
    """Play the games that the shards of a generation lack; return the number of all of them.

    A shard that is damaged is played again.
    """
    played = _played_games(config, folder, log, generation)
    done = sum(played.values())
    paths: dict[str, Path] = {}
    tasks = []
    content = read_network(network, config.rules) if network else None
    for path, number, size in _missing_shards(config, folder, games - done, played, generation):
        seed = f"{config.seed} self-play {generation} {number}"
        paths[seed] = path
        tasks.append(SelfPlayTask(config.game, content, generation, config.self_play, size, seed))
    if not tasks:
        log(f"nothing to play, {done:,} games are there")
    for task, samples in workers.map(play_task, tasks):
        write_shard(paths[task.seed], samples, config.game)
        done += task.games
        log(f"{done:,} of {games:,} games")
    return done


def _played_games(config: Config, folder: Path, log: Log, generation: int) -> dict[Path, int]:
    """Return the number of games in each shard of a generation; remove damaged shards."""
    played: dict[Path, int] = {}
    for path in sorted(folder.glob(f"{generation:04}-*.npz")):
        try:
            played[path] = read_shard(path, config.game).game_count
        except DamagedShard as error:
            log(f"{error}; its games are played again")
            path.unlink()
    return played


def _missing_shards(
    config: Config, folder: Path, games: int, played: dict[Path, int], generation: int
) -> Iterator[tuple[Path, int, int]]:
    """Yield the path, the number and the games of each shard to play."""
    for number in count():
        if games <= 0:
            return
        path = folder / f"{generation:04}-{number:05}.npz"
        if path not in played:
            size = min(config.self_play.games_per_shard, games)
            yield path, number, size
            games -= size
