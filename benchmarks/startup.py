"""Measure how long Python programs take to start: `python benchmarks/startup.py [runs]`.

Prints the shortest of several runs in seconds, compiled code being loaded from the cache.
"""

from __future__ import annotations

import subprocess
import sys
from time import perf_counter

PROGRAMS = {
    "python": "pass",
    "parure --help": "import sys; sys.argv = ['parure', '--help']; import parure.cli as cli\n"
    "try: cli.main()\n"
    "except SystemExit: pass",
    "import parure": "import parure",
    "first decision": "import parure; state = parure.new('duel', seed=1)\n"
    "state.play(state.legal_decisions[0])",
}


def seconds(program: str, runs: int) -> float:
    """Return the duration of the fastest run of a program."""
    durations = []
    for _ in range(runs):
        start = perf_counter()
        subprocess.run([sys.executable, "-c", program], stdout=subprocess.DEVNULL, check=True)
        durations.append(perf_counter() - start)
    return min(durations)


if __name__ == "__main__":
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    for name, program in PROGRAMS.items():
        seconds(program, 1)  # fills the caches
        print(f"{name:<16}{seconds(program, runs):6.2f} s")
