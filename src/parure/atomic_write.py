"""Replace files as a whole: a reader sees the old content or the new, never a part of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path

DRAFT_SUFFIX = ".part"  # of a draft; one remains where a process was killed


@contextmanager
def atomic_replacement(path: str | PathLike[str]) -> Iterator[Path]:
    """Yield the path of a draft in the same folder; it replaces `path` if the block succeeds.

    If the block or the replacement fails, the draft is removed and `path` is left as it was. An
    `OSError` about the draft names `path` instead.
    """
    target = Path(path)
    draft = target.with_name(target.name + DRAFT_SUFFIX)
    try:
        yield draft
        draft.replace(target)
    except OSError as error:
        if error.filename == str(draft):
            raise OSError(error.errno, error.strerror, str(target)) from None
        raise
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def write_atomically(path: str | PathLike[str], content: bytes) -> None:
    """Write a file as a whole; if that fails, the previous content is kept."""
    with atomic_replacement(path) as draft:
        draft.write_bytes(content)
