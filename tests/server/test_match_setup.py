"""Set-ups of matches: continued records."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from tests.server.clients import ApiClient
from tests.server.matches import START
from tests.server.responses import JSON, duel_record, error

import parure
from parure.games import record as records
from parure.games.engine import rng as rng_module
from parure.games.registry import GameName
from parure.games.state import State
from parure.server.http_models import CreateMatch, ImportMatch, NewPlayer
from parure.server.match import Match
from parure.server.match_setup import imported_match, new_match, rematch


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


def import_request(*players: NewPlayer, **fields: Any) -> ImportMatch:
    seats = list(players) or [NewPlayer(name="Ann"), NewPlayer(name="Bob")]
    return ImportMatch(record=duel_record(), players=seats, **fields)


def test_unseen_cards_of_an_import_are_shuffled() -> None:
    record = duel_record()
    against_bot = NewPlayer(name="Ann"), NewPlayer(bot="random")
    kept = imported_match(import_request(*against_bot, at=10, shuffle=False), "m", START)
    assert kept.setup.deal == record["setup"]
    assert kept.setup.has_known_decks
    shuffled = imported_match(import_request(at=10), "m", START)
    assert shuffled.setup.deal != record["setup"]
    for before, after in zip(record["setup"]["decks"], shuffled.setup.deal["decks"], strict=True):
        assert sorted(before) == sorted(after)
    old, new = Match("m", kept.setup), Match("m", shuffled.setup)
    assert old.state.decisions == new.state.decisions
    assert str(old.state.view(0)) == str(new.state.view(0))


def test_between_persons_unseen_cards_are_always_shuffled() -> None:
    request = import_request(at=10, shuffle=False)
    deals = [imported_match(request, "m", START).setup for _ in range(2)]
    assert deals[0].deal["decks"] != duel_record()["setup"]["decks"]
    assert deals[0].deal["decks"] != deals[1].deal["decks"]
    assert not deals[0].has_known_decks


def test_a_match_with_known_decks_says_so(api: ApiClient) -> None:
    body = {"record": duel_record(), "at": 10, "players": [{"name": "Ann"}, {"bot": "random"}]}
    for shuffle in (True, False):
        created = api.http.post("/api/matches/import", json={**body, "shuffle": shuffle}).json()
        assert created["has_known_decks"] == (not shuffle)
        for seat in (0, None):
            with api.connect(created, seat) as viewer:
                assert viewer.welcome.has_known_decks == (not shuffle)


@pytest.mark.parametrize("game", ["duel", "duel+counterfeiters", "splendor"])
def test_new_matches_are_dealt_by_the_system(
    game: GameName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seed of 64 bits is not involved: face-up cards could give it away."""
    monkeypatch.setattr(rng_module, "secrets", None)
    request = CreateMatch(game=game, players=[NewPlayer(), NewPlayer()])
    setups = [new_match(request, "m", START).setup for _ in range(2)]
    assert setups[0].deal["decks"] != setups[1].deal["decks"]
    for setup in setups:
        assert Match("m", setup).state.legal_decisions
    again = rematch(Match("m", setups[0]), "n", START).setup
    assert again.deal["decks"] != setups[0].deal["decks"]


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
        for level in (1, 2, 3):  # nothing that nobody has seen stays where it was
            unseen = [card for card in state.deck(level) if card not in state.seen_in_decks]
            if len(unseen) > 5:
                assert again.deck(level) != state.deck(level)
    assert (decks_looked_into > 0) == (game == "duel+counterfeiters")


def test_the_whole_record_must_be_legal() -> None:
    request = import_request(at=0)
    request.record["decisions"][30] = "take a1 b1 c1 d1"
    with pytest.raises(Exception, match="30"):
        imported_match(request, "m", START)


def test_an_imported_record_may_start_from_a_position() -> None:
    start = parure.new("duel+counterfeiters", seed=3)
    random = Random(3)
    for _ in range(30):
        start.play(random.choice(list(start.legal_decisions)))
    state = parure.new(position=start, seed=4)
    for _ in range(10):
        state.play(random.choice(list(state.legal_decisions)))
    record = msgspec.to_builtins(state.record())
    seats = [NewPlayer(name="Ann"), NewPlayer(name="Bob")]
    bots = [NewPlayer(name="Ann"), NewPlayer(bot="random")]
    between_persons = imported_match(ImportMatch(record=record, players=seats), "m", START).setup
    against_bot = ImportMatch(record=record, players=bots, shuffle=False)
    kept = imported_match(against_bot, "m", START).setup
    assert kept.position == record["position"]
    assert between_persons.position != record["position"]
    old, new = Match("m", kept), Match("m", between_persons)
    assert old.state == state != new.state
    for seat in (0, 1, None):
        assert new.state.view(seat) == state.view(seat)
    assert rematch(new, "n", START).setup.position == ""


@pytest.mark.parametrize("value", ['"\\ud800"', "1" + "0" * 400, '{"\\udfff": 1}', "NaN"])
@pytest.mark.parametrize("field", ["format", "players", "setup", "decisions"])
def test_texts_and_numbers_that_no_record_has(api: ApiClient, field: str, value: str) -> None:
    record = msgspec.json.encode({**duel_record(), field: "?"}).decode()
    body, headers = '{"record":' + record.replace('"?"', value) + "}", {"Content-Type": JSON}
    for path in ("/api/replays", "/api/analysis/record"):
        response = api.http.post(path, content=body.encode(), headers=headers)
        assert error(response) == (409, "impossible")
