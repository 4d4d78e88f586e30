"""The analysis board: decisions of all sides in states and views, and chance that is entered."""

from __future__ import annotations

from random import Random

import pytest

import parure
from parure.errors import IllegalDecision, NotationError
from parure.games.position import Position
from parure.table.analysis_board import (
    Entered,
    PendingChance,
    Played,
    board_position,
    choices,
    guesses,
    play,
)

GAMES = ("splendor", "duel", "duel+counterfeiters")


def played(found: Played | PendingChance) -> Played:
    assert isinstance(found, Played)
    return found


def pending(found: Played | PendingChance) -> PendingChance:
    assert isinstance(found, PendingChance)
    return found


def enter(position: Position, decision: str, rng: Random) -> Played:
    """Play a decision, and enter anything that may have come."""
    entered = Entered()
    while isinstance(found := play(position, decision, entered), PendingChance):
        if found.tokens is not None:
            bag = [kind for kind, count in found.tokens.bag.items() for _ in range(count)]
            rng.shuffle(bag)
            entered = Entered(entered.cards, "".join(bag[: found.tokens.number]))
        else:
            came = rng.choice(found.cards[0].options)
            entered = Entered((*entered.cards, came), entered.tokens)
    assert isinstance(found, Played)
    return found


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("viewer", ["state", None, 0, 1])
def test_whole_games(game: str, viewer: int | str | None) -> None:
    """Every decision that is listed can be played, with chance at random and entered."""
    state = parure.new(game, seed=3)
    position: Position = state if isinstance(viewer, str) else state.view(viewer)
    rng = Random(5)
    for number in range(60):
        if position.is_over:
            break
        listed = [choice.decision for choice in choices(position)] + guesses(position)
        decision = rng.choice(listed)
        after = enter(position, decision, rng) if number % 2 else played(play(position, decision))
        position = parure.position(after.position.text())
        assert position == after.position


def test_an_entered_card_is_the_one_that_came() -> None:
    view = parure.new("splendor", seed=7).view(0)
    card = pending(play(view, "reserve D1-16", Entered())).cards[0]
    assert (card.place, card.deck, card.slot, card.seat) == ("row", "1", 0, None)
    assert "D1-16" not in card.options
    for name in card.options[::7]:
        after = played(play(view, "reserve D1-16", Entered((name,)))).position
        assert after.pyramid[0][0] == name


def test_only_the_viewer_enters_a_card_drawn_from_a_deck() -> None:
    state = parure.new("splendor", seed=7)
    own = pending(play(state.view(0), "reserve deck2", Entered())).cards
    assert [(card.place, card.deck, card.seat) for card in own] == [("reserve", "2", 0)]
    other = played(play(state.view(1), "reserve deck2", Entered())).position
    assert other.players[0].reserved == ("??2",)
    assert "reserved0:??2" in other.text()


def test_tokens_fill_the_board_along_the_spiral() -> None:
    view = parure.position(
        "duel/view:0/seat:0/turns:2/J1:27,13,01,30,04/J2:23,05,02,01/J3:11,08,03"
        "/board:.grku,wpgyw,uy.pr,gkukw,ukrwy/tokens0:r/privileges1:1"
    )
    tokens = pending(play(view, "replenish", Entered())).tokens
    assert tokens is not None
    assert tokens.cells[0] == "c3"  # the spiral begins in the middle
    letters = "".join(kind * count for kind, count in tokens.bag.items())
    assert len(letters) == tokens.number
    after = played(play(view, "replenish", Entered(tokens=letters))).position
    assert [after.board_cells[cell] for cell in tokens.cells] == list(letters)


def test_a_hidden_card_is_bought() -> None:
    view = parure.position(
        "splendor/view:0/seat:1/D1:20,13,35,22/D2:07,15,09,29/D3:08,01,12,11/N:02,04,05"
        "/tokens1:wwuuggrrkk/reserved1:??1"
    )
    assert not any("D1-01" in choice.decision for choice in choices(view))
    assert "buy D1-01" in guesses(view)
    after = played(play(view, "buy D1-01")).position
    assert (after.players[1].cards, after.players[1].reserved) == (("D1-01",), ())
    with pytest.raises(IllegalDecision):
        play(view, "buy D1-40", Entered(("D1-02",)))


def test_what_others_hide_is_never_shown() -> None:
    """A view's choices, texts and events depend on nothing that its viewer does not know."""
    state = parure.new("splendor", seed=7)
    state.play("reserve deck3")
    hidden = state.players[0].reserved[0]
    state.play("take wug")
    view = state.view(1)
    found = board_position(view)
    assert found.table.players[0].reserved == ["??3"]
    assert not found.is_state
    named = [choice.decision for choice in found.choices]
    assert not any("D3" in text and text.startswith("buy") for text in named)
    assert hidden not in found.text
    assert "??3" in found.text


def test_what_cannot_have_come_is_refused() -> None:
    view = parure.new("splendor", seed=7).view(0)
    for cards in [("D1-16",), ("D2-01",), ("nonsense",), ("D1-02", "D1-03")]:
        with pytest.raises(NotationError):
            play(view, "reserve D1-16", Entered(cards))
    with pytest.raises(NotationError):
        play(view, "take wug", Entered(tokens="w"))
    with pytest.raises(NotationError):
        play(view, "jump")
    with pytest.raises(IllegalDecision):
        play(view, "buy D3-08")
