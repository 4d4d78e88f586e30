"""Set-ups that Python shuffles."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from tests.games.hidden_information import hiding_game

import parure
from parure.games.registry import rules
from parure.games.setup import shuffle_some

KINDS = [("duel", 2), ("duel+counterfeiters", 2), ("splendor", 2), ("splendor", 3), ("splendor", 4)]


@pytest.mark.parametrize(("game", "seats"), KINDS)
def test_a_shuffled_setup_is_complete(game: str, seats: int) -> None:
    """It has the same cards and tokens as a deal, and leads to a game."""
    found = rules(game, seats)
    setup = found.shuffled_setup(Random(1))
    row = found.set_up(setup)
    assert found.legal(row)
    assert {**found.setup_of(row), **_unordered(setup)} == {**setup, **_unordered(setup)}
    dealt = parure.new(game, players=seats, seed=1).record().setup
    assert list(map(sorted, setup["decks"])) == list(map(sorted, dealt["decks"]))
    assert found.shuffled_setup(Random(1)) == setup
    assert found.shuffled_setup(Random(2)) != setup


def _unordered(setup: dict[str, object]) -> dict[str, object]:
    """Return the part of a set-up that a state does not keep in order: the face-up tiles."""
    return {name: setup[name] for name in ("nobles", "royals") if name in setup}


def test_shuffled_setups_are_uniform() -> None:
    random = Random(3)
    setups = [rules("duel+counterfeiters").shuffled_setup(random) for _ in range(3000)]
    tops = Counter(setup["decks"][2][0] for setup in setups)
    gold = Counter(i for setup in setups for i, kind in enumerate(setup["board"]) if kind == "y")
    first = Counter(setup["counterfeiters"][0] for setup in setups)
    for found, choices in ((tops, 13), (gold, 25), (first, 17)):
        expected = found.total() / choices
        assert len(found) == choices
        assert all(abs(count - expected) < 6 * expected**0.5 for count in found.values())


def test_some_cards_are_shuffled_in_their_places() -> None:
    cards = [f"c{i}" for i in range(20)]
    some = set(cards[3:17:2])
    shuffled = shuffle_some(cards, some, Random(1))
    assert sorted(shuffled) == sorted(cards)
    assert shuffled != cards
    assert [card for card in shuffled if card not in some] == [c for c in cards if c not in some]
    assert all((old in some) == (new in some) for old, new in zip(cards, shuffled, strict=True))


@pytest.mark.slow_without_jit
def test_what_a_seat_has_seen_in_a_deck_is_known() -> None:
    """The cards that C17 has shown, as long as they lie in a deck."""
    most = 0
    for seed in range(6):
        for state in hiding_game("duel+counterfeiters", 2, seed, owns_c17=True):
            named = {
                card
                for seat in range(2)
                for level in (1, 2, 3)
                for card in state.view(seat).deck(level)
                if not card.startswith("??")
            }
            assert state.seen_in_decks == named
            most = max(most, len(named))
    assert most >= 2
