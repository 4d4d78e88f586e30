"""`python -m parure` is the command line."""

from __future__ import annotations

from parure.cli import main

main()
