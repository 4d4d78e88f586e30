"""Keep two processes from working in the same folder."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import IO

from parure.errors import ParureError

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows
    fcntl = None


def lock_folder(folder: Path) -> IO[bytes]:
    """Lock a folder until the returned file is closed or the process ends.

    Raises:
        ParureError: Another process holds the lock.
    """
    lock = (folder / ".lock").open("wb")
    if fcntl is not None:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise ParureError(f"{folder} is in use by another process") from None
    return lock
