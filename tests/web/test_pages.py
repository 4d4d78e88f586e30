"""Every page: no serious trouble for anybody, and a picture of it to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from tests.server.clients import ApiClient
from tests.web.conftest import SIZES, Welcome
from tests.web.person import Person
from tests.web.positions import find, late, resume

import parure

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "build" / "pages"
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
PLACES = (
    "home", "games", "settings", "rules", "record", "nowhere", "invitation", "invite", "duel",
    "counterfeiters", "splendor", "card", "hint", "discard", "resign", "result", "replay", "keys",
    "analysis",
)  # fmt: skip


def finished(api: ApiClient) -> dict[str, Any]:
    """A match that is over."""
    created = api.create("Ann", "bot:random")
    with api.connect(created) as client:
        client.command("resign")
    return created


def go(person: Person, api: ApiClient, place: str) -> None:
    """Bring somebody to a place."""
    page = person.page
    if place in ("home", "games", "settings", "rules", "record", "nowhere"):
        path = {"home": "/", "rules": "/rules/duel+counterfeiters", "record": "/replay"}
        page.goto(path.get(place, f"/{place}"))
    elif place == "invitation":
        created = api.create("Ann", "")
        page.goto(f"/table/{created['match']}#{created['seats'][1]['key']}")
        page.wait_for_selector("#join")
    elif place == "invite":
        page.goto("/")
        person.press("text=Invite a friend by link")
        person.press("text=Start the game")
        page.wait_for_selector("dialog input")
    elif place == "analysis":
        page.goto(f"/analysis?position={quote(parure.new('splendor', seed=1).view(0).text())}")
        page.wait_for_selector(".move.current")
    elif place == "discard":
        state = find("duel", lambda s: s.phase == "discard")
        person.open(resume(api, state), state.seat)
        person.press("[data-return].open >> nth=0")
    elif place in ("result", "replay"):
        created = finished(api)
        key = created["seats"][0]["key"]
        page.goto(f"/{'table' if place == 'result' else place}/{created['match']}#{key}")
        page.wait_for_selector("dialog figure" if place == "result" else "input[type=range]")
    else:
        game = {"counterfeiters": "duel+counterfeiters", "splendor": "splendor"}.get(place, "duel")
        state = late(game, 0.4, players=4 if game == "splendor" else None)
        person.open(resume(api, state), state.seat)
        person.wait_for_turn()
        if place == "card":
            person.press(".pyramid .piece >> nth=3")
        elif place == "hint":
            person.press("#hint")
            page.wait_for_selector(".hint")
        elif place == "resign":
            person.press("[title=Resign]")
            page.wait_for_selector("#resign")
        elif place == "keys":
            page.keyboard.press("?")
            page.wait_for_selector("dialog kbd")
    page.wait_for_selector("h1", state="attached")
    page.evaluate("document.fonts.ready")


@pytest.mark.parametrize(("size", "theme"), [("large", "dark"), ("small", "light")])
def test_pages(welcome: Welcome, api: ApiClient, size: str, theme: str) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    ann = welcome(size=size)
    ann.set(theme=theme)
    found: list[str] = []
    for place in PLACES:
        go(ann, api, place)
        name = f"{place}-{SIZES[size][0]}.png"
        ann.page.screenshot(path=PICTURES / name, full_page=True)
        assert ann.page.evaluate("document.documentElement.scrollWidth <= screen.width"), place
        found += [f"{place}: {trouble}" for trouble in troubles(ann)]
    assert not found, "\n".join(found)


def troubles(person: Person) -> list[str]:
    """What axe finds serious or worse on the page that is open."""
    person.page.evaluate(AXE.read_text())
    results = person.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{violation['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:300]}"
        for violation in results["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"][:3]
    ]


def test_pictures_as_others_see_colors(welcome: Welcome, api: ApiClient) -> None:
    """For a person to look at: each gem is to be told by its cut, where its color fails."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    ann = welcome()
    ann.set(tokenMarks=True)
    go(ann, api, "duel")
    tools = ann.page.context.new_cdp_session(ann.page)
    for kind in ("protanopia", "deuteranopia", "tritanopia", "achromatopsia"):
        tools.send("Emulation.setEmulatedVisionDeficiency", {"type": kind})
        ann.page.screenshot(path=PICTURES / f"duel-{kind}.png")
    letters = ann.page.locator(".cell > .token text").all_text_contents()
    assert len(set(letters)) > 1
    assert set(letters) <= set("WUGRKPY")


def test_nothing_comes_from_elsewhere(welcome: Welcome, api: ApiClient) -> None:
    ann = welcome()
    asked: list[str] = []
    ann.page.on("request", lambda request: asked.append(request.url))
    go(ann, api, "home")
    go(ann, api, "duel")
    assert asked
    assert all(f"//localhost:{api.port}/" in url or url.startswith("data:") for url in asked)


def test_replay_with_its_slider(welcome: Welcome, api: ApiClient) -> None:
    state = late("duel", 0.3)
    ann = welcome(size="wide")
    created = resume(api, state)
    ann.open(created, state.seat)
    ann.press("[title=Resign]")
    ann.press("#resign")
    ann.press("dialog a:has-text('Replay')")
    slider = ann.page.locator("input[type=range]")
    slider.wait_for()
    assert ann.page.locator(".cell > .token").count() == 25
    ann.press("[aria-label='On']")
    assert "Step 1 of" in ann.page.inner_text("output")
    ann.press("#show-log")
    assert ann.page.locator(".log .jump:not(.later)").count() == 1
    slider.fill(str(len(state.decisions)))
    shown = ann.page.locator(".cell > .token").count()
    assert shown == len(getattr(state, "board", {}))


def test_a_record_from_a_file(welcome: Welcome) -> None:
    ann = welcome()
    ann.page.goto("/replay")
    file = next((ROOT / "tests/data/records").glob("cf-use-*.json"))
    ann.page.set_input_files("input[type=file]", file)
    ann.page.wait_for_selector("input[type=range]")
    ann.page.reload()
    ann.page.set_input_files(
        "input[type=file]", {"name": "x.json", "mimeType": "application/json", "buffer": b"{"}
    )
    ann.page.wait_for_selector("text=This file is no record of a game.")


def test_a_replay_can_be_played_on(welcome: Welcome, api: ApiClient) -> None:
    ann = welcome()
    ann.page.goto("/replay")
    file = next((ROOT / "tests/data/records").glob("cf-use-*.json"))
    ann.page.set_input_files("input[type=file]", file)
    ann.page.locator("input[type=range]").fill("6")
    ann.press("#play-on")
    ann.page.wait_for_url("**/table/*")
    seen = ann.wait_for_turn()
    ann.page.wait_for_selector(".log li")
    assert ann.decide()
    assert ann.look()["version"] != seen["version"]


def test_the_log_can_be_folded(welcome: Welcome, api: ApiClient) -> None:
    ann = welcome(size="wide")
    ann.open(api.create("Ann", "bot:random"))
    ann.page.wait_for_selector("aside .scroll")
    ann.press(".fold")
    ann.page.wait_for_selector("aside .scroll", state="detached")
    ann.page.reload()
    ann.page.wait_for_selector('.fold[aria-expanded="false"]')


def test_own_games_are_listed_and_resumed(welcome: Welcome) -> None:
    ann = welcome()
    ann.page.goto("/")
    ann.press("text=Start the game")
    ann.wait_for_turn()
    ann.press("header a.home")
    ann.press("a:has-text('Continue')")
    ann.wait_for_turn()
    ann.page.goto("/games")
    ann.press("li button")
    assert "Press again" in ann.page.inner_text("li button")
    ann.press("li button")
    ann.page.wait_for_selector("a:has-text('Continue')", state="detached")


def test_a_game_that_others_opened_is_kept(welcome: Welcome, api: ApiClient) -> None:
    ann, bob = welcome(), welcome()
    ann.page.goto("/")
    ann.press("text=Invite a friend by link")
    ann.press("text=Start the game")
    link = ann.page.locator("dialog input").first.input_value()
    bob.page.goto("/table/" + link.split("/table/")[1])
    bob.join()
    ann.page.goto("/games")
    ann.press("li button")
    ann.press("li button")
    ann.page.wait_for_selector("li [role=alert]:has-text('Others have opened this match')")
    assert ann.page.locator("a:has-text('Continue')").count() == 1
