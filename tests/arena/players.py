"""Bots that misbehave, and the way to have them play in other processes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

from parure import bots
from parure.arena.game import PlayedGame, Told, play_game
from parure.arena.plan import Fixture
from parure.bots.base import Answer, Bot, BotFailure, BotTimeout, Budget
from parure.games.view import View


class TestBot(Bot):
    """A bot that does what its function does."""

    __test__ = False

    def __init__(self, decide: Callable[[View, Random], str]) -> None:
        self._decide = decide

    def choose(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        """What the function says."""
        return Answer(self._decide(view, rng))


def anything(view: View, rng: Random) -> str:
    """Any legal decision."""
    return str(rng.choice(view.legal_decisions))


def buys(view: View, rng: Random) -> str:
    """What a beginner does: buy if possible, else anything."""
    wanted = [d for d in view.legal_decisions if d.startswith(("buy", "pay", "royal"))]
    return rng.choice(wanted) if wanted else anything(view, rng)


def crashes(view: View, rng: Random) -> str:
    if view.turns >= 4:
        raise ZeroDivisionError("a second line\nis not kept")
    return anything(view, rng)


def cheats(view: View, rng: Random) -> str:
    return "discard k" if view.turns >= 4 else anything(view, rng)


def steers_chance(view: View, rng: Random) -> str:
    if "replenish" in view.legal_decisions:
        return "replenish > w"
    return anything(view, rng)


def babbles(view: View, rng: Random) -> str:
    return 7  # type: ignore[return-value]


def leaves(view: View, rng: Random) -> str:
    raise SystemExit(0)


def fails(view: View, rng: Random) -> str:
    raise BotFailure("it closed its output")


def is_late(view: View, rng: Random) -> str:
    raise BotTimeout("no answer within 1 s")


def hangs(view: View, rng: Random) -> str:
    while view.turns >= 3:
        time.sleep(0.1)
    return anything(view, rng)


def dies(view: View, rng: Random) -> str:
    if view.turns >= 3:
        os._exit(5)
    return anything(view, rng)


def thinks(view: View, rng: Random) -> str:
    time.sleep(0.003)
    return anything(view, rng)


TEST_BOTS = (
    *(buys, crashes, cheats, steers_chance, babbles, leaves, fails, is_late, hangs, dies, thinks),
)


def register() -> None:
    """Make the test bots known to this process."""
    for decide in TEST_BOTS:
        bots.register(decide.__name__, partial(TestBot, decide))


def unregister() -> None:
    """Make them unknown again."""
    for decide in TEST_BOTS:
        bots.unregister(decide.__name__)


def play(fixture: Fixture, tell: Told) -> PlayedGame:
    """Play a game in a process that does not know the test bots yet."""
    register()
    return play_game(fixture, tell)


def play_and_sign(fixture: Fixture, tell: Told) -> PlayedGame:
    """Play a game, and leave one's number and that of the parent in the folder of the test."""
    folder = Path(os.environ["PARURE_TEST_FOLDER"])
    (folder / f"{os.getpid()}-{os.getppid()}").touch()
    return play(fixture, tell)


def play_at_home(fixture: Fixture) -> PlayedGame:
    """Play a game here, telling nobody."""
    return play_game(fixture, lambda _seat, _decisions: None)
