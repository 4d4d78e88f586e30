"""The report: tables, data and the page."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from tests.arena.test_standings import games

from parure.arena.bot_stats import failures, figures
from parure.arena.charts import WIDTH, Estimate, estimates, histogram, shares
from parure.arena.game import Played
from parure.arena.html_report import page
from parure.arena.plan import Plan
from parure.arena.report import show, summary
from parure.arena.standings import Standings

HOSTILE = "exec:<script>alert(1)</script>[red]\x1b[2J"


class Balance(HTMLParser):
    """Counts on every tag that is opened to be closed."""

    VOID = ("meta", "line", "circle", "rect")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: object) -> None:
        self.seen.add(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: object) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture
def standings() -> Standings:
    """A tournament of three bots, one with a name to fear, with a failure."""
    names = ["random", HOSTILE, "buys"]
    plan = Plan(game="splendor", seats=2, options={}, bots=names, seed=1)
    played = games(plan, 20, 0.7)
    played[0] = Played(0, 0, 0, [0, 1], [0], "resigned", 3, 2, [0.1, 2.0], f"{HOSTILE}: <oops>")
    return Standings(plan, 20, games=played)


def test_the_page_is_whole_and_needs_nothing(standings: Standings) -> None:
    text = page(standings, anchor=0)
    checked = Balance(text)
    assert checked.open == []
    assert "script" not in checked.seen
    assert "&lt;script&gt;" in text
    for part in ("Ratings", "Pairs", "The first seat", "Kinds of victory", "Length", "Failures"):
        assert f"<h2>{part}</h2>" in text
    assert text.count("<svg") == 4
    assert "http" not in text
    assert "src=" not in text


def test_a_page_without_games() -> None:
    plan = Plan.of("duel", ["random", "random"])
    assert Balance(page(Standings(plan, 5))).open == []
    assert summary(Standings(plan, 5))["games"] == 0


def test_the_tables(standings: Standings, capsys: pytest.CaptureFixture[str]) -> None:
    show(standings)
    told = capsys.readouterr().out
    assert "splendor-2, 120 games, seed 1" in told
    assert "[red]" in told
    assert "\x1b[2J" not in told
    assert "<oops>" in told
    assert told.splitlines()[3].startswith("random"), "the best first"


def test_figures_add_up(standings: Standings) -> None:
    bots = figures(standings)
    assert sum(bot.score for bot in bots) == 120
    assert [bot.seats for bot in bots] == [80] * 3
    assert [bot.failures for bot in bots] == [0, 1, 0]
    assert bots[0].victories["resigned"] == 1
    assert sum(sum(bot.victories.values()) for bot in bots) == 120
    assert failures(standings) == [f"{HOSTILE}: <oops>"]
    told = summary(standings)
    assert told["reasons"] == {"points": 119, "resigned": 1}
    assert [rating["bot"] for rating in told["ratings"]] == standings.plan.bots


@pytest.mark.parametrize("values", [[7], [7, 7, 7], [1, 2, 3], list(range(400))])
@pytest.mark.parametrize("grain", [1, 4])
def test_histograms_of_any_spread(values: list[int], grain: int) -> None:
    text = histogram(values, "Length", "turns", grain)
    assert Balance(text).open == []
    counts = [int(part.split("<")[0].rpartition(" ")[2]) for part in text.split("<title>")[1:]]
    assert sum(counts) == len(values)
    assert "nan" not in text


def test_charts_stay_inside() -> None:
    rows = [Estimate("a" * 80, 900, -900, 2700, "+900"), Estimate("b", 0, 0, 0, "0")]
    text = estimates(rows, "Ratings", 0)
    xs = [float(part.split('"')[0]) for part in text.split(' x1="')[1:]]
    assert all(0 <= x <= WIDTH for x in xs)
    assert "…" in text
    assert Balance(shares([("a", "50 %", {"points": 0.5, "limit": 0.5})], "Kinds")).open == []
