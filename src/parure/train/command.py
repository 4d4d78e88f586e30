"""The commands `parure train …`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parure.errors import ParureError

if TYPE_CHECKING:
    from parure.train.workers import Workers

app = typer.Typer(
    no_args_is_help=True,
    help="Train the network of the search. Needs the extra 'train'.",
    rich_markup_mode=None,
)

ConfigArgument = Annotated[
    str,
    typer.Argument(
        metavar="CONFIG",
        help="A configuration file, or splendor-2, splendor-3, splendor-4, duel or "
        "duel+counterfeiters for the one in the package.",
    ),
]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Number of processes that play.")]
Ray = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Play on a Ray cluster; 'local' starts one here."),
]


@app.command()
def run(
    config: ConfigArgument,
    folder: Annotated[Path, typer.Option("--folder", "-f", help="Folder of the run.")],
    generations: Annotated[
        int | None, typer.Option(min=1, help="Stop when there are this many generations.")
    ] = None,
    start: Annotated[
        Path | None,
        typer.Option(help="File of weights that a new run begins with instead of linear search."),
    ] = None,
    jobs: Jobs = 1,
    ray: Ray = None,
) -> None:
    """Play, fit and gate, generation after generation. Repeat the command to continue."""
    _require("torch", "matplotlib")
    from parure.train.config import load_config
    from parure.train.run import train

    found = load_config(config)
    train(folder, found, _workers(jobs, ray), generations, start)


@app.command()
def selfplay(
    config: ConfigArgument,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the shards.")],
    network: Annotated[
        Path | None, typer.Option(help="File of weights; without one, the linear search plays.")
    ] = None,
    games: Annotated[int | None, typer.Option("-n", min=1, help="Number of games.")] = None,
    jobs: Jobs = 1,
    ray: Ray = None,
) -> None:
    """Play games and write shards. Repeat the command to continue."""
    from parure.train.config import load_config
    from parure.train.shard_folder import play_folder

    found = load_config(config)
    with closing(_workers(jobs, ray)) as workers:
        play_folder(found, out, network, games or found.self_play.games, workers, _log)


@app.command()
def fit(
    config: ConfigArgument,
    shards: Annotated[list[Path], typer.Argument(metavar="SHARD…", help="Shards, or folders.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="File of weights to write.")],
    start: Annotated[
        Path | None, typer.Option(help="File of weights to begin with; default: a new network.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0)] = 0,
) -> None:
    """Fit a network to shards."""
    _require("torch")
    import msgspec

    from parure.train.config import load_config
    from parure.train.fit import fit
    from parure.train.progress import Progress
    from parure.train.shards import Samples, read_shard, shard_files

    found = load_config(config)
    samples = Samples.join([read_shard(path, found.game) for path in shard_files(shards)])
    _log(f"{len(samples):,} positions of {samples.game_count:,} games")
    progress = Progress(_log)
    result = fit(
        found.rules, samples, found.fit, start, out, seed, lambda share: progress(f"{share:.0%}")
    )
    typer.echo(msgspec.json.encode(result).decode())


@app.command()
def gate(
    config: ConfigArgument,
    candidate: Annotated[Path, typer.Argument(help="File of weights.")],
    opponent: Annotated[
        Path | None, typer.Argument(help="File of weights; default: the linear search.")
    ] = None,
    games: Annotated[int | None, typer.Option("-n", min=1, help="Number of games.")] = None,
    jobs: Jobs = 1,
    ray: Ray = None,
) -> None:
    """Play a match between two networks, and print the score of the first."""
    from parure.train.config import load_config
    from parure.train.gate import gate_tasks, play_match
    from parure.train.progress import Progress

    found = load_config(config)
    tasks = gate_tasks(found, candidate, opponent, "match", games)
    progress = Progress(_log)
    with closing(_workers(jobs, ray)) as workers:
        score, played = play_match(
            tasks, workers, lambda done, total: progress(f"{done} of {total} games")
        )
    typer.echo(f"{score:.1%} of {played} games")


def _workers(jobs: int, ray: str | None) -> Workers:
    """Return the workers; on a cluster, one job is the default and means one for each CPU."""
    from parure.train.workers import make_workers

    return make_workers(jobs if ray is None or jobs > 1 else None, ray)


def _log(line: str) -> None:
    typer.echo(line, err=True)


def _require(*modules: str) -> None:
    from importlib.util import find_spec

    for module in modules:
        if find_spec(module) is None:
            raise ParureError(f"training needs {module}: pip install 'parure[train]'")
