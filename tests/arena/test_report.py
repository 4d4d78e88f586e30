"""The report: tables, data and web page."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from tests.arena.test_standings import games

from parure.arena.bot_stats import bot_stats, failures
from parure.arena.charts import WIDTH, Bar, Estimate, histogram, interval_chart, stacked_bars
from parure.arena.game import GameResult
from parure.arena.html_report import html_report
from parure.arena.plan import Plan
from parure.arena.report import print_report, summary
from parure.arena.standings import Standings

HOSTILE = "exec:<script>alert(1)</script>[red]\x1b[2J"


class TagChecker(HTMLParser):
    """Fails if a tag is closed that was not opened last; `open` lists what was never closed."""

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
    """A tournament of three bots, one with a hostile name and a failure."""
    names = ["random", HOSTILE, "buys"]
    plan = Plan(game="splendor", seats=2, options={}, bots=names, seed=1)
    played = games(plan, 20, 0.7)
    played[0] = GameResult(0, 0, 0, [0, 1], [0], "resigned", 3, 2, [0.1, 2.0], f"{HOSTILE}: <oops>")
    return Standings(plan, 20, games=played)


def test_the_page_is_valid_and_self_contained(standings: Standings) -> None:
    text = html_report(standings, anchor=0)
    checked = TagChecker(text)
    assert checked.open == []
    assert "script" not in checked.seen
    assert "&lt;script&gt;" in text
    for part in ("Ratings", "Pairs", "Seats", "How games were won", "Length", "Failures"):
        assert f"<h2>{part}</h2>" in text
    assert text.count("<svg") == 4
    assert "http" not in text
    assert "src=" not in text


def test_a_page_without_games() -> None:
    plan = Plan.create("duel", ["random", "random"])
    assert TagChecker(html_report(Standings(plan, 5))).open == []
    assert summary(Standings(plan, 5))["games"] == 0


def test_the_tables(standings: Standings, capsys: pytest.CaptureFixture[str]) -> None:
    print_report(standings)
    text = capsys.readouterr().out
    assert "splendor-2, 120 games, seed 1" in text
    assert "[red]" in text
    assert "\x1b[2J" not in text
    assert "<oops>" in text
    assert text.splitlines()[3].startswith("random"), "the best first"


def test_the_numbers_add_up(standings: Standings) -> None:
    bots = bot_stats(standings)
    assert sum(bot.score for bot in bots) == 120
    assert [bot.appearances for bot in bots] == [80] * 3
    assert [bot.failures for bot in bots] == [0, 1, 0]
    assert bots[0].score_by_reason["resigned"] == 1
    assert sum(sum(bot.score_by_reason.values()) for bot in bots) == 120
    assert failures(standings) == [f"{HOSTILE}: <oops>"]
    data = summary(standings)
    assert data["reasons"] == {"points": 119, "resigned": 1}
    assert [rating["bot"] for rating in data["ratings"]] == standings.plan.bots


@pytest.mark.parametrize("values", [[7], [7, 7, 7], [1, 2, 3], list(range(400))])
@pytest.mark.parametrize("grain", [1, 4])
def test_histograms_of_any_spread(values: list[int], grain: int) -> None:
    text = histogram(values, "Length", "turns", grain)
    assert TagChecker(text).open == []
    counts = [int(part.split("<")[0].rpartition(" ")[2]) for part in text.split("<title>")[1:]]
    assert sum(counts) == len(values)
    assert "nan" not in text


def test_charts_stay_inside() -> None:
    rows = [Estimate("a" * 80, 900, -900, 2700, "+900"), Estimate("b", 0, 0, 0, "0")]
    text = interval_chart(rows, "Ratings", 0)
    xs = [float(part.split('"')[0]) for part in text.split(' x1="')[1:]]
    assert all(0 <= x <= WIDTH for x in xs)
    assert "…" in text
    bar = Bar("a", "50 %", {"points": 0.5, "limit": 0.5})
    assert TagChecker(stacked_bars([bar], "Kinds")).open == []
