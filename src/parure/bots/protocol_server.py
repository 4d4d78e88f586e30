"""Serve a bot to another program: `parure bot mcts` answers over standard input and output.

This is the other side of :mod:`parure.bots.external`. Only lines of the protocol are written to the
output. A request that cannot be answered is answered with an error, and the next one is read.
"""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from random import Random
from typing import BinaryIO

from parure.bots.base import Answer, Bot, Budget
from parure.bots.match_loop import prepare
from parure.bots.protocol import (
    MAX_LINE_BYTES,
    PROTOCOL_VERSION,
    Decide,
    Decision,
    Error,
    Game,
    Hello,
    Message,
    Quit,
    Ready,
    Request,
    TimeBudget,
    decode_request,
    encode,
    excerpt,
)
from parure.bots.registry import BotLike, bot_name, resolve
from parure.errors import NotationError, ParureError
from parure.games.api import new
from parure.games.view_parser import parse_view


def serve(bot: BotLike, requests: BinaryIO, answers: BinaryIO) -> None:
    """Let a bot answer requests, game after game, until `quit` or the end of the input."""
    server = Server(bot)
    try:
        while line := requests.readline(MAX_LINE_BYTES + 1):
            answer = server.answer(line) if line.strip() else None
            if isinstance(answer, Quit):
                return
            if answer is not None:
                answers.write(encode(answer))
                answers.flush()
            while len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
                line = requests.readline(MAX_LINE_BYTES + 1)  # the rest of a line that is too long
    finally:
        server.close()


class Server:
    """A bot behind the protocol."""

    def __init__(self, bot: BotLike) -> None:
        self.bot = bot
        self._game: Game | None = None
        self._player: Bot = resolve(bot)  # a wrong specification raises now, not at the first game

    def answer(self, line: bytes) -> Message:
        """Return the answer to a line; Quit itself if the line says so."""
        try:
            with redirect_stdout(sys.stderr):  # what a bot prints must not reach the output
                return self._handle(decode_request(line))
        except ParureError as error:
            return Error(reason=excerpt(str(error).partition("\n")[0]))

    def close(self) -> None:
        """Release what the bot holds."""
        self._player.close()

    def _handle(self, request: Request) -> Message:
        if isinstance(request, Hello):
            if request.protocol != PROTOCOL_VERSION:
                raise NotationError(
                    f"this is version {PROTOCOL_VERSION} of the protocol, not {request.protocol}"
                )
            return Hello(protocol=PROTOCOL_VERSION, name=bot_name(self.bot))
        if isinstance(request, Game):
            self._begin(request)
            return Ready()
        if isinstance(request, Decide):
            return self._decide(request)
        return request

    def _begin(self, game: Game) -> None:
        """Begin a game, with a new bot unless one was passed as an object."""
        first = new(game.game, players=game.seats, seed=0, options=game.options)
        if not 0 <= game.seat < first.seats:
            raise NotationError(f"there is no seat {game.seat}")
        prepare(self.bot, first.rules)
        player = resolve(self.bot)
        if player is not self._player:
            self._player.close()
        self._player = player
        self._game = game

    def _decide(self, request: Decide) -> Decision:
        game = self._game
        if game is None:
            raise NotationError("`decide` came before `game`")
        view = parse_view(request.view)
        if (view.game, view.seats, view.viewer) != (game.game, game.seats, game.seat):
            raise NotationError("the view does not belong to the announced game and seat")
        legal = list(view.legal_decisions)
        if not legal:
            raise NotationError(f"seat {game.seat} is not to move")
        if sorted(request.legal) != sorted(legal):
            raise NotationError("`legal` does not list the legal decisions of the view")
        answer = self._player.decide(view, Random(request.seed), _budget(request.budget))
        return _decision(answer)


def _budget(time_budget: TimeBudget | None) -> Budget | None:
    if time_budget is None or (time_budget.seconds is None and time_budget.iterations is None):
        return None
    return Budget(time_budget.seconds, time_budget.iterations)


def _decision(answer: Answer) -> Decision:
    return Decision(
        decision=answer.decision,
        because=answer.because,
        candidates=list(answer.candidates),
        iterations=answer.iterations,
    )
