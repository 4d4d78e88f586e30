"""Laws that hold in every state of every game, checked along random games."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.random_games import SEEDS, each_game, examples

import parure
from parure.envs import Games
from parure.errors import IllegalDecision, NotationError
from parure.games import record
from parure.games.duel import layout as duel_layout
from parure.games.duel.cards import COUNTERFEITERS, JEWELS, ROYALS
from parure.games.duel.state import DuelState
from parure.games.engine.tokens import GEMS
from parure.games.playouts import REASON, generators, play_out
from parure.games.position import Outcome
from parure.games.registry import rules
from parure.games.rules import Rules
from parure.games.splendor.cards import DEVELOPMENTS, NOBLES
from parure.games.splendor.state import SplendorState
from parure.games.state import State

SIZES = {"duel": 389, "duel+counterfeiters": 596, "splendor": 236}

# --- random games ---------------------------------------------------------------------------------

Player = Callable[[State, Random], str]


def choose_decision(state: State, random: Random) -> str:
    return str(random.choice(state.legal_decisions))


def choose_verb(state: State, random: Random) -> str:
    """Choose a random verb, then one of its decisions, so that rare verbs are as frequent."""
    verbs: dict[str, list[str]] = {}
    for text in state.legal_decisions:
        verbs.setdefault(text.split()[0], []).append(text)
    return random.choice(verbs[random.choice(sorted(verbs))])


def collect_counterfeiters(state: State, random: Random) -> str:
    """Prefer Counterfeiters and rarely buy jewels: long games that empty the decks and the bag."""
    for wanted in ("buy C", "use", "counterfeiter", "reserve deck", "gold ", "replenish"):
        some = [text for text in state.legal_decisions if text.startswith(wanted)]
        if some and random.random() < 0.6:
            return random.choice(some)
    others = [text for text in state.legal_decisions if not text.startswith("buy")]
    return random.choice(
        others if others and random.random() < 0.7 else list(state.legal_decisions)
    )


PLAYERS = (choose_decision, choose_verb, collect_counterfeiters)


def random_game(
    game: str, seats: int, seed: int, options: dict[str, bool] | None = None
) -> Iterator[State]:
    """Yield one state after each decision of a random game that depends only on the seed."""
    random = Random(seed)
    player = random.choice(PLAYERS)
    state = parure.new(game, players=seats, seed=seed, options=options)
    yield state
    while not state.is_over:
        state.play(player(state, random))
        yield state


def finished_game(game: str, seats: int, seed: int) -> State:
    *_, state = random_game(game, seats, seed)
    return state


# --- conservation of tokens and cards -------------------------------------------------------------


def all_tokens(state: Any) -> Counter[str]:
    if state.game == "splendor":
        around = Counter(state.supply)
    else:
        around = Counter(state.board.values()) + Counter(state.bag)
    return sum((Counter(player.tokens) for player in state.players), around)


@each_game
@given(seed=SEEDS)
@examples(16)
def test_tokens_are_conserved(game: str, seats: int, seed: int) -> None:
    if game == "splendor":
        gems = {2: 4, 3: 5, 4: 7}[seats]
        expected = dict.fromkeys(GEMS, gems) | {"y": 5}
    else:
        expected = dict.fromkeys(GEMS, 4) | {"p": 2, "y": 3}
        expected |= {"v": 4} if game != "duel" else {}
    for state in random_game(game, seats, seed):
        assert all_tokens(state) == expected
        if game != "splendor":
            assert isinstance(state, DuelState)
            assert 0 <= state.privileges <= 3
            assert all(player.privileges >= 0 for player in state.players)


def all_cards(state: Any) -> list[str]:
    """Return all cards of the decks; a card in two places is listed twice."""
    places = [*state.pyramid, *(state.deck(level) for level in (1, 2, 3))]
    places += [cards for player in state.players for cards in (player.reserved, player.cards)]
    return sorted(card for place in places for card in place if card)


@each_game
@given(seed=SEEDS)
@examples(12)
def test_each_card_is_in_one_place(game: str, seats: int, seed: int) -> None:
    deck = DEVELOPMENTS if game == "splendor" else JEWELS
    expected = sorted(card.id for card in deck)
    for state in random_game(game, seats, seed):
        assert all_cards(state) == expected


@given(seed=SEEDS)
@examples(12)
def test_each_royal_and_counterfeiter_is_in_one_place(seed: int) -> None:
    state: Any
    for state in random_game("duel+counterfeiters", 2, seed):
        royals = [ROYALS[n].id for n in state._deck_numbers(duel_layout.ROYAL_DECK)]
        royals += [*state.royals, *state.players[0].royals, *state.players[1].royals]
        assert sorted(royals) == sorted(royal.id for royal in ROYALS)
        cards = [state.card_names[n] for n in state._deck_numbers(duel_layout.COUNTERFEITER_DECK)]
        cards += [card for card in state.counterfeiters if card]
        cards += [card for player in state.players for card in player.counterfeiters]
        assert sorted(cards) == [card.id for card in COUNTERFEITERS]


@pytest.mark.parametrize("seats", [2, 3, 4])
@given(seed=SEEDS)
@examples(6)
def test_nobles_are_conserved(seats: int, seed: int) -> None:
    state: Any
    for state in random_game("splendor", seats, seed):
        nobles = [*state.nobles, *(noble for player in state.players for noble in player.nobles)]
        assert len(nobles) == len(set(nobles)) == seats + 1


def test_draw_conserves_tokens() -> None:
    state: Any = parure.new("duel+counterfeiters", seed=1)
    expected = all_tokens(state)
    state.words[duel_layout.PHASE] = duel_layout.DRAW
    state.play("draw 2")
    assert all_tokens(state) == expected


# --- points, crowns and bonuses -------------------------------------------------------------------


@given(seed=SEEDS, game=st.sampled_from(["duel", "duel+counterfeiters"]))
@examples(24)
def test_points_crowns_and_bonuses_of_duel_follow_from_cards(seed: int, game: str) -> None:
    jewels = {jewel.id: jewel for jewel in JEWELS}
    royals = {royal.id: royal for royal in ROYALS}
    counterfeiters = {card.id: card for card in COUNTERFEITERS}
    for state in random_game(game, 2, seed):
        assert isinstance(state, DuelState)
        for player in state.players:
            bonuses: Counter[str] = Counter()
            by_color: Counter[str] = Counter()
            for card in map(jewels.__getitem__, player.cards):
                color = player.joker_colors.get(card.id, card.color)
                if color in GEMS:
                    bonuses[color] += card.bonus
                    by_color[color] += card.points
            points = sum(jewels[card].points for card in player.cards)
            crowns = sum(jewels[card].crowns for card in player.cards)
            crowns += sum(counterfeiters[card].crowns for card in player.counterfeiters)
            assert player.points == points + sum(royals[card].points for card in player.royals)
            assert player.crowns == crowns
            assert player.bonuses == bonuses
            assert player.points_by_color == +by_color
            assert len(player.reserved) <= player.reserve_limit


@pytest.mark.parametrize("seats", [2, 3, 4])
@given(seed=SEEDS)
@examples(8)
def test_points_and_bonuses_of_splendor_follow_from_cards(seats: int, seed: int) -> None:
    developments = {card.id: card for card in DEVELOPMENTS}
    nobles = {noble.id: noble for noble in NOBLES}
    for state in random_game("splendor", seats, seed):
        assert isinstance(state, SplendorState)
        for player in state.players:
            cards = [developments[card] for card in player.cards]
            points = sum(card.points for card in cards)
            assert player.points == points + sum(nobles[noble].points for noble in player.nobles)
            assert player.bonuses == Counter(card.color for card in cards)
            assert len(player.reserved) <= 3


# --- turns and phases -----------------------------------------------------------------------------


@each_game
@given(seed=SEEDS)
@examples(16)
def test_turns_and_phases(game: str, seats: int, seed: int) -> None:
    turns = -1
    for state in random_game(game, seats, seed):
        if state.turns > turns:
            turns = state.turns
            assert state.is_over or state.phase == "turn"
            for player in state.players:
                counted = Counter(player.tokens)
                if "C12" in getattr(player, "counterfeiters", ()):
                    del counted["v"]
                assert counted.total() <= 10
        offered = set(state.legal_decisions)
        assert state.is_over == (not offered)
        assert state.is_over or offered - {"pay", "done"}, state
        assert "pass" not in offered or offered <= {"pass", "claim"}


# --- legal decisions ------------------------------------------------------------------------------


@each_game
@given(seed=SEEDS)
@examples(16)
def test_a_batch_equals_a_state_and_its_mask_the_legal_decisions(
    game: str, seats: int, seed: int
) -> None:
    batch = Games(game, 1, players=seats, autoreset="off")
    texts = batch.rules.decision_texts
    before = parure.new(game, players=seats, seed=seed)
    for state in random_game(game, seats, seed):
        if state.decisions:
            text = state.decisions[-1].partition(" > ")[0]
            batch.set_state(0, before, int(before.rng[0]))
            rows, masks, _ = batch.step([batch.rules.decision(text)])
            assert (rows[0] == state.words).all()
            assert (batch.rngs[0] == state.rng).all()
            assert np.flatnonzero(masks[0]).tolist() == state.legal_decisions.ids
        assert list(state.legal_decisions) == [texts[i] for i in state.legal_decisions.ids]
        before = state.copy()


@each_game
@given(seed=SEEDS)
@examples(2)
def test_exactly_the_legal_decisions_are_accepted(game: str, seats: int, seed: int) -> None:
    first: dict[str, State] = {}  # state of each phase
    for state in random_game(game, seats, seed):
        first.setdefault(state.phase, state.copy())
    for phase in Random(seed).sample(sorted(first), min(len(first), 5)):
        try_all_decisions(first[phase])


def try_all_decisions(state: State) -> None:
    legal = set(state.legal_decisions.ids)
    before = pickle.dumps(state)
    trial = state.copy()
    for number, text in enumerate(state.rules.decision_texts):
        assert (text in state.legal_decisions) == (number in legal)
        if number in legal:
            assert state.copy().play(number).partition(" > ")[0] == text
            continue
        with pytest.raises(IllegalDecision) as refused:
            trial.play(text)
        assert refused.value.decision == text
        assert refused.value.reason in str(refused.value)
    assert pickle.dumps(trial) == pickle.dumps(state) == before
    for number in (-1, len(state.rules.decision_texts)):
        with pytest.raises(NotationError):
            trial.play(number)


# --- the decision space ---------------------------------------------------------------------------


@each_game
def test_texts_and_integers_of_decisions_are_a_bijection(game: str, seats: int) -> None:
    game_rules = rules(game, seats)
    assert len(game_rules.decision_texts) == len(set(game_rules.decision_texts)) == SIZES[game]
    assert [game_rules.decision(text) for text in game_rules.decision_texts] == list(
        range(SIZES[game])
    )
    for text in game_rules.decision_texts:
        assert text == " ".join(text.split())


def test_decisions_of_duel_are_a_prefix_of_those_with_counterfeiters() -> None:
    plain, full = rules("duel").decision_texts, rules("duel+counterfeiters").decision_texts
    assert full[: len(plain)] == plain


@each_game
@given(text=st.text() | st.from_regex(r"(take|buy|reserve|keep|use)[ a-eJCD0-9-]{0,9}"))
def test_no_other_text_is_a_decision(game: str, seats: int, text: str) -> None:
    game_rules = rules(game, seats)
    if text not in game_rules.decision_texts:
        with pytest.raises(NotationError):
            game_rules.decision(text)


# --- records, copies, undo ------------------------------------------------------------------------


@each_game
@given(seed=SEEDS)
@examples(12)
def test_replaying_a_record_gives_the_same_states(game: str, seats: int, seed: int) -> None:
    rows = []
    for state in random_game(game, seats, seed):
        rows.append(state.words.copy())
    text = record.encode(state.record())
    again = record.decode(text)
    assert record.encode(again) == text
    for i, replayed in enumerate(record.replay(again)):
        assert (replayed.words == rows[i]).all()
    assert i == len(rows) - 1
    assert replayed == state
    assert replayed.outcome == state.outcome
    assert record.encode(replayed.record()) == text
    assert [replayed.log(seat) for seat in range(seats)] == [
        state.log(seat) for seat in range(seats)
    ]


@each_game
@given(seed=SEEDS, part=st.floats(0, 1))
@examples(8)
def test_a_game_in_progress_can_be_recorded(game: str, seats: int, seed: int, part: float) -> None:
    whole = finished_game(game, seats, seed)
    number = int(part * (len(whole.decisions) - 1))
    state = parure.new(game, players=seats, seed=seed)
    for text in whole.decisions[:number]:
        state.play(text)
    *_, replayed = record.replay(record.decode(record.encode(state.record())))
    assert replayed == state
    assert replayed.outcome is None


COPIES: list[Callable[[State], State]] = [
    State.copy,
    copy.copy,
    copy.deepcopy,
    lambda state: pickle.loads(pickle.dumps(state)),
]


@each_game
@given(seed=SEEDS)
@examples(6)
def test_copies_are_equal_and_independent(game: str, seats: int, seed: int) -> None:
    for number, state in enumerate(random_game(game, seats, seed)):
        if number % 11 or state.is_over:
            continue
        duplicate = COPIES[number % len(COPIES)](state)
        assert duplicate == state
        assert hash(duplicate) == hash(state)
        assert duplicate.decisions == state.decisions
        assert str(duplicate) == str(state)
        before = state.words.copy(), state.rng.copy(), state.decisions.copy(), str(state)
        played, original = duplicate.play(duplicate.legal_decisions[-1]), state.copy()
        assert duplicate != state
        assert (state.words == before[0]).all()
        assert (state.rng == before[1]).all()
        assert (state.decisions, str(state)) == before[2:]
        assert original.play(original.legal_decisions[-1]) == played  # chance gives the same
        assert original == duplicate


@each_game
def test_views_can_be_copied_and_pickled(game: str, seats: int) -> None:
    view = parure.new(game, players=seats, seed=1).view(1)
    for duplicate in (copy.copy(view), copy.deepcopy(view), pickle.loads(pickle.dumps(view))):
        assert duplicate == view
        assert hash(duplicate) == hash(view)
        assert str(duplicate) == str(view)


@each_game
def test_views_can_be_copied_and_pickled_after_use(game: str, seats: int) -> None:
    view = parure.new(game, players=seats, seed=1).view(1)
    assert len(view.players) == seats
    for duplicate in (copy.copy(view), copy.deepcopy(view), pickle.loads(pickle.dumps(view))):
        assert duplicate == view


@each_game
@given(seed=SEEDS)
@examples(8)
def test_undo_restores_the_state_before(game: str, seats: int, seed: int) -> None:
    states = [state.copy() for state in random_game(game, seats, seed)]
    state = states.pop()
    for before in reversed(states[-12:]):
        whole = state.copy()
        text = state.undo()
        assert state == before
        assert state.decisions == before.decisions
        assert (state.rng == before.rng).all()
        assert state.copy().play(text.partition(" > ")[0]) == text  # chance gives the same
        again = state.copy()
        again.play(text)
        assert again == whole


# --- endings --------------------------------------------------------------------------------------


def reasons_of(game_rules: Rules, number: int) -> set[str]:
    results = play_out(game_rules, generators(1, 0, number))
    return {game_rules.layout.REASONS[reason] for reason in results[:, REASON]}


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("game", ["duel", "duel+counterfeiters"])
def test_random_duels_end_with_every_reason_to_win(game: str) -> None:
    assert reasons_of(rules(game), 2_000) >= {"points", "crowns", "color"}


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_games_of_splendor_end_with_points(seats: int) -> None:
    assert "points" in reasons_of(rules("splendor", seats), 2_000)


@pytest.mark.slow_without_jit
def test_random_games_of_splendor_can_end_in_stalemate() -> None:
    assert "stalemate" in reasons_of(rules("splendor", 2), 100_000)


def never_buy(state: State, random: Random) -> str:
    """Choose a random decision, but buy only if nothing else is legal."""
    others = [text for text in state.legal_decisions if not text.startswith("buy")]
    takes = [text for text in others if text.startswith(("take", "replenish"))]
    return random.choice(takes or others or list(state.legal_decisions))


@pytest.mark.parametrize("game", ["duel", "duel+counterfeiters"])
@pytest.mark.slow_without_jit
def test_a_duel_without_purchases_is_a_draw_at_the_limit(game: str) -> None:
    state = parure.new(game, seed=3)
    random = Random(3)
    while not state.is_over:
        state.play(never_buy(state, random))
    assert state.turns == 500
    assert state.outcome == Outcome((), "limit")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_splendor_is_scored_at_the_limit(seats: int) -> None:
    state = parure.new("splendor", players=seats, seed=3)
    random = Random(3)
    state.words[state.rules.layout.TURNS] = 470
    while not state.is_over:
        state.play(choose_decision(state, random))
    assert state.turns == 500
    assert state.outcome is not None
    assert state.outcome.reason == "limit"
    standing = [(player.points, -len(player.cards)) for player in state.players]
    best = tuple(seat for seat in range(seats) if standing[seat] == max(standing))
    assert state.outcome.winners == best


def block(state: Any, random: Random) -> str:
    """Let seat 0 collect and keep all gold and pearls, and let seat 1 avoid them."""
    legal: list[str] = list(state.legal_decisions)
    if "claim" in legal:
        return "claim"

    def wish(text: str) -> int:
        verb, *words = text.split()
        precious = sum(state.board.get(cell) in ("p", "y") for cell in words)
        if verb == "buy":
            return 99
        if verb == "discard":
            return int(words[0] in "py")
        return precious if state.seat else -precious

    fewest = min(map(wish, legal))
    return random.choice([text for text in legal if wish(text) == fewest])


@pytest.mark.parametrize("game", ["duel", "duel+counterfeiters"])
@pytest.mark.slow_without_jit
def test_a_blocked_game_ends_with_a_claim(game: str) -> None:
    reasons = set()
    for seed in range(5):
        state = parure.new(game, seed=seed, options={"anti-blocking": True})
        random = Random(seed)
        while not state.is_over:
            assert state.turns < 500
            state.play(block(state, random))
        assert state.outcome is not None
        reasons.add(state.outcome.reason)
        *_, replayed = record.replay(record.decode(record.encode(state.record())))
        assert replayed == state
    assert "claim" in reasons


@each_game
@pytest.mark.parametrize("reason", ["resigned", "timeout"])
def test_a_game_can_be_ended_from_outside(game: str, seats: int, reason: str) -> None:
    state = parure.new(game, players=seats, seed=1)
    state.play(state.legal_decisions[0])
    state.end(reason, [1])
    assert state.is_over
    assert state.outcome is not None
    assert (state.outcome.winners, state.outcome.reason) == ((1,), reason)
    assert not state.legal_decisions
    *_, replayed = record.replay(record.decode(record.encode(state.record())))
    assert replayed == state
