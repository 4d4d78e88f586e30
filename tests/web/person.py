"""Somebody who plays at the page: with a mouse or a finger, or with the keyboard alone."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page
from tests.server.clients import ApiClient

PATIENCE = 15_000  # milliseconds

# what the page offers, as anybody could see it
LOOK = """() => {
  const bar = document.querySelector('#actions');
  const all = (selector, name) =>
    [...document.querySelectorAll(selector)]
      .filter((one) => one.checkVisibility()).map((one) => one.dataset[name]);
  return {
    isOver: !!document.querySelector('[data-result]'),
    isMine: !!bar && bar.classList.contains('mine') && bar.dataset.busy === 'false',
    version: bar?.dataset.version, phase: bar?.dataset.phase, turn: bar?.dataset.turn,
    hasEnd: !!document.querySelector('#end-turn'),
    cards: all('.piece.open', 'card'),
    cells: all('.cell.lit', 'cell'),
    gems: all('.pile.lit', 'gem'),
    returns: all('[data-return].open', 'return'),
    acts: all('#actions [data-decision]', 'decision'),
  };
}"""


class Person:
    """A person with a mouse."""

    def __init__(self, page: Page, api: ApiClient) -> None:
        self.page = page
        self.api = api
        page.set_default_timeout(PATIENCE)

    # --- coming to a table ---

    def open(self, created: dict[str, Any], seat: int | None = 0) -> None:
        """Open the link of a seat, or (None) the one to watch."""
        key = created["watch"]["key"] if seat is None else created["seats"][seat]["key"]
        self.page.goto(f"/table/{created['match']}#{key}")
        self.join()

    def join(self) -> None:
        """Accept the invitation if the link that is open leads to one, and wait for the table."""
        self.page.wait_for_selector("#actions, #join")
        if self.page.locator("#join").count():
            self.press("#join")
        self.page.wait_for_selector("#actions")

    def set(self, **settings: Any) -> None:
        """Have the browser remember some settings."""
        script = """(some) => localStorage.setItem('parure.settings', JSON.stringify(
          {...JSON.parse(localStorage.getItem('parure.settings') ?? '{}'), ...some}))"""
        if not self.page.url.startswith("http"):
            self.page.goto("/settings")
            self.page.wait_for_selector("h1")  # the page has stored its own settings
        self.page.evaluate(script, settings)
        self.page.reload()

    # --- acting ---

    def press(self, selector: str) -> None:
        """Press something."""
        self.page.click(selector)

    def confirm(self) -> None:
        """Do what the large button says."""
        self.press("#actions .main")

    def look(self) -> dict[str, Any]:
        """What the page offers now."""
        seen: dict[str, Any] = self.page.evaluate(LOOK)
        return seen

    def wait_for_turn(self) -> dict[str, Any]:
        """Wait until something is to be decided here and all moves were shown, or for the end."""
        self.page.wait_for_function(
            """() => document.querySelector('[data-result]')
              || document.querySelector('#actions.mine[data-busy=false]')
                && !document.querySelector('[data-playing=true]')"""
        )
        return self.look()

    def wait_after(self, version: str) -> None:
        """Wait until the table is another."""
        self.page.wait_for_function(
            """(old) => document.querySelector('[data-result]')
              || document.querySelector('#actions')?.dataset.version !== old""",
            arg=version,
        )

    # --- playing ---

    def decide(self) -> bool:
        """Do one thing, a sensible one; False once the game is over."""
        seen = self.wait_for_turn()
        if seen["isOver"]:
            return False
        if seen["hasEnd"]:
            self.press("#end-turn")
        elif seen["returns"]:
            self.return_tokens(seen["returns"])
            self.press("#return")
        elif seen["cards"]:
            self.press(f'.piece.open[data-card="{max(seen["cards"])}"]')
            self.press("#actions .act")
        elif seen["phase"] != "turn" and seen["acts"]:
            self.press(f'#actions [data-decision="{seen["acts"][0]}"]')
        elif "replenish" in seen["acts"] and len(seen["cells"]) < 12:
            self.press('#actions [data-decision="replenish"]')
        elif seen["cells"]:
            self.choose_cells(seen["cells"])
            self.confirm()
        elif seen["gems"]:
            self.choose_gems(seen["gems"])
            self.confirm()
        elif seen["acts"]:
            self.press(f'#actions [data-decision="{seen["acts"][0]}"]')
        else:  # nothing to take or buy: reserve a card
            self.press(".pyramid .piece >> nth=0")
            self.press("#actions .act")
        self.wait_after(seen["version"])
        return True

    def complete_turn(self) -> None:
        """Decide until only the end of the turn is left to press."""
        while not self.wait_for_turn()["hasEnd"]:
            self.decide()

    def choose_cells(self, lit: list[str]) -> None:
        """Choose up to three cells of the board, as long as they go together."""
        for _ in range(3):
            if not lit:
                return
            self.press(f'[data-cell="{lit[0]}"]')
            lit = self.look()["cells"]

    def choose_gems(self, lit: list[str]) -> None:
        """Choose up to three gems of the supply."""
        chosen: list[str] = []
        while len(chosen) < 3 and (more := [gem for gem in lit if gem not in chosen]):
            self.press(f'[data-gem="{more[0]}"]')
            chosen.append(more[0])
            lit = self.look()["gems"]

    def return_tokens(self, open_kinds: list[str]) -> None:
        """Choose own tokens to return, until there are enough."""
        while open_kinds:
            self.press(f'[data-return="{open_kinds[0]}"]')
            open_kinds = self.look()["returns"]

    def finish(self, most: int = 600) -> str:
        """Play to the end, and tell why the game ended."""
        for _ in range(most):
            if not self.decide():
                reason = self.page.get_attribute("[data-result]", "data-result")
                return reason or ""
        raise AssertionError("the game does not end")


class Typist(Person):
    """A person with a keyboard only: whatever the mouse would press is walked to."""

    def press(self, selector: str) -> None:
        """Go to something by keys, and choose it with Enter."""
        keyboard = self.page.keyboard
        if selector == "#actions .main":
            keyboard.press("t")
            return
        part = "b" if "data-cell" in selector else "c" if ".piece" in selector else "t"
        if part == "t":
            self._tab_to(selector)
        else:
            keyboard.press(part)
            self._walk_to(selector)
        keyboard.press("Enter")

    def _is_at(self, selector: str) -> bool:
        return bool(
            self.page.evaluate("(goal) => document.activeElement?.matches(goal) ?? false", selector)
        )

    def _walk_to(self, selector: str) -> None:
        """Use arrow keys; where they do not lead there, Tab does."""
        script = """(goal) => {
          const [a, b] = [document.activeElement, document.querySelector(goal)];
          if (a === b) return '';
          const [from, to] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
          const dx = to.x + to.width / 2 - from.x - from.width / 2;
          const dy = to.y + to.height / 2 - from.y - from.height / 2;
          if (Math.abs(dy) > 8) return dy > 0 ? 'ArrowDown' : 'ArrowUp';
          return dx > 0 ? 'ArrowRight' : 'ArrowLeft';
        }"""
        for _ in range(12):
            key = self.page.evaluate(script, selector)
            if not key:
                return
            self.page.keyboard.press(key)
        self._tab_to(selector)

    def _tab_to(self, selector: str) -> None:
        for _ in range(150):
            if self._is_at(selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{selector} cannot be reached by keyboard")
