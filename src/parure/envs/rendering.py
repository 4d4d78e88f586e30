"""What an environment shows: the table as text, or that text as a picture.

Hidden cards are never shown. By default it is what everyone may see; `render_seat` names a seat
whose own knowledge is shown too.
"""

from __future__ import annotations

import sys
from typing import Any, Final

import gymnasium
import numpy as np
from numpy.typing import NDArray

from parure.envs.games import Games
from parure.errors import NotationError

MODES: Final = ("ansi", "human", "rgb_array")
METADATA: Final[dict[str, Any]] = {"render_modes": list(MODES), "render_fps": 2}

COLUMNS, LINES = 132, 36  # of a picture; the longest line and table that a game can bring
LINE_HEIGHT, LETTER_WIDTH, MARGIN = 13, 6, 8  # pixels
INK, PAPER = (38, 36, 44), (250, 248, 242)
# signs that the small built-in font lacks
PLAIN = str.maketrans({"♛": "^", "·": ".", "…": "~", "×": "x", "–": "-"})


class Renderer:
    """Shows one game in the mode that was asked for."""

    def __init__(self, mode: str | None, seat: int | None, seats: int) -> None:
        if mode is not None and mode not in MODES:
            raise NotationError(f"render_mode must be one of {', '.join(MODES)}, not {mode!r}")
        if seat is not None and seat not in range(seats):
            raise NotationError(f"render_seat must be a seat from 0 to {seats - 1}, not {seat!r}")
        self.mode = mode
        self.seat = seat

    def render(self, games: Games, number: int = 0) -> str | NDArray[np.uint8] | None:
        """A game as text or picture; None where it was printed."""
        if self.mode is None:
            gymnasium.logger.warn(
                "render() does nothing without a render mode: "
                f"make the environment with render_mode= one of {', '.join(MODES)}"
            )
            return None
        text = table(games, number, self.seat)
        if self.mode == "rgb_array":
            return picture(text)
        if self.mode == "ansi":
            return text
        sys.stdout.write(f"{text}\n\n")
        return None

    def refresh(self, games: Games) -> None:
        """Show the game to a person, if one is looking."""
        if self.mode == "human":
            self.render(games)


def table(games: Games, number: int, seat: int | None) -> str:
    """A game in characters, as a seat or a watcher (None) sees it."""
    by = games.rules
    words = games.rows[number].copy()
    by.kernel.hide(words, by.layout.EVERYONE if seat is None else seat)
    return str(by.view_type(by, words, seat))


def picture(text: str) -> NDArray[np.uint8]:
    """A text as pixels, always of the same size: height, width, and three colors."""
    from PIL import Image, ImageDraw, ImageFont

    size = (2 * MARGIN + COLUMNS * LETTER_WIDTH, 2 * MARGIN + LINES * LINE_HEIGHT)
    image = Image.new("RGB", size, PAPER)
    pen, font = ImageDraw.Draw(image), ImageFont.load_default_imagefont()
    for i, line in enumerate(text.translate(PLAIN).splitlines()):
        shown = line.encode("latin-1", "replace").decode("latin-1")
        pen.text((MARGIN, MARGIN + i * LINE_HEIGHT), shown, INK, font)
    return np.asarray(image, np.uint8).copy()
