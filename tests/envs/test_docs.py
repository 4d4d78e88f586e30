"""The pages of the environments say what is true."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from parure.envs import observation_layout
from parure.games.registry import rules

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {
    "env-splendor": ("splendor", 4),
    "env-duel": ("duel", 2),
    "env-duel-counterfeiters": ("duel+counterfeiters", 2),
}
HEADINGS = ["Specs", "Observation", "Actions", "Rewards", "Termination", "Version history"]
ACTIONS = re.compile(r"^\| (\d+)(?:(?:–|, )(\d+))? \| (`.*`) \|$", re.M)

each_page = pytest.mark.parametrize(("page", "game", "seats"), [(k, *v) for k, v in PAGES.items()])


def text_of(page: str) -> str:
    return (DOCS / f"{page}.md").read_text("utf-8")


@each_page
def test_every_index_is_documented(page: str, game: str, seats: int) -> None:
    text = text_of(page)
    assert re.findall(r"^## (.*)$", text, re.M) == HEADINGS
    assert observation_layout(rules(game, seats)).markdown_table() in text
    for number in (2, 3, 4) if game == "splendor" else (2,):
        assert str(observation_layout(rules(game, number)).size) in text


@each_page
def test_the_action_tables_are_true(page: str, game: str, seats: int) -> None:
    texts = rules(game, seats).decision_texts
    assert f"`Discrete({len(texts)})`" in text_of(page)
    following = 0
    for first, last, named in ACTIONS.findall(text_of(page).partition("## Actions")[2]):
        assert int(first) == following
        following = int(last or first) + 1
        words = re.findall(r"`([^`]+)`", named)
        assert texts[int(first)] == words[0]
        assert texts[following - 1] == words[-1]
    assert following == len(texts)


@pytest.mark.parametrize(
    "page", ["environments", "openspiel", "env-splendor", "env-duel", "env-duel-counterfeiters"]
)
def test_the_examples_in_the_pages_run(page: str) -> None:
    if page == "openspiel":
        pytest.importorskip("pyspiel")
    blocks = re.findall(r"```python\n(.*?)```", text_of(page), re.S)
    assert blocks
    for code in blocks:
        names: dict[str, Any] = {}
        exec(code, names)
