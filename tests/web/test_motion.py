"""Pieces that move, moves that are shown one after the other, and what can interrupt them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.clients import ApiClient
from tests.web.conftest import Welcome
from tests.web.person import Person
from tests.web.positions import find, resume

BOTS = 3

# notes where every piece flies from and to, what the caption says, and how many sparks there are
WATCH = """() => {
  window.flights = []; window.captions = []; window.sparks = 0; window.audio = 0;
  const middle = ({x, y, width, height}) => [x + width / 2, y + height / 2];
  const note = (copy) => {
    const [flight] = copy.getAnimations().filter((one) => one.effect.getKeyframes().length > 2);
    const to = document.querySelector(`[data-piece="${CSS.escape(copy.dataset.to ?? '')}"]`);
    if (!flight || !to) return;
    const style = (name) => parseFloat(copy.style[name]);
    const from = [style('left') + style('width') / 2, style('top') + style('height') / 2];
    const frames = flight.effect.getKeyframes();
    const [dx, dy] = frames.at(-1).transform.match(/-?[\\d.]+(?=px)/g).map(Number);
    const [mx, my] = frames[6].transform.match(/-?[\\d.]+(?=px)/g).map(Number);
    const {left, right, top, bottom} = to.getBoundingClientRect();
    const end = [from[0] + dx, from[1] + dy];
    window.flights.push({
      from, end, to: copy.dataset.to, duration: flight.effect.getTiming().duration,
      delay: flight.effect.getTiming().delay, bend: Math.hypot(mx - dx / 2, my - dy / 2),
      isThere: left <= end[0] && end[0] <= right && top <= end[1] && end[1] <= bottom,
    });
  };
  new MutationObserver((changes) => {
    for (const {addedNodes} of changes)
      for (const node of addedNodes) {
        if (node.classList?.contains('flying')) note(node);
        if (node.classList?.contains('spark')) window.sparks += 1;
      }
    const name = document.querySelector('[data-playing=true] b')?.textContent ?? '';
    if (name !== window.captions.at(-1)) window.captions.push(name);
  }).observe(document, {childList: true, subtree: true, characterData: true, attributes: true});
  const Audio = window.AudioContext;
  window.AudioContext = class extends Audio { constructor() { super(); window.audio += 1; } };
}"""

# pauses between moves last until something interrupts them, however slow the machine is
SLOW = """const start = window.setTimeout; window.setTimeout = (run, time, ...more) =>
  start(run, time > 100 && time < 2000 ? 100 * time : time, ...more);"""

MIDDLES = """(names) => names.map((name) => {
  const picture = document.querySelector(`[data-piece="${name}"] svg`);
  const {x, y, width, height} = picture.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
})"""

PURSES = """() => Object.fromEntries([...document.querySelectorAll('[data-counter]')]
  .map((one) => [one.dataset.counter, one.innerText]))"""


def watched(welcome: Welcome, is_slow: bool = False, **settings: Any) -> Person:
    """A person whose page moves, and notes what does."""
    ann = welcome(reduced_motion=settings.pop("reduced_motion", "no-preference"))
    ann.page.add_init_script(f"({WATCH})()")
    if is_slow:
        ann.page.add_init_script(SLOW)
    ann.set(**settings)
    return ann


def select_line(ann: Person, api: ApiClient) -> None:
    """Select three tokens on the board."""
    state = find("duel", lambda s: "take a1 b1 c1" in s.legal_decisions)
    ann.open(resume(api, state, opponent=None), state.seat)
    skip(ann)
    ann.wait_for_turn()
    for cell in ("a1", "b1", "c1"):
        ann.press(f'[data-cell="{cell}"]')


def skip(ann: Person) -> None:
    """Skip whatever is being shown."""
    ann.page.keyboard.press("Escape")


def hide(ann: Person, selector: str) -> None:
    """Do not show some elements."""
    script = """(selector) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`${selector} { display: none !important }`);
      document.adoptedStyleSheets.push(sheet);
    }"""
    ann.page.evaluate(script, selector)


def flights(ann: Person) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = ann.page.evaluate("() => window.flights")
    return found


def take_gems(ann: Person) -> None:
    """Take three gems of the supply, which ends the turn."""
    seen = ann.wait_for_turn()
    ann.choose_gems(seen["gems"])
    ann.page.evaluate("() => { window.flights = []; window.captions = []; }")
    ann.confirm()


def four_at_a_table(ann: Person, api: ApiClient) -> dict[str, Any]:
    created = api.create("Ann", *["bot:greedy"] * BOTS, game="splendor")
    ann.open(created)
    return created


def captions(ann: Person, number: int = BOTS) -> list[str]:
    """Wait until the moves of others were shown and everything rests; the names in the captions."""
    ann.page.wait_for_function(
        """(number) => window.captions.filter((one) => one && one !== 'You').length >= number
          && document.querySelector('[data-playing=false]')
          && !document.querySelector('.flying')
          && document.querySelector('#actions.mine')""",
        arg=number,
    )
    return [name for name in ann.page.evaluate("() => window.captions") if name not in ("", "You")]


def test_tokens_fly_on_an_arc_from_their_cell_to_the_purse(
    welcome: Welcome, api: ApiClient
) -> None:
    ann = watched(welcome)
    select_line(ann, api)
    cells = ann.page.evaluate(MIDDLES, ["cell:a1", "cell:b1", "cell:c1"])
    ann.page.evaluate("() => { window.flights = []; }")
    ann.confirm()
    ann.page.wait_for_function("() => window.flights.length >= 3")
    flown = [one for one in flights(ann) if one["to"].startswith("purse:")]
    starts = [one["from"] for one in flown]
    for start, cell in zip(starts, cells, strict=True):
        # a selected cell is lifted by some pixels
        assert start == pytest.approx(cell, abs=6)
    assert all(one["isThere"] for one in flown)
    assert all(350 <= one["duration"] <= 600 for one in flown)
    assert all(one["bend"] > 5 for one in flown)
    assert len({one["delay"] for one in flown}) == len(flown)
    ann.page.wait_for_selector(".flying", state="detached")


@pytest.mark.parametrize(
    ("reduced_motion", "speed"), [("reduce", "normal"), ("no-preference", "off")]
)
def test_nothing_moves_if_motion_is_off(
    welcome: Welcome, api: ApiClient, reduced_motion: str, speed: str
) -> None:
    ann = watched(welcome, reduced_motion=reduced_motion, speed=speed)
    four_at_a_table(ann, api)
    take_gems(ann)
    ann.page.wait_for_function(
        "() => document.querySelectorAll('.last-moves .turn').length === 3"
        " && document.querySelector('#actions.mine')"
    )
    assert flights(ann) == []
    assert ann.page.locator(".flying, .spark").count() == 0


def test_a_fast_speed_is_faster(welcome: Welcome, api: ApiClient) -> None:
    ann = watched(welcome, speed="fast")
    select_line(ann, api)
    ann.page.evaluate("() => { window.flights = []; }")
    ann.confirm()
    ann.page.wait_for_function("() => window.flights.length >= 3")
    assert all(one["duration"] <= 300 for one in flights(ann))


def test_nothing_flies_to_the_corner_of_the_page(welcome: Welcome, api: ApiClient) -> None:
    """An element that is not shown has no place."""
    ann = watched(welcome)
    select_line(ann, api)
    hide(ann, '[data-piece^="purse:"]')
    ann.page.evaluate("() => { window.flights = []; }")
    ann.confirm()
    ann.page.wait_for_function("() => window.flights.length >= 3")
    assert {one["to"].split(":")[0] for one in flights(ann)} == {"panel"}
    assert all(one["isThere"] for one in flights(ann))


def test_without_any_place_nothing_flies(welcome: Welcome, api: ApiClient) -> None:
    ann = watched(welcome)
    select_line(ann, api)
    hide(ann, '[data-piece^="purse:"], [data-piece^="panel:"]')
    ann.page.evaluate("() => { window.flights = []; }")
    version = ann.look()["version"]
    ann.confirm()
    ann.wait_after(version)
    assert flights(ann) == []


def test_moves_of_three_bots_are_shown_one_after_the_other_and_again(
    welcome: Welcome, api: ApiClient
) -> None:
    ann = watched(welcome, speed="fast")
    four_at_a_table(ann, api)
    take_gems(ann)
    names = captions(ann)
    assert len(set(names)) == BOTS
    assert names == sorted(names)
    moved = [one["to"] for one in flights(ann)]
    assert [f"purse:{seat}" for seat in range(4)] == sorted({to[:7] for to in moved})
    assert ann.page.locator(".last-moves .turn").count() == BOTS
    purses, supply = ann.page.evaluate(PURSES), ann.page.inner_text(".supply")

    ann.page.evaluate("() => { window.captions = []; window.flights = []; window.tables = []; }")
    ann.page.evaluate(
        """() => new MutationObserver(() => {
          const now = document.querySelector('.supply').innerText;
          if (now !== window.tables.at(-1)) window.tables.push(now);
        }).observe(document.querySelector('.supply'), {subtree: true, characterData: true})"""
    )
    ann.press("#show-again")
    assert captions(ann) == names
    assert len(ann.page.evaluate("() => window.tables")) >= BOTS  # the tables in between
    assert ann.page.evaluate(PURSES) == purses
    assert ann.page.inner_text(".supply") == supply


def test_the_last_moves_stay_marked(welcome: Welcome, api: ApiClient) -> None:
    ann = watched(welcome, speed="fast")
    four_at_a_table(ann, api)
    take_gems(ann)
    captions(ann)
    for panel in ann.page.locator(".others .panel").all():
        assert panel.locator(".change").all_inner_texts() == ["+1"] * 3
    assert ann.page.locator(".panel.mine .change").count() == 0
    assert ann.page.locator(".pile.last").count() >= 3


def test_emptied_cells_are_marked(welcome: Welcome, api: ApiClient) -> None:
    ann = welcome()
    state = find("duel", lambda s: "take a1 b1 c1" in s.legal_decisions)
    state.play("take a1 b1 c1")
    while state.phase != "turn":
        state.play(state.legal_decisions[0])
    ann.open(resume(api, state), state.seat)
    ann.wait_for_turn()
    marked = ann.page.locator(".cell.last").evaluate_all("(all) => all.map((c) => c.dataset.cell)")
    assert sorted(marked) == ["a1", "b1", "c1"]
    gained = ann.page.locator(".others .change").all_inner_texts()
    assert sum(int(text) for text in gained if text.startswith("+")) == 3


@pytest.mark.parametrize("how", ["key", "click", "skip"])
def test_an_interruption_leaves_the_right_table(welcome: Welcome, api: ApiClient, how: str) -> None:
    ann, watcher = watched(welcome, is_slow=True), welcome()
    created = four_at_a_table(ann, api)
    watcher.open(created, None)
    take_gems(ann)
    ann.page.wait_for_selector("[data-playing=true]")
    ann.page.wait_for_selector("#actions.mine")  # the moves have come, but are not all shown yet
    if how == "key":
        ann.page.keyboard.press("Escape")
    elif how == "click":
        ann.page.mouse.click(700, 640)
    else:
        ann.page.click("#skip-moves")
    rest = "() => document.querySelectorAll('.flying, [data-playing=true]').length"
    assert ann.page.evaluate(rest) == 0
    watcher.page.wait_for_selector('#actions[data-turn="4"]')
    assert ann.page.evaluate(PURSES) == watcher.page.evaluate(PURSES)
    assert ann.page.inner_text(".supply") == watcher.page.inner_text(".supply")
    assert len(ann.wait_for_turn()["gems"]) >= 1


def test_a_click_on_the_board_skips_and_counts(welcome: Welcome, api: ApiClient) -> None:
    """Nobody has to press twice."""
    ann = watched(welcome, is_slow=True)
    four_at_a_table(ann, api)
    take_gems(ann)
    ann.page.wait_for_selector("[data-playing=true]")
    ann.page.wait_for_selector("#actions.mine")
    kind = ann.page.evaluate(
        "() => [...document.querySelectorAll('.pile')].find((one) => "
        "one.dataset.gem !== 'y' && +one.querySelector('.count').innerText > 3).dataset.gem"
    )
    [[x, y]] = ann.page.evaluate(MIDDLES, [f"supply:{kind}"])
    ann.page.mouse.click(x, y)  # until then the page does not offer the pile
    assert ann.page.locator(f'.pile.chosen[data-gem="{kind}"]').count() == 1


def test_somebody_who_comes_back_sees_the_moves_in_between(
    welcome: Welcome, api: ApiClient
) -> None:
    created = api.create("Ann", "Bob", "Cid", game="splendor")
    for seat in (0, 1, 2):
        with api.connect(created, seat) as player:
            player.play_turn()
    ann = watched(welcome, speed="fast")
    ann.open(created)
    assert captions(ann, 2) == ["Bob", "Cid"]
    again = watched(welcome, is_slow=True)
    again.open(created)
    again.page.wait_for_selector("[data-playing=true] b:text('Bob')")
    skip(again)
    assert again.page.locator("[data-playing=false] .turn").count() == 2


def test_a_victory_is_celebrated_before_the_result(welcome: Welcome, api: ApiClient) -> None:
    created = api.create("Ann", "Bob")
    ann = watched(welcome, speed="fast")
    ann.open(created)
    with api.connect(created, 1) as bob:
        bob.command("resign")
    ann.page.wait_for_selector("[data-result]")
    assert ann.page.evaluate("() => window.sparks") > 10
    ann.page.wait_for_selector(".spark", state="detached")


def test_a_defeat_is_not_celebrated(welcome: Welcome, api: ApiClient) -> None:
    created = api.create("Ann", "Bob")
    ann = watched(welcome)
    ann.open(created, 0)
    with api.connect(created, 0) as same:
        same.command("resign")
    ann.page.wait_for_selector("[data-result]")
    assert ann.page.evaluate("() => window.sparks") == 0


def test_sounds_are_off_until_they_are_switched_on(welcome: Welcome, api: ApiClient) -> None:
    ann = watched(welcome, speed="off")
    four_at_a_table(ann, api)
    take_gems(ann)
    ann.page.wait_for_selector('#actions.mine[data-turn="4"]')
    assert ann.page.evaluate("() => window.audio") == 0
    ann.set(sound=True)
    ann.page.wait_for_selector("#actions")
    assert ann.page.evaluate("() => window.audio") == 0  # nobody has pressed anything yet
    take_gems(ann)
    ann.page.wait_for_selector('#actions.mine[data-turn="8"]')
    assert ann.page.evaluate("() => window.audio") == 1


def test_the_speed_is_set_and_kept(welcome: Welcome) -> None:
    ann = watched(welcome)
    ann.page.goto("/settings")
    choice = ann.page.get_by_label("Movement of the pieces")
    assert choice.input_value() == "normal"
    choice.select_option("off")
    ann.page.reload()
    assert choice.input_value() == "off"
