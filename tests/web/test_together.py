"""Two people by link, one who watches, and connections that break."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.clients import ApiClient
from tests.web.conftest import Welcome
from tests.web.person import Person

from parure.server.session import MatchSession
from parure.server.store import Unavailable


def invited(ann: Person) -> tuple[str, str]:
    """Have Ann invite somebody; the links to play and to watch."""
    ann.page.goto("/")
    ann.press("text=Invite a friend by link")
    ann.page.fill("input[autocomplete=nickname] >> nth=0", "Ann")
    ann.press("summary")
    ann.page.select_option("label:has-text('Who begins?') select", "0")
    ann.press("text=Start the game")
    fields = ann.page.locator("dialog input")
    fields.first.wait_for()
    play, watch = (fields.nth(i).input_value() for i in range(2))
    ann.page.keyboard.press("Escape")
    return play, watch


def local(link: str, api: ApiClient) -> str:
    """A link as it works for this test's server."""
    return f"http://localhost:{api.port}/table/" + link.split("/table/")[1]


def test_two_browsers_and_a_lost_connection(welcome: Welcome, api: ApiClient) -> None:
    ann, bob = welcome(), welcome(locale="fr-FR")
    play, watch = invited(ann)
    bob.set(name="Bob")
    bob.page.goto(local(play, api))
    bob.join()
    ann.page.wait_for_selector(".panel:has-text('Bob')")
    ann.complete_turn()
    ann.press("#end-turn")
    bob.complete_turn()

    # Bob's line breaks in the middle of his turn; what he presses meanwhile is not lost
    bob.page.context.set_offline(True)
    bob.page.wait_for_selector("header [role=alert]")
    ann.page.wait_for_selector(".note")  # away
    bob.press("#end-turn")
    bob.page.context.set_offline(False)
    bob.page.wait_for_selector("header [role=alert]", state="detached")
    assert ann.wait_for_turn()["isMine"]
    ann.complete_turn()
    ann.press("#end-turn")

    watcher = welcome()
    watcher.page.goto(local(watch, api))
    watcher.page.wait_for_selector("text=You are watching")
    assert watcher.page.locator("#actions .act").count() == 0
    bob.wait_for_turn()

    bob.press("[title=Abandonner]")
    bob.press("#resign")
    for person in (ann, bob, watcher):
        person.page.wait_for_selector("[data-result=resigned]")
    assert ann.page.locator("dialog h2:has-text('You win')").count() == 1
    ann.press("#rematch")
    bob.page.wait_for_selector("text=Ann veut une revanche")
    bob.press("#rematch")
    for person in (ann, bob):
        person.press("dialog a.main")
        person.page.wait_for_selector(".board")
    assert bob.wait_for_turn()["isMine"]  # the player who was second begins


def test_what_the_server_could_not_keep_is_sent_again(
    welcome: Welcome, api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    carry_out = MatchSession._carry_out
    failures = 0

    async def fail_once(self: MatchSession, *given: Any) -> bool:
        nonlocal failures
        failures += 1
        if failures == 1:
            raise Unavailable("no database")
        return await carry_out(self, *given)

    ann = welcome()
    ann.open(api.create("Ann", "bot:random"))
    seen = ann.wait_for_turn()
    monkeypatch.setattr(MatchSession, "_carry_out", fail_once)
    ann.choose_cells(seen["cells"])
    ann.confirm()
    ann.wait_after(seen["version"])
    assert failures == 2
    assert ann.wait_for_turn()["isMine"]


def test_a_bot_plays_for_somebody_who_left(welcome: Welcome, api: ApiClient) -> None:
    ann, bob = welcome(), welcome()
    created = api.create("Ann", "Bob")
    ann.open(created)
    bob.open(created, 1)
    ann.complete_turn()
    ann.press("#end-turn")
    bob.wait_for_turn()
    bob.page.goto("about:blank")
    ann.press("text=Let a bot play for Bob")
    assert ann.wait_for_turn()["isMine"]
    bob.open(created, 1)
    bob.press("text=Take my seat back")
    ann.complete_turn()
    ann.press("#end-turn")
    assert bob.wait_for_turn()["isMine"]


def test_a_clock_runs(welcome: Welcome, api: ApiClient) -> None:
    ann, bob = welcome(), welcome()
    created = api.create("Ann", "Bob", clock={"kind": "bank", "seconds": 60, "increment": 0})
    ann.open(created)
    bob.open(created, 1)
    ann.page.wait_for_selector(".panel.mine .clock.running:has-text('00:58')")
    assert ann.page.inner_text(".panel:not(.mine) .clock") == "01:00"
    assert bob.page.locator(".panel:not(.mine) .clock.running").count() == 1


def test_a_hidden_card_stays_hidden(welcome: Welcome, api: ApiClient) -> None:
    ann, bob = welcome(), welcome()
    created = api.create("Ann", "Bob")
    frames: list[str] = []
    bob.page.on(
        "websocket", lambda s: s.on("framereceived", lambda frame: frames.append(str(frame)))
    )
    ann.open(created)
    bob.open(created, 1)
    ann.press('[data-piece="deck:2"]')
    ann.confirm()
    ann.press("#end-turn")
    ann.page.wait_for_selector(".panel.mine .reserve [data-card]")
    card = ann.page.locator(".panel.mine .reserve [data-card]").get_attribute("data-card")
    assert card is not None
    assert bob.wait_for_turn()["isMine"]
    assert frames
    assert not any(card in frame for frame in frames)
    assert card not in bob.page.content()


@pytest.mark.parametrize("decision", ["take a1 e5", "buy J3-01", "royal R1"])
def test_cheating_with_the_developer_tools(welcome: Welcome, api: ApiClient, decision: str) -> None:
    ann = welcome()
    created = api.create("Ann", "bot:random")
    ann.page.goto("/")
    answer = ann.page.evaluate(
        """([match, key, decision]) => new Promise((tell) => {
          const socket = new WebSocket(`ws://${location.host}/api/matches/${match}/socket`);
          socket.onopen = () => socket.send(JSON.stringify({type: 'hello', key}));
          socket.onmessage = (event) => {
            const message = JSON.parse(event.data);
            if (message.type === 'welcome') socket.send(JSON.stringify({
              type: 'decide', id: 'x', version: message.snapshot.version, decisions: [decision]}));
            else if (message.type === 'refused') tell(message.code);
            else if (message.type === 'done') tell('done');
            else if (message.type === 'error') tell(message.code);
          };
        })""",
        [created["match"], created["seats"][0]["key"], decision],
    )
    assert answer in {"illegal", "message"}


def test_a_renewed_link_replaces_the_one_that_was_sent(welcome: Welcome, api: ApiClient) -> None:
    ann, bob, thief = welcome(), welcome(), welcome()
    play, _ = invited(ann)
    old = local(play, api)
    for person in (bob, thief):
        person.set(name="Bob")
        person.page.goto(old)
        person.join()
    bob.press("nav [title=Settings]")
    bob.press("#renew-link")
    bob.page.wait_for_function("(old) => location.href !== old", arg=old)
    bob.page.wait_for_selector("#actions")
    thief.page.wait_for_selector("text=This link opens nothing.")
    bob.page.reload()
    bob.page.wait_for_selector("#actions")
    bob.page.goto("/")
    bob.page.goto(old)  # his own browser knows the new one
    bob.page.wait_for_selector("#actions")
    assert bob.page.url != old
    ann.complete_turn()
    ann.press("#end-turn")
    assert bob.wait_for_turn()["isMine"]
