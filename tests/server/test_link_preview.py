"""What messengers show of links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from tests.server.clients import ApiClient, running, settings_for

from parure.games.registry import GAMES
from parure.server import link_preview
from parure.server.link_preview import TEXTS, Invitation, with_preview
from parure.server.registry import MatchRegistry
from parure.server.store import Unavailable

PAGE = "<!doctype html><head><!-- preview --><!-- /preview --><title>Parure</title></head>"
URL = "https://parure.example"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[ApiClient, MatchRegistry]]:
    """A server with a page and a public address."""
    (tmp_path / "index.html").write_text(PAGE, encoding="utf-8")
    settings = settings_for(tmp_path, static=str(tmp_path), public_url=URL)
    with running(settings) as found:
        yield found


def tags(api: ApiClient, path: str, language: str = "") -> dict[str, str]:
    """The Open Graph tags of a page."""
    headers = {"Accept-Language": language, "Host": "parure.example"}
    response = api.http.get(path, headers=headers)
    assert response.status_code == 200
    assert response.headers["vary"] == "Accept-Encoding, Accept-Language"
    assert response.headers["cache-control"] == "no-cache"
    assert response.text.endswith("<title>Parure</title></head>")
    found = re.findall(r'<meta property="([^"]+)" content="([^"]*)" />', response.text)
    return {name: unescape(content) for name, content in found}


def test_the_site(server: tuple[ApiClient, MatchRegistry]) -> None:
    api, _ = server
    found = tags(api, "/")
    assert found["og:title"] == "Parure"
    assert found["og:url"] == f"{URL}/"
    assert found["og:image"] == f"{URL}/icons/preview.png"
    assert "table de" not in found["og:description"]
    assert tags(api, "/rules/duel", "fr-CH, en;q=0.5")["og:description"] == TEXTS["fr"]["site"]


def test_an_invitation(server: tuple[ApiClient, MatchRegistry]) -> None:
    api, _ = server
    created = api.create("Ann", "", game="duel+counterfeiters")
    path = f"/table/{created['match']}"
    found = tags(api, path)
    assert found["og:title"] == "Ann invites you to Duel with The Counterfeiters"
    assert found["og:url"] == URL + path
    spanish = tags(api, path, "es")
    assert spanish["og:title"] == "Ann te invita a jugar a Duel con Los Falsificadores"
    assert spanish["og:locale"] == "es_ES"
    with api.connect(created, name="Béatrice"):  # in memory, under another name
        assert tags(api, path)["og:title"].startswith("Béatrice invites you")


def test_the_last_name_of_the_creator_is_stored(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(PAGE, encoding="utf-8")
    with running(settings_for(tmp_path, static=str(tmp_path), public_url=URL)) as (api, _):
        created = api.create("Ann", "")
        for name in ("Bea", "Béatrice"):
            api.connect(created, name=name).close()
        api.connect(created, 1, name="Bob").close()
    with running(settings_for(tmp_path, static=str(tmp_path), public_url=URL)) as (api, registry):
        title = tags(api, f"/table/{created['match']}")["og:title"]
        assert title == "Béatrice invites you to Splendor Duel"
        assert not registry.sessions  # a preview does not load the match


def test_nothing_secret_is_in_a_preview(server: tuple[ApiClient, MatchRegistry]) -> None:
    api, _ = server
    created = api.create("Ann", "Bob")
    keys = [seat["key"] for seat in created["seats"]]
    keys += [created["watch"]["key"], created["creator_key"]]
    text = str(tags(api, f"/table/{created['match']}"))
    assert not any(key in text for key in keys)
    assert "Bob" not in text


def test_a_game_against_bots_is_to_be_watched(server: tuple[ApiClient, MatchRegistry]) -> None:
    api, _ = server
    path = "/table/" + api.create("Ann", "bot:random")["match"]
    assert tags(api, path)["og:title"] == "Ann plays Splendor Duel"
    assert tags(api, path)["og:description"] == "Open the link to watch."
    path = "/table/" + api.create("", "bot:random")["match"]
    assert tags(api, path)["og:title"] == "A game of Splendor Duel"


def test_a_name_cannot_break_out_of_the_tag(server: tuple[ApiClient, MatchRegistry]) -> None:
    api, _ = server
    created = api.create('"><script>alert(1)</script>\\1', "")
    response = api.http.get(f"/table/{created['match']}", headers={"Host": "parure.example"})
    assert "<script" not in response.text
    assert "&lt;script&gt;" in response.text


@pytest.mark.parametrize("path", ["/table/0123456789abcdef", "/table/nonsense", "/table/"])
def test_an_unknown_match_shows_the_site(
    server: tuple[ApiClient, MatchRegistry], path: str
) -> None:
    assert tags(server[0], path)["og:title"] == "Parure"


def test_the_page_opens_without_the_database(
    server: tuple[ApiClient, MatchRegistry], monkeypatch: pytest.MonkeyPatch
) -> None:
    api, registry = server
    created = api.create("Ann", "")

    async def fail(_: str) -> None:
        raise Unavailable("no database")

    monkeypatch.setattr(registry.store, "load", fail)
    assert tags(api, f"/table/{created['match']}")["og:title"] == "Parure"


@pytest.mark.parametrize("language", sorted(TEXTS))
@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_preview_in_every_language(language: str, game: str) -> None:
    for inviter in ("Ann", ""):
        for has_guests in (True, False):
            invitation = Invitation(game, inviter, has_guests)  # type: ignore[arg-type]
            page = with_preview(PAGE, URL, "table/x", invitation, language)
            assert link_preview.GAMES[language][game] in page
            assert "{" not in page
            assert "<!--" not in page


def test_a_page_without_the_place_for_tags_is_unchanged() -> None:
    assert with_preview("<!doctype html>Parure", URL, "", None, "en") == "<!doctype html>Parure"
