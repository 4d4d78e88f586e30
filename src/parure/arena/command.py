"""The commands `parure arena` and `parure simulate`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from pathlib import Path
from time import perf_counter
from typing import TypeAlias

import msgspec

from parure.arena.html_report import html_report
from parure.arena.participants import Participants
from parure.arena.plan import Plan
from parure.arena.processes import Workers
from parure.arena.record_writer import RecordWriter
from parure.arena.report import pair_summary, print_report, summary
from parure.arena.simulation import Series, play_series
from parure.arena.standings import Standings
from parure.arena.store import Request, Store, read_games, read_plan, read_request
from parure.arena.tournament import Tournament
from parure.atomic_write import write_atomically
from parure.errors import NotationError, ParureError, printable

Progress: TypeAlias = Callable[[int, int], AbstractContextManager[Callable[[int], object]]]
"""Shows progress, given the total and the number done; yields a function that advances it."""


def play_tournament(
    plan: Plan,
    participants: Participants,
    folder: Path,
    request: Request,
    make_workers: Callable[[], Workers],
    progress: Progress,
) -> None:
    """Play the missing games of a tournament and report progress on stderr."""
    with closing(Store(folder, plan, request)) as store:
        tournament = Tournament(store)
        done, total = tournament.done, tournament.total
        already = f", {done:,} of {total:,} already" if done else ""
        _log(f"games are stored in {folder}{already}")
        if tournament.standings.is_complete:
            return
        participants.warm_up(plan.rules)
        with closing(make_workers()) as workers:
            try:
                with progress(total, done) as advance:
                    tournament.play(workers, advance)
            except (KeyboardInterrupt, OSError, ParureError):
                _log(
                    f"stopped; {tournament.done:,} of {total:,} games are stored in {folder}; "
                    "repeat the command to continue"
                )
                raise


def simulate(
    series: Series,
    games: int,
    jobs: int,
    write_records: RecordWriter | None,
    as_json: bool,
    progress: Progress,
) -> None:
    """Play games between bots and print the summary."""
    series.warm_up()
    done, start = 0, perf_counter()

    def count(games: int) -> None:
        nonlocal done
        done += games
        advance(games)

    try:
        with progress(games, 0) as advance:
            tally = play_series(series, games, jobs, write_records, count)
    except (KeyboardInterrupt, OSError):
        _log(f"stopped after {done:,} games")
        raise
    seconds = perf_counter() - start
    if as_json:
        summary = {"game": series.game, "bots": series.lineup, **tally.summary()}
        sys.stdout.write(json.dumps(summary, indent=2) + "\n")
    else:
        title = printable(f"{series.rules.label}: {' against '.join(series.lineup)}")
        sys.stdout.write(f"{title}\n\n{tally}\n\n")
        sys.stdout.write(f"{seconds:.1f} s, {games / seconds:,.0f} games per second\n")


def report_tournament(folder: Path, anchor_bot: str | None, as_json: bool) -> None:
    """Print the results of the games in a folder, and write report.json and report.html there."""
    plan, request = read_plan(folder), read_request(folder)
    if anchor_bot is not None and anchor_bot not in plan.bots:
        raise NotationError(f"the anchor {anchor_bot[:40]!r} is not one of the bots that played")
    anchor = None if anchor_bot is None else plan.bots.index(anchor_bot)
    sets = plan.sets_for(request.games)
    standings = Standings(plan, sets, request.until_sure, read_games(folder))
    content = summary(standings, anchor)
    if request.until_sure:
        _log_test_results(standings)
    if as_json:
        is_single_pair = len(standings.pairs) == 1
        printed = pair_summary(standings.pairs[0]) if is_single_pair else content
        sys.stdout.write(json.dumps(printed) + "\n")
    else:
        print_report(standings, anchor)
    as_bytes = msgspec.json.format(msgspec.json.encode(content)) + b"\n"
    write_atomically(folder / "report.json", as_bytes)
    write_atomically(folder / "report.html", html_report(standings, anchor).encode())
    if not as_json:
        _log(f"report with charts: {folder / 'report.html'}")


def _log_test_results(standings: Standings) -> None:
    for pair in standings.pairs:
        result = f"{pair.stronger} is stronger (95 % sure)" if pair.stronger else "not sure"
        _log(f"{pair.a} against {pair.b}: {result} after {len(pair.games):,} games")


def _log(line: str) -> None:
    sys.stderr.write(f"parure: {printable(line)}\n")
