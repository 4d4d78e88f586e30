"""Own bots in tournaments and simulations: their names, and their way to worker processes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.arena.sample_bots import FunctionBot, buys, crashes, random_choice

from parure.arena import run_tournament, simulate
from parure.arena.participants import Participants, pickled, unpickled
from parure.bots import Bot, BotLike, register, unregister
from parure.errors import NotationError, ParureError


@pytest.fixture
def _registered() -> Iterator[None]:
    """A bot that was registered in this process only."""
    register("registered", buys)
    yield
    unregister("registered")


def lambda_bot() -> BotLike:
    return lambda: FunctionBot(random_choice)


def test_names_are_unique() -> None:
    own = FunctionBot(random_choice)
    participants = Participants(["random", buys, own, FunctionBot(random_choice), buys])
    expected = ["random", "buys", "FunctionBot", "FunctionBot-2", "buys"]
    assert participants.names == expected


def test_an_own_bot_does_not_take_the_name_of_a_built_in_bot() -> None:
    def random() -> Bot:
        return FunctionBot(random_choice)

    participants = Participants([random])
    assert participants.names == ["random-2"]
    assert isinstance(participants.make("random-2"), FunctionBot)


def test_each_seat_gets_its_own_copy_of_a_bot() -> None:
    own = FunctionBot(random_choice)
    participants = Participants([own])
    [name] = participants.names
    made = [participants.make(name) for _ in range(2)]
    assert all(isinstance(bot, FunctionBot) for bot in made)
    assert len({id(bot) for bot in (*made, own)}) == 3


def test_what_is_not_a_bot_is_an_error() -> None:
    with pytest.raises(TypeError):
        run_tournament("duel", ["random", 7], jobs=0)  # type: ignore[list-item]
    with pytest.raises(NotationError, match="no bot is called 'clever'"):
        run_tournament("duel", ["random", "clever"], jobs=0)


@pytest.mark.parametrize("jobs", [0, 2])
def test_own_bots_in_a_tournament(jobs: int) -> None:
    bots: list[BotLike] = [buys, FunctionBot(random_choice)]
    standings = run_tournament("duel", bots, games=4, jobs=jobs)
    assert standings.plan.bots == ["buys", "FunctionBot"]
    assert not any(game.failure for game in standings.games)
    assert len(standings.games) == 4


@pytest.mark.usefixtures("_registered")
def test_a_registered_bot_in_a_tournament_with_processes() -> None:
    standings = run_tournament("duel", ["registered", "random"], games=4, jobs=2)
    assert not any(game.failure for game in standings.games)
    expected = run_tournament("duel", [buys, "random"], games=4, jobs=0)
    assert [game.winners for game in standings.games] == [game.winners for game in expected.games]


def test_a_tournament_is_kept_in_a_folder_and_continued(tmp_path: Path) -> None:
    first = run_tournament("duel", [buys, "random"], games=2, jobs=0, folder=tmp_path)
    more = run_tournament("duel", [buys, "random"], games=4, jobs=0, folder=tmp_path)
    assert more.games[:2] == first.games
    again = run_tournament("duel", [buys, "random"], games=4, jobs=0, folder=tmp_path)
    assert again.games == more.games


def test_a_failing_own_bot_loses_and_the_tournament_goes_on() -> None:
    standings = run_tournament("duel", [crashes, "random"], games=2, jobs=0)
    assert standings.pairs[0].score == 0
    assert all("ZeroDivisionError" in game.failure for game in standings.games)


def test_a_lambda_plays_in_this_process_only() -> None:
    assert run_tournament("duel", [lambda_bot(), "random"], games=2, jobs=0).is_complete
    assert simulate("duel", lambda_bot(), games=2).games == 2
    with pytest.raises(ParureError, match="at the top level of a module, not as a lambda"):
        run_tournament("duel", [lambda_bot(), "random"], games=2, jobs=1)
    with pytest.raises(ParureError, match="at the top level of a module, not as a lambda"):
        simulate("duel", lambda_bot(), games=50, jobs=2)


def test_a_function_that_cannot_be_imported_is_named() -> None:
    content = pickled(buys).replace(b"sample_bots", b"sampl3_bots")
    with pytest.raises(ParureError, match=r"cannot load a bot .*sampl3_bots"):
        unpickled(content)


def test_a_function_of_an_interactive_session_is_refused_by_workers() -> None:
    program = (
        "from parure.arena import run_tournament\n"
        "from parure.bots.random_bot import RandomBot\n"
        "def mine(): return RandomBot()\n"
        "try: run_tournament('duel', [mine, 'random'], games=2)\n"
        "except ValueError as error: print(error)\n"
    )
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "not in an interactive session" in ran.stdout


# --- simulations ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bots", [[buys, "random"], [FunctionBot(random_choice), "random"], [buys, buys]]
)
def test_own_bots_in_a_simulation(bots: list[BotLike]) -> None:
    here = simulate("splendor", bots, games=25, seed=3)
    assert here.games == 25
    assert simulate("splendor", bots, games=25, seed=3, jobs=2) == here


def test_one_own_bot_plays_all_seats() -> None:
    assert simulate("splendor", buys, games=3, seats=3).games == 3


@pytest.mark.usefixtures("_registered")
def test_a_registered_bot_in_a_simulation_with_processes() -> None:
    here = simulate("duel", ["registered", "random"], games=25)
    assert simulate("duel", ["registered", "random"], games=25, jobs=2) == here


def test_errors_of_an_own_bot_are_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        simulate("duel", crashes, games=1)
