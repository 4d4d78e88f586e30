"""A program that speaks the protocol as wrongly as a test wants: python programs.py HOW [FILE]."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time


def say(**message: object) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def whine(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def misbehave(how: str, decisions: int, request: dict[str, object]) -> None:
    """Answer a request for a decision, or do not."""
    legal = request["legal"]
    assert isinstance(legal, list)
    if how == "crash" and decisions == 5:
        raise RuntimeError("no more \x1b[31mideas")
    if how == "exit" and decisions == 1:
        sys.exit(3)
    if how == "die":
        os.kill(os.getpid(), 15)
    if how == "close":
        os.close(1)
        time.sleep(60)
    if how == "garbage":
        sys.stdout.write("I would buy\x07 something\n")
        sys.stdout.flush()
        return
    if how == "array":
        sys.stdout.write("[" * 100_000 + "\n")
        sys.stdout.flush()
        return
    if how == "long":
        sys.stdout.write("x" * (3 << 20))
        sys.stdout.flush()
        time.sleep(60)
    if how == "hang":
        whine("thinking …")
        time.sleep(60)
    if how == "moan":  # for ever, and slowly
        while True:
            whine("w" * 100)
            time.sleep(0.01)
    if how == "flood":
        while True:
            whine("f" * 10_000)
    if how == "talk":
        whine("t" * 300_000)  # more than a pipe holds
    if how == "twice":
        answer = json.dumps({"type": "decision", "decision": legal[0]}) + "\n"
        sys.stdout.write(answer + answer)
        sys.stdout.flush()
        return
    if how == "slow":
        time.sleep(0.8)
    if how == "error":
        say(type="error", reason="my head aches")
    elif how == "ready":
        say(type="ready")
    elif how == "illegal":
        say(type="decision", decision="pass")
    elif how == "chance":
        choice = "replenish > wwwww" if "replenish" in legal else legal[0]
        say(type="decision", decision=choice)
    elif how == "number":
        say(type="decision", decision=0)
    else:
        thoughts = [
            {"decision": legal[0], "share": 0.75, "value": 0.5},
            {"decision": "fly away", "share": 0.25, "value": 0.5},
            {"decision": legal[0], "share": 7, "value": 0.5},
        ]
        because = "it is the\nfirst"
        say(type="decision", decision=legal[0], because=because, candidates=thoughts, iterations=9)


def main(how: str, file: str = "") -> None:
    if how == "crash-at-start":
        sys.exit("no such network")
    if how == "hang-at-start":
        time.sleep(60)
    decisions = 0
    for line in sys.stdin:
        if file and how == "record":
            with open(file, "a", encoding="utf-8") as lines:  # noqa: PTH123
                lines.write(line)
        request = json.loads(line)
        if request["type"] == "hello":
            if how == "family":  # a child that outlives its parent, unless it is killed
                child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
                with open(file, "w", encoding="utf-8") as lines:  # noqa: PTH123
                    lines.write(str(child.pid))
            say(type="hello", protocol=2 if how == "newer" else 1, name=f"bot that does {how}")
        elif request["type"] == "game":
            say(type="ready")
        elif request["type"] == "decide":
            misbehave(how, decisions, request)
            decisions += 1
        elif how == "stay":
            time.sleep(60)
        else:
            break


if __name__ == "__main__":
    main(*sys.argv[1:])
