"""The views that only a table shows: a complete turn before its hand-over, and an open replay."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from tests.games.hidden_information import CARD
from tests.games.positions import DUEL_COUNTERFEITERS, Seat, duel, play
from tests.table.games import GAMES, eager_decision

import parure
from parure.games.duel.cards import JEWELS
from parure.games.duel.view_schema import DuelViewData
from parure.games.state import State
from parure.games.view_schema import view_data
from parure.table.turn_boundary import arrivals, completes_turn, drawn, reveals
from parure.table.views import complete_turn_view, open_view


def unseen_cards(state: State) -> set[str]:
    """The cards that the seat to move has not seen."""
    view = state.view(state.seat)
    hidden: set[str] = set()
    for level in (1, 2, 3):
        pairs = zip(state.deck(level), view.deck(level), strict=True)
        hidden |= {card for card, seen in pairs if seen.startswith("??")}
    for player, known in zip(state.players, view.players, strict=True):
        pairs = zip(player.reserved, known.reserved, strict=True)
        hidden |= {card for card, seen in pairs if seen.startswith("??")}
    return hidden


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(("game", "players"), GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_a_complete_turn_shows_nothing_hidden(game: str, players: int, seed: int) -> None:
    """Neither the refill nor a drawn card can be read before the turn is handed over."""
    state, rng = parure.new(game, players=players, seed=seed), Random(seed)
    number = 0
    while not state.is_over:
        before = state.copy()
        text = state.play(eager_decision(state, rng))
        if not completes_turn(before, state) or reveals(before, state, text):
            continue
        number += 1
        data = complete_turn_view(before, state)
        named = set(CARD.findall(msgspec.json.encode(data).decode()))
        assert not named & unseen_cards(before)
        twin = parure.determinize(before.view(before.seat), seed=number)
        twin_after = twin.copy()
        twin_after.play(text)
        assert complete_turn_view(twin, twin_after) == data
        assert (data.phase, data.seat, data.turns) == ("end", before.seat, before.turns)
        assert data.outcome is None
    assert number > 5


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(("game", "players"), GAMES)
def test_handing_over_only_uncovers_cards(game: str, players: int) -> None:
    state, rng = parure.new(game, players=players, seed=4), Random(4)
    while not state.is_over and len(state.decisions) < 80:
        before = state.copy()
        text = state.play(eager_decision(state, rng))
        if not completes_turn(before, state) or reveals(before, state, text) or state.is_over:
            continue
        covered, after = complete_turn_view(before, state), view_data(state.view(before.seat))
        refilled = [level for level, _ in arrivals(before, state) if level]
        assert covered.deck_sizes is not msgspec.UNSET
        assert after.deck_sizes is not msgspec.UNSET
        assert sum(covered.deck_sizes) == sum(after.deck_sizes) + len(refilled)
        for level in range(3):
            pairs = zip(covered.pyramid[level], after.pyramid[level], strict=True)
            assert all(card in (None, other) for card, other in pairs)
        mine, theirs = covered.players[before.seat], after.players[before.seat]
        assert (mine.tokens, mine.cards, mine.points) == (
            theirs.tokens,
            theirs.cards,
            theirs.points,
        )
        hidden = [i for i, card in enumerate(mine.reserved) if card.startswith("??")]
        assert hidden == drawn(before, state)


def test_cards_known_in_a_deck_keep_their_depth_until_the_refill() -> None:
    """The cards that C17 showed lie under the card that will refill the gap."""
    state = duel(Seat(tokens="vvvvw", counterfeiters="C17"), game=DUEL_COUNTERFEITERS)
    play(state, next(text for text in state.legal_decisions if text.startswith("take")))
    play(state, "use C17", "deck 2")
    play(state, state.legal_decisions[0])
    assert state.phase == "bottom"
    before = state.copy()
    play(state, state.legal_decisions[0])
    data = complete_turn_view(before, state)
    assert isinstance(data, DuelViewData)
    assert data.deck_sizes is not msgspec.UNSET
    size = data.deck_sizes[1]
    known = [(known.level, known.depth) for known in data.known_in_decks]
    assert known == [(2, size - 2), (2, size - 1)]


def test_an_extra_turn_is_shown_while_the_turn_is_complete() -> None:
    again = next(jewel for jewel in JEWELS if jewel.ability == "again" and jewel.level == 1)
    state = duel(Seat(tokens="p", bonuses="wwwwuuuuggggrrrrkkkk"), face_up=again.id)
    before = state.copy()
    play(state, f"buy {again.id}")
    data = complete_turn_view(before, state)
    assert isinstance(data, DuelViewData)
    assert data.turn.goes_again
    assert data.turn.gaps == [0]
    assert data.pyramid[0][0] is None


def test_an_open_view_names_every_reserved_card() -> None:
    state = parure.new("splendor", seed=2)
    state.play("reserve deck3")
    (card,) = state.players[0].reserved
    assert view_data(state.view(None)).players[0].reserved == ["??3"]
    assert open_view(state).players[0].reserved == [card]
    assert open_view(state).viewer is None
