"""A program that answers each line it receives with a line, and can neither block nor flood us.

One loop serves its three pipes: a request is written while answers and messages on stderr are
read, so that no pipe fills up unnoticed. POSIX only.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from time import monotonic
from typing import IO
from weakref import WeakSet

from parure.bots.base import BotFailure, BotTimeout
from parure.bots.protocol import MAX_LINE_BYTES, excerpt

CHUNK_BYTES = 1 << 16
STDERR_TAIL_BYTES = 4096  # kept for error messages
QUIT_SECONDS = 1.0  # between the request to quit and the kill

_running: WeakSet[Process] = WeakSet()


def kill_all() -> None:
    """Kill all programs that still run, for a process that is about to end."""
    for process in list(_running):
        process.kill()


class Process:
    """A running program, in a process group of its own.

    Args:
        command: The program and its arguments.
        quit_line: What is written to the program when it shall end.
        clock: Returns the time in seconds, for the limit of an answer; tests pass their own.
    """

    def __init__(
        self,
        command: list[str],
        quit_line: bytes = b"",
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._quit_line = quit_line
        self._clock = clock
        try:
            self._popen = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise BotFailure(f"cannot be started: {error.strerror}") from None
        self._stdin = _set_nonblocking(self._popen.stdin)
        self._stdout = _set_nonblocking(self._popen.stdout)
        self._stderr = _set_nonblocking(self._popen.stderr)
        self._open = {self._stdout, self._stderr}
        self._received = b""  # read from stdout and not returned yet
        self._stderr_tail = b""
        self._is_ended = False
        _running.add(self)

    def ask(self, line: bytes, seconds: float, limit_text: str = "") -> bytes:
        """Write a line and return the line that answers it.

        Args:
            line: The request, with its newline.
            seconds: The time limit.
            limit_text: What the error names as the limit, if not the seconds.

        Raises:
            BotTimeout: No answer comes in time.
            BotFailure: The program ends, or writes too much or at the wrong moment.
        """
        start = self._clock()
        self._read_pending()
        if self._received:
            raise BotFailure("wrote a line that was not requested")
        unsent, stderr_bytes = line, 0
        while b"\n" not in self._received:
            left = start + seconds - self._clock()
            if left <= 0:
                limit = limit_text or f"{seconds:.3g} s"
                raise BotTimeout(f"took more than {limit}{self._stderr_note()}")
            if self._stdout not in self._open:
                raise BotFailure(self._describe_end())
            for pipe in self._ready_pipes(left, is_writing=bool(unsent)):
                if pipe == self._stdin:
                    unsent = self._write(unsent)
                elif pipe == self._stderr:
                    stderr_bytes += self._read_stderr()
                else:
                    self._received += self._read(pipe)
            if len(self._received) > MAX_LINE_BYTES:
                raise BotFailure(f"wrote more than {MAX_LINE_BYTES:,} bytes for one answer")
            if stderr_bytes > MAX_LINE_BYTES:
                raise BotFailure(f"wrote more than {MAX_LINE_BYTES:,} bytes to stderr at once")
        answer, _, self._received = self._received.partition(b"\n")
        return answer

    def end(self) -> None:
        """Ask the program to quit; after a second kill it with all processes it has started."""
        if self._is_ended:
            return
        self._is_ended = True
        with suppress(OSError):
            os.write(self._stdin, self._quit_line)
        _close(self._popen.stdin)
        self._wait_for_end(QUIT_SECONDS)
        self.kill()
        _running.discard(self)
        _close(self._popen.stdout)
        _close(self._popen.stderr)

    # --- pipes ------------------------------------------------------------------------------------

    def _ready_pipes(self, seconds: float, is_writing: bool = False) -> list[int]:
        """Return the pipes that can be read or written, after at most some seconds."""
        with DefaultSelector() as selector:
            for pipe in self._open:
                selector.register(pipe, EVENT_READ)
            if is_writing:
                selector.register(self._stdin, EVENT_WRITE)
            return [key.fd for key, _ in selector.select(seconds)]

    def _read(self, pipe: int) -> bytes:
        """Return what can be read without waiting; forget the pipe at its end."""
        try:
            data = os.read(pipe, CHUNK_BYTES)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._open.discard(pipe)
        return data

    def _read_stderr(self) -> int:
        """Read stderr, keep the end of it, and return the number of bytes."""
        data = self._read(self._stderr)
        self._stderr_tail = (self._stderr_tail + data)[-STDERR_TAIL_BYTES:]
        return len(data)

    def _write(self, data: bytes) -> bytes:
        """Write what the pipe takes and return the rest."""
        try:
            return data[os.write(self._stdin, data) :]
        except BlockingIOError:
            return data
        except OSError:
            return b""  # the program has ended: reading from it will tell

    def _read_pending(self) -> None:
        """Read what the program has already written."""
        for pipe in self._ready_pipes(0):
            if pipe == self._stderr:
                self._read_stderr()
            else:
                self._received += self._read(pipe)

    # --- end of the program -----------------------------------------------------------------------

    def _describe_end(self) -> str:
        """Return why no answer will come."""
        self._wait_for_end(QUIT_SECONDS)
        status = self.kill()
        if status == -signal.SIGKILL:
            reason = "closed its output or was killed"
        elif status < 0:
            reason = f"was ended by signal {-status}"
        else:
            reason = f"ended with status {status}"
        return reason + self._stderr_note()

    def _wait_for_end(self, seconds: float) -> None:
        """Read until the program has closed its pipes, which it does by ending."""
        deadline = monotonic() + seconds
        while self._open and (left := deadline - monotonic()) > 0:
            for pipe in self._ready_pipes(left):
                if pipe == self._stderr:
                    self._read_stderr()
                else:
                    self._read(pipe)

    def kill(self) -> int:
        """Kill the process group and return the exit status of the program.

        The program has not been waited for before, so its id still names its group.
        """
        if self._popen.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, signal.SIGKILL)
        return self._popen.wait()

    def _stderr_note(self) -> str:
        """Return the last line on stderr as an addition to an error message."""
        lines = self._stderr_tail.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f"; its last line on stderr: {excerpt(last)}" if last else ""


def _set_nonblocking(stream: IO[bytes] | None) -> int:
    """Make a pipe non-blocking and return its file descriptor."""
    assert stream is not None
    os.set_blocking(stream.fileno(), False)
    return stream.fileno()


def _close(stream: IO[bytes] | None) -> None:
    assert stream is not None
    with suppress(OSError):
        stream.close()
