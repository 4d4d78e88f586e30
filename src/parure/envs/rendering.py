"""Rendering: the position as text, or that text as an image.

Hidden cards are never shown. By default the rendering shows what everyone may see; `render_seat`
names a seat whose own knowledge is shown too.
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

COLUMNS, LINES = 132, 36  # of an image; no game has a longer line or more lines
LINE_HEIGHT, LETTER_WIDTH, MARGIN = 13, 6, 8  # pixels
INK, PAPER = (38, 36, 44), (250, 248, 242)
# characters that the small built-in font lacks
SUBSTITUTES = str.maketrans({"♛": "^", "·": ".", "…": "~", "×": "x", "–": "-"})


class Renderer:
    """Renders one game of a batch in a mode of Gymnasium."""

    def __init__(self, mode: str | None, seat: int | None, seats: int) -> None:
        if mode is not None and mode not in MODES:
            raise NotationError(f"render_mode must be one of {', '.join(MODES)}, not {mode!r}")
        if seat is not None and seat not in range(seats):
            raise NotationError(f"render_seat must be a seat from 0 to {seats - 1}, not {seat!r}")
        self.mode = mode
        self.seat = seat

    def render(self, games: Games, index: int = 0) -> str | NDArray[np.uint8] | None:
        """Return a game as text or image; None in the mode `human`, which prints the text."""
        if self.mode is None:
            gymnasium.logger.warn(
                "render() does nothing without a render mode: "
                f"make the environment with render_mode= one of {', '.join(MODES)}"
            )
            return None
        text = str(games.view(index, self.seat))
        if self.mode == "rgb_array":
            return text_to_image(text)
        if self.mode == "ansi":
            return text
        sys.stdout.write(f"{text}\n\n")
        return None

    def refresh(self, games: Games) -> None:
        """Print the game after a change, in the mode `human`."""
        if self.mode == "human":
            self.render(games)


def text_to_image(text: str) -> NDArray[np.uint8]:
    """Return a text as pixels, always of the same height and width, in three colors."""
    from PIL import Image, ImageDraw, ImageFont

    size = (2 * MARGIN + COLUMNS * LETTER_WIDTH, 2 * MARGIN + LINES * LINE_HEIGHT)
    image = Image.new("RGB", size, PAPER)
    draw, font = ImageDraw.Draw(image), ImageFont.load_default_imagefont()
    for i, line in enumerate(text.translate(SUBSTITUTES).splitlines()):
        printable = line.encode("latin-1", "replace").decode("latin-1")
        draw.text((MARGIN, MARGIN + i * LINE_HEIGHT), printable, INK, font)
    return np.asarray(image, np.uint8).copy()
