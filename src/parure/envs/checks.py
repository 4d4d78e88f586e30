"""Checks of arguments, so that compiled code only ever receives what it expects."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from numbers import Real
from operator import index
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parure.errors import NotationError
from parure.games.engine.arrays import Row
from parure.games.rules import Rules

T = TypeVar("T")

INTEGER_KINDS = "iu"  # of dtypes


def describe(value: Any) -> str:
    """Return what a value is, for an error message: the type, and of an array dtype and shape.

    >>> describe(np.zeros((2, 3), np.uint8)), describe(1.5)
    ('a uint8 array of shape (2, 3)', 'float')
    """
    if isinstance(value, np.ndarray):
        return f"a {value.dtype} array of shape {value.shape}"
    return type(value).__name__


def check_choice(name: str, value: Any, choices: Mapping[str, T]) -> T:
    """Return what a word stands for; NotationError if it is none of the choices."""
    if not isinstance(value, str) or value not in choices:
        words = ", ".join(map(repr, choices))
        raise NotationError(f"{name} must be one of {words}, not {value!r}")
    return choices[value]


def check_integer(name: str, value: Any, first: int, last: int | None = None) -> int:
    """Return a whole number from `first` to `last` as an int.

    Raises:
        TypeError: It is no whole number.
        NotationError: It is out of range.

    >>> check_integer("seat", np.int8(1), 0, 3)
    1
    """
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {describe(value)}") from None
    if value is True or value is False:
        raise TypeError(f"{name} must be a whole number, not {value}")
    if number < first or (last is not None and number > last):
        limits = f"at least {first}" if last is None else f"from {first} to {last}"
        raise NotationError(f"{name} must be {limits}, not {number}")
    return number


def check_number(name: str, value: Any, least: float, greatest: float | None = None) -> float:
    """Return a real number from `least` to `greatest` as a float.

    Raises:
        TypeError: It is no real number.
        NotationError: It is out of range, or not finite.

    >>> check_number("noise_share", np.float32(0.25), 0.0, 1.0)
    0.25
    """
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, not {describe(value)}")
    number = float(value)
    is_too_large = greatest is not None and number > greatest
    if not isfinite(number) or number < least or is_too_large:
        limits = f"at least {least:g}" if greatest is None else f"from {least:g} to {greatest:g}"
        raise NotationError(f"{name} must be {limits}, not {number}")
    return number


def check_rows(rules: Rules, rows: Any) -> Row:
    """Return the rows of some positions of a game as a contiguous array.

    Raises:
        TypeError: They are not an int64 array.
        NotationError: They have another shape, or another number of seats or other options.
    """
    words = rules.layout.ROW_WORDS
    if not isinstance(rows, np.ndarray) or rows.dtype != np.int64:
        raise TypeError(
            f"the rows of {rules.label} must be an int64 array of shape (n, {words}), "
            f"not {describe(rows)}"
        )
    if rows.ndim != 2 or rows.shape[1] != words:
        raise NotationError(
            f"the rows of {rules.label} must have the shape (n, {words}), not {rows.shape}"
        )
    options = rules.layout.OPTION_WORDS
    if (rows[:, :options] != rules.blank()[:options]).any():
        raise NotationError(f"these are not rows of {rules_name(rules)}: the options differ")
    return np.ascontiguousarray(rows)


def check_integers(name: str, values: ArrayLike, first: int, last: int) -> Row:
    """Return a one-dimensional array of whole numbers from `first` to `last`."""
    given = np.asarray(values)
    if given.ndim != 1:
        raise NotationError(f"{name} must be a list or a one-dimensional array: {describe(given)}")
    if not len(given):
        return np.zeros(0, np.int64)
    if given.dtype.kind not in INTEGER_KINDS:
        raise TypeError(f"{name} must be whole numbers, not {describe(given)}")
    if given.min() < first or given.max() > last:
        wrong = given[(given < first) | (given > last)]
        raise NotationError(f"{name} must be from {first} to {last}, not {wrong[0]}")
    return np.ascontiguousarray(given, np.int64)


def check_seats(seats: ArrayLike, count: int, seat_count: int) -> Row:
    """Return the seat of each of `count` games; one number stands for all of them."""
    given = np.asarray(seats)
    if given.ndim == 0:
        return np.full(count, check_integer("seat", given[()], 0, seat_count - 1), np.int64)
    if given.shape != (count,):
        raise NotationError(
            f"seats must be one number, or an array of shape ({count},): {describe(given)}"
        )
    return check_integers("seats", given, 0, seat_count - 1)


def check_flags(name: str, flags: Any, count: int) -> NDArray[np.bool_]:
    """Return `count` truth values as an array."""
    given = np.asarray(flags)
    if given.dtype != np.bool_ or given.shape != (count,):
        raise NotationError(
            f"{name} must be {count} truth values, not {given.dtype} of shape {given.shape}"
        )
    return given


def rules_name(rules: Rules) -> str:
    """Return a game with its number of seats and the options that are on.

    >>> from parure.games.registry import rules
    >>> rules_name(rules("splendor", 3)), rules_name(rules("duel", None, {"anti-blocking": True}))
    ('splendor-3', 'duel with anti-blocking')
    """
    enabled = sorted(name for name, is_on in rules.options.items() if is_on)
    return f"{rules.label} with {', '.join(enabled)}" if enabled else rules.label
