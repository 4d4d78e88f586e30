"""Finding bots by specification: built in, registered, and from installed packages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import parure
from parure.bots import Bot, BotLike, Budget, bot, bot_name, register, resolve
from parure.bots.random_bot import RandomBot
from parure.bots.registry import BUILT_IN, _registered, known_names, unregister
from parure.errors import NotationError, ParureError
from parure.games.view import View


class MyBot(Bot):
    """A bot of a user, with a parameter."""

    def __init__(self, detail: str = "none") -> None:
        self.detail = detail

    def choose(self, view: View, rng: Random, budget: Budget | None) -> str:
        return rng.choice(list(view.legal_decisions))


@pytest.fixture(autouse=True)
def _clean_registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    before = dict(_registered)
    yield
    _registered.clear()
    _registered.update(before)


# --- register -------------------------------------------------------------------------------------


def test_a_registered_bot_is_found_by_name() -> None:
    register("mine", MyBot)
    made = bot("mine")
    assert isinstance(made, MyBot)
    assert made.detail == "none"
    with_detail = bot("mine:fast:er")
    assert isinstance(with_detail, MyBot)
    assert with_detail.detail == "fast:er"
    assert bot("mine") is not made
    assert "mine" in known_names()


def test_a_function_may_take_the_detail_or_nothing() -> None:
    register("needs-detail", lambda detail: MyBot(detail))
    register("no-detail", lambda: MyBot("fixed"))
    made = [bot("needs-detail:x"), bot("needs-detail"), bot("no-detail")]
    assert [one.detail for one in made if isinstance(one, MyBot)] == ["x", "", "fixed"]
    with pytest.raises(NotationError, match="no-detail takes nothing after a colon"):
        bot("no-detail:x")


def test_a_name_can_be_registered_again_and_removed() -> None:
    register("mine", MyBot)
    register("mine", RandomBot)
    assert isinstance(bot("mine"), RandomBot)
    unregister("mine")
    unregister("mine")
    with pytest.raises(NotationError, match=r"no bot is called 'mine'; there are: random, greedy"):
        bot("mine")


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_built_in_bots_cannot_be_replaced(name: str) -> None:
    with pytest.raises(NotationError, match="is a built-in bot"):
        register(name, MyBot)


@pytest.mark.parametrize("name", ["", "my bot", "mine:1", "1st", "a" * 41, "böt", "a\n", 7])
def test_a_name_must_fit_into_a_specification(name: Any) -> None:
    with pytest.raises(NotationError, match="cannot name a bot"):
        register(name, MyBot)


def test_what_cannot_make_a_bot_is_refused() -> None:
    wrong: list[Any] = [MyBot(), "MyBot", lambda one, two: MyBot()]
    for make in wrong:
        with pytest.raises(TypeError, match="must be callable"):
            register("mine", make)
    not_a_bot: Any = dict
    register("mine", not_a_bot)
    with pytest.raises(TypeError, match=r"returned \{\}, which is not a parure\.bots\.Bot"):
        bot("mine")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "clever",
            "no bot is called 'clever'; there are: random, greedy, mcts, mcts-linear, level, exec",
        ),
        ("", "no bot is called ''"),
        ("Random", "no bot is called 'Random'"),
        ("greedy:2", "greedy takes nothing after a colon, not '2'"),
        ("random: ", "random takes nothing after a colon"),
    ],
)
def test_a_wrong_specification_is_refused(spec: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        bot(spec)


def test_a_specification_is_a_text() -> None:
    not_a_text: Any = MyBot
    with pytest.raises(TypeError, match="a specification is a text such as 'mcts:1s', not"):
        bot(not_a_text)


# --- resolve --------------------------------------------------------------------------------------


def test_specifications_bots_and_functions_are_resolved() -> None:
    mine = MyBot()
    assert isinstance(resolve("random"), RandomBot)
    assert resolve(mine) is mine
    assert isinstance(resolve(MyBot), MyBot)
    assert resolve(lambda: mine) is mine


def test_anything_else_is_not_resolved() -> None:
    wrong: Any = 7
    with pytest.raises(TypeError, match="7 is not a bot: pass a specification"):
        resolve(wrong)
    makes_text: Any = lambda: "random"  # noqa: E731
    with pytest.raises(TypeError, match="'random', which is not a parure"):
        resolve(makes_text)


def test_names_for_records() -> None:
    def cautious() -> Bot:
        return MyBot()

    likes: list[BotLike] = ["mcts:1s", MyBot(), MyBot, cautious]
    assert [bot_name(like) for like in likes] == ["mcts:1s", "MyBot", "MyBot", "cautious"]


# --- entry points ---------------------------------------------------------------------------------


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed package with entry points in the group `parure.bots`."""
    (tmp_path / "clever_bots.py").write_text(
        "from parure.bots import Bot\n"
        "class Clever(Bot):\n"
        "    def choose(self, view, rng, budget):\n"
        "        return view.legal_decisions[0]\n"
    )
    (tmp_path / "broken_bots.py").write_text("import a_module_that_is_missing\n")
    info = tmp_path / "clever_bots-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: clever-bots\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[parure.bots]\n"
        "clever = clever_bots:Clever\n"
        "broken = broken_bots:Clever\n"
        "absent = clever_bots:Absent\n"
        "random = clever_bots:Clever\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop("clever_bots", None)


@pytest.mark.usefixtures("package")
def test_an_installed_package_provides_bots() -> None:
    view = parure.new("splendor", seed=7).view(0)
    assert bot("clever").decide(view).decision == view.legal_decisions[0]
    assert {"clever", "broken"} <= set(known_names())
    with pytest.raises(NotationError, match="clever takes nothing after a colon"):
        bot("clever:x")


@pytest.mark.usefixtures("package")
def test_a_package_cannot_replace_a_built_in_bot() -> None:
    assert isinstance(bot("random"), RandomBot)


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    ("name", "problem"),
    [("broken", "No module named 'a_module_that_is_missing'"), ("absent", "AttributeError")],
)
def test_a_broken_package_is_named_in_the_error(name: str, problem: str) -> None:
    with pytest.raises(ParureError, match="of the package 'clever-bots' cannot be loaded") as error:
        bot(name)
    assert problem in str(error.value)


def test_packages_are_not_searched_for_known_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading the metadata of all installed packages takes a while."""

    def refuse(**_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("parure.bots.registry.entry_points", refuse)
    bot("random")
    register("mine", MyBot)
    bot("mine")


# --- strangers ------------------------------------------------------------------------------------


def test_a_server_offers_no_registered_bots_to_visitors() -> None:
    bot_pool = pytest.importorskip("parure.server.bot_pool")
    register("mine", MyBot)
    assert not bot_pool.is_allowed("mine")
    assert not bot_pool.is_allowed("mine:1")
    assert "mine" not in [info.bot for info in bot_pool.offered_bots()]
