"""The examples of the contract are what the server sends and takes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from msgspec import Struct

from parure.server.connection import CloseCode
from parure.server.http_models import CreateMatch, MatchCreated
from parure.server.messages import AnyIncoming, AnyOutgoing, Snapshot

TEXT = (Path(__file__).parents[2] / "docs" / "server.md").read_text("utf-8")
EXAMPLES = re.findall(r"```json\n(.*?)```", TEXT, re.S)


def test_the_examples_have_the_shape_they_show() -> None:
    asked, created, *snapshots = EXAMPLES
    CreateMatch.model_validate_json(asked)
    MatchCreated.model_validate_json(created)
    strict = [msgspec.json.decode(text, type=Snapshot) for text in snapshots]
    assert [found.table.game for found in strict] == ["duel", "duel+counterfeiters", "splendor"]
    for found, text in zip(strict, snapshots, strict=True):
        assert msgspec.json.decode(msgspec.json.encode(found)) == msgspec.json.decode(text)


def rows(kind: type[Struct]) -> list[str]:
    """What the tables say of the fields of a message."""
    return re.findall(rf"^\| `{kind.__struct_config__.tag}` \| (.*?) \|", TEXT, re.M)


@pytest.mark.parametrize("kind", get_args(AnyIncoming))
def test_every_message_of_a_client_is_described(kind: type[Struct]) -> None:
    told = re.findall(r"`(\w+)`", rows(kind)[0])
    assert set(told) == set(kind.__struct_fields__)


@pytest.mark.parametrize("kind", get_args(AnyOutgoing))
def test_every_message_of_the_server_is_described(kind: type[Struct]) -> None:
    told = re.findall(r"`(\w+)`", rows(kind)[-1])
    assert set(told) == set(kind.__struct_fields__)


def test_every_close_code_is_described() -> None:
    for code in CloseCode:
        assert str(int(code)) in TEXT
