"""Run the command line: `python -m parure`."""

from __future__ import annotations

from parure.cli import main

main()
