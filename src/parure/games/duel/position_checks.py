"""Whether a Duel view can come up: what its parts say about each other, phase by phase.

:mod:`.view_parser` reads a view field by field; these checks need the whole view.
"""

from __future__ import annotations

from parure.games.duel import layout
from parure.games.duel.state import JOKERS, DuelPlayer, DuelView
from parure.games.duel.view_schema import DuelViewData, TokenCollection
from parure.games.engine.tokens import GEMS, LETTERS
from parure.games.view_parser import require

ALL_BUT_GOLD = LETTERS.replace("y", "")
START_OF_TURN = ("turn", "second")
_REASONS_OF_VICTORY = ("points", "crowns", "color")


def check_view(view: DuelView, data: DuelViewData) -> None:
    """Raise InvalidPosition if a view of a game in progress cannot come up."""
    for player in view.players:
        _check_player(view, data, player)
    _check_turn(view, data)
    _check_gaps(view, data)
    if data.collecting is not None:
        _check_collection(view, data.collecting)


def check_outcome(view: DuelView, data: DuelViewData) -> None:
    """Raise InvalidPosition if the game cannot have ended as a view says."""
    assert data.outcome is not None
    reason, winners, mover = data.outcome.reason, data.outcome.winners, view.players[view.seat]
    if reason in ("resigned", "timeout"):
        require(winners, f"somebody has won if the game was {reason}")
        return
    is_between = not (data.buying or data.collecting or data.looking or data.reserves_left)
    require(is_between, f"no game ends by {reason} in the middle of a decision")
    if reason == "limit":
        is_right = not winners and view.turns == layout.MAX_TURNS
        require(is_right, f"the limit is a draw after {layout.MAX_TURNS} turns")
        return
    require(winners == (view.seat,), f"the seat to move wins by {reason}")
    if reason in _REASONS_OF_VICTORY:
        found = victory(mover)
        require(found == reason, f"seat {view.seat} has not won by {reason}")
    else:
        require(view.options.get("anti-blocking"), "claiming is an option")


def victory(player: DuelPlayer) -> str | None:
    """Return the first reason for which a seat wins at the end of its turn.

    docs/rules/duel.md, "After the mandatory action", 6
    """
    goals = player.goals
    if player.points >= goals["points"]:
        return "points"
    if player.crowns >= goals["crowns"]:
        return "crowns"
    return "color" if max(player.points_by_color.values(), default=0) >= goals["color"] else None


def _check_player(view: DuelView, data: DuelViewData, player: DuelPlayer) -> None:
    seat, is_mover = player.seat, player.seat == view.seat
    for name in player.cards:
        is_colored = name not in JOKERS or name in player.joker_colors
        takes_color = is_mover and view.phase == "color" and name == view.buying
        require(is_colored or takes_color, f"the joker {name} of seat {seat} lacks its color")
    reason = None if is_mover and view.phase not in START_OF_TURN else victory(player)
    require(reason is None, f"seat {seat} has won by {reason} already")
    count, limit = player.token_count, player.token_limit
    require(is_mover or count <= limit, f"seat {seat} holds {count} tokens: {limit} are the limit")
    _check_royals(view, data, player)
    warned = data.players[seat]
    is_due = is_mover and warned.blocked_turns >= 3
    require(is_due or not warned.is_warned, f"seat {seat} cannot be warned of blocking now")


def _check_royals(view: DuelView, data: DuelViewData, player: DuelPlayer) -> None:
    """Refuse crowns without royals: docs/rules/duel.md, "After the mandatory action", 3."""
    due = data.turn.royals_due if player.seat == view.seat else 0
    earned = (player.crowns >= 3) + (player.crowns >= 6)
    held = len(player.royals)
    problem = f"seat {player.seat} has {player.crowns} crowns, {held} royals and {due} due"
    require(held + due >= earned or not view.royals, problem)
    # C09 brings royals without crowns.
    require(view.game != "duel" or held + due <= earned, problem)


def _check_turn(view: DuelView, data: DuelViewData) -> None:
    """Check what has happened in this turn against the phase."""
    turn, phase, mover = data.turn, view.phase, view.players[view.seat]
    is_start = phase == "turn" and not turn.has_replenished
    require(is_start or not turn.can_claim, "a claim lapses with the first decision of a turn")
    for name in turn.used:
        require(name in mover.counterfeiters, f"{name} is used but seat {view.seat} lacks it")
    is_past = view.game == "duel+counterfeiters" and phase == "discard"
    require(turn.is_window_past == is_past, f"is_window_past in phase {phase}")
    require(not data.is_bribe or "C09" in turn.used, "C09 has not been used")
    require(phase != "second" or "C13" in turn.used, "phase second comes of C13")
    if data.reserves_left == 2:
        can_reserve_two = phase == "reserve" and "C15" in mover.counterfeiters
        require(can_reserve_two, "only C15 reserves two cards")
    if phase == "discard":
        count, limit = mover.token_count, mover.token_limit
        require(count > limit, f"seat {view.seat} holds {count} tokens and returns none")


def _check_gaps(view: DuelView, data: DuelViewData) -> None:
    """Refuse gaps that would have been refilled, and emptied places before any card was taken."""
    is_start = view.phase in START_OF_TURN or (view.phase == "pay" and not _is_use(data))
    sizes = [*view.deck_sizes, view.counterfeiter_deck_size]
    slot = 0
    for names, size in zip((*view.pyramid, view.counterfeiters), sizes, strict=True):
        for name in names:
            is_emptied = slot in data.turn.gaps
            is_possible = not is_emptied if is_start else is_emptied or not size
            problem = (
                f"place {slot} is empty and would have been refilled: its deck has {size} cards"
            )
            require(name is not None or (is_possible and not (is_start and size)), problem)
            slot += 1


def _is_use(data: DuelViewData) -> bool:
    return data.buying is not None and data.buying.is_use


def whole_collection(ability: str, color: str, has_c16: bool) -> tuple[str, int]:
    """Return the kinds and the number of tokens that an ability collects from its start."""
    if ability == "token":
        return (ALL_BUT_GOLD, 2) if has_c16 else (color, 1)
    if ability == "gold":
        return "y", 1
    return ALL_BUT_GOLD, 4 if ability == "take-4-of-a-kind" else 3


def _check_collection(view: DuelView, collecting: TokenCollection) -> None:
    """Check the tokens being collected against the ability and the phase."""
    ability, kinds, left = collecting.ability, collecting.kinds, collecting.left
    is_token = ability == "token"
    require(is_token or view.game != "duel", f"no royal of duel has the ability {ability}")
    require(is_token or collecting.color == GEMS[0], f"the ability {ability} has no color")
    has_c16 = "C16" in view.players[view.seat].counterfeiters
    whole, number = whole_collection(ability, collecting.color, has_c16)
    if view.phase == "collect":
        is_right = (kinds, left) == (whole, number)
    elif is_token:
        is_right = has_c16 and (kinds, left) == (collecting.color, 1)
    elif ability == "take-4-of-a-kind":
        is_right = left < number and len(kinds) == 1 and kinds in whole
    else:
        is_right = left < number and kinds == whole
    require(is_right, f"the ability {ability} does not collect {left} of {kinds} now")
