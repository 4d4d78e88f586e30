"""HTTP and WebSocket messages as tables, generated from the server's types."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
from fastapi.openapi.utils import get_openapi
from markdown_tables import table
from msgspec import NODEFAULT, UNSET, Struct, UnsetType
from pydantic import BaseModel

from parure.games.duel.view_schema import DuelViewData
from parure.games.splendor.view_schema import SplendorViewData
from parure.games.view_schema import Count
from parure.server import http_models, messages
from parure.server.introspection import MessageType, fields_of, is_message_type, types_within
from parure.server.routes import router


def client_messages() -> str:
    """Return the messages that a client sends over the socket."""
    return _message_sections(get_args(messages.AnyIncoming))


def server_messages() -> str:
    """Return the messages that the server sends over the socket."""
    return _message_sections(get_args(messages.AnyOutgoing))


def message_types() -> str:
    """Return the types that the messages of the server consist of, the snapshot first."""
    outgoing = get_args(messages.AnyOutgoing)
    kinds = [kind for kind in types_within([messages.Snapshot, *outgoing]) if kind not in outgoing]
    return _type_sections(kinds)


def view_types() -> str:
    """Return the types that a view as data consists of."""
    return _type_sections(types_within([DuelViewData, SplendorViewData]))


def http_bodies() -> str:
    """Return the JSON objects that requests and answers consist of."""
    models = [
        kind
        for kind in vars(http_models).values()
        if inspect.isclass(kind) and issubclass(kind, BaseModel) and kind.model_fields
    ]
    own = [kind for kind in models if kind.__module__ == http_models.__name__]
    return _type_sections(types_within([*own, http_models.ReplayBody]))


def http_routes() -> str:
    """Return all routes with their bodies and answers."""
    rows = []
    schema = get_openapi(title="Parure", version="0", routes=router.routes)
    for path, methods in schema["paths"].items():
        for method, route in methods.items():
            body = route.get("requestBody", {})
            answers = {status: _linked(answer) for status, answer in route["responses"].items()}
            success = ", ".join(f"{s} {a}".strip() for s, a in answers.items() if s < "300")
            about = route["description"].partition("\n")[0]
            rows.append((f"`{method.upper()} {path}`", about, _linked(body), success))
    return table(["route", "purpose", "body", "answer"], rows)


def _linked(body: dict[str, Any]) -> str:
    """Return a link to the type of a body, or an empty text where it has none."""
    schema = body.get("content", {}).get("application/json", {}).get("schema", {})
    name = schema.get("$ref", "").rpartition("/")[2] or schema.get("title", "")
    return f"[{name}](#{name.lower()})" if name else ""


def _message_sections(kinds: Iterable[type[Struct]]) -> str:
    return "\n\n".join(_section(str(kind.__struct_config__.tag), kind) for kind in kinds)


def _type_sections(kinds: Iterable[MessageType]) -> str:
    return "\n\n".join(_section(kind.__name__, kind) for kind in kinds)


def _section(title: str, kind: MessageType) -> str:
    """Return a heading, what a type is for, and its fields."""
    parts = [f"### {title}", inspect.cleandoc(kind.__doc__ or "")]
    rows = [
        (f"`{field.name}`", _shown(field.type), _default(field.default), field.comment)
        for field in fields_of(kind)
    ]
    if issubclass(kind, Struct) and (config := kind.__struct_config__).tag_field:
        rows.insert(0, (f"`{config.tag_field}`", _json(config.tag), "", "says which type this is"))
    if rows:
        parts.append(table(["field", "type", "default", "meaning"], rows))
    return "\n\n".join(parts)


def _default(value: object) -> str:
    """Return a default, or an empty text where the field is required or left out without one."""
    return "" if value is NODEFAULT or value is UNSET else _json(value)


def _json(value: object) -> str:
    return f"`{msgspec.json.encode(value).decode()}`"


def _shown(hint: Any) -> str:
    """Return a type as it reads in JSON, with a link where it is an object of its own."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        unit = "items" if get_origin(arguments[0]) is list else "characters"
        limits = ", ".join(filter(None, (_limits(part, unit) for part in hint.__metadata__)))
        if hint == Count:  # its limits only bound what is read
            limits = ""
        kind, of, item = _shown(arguments[0]).partition(" of ")
        return f"{kind} ({limits}){of}{item}" if limits else f"{kind}{of}{item}"
    if origin in (Union, UnionType):
        return " or ".join(_shown(part) for part in arguments if part is not UnsetType)
    if origin is Literal:
        return " or ".join(_json(value) for value in arguments)
    if origin in (list, tuple, Sequence):
        return f"list of {_shown(arguments[0])}"
    if origin is dict:
        key = "" if arguments[0] is str else f" by {_shown(arguments[0])}"
        return f"object of {_shown(arguments[1])}{key}"
    if is_message_type(hint):
        return f"[{hint.__name__}](#{hint.__name__.lower()})"
    names = {str: "text", int: "integer", float: "number", bool: "boolean", NoneType: "`null`"}
    return names.get(hint, "any" if hint is Any else str(hint))


def _limits(constraint: Any, unit: str) -> str:
    """Return what a constraint of pydantic or msgspec allows, in words."""
    names = {
        "ge": "at least {:,}",
        "le": "at most {:,}",
        "min_length": f"at least {{}} {unit}",
        "max_length": f"at most {{}} {unit}",
    }
    values = ((text, getattr(constraint, name, None)) for name, text in names.items())
    found = [text.format(value) for text, value in values if value is not None]
    nested = (_limits(part, unit) for part in getattr(constraint, "metadata", ()))
    return ", ".join([*found, *filter(None, nested)])
