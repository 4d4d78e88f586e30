"""The review of a finished game in the browser: its curve, its moments, trying again, sharing."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.server.clients import ApiClient
from tests.server.responses import duel_record
from tests.web.conftest import Welcome

from parure.server import reviews

PATIENCE = 120_000  # milliseconds for a review
STEPS = 24


@pytest.fixture(autouse=True)
def _small_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "BUDGET", "40")


@pytest.fixture
def finished(api: ApiClient) -> dict[str, Any]:
    """A game between two persons in which the second one has resigned."""
    players = [{"name": "Ann"}, {"name": "Bob"}]
    body = {"record": duel_record(), "at": STEPS, "players": players, "creator": 0}
    match: dict[str, Any] = api.http.post("/api/matches/import", json=body).json()
    with api.connect(match, 1) as bob:
        bob.command("resign")
    return match


def visible_words(page: Page, selector: str) -> str:
    """Return the text of an element without drawings: cards are drawn, not named by their ids."""
    script = (
        "e => { const c = e.cloneNode(true); c.querySelectorAll('svg').forEach(s => s.remove());"
    )
    words: str = page.locator(selector).first.evaluate(script + " return c.textContent; }")
    return words


@pytest.mark.parametrize("size", ["wide", "large", "small"])
def test_review_of_a_game(
    welcome: Welcome, api: ApiClient, finished: dict[str, Any], size: str
) -> None:
    bob = welcome(size=size)
    page = bob.page
    bob.open(finished, 1)
    page.click("#review")
    page.wait_for_selector("[data-status=done]", timeout=PATIENCE)
    assert page.url.endswith(f"/game/{finished['match']}")  # without the key
    story = page.locator(".story").inner_text()
    assert "{0}" not in story
    assert "Ann" in story or "Bob" in story
    mine = page.locator(".dock [data-piece^=panel]").first
    assert mine.get_attribute("data-piece") == "panel:1"

    slider = page.locator("input[type=range]")
    box = page.locator("#curve").bounding_box()
    assert box is not None
    page.locator("#curve").click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    assert 6 < int(slider.input_value()) < STEPS - 6
    assert page.locator(".ticks span").count() > 5

    moment = page.locator(".moment").last
    moment.click()
    expect(moment).to_have_attribute("aria-current", "true")
    assert page.locator(".marks .better rect").count() > 0
    assert page.locator(".marks .played rect").count() > 0
    assert not re.search(r"\b[JRC]\d-?\d*\b", visible_words(page, "dl dd:last-child"))
    step = int(slider.input_value())
    page.click("#try-again")
    page.wait_for_selector("#actions.mine[data-busy=false]")
    key = page.url.partition("#")[2]
    new = page.url.partition("/table/")[2].partition("#")[0]
    assert new != finished["match"]
    summary = api.http.get(f"/api/matches/{new}", headers={"Authorization": f"Bearer {key}"})
    assert summary.json()["to_move"] == summary.json()["seat"]
    assert step < STEPS


def test_a_shared_link_opens_the_game_and_no_seat(
    welcome: Welcome, finished: dict[str, Any]
) -> None:
    ann, eve = welcome(), welcome(locale="fr-FR")
    ann.open(finished, 0)
    ann.page.click("#review")
    link = ann.page.locator("#share").get_attribute("data-link")
    assert link is not None
    assert link.endswith(f"/game/{finished['match']}")
    ann.page.click("#share")
    eve.page.goto(link)
    eve.page.wait_for_selector("[data-status=done]", timeout=PATIENCE)
    assert "précision" in eve.page.locator(".story").inner_text()
    assert finished["seats"][0]["key"] not in eve.page.content()
    assert eve.page.evaluate("localStorage.getItem('parure.games')") in (None, "[]")


def test_a_running_game_is_not_shown(welcome: Welcome, api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    eve = welcome()
    eve.page.goto(f"/game/{match['match']}")
    expect(eve.page.get_by_role("alert")).to_contain_text("no finished game")


def test_log_lines_jump(welcome: Welcome, finished: dict[str, Any]) -> None:
    ann = welcome(size="wide")
    ann.page.goto(f"/game/{finished['match']}")
    ann.page.click("#show-log")
    ann.page.get_by_role("button", name="Go to this move (5)").click()
    assert ann.page.locator("input[type=range]").input_value() == "5"
    current = ann.page.locator(".jump button[aria-current]")
    assert current.get_attribute("aria-label") == "Go to this move (5)"
    ann.page.click("#show-review")
    ann.page.wait_for_selector("[data-status=done]", timeout=PATIENCE)
    ann.page.locator("#curve").focus()
    before = int(ann.page.locator("input[type=range]").input_value())
    ann.page.keyboard.press("ArrowRight")
    assert int(ann.page.locator("input[type=range]").input_value()) > before
