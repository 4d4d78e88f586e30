"""Every table stands whole in every common window, at the crowded moments of a game."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.server.clients import ApiClient
from tests.web.conftest import Welcome
from tests.web.person import Person
from tests.web.positions import find, payments, resume

import parure
from parure.games.duel.state import DuelPlayer
from parure.games.state import State

TABLES = {
    "duel": ("duel", 2),
    "counterfeiters": ("duel+counterfeiters", 2),
    "splendor-2": ("splendor", 2),
    "splendor-3": ("splendor", 3),
    "splendor-4": ("splendor", 4),
}
# the least width of a card of the table: Duel, Counterfeiters, Splendor
DESKTOPS = {
    (1920, 1080): (150, 135, 180),
    (1440, 900): (130, 115, 150),
    (1366, 768): (108, 96, 125),
    (1280, 720): (100, 90, 115),
    (1024, 768): (98, 74, 100),
}
PHONES = {
    (844, 390): (48, 40, 70),
    (768, 1024): (85, 82, 110),
    (390, 844): (54, 44, 70),
    (360, 640): (48, 40, 54),
}
SCROLLED = {(360, 640)}  # the cards or the board are reached by scrolling
LONG_NAME = "Ann-Margarethe von Hohenfels-Schillingsfürst"[:40]

NEXT_FRAMES = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"

# what overflows, overlaps, or is too small
LOOK = """({isPhone, mayScroll, minCard, isReturning}) => {
  const found = [];
  const shown = (one) => {
    const box = one.getBoundingClientRect();
    return box.width > 0 && getComputedStyle(one).visibility !== 'hidden';
  };
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  const box = (one) => one.getBoundingClientRect();
  const name = (one) => one.dataset.piece ?? one.dataset.card ?? one.id ?? one.className;
  const page = document.documentElement;
  if (page.scrollWidth > innerWidth) found.push(`page is ${page.scrollWidth} wide`);
  if (page.scrollHeight > innerHeight) found.push(`page is ${page.scrollHeight} high`);

  const isInside = (one, outer, what, slack = 1) => {
    const [a, b] = [box(one), outer];
    const isIn = a.left >= b.left - slack && a.right <= b.right + slack
      && a.top >= b.top - slack && a.bottom <= b.bottom + slack;
    if (!isIn) found.push(`${name(one)} is not inside ${what}`);
  };
  const window_ = {left: 0, top: 0, right: innerWidth, bottom: innerHeight};
  const layout = document.querySelector('.layout');
  if (layout.scrollWidth > layout.clientWidth) found.push('the layout is too wide');
  if (layout.scrollHeight > layout.clientHeight) found.push('the layout is too high');
  const always = '.panel, .panel.mine .purse, #actions, #actions .main, .dock, header, .supply';
  for (const one of all(always)) isInside(one, window_, 'the window');
  const center = document.querySelector('.center');
  const board = '.pyramid .piece, .pyramid .deck, .pyramid .gap, .cell, .nobles .piece, ' +
    '.royals .piece, .bag, .pile';
  for (const one of all(board)) {
    const where = isPhone ? {...window_, top: -1e4, bottom: 1e4} : window_;
    isInside(one, where, 'the window', 2);
  }
  if (center.scrollWidth > center.clientWidth) found.push('the center is too wide');
  if (!mayScroll && center.scrollHeight > center.clientHeight + 1) found.push('the center scrolls');
  for (const panel of all('.panel')) {
    const parts = panel.querySelectorAll(
      'h2, .goal, .kind, .total, .hand .fan, .hand .piece, .small');
    for (const one of [...parts].filter(shown)) {
      if (isPhone && one.matches('.many .piece')) continue; // reached by scrolling
      isInside(one, box(panel), 'its panel', 6);
    }
  }
  const overlapping = (ones, slack) => {
    for (let i = 0; i < ones.length; i++)
      for (let j = i + 1; j < ones.length; j++) {
        if (ones[i].contains(ones[j]) || ones[j].contains(ones[i])) continue;
        const [a, b] = [box(ones[i]), box(ones[j])];
        const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (x > slack && y > slack) found.push(`${name(ones[i])} overlaps ${name(ones[j])}`);
      }
  };
  const bar = box(document.querySelector('#actions'));
  for (const one of all('#actions :is(.button, .option, .picture, .words)'))
    isInside(one, bar, 'the bar', 4);
  const words = document.querySelector('#actions .words');
  if (words.scrollHeight > words.clientHeight + 1) found.push(`cut: ${words.innerText}`);
  overlapping(all('#actions :is(.button, .option)'), 1);

  overlapping(all('.pyramid, .bench, .nobles, .supply, .dock, .others > .panel, .log-column')
    .filter((one) => !isPhone || !one.closest('.center')), 1);
  // what is below the bank or the dock of a phone is reached by scrolling
  overlapping(all('.center .piece:not(.open, .chosen), .center .deck, .cell'), 3);
  overlapping(all('.pile'), 3);
  for (const panel of all('.panel'))
    overlapping([...panel.children].filter((one) => shown(one) && !one.matches('.all')), 2);
  for (const who of all('.panel .who'))
    overlapping([...who.querySelectorAll('h2, .pill, .goal')].filter(shown), 2);

  const card = document.querySelector('.pyramid .piece');
  if (card.offsetWidth < minCard) found.push(`a card is ${card.offsetWidth} wide`);
  if (isPhone) {
    const targets = all('.cell, .pile, .deck, .acts button, .panel.mine .reserve button.piece, ' +
      '.panel:not(.mine) .all, .panel.mine .buttons button, header a, header button');
    if (isReturning) targets.push(...all('[data-return]'));
    for (const one of targets) {
      const {width, height} = box(one);
      if (Math.min(width, height) < 39.5)
        found.push(`${name(one)} is ${width.toFixed()}x${height.toFixed()}`);
    }
  }
  return found;
}"""


def crowdedness(state: State) -> int:
    own = state.players[state.seat]
    reserved = sum(len(player.reserved) for player in state.players)
    return 3 * reserved + 4 * own.token_count + sum(len(one.collection) for one in state.players)


def crowded(game: str, players: int, phase: str) -> State:
    """The most crowded position in a phase: full reserves, many tokens, many cards."""
    best: State | None = None
    for seed in range(12):
        rng, state = Random(seed), parure.new(game, seed=seed, players=players)
        while not state.is_over:
            if state.phase == phase and (best is None or crowdedness(state) > crowdedness(best)):
                best = state.copy()
            state.play(rng.choice(state.legal_decisions))
    assert best is not None
    return best


def check(person: Person, table: str, moment: str) -> list[str]:
    """Resize the window to every size, and return what is wrong."""
    found: list[str] = []
    page = person.page
    column = 0 if table == "duel" else 1 if table == "counterfeiters" else 2
    for sizes, is_phone in ((DESKTOPS, False), (PHONES, True)):
        for (width, height), cards in sizes.items():
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(NEXT_FRAMES)
            look: dict[str, Any] = {
                "isPhone": is_phone,
                "mayScroll": (width, height) in SCROLLED,
                "minCard": cards[column],
                "isReturning": moment == "returning",
            }
            wrong = page.evaluate(LOOK, look)
            found += [f"{table}, {moment}, {width}x{height}: {text}" for text in wrong]
    return found


@pytest.mark.parametrize("table", TABLES)
def test_a_table_fits_every_window(welcome: Welcome, api: ApiClient, table: str) -> None:
    game, players = TABLES[table]
    ann = welcome()
    ann.set(name=LONG_NAME)
    found: list[str] = []

    state = crowded(game, players, "turn")
    ann.open(resume(api, state), state.seat)
    ann.wait_for_turn()
    found += check(ann, table, "turn")
    ann.press("#hint")
    ann.page.wait_for_selector(".hint")
    found += check(ann, table, "hint")
    ann.page.keyboard.press("Escape")
    ann.press(".pyramid .piece >> nth=1")
    found += check(ann, table, "card")
    ann.page.keyboard.press("Escape")

    ann.press("[title=Resign]")
    ann.press("#resign")
    ann.page.wait_for_selector("[data-result], .note")
    ann.page.keyboard.press("Escape")
    found += check(ann, table, "resigned")

    state = crowded(game, players, "discard")
    assert state.players[state.seat].token_count >= 12
    ann.open(resume(api, state), state.seat)
    ann.wait_for_turn()
    ann.press("[data-return].open >> nth=0")
    found += check(ann, table, "returning")
    assert not found, "\n".join(found)


# every button that can be pressed is what a finger on its middle meets
COVERED = """() => {
  const found = [];
  const clips = (one) => {
    let {left, right, top, bottom} = one.getBoundingClientRect();
    for (let outer = one.parentElement; outer; outer = outer.parentElement) {
      if (getComputedStyle(outer).overflow === 'visible') continue;
      const box = outer.getBoundingClientRect();
      [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
      [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return {left, right, top, bottom};
  };
  for (const one of document.querySelectorAll('.layout button, header button, header a')) {
    if (!one.checkVisibility({visibilityProperty: true})) continue;
    const box = one.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const seen = clips(one);
    if (x < seen.left || x > seen.right || y < seen.top || y > seen.bottom) continue; // scrolled
    const met = document.elementFromPoint(x, y);
    const isChip = met?.closest('.panel') && met.matches('.all'); // a chip opens everything
    if (!met || !(one.contains(met) || isChip))
      found.push(`${one.dataset.card ?? one.dataset.piece ?? one.id ?? one.className} is covered` +
        ` by ${met?.tagName} ${met?.getAttribute('class')} in ` +
        `${met?.parentElement?.getAttribute('class')}`);
  }
  return found;
}"""


def fullest(game: str, players: int) -> list[State]:
    """Positions of long games in which one buys what one can: the most cards of every sort."""
    best: dict[str, tuple[int, State]] = {}
    for seed in range(16):
        rng, state = Random(seed), parure.new(game, seed=seed, players=players)
        while not state.is_over:
            own = state.players[state.seat]
            special = [getattr(own, name, ()) for name in ("royals", "counterfeiters", "nobles")]
            sizes = {
                "special": sum(len(cards) for cards in special),
                "reserved": len(own.reserved),
                "tokens": own.token_count,
                "window": sum(len(cards) for cards in special) if state.phase == "window" else 0,
            }
            for name, size in sizes.items():
                if size > best.get(name, (0, state))[0]:
                    best[name] = (size, state.copy())
            legal = list(state.legal_decisions)
            gains = [text for text in legal if text.split()[0] in ("buy", "royal", "use")]
            state.play(rng.choice(gains if gains and rng.random() < 0.8 else legal))
    return [state for _, state in best.values()]


@pytest.mark.parametrize("table", TABLES)
def test_nothing_covers_a_button(welcome: Welcome, api: ApiClient, table: str) -> None:
    game, players = TABLES[table]
    ann = welcome()
    found: list[str] = []
    states = fullest(game, players)
    if table == "counterfeiters":
        seats = [one.players[one.seat] for one in states]
        owners = [own for own in seats if isinstance(own, DuelPlayer)]
        assert max(len(own.royals) + len(own.counterfeiters) for own in owners) >= 5
        assert max(len(own.reserved) for own in owners) >= 4
    for state in states:
        ann.open(resume(api, state), state.seat)
        ann.wait_for_turn()
        for width, height in (*DESKTOPS, *PHONES):
            ann.page.set_viewport_size({"width": width, "height": height})
            ann.page.evaluate(NEXT_FRAMES)
            where = f"{table}, {state.phase}, {width}x{height}"
            found += [f"{where}: {text}" for text in ann.page.evaluate(COVERED)]
    assert not found, "\n".join(found)


def test_nothing_jumps(welcome: Welcome, api: ApiClient) -> None:
    """The bar, the panels and the cards keep their places whatever the bar says."""
    places = """() => ['.dock', '#actions', '.panel.mine', '.others', '.pyramid', '.board']
      .map((one) => { const box = document.querySelector(one).getBoundingClientRect();
        return [one, box.x, box.y, box.width, box.height].join(' '); })"""
    ann = welcome()
    ann.open(api.create("Ann", "bot:random"))
    for width, height in ((1366, 768), (390, 844)):
        ann.page.set_viewport_size({"width": width, "height": height})
        ann.page.evaluate(NEXT_FRAMES)
        ann.wait_for_turn()
        before = ann.page.evaluate(places)
        ann.press(".pyramid .piece >> nth=1")
        assert ann.page.evaluate(places) == before
        ann.press('[data-piece="deck:2"]')
        assert ann.page.evaluate(places) == before
        ann.page.keyboard.press("Escape")
        ann.press("#hint")
        ann.page.wait_for_selector(".hint")
        assert ann.page.evaluate(places) == before
        ann.page.keyboard.press("Escape")


# buttons and words that do not fit into the bar
BAR = """() => {
  const bar = document.querySelector('#actions'), outer = bar.getBoundingClientRect();
  const shown = [...bar.querySelectorAll('.acts > *, .words, .picture')]
    .filter((one) => one.checkVisibility());
  const acts = bar.querySelector('.acts');
  const isScrolled = acts.scrollHeight > acts.clientHeight + 1;
  return shown.filter((one) => {
    const box = one.getBoundingClientRect();
    const isOutside = box.left < outer.left - 1 || box.right > outer.right + 1
      || (!isScrolled && (box.top < outer.top - 1 || box.bottom > outer.bottom + 1));
    return isOutside || one.scrollWidth > one.clientWidth + 1
      || one.matches('.words') && one.scrollHeight > one.clientHeight + 1;
  }).map((one) => one.innerText);
}"""


def check_bar(person: Person, moment: str) -> list[str]:
    """Return what does not fit into the bar, in every window."""
    found: list[str] = []
    for width, height in (*DESKTOPS, *PHONES):
        person.page.set_viewport_size({"width": width, "height": height})
        person.page.evaluate(NEXT_FRAMES)
        found += [f"{moment}, {width}x{height}: {text}" for text in person.page.evaluate(BAR)]
    return found


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_the_bar_holds_what_it_says(welcome: Welcome, api: ApiClient, language: str) -> None:
    ann = welcome()
    ann.set(language=language)
    ann.open(api.create("Ann", "bot:random"))
    ann.wait_for_turn()
    found = check_bar(ann, "first turn")

    def has_ways(state: Any) -> bool:
        return any(len(ways) > 2 for ways in payments(state).values())

    state = find("duel", has_ways)
    ann.open(resume(api, state), state.seat)
    ann.wait_for_turn()
    buy = next(buy for buy, ways in payments(state).items() if len(ways) > 2)
    ann.press(f'[data-card="{buy.removeprefix("buy ")}"]')
    found += check_bar(ann, "several ways to pay")
    ann.press("#other-ways")
    found += check_bar(ann, "all ways to pay")

    def is_wanted(state: Any) -> bool:
        return bool(state.phase == phase)

    for phase in ("royal", "color"):
        state = find("duel", is_wanted)
        ann.open(resume(api, state), state.seat)
        ann.wait_for_turn()
        found += check_bar(ann, phase)
    assert not found, "\n".join(found)
