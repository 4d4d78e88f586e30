"""A bot that fails loses its game, and its reason is kept."""

from __future__ import annotations

import json

import pytest
from tests.arena.players import play_at_home

from parure.arena.game import Played, play_game
from parure.arena.plan import Plan
from parure.bots import registry
from parure.games.record import decode as decoded
from parure.games.record import encode, replay


@pytest.mark.parametrize(
    ("bot", "reason", "failure"),
    [
        ("crashes", "resigned", "ZeroDivisionError: a second line"),
        ("cheats", "resigned", "'discard k', which is not legal: "),
        ("steers_chance", "resigned", "'replenish > w' is no decision of duel"),
        ("babbles", "resigned", "answered 7, which is no text"),
        ("leaves", "resigned", "SystemExit: 0"),
        ("fails", "resigned", "it closed its output"),
        ("is_late", "timeout", "no answer within 1 s"),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_failure_is_a_loss(bot: str, reason: str, failure: str, seat: int) -> None:
    fixture = Plan.of("duel", [bot, "random"]).set_of(0, 0)[seat]
    played, record = play_at_home(fixture)
    assert (played.winners, played.reason) == ([1 - seat], reason)
    assert played.failure.startswith(f"{bot} at seat {seat}: ")
    assert failure in played.failure
    assert "\n" not in played.failure
    *_, state = replay(decoded(encode(record)))
    assert state.outcome
    assert state.outcome.reason == reason
    assert len(state.decisions) == played.decisions


def test_with_more_seats_the_others_win_together() -> None:
    plan = Plan.of("splendor-4", ["crashes", "random"])
    for fixture in plan.set_of(0, 0):
        played, _ = play_at_home(fixture)
        assert played.winners == [seat for seat in range(4) if seat != fixture.game]
        assert played.share(fixture.game) == 0
        assert played.share(played.winners[0]) == pytest.approx(1 / 3)


def test_a_bot_that_cannot_be_made_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan.of("duel", ["random", "buys"])
    monkeypatch.delitem(registry._registered, "buys")
    played, record = play_at_home(plan.set_of(0, 0)[0])
    assert played.winners == [0]
    assert "no bot is called 'buys'" in played.failure
    assert record.decisions == []


def test_shares() -> None:
    def played(seats: int, winners: list[int]) -> Played:
        return Played(0, 0, 0, [0] * seats, winners, "points", 1, 1, [0.0] * seats)

    assert [played(2, [1]).share(seat) for seat in range(2)] == [0, 1]
    assert [played(2, []).share(seat) for seat in range(2)] == [0.5, 0.5]
    assert [played(3, [0, 2]).share(seat) for seat in range(3)] == [0.5, 0, 0.5]
    assert [played(4, []).share(seat) for seat in range(4)] == [0.25] * 4


def test_who_is_asked_is_told_before_and_forced_decisions_are_not_asked() -> None:
    told: list[tuple[int, list[str]]] = []
    fixture = Plan.of("duel", ["buys", "random"], seed=1).set_of(0, 0)[0]
    _, record = play_game(fixture, lambda seat, decided: told.append((seat, list(decided))))
    decided = [text for _, texts in told for text in texts]
    assert decided == record.decisions[: len(decided)]
    state = fixture.new_state()
    asked = []
    for text in record.decisions:
        if len(state.legal_decisions) > 1:
            asked.append(state.seat)
        state.play(text)
    assert [seat for seat, _ in told] == [0, 1, *asked], "the first two are made"


def test_what_is_kept_is_plain() -> None:
    import msgspec

    played, record = play_at_home(Plan.of("splendor-3", ["random", "buys"]).set_of(0, 0)[1])
    line = json.loads(msgspec.json.encode(played))
    assert line["lineup"] == [1, 0, 1]
    assert record.players == ["buys", "random", "buys"]
    assert "failure" not in line
    assert len(line["seconds"]) == 3
    assert msgspec.json.decode(msgspec.json.encode(played), type=Played) == played
