"""Playthroughs: one random game of each kind, every state printed and compared with a stored text.

They show any change in how a game is played or printed. After an intended change, write them again
with `PARURE_UPDATE_PLAYTHROUGHS=1 pytest tests/games/test_playthroughs.py` and check the diff.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.games.positions import random_decisions

from parure.games.api import new
from parure.games.state import State

FOLDER = Path(__file__).parents[1] / "data" / "playthroughs"
GAMES = {  # seeds that reach many phases
    "splendor-2": ("splendor", 2, 27),
    "splendor-3": ("splendor", 3, 117),
    "splendor-4": ("splendor", 4, 305),
    "duel": ("duel", 2, 271),
    "duel+counterfeiters": ("duel+counterfeiters", 2, 151),
}
MAX_SIZE = 100_000  # bytes of a file


def playthrough(game: str, players: int, seed: int) -> Iterator[str]:
    """Yield the text of a game, one part for each decision."""
    state = new(game, players=players, seed=seed)
    yield f"{state!r}\n\n{position(state)}"
    for number, decision in enumerate(random_decisions(state, seed)):
        yield f"== {number}: {decision}\n"
        for seat in (*range(players), None):
            shown = state.log(seat)[-1]
            if shown != decision:
                yield f"   told to {'all' if seat is None else seat}: {shown}\n"
        yield position(state)


def position(state: State) -> str:
    """Return all public properties of a state, and what each viewer sees."""
    lines = [str(state), f"phase {state.phase}, seat {state.seat}, turns {state.turns}"]
    for seat in (*range(state.seats), None):
        view = state.view(seat)
        decks = [name for level in (1, 2, 3) for name in view.deck(level) if name[0] != "?"]
        reserves = [" ".join(player.reserved) or "-" for player in view.players]
        viewer = "all" if seat is None else seat
        lines.append(f"seen by {viewer}: reserves {' / '.join(reserves)}, in decks {decks}")
    lines += [f"legal ({len(state.legal_decisions)}): {', '.join(state.legal_decisions)}"]
    if state.outcome is not None:
        lines += [repr(state.outcome)]
    return "\n".join(lines) + "\n\n"


@pytest.mark.parametrize("name", GAMES)
def test_playthrough(name: str) -> None:
    text = "".join(playthrough(*GAMES[name]))
    file = FOLDER / f"{name}.txt.gz"
    if os.environ.get("PARURE_UPDATE_PLAYTHROUGHS"):
        FOLDER.mkdir(parents=True, exist_ok=True)
        file.write_bytes(gzip.compress(text.encode(), mtime=0))
    assert file.stat().st_size < MAX_SIZE
    assert text == gzip.decompress(file.read_bytes()).decode()
