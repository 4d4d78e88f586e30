"""A bot program in plain Python: buy the card with the most points, or else play at random."""

import json
import random
import sys
from typing import Any


def decide(view: dict[str, Any], legal: list[str]) -> str:
    """Return one of the legal decisions."""

    def score(decision: str) -> float:
        verb, _, name = decision.partition(" ")
        points = view["cards"].get(name, {}).get("points", 0)
        return random.random() + (1 + points if verb == "buy" else 0)

    return max(legal, key=score)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "protocol": 1, "name": "points first"}
    elif message["type"] == "game":
        answer = {"type": "ready"}
    elif message["type"] == "decide":
        random.seed(message["seed"])
        answer = {"type": "decision", "decision": decide(message["view"], message["legal"])}
    else:  # quit
        break
    print(json.dumps(answer), flush=True)
