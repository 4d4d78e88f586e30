"""Statistics of each bot in a tournament, besides its rating."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from parure.arena.standings import Standings
from parure.bots.match_loop import FAILED, LATE

DRAW = "drawn"

# how games are won, named as in the rules and records, in the order of reports
WIN_REASONS = ("points", "crowns", "color", "claim", "stalemate", "limit", FAILED, LATE)


@dataclass
class BotStats:
    """How a bot did against all others; each seat it had in a game is one appearance."""

    name: str
    appearances: int = 0
    score: float = 0.0  # sum over all appearances
    seconds: float = 0.0  # thinking time of all appearances
    failures: int = 0
    score_by_reason: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    @property
    def mean_score(self) -> float:
        """The mean score of an appearance."""
        return self.score / self.appearances if self.appearances else 0.0

    @property
    def mean_seconds(self) -> float:
        """The mean thinking time of an appearance."""
        return self.seconds / self.appearances if self.appearances else 0.0


def bot_stats(standings: Standings) -> list[BotStats]:
    """Return the statistics of each bot, in the order of the plan."""
    stats = [BotStats(name) for name in standings.plan.bots]
    for game in standings.games:
        for seat, (index, score) in enumerate(zip(game.lineup, game.scores, strict=True)):
            bot = stats[index]
            bot.appearances += 1
            bot.score += score
            bot.seconds += game.seconds[seat]
            bot.failures += bool(game.failure) and seat not in game.winners
            if score:
                bot.score_by_reason[game.reason if game.winners else DRAW] += score
    return stats


def failures(standings: Standings) -> list[str]:
    """Return each distinct failure with its number of games, the most frequent first."""
    counts = Counter(game.failure for game in standings.games if game.failure)
    return [
        f"{failure} ({number} games)" if number > 1 else failure
        for failure, number in counts.most_common()
    ]
