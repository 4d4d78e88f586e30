"""A program that is asked a line and answers a line, and can neither block nor flood the asker.

Everything happens in one loop over its three pipes: a request is written while answers and
complaints are read, so no pipe can fill up unseen. POSIX only.
"""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from time import monotonic
from typing import IO
from weakref import WeakSet

from parure.bots.base import BotFailure, BotTimeout
from parure.bots.protocol import LONGEST_LINE, excerpt

CHUNK = 1 << 16
POLITE_SECONDS = 1.0  # from being asked to quit to being killed
LAST_WORDS = 4096  # bytes of stderr that are kept

_running: WeakSet[Process] = WeakSet()


def kill_all() -> None:
    """Kill all programs that still run: whoever asked them is about to end."""
    for process in list(_running):
        process.kill()


class Process:
    """A running program, in a process group of its own."""

    def __init__(self, command: list[str], farewell: bytes = b"") -> None:
        self._farewell = farewell
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
        self._stdin = _unblocked(self._popen.stdin)
        self._stdout = _unblocked(self._popen.stdout)
        self._stderr = _unblocked(self._popen.stderr)
        self._open = {self._stdout, self._stderr}
        self._said = b""  # by the program, and not yet asked for
        self._words = b""  # the end of what it wrote to stderr
        self._is_ended = False
        _running.add(self)

    def ask(self, line: bytes, seconds: float, what_for: str = "") -> bytes:
        """The line that answers a line; BotFailure if none comes in time.

        `what_for` says in that failure what took too long, where it is more than this answer.
        """
        start = monotonic()
        self._read_now()
        if self._said:
            raise BotFailure("spoke without being asked")
        unsent, heard = line, 0
        while b"\n" not in self._said:
            left = start + seconds - monotonic()
            if left <= 0:
                too_long = what_for or f"{seconds:.3g} s"
                raise BotTimeout(f"took more than {too_long}{self._last_words()}")
            if self._stdout not in self._open:
                raise BotFailure(self._how_it_ended())
            for pipe in self._pipes_ready(left, is_writing=bool(unsent)):
                if pipe == self._stdin:
                    unsent = self._write(unsent)
                elif pipe == self._stderr:
                    heard += self._hear()
                else:
                    self._said += self._read(pipe)
            if len(self._said) > LONGEST_LINE:
                raise BotFailure(f"wrote more than {LONGEST_LINE:,} bytes for one answer")
            if heard > LONGEST_LINE:
                raise BotFailure(f"wrote more than {LONGEST_LINE:,} bytes to stderr at once")
        answer, _, self._said = self._said.partition(b"\n")
        return answer

    def end(self) -> None:
        """Ask the program to quit; after a moment kill it and whatever it has started."""
        if self._is_ended:
            return
        self._is_ended = True
        with suppress(OSError):
            os.write(self._stdin, self._farewell)
        _close(self._popen.stdin)
        self._wait_for_end(POLITE_SECONDS)
        self.kill()
        _running.discard(self)
        _close(self._popen.stdout)
        _close(self._popen.stderr)

    # --- pipes ------------------------------------------------------------------------------------

    def _pipes_ready(self, seconds: float, is_writing: bool = False) -> list[int]:
        """The pipes that can be read, or written to, within some seconds."""
        with DefaultSelector() as selector:
            for pipe in self._open:
                selector.register(pipe, EVENT_READ)
            if is_writing:
                selector.register(self._stdin, EVENT_WRITE)
            return [key.fd for key, _ in selector.select(seconds)]

    def _read(self, pipe: int) -> bytes:
        """What can be read at once; the pipe is closed where nothing more will come."""
        try:
            data = os.read(pipe, CHUNK)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._open.discard(pipe)
        return data

    def _hear(self) -> int:
        """Read stderr and keep its end; gives how much there was."""
        data = self._read(self._stderr)
        self._words = (self._words + data)[-LAST_WORDS:]
        return len(data)

    def _write(self, data: bytes) -> bytes:
        """Write what fits; gives the rest, which is nothing once nobody reads any more."""
        try:
            return data[os.write(self._stdin, data) :]
        except BlockingIOError:
            return data
        except OSError:
            return b""  # it has ended: its output will say so

    def _read_now(self) -> None:
        """Read what has been waiting, without waiting for more."""
        for pipe in self._pipes_ready(0):
            if pipe == self._stderr:
                self._hear()
            else:
                self._said += self._read(pipe)

    # --- the end ----------------------------------------------------------------------------------

    def _how_it_ended(self) -> str:
        """Why no answer will come, with the last words of the program."""
        self._wait_for_end(POLITE_SECONDS)
        status = self.kill()
        if status == -signal.SIGKILL:
            how = "closed its output or was killed"
        elif status < 0:
            how = f"was ended by signal {-status}"
        else:
            how = f"ended with status {status}"
        return how + self._last_words()

    def _wait_for_end(self, seconds: float) -> None:
        """Read on until the program has closed its pipes, as it does by ending."""
        until = monotonic() + seconds
        while self._open and (left := until - monotonic()) > 0:
            for pipe in self._pipes_ready(left):
                if pipe == self._stderr:
                    self._hear()
                else:
                    self._read(pipe)

    def kill(self) -> int:
        """Kill the whole group, and give the status with which the program ended.

        The program is not waited for before, so its number still belongs to its group.
        """
        if self._popen.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, signal.SIGKILL)
        return self._popen.wait()

    def _last_words(self) -> str:
        """The last line on stderr, if there was one."""
        lines = self._words.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f"; its last words: {excerpt(last)}" if last else ""


def _unblocked(stream: IO[bytes] | None) -> int:
    """The number of a pipe that from now on is read or written only as far as it goes."""
    assert stream is not None
    os.set_blocking(stream.fileno(), False)
    return stream.fileno()


def _close(stream: IO[bytes] | None) -> None:
    assert stream is not None
    with suppress(OSError):
        stream.close()
