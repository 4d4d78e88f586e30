"""What the table does around a turn: undo, payments, warnings, hints, the shared screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.server.clients import ApiClient
from tests.web.conftest import Welcome
from tests.web.person import Person
from tests.web.positions import find, payments, resume

from parure.server import warmup

TOKENS = ".cell > .token"


def take_a_line(ann: Person, api: ApiClient) -> int:
    """Take three tokens from the board; how many lay there before."""
    state = find("duel", lambda s: "take a1 b1 c1" in s.legal_decisions)
    ann.open(resume(api, state), state.seat)
    ann.wait_for_turn()
    before = ann.page.locator(TOKENS).count()
    for cell in ("a1", "b1", "c1"):
        ann.press(f'[data-cell="{cell}"]')
    ann.confirm()
    return before


def wait_for_tokens(ann: Person, number: int) -> None:
    ann.page.wait_for_function(f"() => document.querySelectorAll('{TOKENS}').length === {number}")


def test_tokens_fly_to_their_place(welcome: Welcome, api: ApiClient) -> None:
    ann = welcome(reduced_motion="no-preference")
    ann.page.add_init_script(
        """window.flown = 0;
        new MutationObserver((changes) => {
          for (const change of changes)
            for (const node of change.addedNodes)
              if (node.classList?.contains('flying')) window.flown += 1;
        }).observe(document, {childList: true, subtree: true});"""
    )
    before = take_a_line(ann, api)
    ann.page.wait_for_function("() => window.flown >= 3")
    ann.page.wait_for_selector(".flying", state="detached")
    assert ann.page.locator(TOKENS).count() <= before


def test_undo_within_a_turn(welcome: Welcome, api: ApiClient) -> None:
    ann = welcome()
    ann.set(pauseAtTurnEnd="always")
    before = take_a_line(ann, api)
    ann.page.wait_for_selector("#end-turn")
    assert ann.page.locator(TOKENS).count() == before - 3
    ann.press("#undo")
    wait_for_tokens(ann, before)
    assert ann.page.locator("#end-turn").count() == 0


def test_a_turn_is_taken_back_from_a_bot(welcome: Welcome, api: ApiClient) -> None:
    ann = welcome()
    before = take_a_line(ann, api)
    ann.press("#take-back")
    wait_for_tokens(ann, before)
    assert ann.wait_for_turn()["isMine"]


def test_a_payment_is_chosen(welcome: Welcome, api: ApiClient) -> None:
    def has_ways(state: Any) -> bool:
        return any(len(ways) > 1 for ways in payments(state).values())

    state = find("duel", has_ways)
    buy, ways = next((buy, ways) for buy, ways in payments(state).items() if len(ways) > 1)
    created = resume(api, state)
    ann = welcome()
    ann.set(pauseAtTurnEnd="always")
    ann.open(created, state.seat)
    ann.press(f'[data-card="{buy.removeprefix("buy ")}"]')
    assert ann.page.locator("#actions .act").count() == 1  # the plain way is one press
    ann.press("#other-ways")
    assert ann.page.locator("#actions .act").count() == len(ways)
    tokens = dict(state.players[state.seat].tokens)
    ann.page.locator("#actions .act").nth(1).click()
    ann.page.wait_for_selector("#undo")
    for kind, n in ways[1].tokens.items():
        shown = ann.page.inner_text(f'[data-piece="purse:{state.seat}:{kind}"] b')
        assert int(shown) == tokens.get(kind, 0) - n


def test_why_a_card_cannot_be_bought(welcome: Welcome, api: ApiClient) -> None:
    ann = welcome()
    ann.open(api.create("Ann", "bot:random"))
    ann.press(".pyramid .piece >> nth=0")
    assert "needs" in ann.page.inner_text("#actions .why")
    assert ann.page.locator("#actions .act").count() == 0
    ann.page.keyboard.press("Escape")
    assert ann.page.locator("#actions .why").count() == 0


def test_only_cells_that_continue_a_line_stay_lit(welcome: Welcome, api: ApiClient) -> None:
    ann = welcome()
    ann.open(api.create("Ann", "bot:random"))
    lit = ann.wait_for_turn()["cells"]
    ann.press(f'[data-cell="{lit[0]}"]')
    column, row = lit[0]
    near = {
        chr(ord(column) + x * n) + str(int(row) + y * n)
        for n in (-2, -1, 1, 2)
        for x, y in ((1, 0), (0, 1), (1, 1), (1, -1))
    }
    assert set(ann.look()["cells"]) <= near


def test_tokens_are_chosen_by_dragging(welcome: Welcome, api: ApiClient) -> None:
    ann = welcome()
    state = find("duel", lambda s: "take a1 b1 c1" in s.legal_decisions)
    ann.open(resume(api, state), state.seat)
    mouse = ann.page.mouse
    boxes = [
        ann.page.locator(f'[data-cell="{cell}"]').bounding_box() for cell in ("a1", "b1", "c1")
    ]
    for i, box in enumerate(boxes):
        assert box is not None
        mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        if i == 0:
            mouse.down()
    mouse.up()
    assert ann.page.locator(".cell.chosen").count() == 3


def test_a_privilege_given_away_is_said_before_and_asked_about(
    welcome: Welcome, api: ApiClient
) -> None:
    state = find(
        "duel",
        lambda s: s.phase == "turn" and "replenish" in s.legal_decisions,
    )
    ann = welcome()
    ann.set(confirmRisky=True)
    ann.open(resume(api, state), state.seat)
    button = ann.page.locator('#actions [data-decision="replenish"]')
    assert "gives your opponent a privilege" in button.inner_text()
    version = ann.look()["version"]
    button.click()
    assert "Press again" in button.inner_text()
    assert ann.look()["version"] == version
    button.click()
    ann.wait_after(version)


def test_a_hint(welcome: Welcome, api: ApiClient) -> None:
    ann = welcome()
    ann.open(api.create("Ann", "bot:random"))
    ann.wait_for_turn()
    ann.press("#hint")
    ann.page.wait_for_selector(".hint:has-text('Why:')")
    assert ann.page.locator("#actions .main").count() == 1  # chosen on the table, not yet done


def test_bots_that_are_still_being_compiled(
    welcome: Welcome, api: ApiClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(warmup, "_compiled", set())
    monkeypatch.setattr(warmup, "JIT", True)
    monkeypatch.setattr(warmup, "kernel_cache_directory", lambda: tmp_path)
    ann = welcome(locale="fr-FR")
    ann.open(api.create("Ann", "bot:greedy"))
    ann.wait_for_turn()
    ann.press("#hint")  # refused, in the language of the page
    ann.page.wait_for_selector("[role=alert]:has-text('Les robots sont encore en préparation')")
    ann.decide()
    while ann.look()["isMine"]:  # a gold token, say, and now the card to reserve
        ann.decide()
    ann.page.wait_for_selector("#actions:has-text('Glouton (robot) se prépare')")
    monkeypatch.undo()
    assert ann.wait_for_turn()["isMine"]


def test_hot_seat_covers_reserved_cards(welcome: Welcome) -> None:
    ann = welcome()
    ann.page.goto("/")
    ann.press("text=Play here with a friend")
    ann.page.fill("input[autocomplete=nickname] >> nth=0", "Ann")
    ann.page.fill("input[placeholder]", "Bob")
    ann.press("summary")
    ann.page.select_option("label:has-text('Who begins?') select", "0")
    ann.press("text=Start the game")
    for _ in range(2):  # Ann, then Bob reserve the top of a deck
        ann.wait_for_turn()
        gold = ann.page.locator('.cell[aria-label*="gold"] >> nth=0').get_attribute("data-cell")
        ann.press(f'[data-cell="{gold}"]')
        ann.confirm()
        ann.press('[data-piece="deck:1"].open')
        ann.confirm()
        ann.press("#end-turn")
        ann.page.wait_for_selector("#end-turn", state="detached")
    ann.page.wait_for_selector(".panel.mine:has-text('Ann')")
    assert ann.page.locator(".panel.mine .covered").count() == 1
    assert ann.page.locator(".reserve [data-card]").count() == 0  # nobody's card can be read
    ann.press("text=Show my reserved cards")
    assert ann.page.locator(".panel.mine .reserve [data-card]").count() == 1
    ann.press("text=Cover my cards")
    assert ann.page.locator(".reserve [data-card]").count() == 0

    ann.press("[title=Resign]")
    ann.press("dialog .main")
    ann.press("#rematch")
    ann.press("dialog a.main")  # the rematch: both are still who they were
    ann.page.wait_for_selector(".panel.mine:has-text('Bob')")
    ann.page.wait_for_selector(".panel:not(.mine):has-text('Ann')")


def test_a_wrong_link_says_so(welcome: Welcome, api: ApiClient) -> None:
    ann = welcome()
    ann.page.goto(f"/table/{api.create('Ann', 'Bob')['match']}#nothing")
    ann.page.wait_for_selector("text=This link opens nothing.")


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("fr-FR", "Commencer la partie"),
        ("es-MX", "Empezar la partida"),
        ("de-DE", "Start the game"),
    ],
)
def test_the_language_of_the_browser(welcome: Welcome, locale: str, words: str) -> None:
    ann = welcome(locale=locale)
    ann.page.goto("/")
    ann.page.wait_for_selector(f"text={words}")


def test_switching_the_language(welcome: Welcome, api: ApiClient) -> None:
    ann = welcome()
    ann.open(api.create("Ann", "bot:random"))
    ann.press("[title=Settings]")
    ann.page.select_option("dialog label:has-text('Language') select", "fr")
    ann.page.wait_for_selector("dialog >> text=Langue")
    assert ann.page.get_attribute("html", "lang") == "fr"
    ann.page.keyboard.press("Escape")
    assert "Prenez des jetons" in ann.page.inner_text("#actions")
    ann.page.reload()
    ann.page.wait_for_selector("text=À vous de jouer")
