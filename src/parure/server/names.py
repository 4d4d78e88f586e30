"""Names of players, as others will read them."""

from __future__ import annotations

import unicodedata

# Control and format characters (among them zero-width ones and those that change the direction of
# the text), surrogates, private and unassigned ones, and separators of lines.
_HIDDEN_CATEGORIES = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))

# Characters of other categories that show nothing: Unicode's "default ignorable" ones, and blanks
# that count as letters or symbols.
_INVISIBLE = frozenset(
    chr(code)
    for first, last in (
        (0x034F, 0x034F),
        (0x115F, 0x1160),
        (0x17B4, 0x17B5),
        (0x180B, 0x180F),
        (0x2800, 0x2800),
        (0x3164, 0x3164),
        (0xFE00, 0xFE0F),
        (0xFFA0, 0xFFA0),
        (0xE0100, 0xE01EF),
    )
    for code in range(first, last + 1)
)


def clean_name(name: str) -> str:
    r"""Return a name without characters that cannot be seen or that disturb the text around it.

    Tabs and breaks become blanks, and several blanks one.

    >>> clean_name("  Ann\u202e \t B\u200bob ")
    'Ann Bob'
    """
    spaced = " ".join(name.split())
    return " ".join("".join(char for char in spaced if _is_visible(char)).split())


def _is_visible(char: str) -> bool:
    return unicodedata.category(char) not in _HIDDEN_CATEGORIES and char not in _INVISIBLE
