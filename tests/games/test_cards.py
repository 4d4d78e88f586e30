"""The card files of the package, and the errors for broken ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from parure.games.duel import cards as duel
from parure.games.duel.cards import COUNTERFEITERS, JEWELS, ROYALS
from parure.games.engine.card_files import Counts, InvalidCards
from parure.games.splendor import cards as splendor
from parure.games.splendor.cards import DEVELOPMENTS, NOBLES

READERS: dict[str, Callable[[Path], tuple[Any, ...]]] = {
    "duel/jewels.csv": duel.read_jewels,
    "duel/royals.csv": duel.read_royals,
    "duel/counterfeiters.csv": duel.read_counterfeiters,
    "splendor/developments.csv": splendor.read_developments,
    "splendor/nobles.csv": splendor.read_nobles,
}


def column_sums(counts: Iterable[Counts]) -> list[int]:
    return [sum(column) for column in zip(*counts, strict=True)]


def test_jewels() -> None:
    assert Counter(jewel.level for jewel in JEWELS) == {1: 30, 2: 24, 3: 13}
    colors = Counter(jewel.color for jewel in JEWELS)
    assert colors == dict.fromkeys("wugrk", 11) | {"joker": 9, "none": 3}
    assert column_sums(jewel.cost for jewel in JEWELS) == [81, 81, 81, 81, 81, 29, 0, 0]


def test_a_jewel() -> None:
    assert JEWELS[2] == duel.Jewel(
        id="J1-03",
        level=1,
        color="w",
        bonus=1,
        points=0,
        crowns=0,
        ability="again",
        cost=(0, 2, 2, 0, 0, 1, 0, 0),
    )


def test_royals() -> None:
    assert [royal.id for royal in ROYALS] == [f"R{n}" for n in range(1, 13)]
    assert [royal.points for royal in ROYALS] == [2, 2, 2, 3, 2, 1, 1, 1, 1, 1, 1, 0]
    assert {royal.ability for royal in ROYALS} == set(duel.ROYAL_ABILITIES)


def test_counterfeiters() -> None:
    assert len(COUNTERFEITERS) == 17
    assert [card.color for card in COUNTERFEITERS if card.effect == "discount-color"] == [*"gruwk"]
    assert {card.effect for card in COUNTERFEITERS} == set(duel.EFFECTS)
    assert [card.id for card in COUNTERFEITERS if card.cost[-1]] == ["C09", "C14"]  # price in gold


def test_developments() -> None:
    decks = Counter((card.level, card.color) for card in DEVELOPMENTS)
    assert decks == {
        (level, color): size for level, size in ((1, 8), (2, 6), (3, 4)) for color in "wugrk"
    }
    for level, total in ((1, 33), (2, 41), (3, 43)):
        costs = (card.cost for card in DEVELOPMENTS if card.level == level)
        assert column_sums(costs) == [total] * 5 + [0] * 3


def test_nobles() -> None:
    assert len(NOBLES) == 10
    assert {tuple(sorted(noble.needs)) for noble in NOBLES} == {
        (0, 0, 0, 0, 0, 0, 4, 4),
        (0, 0, 0, 0, 0, 3, 3, 3),
    }
    assert column_sums(noble.needs for noble in NOBLES) == [17] * 5 + [0] * 3


# Each case: a file, a text in it, its replacement, and the error message.
BROKEN = {
    "unknown column": (
        "duel/royals.csv",
        "ability",
        "talent",
        "line 1: unknown column 'talent'; missing column 'ability'",
    ),
    "missing column": ("splendor/nobles.csv", ",black", "", "line 1: missing column 'black'"),
    "columns out of order": (
        "duel/royals.csv",
        "id,points",
        "points,id",
        "line 1: the columns are not id,points,ability",
    ),
    "field too many": ("duel/royals.csv", "R4,3,", "R4,3,,", "line 5 (R4): 4 fields, not 3"),
    "blank line": ("duel/royals.csv", "R4,3,\n", "\n", "line 5 (no id): 0 fields, not 3"),
    "unknown color": (
        "duel/jewels.csv",
        "J2-05,2,blue",
        "J2-05,2,azure",
        "line 36 (J2-05): unknown color 'azure', "
        "not one of: white, blue, green, red, black, joker, none",
    ),
    "color without a bonus": (
        "duel/jewels.csv",
        "J1-30,1,none,0",
        "J1-30,1,red,0",
        "line 31 (J1-30): bonus 0 does not go with color 'r'",
    ),
    "unknown ability": (
        "duel/jewels.csv",
        "J1-01,1,white,1,0,0,token",
        "J1-01,1,white,1,0,0,tokens",
        "line 2 (J1-01): unknown ability 'tokens', "
        "not one of: nothing, token, steal, privilege, again",
    ),
    "unknown effect": (
        "duel/counterfeiters.csv",
        "peek-three",
        "peek-four",
        "line 18 (C17): unknown effect 'peek-four'",
    ),
    "color with the wrong effect": (
        "duel/counterfeiters.csv",
        "again,,",
        "again,red,",
        "line 11 (C10): color 'r' does not go with effect 'again'",
    ),
    "number too high": (
        "splendor/developments.csv",
        "D3-20,3,black,5",
        "D3-20,3,black,6",
        "line 91 (D3-20): points is '6', not a number from 0 to 5",
    ),
    "number below zero": (
        "splendor/developments.csv",
        "D3-20,3,black,5",
        "D3-20,3,black,-5",
        "line 91 (D3-20): points is '-5', not a number from 0 to 5",
    ),
    "not a number": (
        "splendor/nobles.csv",
        "N03,3,0",
        "N03,3,o",
        "line 4 (N03): white is 'o', not a number from 0 to 4",
    ),
    "empty number": (
        "splendor/nobles.csv",
        "N03,3,0",
        "N03,3,",
        "line 4 (N03): white is '', not a number from 0 to 4",
    ),
    "duplicate id": ("splendor/nobles.csv", "N03", "N02", "line 4 (N02): duplicate id"),
    "id out of order": ("splendor/nobles.csv", "N03", "N30", "line 4 (N30): N03 belongs here"),
    "id of another level": (
        "splendor/developments.csv",
        "D2-01,2",
        "D2-01,1",
        "line 42 (D2-01): level 1 does not match the id",
    ),
    "card too few": ("duel/royals.csv", "R12,0,take-3-any\n", "", "11 cards, not 12"),
    "card too many": (
        "duel/royals.csv",
        "take-3-any\n",
        "take-3-any\nR13,0,gold\n",
        "line 14 (R13): more than 12 cards",
    ),
    "sum of costs": (
        "duel/jewels.csv",
        "J1-04,1,white,1,0,1,,0,3",
        "J1-04,1,white,1,0,1,,0,4",
        "blue costs add up to 82, not 81",
    ),
    "sum of costs by level": (
        "splendor/developments.csv",
        "D1-06,1,white,0,0,3",
        "D1-06,1,white,0,0,4",
        "blue costs of level 1 add up to 34, not 33",
    ),
    "sum of points": ("duel/royals.csv", "R4,3", "R4,2", "points add up to 16, not 17"),
}


@pytest.mark.parametrize(("name", "old", "new", "message"), BROKEN.values(), ids=BROKEN.keys())
def test_broken_file(name: str, old: str, new: str, message: str, tmp_path: Path) -> None:
    text = files("parure.games").joinpath(name).read_text(encoding="utf-8")
    assert text.count(old) == 1
    broken = tmp_path / Path(name).name
    broken.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(InvalidCards, match=rf"^{broken.name}[,:] {re.escape(message)}"):
        READERS[name](broken)


@pytest.mark.parametrize("name", READERS)
def test_empty_file(name: str, tmp_path: Path) -> None:
    empty = tmp_path / Path(name).name
    empty.touch()
    with pytest.raises(InvalidCards, match=f"^{empty.name}, line 1: missing column 'id'"):
        READERS[name](empty)
