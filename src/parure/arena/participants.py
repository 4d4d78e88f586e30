"""The bots of a tournament or simulation: their names, and how each process makes them."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from parure.bots import Bot, BotLike, bot_name, resolve
from parure.bots.match_loop import prepare
from parure.bots.registry import BUILT_IN, MakeBot, register, registered_bots
from parure.errors import ParureError
from parure.games.api import new
from parure.games.rules import Rules


class Participants:
    """Named bots; each seat of each game gets a new one.

    A specification is its own name. A bot or function of your own is named after its class or
    function, with a number appended where that name is taken. A :class:`Bot` is copied for each
    seat of each game, so that no game depends on an earlier one.

    Participants can be sent to worker processes if their functions and classes can be imported
    there. Functions passed to :func:`parure.bots.register` are sent along and registered there.

    >>> from parure.bots.random_bot import RandomBot
    >>> participants = Participants(["random", RandomBot, RandomBot()])
    >>> participants.names
    ['random', 'RandomBot', 'RandomBot-2']
    >>> type(participants.make("RandomBot-2")).__name__
    'RandomBot'
    """

    def __init__(self, bots: Sequence[BotLike]) -> None:
        self._own: dict[str, Bot | Callable[[], Bot]] = {}
        reserved = {*BUILT_IN, *(bot for bot in bots if isinstance(bot, str))}
        self.names = [bot if isinstance(bot, str) else self._add(bot, reserved) for bot in bots]

    def _add(self, bot: Bot | Callable[[], Bot], reserved: set[str]) -> str:
        """Keep an own bot and return its name; the same object has the same name again."""
        for name, known in self._own.items():
            if known is bot:
                return name
        name, number = bot_name(bot), 1
        while name in self._own or name in reserved:
            number += 1
            name = f"{bot_name(bot)}-{number}"
        self._own[name] = bot
        return name

    def make(self, name: str) -> Bot:
        """Return a new bot for one seat of one game."""
        own = self._own.get(name, name)
        return copy.deepcopy(own) if isinstance(own, Bot) else resolve(own)

    def check(self) -> None:
        """Make each bot once; raises what making it raises."""
        for name in dict.fromkeys(self.names):
            self.make(name).close()

    def prepare(self, name: str, rules: Rules) -> None:
        """Let a compiled bot decide once, so that compiling does not count as thinking time."""
        own = self._own.get(name, name)
        prepare(copy.deepcopy(own) if isinstance(own, Bot) else own, rules)

    def warm_up(self, rules: Rules) -> None:
        """Compile rules and bots in this process; processes started later load the result."""
        state = new(rules.game, players=rules.seats, seed=0, options=rules.options)
        rng = Random(0)
        while not state.is_over:
            state.play(rng.choice(state.view(state.seat).legal_decisions))
        for name in dict.fromkeys(self.names):
            self.prepare(name, rules)

    def __getstate__(self) -> dict[str, Any]:
        used = {name.partition(":")[0] for name in self.names if name not in self._own}
        registered = {name: make for name, make in registered_bots().items() if name in used}
        return {"names": self.names, "own": self._own, "registered": registered}

    def __setstate__(self, state: dict[str, Any]) -> None:
        registered: dict[str, MakeBot] = state["registered"]
        for name, make in registered.items():
            register(name, make)
        self.names, self._own = state["names"], state["own"]


def pickled(value: object) -> bytes:
    """Return participants, or what contains them, as bytes for another process.

    Raises:
        ParureError: A bot, or the function that makes it, cannot be pickled.
    """
    try:
        return pickle.dumps(value)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ParureError(
            f"a bot cannot be sent to another process ({error}): define the function or class "
            "that makes it at the top level of a module, not as a lambda or inside a function"
        ) from None


def unpickled(content: bytes) -> Any:
    """Return what :func:`pickled` wrote.

    Raises:
        ParureError: This process cannot import a function or class of a bot.
    """
    try:
        return pickle.loads(content)
    except Exception as error:
        raise ParureError(
            f"a worker process cannot load a bot ({error}): define the function or class that "
            "makes it in a module that can be imported, not in an interactive session"
        ) from None
