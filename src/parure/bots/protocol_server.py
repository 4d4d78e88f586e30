"""Our bots as programs: `parure bot mcts` answers over standard input and output.

The other side of :mod:`.external`. Only lines of the protocol go to the output; a request that
cannot be obeyed is answered with an error, and the next one is read.
"""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from random import Random
from typing import BinaryIO

from parure.bots import bot as bot_called
from parure.bots.base import Answer, Bot, Budget
from parure.bots.match_loop import prepare
from parure.bots.protocol import (
    LONGEST_LINE,
    VERSION,
    Allowance,
    Decide,
    Decision,
    Error,
    FromHost,
    Game,
    Hello,
    Message,
    Quit,
    Ready,
    Thought,
    excerpt,
    from_host,
    line_of,
)
from parure.errors import NotationError, ParureError
from parure.games.api import new
from parure.games.view_parser import parse_view


def serve(spec: str, requests: BinaryIO, answers: BinaryIO) -> None:
    """Let a bot answer requests, game after game, until it is told to quit or nothing comes."""
    server = Server(spec)
    try:
        while line := requests.readline(LONGEST_LINE + 1):
            answer = server.answer_to(line) if line.strip() else None
            if isinstance(answer, Quit):
                return
            if answer is not None:
                answers.write(line_of(answer))
                answers.flush()
            while len(line) > LONGEST_LINE and not line.endswith(b"\n"):
                line = requests.readline(LONGEST_LINE + 1)  # the rest of what was refused
    finally:
        server.close()


class Server:
    """A bot behind the protocol."""

    def __init__(self, spec: str) -> None:
        self.spec = spec
        self._game: Game | None = None
        self._bot: Bot = bot_called(spec)  # a wrong name is told at once

    def answer_to(self, line: bytes) -> Message:
        """The answer to a line, Quit to the one that says so."""
        try:
            with redirect_stdout(sys.stderr):  # whatever a bot prints is no answer
                return self._obey(from_host(line))
        except ParureError as error:
            return Error(reason=excerpt(str(error).partition("\n")[0]))

    def close(self) -> None:
        """Let go of the bot."""
        self._bot.close()

    def _obey(self, request: FromHost) -> Message:
        if isinstance(request, Hello):
            if request.protocol != VERSION:
                raise NotationError(f"this is protocol {VERSION}, not {request.protocol}")
            return Hello(protocol=VERSION, name=self.spec)
        if isinstance(request, Game):
            self._begin(request)
            return Ready()
        if isinstance(request, Decide):
            return self._decide(request)
        return request

    def _begin(self, game: Game) -> None:
        """A new bot for a new game."""
        first = new(game.game, players=game.seats, seed=0, options=game.options)
        if not 0 <= game.seat < first.seats:
            raise NotationError(f"there is no seat {game.seat}")
        prepare(self.spec, first.rules)
        self._bot.close()
        self._bot = bot_called(self.spec)
        self._game = game

    def _decide(self, request: Decide) -> Decision:
        game = self._game
        if game is None:
            raise NotationError("a decision is asked for before a game has begun")
        view = parse_view(request.view)
        if (view.game, view.seats, view.viewer) != (game.game, game.seats, game.seat):
            raise NotationError("the view is not that of the game and seat that were announced")
        legal = list(view.legal_decisions)
        if not legal:
            raise NotationError(f"seat {game.seat} has nothing to decide")
        if sorted(request.legal) != sorted(legal):
            raise NotationError("the decisions listed are not those that are legal in the view")
        answer = self._bot.decide(view, Random(request.seed), _budget(request.budget))
        return _decision(answer)


def _budget(allowance: Allowance | None) -> Budget | None:
    if allowance is None or (allowance.seconds is None and allowance.iterations is None):
        return None
    return Budget(allowance.seconds, allowance.iterations)


def _decision(answer: Answer) -> Decision:
    thoughts = [Thought(c.decision, c.share, c.value) for c in answer.candidates]
    return Decision(
        decision=answer.decision,
        because=answer.because,
        candidates=thoughts,
        iterations=answer.iterations,
    )
