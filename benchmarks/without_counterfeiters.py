r"""A bot that takes no Counterfeiter as long as it has a choice, to measure what they are worth.

    parure arena duel+counterfeiters mcts:1000 \
        'exec:python benchmarks/without_counterfeiters.py mcts:1000' -n 200

It thinks as the bot does whose name it is given, and then takes the best of the other decisions.
"""

from __future__ import annotations

import json
import sys
from random import Random
from typing import Any

from parure.bots import Bot, bot
from parure.games.reading import view_of

REFUSED = ("buy C", "counterfeiter", "use", "discount")


def decide(player: Bot, message: dict[str, Any]) -> str:
    """The bot's decision, or the best that has nothing to do with Counterfeiters."""
    answer = player.decide(view_of(message["view"]), Random(message["seed"]))
    considered = [answer.decision, *(candidate.decision for candidate in answer.candidates)]
    others = (decision for decision in considered if not decision.startswith(REFUSED))
    return next(others, answer.decision)


def main(name: str) -> None:
    """Answer requests, as docs/protocol.md has it."""
    player = bot(name)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            reply = {"type": "hello", "protocol": 1, "name": f"{name} without Counterfeiters"}
        elif message["type"] == "game":
            player = bot(name)
            reply = {"type": "ready"}
        elif message["type"] == "decide":
            reply = {"type": "decision", "decision": decide(player, message)}
        else:
            break
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
