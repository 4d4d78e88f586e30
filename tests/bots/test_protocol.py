"""The protocol is what its page says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from parure.bots import external, protocol
from parure.games.duel import view_schema as duel
from parure.games.splendor import view_schema as splendor
from parure.games.view_schema import CardFacts

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "bot-protocol.md").read_text("utf-8")
STRUCTS = [
    protocol.Hello,
    protocol.Game,
    protocol.Allowance,
    protocol.Decide,
    protocol.Thought,
    protocol.Decision,
    protocol.Error,
    duel.DuelViewData,
    duel.DuelPlayerData,
    duel.Turn,
    duel.Purchase,
    duel.Collection,
    duel.Look,
    duel.KnownCard,
    splendor.SplendorViewData,
    splendor.SplendorPlayerData,
    splendor.Purchase,
]


def test_the_page_has_the_example_as_it_is() -> None:
    example = (ROOT / "examples" / "external_bot.py").read_text("utf-8")
    guide = (ROOT / "docs" / "how-to" / "external-bot.md").read_text("utf-8")
    assert f"```python\n{example}```" in guide
    assert len(example.splitlines()) <= 32


@pytest.mark.parametrize("struct", STRUCTS, ids=repr)
def test_every_field_is_told(struct: type[msgspec.Struct]) -> None:
    for name in struct.__struct_fields__:
        assert f"`{name}`" in PAGE, name


@pytest.mark.parametrize("facts", [duel.FACTS, splendor.FACTS], ids=["duel", "splendor"])
def test_every_fact_about_cards_is_told(facts: dict[str, CardFacts]) -> None:
    for name in {name for card in facts.values() for name in card}:
        assert f"`{name}`" in PAGE, name


def test_every_message_is_told() -> None:
    told = set(re.findall(r"^\| ([→←] `\w+`)", PAGE, re.M))
    to_bot = {f"→ `{message.__struct_config__.tag}`" for message in protocol.FromHost.__args__}
    from_bot = {f"← `{message.__struct_config__.tag}`" for message in protocol.FromBot.__args__}
    assert told == to_bot | from_bot


def session() -> Iterator[tuple[str, bytes]]:
    for arrow, line in re.findall(r"^    ([→←]) (\{.*\})$", PAGE, re.M):
        yield arrow, re.sub(r",?…", "", line).encode()


def test_the_session_on_the_page_holds() -> None:
    lines = list(session())
    assert len(lines) == 7
    for arrow, line in lines:
        message = protocol.from_host(line) if arrow == "→" else protocol.from_bot(line)
        told = {name: getattr(message, name) for name in message.__struct_fields__}
        assert msgspec.json.decode(line).keys() - {"type"} <= told.keys()


def test_the_numbers_on_the_page_are_true() -> None:
    assert f"{protocol.LONGEST_LINE:,} bytes" in PAGE
    assert f"a tenth of them and {external.GRACE:g} s more" in PAGE
    assert external.GRACE_SHARE == 0.1
    assert f"a decision may take {external.DECISION_LIMIT:g} s" in PAGE
    assert f"may take {external.START_LIMIT:g} s each" in PAGE
