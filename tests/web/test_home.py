"""Home, one's own games, invitations and results."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.server.clients import ApiClient
from tests.web.conftest import Welcome
from tests.web.person import Person
from tests.web.positions import late, resume

BOTS = ("Pip", "Tomás", "Amara", "Samir", "Rufus", "Odette", "Horace", "Anselm")


def resigned(person: Person, api: ApiClient) -> dict[str, Any]:
    """Have somebody resign a game against a bot, in its middle."""
    state = late("duel", 0.4)
    created = resume(api, state, "level:3")
    person.open(created, state.seat)
    person.press("[title=Resign]")
    person.press("#resign")
    person.page.wait_for_selector("[data-result=resigned]")
    return created


def test_play_starts_what_was_played_last(welcome: Welcome) -> None:
    ann = welcome()
    ann.page.goto("/")
    assert "Splendor Duel, against Tomás" in ann.page.inner_text("#play")
    ann.press(".game:has-text('race to 15')")
    ann.press("label:has-text('Amara')")
    assert "Splendor, against Amara" in ann.page.inner_text("#play")
    ann.press("text=Start the game")
    ann.page.wait_for_selector(".panel:has-text('Amara')")
    ann.page.goto("/settings")
    ann.page.goto("/")
    assert "Splendor, against Amara" in ann.page.inner_text("#play")
    ann.press("#play")
    ann.page.wait_for_url("**/table/*")
    ann.page.wait_for_selector(".panel:has-text('Amara')")


def test_a_running_game_is_continued_from_above_play(welcome: Welcome) -> None:
    ann = welcome(size="small")
    ann.page.goto("/")
    ann.press("#play")
    ann.wait_for_turn()
    table = ann.page.url
    ann.page.goto("/")
    link = ann.page.locator("a:has-text('Continue')")
    link.wait_for()
    above, below = link.bounding_box(), ann.page.locator("#play").bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] < below["y"] < 844 - below["height"]  # both in sight on a phone
    link.click()
    ann.page.wait_for_url(table)


def test_learn_leads_to_the_rules_in_one_minute(welcome: Welcome) -> None:
    ann = welcome()
    ann.page.goto("/")
    ann.press("a.learn")
    ann.page.wait_for_selector("h2:has-text('The rules in one minute')")
    assert ann.page.url.endswith("/rules/duel")
    assert ann.page.locator("main ol li").count() == 5


def test_eight_bots_have_names_faces_and_a_line(welcome: Welcome) -> None:
    ann = welcome()
    ann.page.goto("/")
    ann.page.wait_for_selector(".faces label")
    lines = set()
    for level, name in enumerate(BOTS, start=1):
        label = ann.page.locator(f".faces label:has-text('{name}')")
        assert f"level {level}" in label.inner_text()
        assert label.locator("svg").count() == 1
        label.click()
        lines.add(ann.page.inner_text("fieldset p"))
    assert len(lines) == len(BOTS)


def test_a_bot_is_called_by_its_name_at_the_table(welcome: Welcome, api: ApiClient) -> None:
    ann = welcome()
    resigned(ann, api)
    assert ann.page.inner_text("dialog h2") == "Amara wins"
    assert ann.page.locator("dialog tbody tr:has-text('Amara') svg.face").count() == 1
    assert ann.page.locator("dialog tbody tr:has-text('You')").count() == 1


def test_finished_games_and_statistics(welcome: Welcome, api: ApiClient) -> None:
    ann = welcome()
    ann.page.goto("/games")
    ann.page.wait_for_selector("text=The games you play in this browser are listed here.")
    resigned(ann, api)
    resigned(ann, api)
    ann.page.goto("/games")
    entries = ann.page.locator("li.finished")
    assert entries.count() == 2
    assert "Lost by resignation" in entries.first.inner_text()
    assert re.search(r"20\d\d", entries.first.inner_text())  # its date
    row = ann.page.locator("tbody tr:has-text('Amara, level 3')").inner_text()
    assert row.split()[-5:] == ["2", "0", "0", "2", "0"]  # played, won, drawn, lost, longest streak
    ann.press("text=Delete my statistics")
    ann.press("text=Press again: Delete my statistics")
    ann.page.wait_for_selector("tbody", state="detached")


def test_a_watcher_has_no_statistics(welcome: Welcome, api: ApiClient) -> None:
    ann, watcher = welcome(), welcome()
    created = resigned(ann, api)
    watcher.page.goto(f"/table/{created['match']}#{created['watch']['key']}")
    watcher.page.wait_for_selector("[data-result]")
    assert watcher.page.evaluate("localStorage.getItem('parure.results')") is None


def test_resigning_is_not_the_bright_button(welcome: Welcome, api: ApiClient) -> None:
    ann = welcome()
    ann.open(api.create("Ann", "bot:random"))
    ann.press("[title=Resign]")
    ann.page.wait_for_selector("#resign")
    assert ann.page.locator("#resign.main").count() == 0
    ann.page.keyboard.press("Enter")  # the button that is focused plays on
    ann.page.wait_for_selector("dialog", state="detached")
    assert ann.page.locator("[data-result]").count() == 0


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640), (844, 390)])
@pytest.mark.parametrize("players", [2, 4])
def test_the_rematch_is_in_sight_on_a_phone(
    welcome: Welcome, api: ApiClient, width: int, height: int, players: int
) -> None:
    ann = welcome(size="small")
    ann.page.set_viewport_size({"width": width, "height": height})
    if players == 2:
        resigned(ann, api)
    else:
        state = late("splendor", 0.985, players=4)
        ann.open(resume(api, state), state.seat)
        ann.press("[title=Resign]")
        ann.press("#resign")
        ann.page.wait_for_selector("[data-result]")
    box = ann.page.locator("#rematch").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] + box["height"] <= height
    overflow = "(dialog) => dialog.querySelector('.body').scrollWidth - dialog.clientWidth"
    assert ann.page.eval_on_selector("dialog", overflow) <= 0


def test_an_invitation_says_who_invites_to_what(welcome: Welcome, api: ApiClient) -> None:
    ann, bob = welcome(), welcome(size="small")
    created = api.create("Ann", "", clock={"kind": "bank", "seconds": 600, "increment": 10})
    ann.open(created)
    bob.page.goto(f"/table/{created['match']}#{created['seats'][1]['key']}")
    bob.page.wait_for_selector("h1:has-text('Ann invites you to Splendor Duel')")
    assert "10 min each" in bob.page.inner_text("main")
    assert bob.page.locator("h2:has-text('The rules in one minute')").count() == 1
    assert "Waiting for" in ann.page.inner_text("header")  # the seat is not taken yet
    bob.page.fill("input[autocomplete=nickname]", "Bob")
    bob.press("#join")
    bob.page.wait_for_selector("#actions")
    ann.page.wait_for_selector(".panel:has-text('Bob')")
    bob.page.reload()
    bob.page.wait_for_selector("#actions")  # no second invitation


def test_the_invite_dialog_speaks_to_players(welcome: Welcome) -> None:
    ann = welcome()
    ann.set(name="Ann")
    ann.page.goto("/")
    ann.press("text=Invite a friend by link")
    ann.press("text=Start the game")
    text = ann.page.locator("dialog").inner_text()
    assert "Ann invites you to Splendor Duel" in text
    assert "--" not in text
    assert "server" not in text.lower()


@pytest.mark.parametrize("path", ["/", "/games", "/rules/duel", "/settings", "/replay"])
def test_french_has_its_spaces(welcome: Welcome, path: str) -> None:
    ann = welcome(locale="fr-FR")
    ann.page.goto(path)
    ann.page.wait_for_selector("h1")
    text: str = ann.page.evaluate("document.body.innerText")
    assert not re.search(r"[^\u202f!?\d][:;!?»]", text)
