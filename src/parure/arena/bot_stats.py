"""What a report tells of each bot, besides its rating."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from parure.arena.standings import Standings
from parure.bots.match_loop import FAILED, LATE

DRAWN = "drawn"

# how games are won, as the rules and records name it, in the order that reports keep
KINDS = ("points", "crowns", "color", "claim", "stalemate", "limit", FAILED, LATE)


@dataclass
class Figures:
    """How a bot did against all others, each seat it had in a game counted on its own."""

    bot: str
    seats: int = 0
    score: float = 0.0  # the sum of its shares of the victories
    seconds: float = 0.0  # thought
    failures: int = 0
    victories: dict[str, float] = field(default_factory=lambda: defaultdict(float))  # by kind

    @property
    def mean_score(self) -> float:
        """Its share of the victories."""
        return self.score / self.seats if self.seats else 0.0

    @property
    def mean_seconds(self) -> float:
        """How long it thought in a game."""
        return self.seconds / self.seats if self.seats else 0.0


def figures(standings: Standings) -> list[Figures]:
    """The figures of each bot."""
    bots = [Figures(name) for name in standings.plan.bots]
    for game in standings.games:
        for seat, number in enumerate(game.lineup):
            bot, share = bots[number], game.share(seat)
            bot.seats += 1
            bot.score += share
            bot.seconds += game.seconds[seat]
            bot.failures += bool(game.failure) and seat not in game.winners
            if share:
                bot.victories[game.reason if game.winners else DRAWN] += share
    return bots


def failures(standings: Standings) -> list[str]:
    """Why bots were stopped, each reason once, with how often: the most frequent first."""
    counts = Counter(game.failure for game in standings.games if game.failure)
    return [
        f"{failure} ({number} games)" if number > 1 else failure
        for failure, number in counts.most_common()
    ]
