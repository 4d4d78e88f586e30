"""Every citation of a rule leads to a section, and to an item, that exists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RULES = ROOT / "docs" / "rules"
CITATION = re.compile(r'docs/rules/([\w-]+\.md)(?:, "([^"]+)"(?:, (\d+))?)?')
HEADING = re.compile(r"^(#+) (.+)$", re.M)
COMMENT_BREAK = re.compile(r"\s*\n\s*(?:#\s*)?")  # a citation may continue on the next line


def sources() -> Iterator[Path]:
    for folder in ("src", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            if path != Path(__file__):
                yield path


def citations(path: Path) -> list[tuple[str, str, str]]:
    """Return page, section and item number (empty texts where missing) of each citation."""
    return CITATION.findall(COMMENT_BREAK.sub(" ", path.read_text("utf-8")))


def section(page: str, title: str) -> str | None:
    """Return the text of a section, its subsections included, or None if there is none."""
    text = (RULES / page).read_text("utf-8")
    for heading in HEADING.finditer(text):
        if heading[2] == title:
            rest = text[heading.end() :]
            end = re.search(rf"^#{{1,{len(heading[1])}}} ", rest, re.M)
            return rest[: end.start()] if end else rest
    return None


def problem(page: str, title: str, number: str) -> str:
    """Say what is wrong with a citation, or return an empty text."""
    if not (RULES / page).exists():
        return f"docs/rules/{page} does not exist"
    if not title:
        return ""
    found = section(page, title)
    if found is None:
        return f'docs/rules/{page} has no section "{title}"'
    if number and not re.search(rf"^{number}\. ", found, re.M):
        return f'docs/rules/{page}, "{title}" has no item {number}'
    return ""


def test_every_citation_resolves() -> None:
    problems = [
        f"{path.relative_to(ROOT)}: {what}"
        for path in sources()
        for citation in citations(path)
        if (what := problem(*citation))
    ]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    ("citation", "expected"),
    [
        (("duel.md", "After the mandatory action", "5"), ""),
        (("duel.md", "A turn", "7"), ""),
        (("duel.md", "After the mandatory action", "8"), "has no item 8"),
        (("duel.md", "Before the mandatory action", ""), "has no section"),
        (("chess.md", "A turn", ""), "does not exist"),
        (("record.md", "", ""), ""),
    ],
)
def test_a_wrong_citation_is_found(citation: tuple[str, str, str], expected: str) -> None:
    assert (expected in problem(*citation)) if expected else not problem(*citation)


def test_a_citation_may_span_comment_lines(tmp_path: Path) -> None:
    path = tmp_path / "kernel.py"
    path.write_text('# why: docs/rules/duel.md,\n    # "After the mandatory\n    # action", 5\n')
    assert citations(path) == [("duel.md", "After the mandatory action", "5")]


@pytest.mark.parametrize(
    "kernel",
    ["duel/kernel.py", "duel/legal.py", "duel/actions.py", "duel/paying.py", "splendor/kernel.py"],
)
def test_kernels_cite_the_rules(kernel: str) -> None:
    assert citations(ROOT / "src" / "parure" / "games" / kernel)
