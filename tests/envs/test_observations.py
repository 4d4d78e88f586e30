"""Observations hold everything that a seat may know, where the layout says, and nothing more."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

import parure
from parure.envs import Games, final_rewards, observation_layout, observe_many
from parure.errors import NotationError
from parure.games.duel import layout as duel_layout
from parure.games.duel.cards import COUNTERFEITERS, JEWELS
from parure.games.duel.geometry import CELLS
from parure.games.engine.jit import JIT
from parure.games.engine.tokens import GEMS, KIND_OF_LETTER, LETTERS
from parure.games.position import Position
from parure.games.registry import rules
from parure.games.state import State
from parure.observations import duel_layout as duel_fields
from parure.observations import splendor_layout as splendor_fields

KINDS = [("duel", 2), ("duel+counterfeiters", 2), ("splendor", 2), ("splendor", 3), ("splendor", 4)]
SECRETIVE = ("buy C17", "use C17", "deck 3", "reserve deck", "gold ", "reserve", "buy C")
COLORS = [*GEMS, "joker", "none"]
ABILITIES = ("token", "steal", "privilege", "again")

MAX_DECISIONS, INTERVAL = (250, 4) if JIT else (60, 12)  # of games, and between the states used

each_kind = pytest.mark.parametrize(("game", "seats"), KINDS)


def sample_states(game: str, seats: int, seed: int) -> Iterator[State]:
    """Yield some states of a game in which many cards are hidden."""
    random = Random(seed)
    state = parure.new(game, players=seats, seed=seed)
    if game == "duel+counterfeiters":  # one seat owns C17 and may look into decks
        first = duel_layout.SEATS + random.randrange(2) * duel_layout.SEAT_WORDS
        state.words[first + duel_layout.COUNTERFEITERS_HELD] |= 1 << 16
    for number in range(MAX_DECISIONS):
        if state.is_over:
            break
        if number % INTERVAL == 0 or state.phase in ("keep", "bottom", "pay"):
            yield state
        legal = list(state.legal_decisions)
        wanted = [text for text in legal if text.startswith(random.choice(SECRETIVE))]
        state.play(random.choice(wanted or legal))
    yield state


def observe(position: Position, seat: int) -> np.ndarray[Any, Any]:
    observation: np.ndarray[Any, Any] = observe_many(
        position.rules, position.words[np.newaxis], seat
    )[0]
    return observation


def observe_fields(position: Position, seat: int) -> dict[str, Any]:
    return dict(observation_layout(position.rules).split(observe(position, seat)))


def counts(of: dict[str, int], letters: str = LETTERS) -> list[int]:
    return [of.get(letter, 0) for letter in letters]


# --- hidden information ---------------------------------------------------------------------------


@each_kind
@pytest.mark.parametrize("seed", range(4 if JIT else 1))
def test_a_state_and_its_view_give_the_same_observation(game: str, seats: int, seed: int) -> None:
    for state in sample_states(game, seats, seed):
        for seat in range(seats):
            assert (observe(state, seat) == observe(state.view(seat), seat)).all()


@each_kind
def test_hidden_cards_do_not_change_an_observation(game: str, seats: int) -> None:
    """Compare observation, mask and view of states that differ only in what the seat cannot see."""
    games = Games(game, 2, players=seats)
    differing = 0
    for number, state in enumerate(sample_states(game, seats, 7)):
        if state.is_over:
            continue
        other = parure.determinize(state.view(state.seat), seed=number)
        games.set_state(0, state, 1)
        games.set_state(1, other, 2)
        differing += bool((games.rows[0] != games.rows[1]).any())
        assert (games.observations[0] == games.observations[1]).all()
        assert (games.masks[0] == games.masks[1]).all()
        assert str(games.view(0, state.seat)) == str(games.view(1, state.seat))
        assert str(games.view(0, None)) == str(games.view(1, None))
    assert differing > (20 if JIT else 2)


def test_of_an_opponents_card_from_a_deck_only_the_level_is_observed() -> None:
    state = parure.new("duel", seed=3)
    gold = next(text for text in state.legal_decisions if text.startswith("gold"))
    state.play(gold)
    state.play("reserve deck2")
    own, other = (
        observe_fields(state, 0)["own_reserve"][0],
        observe_fields(state, 1)["other_reserve"][0],
    )
    assert own[16] == 1  # known
    assert other.tolist() == [0] * 7 + [2] + [0] * 16


# --- the layout -----------------------------------------------------------------------------------


@pytest.mark.slow_without_jit
@each_kind
def test_no_byte_exceeds_the_maximum_of_the_layout(game: str, seats: int) -> None:
    games = Games(game, 256, players=seats, seed=5)
    greatest = np.zeros(games.observation_layout.size, np.uint8)
    for _ in range(400):
        games.step_randomly()
        greatest = np.maximum(greatest, games.observations.max(axis=0))
    assert (greatest <= games.observation_layout.max_values).all()


@each_kind
def test_fields_are_adjacent_and_fill_whole_words(game: str, seats: int) -> None:
    layout = observation_layout(rules(game, seats))
    assert [0, *(field.stop for field in layout.fields)] == [
        *(field.start for field in layout.fields),
        layout.size,
    ]
    assert layout.size % 8 == 0
    assert len(layout.by_name) == len(layout.fields)


def test_the_layout_of_a_smaller_game_is_a_prefix() -> None:
    plain, whole = duel_fields.PLAIN_LAYOUT, duel_fields.LAYOUT
    assert plain.fields == whole.fields[: len(plain.fields)]
    two, four = splendor_fields.layout_for(2), splendor_fields.layout_for(4)
    assert two.fields == four.fields[: len(two.fields)]
    assert four.size == splendor_fields.LAYOUT.size


def unseen(position: Position, seat: int, names: list[str]) -> list[int]:
    """Return 1 for each card that does not occur in a seat's view."""
    view = position.view(seat) if isinstance(position, State) else position
    seen = {card for level in view.pyramid for card in level}
    for player in view.players:
        seen |= {*player.cards, *player.reserved}
    for level in (1, 2, 3):
        seen |= set(view.deck(level))
    return [int(name not in seen) for name in names]


@pytest.mark.parametrize("game", ["duel", "duel+counterfeiters"])
def test_duel_observations_agree_with_the_state(game: str) -> None:
    jewels = [jewel.id for jewel in JEWELS]
    state: Any
    for state in sample_states(game, 2, 11):
        for seat in range(2):
            seen = observe_fields(state, seat)
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
            for name, values in zip(shown, seen["pyramid"], strict=True):
                check_jewel(state, name, seat, values, is_public=True)
            reserve = [*seen["own_reserve"]]
            if game != "duel":
                reserve += [*seen["own_more_reserve"]]
            for i, values in enumerate(reserve):
                name = me.reserved[i] if i < len(me.reserved) else None
                is_public = (
                    i < len(me.reserved) and name == state.view(None).players[seat].reserved[i]
                )
                check_jewel(state, name, seat, values, is_public)
            others = state.view(seat).players[1 - seat].reserved
            for i, values in enumerate(seen["other_reserve"]):
                name = others[i] if i < len(others) else None
                if name is not None and name.startswith("??"):
                    assert values.tolist() == [0] * 7 + [int(name[2])] + [0] * 16
                else:
                    check_jewel(state, name, 1 - seat, values, None)
            assert seen["unseen"].tolist() == unseen(state, seat, jewels)
            assert seen["deck_sizes"][:3].tolist() == list(state.deck_sizes)
            if game != "duel":
                check_counterfeiters(state, seat, seen)


def check_jewel(
    state: State, name: str | None, seat: int, values: Any, is_public: bool | None
) -> None:
    """Check the 24 bytes of a known jewel."""
    if name is None:
        assert not values.any()
        return
    jewel = next(jewel for jewel in JEWELS if jewel.id == name)
    assert values[:6].tolist() == counts(state.price(name, seat), LETTERS[:6])
    assert values[6] == sum(state.missing(name, seat).values())
    assert values[7] == jewel.level
    assert values[8:15].tolist() == [int(color == jewel.color) for color in COLORS]
    assert is_public is None or values[15] == is_public
    assert values[16:20].tolist() == [1, jewel.points, jewel.bonus, jewel.crowns]
    assert values[20:].tolist() == [int(jewel.ability == ability) for ability in ABILITIES]


def check_counterfeiters(state: Any, seat: int, seen: dict[str, Any]) -> None:
    me, them = state.players[seat], state.players[1 - seat]
    for card, values in zip(COUNTERFEITERS, seen["counterfeiters"], strict=True):
        where = [card.id in cards for cards in (state.counterfeiters, me.counterfeiters)]
        where.append(card.id in them.counterfeiters)
        assert values[8:11].tolist() == where
        assert values[14] == (not any(where))
        if where[0]:
            assert values[:8].tolist() == counts(state.price(card.id, seat))
        else:
            assert not values[:8].any()
    more = [f"R{n}" in state.royals for n in range(5, 13)]
    assert seen["more_royals"].tolist() == more
    view = state.view(seat)
    known = {card for level in (1, 2, 3) for card in view.deck(level)}
    assert seen["known_in_decks"].tolist() == [int(jewel.id in known) for jewel in JEWELS]
    looks = state.phase in ("keep", "bottom") and state.seat == seat
    assert seen["peeked"].any() == looks


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_splendor_observations_agree_with_the_state(seats: int) -> None:
    names = list(parure.new("splendor").card_numbers)
    state: Any
    for state in sample_states("splendor", seats, 13):
        for seat in range(seats):
            seen = observe_fields(state, seat)
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
                for j, values in enumerate(seen[f"{who}_reserve"]):
                    name = player.reserved[j] if j < len(player.reserved) else None
                    check_development(state, name, player.seat, values)
            shown = [card for level in state.pyramid for card in level]
            for name, values in zip(shown, seen["pyramid"], strict=True):
                check_development(state, name, seat, values)
            assert seen["unseen"].tolist() == unseen(state, seat, names)
            assert seen["deck_sizes"].tolist() == list(state.deck_sizes)
            hidden = [name for player in view.players for name in player.reserved if "?" in name]
            assert seen["hidden"].tolist() == [hidden.count(f"??{level}") for level in (1, 2, 3)]
            face_up = [f"N{n:02}" in view.nobles for n in range(1, 11)]
            assert seen["nobles"][:, 5].tolist() == face_up


def check_development(state: State, name: str | None, seat: int, values: Any) -> None:
    if name is None:
        assert not values.any()
    elif name.startswith("??"):
        assert values.tolist() == [0] * 7 + [int(name[2])] + [0] * 8
    else:
        lacking = sum(state.missing(name, seat).values())
        assert values[:5].tolist() == counts(state.price(name, seat), GEMS)
        assert values[5] == lacking
        assert values[6] == (lacking <= state.players[seat].tokens.get("y", 0))
        assert values[7] == int(name[1])
        assert values[14] == 1


# --- wrong arguments ------------------------------------------------------------------------------


def test_every_byte_is_written_for_every_position() -> None:
    """The kernels rely on it: observations are written over old ones."""
    games = Games("duel+counterfeiters", 4, seed=1)
    for _ in range(30):
        games.step_randomly()
        before = games.observations.copy()
        games.observations[:] = 99
        for index in range(4):
            state = games.rules.state_type(games.rules, games.rows[index].copy(), games.rngs[index])
            games.set_state(index, state, int(games.rngs[index, 0]))
        assert (games.observations == before).all()


@pytest.mark.parametrize("game", ["duel", "splendor"])
def test_rows_of_the_wrong_type_are_refused(game: str) -> None:
    state = parure.new(game, seed=1)
    words = state.rules.layout.ROW_WORDS
    rows = state.words[np.newaxis]
    wrong: Any
    for wrong in (
        rows.view(np.uint8),
        np.zeros((1, words), np.uint8),
        rows.astype(np.float64),
        rows.astype(np.int32),
        rows.view(np.uint64),
        rows.tolist(),
        None,
    ):
        message = rf"must be an int64 array of shape \(n, {words}\), not "
        with pytest.raises(TypeError, match=message):
            observe_many(state.rules, wrong, 0)
    with pytest.raises(TypeError, match=rf"not a uint8 array of shape \(1, {words}\)"):
        observe_many(state.rules, np.zeros((1, words), np.uint8), 0)
    for wrong in (state.words, rows[:, :-1], rows[np.newaxis], np.zeros((0, 3), np.int64)):
        with pytest.raises(NotationError, match=rf"must have the shape \(n, {words}\), not"):
            observe_many(state.rules, wrong, 0)
    for wrong in (2, -1, [0, 1], [[0]], 0.0, "0", None, [0.0], True):
        with pytest.raises((NotationError, TypeError), match=r"seats? must be"):
            observe_many(state.rules, rows, wrong)


def test_rows_need_not_be_contiguous() -> None:
    games = Games("duel", 6, seed=1)
    for seats in (1, np.array([0, 1, 0]), [0, 1, 0]):
        every_second = observe_many(games.rules, games.rows[::2], seats)
        assert (every_second == observe_many(games.rules, games.rows[::2].copy(), seats)).all()
    turned = np.asfortranarray(games.rows)
    assert (observe_many(games.rules, turned, 0) == games.observe(0)).all()
    assert observe_many(games.rules, games.rows[:0], 0).shape == (0, 832)


def test_rewards_refuse_wrong_arguments() -> None:
    state = parure.new("duel", seed=1)
    wrong: Any
    for wrong in (state.words.view(np.uint8), state.words[:-1], state.words[np.newaxis], None):
        with pytest.raises(TypeError, match="a row of duel is an int64 array"):
            final_rewards(state.rules, wrong)
    for wrong in ("points", 1, None):
        with pytest.raises(NotationError, match="kind must be one of 'result', 'margin'"):
            final_rewards(state.rules, state.words, wrong)
