"""The protocol is as its page in the docs says."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from generated import on_page_markdown

from parure.analysis import stream
from parure.bots import Candidate, external, protocol
from parure.games.duel import view_schema as duel
from parure.games.splendor import view_schema as splendor
from parure.games.view_schema import CardFacts

ROOT = Path(__file__).parents[2]
PAGE = on_page_markdown((ROOT / "docs" / "reference" / "bot-protocol.md").read_text("utf-8"))
BOTS, ANALYSIS = PAGE.split("## Analysis\n")  # the analysis has messages of its own
STRUCTS = [
    protocol.Hello,
    protocol.Game,
    protocol.TimeBudget,
    protocol.Decide,
    protocol.Decision,
    protocol.Error,
    duel.DuelViewData,
    duel.DuelPlayerData,
    duel.DuelTurn,
    duel.DuelPurchase,
    duel.TokenCollection,
    duel.DeckLook,
    duel.KnownCard,
    splendor.SplendorViewData,
    splendor.SplendorPlayerData,
]


def test_the_page_has_the_example_as_it_is() -> None:
    example = (ROOT / "examples" / "external_bot.py").read_text("utf-8")
    guide = (ROOT / "docs" / "how-to" / "external-bot.md").read_text("utf-8")
    assert f"```python\n{example}```" in guide
    assert len(example.splitlines()) <= 32


@pytest.mark.parametrize("struct", STRUCTS, ids=repr)
def test_every_field_is_documented(struct: type[msgspec.Struct]) -> None:
    for name in struct.__struct_fields__:
        assert f"`{name}`" in PAGE, name


def test_every_field_of_a_candidate_is_documented() -> None:
    for field in dataclasses.fields(Candidate):
        assert f"`{field.name}`" in PAGE, field.name


@pytest.mark.parametrize("facts", [duel.CARD_FACTS, splendor.CARD_FACTS], ids=["duel", "splendor"])
def test_every_fact_about_cards_is_documented(facts: dict[str, CardFacts]) -> None:
    for name in {name for card in facts.values() for name in card}:
        assert f"`{name}`" in PAGE, name


def test_every_message_is_documented() -> None:
    documented = set(re.findall(r"^\| ([→←] `\w+`)", BOTS, re.M))
    to_bot = {f"→ `{message.__struct_config__.tag}`" for message in protocol.Request.__args__}
    from_bot = {f"← `{message.__struct_config__.tag}`" for message in protocol.Reply.__args__}
    assert documented == to_bot | from_bot


def test_every_message_of_the_analysis_is_documented() -> None:
    documented = set(re.findall(r"^\| ([→←] `\w+`)", ANALYSIS, re.M))
    messages = [("→", stream.Analyse), ("→", stream.Stop), ("←", stream.Info), ("←", stream.Done)]
    assert documented == {
        f"{arrow} `{message.__struct_config__.tag}`" for arrow, message in messages
    }


def session(part: str) -> Iterator[tuple[str, bytes]]:
    for arrow, line in re.findall(r"^    ([→←]) (\{.*\})$", part, re.M):
        yield arrow, re.sub(r",?…", "", line).encode()


def test_the_session_on_the_page_is_valid() -> None:
    lines = list(session(BOTS))
    assert len(lines) == 7
    for arrow, line in lines:
        message = protocol.decode_request(line) if arrow == "→" else protocol.decode_reply(line)
        assert msgspec.json.decode(line).keys() - {"type"} <= set(message.__struct_fields__)


def test_the_limits_on_the_page_are_current() -> None:
    assert f"{protocol.MAX_LINE_BYTES:,} bytes" in PAGE
    assert f"a tenth of them and {external.GRACE:g} s more" in PAGE
    assert external.GRACE_SHARE == 0.1
    assert f"a decision may take {external.DECISION_LIMIT:g} s" in PAGE
    assert f"may take {external.START_LIMIT:g} s each" in PAGE
