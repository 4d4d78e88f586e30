"""The catalogue of games and bots, and the lists of cards."""

from __future__ import annotations

from tests.server.clients import ApiClient
from tests.server.responses import error

from parure.games.registry import GAMES


def test_the_catalogue_lists_games_and_bots(api: ApiClient) -> None:
    catalogue = api.http.get("/api/catalogue").json()
    assert [game["game"] for game in catalogue["games"]] == list(GAMES)
    splendor, duel, _ = catalogue["games"]
    assert splendor == {
        "game": "splendor",
        "least_players": 2,
        "most_players": 4,
        "options": [],
    }
    assert duel["most_players"] == 2
    assert duel["options"] == ["anti-blocking"]
    assert "random" in [bot["bot"] for bot in catalogue["bots"]]
    assert catalogue["is_local_only"]


def test_cards_of_each_game(api: ApiClient) -> None:
    sizes = {"splendor": 100, "duel": 71, "duel+counterfeiters": 96}
    for game, size in sizes.items():
        cards = api.http.get(f"/api/cards/{game}").json()["cards"]
        assert len(cards) == size
        assert len({card["id"] for card in cards}) == size
    assert error(api.http.get("/api/cards/chess")) == (404, "game")
