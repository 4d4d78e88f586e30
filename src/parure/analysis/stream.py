"""Analyse positions for another program: `parure analyse --stream`.

The lines are those of the bot protocol, with the requests `analyse` and `stop`;
docs/reference/bot-protocol.md, "Analysis", specifies them. Only lines of the protocol are written
to the output.
"""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from threading import Event, Lock, Thread
from typing import Annotated, Any, BinaryIO, TypeAlias

import msgspec

from parure.analysis.analyse import Analysis, analyse
from parure.bots.base import Budget
from parure.bots.protocol import (
    MAX_LINE_BYTES,
    PROTOCOL_VERSION,
    Error,
    Hello,
    Message,
    Quit,
    TimeBudget,
    encode,
    excerpt,
)
from parure.errors import NotationError, ParureError
from parure.games.api import position as position_of
from parure.games.position import Position
from parure.games.view_parser import parse_view

NAME = "parure analyse"


class Analyse(Message, tag="analyse"):
    """Analyse a position; one that is being analysed is stopped first."""

    position: Any  # a position text, or a view as data
    budget: TimeBudget | None = None  # null: until `stop`
    lines: Annotated[int, msgspec.Meta(ge=1)] = 3
    seed: int | None = None
    language: str = "en"
    id: str = ""  # is repeated in the answers


class Stop(Message, tag="stop"):
    """Stop; the analysis so far is the answer."""


class Info(Message, tag="info"):
    """What is known so far."""

    id: str
    analysis: Analysis


class Done(Message, tag="analysis"):
    """The analysis is over."""

    id: str
    analysis: Analysis


AnalysisRequest: TypeAlias = Hello | Analyse | Stop | Quit
_decoder = msgspec.json.Decoder(AnalysisRequest)


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until `quit` or the end of the input.

    At the end of the input an analysis with a budget is finished, and one without is stopped.
    """
    server = AnalysisServer(answers)
    with redirect_stdout(sys.stderr):
        while line := requests.readline(MAX_LINE_BYTES + 1):
            if line.strip() and not server.handle(line):
                return
            while len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
                line = requests.readline(MAX_LINE_BYTES + 1)  # the rest of a line that is too long
        server.finish()


class AnalysisServer:
    """Runs one analysis at a time in a thread, while requests are read."""

    def __init__(self, answers: BinaryIO) -> None:
        self._answers = answers
        self._writing = Lock()
        self._stop = Event()
        self._thread: Thread | None = None
        self._has_budget = True

    def handle(self, line: bytes) -> bool:
        """Answer a request; return False if it was the last one."""
        try:
            request = _decode(line)
            if isinstance(request, Hello):
                self._greet(request)
            elif isinstance(request, Analyse):
                self.stop()
                self._start(request)
            else:
                self.stop()
            return not isinstance(request, Quit)
        except ParureError as error:
            self._write(Error(reason=excerpt(str(error).partition("\n")[0])))
            return True

    def stop(self) -> None:
        """Stop the analysis that runs, if one does, and wait until its answer is written."""
        self._stop.set()
        self._join()

    def finish(self) -> None:
        """Wait for an analysis with a budget; stop one without."""
        if not self._has_budget:
            self._stop.set()
        self._join()

    def _join(self) -> None:
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _greet(self, request: Hello) -> None:
        if request.protocol != PROTOCOL_VERSION:
            raise NotationError(
                f"this is version {PROTOCOL_VERSION} of the protocol, not {request.protocol}"
            )
        self._write(Hello(protocol=PROTOCOL_VERSION, name=NAME))

    def _start(self, request: Analyse) -> None:
        position = _position(request.position)
        self._stop.clear()
        self._has_budget = _budget(request) is not None
        self._thread = Thread(target=self._run, args=(request, position), daemon=True)
        self._thread.start()

    def _run(self, request: Analyse, position: Position) -> None:
        def watch(analysis: Analysis) -> bool:
            if self._stop.is_set():
                return False
            self._write(Info(request.id, analysis))
            return True

        try:
            found = analyse(
                position,
                _budget(request),
                request.lines,
                request.seed,
                watch,
                request.language,
                is_wanted=lambda: not self._stop.is_set(),
            )
            self._write(Done(request.id, found))
        except ParureError as error:
            self._write(Error(reason=excerpt(str(error).partition("\n")[0])))

    def _write(self, message: Message) -> None:
        with self._writing:
            self._answers.write(encode(message))
            self._answers.flush()


def _decode(line: bytes) -> AnalysisRequest:
    if len(line) > MAX_LINE_BYTES:
        raise NotationError(f"the line is longer than {MAX_LINE_BYTES:,} bytes")
    try:
        request: AnalysisRequest = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise NotationError(f"not a request: {excerpt(str(error))}") from None
    return request


def _position(source: object) -> Position:
    return position_of(source) if isinstance(source, str) else parse_view(source)


def _budget(request: Analyse) -> Budget | None:
    limit = request.budget
    if limit is None or (limit.seconds is None and limit.iterations is None):
        return None
    return Budget(limit.seconds, limit.iterations)
