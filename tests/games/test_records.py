"""Records: what is written, what is read back, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.games.positions import (
    DUEL,
    DUEL_COUNTERFEITERS,
    duel_setup,
    random_decisions,
    splendor_setup,
)

from parure.errors import RecordError
from parure.games.api import load, new
from parure.games.position import Outcome
from parure.games.record import FORMAT, decode, encode, replay
from parure.games.state import State

# Along the spiral; in both, the first row of the board is w u g r k.
BOARD = "pyyywwwuuugggrrrwugrkkkkp"
COUNTERFEIT_BOARD = "pyyywwwuuggrrrvvwugrkkkpv"  # and u g k v in the bag


def written(game: str = DUEL, *decisions: str, **parts: Any) -> dict[str, Any]:
    """Return a record as JSON data; parts may be replaced."""
    board = BOARD if game == DUEL else COUNTERFEIT_BOARD
    setup = splendor_setup() if game == "splendor" else duel_setup(game, board=board)
    return {
        "format": FORMAT,
        "game": game,
        "options": {},
        "players": ["a", "b"],
        "setup": setup,
        "decisions": list(decisions),
    } | parts


def replayed(text: Any) -> State:
    """Return the last state of a record."""
    *_, state = replay(decode(text if isinstance(text, str | bytes) else json.dumps(text)))
    return state


def refused(text: Any, message: str, number: int | None = None) -> None:
    """Check that a record is refused, at which decision, and with which message."""
    with pytest.raises(RecordError, match=message) as caught:
        replayed(text)
    assert caught.value.number == number
    if number is not None:
        assert str(caught.value).startswith(f"decision {number}: ")


def without(key: str, record: dict[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in record.items() if name != key}


# --- docs/rules/record.md, "The record" -----------------------------------------------------------


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("game", "players"),
    [("splendor", 2), ("splendor", 3), ("splendor", 4), (DUEL, 2), (DUEL_COUNTERFEITERS, 2)],
)
def test_a_game_is_read_back_unchanged(game: str, players: int, seed: int, tmp_path: Path) -> None:
    state = new(game, players=players, seed=seed)
    for number, _ in enumerate(random_decisions(state, seed)):
        if number == 40:
            assert replayed(encode(state.record())) == state
    record = state.record()
    assert decode(encode(record)) == record
    assert replayed(encode(record)) == state
    assert replayed(encode(record)).record() == record
    state.save(tmp_path / "game.json")
    assert load(tmp_path / "game.json") == state


def test_the_keys_of_a_record() -> None:
    state = new(DUEL, players=["player", "mcts:1s"], seed=1)
    text = json.loads(encode(state.record()))
    assert list(text) == ["format", "game", "options", "players", "setup", "decisions"]
    assert list(text["setup"]) == ["board", "bag", "decks", "royals", "counterfeiters"]
    assert text["format"] == "parure-record/1"
    assert text["players"] == ["player", "mcts:1s"]
    assert text["setup"]["counterfeiters"] == []
    assert [len(deck) for deck in text["setup"]["decks"]] == [30, 24, 13]
    assert len(text["setup"]["board"]) == 25


def test_the_set_up_of_counterfeiters() -> None:
    setup = new(DUEL_COUNTERFEITERS, seed=1).record().setup
    assert len(setup["board"] + setup["bag"]) == 29
    assert (len(setup["royals"]), len(setup["counterfeiters"])) == (12, 17)


def test_the_set_up_of_splendor() -> None:
    setup = new("splendor", players=3, seed=1).record().setup
    assert list(setup) == ["decks", "nobles"]
    assert len(setup["nobles"]) == 4


def test_chance_is_written_with_its_decision() -> None:
    state = replayed(written(DUEL_COUNTERFEITERS, "take a1 b1 c1", "replenish > kug", "take a1"))
    assert state.decisions == ["take a1 b1 c1", "replenish > kug", "take a1"]
    assert state.players[1].tokens == {"k": 1}  # a1 is the first of the three along the spiral
    assert state.record().decisions == state.decisions


def test_an_unfinished_game_can_be_continued() -> None:
    state = replayed(written(DUEL, "take a1"))
    assert state.outcome is None
    state.play("take b1")
    assert state.record().decisions == ["take a1", "take b1"]


# --- docs/rules/record.md, "Checking a record": keys and types ------------------------------------


@pytest.mark.parametrize("text", ["", "{", "[]", "null", b"\xff\xfe", '{"format": 1}'])
def test_texts_that_are_not_records(text: str | bytes) -> None:
    refused(text, "not a record")


@pytest.mark.parametrize("key", ["format", "game", "options", "players", "setup", "decisions"])
def test_every_key_is_required(key: str) -> None:
    refused(without(key, written()), f"missing required field `{key}`")


@pytest.mark.parametrize("key", ["board", "bag", "decks", "royals", "counterfeiters"])
def test_every_key_of_the_set_up_is_required(key: str) -> None:
    refused(written(setup=without(key, duel_setup())), f"lacks '{key}'")


def test_every_key_of_splendors_set_up_is_required() -> None:
    for key in ("decks", "nobles"):
        refused(written("splendor", setup=without(key, splendor_setup())), f"lacks '{key}'")


def test_unknown_keys() -> None:
    refused(written(seed=7), "unknown field `seed`")
    refused(written(setup=duel_setup() | {"nobles": []}), "unknown key 'nobles'")
    refused(written("splendor", setup=splendor_setup() | {"bag": ""}), "unknown key 'bag'")
    result = {"winners": [0], "reason": "resigned", "by": 1}
    refused(written(result=result), "unknown field `by`")


def test_wrong_types_and_values() -> None:
    refused(written(format="parure-record/2"), "the format must be 'parure-record/1'")
    refused(written(game="chess"), "no game is called 'chess'")
    refused(written(players=["a"]), "2 players")
    refused(written(players=["a", "b", "c"]), "2 players")
    refused(written("splendor", players=["a"] * 5), "2 to 4 players")
    refused(written(decisions="take a1"), "not a record")
    refused(written(decisions=[1]), "not a record")


def test_options() -> None:
    assert replayed(written(options={"anti-blocking": False})).options == {"anti-blocking": False}
    assert replayed(written(options={"anti-blocking": True})).options == {"anti-blocking": True}
    refused(written(options={"anti-blocking": 1}), "must be true or false")
    refused(written(options={"blocking": True}), "no option 'blocking'")
    refused(written("splendor", options={"anti-blocking": False}), "no option 'anti-blocking'")


def test_an_option_is_written_back_as_it_was_read() -> None:
    for options in ({}, {"anti-blocking": False}, {"anti-blocking": True}):
        assert replayed(written(options=options)).record().options == options


# --- docs/rules/record.md, "Checking a record": set-up --------------------------------------------


def changed(game: str = DUEL, **parts: Any) -> dict[str, Any]:
    record = written(game)
    return record | {"setup": record["setup"] | parts}


def test_the_royals_of_plain_duel_may_be_in_any_order() -> None:
    record = changed(royals=["R3", "R1", "R4", "R2"])
    state = replayed(record)
    assert json.loads(encode(state.record())) == record
    refused(changed(royals=["R3", "R1", "R4"]), "royals must have 4 cards")
    refused(changed(royals=["R3", "R1", "R4", "R5"]), "'R5' is no card of it")


def test_board_and_bag() -> None:
    refused(changed(board=BOARD[:-1]), "25 tokens")
    refused(changed(board=BOARD[:-1] + "v"), "must hold")
    refused(changed(board=BOARD[:-1], bag="p"), "25 tokens")
    refused(changed(board=None), "25 tokens")
    refused(changed(board="x" * 25), "must hold")
    refused(changed(bag="w"), "must hold")


def test_an_unsorted_bag() -> None:
    assert written(DUEL_COUNTERFEITERS)["setup"]["bag"] == "ugkv"
    assert replayed(written(DUEL_COUNTERFEITERS)).game == DUEL_COUNTERFEITERS
    refused(changed(DUEL_COUNTERFEITERS, bag="gukv"), "in the order wugrkpvy")


def test_decks() -> None:
    decks = duel_setup()["decks"]
    refused(changed(decks=decks[:2]), "three decks")
    refused(changed(decks=[decks[0][1:], *decks[1:]]), "missing: J1-01")
    refused(changed(decks=[[*decks[0][1:], "J1-02"], *decks[1:]]), "J1-02 is there twice")
    refused(changed(decks=[[*decks[0][1:], "J2-01"], *decks[1:]]), "deck 1: 'J2-01' is no card")
    refused(changed(decks=[[*decks[0], "J1-31"], *decks[1:]]), "'J1-31' is no card")
    refused(changed(decks=[decks[1], decks[0], decks[2]]), "deck 1")


def test_counterfeiters() -> None:
    refused(changed(counterfeiters=["C01"]), "'C01' is no card of it")
    cards = duel_setup(DUEL_COUNTERFEITERS)["counterfeiters"]
    refused(changed(DUEL_COUNTERFEITERS, counterfeiters=cards[1:]), "missing: C01")
    royals = duel_setup(DUEL_COUNTERFEITERS)["royals"]
    refused(changed(DUEL_COUNTERFEITERS, royals=royals[1:]), "missing: R1")


def test_nobles() -> None:
    refused(changed("splendor", nobles=["N01", "N02"]), "must have 3 cards, not 2")
    refused(changed("splendor", nobles=["N01", "N02", "N03", "N04"]), "must have 3 cards, not 4")
    refused(changed("splendor", nobles=["N01", "N02", "N02"]), "N02 is there twice")
    assert replayed(changed("splendor", nobles=["N07", "N02", "N05"])).record().setup["nobles"] == [
        "N07",
        "N02",
        "N05",
    ]


# --- docs/rules/record.md, "Checking a record": decisions -----------------------------------------


def test_an_illegal_decision_with_its_number_and_what_was_legal() -> None:
    record = written(DUEL, "take a1", "take a1")
    refused(record, "'take a1': a1 is empty. Legal: gold ", 1)
    with pytest.raises(RecordError, match=r"Legal: .*privilege b1, .*take b1 c1 d1"):
        replayed(record)


def test_a_text_that_is_not_a_decision() -> None:
    refused(written(DUEL, "take a1", "jump"), "'jump' is not a decision of duel. Legal: ", 1)
    refused(written(DUEL, "Take a1"), "not a decision", 0)
    refused(written(DUEL, "take a1  b1"), "not a decision", 0)
    refused(written(DUEL, "take a1 "), "not a decision", 0)
    refused(written(DUEL, "take b1 a1"), "not a decision", 0)
    refused(written("splendor", "take guw"), "not a decision", 0)
    refused(written(DUEL, "use C09"), "not a decision of duel", 0)


def test_chance_must_be_recorded() -> None:
    record = written(DUEL_COUNTERFEITERS, "take a1 b1 c1", "replenish")
    refused(record, "does not say what chance brought", 1)


# too few, too many, not in the bag, not twice in the bag, and not tokens
@pytest.mark.parametrize("came", ["gk", "gkuv", "gkw", "ggk", "g k u", "", "GKU", "gkx"])
def test_impossible_chance(came: str) -> None:
    record = written(DUEL_COUNTERFEITERS, "take a1 b1 c1", f"replenish > {came}")
    refused(record, r"'replenish' (brings 3 tokens|cannot bring).* Legal: ", 1)


def test_chance_in_a_decision_without_chance() -> None:
    refused(written(DUEL, "take a1 > w"), "chance has no part in 'take a1'", 0)
    refused(written("splendor", "take wug > w"), "chance has no part", 0)


# --- docs/rules/record.md, "Results" --------------------------------------------------------------


@pytest.fixture(scope="module")
def finished() -> dict[str, Any]:
    """The record of a finished game of Duel."""
    state = new(DUEL, seed=2)
    for _ in random_decisions(state, 2):
        pass
    record: dict[str, Any] = json.loads(encode(state.record()))
    return record


def test_a_result_is_required_once_the_game_is_over(finished: dict[str, Any]) -> None:
    assert replayed(finished).outcome is not None
    refused(without("result", finished), "the game is over, but the record has no result")


def test_a_decision_after_the_end(finished: dict[str, Any]) -> None:
    decisions = finished["decisions"]
    refused(
        finished | {"decisions": [*decisions, "take a1"]},
        "the game was over already",
        len(decisions),
    )


def test_a_wrong_result(finished: dict[str, Any]) -> None:
    winners, reason = finished["result"]["winners"], finished["result"]["reason"]
    others = [1 - winners[0]] if winners else [0]
    for result in (
        {"winners": others, "reason": reason},
        {"winners": winners, "reason": "claim"},
        {"winners": [0, 1], "reason": reason},
        {"winners": winners or [0], "reason": "resigned"},
        {"winners": winners or [0], "reason": "timeout"},
    ):
        refused(finished | {"result": result}, "the result is")


def test_a_result_while_the_game_is_in_progress() -> None:
    for reason in ("points", "crowns", "color", "claim", "limit", "boredom"):
        result = {"winners": [0], "reason": reason}
        refused(written(DUEL, "take a1", result=result), "the game is not over by the rules")
    result = {"winners": [0], "reason": "stalemate"}
    refused(written("splendor", "take wug", result=result), "not over by the rules")


@pytest.mark.parametrize("reason", ["resigned", "timeout"])
def test_a_game_that_was_resigned_or_timed_out(reason: str) -> None:
    record = written(DUEL, "take a1", result={"winners": [1], "reason": reason})
    state = replayed(record)
    assert state.outcome == Outcome((1,), reason)
    assert json.loads(encode(state.record())) == record
    assert replayed(written(DUEL, result={"winners": [0], "reason": reason})).is_over


def test_a_game_ended_within_a_turn() -> None:
    record = written(DUEL, "gold c4", result={"winners": [1], "reason": "resigned"})
    assert replayed(record).outcome == Outcome((1,), "resigned")


def test_several_winners_of_a_resigned_game() -> None:
    result = {"winners": [0, 2], "reason": "resigned"}
    record = written("splendor", players=["a", "b", "c"], setup=splendor_setup(3), result=result)
    assert replayed(record).outcome == Outcome((0, 2), "resigned")


@pytest.mark.parametrize("winners", [[], [1, 0], [0, 0], [2], [-1]])
def test_winners_of_a_resigned_game_are_seats_in_order_and_at_least_one(winners: list[int]) -> None:
    result = {"winners": winners, "reason": "resigned"}
    refused(written(DUEL, result=result), "not over by the rules")
