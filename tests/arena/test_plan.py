"""Which games are played, and that luck cancels in them."""

from __future__ import annotations

import pytest
from tests.arena.players import play_at_home

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
def test_games_by_their_names(label: str, game: str, seats: int) -> None:
    plan = Plan.of(label, ["random", "random"])
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
def test_mistakes_are_told(label: str, bots: list[str], complaint: str) -> None:
    with pytest.raises(NotationError, match=complaint):
        Plan.of(label, bots)


def test_all_meet_each_other() -> None:
    plan = Plan.of("duel", ["random"] * 4)
    assert len(plan.pairs) == 6
    assert sorted(number for pair in plan.pairs for number in pair) == sorted([0, 1, 2, 3] * 3)


def test_games_are_rounded_up_to_sets() -> None:
    assert Plan.of("duel", ["random", "random"]).sets(199) == 100
    assert Plan.of("splendor-4", ["random", "random"]).sets(201) == 51


@pytest.mark.parametrize("label", ["duel", "splendor-4"])
def test_a_set_is_one_deal_with_the_first_bot_at_each_seat(label: str) -> None:
    plan = Plan.of(label, ["random", "buys"])
    games = plan.set_of(0, 5)
    assert [game.lineup.index(0) for game in games] == list(range(plan.seats))
    assert all(game.lineup.count(0) == 1 for game in games)
    assert len({game.new_state().words.tobytes() for game in games}) == 1
    assert len({int(game.new_state().rng[0]) for game in games}) == 1
    luck = [game.chance(game.game).random() for game in games]
    assert len(set(luck)) == 1, "the luck of a bot goes with it"
    first = games[0]
    assert len({first.chance(seat).random() for seat in range(plan.seats)}) == plan.seats


def test_other_seeds_pairs_and_sets_are_other_deals() -> None:
    deals = {
        Plan.of("duel", ["random"] * 3, seed).set_of(pair, number)[0].new_state().words.tobytes()
        for seed in (0, 1)
        for pair in (0, 1)
        for number in (0, 1, 2)
    }
    assert len(deals) == 12


def test_a_game_depends_on_its_place_alone() -> None:
    plan = Plan.of("duel+counterfeiters", ["random", "buys"], seed=3)
    [first, second] = [play_at_home(plan.set_of(0, 4)[1])[1] for _ in range(2)]
    assert first == second
    assert play_at_home(plan.set_of(0, 5)[1])[1] != first
