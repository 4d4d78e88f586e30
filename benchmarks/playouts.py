"""Random games a second on one thread: `python benchmarks/playouts.py [seconds]`."""

from __future__ import annotations

import sys

from parure.terminal.bench import bench

if __name__ == "__main__":
    bench(seconds=float(sys.argv[1]) if len(sys.argv) > 1 else 1.0, as_json=False)
