"""The schedule of a tournament: which games it has, who sits where, and their random seeds."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Self

import msgspec

from parure.arena.participants import Participants
from parure.bots import BotLike
from parure.errors import NotationError
from parure.games.api import new
from parure.games.registry import rules, rules_from_label
from parure.games.rules import Rules
from parure.games.state import State

FORMAT = "parure-arena/1"


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament: the game, the names of the bots, and the seed.

    The number of sets is not part of the plan: more sets continue the same tournament.

    >>> plan = Plan.create("splendor-3", ["random", "random"], seed=7)
    >>> plan.label, plan.pairs, plan.sets_for(200)
    ('splendor-3', [(0, 1)], 67)
    """

    game: str
    seats: int
    options: dict[str, bool]
    bots: list[str]
    seed: int
    format: str = FORMAT

    @classmethod
    def create(
        cls,
        game: str,
        bots: Sequence[BotLike] | Participants,
        seed: int = 0,
        options: Mapping[str, bool] | None = None,
    ) -> Self:
        """Return the plan of a tournament, after making each bot once to check it.

        Raises:
            NotationError: No such game, option or bot, or fewer than two bots.
        """
        rules = rules_from_label(game, options)
        participants = bots if isinstance(bots, Participants) else Participants(bots)
        if len(participants.names) < 2:
            raise NotationError("a tournament needs at least two bots")
        for name in participants.names:
            if not _is_encodable(name):
                raise NotationError(f"{name!r} is not valid Unicode and cannot be saved in a plan")
        participants.check()
        return cls(rules.game, rules.seats, dict(options or {}), participants.names, seed)

    @property
    def rules(self) -> Rules:
        """The rules of every game."""
        return rules(self.game, self.seats, self.options)

    @property
    def label(self) -> str:
        """The game as on the command line, followed by its options."""
        return " ".join([self.rules.label, *(name for name, on in self.options.items() if on)])

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The pairs of bots that meet, as indices into `bots`: each bot meets every other."""
        return list(combinations(range(len(self.bots)), 2))

    @property
    def equal_score(self) -> float:
        """The mean score of a bot that is as strong as the others."""
        return 1 / self.seats

    def sets_for(self, games: int) -> int:
        """Return the number of whole sets that hold at least this many games."""
        return -(-games // self.seats)

    def fixtures(self, pair: int, set_number: int) -> list[Fixture]:
        """Return the games of one set of a pair."""
        return [Fixture(self, pair, set_number, game) for game in range(self.seats)]


@dataclass(frozen=True)
class Fixture:
    """A game to be played, one of a set. The first bot of the pair sits at seat `game`.

    All games of a set have the same deal and the same random seed for each bot, so that luck
    cancels out.

    >>> plan = Plan.create("duel", ["random", "random"])
    >>> first, second = plan.fixtures(pair=0, set_number=0)
    >>> first.new_state() == second.new_state(), first.lineup, second.lineup
    (True, [0, 1], [1, 0])
    """

    plan: Plan
    pair: int
    set: int
    game: int

    @property
    def key(self) -> tuple[int, int, int]:
        """Identifies the game within the tournament."""
        return self.pair, self.set, self.game

    @property
    def lineup(self) -> list[int]:
        """The index of the bot at each seat."""
        first, other = self.plan.pairs[self.pair]
        return [first if seat == self.game else other for seat in range(self.plan.seats)]

    @property
    def names(self) -> list[str]:
        """The name of the bot at each seat."""
        return [self.plan.bots[index] for index in self.lineup]

    def new_state(self) -> State:
        """Return the state before the first decision."""
        return new(
            self.plan.game,
            players=self.names,
            seed=self._seed("deal"),
            options=self.plan.options,
        )

    def bot_rng(self, seat: int) -> Random:
        """Return the random generator of the bot at a seat.

        It belongs to the bot: in the other games of the set it moves with the bot to its new seat.
        """
        others = [other for other in range(self.plan.seats) if other != self.game]
        return Random(self._seed(f"bot {[self.game, *others].index(seat)}"))

    def _seed(self, purpose: str) -> int:
        text = f"{self.plan.seed} {self.pair} {self.set} {purpose}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


def _is_encodable(text: str) -> bool:
    """Return whether a text can be written as UTF-8.

    Python passes bytes of the command line that are not UTF-8 as lone surrogates.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
