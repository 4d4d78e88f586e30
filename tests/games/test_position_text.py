"""Position texts: they give the same position again, hide what is hidden, and cannot be false."""

from __future__ import annotations

import re
from random import Random
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.hidden_information import CARD, hidden_cards, viewers
from tests.games.positions import DUEL_COUNTERFEITERS, Seat, duel, play
from tests.games.random_games import SEEDS, each_game, examples
from tests.games.test_view_schema import whole_games

import parure
from parure.errors import InvalidPosition, NotationError
from parure.games.duel import layout as duel_layout
from parure.games.engine.jit import JIT
from parure.games.position_text import MAX_LENGTH, parse_position, reshuffled
from parure.games.splendor import layout as splendor_layout
from parure.games.state import State
from parure.games.view import View

SPLENDOR = (
    "splendor-3/view:0/seat:0/turns:30/D1:20,13,35,22/D2:07,15,09,29/D3:08,01,12,11/N:02,04,05"
    "/tokens0:wuy/cards0:D1-01,D1-02,N01/reserved0:D2-01?,D2-02/tokens1:kk/reserved1:??3"
)
PLAIN = (
    "duel/view:0/seat:0/turns:9/J1:27,13,01,30,04/J2:23,05,02,01/J3:11,08,03"
    "/board:ugrk.,wpgyw,uyrpr,gkukw,ukrwy/tokens0:g/cards0:J1-02,J1-28k/reserved1:J2-03,??1"
    "/privileges1:1"
)


# --- from position to text and back ---------------------------------------------------------------


@each_game
@given(seed=SEEDS)
@examples(3)
def test_a_text_gives_the_position_again(game: str, seats: int, seed: int) -> None:
    for number, state in enumerate(whole_games(game, seats, seed)):
        seen = viewers(state)
        position = state if number % 2 else state.view(seen[number // 2 % len(seen)])
        text = position.text()
        again = parure.position(text)
        assert again == position
        assert again.text() == text
        assert again.legal_decisions.ids == position.legal_decisions.ids


@each_game
@given(seed=SEEDS)
@examples(1)
def test_games_that_stop_anywhere_have_texts(game: str, seats: int, seed: int) -> None:
    for state in whole_games(game, seats, seed):
        if not state.is_over:
            stopped = state.copy()
            stopped.resign()
            for position in (stopped, stopped.view(0)):
                assert parure.position(position.text()) == position


def test_every_phase_has_texts_from_every_seat() -> None:
    phases: set[str] = set()
    for seed in range(12 if JIT else 1):
        for state in whole_games(DUEL_COUNTERFEITERS, 2, seed):
            if state.phase not in phases or state.phase in ("keep", "bottom", "pay"):
                phases.add(state.phase)
                for position in (state, *map(state.view, viewers(state))):
                    assert parure.position(position.text()) == position
    assert not JIT or phases == set(duel_layout.PHASES)


def test_every_phase_of_splendor_has_texts() -> None:
    phases: set[str] = set()
    for seed in range(12 if JIT else 1):
        for state in whole_games("splendor", 2, seed):
            if state.phase not in phases:
                phases.add(state.phase)
                assert parure.position(state.text()) == state
    assert not JIT or phases == set(splendor_layout.PHASES)


@each_game
def test_a_state_can_be_played_on_in_the_same_way(game: str, seats: int) -> None:
    state = parure.new(game, players=seats, seed=3)
    one, two = (parure.position(state.text()) for _ in range(2))
    assert isinstance(one, State)
    assert isinstance(two, State)
    random = Random(1)
    while not one.is_over:
        decision = random.choice(list(one.legal_decisions))
        assert one.play(decision) == two.play(decision)
    assert one == two


# --- what a text looks like -----------------------------------------------------------------------


@each_game
def test_a_text_fits_in_an_address(game: str, seats: int) -> None:
    for state in whole_games(game, seats, 1):
        for position in (state, state.view(state.seat)):
            text = position.text()
            assert re.fullmatch(r"[\w/:,.?-]+", text, re.ASCII)
            assert quote(text, safe="/:,.?-") == text
            assert len(text) < 1000


def test_only_what_is_not_derived_is_written() -> None:
    text = parure.new("duel", seed=7).view(1).text()
    assert re.sub(r":[^/]*", "", text) == "duel/view/seat/turns/J1/J2/J3/board/privileges1"


def test_spelling_is_lenient() -> None:
    view = parure.position(PLAIN)
    for text in (
        PLAIN.upper(),
        PLAIN.replace("/", " "),
        f" {PLAIN}\n",
        PLAIN.replace("J1:27", "j1:J1-27").replace("cards0:J1-02", "cards0:1-02"),
        "/".join([PLAIN.split("/")[0], *reversed(PLAIN.split("/")[1:])]),
        PLAIN.replace("view:0/", "").replace("seat:0/", ""),
    ):
        assert parure.position(text) == view
    state = parure.new(DUEL_COUNTERFEITERS, seed=1)
    for name in ("duel+counterfeiters", "duel counterfeiters"):
        assert parure.position(state.text().replace("duel-counterfeiters", name)) == state


def test_states_and_views_are_told_apart() -> None:
    state = parure.new("splendor", seed=1)
    assert isinstance(parure.position(state.text()), State)
    without_decks = re.sub(r"/deck.*", "", state.text())
    view = parure.position(without_decks)
    assert isinstance(view, View)
    assert view == state.view(0)
    watcher = parure.position(f"{without_decks}/view:all")
    assert watcher == state.view(None)


def test_derived_values_come_from_the_cards() -> None:
    view = parure.position(PLAIN)
    me = view.players[0]
    assert (me.points, me.bonuses) == (1, {"w": 1, "k": 1})
    assert view.deck_sizes == (22, 19, 10)


def test_a_payment_is_written_as_its_decisions() -> None:
    me = Seat(tokens="rrkkyy")
    state = duel(me, face_up="J1-01")
    play(state, "buy J1-01", "gold-for r")
    assert "/phase:pay/" in state.text()
    assert "/buying:J1-01,r/" in state.text()
    # `phase:pay` follows from `buying`
    assert parure.position(state.text().replace("/phase:pay", "")) == state


# --- nothing hidden -------------------------------------------------------------------------------


@each_game
@given(seed=SEEDS)
@examples(2)
def test_hidden_cards_do_not_change_the_text_of_a_view(game: str, seats: int, seed: int) -> None:
    for number, state in enumerate(whole_games(game, seats, seed)):
        seen = viewers(state)
        viewer = seen[number % len(seen)]
        view = state.view(viewer)
        twin = parure.determinize(view, seed=seed + number)
        assert twin.view(viewer).text() == view.text()
        named = set(CARD.findall(" ".join(cards_with_names(view.text()))))
        assert not hidden_cards(view, state) & named


def cards_with_names(text: str) -> list[str]:
    """Return all cards of a text by their whole names."""
    letter = "J" if text.startswith("duel") else "D"
    names = CARD.findall(text)
    for key, items in re.findall(r"/(?:[JD]|deck)([123]):([^/]*)", text):
        names += [f"{letter}{key}-{item}" for item in items.split(",") if item.isdigit()]
    return names


@pytest.mark.parametrize("game", ["duel", DUEL_COUNTERFEITERS, "splendor"])
def test_a_reshuffled_start_leads_to_the_same_views(game: str) -> None:
    start = parure.new(game, seed=5)
    for _ in range(20):
        start.play(Random(len(start.decisions)).choice(list(start.legal_decisions)))
    state = parure.new(position=start, seed=1)
    random = Random(2)
    while len(state.decisions) < 20 and not state.is_over:
        state.play(random.choice(list(state.legal_decisions)))
    text = reshuffled(state, Random(3))
    assert text != start.text()
    again = parure.position(text)
    assert isinstance(again, State)
    for decision in state.decisions:
        again.play(decision)
    assert again != state
    assert [again.view(seat) for seat in viewers(again)] == [
        state.view(seat) for seat in viewers(state)
    ]


# --- false texts ----------------------------------------------------------------------------------

FALSE_SPLENDOR = [
    ("splendor-3", "splendor-5", "2 to 4 players"),
    ("splendor-3", "chess", "no game is called 'chess'"),
    ("seat:0", "seat:3", "seat: '3' is no number from 0 to 2"),
    ("view:0", "view:x", "view: 'x' is no number"),
    ("turns:30", "turns:500", "no game has 500 turns"),
    ("turns:30", "turns:30/phase:noble", "nothing can be done in phase noble"),
    ("turns:30", "turns:30/phase:discard", "seat 0 holds 3 tokens and returns none"),
    ("turns:30", "turns:30/turns:31", "turns is given twice"),
    ("turns:30", "turns:30/speed:9", "no field speed"),
    ("turns:30", "turns:30/result:points,0", "the game has not ended by points"),
    ("turns:30", "turns:30/result:luck,0", "timeout, not by 'luck'"),
    ("turns:30", "turns", "'turns' is no field"),
    ("D1:20", "D1:21,20", "D1 lists 5 cards for 4 places"),
    ("D1:20", "D1:,20", "D1: an item is missing"),
    ("D1:20", "D1:-", "level 1 has a gap and a deck of 35"),
    ("D1:20", "D1:41", "'D1-41' is no card of it"),
    ("D1:20", "D1:01", "D1-01 is in the pyramid and in seat 0's cards"),
    ("D1:20", "D1:D2-20", "D2-20 is of level 2"),
    ("/D2:07,15,09,29", "", "lacks D2"),
    ("N:02", "N:01", "N01 is in seat 0's cards and in the nobles on the table"),
    ("N:02,04,05", "N:02,04", "3 players have 4 nobles"),
    ("tokens0:wuy", "tokens0:wwwwwwuy", "6 white tokens: the game has 5"),
    ("tokens0:wuy", "tokens0:wxy", "'x' is no kind of token"),
    ("tokens1:kk", "tokens1:kkkkkuuuwww", "seat 1 holds 11 tokens"),
    ("reserved0:D2-01?", "reserved0:??2", "seat 0 knows its own reserve"),
    ("reserved1:??3", "reserved1:??1,??1,??1,??1", "reserved too many"),
    ("reserved1:??3", "reserved1:??4", "is no card; write D1-05 or"),
    ("reserved1:??3", "reserved1:D3-02?", "D3-02: nobody sees .*; write ..3"),
    ("reserved1:??3", "reserved1:??3,", "reserved1: an item is missing"),
    ("cards0:", "cards0:D1-3,", "'d1-3' is no card; write D1-05$"),
    ("cards0:", "cards0:07,", "'07' is no card; write D1-05$"),
    ("reserved1:??3", "reserved1:??3/deck1:??,05", "nobody has seen a card of a deck"),
    ("reserved1:??3", "reserved1:??3/known0:D1-05", "for states"),
    ("reserved1:??3", "reserved1:??3/buying:D3-08", "'buy D3-08' was not legal"),
]
FALSE_DUEL = [
    ("J1:27", "J1:-", "place 0 is empty and would have been refilled: its deck has 23"),
    ("board:ugrk.", "board:ugrk", "five rows of five cells"),
    ("board:ugrk.", "board:ugrkx", "five rows of five cells"),
    ("board:ugrk.", "board:ugrky", "4 gold tokens: the game has 3"),
    ("board:ugrk.", "board:ugrkv", "'v' is no kind of token here"),
    ("J1-28k", "J1-28", "the joker J1-28 of seat 0 lacks its color"),
    ("J1-02", "J1-02k", "no joker of the seat"),
    ("cards0:J1-02", "cards0:J1-02,R1", "0 crowns, 1 royals"),
    ("cards0:J1-02", "cards0:J3-03", "J3-03 is in the pyramid and in seat 0's cards"),
    ("cards0:J1-02", "cards0:J2-21w,J2-22w", "and 0 due"),
    ("privileges1:1", "privileges1:1/privileges0:3", "3 privileges exist"),
    ("privileges1:1", "privileges1:1/flags:claim", "claiming is an option"),
    ("privileges1:1", "privileges1:1/flags:flying", "flags: 'flying'"),
    ("privileges1:1", "privileges1:1/warned:0", "only with options:anti-blocking"),
    ("privileges1:1", "privileges1:1/R:1,2", "2 on the table and 2 in all"),
    ("privileges1:1", "privileges1:1/due:3", "due: '3' is no number from 0 to 2"),
    ("reserved1:J2-03", "reserved1:J2-03?", "only C17 shows hidden cards"),
    ("privileges1:1", "privileges1:1/collecting:gold", "collecting in phase turn"),
    ("privileges1:1", "privileges1:1/collecting:token-g/phase:collect-more", "does not collect"),
    ("privileges1:1", "privileges1:1/phase:window", "has no phase window"),
    ("privileges1:1", "privileges1:1/phase:discard", "seat 0 holds 1 tokens and returns none"),
    ("privileges1:1", "privileges1:1/phase:royal", "and 1 due"),
    ("privileges1:1", "privileges1:1/deck1:??x20,05,06", "only C17|nobody has seen"),
    ("privileges1:1", "privileges1:1/deck1:??x9", "deck 1 has 22 cards, not 9"),
    ("privileges1:1", "privileges1:1/buying:J1-01,k", "'buy J1-01' was not legal"),
]


@pytest.mark.parametrize(("old", "new", "reason"), FALSE_SPLENDOR)
def test_a_false_text_of_splendor_is_refused(old: str, new: str, reason: str) -> None:
    parure.position(SPLENDOR)
    with pytest.raises((InvalidPosition, NotationError), match=reason):
        parure.position(SPLENDOR.replace(old, new, 1))


@pytest.mark.parametrize(("old", "new", "reason"), FALSE_DUEL)
def test_a_false_text_of_duel_is_refused(old: str, new: str, reason: str) -> None:
    parure.position(PLAIN)
    with pytest.raises((InvalidPosition, NotationError), match=reason):
        parure.position(PLAIN.replace(old, new, 1))


FALSE_STATES = [
    (r"deck1:(\d\d),", r"deck1:", "deck 1 has 36 cards, not 35"),
    (r"deck1:(\d\d),(\d\d)", r"deck1:\1,\1", "deck 1"),
    (r"/deck2:[^/]*", "", "deck 2 has 26 cards, not 0"),
    (r"deck1:\d\d", "deck1:41", "'D1-41' is no card of it"),
    (r"D1:(\d\d)(.*)deck1:\d\d", r"D1:\1\2deck1:\1", "is in the pyramid and in deck 1"),
    (r"$", "/known0:D1-05", "nobody has seen a card of a deck"),
    (r"$", "/reserved1:D2-96?", "seat 1's reserve: 'D2-96' is no card of it"),
]


@pytest.mark.parametrize(("old", "new", "reason"), FALSE_STATES)
def test_a_false_state_is_refused(old: str, new: str, reason: str) -> None:
    text = parure.new("splendor", seed=7).text()
    with pytest.raises(InvalidPosition, match=reason):
        parure.position(re.sub(old, new, text, count=1))


@pytest.mark.parametrize(
    "text", ["", "/", "duel", "splendor-3/", "::", "x" * (MAX_LENGTH + 1), "é"]
)
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises((InvalidPosition, NotationError)):
        parure.position(text)


@pytest.mark.parametrize("value", [None, 7, b"duel", ["duel"]])
def test_only_texts_are_read(value: object) -> None:
    with pytest.raises(NotationError, match="a position is a text"):
        parure.position(value)  # type: ignore[arg-type]


# --- random errors --------------------------------------------------------------------------------


@given(text=st.text(alphabet="duelspndor-23/:,?.xJD10wugrkpvy \n", max_size=80))
@examples(200)
def test_random_texts_are_refused(text: str) -> None:
    with pytest.raises((InvalidPosition, NotationError)):
        parse_position(f"duel/{text}")


def mutated(text: str, other: str, random: Random) -> str:
    """Return a text with a field, an item or a character from elsewhere, or without one."""
    fields, others = text.split("/"), other.split("/")
    place = random.randrange(1, len(fields))
    kind = random.randrange(6)
    if kind == 0:
        del fields[place]
    elif kind == 1:
        fields.insert(place, random.choice(others))
    elif kind == 2:
        key = fields[place].partition(":")[0]
        fields[place] = next((f for f in others if f.startswith(f"{key}:")), random.choice(others))
    elif kind == 3:
        key, _, value = fields[place].partition(":")
        items = value.split(",")
        donors = [item for f in others for item in f.partition(":")[2].split(",")]
        items[random.randrange(len(items))] = random.choice(donors)
        fields[place] = f"{key}:{','.join(items)}"
    else:
        joined, i = "/".join(fields), random.randrange(len(text))
        sign = random.choice("wugrkpvy.?-,:/0123456789JDCRNx")
        return joined[:i] + sign * (kind == 4) + joined[i + random.randrange(2) :]
    return "/".join(fields)


@each_game
@given(seed=SEEDS)
@examples(4)
def test_a_text_that_is_accepted_can_be_played_to_the_end(game: str, seats: int, seed: int) -> None:
    random = Random(seed)
    texts = []
    for state in whole_games(game, seats, seed):
        if not state.is_over:
            texts += [state.text(), state.view(state.seat).text()]
    for _ in range(150 if JIT else 30):
        text = mutated(random.choice(texts), random.choice(texts), random)
        try:
            position = parure.position(text)
        except (InvalidPosition, NotationError):
            continue
        assert parure.position(position.text()) == position
        state = parure.new(position=position, seed=seed)
        while not state.is_over:
            state.play(random.choice(state.legal_decisions))
