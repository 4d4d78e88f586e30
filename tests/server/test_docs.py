"""The pages about the server describe every message, field and code."""

from __future__ import annotations

import configparser
import re
from pathlib import Path
from typing import get_args

import pytest
import typer
import yaml  # type: ignore[import-untyped]
from generated import on_page_markdown
from msgspec import Struct
from tests.server.clients import METRICS_TOKEN, ApiClient

import parure.server
from parure.cli import app
from parure.games.registry import FAMILIES, import_part
from parure.server import limits
from parure.server.connection import CloseCode
from parure.server.http_models import CreateMatch, MatchCreated
from parure.server.messages import AnyIncoming, AnyOutgoing
from parure.server.routes import router

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
HTTP = on_page_markdown((REFERENCE / "http.md").read_text("utf-8"))
SOCKET = on_page_markdown((REFERENCE / "websocket.md").read_text("utf-8"))
SOURCES = "".join(path.read_text("utf-8") for path in Path(parure.server.__path__[0]).glob("*.py"))


def section(text: str, title: str) -> str:
    """Return the text below a heading of the third level."""
    found = re.search(rf"^### {re.escape(title)}$(.*?)(?=^##|\Z)", text, re.M | re.S)
    assert found, title
    return found[1]


def fields(text: str) -> set[str]:
    return set(re.findall(r"^\| `(\w+)` \|", text, re.M))


def test_the_examples_have_the_shape_they_show() -> None:
    request, answer = re.findall(r"```json\n(.*?)```", HTTP, re.S)
    CreateMatch.model_validate_json(request)
    MatchCreated.model_validate_json(answer)


def test_every_route_is_described() -> None:
    described = set(re.findall(r"^\| `([A-Z]+ /api/\S+)` \|", HTTP, re.M))
    assert len(described) == len(router.routes)


@pytest.mark.parametrize("kind", get_args(AnyIncoming))
def test_every_message_of_a_client_is_described(kind: type[Struct]) -> None:
    part = SOCKET.partition("## Messages from the client")[2]
    assert fields(section(part, str(kind.__struct_config__.tag))) == {
        "type",
        *kind.__struct_fields__,
    }


@pytest.mark.parametrize("kind", get_args(AnyOutgoing))
def test_every_message_of_the_server_is_described(kind: type[Struct]) -> None:
    part = SOCKET.partition("## Messages from the server")[2]
    assert fields(section(part, str(kind.__struct_config__.tag))) == {
        "type",
        *kind.__struct_fields__,
    }


def test_every_type_that_is_named_is_described() -> None:
    for page in (HTTP, SOCKET):
        for name in set(re.findall(r"\[(\w+)\]\(#\w+\)", page)):
            section(page, name)


def test_every_close_code_is_described() -> None:
    for code in CloseCode:
        assert f"| {int(code)} |" in section(SOCKET, "Close codes")


def test_every_code_of_a_refusal_is_described() -> None:
    used = set(re.findall(r'Refusal\(\s*"(\w+)"', SOURCES))
    assert len(used) > 10
    assert used <= fields(section(SOCKET, "Codes of refused commands"))


def test_every_code_of_an_unavailable_action_is_described() -> None:
    used = {code for family in FAMILIES for code in import_part(family.table).messages}
    documented = re.findall(
        r"^\| `([\w-]+)` \|", section(SOCKET, "Codes of unavailable actions"), re.M
    )
    assert {*used, "tokens", "bonus", "phase", "turn"} == set(documented)


def test_every_code_of_an_http_error_is_described() -> None:
    used = set(re.findall(r'ApiError\(\s*\d+,\s*"(\w+)"', SOURCES))
    table = HTTP.partition("## Errors")[2].partition("## Security")[0]
    assert used
    for code in used:
        assert f"`{code}`" in table


GUIDES = {
    name: (REFERENCE.parent / "how-to" / f"{name}.md").read_text("utf-8")
    for name in ("deploy", "operate")
}


@pytest.mark.parametrize("name", GUIDES)
def test_the_guides_name_options_that_exist(name: str) -> None:
    command = typer.main.get_group(app).commands["serve"]
    known = {option for param in command.params for option in (*param.opts, *param.secondary_opts)}
    lines = [line for line in GUIDES[name].splitlines() if "pg_" not in line and "pip" not in line]
    used = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", "\n".join(lines)))
    others = {"--pwprompt", "--owner", "--system"}  # of createuser, createdb, useradd
    assert used - others <= known
    assert used & known


def test_the_unit_and_the_compose_file_can_be_read() -> None:
    unit, compose = (
        re.findall(rf"```{language}\n(.*?)```", GUIDES["deploy"], re.S)[0]
        for language in ("ini", "yaml")
    )
    parser = configparser.ConfigParser(interpolation=None, strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(unit.replace("\\\n", " "))
    assert "--database-password-file %d/password" in parser["Service"]["ExecStart"]
    services = yaml.safe_load(compose)["services"]
    assert set(services) == {"parure", "database", "redis"}
    assert "parure serve" in services["parure"]["command"]


def test_every_metric_is_described(api: ApiClient) -> None:
    headers = {"Authorization": f"Bearer {METRICS_TOKEN}"}
    names = re.findall(r"^# TYPE (\w+) ", api.http.get("/api/metrics", headers=headers).text, re.M)
    assert len(names) > 5
    assert set(names) == set(re.findall(r"^\| `(parure_\w+)` \|", GUIDES["operate"], re.M))


def test_every_rate_is_described() -> None:
    rates = [value for value in vars(limits).values() if isinstance(value, limits.Rate)]
    described = re.findall(r"^\| [^|]+ \| ([\d.]+) \| ([\d.]+) \| ", GUIDES["operate"], re.M)
    named = sorted((float(burst), float(per_second)) for burst, per_second in described)
    unnamed = limits.RESENT_SNAPSHOTS
    rates.remove(unnamed)
    assert named == sorted((rate.burst, rate.per_second) for rate in rates)
