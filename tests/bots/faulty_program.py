"""A bot program that fails as a test asks for: python faulty_program.py FAULT [FILE]."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time


def reply(**message: object) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def complain(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def answer_decide(fault: str, decisions: int, request: dict[str, object]) -> None:
    """Answer a request for a decision, or fail."""
    legal = request["legal"]
    assert isinstance(legal, list)
    if fault == "crash" and decisions == 5:
        raise RuntimeError("no \x1b[31mcandidates")
    if fault == "exit" and decisions == 1:
        sys.exit(3)
    if fault == "die":
        os.kill(os.getpid(), 15)
    if fault == "close":
        os.close(1)
        time.sleep(60)
    if fault == "garbage":
        sys.stdout.write("not\x07 JSON\n")
        sys.stdout.flush()
        return
    if fault == "array":
        sys.stdout.write("[" * 100_000 + "\n")
        sys.stdout.flush()
        return
    if fault == "long":
        sys.stdout.write("x" * (3 << 20))
        sys.stdout.flush()
        time.sleep(60)
    if fault == "hang":
        complain("thinking …")
        time.sleep(60)
    if fault == "complain":  # slowly, without end
        while True:
            complain("w" * 100)
            time.sleep(0.01)
    if fault == "flood":
        while True:
            complain("f" * 10_000)
    if fault == "complain-once":
        complain("t" * 300_000)  # more than a pipe holds
    if fault == "twice":
        answer = json.dumps({"type": "decision", "decision": legal[0]}) + "\n"
        sys.stdout.write(answer + answer)
        sys.stdout.flush()
        return
    if fault == "error":
        reply(type="error", reason="no network loaded")
    elif fault == "ready":
        reply(type="ready")
    elif fault == "illegal":
        reply(type="decision", decision="pass")
    elif fault == "chance":
        choice = "replenish > wwwww" if "replenish" in legal else legal[0]
        reply(type="decision", decision=choice)
    elif fault == "number":
        reply(type="decision", decision=0)
    else:
        candidates = [
            {"decision": legal[0], "share": 0.75, "value": 0.5},
            {"decision": "no decision", "share": 0.25, "value": 0.5},
            {"decision": legal[0], "share": 7, "value": 0.5},
        ]
        because = "it is the\nfirst"
        reply(
            type="decision", decision=legal[0], because=because, candidates=candidates, iterations=9
        )


def main(fault: str, file: str = "") -> None:
    if fault == "crash-at-start":
        sys.exit("no such network")
    if fault == "hang-at-start":
        time.sleep(60)
    decisions = 0
    for line in sys.stdin:
        if file and fault == "record":
            with open(file, "a", encoding="utf-8") as lines:  # noqa: PTH123
                lines.write(line)
        request = json.loads(line)
        if request["type"] == "hello":
            if fault == "child":  # it outlives its parent unless it is killed
                child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
                with open(file, "w", encoding="utf-8") as lines:  # noqa: PTH123
                    lines.write(str(child.pid))
            reply(
                type="hello",
                protocol=2 if fault == "newer" else 1,
                name=f"bot with the fault {fault}",
            )
        elif request["type"] == "game":
            reply(type="ready")
        elif request["type"] == "decide":
            answer_decide(fault, decisions, request)
            decisions += 1
        elif fault == "ignore-quit":
            time.sleep(60)
        else:
            break


if __name__ == "__main__":
    main(*sys.argv[1:])
