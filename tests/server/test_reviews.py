"""Reviews of finished games, and finished games without a key: who may read what, and limits."""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tests.server.clients import ApiClient, running, settings_for
from tests.server.responses import bearer, error
from tests.server.test_routes import play_to_the_end

from parure.server import review_store, reviews
from parure.server.fair_queue import FairQueue
from parure.server.limits import REVIEWS
from parure.server.registry import MatchRegistry
from parure.server.review_messages import ReviewProgress, pack, unpack


@pytest.fixture(autouse=True)
def _small_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "BUDGET", "40")


def played(api: ApiClient, *players: str, turns: int = 3) -> dict[str, Any]:
    """Return a running game of Splendor in which persons have played some turns."""
    match = api.create(*players, game="splendor")
    seats = [seat["seat"] for seat in match["seats"] if seat["key"]]
    with ExitStack() as stack:
        people = [stack.enter_context(api.connect(match, seat)) for seat in seats]
        for turn in range(turns):
            people[turn % len(people)].play_turn()
    return match


def resign(api: ApiClient, match: dict[str, Any], seat: int = 0) -> None:
    """End a game."""
    with api.connect(match, seat) as client:
        client.command("resign")


def path(match: dict[str, Any], name: str = "review") -> str:
    """Return the address of something of a match."""
    return f"/api/matches/{match['match']}/{name}"


def whole_review(api: ApiClient, match: dict[str, Any]) -> ReviewProgress:
    """Ask for a review until it is done, and join its parts."""
    turns: list[Any] = []
    for _ in range(1200):
        answer = api.http.get(path(match), params={"from": len(turns)})
        assert answer.status_code == 200, answer.text
        progress = msgspec.json.decode(answer.content, type=ReviewProgress)
        assert progress.start == len(turns)
        turns += progress.turns
        if progress.status == "done":
            return msgspec.structs.replace(progress, start=0, turns=turns)
        time.sleep(0.05)
    raise TimeoutError


@pytest.mark.parametrize("name", ["record", "replay", "review"])
def test_without_a_key_only_final_games_are_readable(api: ApiClient, name: str) -> None:
    match = played(api, "Ann", "Bob")
    missing = {"match": "0123456789abcdef"}
    assert error(api.http.get(path(match, name))) == (401, "link")
    assert api.http.get(path(match, name)).json() == api.http.get(path(missing, name)).json()
    watch = bearer(match["watch"]["key"])
    assert error(api.http.get(path(match, name), headers=watch)) == (409, "running")
    resign(api, match)
    answer = api.http.get(path(match, name))
    assert answer.status_code == 200
    keys = [match["watch"]["key"], match["creator_key"], *(one["key"] for one in match["seats"])]
    assert not any(key in answer.text for key in keys)
    assert error(api.http.get(path(match, name), headers=bearer("wrong"))) == (404, "link")
    assert error(api.http.get(f"/api/matches/{match['match']}")) == (401, "link")


def test_a_game_whose_end_can_be_taken_back_needs_a_key(api: ApiClient) -> None:
    """Somebody who knows only the address cannot make the end final."""
    match, rng = api.create("Ann", "bot:random", game="splendor"), Random(3)
    with api.connect(match, 0) as ann:
        play_to_the_end(ann, rng)
        for name in ("record", "replay", "review"):
            assert error(api.http.get(path(match, name))) == (401, "link")
        assert ann.now.turn.can_take_back
        key = bearer(match["seats"][0]["key"])
        assert api.http.get(path(match, "replay"), headers=key).status_code == 200
        assert api.http.get(path(match, "replay")).status_code == 200


def test_a_review_comes_in_parts_and_is_kept(
    api: ApiClient, registry: MatchRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = played(api, "Ann", "Bob", turns=6)
    resign(api, match)
    first = whole_review(api, match)
    assert [decision for turn in first.turns for decision in turn.decisions] == (
        api.http.get(path(match, "record")).json()["decisions"]
    )
    assert first.reviewed == first.decisions == 6
    assert len(first.seats) == 2
    assert set(first.story) == set(first.turns[0].words) == {"en", "fr", "es"}
    assert "Ann" not in "".join(first.story.values())

    def fail(*_: object) -> None:
        raise AssertionError("the review is computed again")

    monkeypatch.setattr(reviews.Reviews, "_start", fail)
    assert whole_review(api, match) == first


def test_a_review_tells_no_card_that_its_mover_did_not_know(api: ApiClient) -> None:
    """What comes up later is in the decisions that were played, not in what was better."""
    match = played(api, "Ann", "Bob", turns=6)
    resign(api, match)
    tables = [step["table"] for step in api.http.get(path(match, "replay")).json()["steps"]]
    for turn in whole_review(api, match).turns:
        known = msgspec.json.encode(tables[turn.step]).decode()
        words = f"{turn.best} {turn.line} {turn.reasons} {turn.words}"
        named = set(re.findall(r"[DN]\d-?\d\d", words))
        assert all(card in known for card in named), (named, turn)


def test_an_address_may_not_queue_many_reviews(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = [played(api, "Ann", "Bob", turns=2) for _ in range(2)]
    for match in matches:
        resign(api, match)

    async def wait_forever(*_: object) -> None:
        await asyncio.sleep(3600)

    monkeypatch.setattr(reviews, "wait_until_compiled", wait_forever)
    monkeypatch.setattr(reviews, "MAX_JOBS_OF_ADDRESS", 1)
    assert api.http.get(path(matches[0])).json()["status"] == "waiting"
    assert api.http.get(path(matches[0])).json()["status"] == "waiting"
    assert error(api.http.get(path(matches[1]))) == (429, "rate")


def test_long_games_are_not_reviewed(api: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    match = played(api, "Ann", "Bob", turns=2)
    resign(api, match)
    monkeypatch.setattr(reviews, "MAX_DECISIONS", 1)
    assert error(api.http.get(path(match))) == (409, "too_long")
    assert error(api.http.get(path(match), params={"from": -1})) == (422, "invalid")


def test_a_review_that_nobody_waits_for_ends(
    api: ApiClient, registry: MatchRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = played(api, "Ann", "Bob", turns=2)
    resign(api, match)
    monkeypatch.setattr(reviews, "WANTED_SECONDS", -1.0)
    assert api.http.get(path(match)).json()["status"] == "waiting"
    deadline = time.monotonic() + 60
    while match["match"] in registry.reviews._jobs:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    monkeypatch.setattr(reviews, "WANTED_SECONDS", 15.0)
    assert whole_review(api, match).status == "done"


def test_requests_for_reviews_are_limited(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, limits=1.0)) as (api, _):
        match = played(api, "Ann", "Bob", turns=1)
        resign(api, match)
        answers = [api.http.get(path(match)) for _ in range(int(REVIEWS.burst) + 20)]
        assert answers[0].status_code == 200
        assert error(answers[-1]) == (429, "rate")


def test_old_reviews_make_room(
    api: ApiClient, registry: MatchRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review_store, "MAX_REVIEWS", 1)
    matches = [played(api, "Ann", "Bob", turns=1)["match"] for _ in range(2)]
    packed = pack(ReviewProgress(status="done", reviewed=1, decisions=1))
    loop = next(iter(registry.sessions.values()))._runner.get_loop()

    def run(work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, loop).result(60)

    for created, match in enumerate([*matches, "gone"], start=1 << 50):
        run(registry.store.keep_review(match, created, packed))
    assert run(registry.store.review(matches[0])) is None
    assert run(registry.store.review(matches[1])) == packed
    assert run(registry.store.review("gone")) is None


def test_a_review_in_another_form_is_not_used() -> None:
    progress = ReviewProgress(status="done", reviewed=1, decisions=1)
    assert unpack(pack(progress)) == progress
    assert unpack(b"nonsense") is None


def test_low_priority_waits_for_all_others() -> None:
    async def order() -> list[str]:
        queue, served = FairQueue(1), list[str]()
        slot = await queue.acquire("first")

        async def work(name: str, has_low_priority: bool) -> None:
            own = await queue.acquire(name, has_low_priority=has_low_priority)
            served.append(name)
            own.release()

        tasks = [asyncio.create_task(work("review", True))]
        await asyncio.sleep(0)
        cancelled = asyncio.create_task(work("cancelled review", True))
        tasks += [asyncio.create_task(work(f"bot {n}", False)) for n in range(2)]
        await asyncio.sleep(0)
        cancelled.cancel()
        await asyncio.gather(cancelled, return_exceptions=True)
        slot.release()
        await asyncio.gather(*tasks)
        return served

    assert asyncio.run(order()) == ["bot 0", "bot 1", "review"]
