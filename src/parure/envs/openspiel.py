"""OpenSpiel: the games as trees with chance. Importing this registers them.

`pyspiel.load_game("parure_duel")`, `"parure_duel_counterfeiters"`, `"parure_splendor(players=3)"`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

import numpy as np
import pyspiel

from parure.envs.explicit_chance import ChanceGame, supply_of
from parure.envs.games import kernels_of, observation_layout
from parure.envs.kernels.batch_step import RESULTS
from parure.errors import NotationError, ParureError
from parure.games.engine.arrays import Row
from parure.games.registry import rules
from parure.games.rules import Rules

GAMES: Final = {
    "parure_splendor": "splendor",
    "parure_duel": "duel",
    "parure_duel_counterfeiters": "duel+counterfeiters",
}
TITLES: Final = {
    "splendor": "Splendor",
    "duel": "Splendor Duel",
    "duel+counterfeiters": "Splendor Duel with The Counterfeiters",
}
MAX_IN_A_TURN = 64  # decisions; far above what a turn can bring
TRIES = 8


def _game_type(name: str, game: str) -> pyspiel.GameType:
    is_splendor = game == "splendor"
    return pyspiel.GameType(
        short_name=name,
        long_name=TITLES[game],
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=4 if is_splendor else 2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={"players": 2} if is_splendor else {"anti_blocking": False},
    )


class ParureGame(pyspiel.Game):  # type: ignore[misc]
    """A game of the Splendor family for OpenSpiel."""

    name: ClassVar[str]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        asked = dict(params or {})
        options = {"anti-blocking": True} if asked.get("anti_blocking") else {}
        self.rules = rules(GAMES[self.name], asked.get("players"), options)
        self.supply = supply_of(self.rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.rules.decision_texts),
            max_chance_outcomes=len(self.supply.outcomes),
            num_players=self.rules.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.rules.layout.MAX_TURNS * MAX_IN_A_TURN,
        )
        super().__init__(TYPES[self.name], info, asked)

    def new_initial_state(self, from_json: str | None = None) -> ParureState:
        """A game before its set-up."""
        return ParureState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> ParureObserver:
        """An observer: the moment as tensor and text, or with perfect recall all that was told."""
        return ParureObserver(
            self.rules, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params
        )


class ParureState(pyspiel.State):  # type: ignore[misc]
    """A moment of a game: a seat's decision, chance, or the end."""

    def __init__(self, game: ParureGame) -> None:
        super().__init__(game)
        self.play = ChanceGame(game.supply)

    def current_player(self) -> int:
        """Whose move it is."""
        if self.play.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        if self.play.wanted is not None:
            return int(pyspiel.PlayerId.CHANCE)
        return self.play.seat

    def _legal_actions(self, player: int) -> list[int]:
        return self.play.legal() if player == self.play.seat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may bring, with its probabilities."""
        if self.play.wanted is None:
            raise ParureError("chance has nothing to say here: see is_chance_node()")
        _, odds = self.play.wanted
        numbers, all_of = self.play.supply.numbers, sum(odds.values())
        return sorted((numbers[name], count / all_of) for name, count in odds.items())

    def _apply_action(self, action: int) -> None:
        if self.play.wanted is None:
            self.play.decide(action)
        else:
            self.play.bring(self.play.supply.outcomes[action])

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance: {self.play.supply.outcomes[action]}"
        return self.play.rules.decision_texts[action]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.play.is_over

    def returns(self) -> list[float]:
        """What the game has brought each seat: the sum is 0."""
        rewards = np.zeros(self.play.rules.seats)
        if self.play.is_over:
            kernels_of(self.play.rules).reward(self.play.row, RESULTS, rewards)
        return [float(reward) for reward in rewards]

    def __str__(self) -> str:
        play = self.play
        if play.row is None:
            return f"set-up: {' '.join(play.drawn)}"
        table = str(play.rules.state_type(play.rules, play.row, np.zeros(1, np.uint64)))
        if play.decision is None:
            return table
        waiting = " ".join((play.rules.decision_texts[play.decision], *play.came))
        return f"{table}\nchance is asked for: {waiting}"

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> ParureState:
        """A state at random among those that the player cannot tell from this one."""
        play = self.play
        if play.row is None or play.wanted is not None or play.is_over:
            return self.clone()  # type: ignore[no-any-return]
        for _ in range(TRIES):
            row, others = self._guess(player_id, probability_sampler)
            found = self._replayed(others)
            if found is not None and found.play.told[player_id] == play.told[player_id]:
                return found
        # It has forgotten what it once saw (C17): the position fits, the way there may not.
        found = self.clone()
        found.play.row = row
        return found  # type: ignore[no-any-return]

    def _guess(self, player: int, sampler: Callable[[], float]) -> tuple[Row, dict[str, str]]:
        """A full position that fits what a player knows, and which card stands for which there."""
        play, names = self.play, self.play.rules.view_type.card_names
        view = play.view(player)
        assert view is not None
        before = play.hidden_from(player)
        guess = play.__deepcopy__(None)
        guess.row = view.words
        play.rules.kernel.determinize(guess.row, np.array([int(sampler() * (1 << 53))], np.uint64))
        after = guess.hidden_from(player)
        pairs = zip(before, after, strict=True)  # both in the order of their places
        return guess.row, {names[old]: names[new] for old, new in pairs}

    def _replayed(self, others: Mapping[str, str]) -> ParureState | None:
        """The same game with some cards in the place of others; None if it cannot have been."""
        state = self.get_game().new_initial_state()
        decisions = self.play.rules.decision_texts
        outcomes, numbers = self.play.supply.outcomes, self.play.supply.numbers
        for item in self.full_history():
            if item.player == pyspiel.PlayerId.CHANCE:
                name = outcomes[item.action]
                action = numbers[others.get(name, name)]
            else:
                verb, _, card = decisions[item.action].partition(" ")
                text = f"{verb} {others[card]}" if card in others else decisions[item.action]
                action = self.play.rules.decision(text)
            try:
                state.apply_action(action)
            except ParureError:
                return None
        return state  # type: ignore[no-any-return]


class ParureObserver:
    """What a player observes: the pieces of the observation, or all that it was ever told."""

    def __init__(self, by: Rules, kind: Any, params: Mapping[str, Any] | None) -> None:
        if params:
            raise NotationError(f"the observer takes no parameters, not {dict(params)}")
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise NotationError("an observer sees what one player sees, or what everyone does")
        self.rules = by
        self.has_recall = kind.perfect_recall
        self.is_private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.layout = observation_layout(by)
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if not self.has_recall:
            self.tensor = np.zeros(self.layout.size, np.float32)
            self.dict = dict(self.layout.split(self.tensor))

    def set_from(self, state: ParureState, player: int) -> None:
        """Write what a player observes into the tensor."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        view = state.play.view(player if self.is_private else None)
        if view is None:
            return
        seen = np.zeros((1, self.layout.size), np.uint8)
        viewer = np.array([max(player, 0)])
        kernels_of(self.rules).observe_many(
            view.words[np.newaxis], self.rules.cards, viewer, seen.view(np.int64)
        )
        self.tensor[:] = seen[0]

    def string_from(self, state: ParureState, player: int) -> str:
        """What a player observes, as text."""
        play = state.play
        if self.has_recall and self.is_private:
            return "\n".join((f"seat {player}", *play.told[player]))
        view = play.view(player if self.is_private else None)
        who = f"seat {player}" if self.is_private else "everyone"
        return f"{who}\n{view if view is not None else 'set-up'}"


TYPES: Final = {name: _game_type(name, game) for name, game in GAMES.items()}


class Splendor(ParureGame):
    """Splendor."""

    name = "parure_splendor"


class Duel(ParureGame):
    """Splendor Duel."""

    name = "parure_duel"


class DuelCounterfeiters(ParureGame):
    """Splendor Duel with The Counterfeiters."""

    name = "parure_duel_counterfeiters"


# OpenSpiel keeps what it is given beyond the end of the interpreter, which only a class bears.
for _game in (Splendor, Duel, DuelCounterfeiters):
    pyspiel.register_game(TYPES[_game.name], _game)
