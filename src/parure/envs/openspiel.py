"""The games for OpenSpiel, as trees with chance nodes. Importing this module registers them.

`pyspiel.load_game("parure_duel")`, `"parure_duel_counterfeiters"`, `"parure_splendor(players=3)"`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

import numpy as np

from parure.envs.explicit_chance import RECENT_DECISIONS, ExplicitChanceGame, chance_pools
from parure.envs.observations import final_rewards, observation_layout, observe_many
from parure.errors import NotationError, ParureError
from parure.games.engine.arrays import Row
from parure.games.engine.rng import new_rng
from parure.games.registry import GAMES, rules
from parure.games.rules import Rules

try:
    import pyspiel
except ImportError:
    raise ParureError("OpenSpiel is missing: pip install 'parure[openspiel]'") from None

CHANCE_PLAYER: Final = int(pyspiel.PlayerId.CHANCE)
TERMINAL_PLAYER: Final = int(pyspiel.PlayerId.TERMINAL)

MAX_DECISIONS_IN_TURN = 64  # far above what a turn can take
RESAMPLING_ATTEMPTS = 8
FLOAT_BITS = 53  # the precision of a float


class ParureGame(pyspiel.Game):  # type: ignore[misc]
    """A game for OpenSpiel; each game has a subclass of this."""

    game: ClassVar[str]
    game_type: ClassVar[Any]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = dict(params or {})
        options = {
            name: True for name in rules(self.game).known_options if given.get(_parameter(name))
        }
        self.rules = rules(self.game, given.get("players"), options)
        self.pools = chance_pools(self.rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.rules.decision_texts),
            max_chance_outcomes=len(self.pools.outcomes),
            num_players=self.rules.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.rules.layout.MAX_TURNS * MAX_DECISIONS_IN_TURN,
        )
        super().__init__(self.game_type, info, given)

    def new_initial_state(self, from_json: str | None = None) -> ParureState:
        """Return a game before its set-up."""
        return ParureState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> ParureObserver:
        """Return an observer of the position or, with perfect recall, of the whole history."""
        default = pyspiel.IIGObservationType(perfect_recall=False)
        return ParureObserver(self.rules, iig_obs_type or default, params)


class ParureState(pyspiel.State):  # type: ignore[misc]
    """A node of the tree: a decision, chance, or the end.

    Attributes:
        chance_game: The game at this node.
    """

    def __init__(self, game: ParureGame) -> None:
        super().__init__(game)
        self.chance_game = ExplicitChanceGame(game.pools)

    def current_player(self) -> int:
        """Return the seat to move, or what OpenSpiel has for chance and the end."""
        game = self.chance_game
        if game.chance_node is not None:
            return CHANCE_PLAYER
        return TERMINAL_PLAYER if game.is_over else game.seat

    def _legal_actions(self, player: int) -> list[int]:
        return self.chance_game.legal() if player == self.chance_game.seat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what chance can draw, with the probabilities."""
        node = self.chance_game.chance_node
        if node is None:
            raise ParureError("this is no chance node: see is_chance_node()")
        total = sum(node.weights.values())
        return [(outcome, weight / total) for outcome, weight in sorted(node.weights.items())]

    def _apply_action(self, action: int) -> None:
        if self.chance_game.chance_node is None:
            self.chance_game.apply_decision(action)
        else:
            self.chance_game.apply_outcome(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance: {self.chance_game.pools.outcomes[action]}"
        return self.chance_game.rules.decision_texts[action]

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.chance_game.is_over

    def returns(self) -> list[float]:
        """Return what the game was worth to each seat, all 0 before its end; the sum is 0."""
        game = self.chance_game
        if game.row is None or not game.is_over:
            return [0.0] * game.rules.seats
        rewards: list[float] = final_rewards(game.rules, game.row).tolist()
        return rewards

    def __str__(self) -> str:
        game = self.chance_game
        if game.row is None:
            return f"set-up: {' '.join(game.setup_outcomes)}"
        table = str(game.rules.state_type(game.rules, game.row, new_rng(0)))
        if game.pending_decision is None:
            return table
        decision = game.rules.decision_texts[game.pending_decision]
        return f"{table}\nwaits for chance: {' '.join((decision, *game.pending_outcomes))}"

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> ParureState:
        """Return a random state among those that the player cannot tell from this one."""
        game = self.chance_game
        if game.row is None or game.chance_node is not None or game.is_over:
            return self.clone()  # type: ignore[no-any-return]
        for _ in range(RESAMPLING_ATTEMPTS):
            row, substitutes = self._determinize(player_id, probability_sampler)
            found = self._replay_with(substitutes)
            if found is None:
                continue
            if found.chance_game.history(player_id) == game.history(player_id):
                return found
        # The player has forgotten what it once saw through C17: the position fits, but perhaps no
        # history that leads there.
        found = self.clone()
        found.chance_game.set_row(row)
        return found  # type: ignore[no-any-return]

    def _determinize(self, player: int, sampler: Callable[[], float]) -> tuple[Row, dict[str, str]]:
        """Return a random position that fits what a player knows, and which cards are swapped."""
        game, names = self.chance_game, self.chance_game.rules.view_type.card_names
        view = game.view(player)
        assert view is not None
        before = game.hidden_cards(player)
        guess = game.__deepcopy__(None)
        guess.row = view.words
        seed = int(sampler() * (1 << FLOAT_BITS))
        game.rules.kernel.determinize(guess.row, new_rng(seed))
        after = guess.hidden_cards(player)
        pairs = zip(before, after, strict=True)  # both in the order of their places
        return guess.row, {names[old]: names[new] for old, new in pairs}

    def _replay_with(self, substitutes: Mapping[str, str]) -> ParureState | None:
        """Return the same history with some cards replaced; None if that is not possible."""
        state = self.get_game().new_initial_state()
        game = self.chance_game
        decisions, outcomes = game.rules.decision_texts, game.pools.outcomes
        for item in self.full_history():
            if item.player == pyspiel.PlayerId.CHANCE:
                name = outcomes[item.action]
                action = game.pools.outcome_numbers[substitutes.get(name, name)]
            else:
                verb, _, card = decisions[item.action].partition(" ")
                is_replaced = card in substitutes
                text = f"{verb} {substitutes[card]}" if is_replaced else decisions[item.action]
                action = game.rules.decision(text)
            try:
                state.apply_action(action)
            except ParureError:
                return None
        return state  # type: ignore[no-any-return]


class ParureObserver:
    """What a player, or everyone, observes: the position, or with perfect recall the history."""

    def __init__(
        self, game_rules: Rules, observation_type: Any, params: Mapping[str, Any] | None
    ) -> None:
        if params:
            raise NotationError(f"the observer takes no parameters, not {dict(params)}")
        if observation_type.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise NotationError("an observer sees what one player sees, or what everyone does")
        self.rules = game_rules
        self.has_recall = observation_type.perfect_recall
        self.is_private = observation_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.layout = observation_layout(game_rules)
        self._scale = 1 / self.layout.max_values.astype(np.float32)
        size, width = self.layout.size, game_rules.seats + len(game_rules.decision_texts)
        recent = RECENT_DECISIONS if self.has_recall else 0
        self.tensor = np.zeros(size + recent * width, np.float32)
        self.dict: dict[str, Any] = dict(self.layout.split(self.tensor[:size]))
        if self.has_recall:
            self.dict["recent_decisions"] = self.tensor[size:].reshape(recent, width)

    def set_from(self, state: ParureState, player: int) -> None:
        """Write what a player observes to the tensor."""
        self.tensor.fill(0)
        game = state.chance_game
        view = game.view(player if self.is_private else None)
        if view is None:
            return
        observed = observe_many(self.rules, view.words[np.newaxis], max(player, 0))[0]
        self.tensor[: self.layout.size] = observed * self._scale
        if self.has_recall:
            rows = self.dict["recent_decisions"]
            for row, (mover, decision) in zip(rows, reversed(game.recent_decisions), strict=False):
                row[(mover - max(player, 0)) % self.rules.seats] = 1
                text = self.rules.decision_texts[decision]
                is_own = self.is_private and mover == player
                if self.rules.redact(text, is_own) == text:
                    row[self.rules.seats + decision] = 1

    def string_from(self, state: ParureState, player: int) -> str:
        """Return what a player observes, as text."""
        game = state.chance_game
        if self.has_recall and self.is_private:
            return "\n".join((f"seat {player}", *game.history(player)))
        view = game.view(player if self.is_private else None)
        observer = f"seat {player}" if self.is_private else "everyone"
        return f"{observer}\n{'set-up' if view is None else view}"


def _parameter(option: str) -> str:
    """Return the parameter of OpenSpiel that stands for an option of the rules."""
    return option.replace("-", "_")


def _game_type(game: str) -> Any:
    facts = rules(game)
    parameters: dict[str, Any] = {_parameter(option): False for option in facts.known_options}
    if len(facts.seat_counts) > 1:
        parameters["players"] = facts.seats
    return pyspiel.GameType(
        short_name=f"parure_{game.replace('+', '_')}",
        long_name=facts.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(facts.seat_counts),
        min_num_players=min(facts.seat_counts),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=parameters,
    )


def _register(game: str) -> type[ParureGame]:
    """Register a game and return its class.

    OpenSpiel keeps what it is given until after the interpreter has ended, which only a class
    survives: each game has its own.
    """
    game_type = _game_type(game)
    attributes = {"game": game, "game_type": game_type, "__doc__": f"{game_type.long_name}."}
    game_class = type(f"{ParureGame.__name__}_{game_type.short_name}", (ParureGame,), attributes)
    pyspiel.register_game(game_type, game_class)
    return game_class


GAME_CLASSES: Final = {game: _register(game) for game in GAMES}
