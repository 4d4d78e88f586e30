"""Parure: Splendor, Splendor Duel and The Counterfeiters.

>>> import parure
>>> state = parure.new("duel", seed=7)
>>> state.phase, state.seat, len(state.legal_decisions)
('turn', 0, 108)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = [
    "Analysis",
    "Bot",
    "IllegalDecision",
    "InvalidPosition",
    "NotationError",
    "Outcome",
    "ParureError",
    "Record",
    "RecordError",
    "Review",
    "State",
    "View",
    "analyse",
    "bot",
    "determinize",
    "evaluate",
    "load",
    "new",
    "position",
    "review",
    "rules",
]

if TYPE_CHECKING:
    from parure.analysis import Analysis, Review, analyse, evaluate, review
    from parure.bots import Bot, bot
    from parure.errors import (
        IllegalDecision,
        InvalidPosition,
        NotationError,
        ParureError,
        RecordError,
    )
    from parure.games.api import determinize, load, new, position
    from parure.games.position import Outcome
    from parure.games.record import Record
    from parure.games.registry import rules
    from parure.games.state import State
    from parure.games.view import View

# Where each public name is defined. Modules are imported on first use, because NumPy and Numba
# take most of a second and `parure --help` needs neither.
_MODULES = {
    "Analysis": "parure.analysis",
    "Bot": "parure.bots",
    "IllegalDecision": "parure.errors",
    "InvalidPosition": "parure.errors",
    "NotationError": "parure.errors",
    "Outcome": "parure.games.position",
    "ParureError": "parure.errors",
    "Record": "parure.games.record",
    "RecordError": "parure.errors",
    "Review": "parure.analysis",
    "State": "parure.games.state",
    "View": "parure.games.view",
    "analyse": "parure.analysis",
    "bot": "parure.bots",
    "determinize": "parure.games.api",
    "evaluate": "parure.analysis",
    "load": "parure.games.api",
    "new": "parure.games.api",
    "position": "parure.games.api",
    "review": "parure.analysis",
    "rules": "parure.games.registry",
}


def __getattr__(name: str) -> Any:
    """Import a public name on first use."""
    if name not in _MODULES:
        raise AttributeError(f"module 'parure' has no attribute {name!r}")
    value = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted({*globals(), *__all__})
