"""A bot that fails loses its game, and the reason is kept."""

from __future__ import annotations

import json
from collections.abc import Callable

import msgspec
import pytest
from tests.arena import sample_bots
from tests.arena.sample_bots import buys, crashes, play_here

from parure.arena.game import GameResult, play_game
from parure.arena.participants import Participants
from parure.arena.plan import Plan
from parure.bots import Bot
from parure.games.record import decode, encode, replay


@pytest.mark.parametrize(
    ("bot", "reason", "failure"),
    [
        (sample_bots.crashes, "resigned", "ZeroDivisionError: a second line"),
        (sample_bots.cheats, "resigned", "'discard k', which is not legal: "),
        (sample_bots.chooses_chance, "resigned", "'replenish > w' is not a decision of duel"),
        (sample_bots.answers_number, "resigned", "returned 7"),
        (sample_bots.exits, "resigned", "SystemExit: 0"),
        (sample_bots.fails, "resigned", "it closed its output"),
        (sample_bots.times_out, "timeout", "no answer within 1 s"),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_failure_is_a_loss(bot: Callable[[], Bot], reason: str, failure: str, seat: int) -> None:
    participants = Participants([bot, "random"])
    result, record = play_here(Plan.create("duel", participants).fixtures(0, 0)[seat], participants)
    assert (result.winners, result.reason) == ([1 - seat], reason)
    assert result.failure.startswith(f"{bot.__name__} at seat {seat}: ")
    assert failure in result.failure
    assert "\n" not in result.failure
    *_, state = replay(decode(encode(record)))
    assert state.outcome
    assert state.outcome.reason == reason
    assert len(state.decisions) == result.decisions


def test_with_more_seats_all_others_win() -> None:
    participants = Participants([crashes, "random"])
    plan = Plan.create("splendor-4", participants)
    for fixture in plan.fixtures(0, 0):
        result, _ = play_here(fixture, participants)
        assert result.winners == [seat for seat in range(4) if seat != fixture.game]
        assert result.scores[fixture.game] == 0
        assert result.scores[result.winners[0]] == pytest.approx(1 / 3)


def test_a_bot_that_cannot_be_made_loses() -> None:
    plan = Plan(game="duel", seats=2, options={}, bots=["random", "unknown"], seed=0)
    result, record = play_here(plan.fixtures(0, 0)[0])
    assert result.winners == [0]
    assert "no bot is called 'unknown'" in result.failure
    assert record.decisions == []


def test_scores_add_up_to_one() -> None:
    def scores(seats: int, winners: list[int]) -> tuple[float, ...]:
        return GameResult(0, 0, 0, [0] * seats, winners, "points", 1, 1, [0.0] * seats).scores

    assert scores(2, [1]) == (0, 1)
    assert scores(2, []) == (0.5, 0.5)
    assert scores(3, [0, 2]) == (0.5, 0, 0.5)
    assert scores(4, []) == (0.25,) * 4


def test_the_next_seat_is_reported_and_forced_decisions_are_not() -> None:
    calls: list[tuple[int, list[str]]] = []
    participants = Participants([buys, "random"])
    fixture = Plan.create("duel", participants, seed=1).fixtures(0, 0)[0]
    _, record = play_game(
        fixture, participants, lambda seat, decisions: calls.append((seat, list(decisions)))
    )
    reported = [text for _, texts in calls for text in texts]
    assert reported == record.decisions[: len(reported)]
    state = fixture.new_state()
    deciding = []
    for text in record.decisions:
        if len(state.legal_decisions) > 1:
            deciding.append(state.seat)
        state.play(text)
    assert [seat for seat, _ in calls] == [0, 1, *deciding], "the first two are made"


def test_a_result_is_plain_json() -> None:
    participants = Participants(["random", buys])
    plan = Plan.create("splendor-3", participants)
    result, record = play_here(plan.fixtures(0, 0)[1], participants)
    line = json.loads(msgspec.json.encode(result))
    assert line["lineup"] == [1, 0, 1]
    assert record.players == ["buys", "random", "buys"]
    assert "failure" not in line
    assert len(line["seconds"]) == 3
    assert msgspec.json.decode(msgspec.json.encode(result), type=GameResult) == result
