"""Files are replaced as a whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from parure.atomic_write import atomic_replacement, write_atomically


def test_the_content_is_replaced_and_no_draft_remains(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    for content in (b"old", b"new"):
        write_atomically(path, content)
        assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_block_keeps_the_previous_content(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    write_atomically(path, b"old")

    def write_half() -> None:
        with atomic_replacement(path) as draft:
            draft.write_bytes(b"new")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_half()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_names_the_target(tmp_path: Path) -> None:
    target = tmp_path / "missing" / "file.json"
    with pytest.raises(FileNotFoundError) as caught:
        write_atomically(target, b"content")
    assert caught.value.filename == str(target)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_keeps_the_previous_content(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    write_atomically(path, b"old")
    (tmp_path / "file.json.part").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
