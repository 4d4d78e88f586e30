"""Find a bot by its specification, and register bots of your own.

A specification is a name, optionally followed by a colon and a detail: `random`, `mcts:1s`,
`level:5`, `exec:./mybot`. Records, the command line and the Python API all use this text.

A name is looked up among the built-in bots, then among those passed to :func:`register`, then
among the entry points that installed packages declare in the group `parure.bots`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import TypeAlias

from parure.bots.base import Bot
from parure.errors import NotationError, ParureError

BotLike: TypeAlias = str | Bot | Callable[[], Bot]
"""A specification, a bot, or a function (or class) that makes one."""

MakeBot: TypeAlias = Callable[[str], Bot] | Callable[[], Bot]
"""Makes a bot from the detail after the colon of its specification, or takes no detail."""

ENTRY_POINT_GROUP = "parure.bots"
NAME_PATTERN = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,39}")


def _random() -> Bot:
    from parure.bots.random_bot import RandomBot

    return RandomBot()


def _greedy() -> Bot:
    from parure.bots.greedy import GreedyBot

    return GreedyBot()


def _mcts(detail: str) -> Bot:
    from parure.bots.mcts import mcts_bot

    return mcts_bot(detail)


def _linear_mcts(detail: str) -> Bot:
    from parure.bots.mcts import linear_mcts_bot

    return linear_mcts_bot(detail)


def _level(detail: str) -> Bot:
    from parure.bots.levels import level_bot

    return level_bot(detail)


def _exec(detail: str) -> Bot:
    from parure.bots.external import external_bot

    return external_bot(detail)


BUILT_IN: dict[str, MakeBot] = {
    "random": _random,
    "greedy": _greedy,
    "mcts": _mcts,
    "mcts-linear": _linear_mcts,
    "level": _level,
    "exec": _exec,
}
_registered: dict[str, MakeBot] = {}


def bot(spec: str) -> Bot:
    """Return a new bot, for one seat of one game.

    Raises:
        NotationError: No bot has this name, or the detail after the colon is wrong.
        ParureError: The package that provides this bot cannot be loaded.

    >>> type(bot("random")).__name__
    'RandomBot'
    """
    if not isinstance(spec, str):
        raise TypeError(f"a specification is a text such as 'mcts:1s', not {spec!r}")
    name, _, detail = spec.partition(":")
    make = BUILT_IN.get(name) or _registered.get(name) or _load_plugin(name)
    if make is None:
        names = ", ".join(known_names())
        raise NotationError(f"no bot is called {spec[:40]!r}; there are: {names}")
    return _checked(_call(make, name, detail), f"the function registered for {name!r}")


def resolve(bot_like: BotLike) -> Bot:
    """Return the bot that a specification names or a function makes; a bot is returned as it is.

    >>> resolve("random") is not None
    True
    >>> mine = bot("random")
    >>> resolve(mine) is mine, resolve(lambda: mine) is mine
    (True, True)
    """
    if isinstance(bot_like, str):
        return bot(bot_like)
    if isinstance(bot_like, Bot):
        return bot_like
    if callable(bot_like):
        return _checked(bot_like(), bot_name(bot_like))
    raise TypeError(
        f"{bot_like!r} is not a bot: pass a specification such as 'mcts:1s', a Bot, "
        "or a function that makes one"
    )


def bot_name(bot_like: BotLike) -> str:
    """Return a short text that names a bot in records and reports.

    >>> bot_name("mcts:1s"), bot_name(bot("random"))
    ('mcts:1s', 'RandomBot')
    """
    if isinstance(bot_like, str):
        return bot_like
    if isinstance(bot_like, Bot):
        return type(bot_like).__name__
    return getattr(bot_like, "__name__", type(bot_like).__name__)


def register(name: str, make: MakeBot) -> None:
    """Make your own bot available under a name, wherever a specification is accepted.

    The registration holds for this process. To offer a bot to every process, and to the command
    line, declare an entry point in the group `parure.bots` of your package instead.

    Args:
        name: Letters, digits, `-`, `_` and `.`, beginning with a letter. A name that was
            registered before is replaced; the names of the built-in bots are refused.
        make: A function or class that returns a new :class:`Bot`. It receives the text after the
            colon of the specification (`mine:fast` → `"fast"`); one that takes no argument can
            only be named without a detail.

    >>> from parure.bots.random_bot import RandomBot
    >>> register("mine", RandomBot)
    >>> type(bot("mine")).__name__
    'RandomBot'
    >>> unregister("mine")
    """
    if not isinstance(name, str) or not NAME_PATTERN.fullmatch(name):
        raise NotationError(
            f"{str(name)[:40]!r} cannot name a bot: use up to 40 letters, digits, '-', '_' "
            "and '.', beginning with a letter"
        )
    if name in BUILT_IN:
        raise NotationError(f"{name!r} is a built-in bot; register yours under another name")
    if not callable(make) or not (_accepts(make) or _accepts(make, "")):
        raise TypeError(f"{make!r} must be callable with the detail of a specification, or nothing")
    _registered[name] = make


def unregister(name: str) -> None:
    """Remove a bot that was registered; a name that is not registered is ignored."""
    _registered.pop(name, None)


def registered_bots() -> dict[str, MakeBot]:
    """Return the functions that were registered, or loaded from packages so far, by name."""
    return dict(_registered)


def known_names() -> list[str]:
    """Return the names of all bots: built in, registered, and provided by installed packages."""
    plugins = (plugin.name for plugin in entry_points(group=ENTRY_POINT_GROUP))
    return list(dict.fromkeys((*BUILT_IN, *_registered, *plugins)))


def runs_program(spec: str) -> bool:
    """Return whether a specification starts a program: never accept one from a file or a stranger.

    >>> runs_program("exec:./mybot"), runs_program("random")
    (True, False)
    """
    return spec.partition(":")[0] == "exec"


def _load_plugin(name: str) -> MakeBot | None:
    """Return what an installed package provides under a name; None if none does."""
    found = list(entry_points(group=ENTRY_POINT_GROUP, name=name))
    if not found:
        return None
    plugin: EntryPoint = found[0]
    try:
        make = plugin.load()
        register(name, make)
    except Exception as error:
        origin = f" of the package {plugin.dist.name!r}" if plugin.dist else ""
        raise ParureError(
            f"the bot {name!r}{origin} cannot be loaded from {plugin.value!r}: "
            f"{type(error).__name__}: {error}"
        ) from error
    return _registered[name]


def _call(make: MakeBot, name: str, detail: str) -> object:
    if not detail and _accepts(make):
        return make()  # type: ignore[call-arg]
    if not _accepts(make, detail):
        raise NotationError(f"{name} takes nothing after a colon, not {detail[:40]!r}")
    return make(detail)  # type: ignore[call-arg]


def _accepts(function: Callable[..., object], *arguments: object) -> bool:
    """Return whether a function can be called with these arguments."""
    try:
        inspect.signature(function).bind(*arguments)
    except TypeError:
        return False
    except ValueError:  # a builtin without a signature
        return True
    return True


def _checked(made: object, origin: str) -> Bot:
    if not isinstance(made, Bot):
        raise TypeError(f"{origin} returned {made!r}, which is not a parure.bots.Bot")
    return made
