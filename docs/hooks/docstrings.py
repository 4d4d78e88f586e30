"""Griffe extension: show doctests as code, and comments behind fields as their descriptions."""

from __future__ import annotations

import re
from typing import Any

from griffe import Docstring, Extension, Object

DOCTEST = re.compile(r"^( *)>>> .*(?:\n(?!\s*$).*)*", re.M)
FIELD_COMMENT = re.compile(r"  # (?!noqa|type:)(.+)$")
ROLE = re.compile(r":(?:class|exc|func|meth|mod):(?=`)")


def readable(text: str) -> str:
    r"""Return a docstring with its doctests in fences.

    >>> readable("Add.\n\n>>> 1 + 1\n2")
    'Add.\n\n```pycon\n>>> 1 + 1\n2\n```'
    """
    fenced = DOCTEST.sub(lambda found: f"{found[1]}```pycon\n{found[0]}\n{found[1]}```", text)
    return ROLE.sub("", fenced)


def sentence(comment: str) -> str:
    """Return a comment as a sentence.

    >>> sentence("the best first"), sentence("`None`: a watcher.")
    ('The best first.', '`None`: a watcher.')
    """
    return f"{comment[0].upper()}{comment[1:].rstrip('.')}."


class Docstrings(Extension):
    """Rewrites each docstring before it is parsed."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Rewrite the docstring of a module, class, function or attribute."""
        if obj.docstring is not None:
            obj.docstring.value = readable(obj.docstring.value)
        elif obj.is_attribute and (comment := FIELD_COMMENT.search("".join(obj.lines[-1:]))):
            obj.docstring = Docstring(sentence(comment[1]), parent=obj)
