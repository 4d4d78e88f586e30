"""The engine of the analysis board: an analysis in the bot pool whose reports are streamed.

A stream ends when its budget is used or its client is gone. Nothing is kept afterwards.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from random import Random

import msgspec

from parure.analysis import Analysis, Choice, analyse, in_all_languages
from parure.bots import Answer, Budget
from parure.errors import ParureError
from parure.games.view import View
from parure.server.analysis_models import EngineChoice, EngineReport
from parure.server.bot_pool import MAX_ITERATIONS, MAX_SECONDS, BotPool, StoppableBot

BUDGET = Budget(MAX_SECONDS, MAX_ITERATIONS)
FAILED = "the analysis failed"


class EngineBot(StoppableBot):
    """Analyses a position, from any seat's knowledge, and reports while it does."""

    def __init__(self, lines: int, report: Callable[[EngineReport], object]) -> None:
        self._lines = lines
        self._report = report

    def decide(self, view: View, rng: Random | None = None, budget: Budget | None = None) -> Answer:
        """Analyse; unlike other bots also for a viewer who is not to move."""
        seed = (rng or Random()).getrandbits(32)

        def watch(found: Analysis) -> None:
            self._report(report_of(view.seats, found, is_final=False))

        found = analyse(
            view,
            budget or BUDGET,
            self._lines,
            seed,
            watch,
            is_wanted=self._is_wanted,
            memory_limit=self.memory_limit,
        )
        self._report(report_of(view.seats, found, is_final=True))
        return Answer(found.choices[0].decision if found.choices else "")


def report_of(seats: int, found: Analysis, is_final: bool) -> EngineReport:
    """Return an analysis as a report."""
    return EngineReport(
        values=list(found.values),
        choices=[_choice(seats, choice) for choice in found.choices],
        iterations=found.iterations,
        is_exact=found.is_exact,
        is_final=is_final,
    )


def _choice(seats: int, choice: Choice) -> EngineChoice:
    return EngineChoice(
        decision=choice.decision,
        share=choice.share,
        values=list(choice.values),
        line=list(choice.line),
        words=in_all_languages(choice.reasons, seats),
    )


async def engine_lines(
    pool: BotPool, view: View, lines: int, address: str, close: Callable[[], None]
) -> AsyncIterator[bytes]:
    """Yield the reports of an analysis, one JSON object per line; stop it if not read to the end.

    Args:
        pool: Where the analysis takes its turn.
        view: What is known.
        lines: The number of decisions to report.
        address: Of the client.
        close: Called when the stream has ended.
    """
    reports: asyncio.Queue[EngineReport] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def replace_report(report: EngineReport) -> None:
        """Keep the newest report only: a client that reads slowly must not fill the memory."""
        while not reports.empty():
            reports.get_nowait()
        reports.put_nowait(report)

    bot = EngineBot(lines, lambda report: loop.call_soon_threadsafe(replace_report, report))

    async def run() -> None:
        try:
            await pool.analyse(bot, view, address)
        except ParureError as error:
            replace_report(_failure(str(error).partition("\n")[0]))
        except Exception:
            replace_report(_failure(FAILED))
            raise

    task = asyncio.create_task(run())
    try:
        while True:
            report = await reports.get()
            yield msgspec.json.encode(report) + b"\n"
            if report.is_final:
                break
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await task
        pool.forget(bot)
        close()


def _failure(reason: str) -> EngineReport:
    return EngineReport([], [], 0, is_exact=False, is_final=True, error=reason)
