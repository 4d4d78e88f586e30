"""The page's TypeScript types are generated from the server's message types."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"
SOURCE = (WEB / "src" / "lib" / "messages.ts").read_text(encoding="utf-8")

pytestmark = pytest.mark.page


def interface(name: str) -> list[str]:
    """The lines of an interface, without doc comments."""
    _, _, rest = SOURCE.partition(f"export interface {name} ")
    body, _, _ = rest.partition("\n}\n")
    assert body, name
    return [line.strip() for line in body.splitlines()[1:] if not line.strip().startswith("/*")]


def test_the_types_are_current() -> None:
    program = [sys.executable, str(WEB / "generate_types.py"), "--check"]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_tag_is_a_literal() -> None:
    assert interface("Undo") == ['type: "undo";', "all?: boolean;"]
    assert 'kind: "splendor";' in interface("SplendorViewData")


def test_a_default_is_optional_in_what_the_page_sends() -> None:
    assert "name?: string;" in interface("NewPlayer")
    assert "is_repeated: boolean;" in interface("Done")


def test_what_is_left_out_is_optional_in_what_the_server_sends() -> None:
    assert "wins?: boolean;" in interface("DecisionPreview")
    assert "cards?: Record<string, Record<string, unknown>>;" in interface("ViewData")


def test_a_derived_field_is_always_there() -> None:
    assert "token_count: number;" in interface("PlayerData")


def test_comments_become_doc_comments() -> None:
    assert "/** One way to pay for a card. */\nexport interface Payment {" in SOURCE
    assert "  /** 0 for the top */\n  depth: number;" in SOURCE


def test_nothing_is_imported_from_elsewhere() -> None:
    """The page has no message types of its own."""
    assert not (WEB / "src" / "lib" / "wire.ts").exists()
    assert "unknown>" not in SOURCE.replace("Record<string, unknown>", "")
