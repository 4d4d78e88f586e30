"""Positions as data for a screen: what one viewer may see of a table, and do on it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from parure.games.position import Position
from parure.games.rules import Rules
from parure.games.state import State
from parure.games.view import View
from parure.server.messages import (
    Arrival,
    ChoiceView,
    DuelPlayerView,
    DuelTableView,
    LogLine,
    OutcomeView,
    PaymentView,
    SplendorPlayerView,
    SplendorTableView,
    UnavailableView,
)
from parure.table.events import Event
from parure.table.preview import DecisionPreview, Shortage, preview_decisions, shortages
from parure.table.turn_boundary import arrivals, drawn

TURN_IS_COMPLETE = "end"  # the phase between the last decision of a turn and its end


def table_of(position: Position, viewer: int | None) -> DuelTableView | SplendorTableView:
    """The table as data; a view hides what its viewer may not know, a state shows everything."""
    return _splendor(position, viewer) if position.game == "splendor" else _duel(position, viewer)


def unrefilled_table(before: State, after: State) -> DuelTableView | SplendorTableView:
    """The table after the last decision of a turn, as its seat sees it before handing over.

    Gaps are not yet refilled, and a card drawn from a deck is not yet turned over.
    """
    seat = before.seat
    table = table_of(after.view(seat), seat)
    for (level, slot), _ in arrivals(before, after).items():
        if level:
            table.pyramid[level - 1][slot] = None
            table.deck_sizes[level - 1] += 1
        elif isinstance(table, DuelTableView):
            table.counterfeiters[slot] = None
            table.counterfeiter_deck_size += 1
    reserved = table.players[seat].reserved
    for i in drawn(before, after):
        reserved[i] = f"??{reserved[i][1]}"
    table.phase, table.seat, table.turns = TURN_IS_COMPLETE, seat, before.turns
    table.outcome = None
    return table


def seen_by(
    table: DuelTableView | SplendorTableView, view: View
) -> DuelTableView | SplendorTableView:
    """A watcher's table as another viewer sees it: they may know more of the reserved cards."""
    players = [
        replace(player, reserved=list(known.reserved))
        for player, known in zip(table.players, view.players, strict=True)
    ]
    return replace(table, viewer=view.viewer, players=players)


def _common(position: Any, viewer: int | None) -> dict[str, Any]:
    outcome = position.outcome
    return {
        "game": position.game,
        "options": dict(position.options),
        "viewer": viewer,
        "phase": position.phase,
        "seat": position.seat,
        "turns": position.turns,
        "outcome": outcome and OutcomeView(list(outcome.winners), outcome.reason),
        "pyramid": [list(level) for level in position.pyramid],
        "deck_sizes": list(position.deck_sizes),
        "buying": position.buying,
    }


def _player(player: Any) -> dict[str, Any]:
    tokens = player.tokens
    return {
        "seat": player.seat,
        "points": player.points,
        "tokens": tokens,
        "token_count": player.counted_toward_limit(tokens),
        "token_limit": player.token_limit,
        "bonuses": player.bonuses,
        "cards": list(player.cards),
        "reserved": list(player.reserved),
        "reserve_limit": player.reserve_limit,
        "goals": player.goals,
    }


def _splendor(position: Any, viewer: int | None) -> SplendorTableView:
    return SplendorTableView(
        **_common(position, viewer),
        supply=position.supply,
        nobles=list(position.nobles),
        players=[
            SplendorPlayerView(**_player(player), nobles=list(player.nobles))
            for player in position.players
        ],
    )


def _duel(position: Any, viewer: int | None) -> DuelTableView:
    return DuelTableView(
        **_common(position, viewer),
        board=position.board,
        bag=position.bag,
        privileges=position.privileges,
        royals=list(position.royals),
        royal_deck_size=position.royal_deck_size,
        counterfeiters=list(position.counterfeiters),
        counterfeiter_deck_size=position.counterfeiter_deck_size,
        players=[
            DuelPlayerView(
                **_player(player),
                points_by_color=player.points_by_color,
                crowns=player.crowns,
                privileges=player.privileges,
                joker_colors=player.joker_colors,
                royals=list(player.royals),
                counterfeiters=list(player.counterfeiters),
            )
            for player in position.players
        ],
    )


# --- what may be done -----------------------------------------------------------------------------


def choices_of(view: View) -> list[ChoiceView]:
    """What the viewer may do, with what it would bring."""
    return [_choice(outlook) for outlook in preview_decisions(view)]


def _choice(outlook: DecisionPreview) -> ChoiceView:
    return ChoiceView(
        decision=outlook.decision,
        tokens=outlook.tokens,
        privilege=outlook.gives_privilege,
        over=outlook.over,
        again=outlook.is_again,
        completes=outlook.completes_turn,
        wins=outlook.wins,
        hidden=outlook.reveals,
        price=outlook.price,
        payments=[
            PaymentView(list(way.decisions), way.tokens, list(way.discounts))
            for way in outlook.payments
        ],
        more_payments=outlook.has_more_payments,
    )


def unavailable_to(view: View) -> list[UnavailableView]:
    """What the viewer cannot have now, and why."""
    found = [_unavailable(shortage) for shortage in shortages(view)]
    if view.seat == view.viewer:
        closed = view.rules.unavailable_actions(view)
        found += [UnavailableView(what, *why) for what, why in closed.items()]
    return found


def _unavailable(shortage: Shortage) -> UnavailableView:
    return UnavailableView(
        what=shortage.card,
        code=shortage.code,
        message=shortage.reason,
        price=shortage.price,
        missing=shortage.missing,
        short=shortage.short,
    )


# --- the log --------------------------------------------------------------------------------------


def log_line(n: int, what: Event, rules: Rules, viewer: int | None) -> LogLine:
    """A line of the log, as told to a viewer."""
    decision = rules.redact(what.decision, is_own=viewer == what.seat)
    words = decision.partition(" > ")[0].split()
    card = words[1] if len(words) > 1 and words[1][0] in "JDCRN?" else ""
    return LogLine(
        n=n,
        turn=what.turn,
        seat=what.seat,
        decision=decision,
        card=card,
        tokens={str(seat): change for seat, change in what.tokens.items()},
        taken=what.taken,
        laid=what.laid,
        privileges=_by_seat(what.privileges),
        points=_by_seat(what.points),
        crowns=_by_seat(what.crowns),
        gained=list(what.gained),
        came=[Arrival(level, slot, card) for (level, slot), card in what.came.items()],
        ends_turn=what.ends_turn,
    )


def _by_seat(changes: dict[int, int]) -> dict[str, int]:
    return {str(seat): change for seat, change in changes.items()}
