"""The command line. It parses arguments and calls; each command imports what it needs."""

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
from parure.games.registry import GAMES, all_labels
from parure.train.command import app as train_app

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # importing rich takes longer than printing the help
)

app.add_typer(train_app, name="train")

EXPECTED_ERRORS = (ParureError, OSError, MemoryError)
INTERRUPTED = 130  # the exit status of shells and Typer after Ctrl-C


def _complete_game(incomplete: str) -> list[str]:
    return [game for game in GAMES if game.startswith(incomplete)]


def _complete_arena_game(incomplete: str) -> list[str]:
    return [game for game in dict.fromkeys((*GAMES, *all_labels())) if game.startswith(incomplete)]


def _complete_bot(incomplete: str) -> list[str]:
    from parure.bots.registry import known_names

    return [name for name in known_names() if name.startswith(incomplete)]


def _complete_player(incomplete: str) -> list[str]:
    humans = ["player"] if "player".startswith(incomplete) else []
    return [*humans, *_complete_bot(incomplete)]


GameArgument = Annotated[
    str,
    typer.Argument(help="splendor, duel or duel+counterfeiters.", autocompletion=_complete_game),
]
Players = Annotated[
    int | None, typer.Option("--players", "-p", help="Number of players of Splendor, 2 to 4.")
]
Seed = Annotated[int | None, typer.Option(help="Seed for reproducible random numbers.")]
AntiBlocking = Annotated[
    bool, typer.Option("--anti-blocking", help="Play Duel with the anti-blocking rule.")
]
Language = Annotated[str, typer.Option(help="Of the texts: en, fr or es.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def _print_version(is_requested: bool) -> None:
    if is_requested:
        from parure import __version__

        typer.echo(f"parure {__version__}")
        raise typer.Exit


@app.callback()
def parure(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Splendor, Splendor Duel and The Counterfeiters."""


@app.command()
def play(
    game: Annotated[
        str | None,
        typer.Argument(
            help="splendor, duel (the default) or duel+counterfeiters.",
            autocompletion=_complete_game,
        ),
    ] = None,
    players: Players = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            "-s",
            metavar="PLAYER",
            help="The player at seat 0, then 1, …: 'player' for a person, or a bot. "
            "Default: you, then bots.",
            autocompletion=_complete_player,
        ),
    ] = None,
    seed: Seed = None,
    anti_blocking: AntiBlocking = False,
    record: Annotated[Path | None, typer.Option(help="Save the game to this file.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Continue the game in this file.")] = None,
) -> None:
    """Play in the terminal, against bots or other people."""
    from parure.terminal.play import new_game, resume_game

    if resume is None:
        options = _options(anti_blocking)
        terminal_game = new_game(game or "duel", players, seat or [], seed, options, record)
    elif not resume.is_file():
        raise typer.BadParameter(f"there is no file {resume}", param_hint="--resume")
    elif game or players or anti_blocking:
        given = "the game" if game else "--players" if players else "--anti-blocking"
        raise typer.BadParameter(
            f"the file says what is played: leave out {given}", param_hint="--resume"
        )
    else:
        terminal_game = resume_game(resume, seat or [], seed, record)
    terminal_game.play()


@app.command()
def new(
    game: Annotated[
        str | None,
        typer.Argument(
            help="splendor, duel or duel+counterfeiters; not with --position.",
            autocompletion=_complete_game,
        ),
    ] = None,
    players: Players = None,
    seed: Seed = None,
    anti_blocking: AntiBlocking = False,
    position: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="Start from a position text; hidden cards of a view are dealt at random.",
        ),
    ] = None,
) -> None:
    """Print the record of a new game, before its first decision."""
    from parure.games.api import new
    from parure.games.record import encode

    if (game is None) == (position is None):
        raise typer.BadParameter("name a game, or give a --position")
    if position is not None:
        if anti_blocking:
            raise typer.BadParameter("--position names its own options")
        state = new(players=players, seed=seed, position=position)
    else:
        state = new(game or "", players=players, seed=seed, options=_options(anti_blocking))
    typer.echo(encode(state.record()).decode(), nl=False)


@app.command()
def show(
    source: Annotated[
        str,
        typer.Argument(
            metavar="TEXT|RECORD[:N]",
            help="A position text, or a record file and the number of decisions to play.",
        ),
    ],
    seat: Annotated[
        int | None, typer.Option("--seat", "-s", help="Show only what this seat may know.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show a position: the table, its text and the legal decisions."""
    _skip_scipy()
    from parure.terminal.show import find_position, print_json, print_position

    position = find_position(source, seat)
    if as_json:
        print_json(position)
    else:
        print_position(position)


@app.command()
def replay(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Record files.")],
    legal: Annotated[
        bool,
        typer.Option("--legal", help="Print the legal decisions before each decision, as JSON."),
    ] = False,
    step: Annotated[
        bool, typer.Option("--step", help="Show the table at each decision and wait for Enter.")
    ] = False,
) -> None:
    """Check recorded games and show them."""
    _skip_scipy()
    from parure.terminal.replay import print_decisions, print_legal, step_through

    if legal and step:
        raise typer.BadParameter("--legal and --step exclude each other")
    show = print_legal if legal else step_through if step else print_decisions
    status = 0
    for file in files:
        try:
            show(file)
        except BrokenPipeError:
            raise
        except EXPECTED_ERRORS as error:
            _print_error(error, subject=file)
            status = 1
    raise typer.Exit(status)


@app.command()
def analyse(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="TEXT|RECORD[:N]",
            help="A position text, or a record file and the number of decisions to play.",
        ),
    ] = None,
    budget: Annotated[
        str, typer.Option(help="Iterations of the search, 2000, or time, 1s.")
    ] = "2000",
    lines: Annotated[int, typer.Option(min=1, max=20, help="Number of decisions to show.")] = 3,
    seed: Seed = None,
    language: Language = "en",
    stream: Annotated[
        bool,
        typer.Option("--stream", help="Analyse for another program, over standard input."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say what a position is worth, and which decisions are best and why."""
    if stream:
        from parure.analysis.stream import serve

        if source is not None:
            raise typer.BadParameter("--stream reads positions from standard input")
        closed = io.BytesIO()  # replaces a stream that the caller closed
        serve(getattr(sys.stdin, "buffer", closed), getattr(sys.stdout, "buffer", closed))
        return
    if source is None:
        raise typer.BadParameter("name a position or a record")
    import msgspec

    from parure.analysis import analyse
    from parure.terminal.analysis import print_analysis
    from parure.terminal.show import find_position

    found = analyse(find_position(source), budget, lines, seed, language=language)
    if as_json:
        typer.echo(msgspec.json.encode(found).decode())
    else:
        print_analysis(found)


@app.command()
def review(
    files: Annotated[list[Path], typer.Argument(metavar="RECORD…", help="Record files.")],
    budget: Annotated[
        str, typer.Option(help="Of each decision: iterations, 2000, or time, 100ms.")
    ] = "2000",
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the review as a web page.")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Number of threads.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same review.")] = 0,
    language: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Say where played games were won and lost, what was better, and what was luck."""
    from parure.terminal.analysis import review_files

    review_files(files, budget, jobs, seed, language, as_json, html)


@app.command()
def simulate(
    game: GameArgument,
    number: Annotated[int, typer.Option("-n", min=1, help="Number of games.")] = 1000,
    players: Players = None,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            "--bot",
            "-b",
            metavar="BOT",
            help="One for all seats, or one for each.",
            autocompletion=_complete_bot,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same games.")] = 0,
    anti_blocking: AntiBlocking = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Number of processes.")] = 1,
    records: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write each game to a file in a folder.")
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write all games to one file, one per line; .gz is compressed.",
        ),
    ] = None,
    thoughts: Annotated[
        bool,
        typer.Option("--thoughts", help="Keep the visits and values of searches in the records."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Let bots play many games, and print a summary."""
    from parure.arena.command import simulate
    from parure.arena.record_writer import file_writer, folder_writer
    from parure.arena.simulation import Kept, Series
    from parure.terminal.progress import progress

    if records and save:
        raise typer.BadParameter("--records and --save exclude each other")
    if thoughts and not (records or save):
        raise typer.BadParameter("--thoughts are kept in records: add --save or --records")
    kept: Kept = "thoughts" if thoughts else "records" if records or save else "results"
    series = Series.create(game, bot or ["random"], players, seed, _options(anti_blocking), kept)
    writer = None
    if records:
        writer = folder_writer(records, series.rules.label)
    elif save:
        writer = file_writer(save)
    simulate(series, number, jobs, writer, as_json, progress)


@app.command()
def bot(
    spec: Annotated[
        str,
        typer.Argument(metavar="BOT", help="The bot, as for --bot.", autocompletion=_complete_bot),
    ],
) -> None:
    """Serve a bot to another program over standard input and output."""
    from parure.bots.protocol_server import serve

    closed = io.BytesIO()  # replaces a stream that the caller closed
    serve(spec, getattr(sys.stdin, "buffer", closed), getattr(sys.stdout, "buffer", closed))


@app.command()
def arena(
    game: Annotated[
        str | None,
        typer.Argument(
            help="splendor, splendor-3, splendor-4, duel or duel+counterfeiters.",
            autocompletion=_complete_arena_game,
        ),
    ] = None,
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOT…",
            help="Two or more; each meets every other.",
            autocompletion=_complete_bot,
        ),
    ] = None,
    number: Annotated[
        int, typer.Option("-n", min=1, help="Games of each pair, rounded up to whole sets.")
    ] = 200,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same deals.")] = 0,
    anti_blocking: AntiBlocking = False,
    until_sure: Annotated[
        bool,
        typer.Option("--until-sure", help="Stop as soon as it is clear which bot is stronger."),
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
            help="Time after which a game is stopped and lost; default one hour.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FOLDER", help="Store the games in this folder."),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Play nothing; report on the games in this folder."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Let bots compete, and rate them. Repeat the command to continue after a stop."""
    from parure.arena.command import play_tournament, report_tournament
    from parure.arena.participants import Participants
    from parure.arena.plan import Plan
    from parure.arena.processes import GAME_TIMEOUT
    from parure.arena.store import Request, default_folder
    from parure.arena.tournament import make_workers
    from parure.terminal.progress import progress

    if report is not None:
        if game or bots:
            raise typer.BadParameter("--report takes a folder, no game and no bots")
        report_tournament(report, anchor, as_json)
        return
    if game is None:
        raise typer.BadParameter("name a game and at least two bots")
    participants = Participants(bots or [])
    plan = Plan.create(game, participants, seed, _options(anti_blocking))
    if anchor is not None and anchor not in plan.bots:
        raise typer.BadParameter(f"the anchor {anchor!r} is not one of the bots")
    if game_timeout is not None and isnan(game_timeout):
        raise typer.BadParameter("--game-timeout takes a number of seconds")
    folder = output or default_folder(plan)
    workers = partial(make_workers, participants, jobs, ray, game_timeout or GAME_TIMEOUT)
    play_tournament(plan, participants, folder, Request(number, until_sure), workers, progress)
    report_tournament(folder, anchor, as_json)


@app.command()
def export(
    paths: Annotated[
        list[Path], typer.Argument(metavar="RECORDS…", help="Record files, or folders of them.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="Output folder.")],
    part: Annotated[int, typer.Option(min=1, help="Number of records in each output file.")] = 200,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Number of processes.")] = 1,
) -> None:
    """Convert records to Parquet, one row per decision. Continues if it was stopped."""
    from parure.envs.dataset import run

    raise typer.Exit(1 if run(paths, out, part, jobs) else 0)


@app.command()
def bench(
    seconds: Annotated[float, typer.Option(min=0, help="Duration of each measurement.")] = 1.0,
    as_json: AsJson = False,
) -> None:
    """Measure the speed of rules, search and environments."""
    from importlib.util import find_spec

    from parure.envs.bench import measure, measure_batch
    from parure.terminal.bench import Measurement, bench

    others: dict[str, Measurement] = {"batch": measure_batch}
    if find_spec("gymnasium") and find_spec("pettingzoo"):
        others["envs"] = measure
    bench(seconds, as_json, others)


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8000,
    public_url: Annotated[
        str, typer.Option(help="The address that others use: invitation links begin with it.")
    ] = "",
    database: Annotated[
        str | None,
        typer.Option(
            help="SQLite file or postgresql://…; default: a file in your data folder.",
            envvar="PARURE_DATABASE",
        ),
    ] = None,
    database_password_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File with the password of the database; "
            "or set the variable PARURE_DATABASE_PASSWORD.",
        ),
    ] = None,
    redis: Annotated[
        str, typer.Option(help="redis://…, needed with several workers.", envvar="PARURE_REDIS")
    ] = "",
    workers: Annotated[int, typer.Option(min=1, help="Number of server processes.")] = 1,
    searches: Annotated[
        int | None, typer.Option(min=1, help="Bots that may think at the same time, per worker.")
    ] = None,
    bot_memory: Annotated[
        int,
        typer.Option(min=16, help="Megabytes for the search trees of all bots, over all workers."),
    ] = 1024,
    limits: Annotated[
        float, typer.Option(min=0, help="Factor on all rate limits; 0 switches them off.")
    ] = 1.0,
    bot_pause: Annotated[
        float, typer.Option(min=0, max=10, help="Seconds before a bot's decision is shown.")
    ] = 0.7,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Serve the game in the browser."""
    try:
        from parure.server.serve import serve
        from parure.server.settings import (
            Settings,
            default_database,
            metrics_token,
            with_password,
        )
    except ModuleNotFoundError as error:
        raise ParureError(f"{error.name} is missing: pip install 'parure[server]'") from None

    database = with_password(database or default_database(), database_password_file)
    given = {"host": host, "database": database, "searches": searches}
    settings = Settings(
        metrics_token=metrics_token(),
        port=port,
        public_url=public_url,
        redis=redis,
        workers=workers,
        bot_memory=bot_memory,
        limits=limits,
        bot_pause=bot_pause,
        **{name: value for name, value in given.items() if value is not None},  # type: ignore[arg-type]
    )
    serve(settings, browser)


def _skip_scipy() -> None:
    """Keep Numba from importing SciPy, which takes a quarter of a second and is not needed."""
    sys.modules.setdefault("scipy.linalg", None)  # type: ignore[arg-type]


def _options(anti_blocking: bool) -> dict[str, bool]:
    return {"anti-blocking": True} if anti_blocking else {}


def _print_error(error: BaseException | str, subject: Path | str | None = None) -> None:
    """Print an error as one line on stderr."""
    message = str(error) or type(error).__name__
    if isinstance(error, OSError) and error.strerror:
        message, subject = error.strerror, subject or error.filename
    line = f"{subject}: {message}" if subject else message
    first_line = line.partition("\n")[0]
    typer.echo(f"parure: {printable(first_line)}", err=True)


def main() -> None:
    """Run the command line; expected errors become one line on stderr and a nonzero status."""
    sys.stdin = sys.stdin or io.StringIO()  # a stream that the caller closed is None
    sys.stdout = sys.stdout or io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # not every terminal can encode every character
    status: str | int | None
    try:
        app()
    except SystemExit as end:
        status = end.code
        if status == INTERRUPTED:
            _print_error("interrupted")
    except EXPECTED_ERRORS as error:
        status = 1
        _print_error(error)
    try:
        sys.stdout.flush()
    except OSError as error:
        status = status or 1
        if not isinstance(error, BrokenPipeError):
            _print_error(error, subject="standard output")
        # so that the interpreter's own flush at exit does not fail again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)
