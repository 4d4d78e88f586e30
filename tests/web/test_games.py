"""Whole games, played at the page."""

from __future__ import annotations

import pytest
from tests.server.clients import ApiClient
from tests.web.conftest import Welcome
from tests.web.person import Typist
from tests.web.positions import late, resume

ENDINGS = {"points", "crowns", "color"}


def test_a_duel_by_mouse(welcome: Welcome) -> None:
    ann = welcome()
    ann.page.goto("/")
    ann.page.fill("input[autocomplete=nickname] >> nth=0", "Ann")
    ann.press("text=Start the game")
    assert ann.finish() in ENDINGS
    assert ann.page.locator("dialog table tbody tr").count() == 2
    ann.press("#show-charts")  # until then the last turn can be taken back
    ann.page.wait_for_selector("dialog figure >> nth=2")  # points, crowns, tokens


def test_a_duel_by_keyboard_only(welcome: Welcome, api: ApiClient) -> None:
    ann = welcome(Typist)
    created = api.create("Ann", "bot:random")
    ann.open(created)
    assert ann.finish() in ENDINGS


def test_splendor_for_four(welcome: Welcome) -> None:
    ann = welcome()
    ann.page.goto("/")
    ann.press("text=race to 15 points")
    ann.page.select_option("label:has-text('Players') select", "4")
    ann.press("text=Start the game")
    ann.page.wait_for_selector("#actions")
    assert ann.page.locator(".panel").count() == 4
    assert ann.finish() in {"points", "stalemate"}
    assert ann.page.locator("dialog table tbody tr").count() == 4


@pytest.mark.parametrize(("size", "game"), [("small", "duel"), ("narrow", "duel+counterfeiters")])
def test_a_duel_on_a_phone(welcome: Welcome, api: ApiClient, size: str, game: str) -> None:
    state = late(game, 0.6)
    ann = welcome(size=size, locale="es-ES")
    ann.open(resume(api, state), state.seat)
    for _ in range(10):
        assert ann.page.evaluate("document.documentElement.scrollWidth <= screen.width")
        smallest = ann.page.evaluate(
            "Math.min(...[...document.querySelectorAll('.cell')].map((c) => c.offsetWidth))"
        )
        assert smallest >= 40
        if not ann.decide():
            break
    assert ann.finish() in ENDINGS | {"limit"}
