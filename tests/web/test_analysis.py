"""The analysis board: open, decide, branch, ask the engine, set up by hand, enter chance."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.server.responses import duel_record
from tests.web.conftest import Welcome

VIEW = "splendor-2/view:0/seat:0/turns:0/D1:16,01,37,24/D2:20,28,11,02/D3:08,01,12,11/N:01,05,10"


def decide(page: Page, decision: str) -> None:
    """Choose a decision from the list."""
    page.wait_for_selector("[data-board-decision]", state="attached")
    details = "document.querySelectorAll('.tools-column details')"
    page.evaluate(f"{details}.forEach((one) => (one.open = true))")
    page.click(f"[data-board-decision='{decision}']")


@pytest.mark.parametrize("size", ["large", "small"])
def test_decide_go_back_and_branch(welcome: Welcome, size: str) -> None:
    page = welcome(size=size).page
    page.goto("/analysis")
    page.fill("#position-text", VIEW)
    page.keyboard.press("Enter")
    decide(page, "take wug")
    expect(page.locator(".move")).to_have_count(2)
    decide(page, "take wuk")
    expect(page.locator(".move")).to_have_count(3)
    page.click("#board-back")
    decide(page, "take wur")
    expect(page.locator(".variation .move")).to_have_count(1)
    shown = page.input_value("#text")
    assert "tokens1:wur" in shown
    assert page.url.endswith(f"/analysis?position={shown}")
    page.reload()
    expect(page.locator("#text")).to_have_value(shown)
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0


def test_click_on_the_table_and_step_by_keyboard(welcome: Welcome) -> None:
    page = welcome().page
    page.goto(f"/analysis?position={VIEW}")
    for kind in "wug":
        page.click(f"[data-gem={kind}]")
    page.click("#actions .main")
    expect(page.locator(".move")).to_have_count(2)
    page.locator("main").click(position={"x": 2, "y": 2})
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#text")).to_have_value(VIEW)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#text")).not_to_have_value(VIEW)


def test_a_record_at_a_step(welcome: Welcome, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    record = duel_record()
    file.write_text(json.dumps(record), encoding="utf-8")
    page = welcome().page
    page.goto("/analysis")
    page.fill("input[type=number]", "5")
    page.set_input_files("input[type=file]", file)
    expect(page.locator(".move")).to_have_count(len(record["decisions"]) + 1)
    expect(page.locator(".move").nth(5)).to_have_attribute("aria-current", "true")


def test_a_wrong_text_is_explained(welcome: Welcome) -> None:
    page = welcome().page
    page.goto("/analysis")
    page.fill("#position-text", f"{VIEW}/cards1:D3-08")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("D3-08 is in the pyramid")


def test_the_engine_comes_in_live(welcome: Welcome) -> None:
    page = welcome().page
    page.goto(f"/analysis?position={VIEW}")
    page.check("#engine")
    page.wait_for_selector("[data-engine-choice]", timeout=60_000)
    expect(page.locator("[data-value]")).to_have_count(2)
    page.uncheck("#engine")
    expect(page.locator("[data-engine-choice]")).to_have_count(0)


def test_chance_is_entered(welcome: Welcome) -> None:
    page = welcome().page
    page.goto(f"/analysis?position={VIEW}&chance=entered")
    decide(page, "reserve D1-16")
    page.click("[data-pick='D1-02']")
    expect(page.locator("[data-pick]")).to_have_count(0)
    assert "/D1:02,01,37,24/" in page.input_value("#text")
    decide(page, "reserve deck2")  # the opponent's: nobody asks which card it was
    expect(page.locator("#text")).to_have_value(re.compile("reserved1:[?][?]2"))


def test_set_up_by_hand(welcome: Welcome) -> None:
    page = welcome().page
    page.goto("/analysis")
    page.select_option("#board-game", "duel")
    page.click("#advice")
    expect(page.locator(".problem")).to_have_attribute("data-checked", "false")
    page.get_by_role("button", name="Fill the rows at random").click()
    page.click("[data-brush=u]")
    page.click("[data-edit-cell=c3]")
    page.click("[data-add='0:w']")
    page.click("[data-hidden='1:2']")
    expect(page.locator(".problem")).to_have_attribute("data-checked", "true")
    page.click("#use-position")
    page.wait_for_selector("#text")
    shown = page.input_value("#text")
    assert "/reserved1:??2" in shown
    assert "/tokens0:w" in shown
    assert page.locator("#enter-chance").is_checked()
