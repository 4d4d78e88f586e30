"""Symmetries turn the observation and the decisions of a position into those of another one."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.bots.games import each_kind

import parure
from parure.bots.evaluation import workspace_for
from parure.bots.network.duel import board_symmetries
from parure.bots.network.inference import extract_inputs
from parure.bots.network.symmetry import REFLECTIONS, ROTATIONS, Renaming, Symmetry
from parure.bots.network.weights import (
    load_network,
    network_evaluator,
    network_layout,
    network_symmetries,
    trained_network,
)
from parure.games.engine.rng import new_rng
from parure.games.engine.tokens import GEMS, LETTERS
from parure.games.registry import rules, rules_from_label
from parure.observations import splendor_layout as splendor_fields

pytestmark = pytest.mark.slow_without_jit

Terms = list[tuple[int, ...]]  # of each legal decision, in order


def inputs(text: str) -> tuple[NDArray[np.uint8], Terms]:
    """Return the observation and the terms of all legal decisions in a position."""
    view = parure.position(text)
    source = trained_network(view.rules)
    assert source is not None
    evaluator = network_evaluator(view.rules, load_network(source, view.rules))
    workspace = workspace_for(view.rules)
    number = extract_inputs(evaluator, view.words, new_rng(1), workspace)
    arrays = workspace.network
    terms = sorted(
        tuple(sorted(arrays.terms[i, : arrays.term_counts[i]].tolist())) for i in range(number)
    )
    return arrays.observation.view(np.uint8).copy(), terms


def transformed(symmetry: Symmetry, terms: Terms) -> Terms:
    return sorted(tuple(sorted(symmetry.scores[list(each)].tolist())) for each in terms)


@each_kind
def test_symmetries_exchange_bytes_and_scores(game: str, seats: int) -> None:
    found = rules(game, seats)
    layout, symmetries = network_layout(found), network_symmetries(found)
    assert (symmetries[0].source_bytes == np.arange(layout.observation.size)).all()
    assert (symmetries[0].scores == np.arange(layout.scores)).all()
    for symmetry in symmetries:
        assert (np.sort(symmetry.source_bytes) == np.arange(layout.observation.size)).all()
        used = set(range(layout.scores))
        if game != "splendor":
            used -= unused_pairs(layout.arrays.first_plain_score)
        assert {int(symmetry.scores[score]) for score in used} == used
    assert len({symmetry.source_bytes.tobytes() for symmetry in symmetries}) == len(symmetries)


def unused_pairs(first_plain_score: int) -> set[int]:
    """Return the scores of pairs of kinds in the wrong order, which no decision has."""
    from parure.bots.network.duel import TAKE_PAIR

    first = first_plain_score + TAKE_PAIR
    return {first + 8 * a + b for a in range(8) for b in range(a)}


@pytest.mark.parametrize("game", ["duel", "duel+counterfeiters"])
def test_a_turned_board(game: str) -> None:
    network_rules = rules_from_label(game)
    text = (
        f"{game}/seat:1/turns:12/J1:30,10,16,02,29/J2:01,11,24,23/J3:12,09,06"
        "/board:u..k.,w.gy.,uyr.r,.kuk.,u...y/tokens1:wwwgggrrkpp/cards1:J3-03"
    )
    if game != "duel":
        text += "/C:01,02,03/R:1,5,9,12"
    observation, terms = inputs(text)
    old = "u..k.,w.gy.,uyr.r,.kuk.,u...y"
    cells = old.replace(",", "")
    for symmetry, places in zip(
        network_symmetries(network_rules), board_symmetries(), strict=False
    ):
        new = [""] * 25
        for cell, place in enumerate(places):
            new[place] = cells[cell]
        rows = ",".join("".join(new[row : row + 5]) for row in range(0, 25, 5))
        turned, turned_terms = inputs(text.replace(old, rows))
        assert (observation[symmetry.source_bytes] == turned).all()
        assert transformed(symmetry, terms) == turned_terms


@pytest.mark.parametrize("colors", [*ROTATIONS, *REFLECTIONS])
def test_renamed_tokens_and_nobles_of_splendor(colors: Renaming) -> None:
    network_rules = rules_from_label("splendor-2")
    symmetry = network_symmetries(network_rules)[(*ROTATIONS, *REFLECTIONS).index(colors)]
    nobles = ["wu", "ug", "gr", "rk", "wk", "wug", "ugr", "grk", "wrk", "wuk"]

    def text(tokens: str, chosen: list[str]) -> str:
        numbers = sorted(1 + nobles.index(spelled(noble)) for noble in chosen)
        return (
            "splendor-2/seat:0/turns:6/D1:05,29,25,03/D2:05,16,22,27/D3:07,02,13,10"
            f"/N:{','.join(f'{number:02}' for number in numbers)}/tokens0:{spelled(tokens)}y"
        )

    def spelled(tokens: str) -> str:
        return "".join(sorted(tokens, key=GEMS.index))

    def renamed(tokens: str) -> str:
        return "".join(LETTERS[colors[GEMS.index(letter)]] for letter in tokens)

    chosen = ["wu", "gr", "wrk"]
    before, terms = inputs(text("wwugg", chosen))
    after, after_terms = inputs(text(renamed("wwugg"), [renamed(noble) for noble in chosen]))
    words = [*range(splendor_fields.PYRAMID), splendor_fields.SEATS, splendor_fields.SEATS + 1]
    found = before[symmetry.source_bytes].reshape(-1, 8)
    assert (found[words] == after.reshape(-1, 8)[words]).all()

    first_plain = network_layout(network_rules).arrays.first_plain_score
    takes = [each for each in transformed(symmetry, terms) if each[0] >= first_plain]
    assert takes == [each for each in after_terms if each[0] >= first_plain]
