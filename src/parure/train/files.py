"""The folders and networks that training reads."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from parure.atomic_write import DRAFT_SUFFIX
from parure.bots.network.weights import load_parameters
from parure.errors import ParureError
from parure.file_lock import lock_folder
from parure.games.rules import Rules


def open_folder(folder: Path, settings: str, content: str) -> IO[bytes]:
    """Create a folder if necessary, and lock it until the returned file is closed.

    Args:
        folder: The folder.
        settings: The name of the file that says what the folder is for.
        content: What the folder is for, in a message.

    Raises:
        ParureError: Another process uses the folder, or it is for something else.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = lock_folder(folder)
    known = (".lock", settings, settings + DRAFT_SUFFIX)
    if not (folder / settings).exists() and any(
        path.name not in known for path in folder.iterdir()
    ):
        lock.close()
        raise ParureError(f"{folder} is not empty and holds no {content}: choose another folder")
    return lock


def read_network(path: Path, rules: Rules) -> bytes:
    """Return the content of a file of weights; ParureError if it is not one of this game."""
    load_parameters(path, rules)
    return path.read_bytes()
