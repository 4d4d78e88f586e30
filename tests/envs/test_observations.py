"""What is observed: all that a seat may know, in its place, and nothing more."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

import parure
from parure.envs.games import Games, kernels_of, observation_layout
from parure.envs.kernels import duel_observation_layout, splendor_observation_layout
from parure.envs.rendering import table
from parure.games.duel import layout as duel_layout
from parure.games.duel.cards import COUNTERFEITERS, JEWELS
from parure.games.duel.geometry import CELLS
from parure.games.engine.jit import JIT
from parure.games.engine.tokens import GEMS, KIND_OF_LETTER, LETTERS
from parure.games.position import Position
from parure.games.registry import rules
from parure.games.state import State

KINDS = [("duel", 2), ("duel+counterfeiters", 2), ("splendor", 2), ("splendor", 3), ("splendor", 4)]
SECRETIVE = ("buy C17", "use C17", "deck 3", "reserve deck", "gold ", "reserve", "buy C")
COLORS = [*GEMS, "joker", "none"]
ABILITIES = ("token", "steal", "privilege", "again")

LENGTH, EVERY = (250, 4) if JIT else (60, 12)  # decisions, and which of them are looked at

each_kind = pytest.mark.parametrize(("game", "seats"), KINDS)


def moments(game: str, seats: int, seed: int) -> Iterator[State]:
    """Some states of a game in which many cards are hidden."""
    random = Random(seed)
    state = parure.new(game, players=seats, seed=seed)
    if game == "duel+counterfeiters":  # one seat may look into decks
        first = duel_layout.SEATS + random.randrange(2) * duel_layout.SEAT_WORDS
        state.words[first + duel_layout.COUNTERFEITERS_HELD] |= 1 << 16
    for number in range(LENGTH):
        if state.is_over:
            break
        if number % EVERY == 0 or state.phase in ("keep", "bottom", "pay"):
            yield state
        legal = list(state.legal_decisions)
        wanted = [text for text in legal if text.startswith(random.choice(SECRETIVE))]
        state.play(random.choice(wanted or legal))
    yield state


def observed(position: Position, seat: int) -> np.ndarray[Any, Any]:
    """What a seat observes of a state or a view."""
    by = position.rules
    seen = np.full((1, observation_layout(by).size), 99, np.uint8)  # every byte must be written
    kernels_of(by).observe_many(
        position.words[np.newaxis], by.cards, np.array([seat]), seen.view(np.int64)
    )
    whole: np.ndarray[Any, Any] = seen[0]
    return whole


def named(position: Position, seat: int) -> dict[str, Any]:
    return observation_layout(position.rules).split(observed(position, seat))


def counts(of: dict[str, int], letters: str = LETTERS) -> list[int]:
    return [of.get(letter, 0) for letter in letters]


# --- nothing hidden -------------------------------------------------------------------------------


@each_kind
@pytest.mark.parametrize("seed", range(4 if JIT else 1))
def test_a_seat_observes_no_more_than_its_view_holds(game: str, seats: int, seed: int) -> None:
    for state in moments(game, seats, seed):
        for seat in range(seats):
            assert (observed(state, seat) == observed(state.view(seat), seat)).all()


@each_kind
def test_what_a_seat_cannot_see_changes_nothing_for_it(game: str, seats: int) -> None:
    """Observation, mask and picture of two states that differ only in what it cannot see."""
    games = Games(game, 2, players=seats)
    differing = 0
    for number, state in enumerate(moments(game, seats, 7)):
        if state.is_over:
            continue
        other = parure.determinize(state.view(state.seat), seed=number)
        games.set_state(0, state.words, 1)
        games.set_state(1, other.words, 2)
        differing += bool((games.rows[0] != games.rows[1]).any())
        assert (games.observations[0] == games.observations[1]).all()
        assert (games.masks[0] == games.masks[1]).all()
        assert table(games, 0, state.seat) == table(games, 1, state.seat)
        assert table(games, 0, None) == table(games, 1, None)
    assert differing > (20 if JIT else 2)


def test_an_opponents_card_from_a_deck_shows_its_level_alone() -> None:
    state = parure.new("duel", seed=3)
    gold = next(text for text in state.legal_decisions if text.startswith("gold"))
    state.play(gold)
    state.play("reserve deck2")
    own, other = named(state, 0)["own_reserve"][0], named(state, 1)["other_reserve"][0]
    assert own[16] == 1  # known
    assert other.tolist() == [0] * 7 + [2] + [0] * 16


# --- everything in its place ----------------------------------------------------------------------


@pytest.mark.slow_without_jit
@each_kind
def test_no_byte_exceeds_what_the_layout_says(game: str, seats: int) -> None:
    games = Games(game, 256, players=seats, seed=5)
    most = np.zeros(games.observation_layout.size, np.uint8)
    for _ in range(400):
        games.step(games.random_decisions())
        most = np.maximum(most, games.observations.max(axis=0))
    assert (most <= games.observation_layout.max_values).all()


@each_kind
def test_pieces_follow_one_another_and_fill_whole_words(game: str, seats: int) -> None:
    pieces = observation_layout(rules(game, seats))
    ends = [0, *(piece.stop for piece in pieces.fields)]
    assert [piece.start for piece in pieces.fields] == ends[:-1]
    assert pieces.size == ends[-1]
    assert pieces.size % 8 == 0
    assert len(pieces.by_name) == len(pieces.fields)


def test_a_smaller_game_is_observed_as_the_first_part_of_a_larger_one() -> None:
    plain, whole = duel_observation_layout.PLAIN_LAYOUT, duel_observation_layout.LAYOUT
    assert plain.fields == whole.fields[: len(plain.fields)]
    two, four = splendor_observation_layout.layout_for(2), splendor_observation_layout.layout_for(4)
    assert two.fields == four.fields[: len(two.fields)]
    assert four.size == splendor_observation_layout.LAYOUT.size


def unseen(position: Position, seat: int, names: list[str]) -> list[int]:
    """The cards that stand nowhere in a seat's view."""
    view = position.view(seat) if isinstance(position, State) else position
    seen = {card for level in view.pyramid for card in level}
    for player in view.players:
        seen |= {*player.cards, *player.reserved}
    for level in (1, 2, 3):
        seen |= set(view.deck(level))
    return [int(name not in seen) for name in names]


@pytest.mark.parametrize("game", ["duel", "duel+counterfeiters"])
def test_duel_is_observed_as_python_sees_it(game: str) -> None:
    jewels = [jewel.id for jewel in JEWELS]
    state: Any
    for state in moments(game, 2, 11):
        for seat in range(2):
            seen = named(state, seat)
            me, them = state.players[seat], state.players[1 - seat]
            assert seen["phase"].argmax() == duel_layout.PHASES.index(state.phase)
            assert seen["is_to_move"] == (state.seat == seat)
            assert seen["turns"] == state.turns // 2
            assert seen["seat"] == seat
            assert seen["bag"].tolist() == counts(state.bag)
            for i, cell in enumerate(CELLS):
                kind = KIND_OF_LETTER.get(state.board.get(cell, ""), -1)
                assert seen["board"][i].tolist() == [int(k == kind) for k in range(8)]
            for who, player in (("own", me), ("other", them)):
                assert seen[f"{who}_tokens"].tolist() == counts(player.tokens)
                assert seen[f"{who}_bonuses"].tolist() == counts(player.bonuses, GEMS)
                assert seen[f"{who}_color_points"].tolist() == counts(player.points_by_color, GEMS)
                assert seen[f"{who}_points"] == player.points
                assert seen[f"{who}_crowns"] == player.crowns
                assert seen[f"{who}_privileges"] == player.privileges
                assert seen[f"{who}_reserved"] == len(player.reserved)
                royals = [f"R{n}" in player.royals for n in range(1, 5)]
                assert seen[f"{who}_royals"].tolist() == royals
            assert seen["royals"].tolist() == [f"R{n}" in state.royals for n in range(1, 5)]
            assert seen["table_privileges"] == state.privileges
            shown = [card for level in state.pyramid for card in level]
            for name, piece in zip(shown, seen["pyramid"], strict=True):
                check_jewel(state, name, seat, piece, is_public=True)
            reserve = [*seen["own_reserve"]]
            if game != "duel":
                reserve += [*seen["own_more_reserve"]]
            for i, piece in enumerate(reserve):
                name = me.reserved[i] if i < len(me.reserved) else None
                is_public = (
                    i < len(me.reserved) and name == state.view(None).players[seat].reserved[i]
                )
                check_jewel(state, name, seat, piece, is_public)
            others = state.view(seat).players[1 - seat].reserved
            for i, piece in enumerate(seen["other_reserve"]):
                name = others[i] if i < len(others) else None
                if name is not None and name.startswith("??"):
                    assert piece.tolist() == [0] * 7 + [int(name[2])] + [0] * 16
                else:
                    check_jewel(state, name, 1 - seat, piece, None)
            assert seen["unseen"].tolist() == unseen(state, seat, jewels)
            assert seen["deck_sizes"][:3].tolist() == list(state.deck_sizes)
            if game != "duel":
                check_counterfeiters(state, seat, seen)


def check_jewel(
    state: State, name: str | None, seat: int, piece: Any, is_public: bool | None
) -> None:
    """The 24 bytes of a jewel that is known."""
    if name is None:
        assert not piece.any()
        return
    jewel = next(jewel for jewel in JEWELS if jewel.id == name)
    assert piece[:6].tolist() == counts(state.price(name, seat), LETTERS[:6])
    assert piece[6] == sum(state.missing(name, seat).values())
    assert piece[7] == jewel.level
    assert piece[8:15].tolist() == [int(color == jewel.color) for color in COLORS]
    assert is_public is None or piece[15] == is_public
    assert piece[16:20].tolist() == [1, jewel.points, jewel.bonus, jewel.crowns]
    assert piece[20:].tolist() == [int(jewel.ability == ability) for ability in ABILITIES]


def check_counterfeiters(state: Any, seat: int, seen: dict[str, Any]) -> None:
    me, them = state.players[seat], state.players[1 - seat]
    for card, piece in zip(COUNTERFEITERS, seen["counterfeiters"], strict=True):
        where = [card.id in cards for cards in (state.counterfeiters, me.counterfeiters)]
        where.append(card.id in them.counterfeiters)
        assert piece[8:11].tolist() == where
        assert piece[14] == (not any(where))
        if where[0]:
            assert piece[:8].tolist() == counts(state.price(card.id, seat))
        else:
            assert not piece[:8].any()
    more = [f"R{n}" in state.royals for n in range(5, 13)]
    assert seen["more_royals"].tolist() == more
    view = state.view(seat)
    known = {card for level in (1, 2, 3) for card in view.deck(level)}
    assert seen["known_in_decks"].tolist() == [int(jewel.id in known) for jewel in JEWELS]
    looks = state.phase in ("keep", "bottom") and state.seat == seat
    assert seen["peeked"].any() == looks


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_splendor_is_observed_as_python_sees_it(seats: int) -> None:
    names = list(parure.new("splendor").card_numbers)
    state: Any
    for state in moments("splendor", seats, 13):
        for seat in range(seats):
            seen = named(state, seat)
            view = state.view(seat)
            assert seen["phase"].argmax() == ["turn", "pay", "discard", "noble", "over"].index(
                state.phase
            )
            assert seen["seat"].argmax() == seat
            assert seen["to_move"].argmax() == (state.seat - seat) % seats
            assert seen["supply"].tolist() == counts(state.supply)
            for i, who in enumerate(("own", "next", "third", "fourth")[:seats]):
                player = view.players[(seat + i) % seats]
                assert seen[f"{who}_gems"].tolist() == counts(player.tokens, GEMS)
                assert seen[f"{who}_gold"] == player.tokens.get("y", 0)
                assert seen[f"{who}_points"] == player.points
                assert seen[f"{who}_bonuses"].tolist() == counts(player.bonuses, GEMS)
                assert seen[f"{who}_cards"] == len(player.cards)
                assert seen[f"{who}_nobles"] == len(player.nobles)
                for j, piece in enumerate(seen[f"{who}_reserve"]):
                    name = player.reserved[j] if j < len(player.reserved) else None
                    check_development(state, name, player.seat, piece)
            shown = [card for level in state.pyramid for card in level]
            for name, piece in zip(shown, seen["pyramid"], strict=True):
                check_development(state, name, seat, piece)
            assert seen["unseen"].tolist() == unseen(state, seat, names)
            assert seen["deck_sizes"].tolist() == list(state.deck_sizes)
            hidden = [name for player in view.players for name in player.reserved if "?" in name]
            assert seen["hidden"].tolist() == [hidden.count(f"??{level}") for level in (1, 2, 3)]
            face_up = [f"N{n:02}" in view.nobles for n in range(1, 11)]
            assert seen["nobles"][:, 5].tolist() == face_up


def check_development(state: State, name: str | None, seat: int, piece: Any) -> None:
    if name is None:
        assert not piece.any()
    elif name.startswith("??"):
        assert piece.tolist() == [0] * 7 + [int(name[2])] + [0] * 8
    else:
        lacking = sum(state.missing(name, seat).values())
        assert piece[:5].tolist() == counts(state.price(name, seat), GEMS)
        assert piece[5] == lacking
        assert piece[6] == (lacking <= state.players[seat].tokens.get("y", 0))
        assert piece[7] == int(name[1])
        assert piece[14] == 1
