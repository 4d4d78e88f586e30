"""Parure: Splendor, Splendor Duel and The Counterfeiters.

>>> import parure
>>> state = parure.new("duel", seed=7)
>>> state.phase, state.seat, len(state.legal_decisions)
('turn', 0, 108)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["determinize", "load", "new", "rules"]

if TYPE_CHECKING:
    from parure.games.api import determinize, load, new
    from parure.games.registry import rules


def __getattr__(name: str) -> Any:
    """Load the games only when they are asked for: `parure --help` need not wait for them."""
    if name in ("determinize", "load", "new"):
        from parure.games import api

        return getattr(api, name)
    if name == "rules":
        from parure.games.registry import rules

        return rules
    raise AttributeError(f"module 'parure' has no attribute {name!r}")
