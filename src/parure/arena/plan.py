"""Which games a tournament consists of, who sits where, and where their chance comes from."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Self

import msgspec

from parure.bots import bot
from parure.errors import NotationError
from parure.games.api import new
from parure.games.registry import rules, rules_from_label
from parure.games.rules import Rules
from parure.games.state import State

FORMAT = "parure-arena/1"


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament: the game, the bots by their specifications, and the seed of all chance.

    How many sets are played is not part of it: more of them continue the same tournament.

    >>> plan = Plan.of("splendor-3", ["random", "random"], seed=7)
    >>> plan.label, plan.pairs, plan.sets(200)
    ('splendor-3', [(0, 1)], 67)
    """

    game: str
    seats: int
    options: dict[str, bool]
    bots: list[str]
    seed: int
    format: str = FORMAT

    @classmethod
    def of(
        cls,
        game: str,
        bots: Sequence[str],
        seed: int = 0,
        options: Mapping[str, bool] | None = None,
    ) -> Self:
        """A plan as it was asked for; NotationError if there is no such game or bot."""
        by = rules_from_label(game, options)
        if len(bots) < 2:
            raise NotationError("a tournament takes at least two bots")
        for spec in dict.fromkeys(bots):
            if not _is_text(spec):
                raise NotationError(f"{spec!r} is no text: a plan could not be written")
            bot(spec).close()
        return cls(by.game, by.seats, dict(options or {}), list(bots), seed)

    @property
    def rules(self) -> Rules:
        """The rules of every game."""
        return rules(self.game, self.seats, self.options)

    @property
    def label(self) -> str:
        """The game as the command line names it, with its options."""
        return " ".join([self.rules.label, *(name for name, on in self.options.items() if on)])

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Who meets whom: each bot, by its number, every other."""
        return list(combinations(range(len(self.bots)), 2))

    @property
    def equal_share(self) -> float:
        """The part of the victories that a bot no stronger than the others has."""
        return 1 / self.seats

    def sets(self, games: int) -> int:
        """How many whole sets hold at least so many games."""
        return -(-games // self.seats)

    def set_of(self, pair: int, number: int) -> list[Fixture]:
        """The games of a set."""
        return [Fixture(self, pair, number, game) for game in range(self.seats)]


@dataclass(frozen=True)
class Fixture:
    """A game to be played: one of a set of a pair. The first bot of the pair sits at seat `game`.

    The games of a set share their deal and the luck of each bot, so that luck cancels.

    >>> plan = Plan.of("duel", ["random", "random"])
    >>> first, second = plan.set_of(pair=0, number=0)
    >>> first.new_state() == second.new_state(), first.lineup, second.lineup
    (True, [0, 1], [1, 0])
    """

    plan: Plan
    pair: int
    set: int
    game: int

    @property
    def key(self) -> tuple[int, int, int]:
        """What tells it from all other games of the tournament."""
        return self.pair, self.set, self.game

    @property
    def lineup(self) -> list[int]:
        """The number of the bot at each seat."""
        first, other = self.plan.pairs[self.pair]
        return [first if seat == self.game else other for seat in range(self.plan.seats)]

    @property
    def names(self) -> list[str]:
        """The specification of the bot at each seat."""
        return [self.plan.bots[number] for number in self.lineup]

    def new_state(self) -> State:
        """The game before its first decision, with the generator of what chance brings later."""
        return new(
            self.plan.game,
            players=self.names,
            seed=self._seed("deal"),
            options=self.plan.options,
        )

    def chance(self, seat: int) -> Random:
        """The luck of the bot at a seat; it goes with the bot when the seats change."""
        others = [other for other in range(self.plan.seats) if other != self.game]
        return Random(self._seed(f"bot {[self.game, *others].index(seat)}"))

    def _seed(self, purpose: str) -> int:
        text = f"{self.plan.seed} {self.pair} {self.set} {purpose}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


def _is_text(spec: str) -> bool:
    """Whether a word of the command line is text; bytes that are not come as half characters."""
    try:
        spec.encode()
    except UnicodeEncodeError:
        return False
    return True
