"""The documentation is true: its code runs, its tables are complete, its links lead somewhere."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from decision_tables import ranges
from generated import GENERATORS, REQUEST, on_page_markdown
from row_tables import row_table

from parure.games.registry import rules

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
# A block is run unless the line before it says why not, or which modules it needs.
BLOCK = re.compile(r"(?:<!-- (not run|needs): (.+?) -->\n)?```python\n(.*?)```", re.S)
LARGEST_SHARE_NOT_RUN = 0.15


def python_blocks(page: Path) -> list[tuple[str, str, str]]:
    """Return the marker, its reason, and the code of each block of Python on a page."""
    return BLOCK.findall(page.read_text("utf-8"))


def run(code: str, names: dict[str, Any]) -> None:
    """Run code, and check each expression whose comment is a literal: `1 + 1  # 2`."""
    lines = code.splitlines()
    for statement in ast.parse(code).body:
        comment = lines[(statement.end_lineno or 1) - 1].partition("  # ")[2]
        if isinstance(statement, ast.Expr) and is_literal(comment):
            value = statement.value
            is_print = isinstance(value, ast.Call) and ast.unparse(value.func) == "print"
            shown = value.args[0] if isinstance(value, ast.Call) and is_print else value
            result = eval(compile(ast.Expression(shown), "docs", "eval"), names)
            assert (str(result) if is_print else repr(result)) == comment.strip()
        else:
            exec(compile(ast.Module([statement], []), "docs", "exec"), names)


def is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text.strip())
    except (SyntaxError, ValueError):
        return False
    return True


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", [page for page in PAGES if python_blocks(page)], ids=name)
def test_the_code_of_a_page_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "docs"}
    for marker, reason, code in python_blocks(page):
        if marker == "not run" or (
            marker == "needs" and not all(map(find_spec, reason.split(", ")))
        ):
            continue
        run(code, names)


def test_most_code_of_the_documentation_is_run() -> None:
    blocks = [block for page in PAGES for block in python_blocks(page)]
    not_run = [reason for marker, reason, _ in blocks if marker == "not run"]
    assert len(blocks) > 20
    assert len(not_run) / len(blocks) < LARGEST_SHARE_NOT_RUN, not_run


def test_a_false_comment_is_found() -> None:
    run("x = 1\nx + 1  # 2\nprint(x)  # 1\n", {})
    with pytest.raises(AssertionError):
        run("1 + 1  # 3\n", {})


def test_the_example_of_the_readme_is_short() -> None:
    [(_, _, code)] = python_blocks(ROOT / "README.md")
    assert len(code.splitlines()) <= 16


@pytest.mark.parametrize(
    "page", [page for page in PAGES if REQUEST.search(page.read_text("utf-8"))], ids=name
)
def test_every_generated_part_can_be_generated(page: Path) -> None:
    assert "<!-- generated" not in on_page_markdown(page.read_text("utf-8"))


def test_every_generator_is_used() -> None:
    requests = {
        request.split()[0] for page in PAGES for request in REQUEST.findall(page.read_text("utf-8"))
    }
    assert requests == GENERATORS.keys()


@pytest.mark.parametrize("game", ["splendor", "duel", "duel+counterfeiters"])
def test_the_tables_of_decisions_are_complete(game: str) -> None:
    texts = rules(game).decision_texts
    runs = ranges(game)
    assert (runs[0][0], runs[-1][1]) == (0, len(texts) - 1)
    assert all(second[0] == first[1] + 1 for first, second in pairwise(runs))
    for first, last, first_text, last_text in runs:
        assert (texts[first], texts[last]) == (first_text, last_text)


@pytest.mark.parametrize("game", ["splendor", "duel"])
def test_the_tables_of_rows_are_complete(game: str) -> None:
    layout = import_module(f"parure.games.{game}.layout")
    for part, size in (("row", layout.ROW_WORDS), ("seat", layout.SEAT_WORDS)):
        following = 0
        for word, words in re.findall(r"^\| (\d+) \| (\d+) \|", row_table(game, part), re.M):
            assert int(word) == following
            following += int(words)
        assert following == size


def test_the_counterfeiters_follow_the_decisions_of_duel() -> None:
    plain = rules("duel").decision_texts
    assert rules("duel+counterfeiters").decision_texts[: len(plain)] == plain


@pytest.mark.parametrize(
    ("game", "size"), [("splendor", 236), ("duel", 389), ("duel+counterfeiters", 596)]
)
def test_the_decision_spaces_have_their_documented_size(game: str, size: int) -> None:
    assert len(rules(game).decision_texts) == size
    text = (DOCS / "reference" / "decisions.md").read_text("utf-8")
    assert re.search(rf"\| `{re.escape(game)}`.*\| {size} \|", text)


def test_every_link_leads_somewhere() -> None:
    for page in (*ROOT.glob("*.md"), *DOCS.rglob("*.md")):
        for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text("utf-8")):
            if "://" not in link:
                assert (page.parent / link).exists(), f"{name(page)}: {link}"


def test_every_page_that_the_code_names_exists() -> None:
    folders = ("src", "tests", "benchmarks", "examples", "scripts", "web/src", "web/tests")
    files = (path for folder in folders for path in (ROOT / folder).rglob("*"))
    for path in files:
        if path.suffix in (".py", ".ts", ".svelte", ".css") and "static" not in path.parts:
            for page in re.findall(r"docs/[\w/-]+\.md", path.read_text("utf-8")):
                is_example = path.name == "test_rule_citations.py"
                assert is_example or (ROOT / page).exists(), f"{name(path)}: {page}"
