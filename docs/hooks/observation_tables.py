"""Observations and actions of the environments as tables, generated from their layouts."""

from __future__ import annotations

from decision_tables import integers, ranges, texts
from markdown_tables import table

from parure.envs import observation_layout
from parure.games.registry import rules


def observation_table(game: str, seats: str = "2") -> str:
    """Return what each index of an observation means."""
    return observation_layout(rules(game, int(seats))).markdown_table()


def action_table(game: str) -> str:
    """Return the actions of an environment, which are the decisions of its game."""
    rows = [(integers(*run[:2])[0], texts(*run)) for run in ranges(game)]
    return table(["integers", "texts"], rows)
