"""The command line: parses and calls. What a command needs is imported when it runs."""

from __future__ import annotations

import io
import os
import sys
from functools import partial
from math import isnan
from pathlib import Path
from typing import Annotated

import typer

from parure.errors import ParureError, printable

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # rich takes longer to import than the help takes to print
)

EXPECTED = (ParureError, OSError, MemoryError)
INTERRUPTED = 130  # the status that Typer and shells give to Ctrl-C

GameArgument = Annotated[str, typer.Argument(help="splendor, duel or duel+counterfeiters.")]
Players = Annotated[
    int | None, typer.Option("--players", "-p", help="Players of Splendor, 2 to 4.")
]
Seed = Annotated[int | None, typer.Option(help="A number that makes chance repeatable.")]
AntiBlocking = Annotated[
    bool, typer.Option("--anti-blocking", help="Duel with its rule against blocking.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def _version(is_wanted: bool) -> None:
    if is_wanted:
        from parure import __version__

        typer.echo(f"parure {__version__}")
        raise typer.Exit


@app.callback()
def parure(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Splendor, Splendor Duel and The Counterfeiters."""


@app.command()
def play(
    game: Annotated[
        str | None, typer.Argument(help="splendor, duel (if not said) or duel+counterfeiters.")
    ] = None,
    players: Players = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            "-s",
            metavar="WHO",
            help="Who sits at seat 0, then 1, …: 'player' or a bot. If not said: you, then bots.",
        ),
    ] = None,
    seed: Seed = None,
    anti_blocking: AntiBlocking = False,
    record: Annotated[Path | None, typer.Option(help="The file to keep the game in.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with the game in a file.")] = None,
) -> None:
    """Play in the terminal, against bots or each other."""
    from parure.terminal.play import new_table, resumed_table

    if resume is None:
        options = _options(anti_blocking)
        table = new_table(game or "duel", players, seat or [], seed, options, record)
    elif game or players or anti_blocking:
        raise typer.BadParameter("the game, its players and options are those of the file")
    else:
        table = resumed_table(resume, seat or [], seed, record)
    table.play()


@app.command()
def new(
    game: GameArgument,
    players: Players = None,
    seed: Seed = None,
    anti_blocking: AntiBlocking = False,
) -> None:
    """Print the record of a new game, before its first decision."""
    from parure.games.api import new
    from parure.games.record import encode

    state = new(game, players=players, seed=seed, options=_options(anti_blocking))
    typer.echo(encode(state.record()).decode(), nl=False)


@app.command()
def replay(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Records.")],
    legal: Annotated[
        bool, typer.Option("--legal", help="Print what is legal before each decision, as JSON.")
    ] = False,
    step: Annotated[
        bool, typer.Option("--step", help="Show the table at each decision, and wait.")
    ] = False,
) -> None:
    """Check recorded games and show them."""
    _start_quickly()
    from parure.terminal import replay

    if legal and step:
        raise typer.BadParameter("--legal and --step exclude each other")
    show = replay.legal if legal else replay.step if step else replay.story
    status = 0
    for file in files:
        try:
            show(file)
        except BrokenPipeError:
            raise
        except EXPECTED as error:
            _complain(error, about=file)
            status = 1
    raise typer.Exit(status)


@app.command()
def simulate(
    game: GameArgument,
    number: Annotated[int, typer.Option("-n", min=1, help="How many games.")] = 1000,
    players: Players = None,
    bot: Annotated[
        list[str] | None,
        typer.Option("--bot", "-b", metavar="BOT", help="One for all seats, or one for each."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same games.")] = 0,
    anti_blocking: AntiBlocking = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Processes at work.")] = 1,
    records: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Keep each game in a file of its own.")
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep the games in one file, a line each; .gz packs it."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Let bots play many games, and sum up how they ended."""
    from parure.terminal import record_writer as keeping
    from parure.terminal.simulate import Series, simulate

    if records and save:
        raise typer.BadParameter("--records and --save exclude each other")
    options = _options(anti_blocking)
    series = Series.of(game, players, options, bot or ["random"], seed, bool(records or save))
    keep = None
    if records:
        keep = keeping.in_folder(records, series.rules.label)
    elif save:
        keep = keeping.in_file(save)
    simulate(series, number, jobs, keep, as_json)


@app.command()
def bot(
    spec: Annotated[str, typer.Argument(metavar="BOT", help="The bot, as for --bot.")],
) -> None:
    """Serve a bot to another program, line by line over standard input and output."""
    from parure.bots.protocol_server import serve

    closed = io.BytesIO()  # in the place of a stream that was closed before
    serve(spec, getattr(sys.stdin, "buffer", closed), getattr(sys.stdout, "buffer", closed))


@app.command()
def arena(
    game: Annotated[
        str | None,
        typer.Argument(help="splendor, splendor-3, splendor-4, duel or duel+counterfeiters."),
    ] = None,
    bots: Annotated[
        list[str] | None, typer.Argument(metavar="BOT…", help="Two or more; all meet each other.")
    ] = None,
    number: Annotated[
        int, typer.Option("-n", min=1, help="Games of each pair, rounded up to whole sets.")
    ] = 200,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same deals.")] = 0,
    anti_blocking: AntiBlocking = False,
    until_sure: Annotated[
        bool, typer.Option("--until-sure", help="Stop once it is sure who is stronger.")
    ] = False,
    anchor: Annotated[
        str | None, typer.Option(metavar="BOT", help="The bot whose rating is 0.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="Games played at the same time.")
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Play on a Ray cluster; 'local' starts one here."),
    ] = None,
    game_timeout: Annotated[
        float | None,
        typer.Option(
            min=0.1,
            max=604_800,
            metavar="SECONDS",
            help="After which a game is lost; if not said, an hour.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FOLDER", help="Where all games are kept."),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Play nothing; tell what the games there say."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Let bots compete, and tell how strong they are. The same command goes on after a stop."""
    from parure.arena import command
    from parure.arena.plan import Plan
    from parure.arena.store import Asked, default_folder
    from parure.terminal.progress import progress

    if report is not None:
        if game or bots:
            raise typer.BadParameter("--report tells of a folder; it takes no game and no bots")
        command.report(report, anchor, as_json)
        return
    if game is None:
        raise typer.BadParameter("name a game and at least two bots")
    plan = Plan.of(game, bots or [], seed, _options(anti_blocking))
    if anchor is not None and anchor not in plan.bots:
        raise typer.BadParameter(f"the anchor {anchor!r} is none of the bots")
    if game_timeout is not None and isnan(game_timeout):
        raise typer.BadParameter("--game-timeout takes a number of seconds")
    folder = output or default_folder(plan)
    workers = partial(command.workers, jobs, game_timeout, ray)
    command.play(plan, folder, Asked(number, until_sure), workers, progress)
    command.report(folder, anchor, as_json)


@app.command()
def export(
    paths: Annotated[
        list[Path], typer.Argument(metavar="RECORDS…", help="Files of records, or folders of them.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="Where to write.")],
    part: Annotated[int, typer.Option(min=1, help="How many records go into one file.")] = 200,
) -> None:
    """Turn records into Parquet, one row for each decision; goes on if it was stopped."""
    from parure.envs.dataset import run

    raise typer.Exit(1 if run(paths, out, part) else 0)


@app.command()
def bench(
    seconds: Annotated[float, typer.Option(min=0, help="How long to measure each.")] = 1.0,
    as_json: AsJson = False,
) -> None:
    """Measure how fast the rules and environments play random games on one thread."""
    from importlib.util import find_spec

    from parure.envs.bench import measure, measure_batch
    from parure.terminal.bench import Measures, bench

    others: Measures = {"batch": measure_batch}
    if find_spec("gymnasium") and find_spec("pettingzoo"):
        others = {**others, "envs": measure}
    bench(seconds, as_json, others)


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen at.")] = None,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen at.")] = 8000,
    public_url: Annotated[
        str, typer.Option(help="How others reach the server: the links begin with it.")
    ] = "",
    database: Annotated[
        str | None, typer.Option(help="A SQLite file, or postgresql://…; if not said, your own.")
    ] = None,
    redis: Annotated[str, typer.Option(help="redis://…, needed with several workers.")] = "",
    workers: Annotated[int, typer.Option(min=1, help="Processes that serve.")] = 1,
    searches: Annotated[
        int | None, typer.Option(min=1, help="Bots that may think at once, in each worker.")
    ] = None,
    limits: Annotated[
        float, typer.Option(min=0, help="All rate limits times this; 0 switches them off.")
    ] = 1.0,
    bot_pause: Annotated[
        float, typer.Option(min=0, max=10, help="Seconds before a bot's decision is shown.")
    ] = 0.7,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Serve the table in the browser."""
    try:
        from parure.server.serve import serve
        from parure.server.settings import Settings
    except ModuleNotFoundError as error:
        raise ParureError(f"{error.name} is missing: pip install 'parure[server]'") from None

    given = {"host": host, "database": database, "searches": searches}
    settings = Settings(
        port=port,
        public_url=public_url,
        redis=redis,
        workers=workers,
        limits=limits,
        bot_pause=bot_pause,
        **{name: value for name, value in given.items() if value is not None},  # type: ignore[arg-type]
    )
    serve(settings, browser)


def _start_quickly() -> None:
    """Keep Numba from loading SciPy, where that is installed: a quarter of a second for nothing."""
    sys.modules.setdefault("scipy.linalg", None)  # type: ignore[arg-type]


def _options(anti_blocking: bool) -> dict[str, bool]:
    return {"anti-blocking": True} if anti_blocking else {}


def _complain(error: BaseException | str, about: Path | str | None = None) -> None:
    """Say what is wrong in one line on stderr, after all that was printed before."""
    what = str(error) or type(error).__name__
    if isinstance(error, OSError) and error.strerror:
        what, about = error.strerror, about or error.filename
    line = f"{about}: {what}" if about else what
    first_line = line.partition("\n")[0]
    typer.echo(f"parure: {printable(first_line)}", err=True)


def main() -> None:
    """Run the command line; what may go wrong becomes a line and a status other than 0."""
    sys.stdin = sys.stdin or io.StringIO()  # a stream that was closed before is None
    sys.stdout = sys.stdout or io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # not every terminal knows every sign
    status: str | int | None
    try:
        app()
    except SystemExit as end:
        status = end.code
        if status == INTERRUPTED:
            _complain("interrupted")
    except EXPECTED as error:
        status = 1
        _complain(error)
    try:
        sys.stdout.flush()
    except OSError as error:
        status = status or 1
        if not isinstance(error, BrokenPipeError):
            _complain(error, about="standard output")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing more to fail
    sys.exit(status)
