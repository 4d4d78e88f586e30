"""Bots of the tests, most of which misbehave. Worker processes import them from here."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from multiprocessing import parent_process
from pathlib import Path
from random import Random
from typing import TypeAlias

from parure.arena.game import PlayedGame, play_game
from parure.arena.participants import Participants
from parure.arena.plan import Fixture
from parure.bots import Bot, BotFailure, Budget
from parure.bots.base import BotTimeout
from parure.games.view import View

Choose: TypeAlias = Callable[[View, Random], str]


class FunctionBot(Bot):
    """A bot that decides by calling a function."""

    def __init__(self, function: Choose) -> None:
        self._function = function

    def choose(self, view: View, rng: Random, budget: Budget | None) -> str:
        """Return what the function returns."""
        return self._function(view, rng)


def bot_factory(function: Choose) -> Callable[[], Bot]:
    """Turn a function that chooses a decision into one that makes a bot."""

    def make() -> Bot:
        return FunctionBot(function)

    make.__name__ = make.__qualname__ = function.__name__  # so that it can be pickled
    return make


def random_choice(view: View, rng: Random) -> str:
    return str(rng.choice(view.legal_decisions))


@bot_factory
def buys(view: View, rng: Random) -> str:
    wanted = [d for d in view.legal_decisions if d.startswith(("buy", "pay", "royal"))]
    return rng.choice(wanted) if wanted else random_choice(view, rng)


@bot_factory
def crashes(view: View, rng: Random) -> str:
    if view.turns >= 4:
        raise ZeroDivisionError("a second line\nis not kept")
    return random_choice(view, rng)


@bot_factory
def cheats(view: View, rng: Random) -> str:
    return "discard k" if view.turns >= 4 else random_choice(view, rng)


@bot_factory
def chooses_chance(view: View, rng: Random) -> str:
    if "replenish" in view.legal_decisions:
        return "replenish > w"
    return random_choice(view, rng)


@bot_factory
def answers_number(view: View, rng: Random) -> str:
    return 7  # type: ignore[return-value]


@bot_factory
def exits(view: View, rng: Random) -> str:
    raise SystemExit(0)


@bot_factory
def fails(view: View, rng: Random) -> str:
    raise BotFailure("it closed its output")


@bot_factory
def times_out(view: View, rng: Random) -> str:
    raise BotTimeout("no answer within 1 s")


@bot_factory
def hangs(view: View, rng: Random) -> str:
    if view.turns >= 3:
        (Path(os.environ["PARURE_TEST_FOLDER"]) / "hanging").touch()
        time.sleep(3600)
    return random_choice(view, rng)


@bot_factory
def kills_its_process(view: View, rng: Random) -> str:
    if view.turns >= 3:
        os._exit(5)
    return random_choice(view, rng)


@bot_factory
def thinks(view: View, rng: Random) -> str:
    time.sleep(0.003)
    return random_choice(view, rng)


def cannot_be_made() -> Bot:
    if parent_process() is not None:
        raise FileNotFoundError("the weights are missing")
    return FunctionBot(random_choice)


def leaves_process_ids() -> Bot:
    """Return a bot that thinks; a worker process leaves its id and its parent's in a folder."""
    if parent_process() is not None:
        folder = Path(os.environ["PARURE_TEST_FOLDER"])
        (folder / f"{os.getpid()}-{os.getppid()}").touch()
    return thinks()


def play_here(fixture: Fixture, participants: Participants | None = None) -> PlayedGame:
    """Play a game in this process."""
    participants = participants or Participants(fixture.plan.bots)
    return play_game(fixture, participants, lambda _seat, _decisions: None)
