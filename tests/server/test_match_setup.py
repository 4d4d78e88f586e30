"""Set-ups of matches: continued records."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from tests.server.clients import ApiClient
from tests.server.matches import START
from tests.server.responses import duel_record

import parure
from parure.games import record as records
from parure.games.state import State
from parure.server.http_models import ImportMatch, NewPlayer
from parure.server.match import Match
from parure.server.match_setup import imported_match


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The decisions that states play during a test, in this process."""
    decisions: list[object] = []
    play = State.play

    def recording_play(self: State, decision: str | int) -> str:
        decisions.append(decision)
        return play(self, decision)

    monkeypatch.setattr(State, "play", recording_play)
    return decisions


@pytest.mark.parametrize("at", [None, 0, 10])
def test_an_import_replays_its_record_once(
    api: ApiClient, played: list[object], at: int | None
) -> None:
    record = duel_record()
    del record["result"]
    record["decisions"] = record["decisions"][:20]
    players = [{"name": "Ann"}, {"name": "Bob"}]
    body = {"record": record, "at": at, "players": players}
    response = api.http.post("/api/matches/import", json=body)
    assert response.status_code == 201, response.text
    assert played == record["decisions"]


def test_a_replay_plays_its_record_once(api: ApiClient, played: list[object]) -> None:
    record = duel_record()
    assert api.http.post("/api/replays", json={"record": record}).status_code == 200
    assert played == record["decisions"]


def import_request(**fields: Any) -> ImportMatch:
    players = [NewPlayer(name="Ann"), NewPlayer(name="Bob")]
    return ImportMatch(record=duel_record(), players=players, **fields)


def test_unseen_cards_of_an_import_are_shuffled() -> None:
    record = duel_record()
    kept = imported_match(import_request(at=10, shuffle=False), "m", START)
    assert kept.setup.deal == record["setup"]
    shuffled = imported_match(import_request(at=10), "m", START)
    assert shuffled.setup.deal != record["setup"]
    for before, after in zip(record["setup"]["decks"], shuffled.setup.deal["decks"], strict=True):
        assert sorted(before) == sorted(after)
    old, new = Match("m", kept.setup), Match("m", shuffled.setup)
    assert old.state.decisions == new.state.decisions
    assert str(old.state.view(0)) == str(new.state.view(0))


@pytest.mark.parametrize("game", ["duel+counterfeiters", "splendor"])
def test_reshuffled_setups_lead_to_the_same_views(game: str) -> None:
    decks_looked_into = 0
    for seed in range(20):
        rng, state = Random(seed), parure.new(game, seed=seed)
        for _ in range(80):
            wanted = [t for t in state.legal_decisions if t.startswith(("deck", "buy", "use"))]
            state.play(rng.choice(wanted or list(state.legal_decisions)))
            if state.is_over:
                break
        decks_looked_into += sum(text.startswith("deck") for text in state.decisions)
        setup = state.rules.reshuffled_setup(state, rng)
        assert setup != state.record().setup
        *_, again = records.replay(msgspec.structs.replace(state.record(), setup=setup))
        for viewer in (None, 0, 1):
            assert str(again.view(viewer)) == str(state.view(viewer))
    assert (decks_looked_into > 0) == (game == "duel+counterfeiters")


def test_the_whole_record_must_be_legal() -> None:
    request = import_request(at=0)
    request.record["decisions"][30] = "take a1 b1 c1 d1"
    with pytest.raises(Exception, match="30"):
        imported_match(request, "m", START)
