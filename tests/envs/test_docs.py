"""The pages of the environments have the same sections, and the sizes they give are true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from generated import on_page_markdown

from parure.envs import observation_layout
from parure.games.registry import rules

DOCS = Path(__file__).parents[2] / "docs" / "reference" / "environments"
PAGES = {
    "splendor": ("splendor", 4),
    "duel": ("duel", 2),
    "duel-counterfeiters": ("duel+counterfeiters", 2),
}
HEADINGS = [
    "Specs",
    "Observation",
    "Actions",
    "Rewards",
    "Termination",
    "Baselines",
    "Version history",
]
ACTIONS = re.compile(r"^\| (\d+)(?:–(\d+))? \| `([^`]+)`(?: … `([^`]+)`)? \|$", re.M)

each_page = pytest.mark.parametrize(("page", "game", "seats"), [(k, *v) for k, v in PAGES.items()])


def text_of(page: str) -> str:
    return on_page_markdown((DOCS / f"{page}.md").read_text("utf-8"))


@each_page
def test_every_index_is_documented(page: str, game: str, seats: int) -> None:
    text = text_of(page)
    assert re.findall(r"^## (.*)$", text, re.M) == HEADINGS
    assert observation_layout(rules(game, seats)).markdown_table() in text
    for number in (2, 3, 4) if game == "splendor" else (2,):
        assert str(observation_layout(rules(game, number)).size) in text


@each_page
def test_the_action_tables_are_complete(page: str, game: str, seats: int) -> None:
    texts = rules(game, seats).decision_texts
    assert f"`Discrete({len(texts)})`" in text_of(page)
    following = 0
    for first, last, first_text, last_text in ACTIONS.findall(
        text_of(page).partition("## Actions")[2]
    ):
        assert int(first) == following
        following = int(last or first) + 1
        assert texts[int(first)] == first_text
        assert texts[following - 1] == (last_text or first_text)
    assert following == len(texts)
