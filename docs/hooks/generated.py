"""MkDocs hook: fill in the parts of the reference that are generated from the code.

A page asks for one with an HTML comment on a line of its own, `<!-- generated: cli -->`: the name
of a generator and its arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from card_tables import card_table
from command_tables import command_reference
from decision_tables import decision_table
from message_tables import (
    client_messages,
    http_bodies,
    http_routes,
    message_types,
    server_messages,
    view_types,
)
from network_tables import network_inputs, network_scores
from observation_tables import action_table, observation_table
from row_tables import row_table

GENERATORS: dict[str, Callable[..., str]] = {
    "actions": action_table,
    "cards": card_table,
    "cli": command_reference,
    "client-messages": client_messages,
    "decisions": decision_table,
    "http-bodies": http_bodies,
    "http-routes": http_routes,
    "message-types": message_types,
    "network-inputs": network_inputs,
    "network-scores": network_scores,
    "observation": observation_table,
    "row": row_table,
    "server-messages": server_messages,
    "view-types": view_types,
}
REQUEST = re.compile(r"^<!-- generated: (.+?) -->$", re.M)


def on_page_markdown(markdown: str, **_: object) -> str:
    """Replace each request on a page with what its generator returns."""
    return REQUEST.sub(_generate, markdown)


def _generate(request: re.Match[str]) -> str:
    name, *arguments = request[1].split()
    return GENERATORS[name](*arguments)
