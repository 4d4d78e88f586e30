"""Print an analysis, and reviews as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from parure.analysis import Analysis, Review, review
from parure.analysis.review_html import review_page
from parure.analysis.review_types import TurnReview
from parure.analysis.story import WORDS, seat_names, signed, story
from parure.atomic_write import write_atomically
from parure.errors import NotationError
from parure.games.record import Record, read_all
from parure.terminal import echo
from parure.terminal.progress import progress

MARKS = {"": "", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}
MAX_PLAYED = 46  # characters of a turn's decisions in the table


def print_analysis(analysis: Analysis) -> None:
    """Print the values of the seats, then each choice with its line and reasons."""
    values = "  ".join(f"{seat}: {100 * value:.1f}" for seat, value in enumerate(analysis.values))
    kind = "exact" if analysis.is_exact else f"{analysis.iterations:,} iterations"
    echo(f"{analysis.game}, seat {analysis.seat} to move   {values}   ({kind})")
    for number, choice in enumerate(analysis.choices, start=1):
        value = 100 * choice.values[analysis.seat]
        echo(f"\n{number}. {choice.decision}   {value:.1f}   {100 * choice.share:.0f} % of visits")
        if len(choice.line) > 1:
            echo(f"   {' · '.join(choice.line)}")
        echo(f"   {choice.reason}")


def review_files(
    files: Sequence[Path],
    budget: str,
    jobs: int,
    seed: int,
    language: str,
    as_json: bool,
    html: Path | None,
) -> None:
    """Review all records in some files; print the reviews or write them as a page."""
    games = [(file, record) for file in files for record in read_all(file)]
    if html is not None and len(games) != 1:
        raise NotationError(f"a page shows one game, not {len(games)}")
    total = sum(len(record.decisions) for _, record in games)
    with progress(total, unit="decisions") as advance:
        for file, record in games:

            def count(turn: TurnReview) -> None:
                advance(len(turn.decisions))

            found = review(record, budget, jobs, seed, count, language)
            _report(file, record, found, language, as_json, html)


def _report(
    file: Path, record: Record, found: Review, language: str, as_json: bool, html: Path | None
) -> None:
    if html is not None:
        write_atomically(html, review_page(record, found, language).encode())
    if as_json:
        echo(msgspec.json.encode(found).decode())
    elif html is None:
        print_review(found, str(file), language)


def print_review(found: Review, title: str, language: str = "en") -> None:
    """Print a table of the seats, the turns and the story."""
    words, names = WORDS[language], seat_names(found, language)
    echo(f"{title}: {found.game}\n")
    _print_seats(found, names, words)
    width = max([len(name) for name in names], default=0)
    heads = [words[key] for key in ("turn", "player", "before", "after", "loss", "luck", "played")]
    echo(
        f"\n{heads[0]:>5}  {heads[1]:<{width}}  {heads[2]:>6} {heads[3]:>6} {heads[4]:>6} "
        f"{heads[5]:>6}      {heads[6]}"
    )
    for turn in found.turns:
        played = ", ".join(turn.decisions)
        if len(played) > MAX_PLAYED:
            played = played[: MAX_PLAYED - 1] + "…"
        echo(
            f"{turn.turn:>5}  {names[turn.seat]:<{width}}  {100 * turn.before:6.1f} "
            f"{100 * turn.after:6.1f} {100 * turn.loss:6.1f} {100 * turn.luck:6.1f}  "
            f"{MARKS[turn.kind]:<2}  {played}"
        )
        if turn.kind:
            echo(f"{'':>7}{words['better']}: {' · '.join(turn.line)}")
            echo(f"{'':>7}{turn.reason}")
    echo(f"\n{story(found, language)}")
    error = max((seat.luck_error for seat in found.seats), default=0.0)
    echo(words["units"].format(error=f"{100 * error:.1f}"))


def _print_seats(found: Review, names: Sequence[str], words: Mapping[str, str]) -> None:
    keys = ("player", "accuracy", "inaccuracies", "mistakes", "blunders", "luck")
    rows = [[words[key] for key in keys]]
    for name, seat in zip(names, found.seats, strict=True):
        accuracy = "–" if seat.accuracy is None else f"{seat.accuracy:.1f}"
        counts = (seat.inaccuracies, seat.mistakes, seat.blunders)
        rows.append([name, accuracy, *map(str, counts), signed(seat.luck)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(keys))]
    for row in rows:
        first, *others = (
            text.ljust(width) if column == 0 else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        echo("  ".join([first, *others]))
