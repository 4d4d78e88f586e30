"""Griffe extension: show doctests of docstrings as code, and names without Sphinx roles."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

DOCTEST = re.compile(r"^( *)>>> .*(?:\n(?!\s*$).*)*", re.M)
ROLE = re.compile(r":(?:class|exc|func|meth|mod):(?=`)")


def readable(text: str) -> str:
    r"""Return a docstring with its doctests in fences.

    >>> readable("Add.\n\n>>> 1 + 1\n2")
    'Add.\n\n```pycon\n>>> 1 + 1\n2\n```'
    """
    fenced = DOCTEST.sub(lambda found: f"{found[1]}```pycon\n{found[0]}\n{found[1]}```", text)
    return ROLE.sub("", fenced)


class Docstrings(Extension):
    """Rewrites each docstring before it is parsed."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Rewrite the docstring of a module, class, function or attribute."""
        if obj.docstring is not None:
            obj.docstring.value = readable(obj.docstring.value)
