"""Views as data: they give the same view again, hold nothing hidden, and cannot be false."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from tests.games.hidden_information import CARD, hidden_cards, hiding_decision, remove_c17, viewers
from tests.games.positions import DUEL, DUEL_COUNTERFEITERS, Seat, duel, play, splendor
from tests.games.random_games import SEEDS, each_game, examples

import parure
from parure.errors import InvalidPosition
from parure.games.duel import layout as duel_layout
from parure.games.duel.cards import JEWELS
from parure.games.engine.jit import JIT
from parure.games.state import State
from parure.games.view import View
from parure.games.view_parser import parse_view
from parure.games.view_schema import view_data


def data_of(view: View) -> Any:
    """Return the data of a view as JSON decodes it."""
    return json.loads(msgspec.json.encode(view_data(view)))


def whole_games(game: str, seats: int, seed: int) -> Iterator[State]:
    """Yield the state after every decision of a game; some games have C17 or anti-blocking."""
    random = Random(seed)
    options = {"anti-blocking": True} if game != "splendor" and random.random() < 0.5 else None
    state = parure.new(game, players=seats, seed=seed, options=options)
    if game == DUEL_COUNTERFEITERS:
        remove_c17(state)
        owner = duel_layout.SEATS + random.randrange(2) * duel_layout.SEAT_WORDS
        state.words[owner + duel_layout.COUNTERFEITERS_HELD] |= 1 << 16
    yield state
    while not state.is_over:
        state.play(hiding_decision(state, random))
        yield state


# --- from view to data and back -------------------------------------------------------------------


@each_game
@given(seed=SEEDS)
@examples(5)
def test_the_data_of_a_view_gives_the_view_again(game: str, seats: int, seed: int) -> None:
    for number, state in enumerate(whole_games(game, seats, seed)):
        seen = viewers(state)
        view = state.view(seen[number % len(seen)])
        again = parse_view(data_of(view))
        assert again == view
        assert again.legal_decisions.ids == view.legal_decisions.ids
        assert dict(again.options) == dict(view.options)


@each_game
@given(seed=SEEDS)
@examples(2)
def test_derived_fields_and_card_facts_may_be_left_out(game: str, seats: int, seed: int) -> None:
    """Data without the fields that follow from others gives the same view."""
    for state in whole_games(game, seats, seed):
        data = data_of(state.view(state.seat))
        for field in ("cards", "kind", "deck_sizes", "bag", "privileges", "royal_deck_size"):
            data.pop(field, None)
        for field in ("counterfeiter_deck_size", "supply", "is_last_round"):
            data.pop(field, None)
        for player in data["players"]:
            for field in ("seat", "token_count", "token_limit", "reserve_limit", "goals"):
                del player[field]
            for field in ("points", "bonuses", "points_by_color", "crowns"):
                player.pop(field, None)
        assert parse_view(data) == state.view(state.seat)


def test_card_facts_are_left_out_on_request() -> None:
    view = parure.new("duel", seed=1).view(0)
    assert "cards" not in json.loads(msgspec.json.encode(view_data(view, with_cards=False)))


def test_views_of_every_phase_can_be_parsed() -> None:
    phases: set[str] = set()
    for game, seed in (
        (DUEL, 1),
        *((DUEL_COUNTERFEITERS, seed) for seed in range(12 if JIT else 1)),
    ):
        for state in whole_games(game, 2, seed):
            if state.phase not in phases or state.phase in ("keep", "bottom", "pay"):
                phases.add(state.phase)
                for viewer in viewers(state):
                    view = state.view(viewer)
                    assert parse_view(data_of(view)) == view
    assert not JIT or phases == set(duel_layout.PHASES)


def test_a_resigned_game_can_be_parsed() -> None:
    state = parure.new("duel", seed=7)
    play(state, next(text for text in state.legal_decisions if text.startswith("gold")))
    assert state.phase == "reserve"
    state.end("resigned", [1])
    for viewer in viewers(state):
        assert parse_view(data_of(state.view(viewer))) == state.view(viewer)


def test_an_ability_that_finds_no_token_leaves_no_trace_in_the_row() -> None:
    """Two positions that are the same to a player are the same row, and so have the same data."""
    token = next(jewel for jewel in JEWELS if (jewel.ability, jewel.color) == ("token", "k"))
    state = duel(Seat(bonuses="wwwuuugggrrr"), face_up=token.id, board="..... " * 5)
    play(state, f"buy {token.id}")
    assert state.seat == 1
    assert state.words[duel_layout.COLLECT_COLOR] == 0


# --- nothing hidden -------------------------------------------------------------------------------


@each_game
@given(seed=SEEDS)
@examples(3)
def test_hidden_cards_do_not_change_the_data(game: str, seats: int, seed: int) -> None:
    for number, state in enumerate(whole_games(game, seats, seed)):
        seen = viewers(state)
        viewer = seen[number % len(seen)]
        view = state.view(viewer)
        twin = parure.determinize(view, seed=seed + number)
        text = msgspec.json.encode(view_data(view))
        assert msgspec.json.encode(view_data(twin.view(viewer))) == text
        assert not hidden_cards(view, state) & set(CARD.findall(text.decode()))


# --- false data -----------------------------------------------------------------------------------

Change = Callable[[Any], object]


def set_in(*path: str | int, to: object) -> Change:
    """Return a change that sets the value at a path."""

    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        data[path[-1]] = to

    return change


FALSE_PAYMENTS = [
    (set_in("buying", to=None), "buying in phase pay"),
    (set_in("phase", to="turn"), "buying in phase turn"),
    (set_in("buying", "gold_laid", to={"w": 3}), "gold is laid for 3 w"),
    (set_in("buying", "step", to="fly"), "no step"),
    (set_in("buying", "card", to="J3-01"), "was not legal"),
    (set_in("buying", "card", to="C99"), "no card of the game"),
    (set_in("buying", "price", to={"x": 1}), "no kind of token"),
    (set_in("buying", "price", to={"w": 500}), "more than there are"),
    (set_in("buying", "uses", to=5), "buying.uses"),
]
FALSE_DUEL = [
    (set_in("game", to="chess"), "names its game"),
    (set_in("seats", to=3), "for 2 players"),
    (set_in("options", to={"fast": True}), "no option"),
    (set_in("fair", to=True), "unknown field `fair`"),
    (set_in("turns", to="1"), "Expected `int`"),
    (set_in("turns", to=500), "no game has 500 turns"),
    (set_in("seat", to=2), "no seat 2"),
    (set_in("viewer", to=3), "no seat 3"),
    (set_in("phase", to="sleep"), "no phase"),
    (set_in("phase", to="over"), "has an outcome"),
    (set_in("phase", to="window"), "has no phase window"),
    (set_in("phase", to="royal"), "no royal is due"),
    (set_in("phase", to="reserve"), "reserves_left in phase reserve"),
    (set_in("phase", to="steal"), "nothing can be done"),
    (set_in("outcome", to={"winners": [0], "reason": "points"}), "has an outcome"),
    (set_in("reserves_left", to=1), "reserves_left in phase turn"),
    (set_in("is_bribe", to=True), "a bribe"),
    (set_in("pyramid", to=[[], [], []]), "levels of 5, 4 and 3 places"),
    (set_in("pyramid", 0, 0, to="J9-99"), "no card of it"),
    (set_in("pyramid", 0, 0, to="J2-01"), "of level 2"),
    (set_in("pyramid", 0, 0, to="??1"), "no card of it"),
    (set_in("pyramid", 0, 0, to=None), "but there are 30"),
    (
        lambda data: set_in("pyramid", 0, 0, to=data["pyramid"][0][1])(data),
        "is in the pyramid twice",
    ),
    (set_in("deck_sizes", 2, to=11), "but there are 13"),
    (set_in("deck_sizes", to=[1]), "three decks"),
    (set_in("cards", to={}), "cards: {}"),
    (set_in("kind", to="splendor"), "Invalid value 'splendor'"),
    (set_in("phase", to="end"), "no phase"),
    (set_in("players", 0, "seat", to=1), "seat of seat 0"),
    (set_in("players", 0, "token_count", to=1), "token_count of seat 0"),
    (set_in("players", 0, "token_limit", to=11), "token_limit of seat 0"),
    (set_in("players", 1, "reserve_limit", to=4), "reserve_limit of seat 1"),
    (set_in("players", 1, "goals", to={"points": 15}), "goals of seat 1"),
    (set_in("board", "a1", to="x"), "no kind of token"),
    (set_in("board", "z9", to="w"), "no cell"),
    (set_in("board", to={}), "does not fit the rest"),
    (set_in("bag", to={"w": 1}), "bag"),
    (set_in("privileges", to=3), "privileges"),
    (set_in("royals", to=["R1", "R2", "R3", "R5"]), "end with R4"),
    (set_in("royals", to=["R1", "R1"]), "twice"),
    (set_in("royals", to=["R1", "R2", "R3"]), "3 on the table and 3 in all"),
    (set_in("counterfeiters", to=["C01"]), "no Counterfeiters in duel"),
    (set_in("players", to=[]), "there are 2 players"),
    (set_in("players", 0, "points", to=19), "points of seat 0: 19 does not fit the rest, 0 would"),
    (set_in("players", 0, "tokens", to={"w": 5}), "9 white tokens: the game has 4"),
    (set_in("players", 0, "tokens", to={"v": 1}), "no kind of token"),
    (set_in("players", 0, "privileges", to=3), "3 privileges exist"),
    (set_in("players", 0, "reserved", to=["??1"]), "knows its own reserve"),
    (set_in("players", 1, "reserved", to=["??1"] * 4), "too many"),
    (set_in("players", 1, "reserved", to=["??1"]), "but there are 30"),
    (set_in("players", 1, "shown", to=["J1-01"]), "shows what it has reserved"),
    (set_in("players", 1, "is_warned", to=True), "only with options:anti-blocking"),
    (set_in("players", 0, "joker_colors", to={"J1-26": "w"}), "no joker of the seat"),
    (set_in("turn", "gaps", to=[0]), "no gap"),
    (set_in("turn", "gaps", to=[12]), "no gap"),
    (set_in("turn", "can_claim", to=True), "an option"),
    (set_in("turn", "used", to=["C99"]), "no card of it"),
    (set_in("turn", "royals_due", to=9), "royals_due"),
    (set_in("looking", to={"level": 1, "number": 3}), "looking in phase turn"),
    (set_in("known_in_decks", to=[{"level": 4, "depth": 0, "card": "J1-01"}]), "only C17"),
    (set_in("known_in_decks", to=[{"level": 3, "depth": 10, "card": "J3-01"}]), "only C17"),
    (lambda data: data.pop("board"), "missing required field `board`"),
]


def refusal(data: Any, change: Change) -> str:
    """Return why changed data is refused, in one line."""
    data = deepcopy(data)
    change(data)
    with pytest.raises(InvalidPosition) as refused:
        parse_view(data)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_false_data_of_duel_is_refused() -> None:
    data = data_of(parure.new("duel", seed=7).view(0))
    for change, reason in FALSE_DUEL:
        assert reason in refusal(data, change)


def test_a_false_payment_is_refused() -> None:
    state = duel(Seat(tokens="rrkkyy"), face_up="J1-01")
    play(state, "buy J1-01")
    assert state.phase == "pay"
    for change, reason in FALSE_PAYMENTS:
        assert reason in refusal(data_of(state.view(0)), change)


def test_a_false_price_of_splendor_is_refused() -> None:
    """A price that the seat cannot pay would take more gold than it has."""
    games = (state for seed in range(20) for state in whole_games("splendor", 2, seed))
    state = next(state for state in games if state.phase == "pay")
    data = data_of(state.view(state.seat))
    price = {**data["buying"]["price"], "w": 7}
    assert "price is not that" in refusal(data, set_in("buying", "price", to=price))


def test_a_false_look_into_a_deck_is_refused() -> None:
    me = Seat(tokens="vvvvw", counterfeiters="C17")
    state = duel(me, game=DUEL_COUNTERFEITERS)
    play(state, next(text for text in state.legal_decisions if text.startswith("take")))
    play(state, "use C17", "deck 2")
    assert state.phase == "keep"
    data = data_of(state.view(0))
    assert parse_view(data) == state.view(0)
    assert "knows them" in refusal(data, forget_decks)
    for level, depth, reason in ((4, 0, "no deck 4"), (3, 10, "has no card 10")):
        place = {"level": level, "depth": depth, "card": "J3-01"}
        assert reason in refusal(data, set_in("known_in_decks", to=[place]))
    assert "two cards" in refusal(data, set_in("phase", to="bottom"))
    assert "looking in phase keep" in refusal(data, set_in("looking", to=None))


def forget_decks(data: Any) -> None:
    """Remove what the viewer knows of the decks."""
    data["known_in_decks"] = []
    drop_unnamed(data)


def drop_unnamed(data: Any) -> None:
    """Remove the facts of cards that are no longer named."""
    named = json.dumps({key: value for key, value in data.items() if key != "cards"})
    data["cards"] = {name: facts for name, facts in data["cards"].items() if name in named}


FALSE_SPLENDOR = [
    (set_in("seats", to=5), "seats"),
    (set_in("seats", to=4), "there are 4 players"),
    (set_in("nobles", to=["N01", "N02"]), "3 players have 4 nobles"),
    (set_in("nobles", to=["N01", "N02", "N03", "N99"]), "no card of it"),
    (set_in("supply", "w", to=4), "supply"),
    (set_in("passes", to=3), "end the game"),
    (set_in("phase", to="noble"), "nothing can be done"),
    (set_in("phase", to="pay"), "paid for in phase pay"),
    (set_in("players", 2, "bonuses", to={"w": 1}), "bonuses of seat 2"),
    (set_in("players", 0, "tokens", to={"p": 1}), "no kind of token"),
    (set_in("players", 0, "tokens", to={"w": -1}), "tokens"),
]


def test_false_data_of_splendor_is_refused() -> None:
    data = data_of(splendor(Seat(tokens="ww"), Seat(), Seat()).view(0))
    for change, reason in FALSE_SPLENDOR:
        assert reason in refusal(data, change)


@pytest.mark.parametrize("data", [None, 7, "duel", [], {}, {"game": []}, {"game": "duel"}])
def test_data_that_is_no_view_is_refused(data: object) -> None:
    with pytest.raises(InvalidPosition):
        parse_view(data)


# --- data with random errors: what is accepted can be played -------------------------------------


def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths to all values, but for what is printed on cards."""
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in items:
        if path or key != "cards":
            yield (*path, key)
            if isinstance(value, (dict, list)):
                yield from leaves(value, (*path, key))


def value_at(data: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        data = data[step]
    return data


def corrupted(data: Any, other: Any, random: Random) -> Any:
    """Return data with a value from another place or moment, or with a number changed a little."""
    data = deepcopy(data)
    path = random.choice(list(leaves(data)))
    value = value_at(data, path)
    if isinstance(value, int) and not isinstance(value, bool):
        value = max(0, value + random.choice([-2, -1, 1, 2, 3]))
    elif isinstance(value, bool):
        value = not value
    else:
        alike = [p for p in leaves(other) if p[-1] == path[-1] or random.random() < 0.02]
        value = deepcopy(value_at(other, random.choice(alike or [path[:1]])))
    set_in(*path, to=value)(data)
    drop_unnamed(data)
    return data


@each_game
@given(seed=SEEDS)
@examples(4)
def test_a_view_that_is_accepted_can_be_played_to_the_end(game: str, seats: int, seed: int) -> None:
    random = Random(seed)
    moments = [data_of(s.view(s.seat)) for s in whole_games(game, seats, seed) if not s.is_over]
    for _ in range(150 if JIT else 40):
        data = corrupted(random.choice(moments), random.choice(moments), random)
        try:
            view = parse_view(data)
        except InvalidPosition:
            continue
        guess = parure.determinize(view, seed=seed)
        while not guess.is_over:
            guess.play(random.choice(guess.legal_decisions))
