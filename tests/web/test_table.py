"""What the table does around a turn: undo, payments, warnings, hints, the shared screen."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.server.clients import ApiClient
from tests.web.conftest import Welcome
from tests.web.person import Person
from tests.web.positions import blocking_position, find, late, payments, resume

import parure
from parure.server import warmup
from parure.table.preview import preview_decisions
from parure.table.threats import seats_that_can_win

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
    assert ann.page.locator("#actions .act.main").count() == 1  # the plain way is one press
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
    assert "missing" in ann.page.inner_text("#actions .why")
    assert "Reserve and take" in ann.page.inner_text("#actions .act.main")  # but it can be reserved
    ann.page.keyboard.press("Escape")
    assert ann.page.locator("#actions .why").count() == 0


@pytest.mark.parametrize("what", [".pyramid .piece >> nth=0", '[data-piece="deck:3"]'])
def test_a_card_or_deck_is_reserved_with_gold_as_one_act(
    welcome: Welcome, api: ApiClient, what: str
) -> None:
    ann = welcome()
    ann.set(pauseAtTurnEnd="always")
    ann.open(api.create("Ann", "bot:random"))
    ann.wait_for_turn()
    golds = ann.page.locator('.cell[aria-label*="gold"]')
    assert golds.count() == 3
    ann.press(what)
    suggested = ann.page.locator(".cell.chosen")
    first = suggested.get_attribute("data-cell")
    ann.press("#other-gold")
    second = suggested.get_attribute("data-cell")
    assert first != second
    third = ann.page.locator('.cell.lit[aria-label*="gold"]').last.get_attribute("data-cell")
    ann.press(f'[data-cell="{third}"]')  # or on the board itself
    assert suggested.get_attribute("data-cell") == third
    ann.confirm()
    ann.page.wait_for_selector("#end-turn")
    assert golds.count() == 2
    assert "gold" not in (ann.page.get_attribute(f'[data-cell="{third}"]', "aria-label") or "")
    assert ann.page.inner_text('[data-piece="purse:0:y"] b') == "1"
    assert ann.page.locator(".panel.mine .reserve .slot .blank").count() == 2


def test_a_card_is_reserved_with_gold_in_splendor(welcome: Welcome, api: ApiClient) -> None:
    ann = welcome()
    ann.set(pauseAtTurnEnd="always")
    ann.open(api.create("Ann", "bot:random", game="splendor"))
    ann.press('[data-piece="deck:2"]')
    assert "Reserve and take" in ann.page.inner_text("#actions .act.main")
    assert ann.page.locator("#other-gold").count() == 0
    ann.confirm()
    ann.page.wait_for_selector("#end-turn")
    assert ann.page.inner_text('[data-piece="purse:0:y"] b') == "1"


def test_a_full_reserve_is_said(welcome: Welcome, api: ApiClient) -> None:
    state = find("splendor", lambda s: s.phase == "turn" and len(s.players[s.seat].reserved) == 3)
    ann = welcome()
    ann.open(resume(api, state), state.seat)
    ann.press('[data-piece="deck:3"]')
    assert "your reserve is full" in ann.page.inner_text("#actions .why")


def test_out_of_turn_a_card_says_so(welcome: Welcome, api: ApiClient) -> None:
    bob = welcome()
    bob.open(api.create("Ann", "Bob"), 1)
    for what in (".pyramid .piece >> nth=0", '[data-piece="deck:1"]'):
        bob.press(what)
        assert "not your turn" in bob.page.inner_text("#actions .why")


def test_tokens_are_returned_in_the_purse_at_once(welcome: Welcome, api: ApiClient) -> None:
    state = find("duel", lambda s: s.phase == "discard" and s.players[s.seat].token_count >= 12)
    player = state.players[state.seat]
    number = player.token_count - player.token_limit
    ann = welcome()
    ann.set(pauseAtTurnEnd="always")
    ann.open(resume(api, state), state.seat)
    button = ann.page.locator("#return")
    assert button.get_attribute("aria-disabled") == "true"
    ann.return_tokens(ann.wait_for_turn()["returns"])
    assert f"Return {number}" in button.inner_text()
    ann.press("#actions .plain >> text=Cancel")
    assert button.get_attribute("aria-disabled") == "true"
    ann.return_tokens(ann.look()["returns"])
    button.click()
    ann.page.wait_for_selector("#end-turn")
    shown = ann.page.inner_text(".panel.mine .total b")
    assert shown == f"{player.token_limit}/{player.token_limit}"


def test_who_can_win_next_turn_is_marked(welcome: Welcome, api: ApiClient) -> None:
    def is_threatened(state: Any) -> bool:
        if state.phase != "turn":
            return False
        return seats_that_can_win(state.view(state.seat)) == [1 - state.seat]

    state = find("duel", is_threatened)
    ann = welcome()
    ann.open(resume(api, state), state.seat)
    assert ann.page.locator(".panel:not(.mine) .pill:has-text('can win')").count() == 1
    assert ann.page.locator(".panel.mine .pill").count() == 0


def test_a_warned_player_is_told(welcome: Welcome, api: ApiClient) -> None:
    ann = welcome()
    ann.open(resume(api, blocking_position()), 0)
    ann.page.wait_for_selector("#warned:has-text('buy a card or return a pearl')")
    assert ann.page.locator(".panel.mine .pill:has-text('warned')").count() == 1


def test_the_goals_of_duel_say_who_leads(welcome: Welcome, api: ApiClient) -> None:
    state = late("duel", 0.6)
    own, other = state.players[state.seat], state.players[1 - state.seat]
    ann = welcome()
    ann.open(resume(api, state), state.seat)
    goals = ann.page.locator(".panel.mine .goal")
    assert goals.count() == 3
    leads = "leads" in (goals.nth(0).get_attribute("aria-label") or "")
    assert leads == (own.points > other.points)


def test_players_are_you_or_their_name(welcome: Welcome, api: ApiClient) -> None:
    ann = welcome()
    ann.open(api.create("Ann", "Bob"))
    assert ann.page.inner_text(".panel.mine h2").endswith("You")
    assert ann.page.inner_text(".panel:not(.mine) h2") == "Bob"


def test_resigning_is_not_the_bright_button(welcome: Welcome, api: ApiClient) -> None:
    ann = welcome()
    ann.open(api.create("Ann", "bot:random"))
    ann.press("[title=Resign]")
    assert ann.page.inner_text("dialog .main") == "Play on"
    ann.press("dialog .main")
    assert ann.wait_for_turn()["isMine"]


def test_cards_are_described_in_words(welcome: Welcome, api: ApiClient) -> None:
    state = late("duel+counterfeiters", 0.5)
    ann = welcome()
    ann.open(resume(api, state), state.seat)
    text = ann.page.evaluate(
        """() => document.querySelector('.layout').innerText
          + [...document.querySelectorAll('[title]')].map((one) => one.title).join()"""
    )
    assert "Jewel card of level 2" in text
    assert not re.search(r"\b(J\d-\d\d|C\d\d|R\d+)\b|nothing", text)
    assert "more" in ann.page.inner_text(".royals .more")


def test_everything_public_of_an_opponent_on_a_phone(welcome: Welcome, api: ApiClient) -> None:
    state = late("splendor", 0.5, players=3)
    other = state.players[(state.seat + 1) % 3]
    ann = welcome(size="small")
    ann.open(resume(api, state), state.seat)
    ann.press(".others .panel >> nth=0 >> .all")
    dialog = ann.page.locator("dialog")
    assert dialog.locator(".cards > *").count() == (len(other.reserved) + len(other.collection))


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
    ann.page.wait_for_selector(".hint b:has-text('%')")
    first = ann.page.inner_text(".hint")
    assert not re.search(r"\b([JD]\d-\d\d|[CRN]\d+)\b", first)
    ideas = int(ann.page.inner_text("#other-hint small").removeprefix("1/"))
    assert 2 <= ideas <= 3
    ann.press("#other-hint")
    assert ann.page.inner_text(".hint") != first
    for _ in range(ideas - 1):
        ann.press("#other-hint")
    assert ann.page.inner_text(".hint") == first
    assert ann.page.locator("#actions .main").count() == 1  # chosen on the table, not yet done
    ann.press(".pyramid .piece >> nth=5")  # the hint was about something else
    assert ann.page.locator(".hint").count() == 0
    ann.page.keyboard.press("Escape")
    for _ in range(8):  # on one's own machine there is no limit
        ann.press("#hint")
        ann.page.wait_for_selector(".hint")
        ann.page.keyboard.press("Escape")
        assert ann.page.locator(".hint").count() == 0


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
    ann.page.wait_for_selector("#actions:has-text('Glouton se prépare')")
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
        name = ann.page.inner_text(".panel.mine h2").removeprefix("▶").strip()
        assert f"{name} is to move" in ann.page.inner_text("#actions")
        ann.press('[data-piece="deck:2"]')
        ann.confirm()
        ann.press("#end-turn")
        ann.page.wait_for_selector("#end-turn", state="detached")
    ann.page.wait_for_selector(".panel.mine:has-text('Ann')")
    assert ann.page.locator(".panel.mine .covered").count() == 1
    back = ann.page.locator(".panel.mine .covered [fill='var(--card-back-2)']")
    assert back.count() >= 1  # of its level
    assert ann.page.locator(".reserve [data-card]").count() == 0  # nobody's card can be read
    ann.press("text=Show my reserved cards")
    assert ann.page.locator(".panel.mine .reserve [data-card]").count() == 1
    ann.press("text=Cover my cards")
    assert ann.page.locator(".reserve [data-card]").count() == 0

    ann.press("[title=Resign]")
    ann.press("#resign")
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
    assert "Prenez, réservez ou achetez" in ann.page.inner_text("#actions")
    ann.page.reload()
    ann.page.wait_for_selector("text=À vous de jouer")


def test_a_match_with_known_decks_says_so(welcome: Welcome, api: ApiClient) -> None:
    state = find("duel", lambda state: len(state.decisions) == 4)
    ann = welcome()
    ann.open(resume(api, state), state.seat)
    ann.page.wait_for_selector("#known-decks")


def test_the_story_of_a_game_that_can_go_on_waits_for_a_button(
    welcome: Welcome, api: ApiClient
) -> None:
    """Reading it shows all cards, so that no turn can be taken back after it."""

    def winning(state: Any) -> list[str]:
        if state.phase != "turn":
            return []
        previews = preview_decisions(state.view(state.seat))
        return [one.decision for one in previews if one.wins and len(one.payments) == 1]

    state = find("duel", lambda state: bool(winning(state)))
    ann = welcome()
    ann.set(pauseAtTurnEnd="never")
    ann.open(resume(api, state), state.seat)
    ann.press(f'.piece.open[data-card="{winning(state)[0].removeprefix("buy ")}"]')
    ann.press("#actions .act")
    ann.page.wait_for_selector("[data-result]")
    ann.press("#show-charts")
    ann.page.wait_for_selector("[data-result] h3")
    ann.page.keyboard.press("Escape")
    assert ann.page.locator("#take-back").count() == 0


def test_a_card_is_reserved_where_nothing_else_is_possible(
    welcome: Welcome, api: ApiClient
) -> None:
    state = parure.new(
        position="splendor-2/seat:0/turns:20/D1:01,02,03,04/D2:01,02,03,04/D3:01,02,03,04"
        "/N:01,02,03/tokens0:wwwwuuuugg/tokens1:ggrrrrkkkk"
    )
    assert all(text.startswith("reserve") for text in state.legal_decisions)
    ann = welcome()
    ann.open(resume(api, state), state.seat)
    assert ann.decide()
    assert "Reserved 1/3" in ann.page.inner_text(".panel.mine")
