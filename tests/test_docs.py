"""The documentation says what is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from parure.games.registry import rules

ROOT = Path(__file__).parents[1]
TABLE_ROW = re.compile(r"^\| (\d+)(?:–(\d+))? \| (\d+) \| `([^`]+)`(?: … `([^`]+)`)? \|", re.M)


def test_the_fifteen_lines_of_the_readme_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.S)
    assert code
    assert len(code[1].splitlines()) <= 16
    monkeypatch.chdir(tmp_path)
    exec(code[1], {})
    printed = capsys.readouterr().out
    for line in code[1].splitlines():
        shown, _, promise = line.partition("  # ")
        if shown.startswith("print") and promise[:1] in "0123456789{":
            assert promise in printed
    assert (tmp_path / "game.json").exists()


def test_the_tables_of_decisions_are_true() -> None:
    text = (ROOT / "docs" / "decisions.md").read_text("utf-8")
    _, duel, counterfeiters, splendor = re.split(r"^## ", text, flags=re.M)
    duel_rows = [*TABLE_ROW.findall(duel), *TABLE_ROW.findall(counterfeiters)]
    for game, rows in (
        ("duel+counterfeiters", duel_rows),
        ("splendor", TABLE_ROW.findall(splendor)),
    ):
        texts = rules(game).decision_texts
        ends = [(int(first), int(last or first)) for first, last, *_ in rows]
        assert [first for first, _ in ends[1:]] == [last + 1 for _, last in ends[:-1]]
        assert (ends[0][0], ends[-1][1]) == (0, len(texts) - 1)
        for (first, last), (_, _, number, first_text, last_text) in zip(ends, rows, strict=True):
            assert int(number) == last - first + 1
            assert (texts[first], texts[last]) == (first_text, last_text or first_text)


@pytest.mark.parametrize(
    ("game", "size"), [("splendor", 236), ("duel", 389), ("duel+counterfeiters", 596)]
)
def test_the_decision_spaces_have_their_documented_size(game: str, size: int) -> None:
    assert len(rules(game).decision_texts) == size
    text = (ROOT / "docs" / "decisions.md").read_text("utf-8")
    assert re.search(rf"\| `{re.escape(game)}`.*\| {size} \|", text)


def test_every_link_leads_somewhere() -> None:
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")):
        for link in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
            if "://" not in link:
                assert (page.parent / link).exists(), f"{page.name}: {link}"
