"""What `import parure` offers: visible, lazy, typed, and robust against wrong arguments."""

from __future__ import annotations

import pickle
import pydoc
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parure
from parure.errors import IllegalDecision, InvalidPosition, NotationError, RecordError
from parure.games.registry import FAMILIES, GAMES, import_part, rules
from parure.games.rules import Rules

PUBLIC = (
    "Analysis Bot IllegalDecision InvalidPosition NotationError Outcome ParureError Record "
    "RecordError Review State View analyse bot determinize evaluate load new position review rules"
).split()


def test_every_public_name_is_listed_and_documented() -> None:
    assert parure.__all__ == PUBLIC
    assert set(PUBLIC) <= set(dir(parure))
    text = pydoc.plain(pydoc.render_doc(parure))
    for name in PUBLIC:
        assert f"{name}" in text
        assert getattr(parure, name).__doc__, name


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        parure.chess  # noqa: B018


USER_SCRIPT = """
import parure
from typing import assert_type
from parure.games.duel.state import DuelPlayer, DuelState, DuelView
from parure.games.splendor.state import SplendorPlayer, SplendorState

duel = parure.new("duel")
assert_type(duel, DuelState)
assert_type(duel.board, dict[str, str])
assert_type(duel.legal_decisions[0], str)
assert_type(duel.legal_decisions[:2], list[str])
assert_type(duel.players[0], DuelPlayer)
assert_type(duel.view(0), DuelView)
assert_type(parure.determinize(duel.view(0)), DuelState)
assert_type(parure.new("splendor", players=3), SplendorState)
assert_type(parure.new("splendor").players[0], SplendorPlayer)
assert_type(parure.load("game.json", "duel"), DuelState)
assert_type(parure.load("game.json"), parure.State)
assert_type(parure.bot("random").decide(duel.view(0)).decision, str)
"""


@pytest.mark.slow_without_jit
def test_a_users_script_type_checks_strictly(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(USER_SCRIPT, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache")]
    command += ["--follow-imports", "silent", "--no-site-packages", str(script)]
    source = str(Path(parure.__file__).parents[1])
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={"MYPYPATH": source}
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_part_of_the_registry_can_be_imported() -> None:
    for family in FAMILIES:
        assert issubclass(import_part(family.rules), Rules)
        assert import_part(family.evaluation) is not None
        assert import_part(family.environment) is not None


@pytest.mark.parametrize("game", GAMES)
def test_a_game_says_what_people_need_to_know(game: str) -> None:
    found = rules(game)
    assert found.title.startswith("Splendor")
    assert found.seats == found.seat_counts[0]
    infos = {info.id: info for info in found.card_infos}
    assert set(parure.new(game, seed=1).pyramid[0]) <= set(infos)


# --- playing --------------------------------------------------------------------------------------


def test_play_accepts_lenient_spelling_and_returns_the_exact_one() -> None:
    state = parure.new("duel", seed=7)
    assert state.play("  TAKE c1  B1 a1 ") == "take a1 b1 c1"
    splendor = parure.new("splendor", seed=7)
    assert splendor.play("Take guw") == "take wug"
    card = splendor.pyramid[0][0]
    assert card is not None
    assert splendor.play(f"reserve {card[1:].lower()}") == f"reserve {card}"


@pytest.mark.parametrize("game", GAMES)
def test_lenient_spellings_are_unambiguous(game: str) -> None:
    found = rules(game)
    for number, text in enumerate(found.decision_texts):
        assert found.find_decision(text.upper()) == number


def test_a_wrong_text_suggests_the_nearest_legal_decision() -> None:
    state = parure.new("splendor", seed=7)
    before = state.copy()
    with pytest.raises(NotationError, match="the nearest legal decision is 'take wug'"):
        state.play("tke wug")
    with pytest.raises(IllegalDecision) as caught:
        state.play("discard w")
    assert caught.value.reason
    with pytest.raises(NotationError, match=r"is not a decision of splendor$"):
        state.play("qqqqqq")
    assert state == before


def test_an_illegal_decision_survives_pickling() -> None:
    with pytest.raises(IllegalDecision) as caught:
        parure.new("splendor", seed=7).play("pass")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.reason) == (str(caught.value), caught.value.reason)


@pytest.mark.parametrize("decision", [3.5, None, b"take wug", -1, 10**6, [1]])
def test_what_is_no_decision_raises_a_named_error(decision: Any) -> None:
    with pytest.raises(NotationError):
        parure.new("splendor", seed=7).play(decision)


def test_a_record_is_spelled_exactly() -> None:
    state = parure.new("splendor", seed=7)
    state.play("take wug")
    record = state.record()
    record.decisions[0] = "TAKE wug"
    from parure.games.record import final_state

    with pytest.raises(RecordError, match="decision 0: 'TAKE wug' is not a decision"):
        final_state(record)


# --- questions about a position -------------------------------------------------------------------


def test_wrong_cards_seats_and_levels_raise_named_errors() -> None:
    state: Any = parure.new("duel", seed=7)
    for ask in (
        lambda: state.price("J1-01", 9),
        lambda: state.price("J1-01", -1),
        lambda: state.price("J1-01", "x"),
        lambda: state.price("D1-01"),
        lambda: state.price(None),
        lambda: state.missing(["J1-01"]),
        lambda: state.missing("J1-01", 2),
        lambda: state.deck(0),
        lambda: state.deck(4),
        lambda: state.view(2),
        lambda: state.view("0"),
        lambda: state.resign(2),
        lambda: parure.new("duel", players="Ann"),
        lambda: parure.new("chess"),
        lambda: parure.new(["duel"]),  # type: ignore[call-overload]
        lambda: parure.new("splendor", players=5),
        lambda: parure.new("splendor", players=True),
        lambda: parure.rules("duel", 3),
        lambda: parure.rules("duel", None, {"anti-blocking": 1}),  # type: ignore[dict-item]
        lambda: parure.new("duel", seed="7"),  # type: ignore[call-overload]
    ):
        with pytest.raises(NotationError):
            ask()


def test_determinize_takes_views_only() -> None:
    state: Any = parure.new("duel", seed=7)
    with pytest.raises(TypeError, match=r"takes a view, as state\.view\(seat\) returns"):
        parure.determinize(state)


def test_load_checks_the_game(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    parure.new("splendor", seed=7).save(file)
    assert parure.load(file, "splendor").supply
    with pytest.raises(RecordError, match="of 'splendor', not of 'duel'"):
        parure.load(file, "duel")


# --- undo -----------------------------------------------------------------------------------------


def test_undo_after_a_resignation_takes_back_exactly_that() -> None:
    state = parure.new("splendor", players=3, seed=7)
    state.play("take wug")
    before = state.copy()
    state.resign()
    assert state.outcome == parure.Outcome((0, 2), "resigned")
    assert state.undo() == "resigned"
    assert (state, state.decisions) == (before, ["take wug"])
    assert state.undo() == "take wug"
    with pytest.raises(InvalidPosition):
        state.undo()


def test_undo_after_an_end_from_outside_survives_copies_and_records(tmp_path: Path) -> None:
    state = parure.new("duel", seed=7)
    state.end("timeout", [1])
    copy = state.copy()
    state.save(tmp_path / "game.json")
    loaded = parure.load(tmp_path / "game.json")
    for one in (state, copy, loaded, pickle.loads(pickle.dumps(state))):
        assert one.is_over
        assert one.undo() == "timeout"
        assert not one.is_over
        assert one.legal_decisions


def test_scores_share_a_victory() -> None:
    assert parure.Outcome((1,), "points").scores(2) == (0.0, 1.0)
    assert parure.Outcome((), "limit").scores(4) == (0.25,) * 4
    assert sum(parure.Outcome((0, 1, 3), "points").scores(4)) == pytest.approx(1)


def test_rows_of_the_wrong_type_or_size_are_refused() -> None:
    found = parure.rules("duel")
    good, rng = parure.new("duel", seed=7).words, np.zeros(1, np.uint64)
    found.check_row(good)
    bad_rows: list[Any] = [good.astype(np.uint8), good[:-1], good[np.newaxis], good.tolist()]
    for bad in bad_rows:
        for use in (
            found.check_row,
            found.legal,
            lambda row: found.apply(row, 0, rng),
            lambda row: found.state_type(found, row, rng),
            lambda row: found.view_type(found, row, 0),
        ):
            with pytest.raises(TypeError, match="a row of duel is an int64 array"):
                use(bad)


def test_generators_of_the_wrong_type_or_size_are_refused() -> None:
    found, view = parure.rules("duel"), parure.new("duel", seed=7).view(0)
    bad_generators: list[Any] = [
        np.zeros(1, np.int64),
        np.zeros(0, np.uint64),
        np.zeros((1, 1), np.uint64),
        [1],
    ]
    for bad in bad_generators:
        for use in (
            found.deal,
            lambda rng: found.apply(view.words, 0, rng),
            lambda rng: found.state_type(found, view.words, rng),
        ):
            with pytest.raises(TypeError, match="a generator is a uint64 array"):
                use(bad)
    with pytest.raises(NotationError):
        found.apply(view.words, len(found.decision_texts), np.zeros(1, np.uint64))
