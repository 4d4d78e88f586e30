"""HTTP and WebSocket messages as tables, generated from the server's types."""

from __future__ import annotations

import ast
import inspect
import io
import textwrap
import tokenize
from collections.abc import Iterable, Iterator
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
from fastapi.openapi.utils import get_openapi
from markdown_tables import table
from msgspec import Struct
from pydantic import BaseModel

from parure.server import http_models, messages
from parure.server.routes import router

Type = type[Struct] | type[BaseModel]


def client_messages() -> str:
    """Return the messages that a client sends over the socket."""
    return _message_sections(get_args(messages.AnyIncoming))


def server_messages() -> str:
    """Return the messages that the server sends over the socket."""
    return _message_sections(get_args(messages.AnyOutgoing))


def message_types() -> str:
    """Return the types that the messages of the server consist of, the snapshot first."""
    kinds = _within(messages.Snapshot)
    for message in get_args(messages.AnyOutgoing):
        kinds += [kind for kind in _within(message)[1:] if kind not in kinds]
    return "\n\n".join(_section(kind.__name__, kind) for kind in kinds)


def http_bodies() -> str:
    """Return the JSON objects that requests and answers consist of."""
    models = [
        kind
        for kind in vars(http_models).values()
        if inspect.isclass(kind) and issubclass(kind, BaseModel) and kind.model_fields
    ]
    own = [kind for kind in models if kind.__module__ == http_models.__name__]
    return "\n\n".join(_section(kind.__name__, kind) for kind in own)


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
    name = schema.get("$ref", "").rpartition("/")[2]
    return f"[{name}](#{name.lower()})" if name else ""


def _message_sections(kinds: Iterable[type[Struct]]) -> str:
    return "\n\n".join(_section(str(kind.__struct_config__.tag), kind) for kind in kinds)


def _section(title: str, kind: Type) -> str:
    """Return a heading, what a type is for, and its fields."""
    parts = [f"### {title}", inspect.cleandoc(kind.__doc__ or "")]
    comments = _comments(kind)
    rows = [
        (f"`{name}`", _shown(hint), default, comments.get(name, ""))
        for name, hint, default in _fields(kind)
    ]
    if rows:
        parts.append(table(["field", "type", "default", "meaning"], rows))
    return "\n\n".join(parts)


def _fields(kind: Type) -> Iterator[tuple[str, Any, str]]:
    """Yield name, type and default (an empty text where the field is required) of each field."""
    if issubclass(kind, BaseModel):
        for name, info in kind.model_fields.items():
            hint = inspect.get_annotations(kind, eval_str=True).get(name, info.annotation)
            yield name, hint, "" if info.is_required() else _json(info.get_default())
        return
    for field in msgspec.structs.fields(kind):
        is_made = field.default_factory is not msgspec.NODEFAULT
        default = field.default_factory() if is_made else field.default
        yield field.name, field.type, "" if field.required else _json(default)


def _json(value: object) -> str:
    return f"`{msgspec.json.encode(value).decode()}`"


def _comments(kind: Type) -> dict[str, str]:
    """Return what the comment behind each field says, base classes included."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if base.__module__.startswith("parure."):
            source = textwrap.dedent(inspect.getsource(base))
            comments = {
                token.start[0]: token.string.lstrip("# ")
                for token in tokenize.generate_tokens(io.StringIO(source).readline)
                if token.type == tokenize.COMMENT
            }
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    found[node.target.id] = comments.get(node.end_lineno or 0, "")
    return found


def _within(kind: type[Struct]) -> list[type[Struct]]:
    """Return a struct and all structs in its fields, each once, outer ones first."""
    found: list[type[Struct]] = []

    def visit(hint: Any) -> None:
        if inspect.isclass(hint) and issubclass(hint, Struct):
            if hint not in found:
                found.append(hint)
                for field in msgspec.structs.fields(hint):
                    visit(field.type)
        for argument in get_args(hint):
            visit(argument)

    visit(kind)
    return found


def _shown(hint: Any) -> str:
    """Return a type as it reads in JSON, with a link where it is an object of its own."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        unit = "items" if get_origin(arguments[0]) is list else "characters"
        limits = ", ".join(filter(None, (_limits(part, unit) for part in hint.__metadata__)))
        kind, of, item = _shown(arguments[0]).partition(" of ")
        return f"{kind} ({limits}){of}{item}" if limits else f"{kind}{of}{item}"
    if origin in (Union, UnionType):
        return " or ".join(_shown(part) for part in arguments)
    if origin is Literal:
        return " or ".join(_json(value) for value in arguments)
    if origin in (list, tuple):
        return f"list of {_shown(arguments[0])}"
    if origin is dict:
        key = "" if arguments[0] is str else f" by {_shown(arguments[0])}"
        return f"object of {_shown(arguments[1])}{key}"
    if inspect.isclass(hint) and issubclass(hint, (Struct, BaseModel)):
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
