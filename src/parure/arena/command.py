"""What `parure arena` does and says."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import TypeAlias

import msgspec

from parure.arena.cluster import Cluster
from parure.arena.game import play_game
from parure.arena.html_report import page
from parure.arena.plan import Plan
from parure.arena.processes import GAME_TIMEOUT, Processes, Workers
from parure.arena.report import pair_summary, show, summary
from parure.arena.standings import Standings
from parure.arena.store import Asked, Store, read_asked, read_games, read_plan
from parure.arena.tournament import Tournament
from parure.atomic_write import write_atomically
from parure.bots.match_loop import prepare
from parure.errors import NotationError, ParureError, printable

Progress: TypeAlias = Callable[[int, int], AbstractContextManager[Callable[[int], object]]]
"""Shows that so many games are to be played and so many are; gives what moves that on."""


def workers(jobs: int | None, game_timeout: float | None, ray: str | None) -> Workers:
    """Who plays the games: processes of this machine, one if not said, or a Ray cluster."""
    limit = game_timeout or GAME_TIMEOUT
    return Cluster(ray, jobs, limit) if ray else Processes(jobs or 1, limit)


def play(
    plan: Plan,
    folder: Path,
    asked: Asked,
    by: Callable[[], Workers],
    progress: Progress,
) -> None:
    """Play what is left of a tournament; what is played is kept whatever happens."""
    with closing(Store(folder, plan, asked)) as store:
        tournament = Tournament(store)
        kept = f", {tournament.done:,} of {tournament.total:,} already" if tournament.done else ""
        _tell(f"the games are kept in {folder}{kept}")
        if tournament.standings.is_complete:
            return
        _compile(plan)
        with closing(by()) as players:
            try:
                with progress(tournament.total, tournament.done) as watch:
                    tournament.play(players, watch)
            except (KeyboardInterrupt, OSError, ParureError):
                kept = f"{tournament.done:,} of {tournament.total:,} games are kept in {folder}"
                _tell(f"stopped; {kept}; the same command goes on from there")
                raise


def report(folder: Path, anchor_bot: str | None, as_json: bool) -> None:
    """Print what the games in a folder say, and write its page."""
    plan, asked = read_plan(folder), read_asked(folder)
    if anchor_bot is not None and anchor_bot not in plan.bots:
        raise NotationError(f"the anchor {anchor_bot[:40]!r} is none of the bots that played")
    anchor = None if anchor_bot is None else plan.bots.index(anchor_bot)
    sets = plan.sets(asked.games)
    standings = Standings(plan, sets, asked.until_sure, read_games(folder))
    told = summary(standings, anchor)
    if asked.until_sure:
        _tell_sureness(standings)
    if as_json:
        only = standings.pairs[0] if len(standings.pairs) == 1 else None
        sys.stdout.write(json.dumps(pair_summary(only) if only else told) + "\n")
    else:
        show(standings, anchor)
    write_atomically(folder / "report.json", msgspec.json.format(msgspec.json.encode(told)) + b"\n")
    write_atomically(folder / "report.html", page(standings, anchor).encode())
    if not as_json:
        _tell(f"a page with charts: {folder / 'report.html'}")


def _compile(plan: Plan) -> None:
    """Have rules and bots compiled here, if need be, and not by every process at the same time."""
    harmless = Plan.of(plan.rules.label, ["random", "random"], 0, plan.options)
    play_game(harmless.set_of(0, 0)[0], lambda _seat, _decisions: None)
    for spec in dict.fromkeys(plan.bots):
        prepare(spec, plan.rules)


def _tell_sureness(standings: Standings) -> None:
    for pair in standings.pairs:
        found = f"sure at 95 % that {pair.stronger} is stronger" if pair.stronger else "not sure"
        _tell(f"{pair.a} against {pair.b}: {found} after {len(pair.games):,} games")


def _tell(line: str) -> None:
    sys.stderr.write(f"parure: {printable(line)}\n")
