"""Hints: the best decisions at a player's seat, with the chance to win and the reasons."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from random import Random
from typing import TYPE_CHECKING

from parure.analysis import Analysis, Choice, analyse, in_all_languages
from parure.analysis.reasons import reasons_for
from parure.bots import Answer, Budget
from parure.bots.base import Candidate
from parure.bots.greedy import GreedyBot
from parure.games.view import View
from parure.server.bot_pool import BotPool, StoppableBot
from parure.server.connection import Connection
from parure.server.limits import ADDRESS_HINTS, HINTS
from parure.server.match import Match, Refusal
from parure.server.messages import Hint, HintCandidate, HintGiven, Refused
from parure.server.settings import Settings
from parure.server.snapshots import can_hint
from parure.server.warmup import is_compiled

if TYPE_CHECKING:
    from parure.server.session import MatchSession

HINT_BUDGET = "1000"  # iterations
MAX_CANDIDATES = 3
MAX_ANALYSED = 9  # some of them differ only in which gold is taken


class HintBot(StoppableBot):
    """Answers with the result of an analysis, and keeps it."""

    def __init__(self) -> None:
        self.analysis: Analysis | None = None

    def choose(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        """Return the best decision."""
        self.analysis = analyse(
            view,
            HINT_BUDGET,
            MAX_ANALYSED,
            rng.getrandbits(32),
            is_wanted=self._is_wanted,
            memory_limit=self.memory_limit,
        )
        return Answer(self.analysis.choices[0].decision)

    def candidates(self, view: View) -> list[HintCandidate]:
        """Return the best decisions; none if the analysis failed."""
        choices = () if self.analysis is None else self.analysis.choices
        return _distinct(_candidate(view, choice) for choice in choices)


class GreedyHintBot(HintBot):
    """Looks one turn ahead: used while the search is still being compiled."""

    def __init__(self) -> None:
        super().__init__()
        self._best: tuple[Candidate, ...] = ()

    def choose(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        """Return the decision after which the turn can end best."""
        answer = GreedyBot().decide(view, rng)
        self._best = answer.candidates[:MAX_ANALYSED]
        return answer

    def candidates(self, view: View) -> list[HintCandidate]:
        """Return the best decisions; none if the bot failed."""
        return _distinct(_greedy_candidate(view, candidate) for candidate in self._best)


def hint_bot(game: str) -> HintBot | None:
    """Return what computes hints for a game; None while nothing is compiled."""
    if is_compiled("mcts:1", game):
        return HintBot()
    return GreedyHintBot() if is_compiled("greedy", game) else None


def _distinct(candidates: Iterable[HintCandidate]) -> list[HintCandidate]:
    """Return the best candidates without those that say the same in words as a better one."""
    by_words: dict[str, HintCandidate] = {}
    for candidate in candidates:
        by_words.setdefault(candidate.words["en"], candidate)
    return list(by_words.values())[:MAX_CANDIDATES]


def _candidate(view: View, choice: Choice) -> HintCandidate:
    return HintCandidate(
        decision=choice.decision,
        value=choice.values[view.seat],
        line=list(choice.line),
        reasons=list(choice.reasons),
        words=in_all_languages(choice.reasons, view.seats),
    )


def _greedy_candidate(view: View, candidate: Candidate) -> HintCandidate:
    line = (candidate.decision,)
    reasons = reasons_for(view, line)
    values = tuple(candidate.value for _ in range(view.seats))
    return _candidate(view, Choice(candidate.decision, 0.0, values, line, reasons, ""))


def require_hint(match: Match, seat: int, command: Hint) -> None:
    """Raise Refusal if a seat may not ask for a hint now."""
    if command.version != match.version_for(seat):
        raise Refusal("stale", "the match has changed in the meantime")
    if not can_hint(match, seat):
        raise Refusal("no_hint", "hints are given only against bots, and only in your own turn")


def start_hint(session: MatchSession, connection: Connection, seat: int, command: Hint) -> None:
    """Compute a hint in the background; raise Refusal if none can be given."""
    match, registry = session.match, session.registry
    require_hint(match, seat, command)
    if not is_own_machine(registry.settings, connection.address):
        limits = registry.limits
        is_allowed = limits.allow(HINTS, (match.id, seat))
        if not (is_allowed and limits.allow(ADDRESS_HINTS, connection.address)):
            raise Refusal("rate", "too many hints; wait a moment")
    bot = hint_bot(match.setup.game)
    if bot is None:
        raise Refusal("not_ready", "the bots are still being compiled")
    view = match.state.view(seat)
    registry.start_task(_send_hint(registry.bot_pool, connection, command, bot, view))


def is_own_machine(settings: Settings, address: str) -> bool:
    """Return whether a client plays on the machine of a server that nobody else is invited to.

    Behind a proxy every address may be that of the proxy, but then there is a public URL.
    """
    try:
        return settings.is_local_only and ipaddress.ip_address(address).is_loopback
    except ValueError:  # the network of an IPv6 address, or a name
        return settings.is_local_only and address in ("::/64", "localhost")


async def _send_hint(
    bot_pool: BotPool, connection: Connection, command: Hint, bot: HintBot, view: View
) -> None:
    try:
        await bot_pool.decide(bot, view, connection.address)
    finally:
        bot_pool.forget(bot)
    candidates = bot.candidates(view)
    if candidates:
        connection.send(HintGiven(id=command.id, version=command.version, candidates=candidates))
    else:
        reason = "no hint could be computed"
        refused = Refused(id=command.id, code="no_hint", message=reason, version=command.version)
        connection.send(refused)
