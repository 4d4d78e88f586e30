"""The games of a tournament, and that luck cancels out."""

from __future__ import annotations

import pytest
from tests.arena.sample_bots import buys, play_here

from parure.arena.participants import Participants
from parure.arena.plan import Plan
from parure.errors import NotationError


@pytest.mark.parametrize(
    ("label", "game", "seats"),
    [
        ("splendor", "splendor", 2),
        ("splendor-2", "splendor", 2),
        ("splendor-3", "splendor", 3),
        ("splendor-4", "splendor", 4),
        ("duel", "duel", 2),
        ("duel+counterfeiters", "duel+counterfeiters", 2),
    ],
)
def test_games_are_found_by_label(label: str, game: str, seats: int) -> None:
    plan = Plan.create(label, ["random", "random"])
    assert (plan.game, plan.seats) == (game, seats)


@pytest.mark.parametrize(
    ("label", "bots", "complaint"),
    [
        ("chess", ["random", "random"], "no game is called 'chess'"),
        ("splendor-5", ["random", "random"], "5"),
        ("duel-3", ["random", "random"], "duel-3"),
        ("duel", ["random"], "at least two bots"),
        ("duel", ["random", "clever"], "no bot is called 'clever'"),
    ],
)
def test_mistakes_are_errors(label: str, bots: list[str], complaint: str) -> None:
    with pytest.raises(NotationError, match=complaint):
        Plan.create(label, bots)


def test_each_bot_meets_every_other() -> None:
    plan = Plan.create("duel", ["random"] * 4)
    assert len(plan.pairs) == 6
    assert sorted(number for pair in plan.pairs for number in pair) == sorted([0, 1, 2, 3] * 3)


def test_games_are_rounded_up_to_sets() -> None:
    assert Plan.create("duel", ["random", "random"]).sets_for(199) == 100
    assert Plan.create("splendor-4", ["random", "random"]).sets_for(201) == 51


@pytest.mark.parametrize("label", ["duel", "splendor-4"])
def test_a_set_is_one_deal_with_the_first_bot_at_each_seat(label: str) -> None:
    plan = Plan.create(label, ["random", buys])
    games = plan.fixtures(0, 5)
    assert [game.lineup.index(0) for game in games] == list(range(plan.seats))
    assert all(game.lineup.count(0) == 1 for game in games)
    assert len({game.new_state().words.tobytes() for game in games}) == 1
    assert len({int(game.new_state().rng[0]) for game in games}) == 1
    numbers = [game.bot_rng(game.game).random() for game in games]
    assert len(set(numbers)) == 1, "the generator moves with the bot"
    first = games[0]
    assert len({first.bot_rng(seat).random() for seat in range(plan.seats)}) == plan.seats


def test_seed_pair_and_set_determine_the_deal() -> None:
    plans = [Plan.create("duel", ["random"] * 3, seed) for seed in (0, 1)]
    deals = {
        plan.fixtures(pair, number)[0].new_state().words.tobytes()
        for plan in plans
        for pair in (0, 1)
        for number in (0, 1, 2)
    }
    assert len(deals) == 12


def test_a_game_depends_on_its_fixture_alone() -> None:
    participants = Participants(["random", buys])
    plan = Plan.create("duel+counterfeiters", participants, seed=3)
    first, second = (play_here(plan.fixtures(0, 4)[1], participants).record for _ in range(2))
    assert first == second
    assert play_here(plan.fixtures(0, 5)[1], participants).record != first
