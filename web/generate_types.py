"""Generate the page's TypeScript types from the server's message types.

    python web/generate_types.py            write src/lib/messages.ts
    python web/generate_types.py --check    fail if src/lib/messages.ts is not current

Every class becomes an interface; docstrings and the comments behind fields become doc comments.
"""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from msgspec import NODEFAULT, Struct, UnsetType

from parure.games.duel.view_schema import DuelPlayerData
from parure.games.registry import GameName
from parure.games.splendor.view_schema import SplendorPlayerData
from parure.games.view_schema import Counts
from parure.server import analysis_models, http_models, messages
from parure.server.introspection import (
    Field,
    MessageType,
    fields_of,
    is_left_out,
    is_message_type,
    types_within,
)
from parure.table.views import AnyViewData

TARGET = Path(__file__).resolve().parent / "src" / "lib" / "messages.ts"
HEADER = """\
/**
 * The messages between page and server.
 *
 * Generated from the Python types by `make types`: do not edit.
 */
"""
WIDTH = 120  # as Prettier formats

REQUESTS = (
    http_models.CreateMatch,
    http_models.ImportMatch,
    http_models.ReplayRequest,
    analysis_models.OpenPosition,
    analysis_models.OpenRecord,
    analysis_models.PlayDecision,
    analysis_models.AnalysePosition,
)
RESPONSES = (
    http_models.Cards,
    http_models.Catalogue,
    http_models.ErrorBody,
    http_models.MatchCreated,
    http_models.MatchSummary,
    http_models.ReplayBody,
    http_models.ReviewBody,
    analysis_models.BoardPositionBody,
    analysis_models.BoardRecordBody,
    analysis_models.BoardAnswerBody,
    analysis_models.EngineReportBody,
)
UNIONS: dict[str, Any] = {
    "AnyCommand": messages.AnyCommand,
    "AnyIncoming": messages.AnyIncoming,
    "AnyOutgoing": messages.AnyOutgoing,
    "AnyPlayerData": DuelPlayerData | SplendorPlayerData,
    "AnyViewData": AnyViewData,
}
ALIASES: dict[str, tuple[Any, str]] = {
    "Counts": (Counts, "Tokens, bonuses or prices by letter; zeros are left out."),
    "GameName": (GameName, "The games that can be played."),
}
RENAMED = {"Event": "GameEvent"}  # browsers have an Event of their own
PRIMITIVES = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null"}


def generate() -> str:
    """Return the TypeScript source."""
    sent = types_within([messages.AnyIncoming, *REQUESTS])
    received = types_within([messages.AnyOutgoing, *RESPONSES])
    parts = [HEADER]
    for name, (hint, doc) in ALIASES.items():
        parts.append(f"{_comment(doc)}export type {name} = {_typescript(hint, is_alias=True)};\n")
    parts += [_union(name, get_args(union)) for name, union in UNIONS.items()]
    for kind in _with_bases([*sent, *received]):
        parts.append(_interface(kind, is_sent=kind in sent, is_received=kind in received))
    return "\n".join(parts)


def _with_bases(kinds: Iterable[MessageType]) -> list[MessageType]:
    """Return types with the classes they inherit fields from, bases first, each once."""
    found: dict[MessageType, None] = {}
    for kind in kinds:
        for base in reversed(kind.__mro__):
            if is_message_type(base) and base.__module__.startswith("parure.") and fields_of(base):
                found[base] = None
        found[kind] = None
    return list(found)


def _interface(kind: MessageType, is_sent: bool, is_received: bool) -> str:
    """Return an interface; it extends that of the base class if this has fields."""
    base = kind.__mro__[1]
    has_base = is_message_type(base) and base.__module__.startswith("parure.") and fields_of(base)
    own = vars(kind).get("__annotations__", {}) if has_base else None
    lines = []
    if issubclass(kind, Struct) and kind.__struct_config__.tag and not kind.__subclasses__():
        config = kind.__struct_config__
        lines.append(f"  {config.tag_field}: {json.dumps(config.tag)};")
    for field in fields_of(kind):
        if own is None or field.name in own:
            is_optional = (is_sent and field.default is not NODEFAULT) or (
                (is_received or not is_sent) and is_left_out(kind, field)
            )
            lines.append(_field(field, is_optional))
    extends = f" extends {_name(base)}" if has_base else ""
    head = f"{_comment(kind.__doc__ or '')}export interface {_name(kind)}{extends} {{"
    return "\n".join([head, *lines, "}", ""])


def _field(field: Field, is_optional: bool) -> str:
    name = f"  {field.name}{'?' if is_optional else ''}:"
    written = _typescript(field.type)
    if len(name) + len(written) + 2 > WIDTH:
        written = "".join(f"\n    | {one}" for one in written.split(" | "))
        return f"{_comment(field.comment, '  ')}{name}{written};"
    return f"{_comment(field.comment, '  ')}{name} {written};"


def _comment(text: str, indent: str = "") -> str:
    """Return a doc comment, or nothing."""
    lines = inspect.cleandoc(text).splitlines()
    if not lines:
        return ""
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    body = "".join(f"{indent} * {line}".rstrip() + "\n" for line in lines)
    return f"{indent}/**\n{body}{indent} */\n"


def _union(name: str, kinds: Sequence[MessageType]) -> str:
    names = [_name(kind) for kind in kinds]
    line = f"export type {name} = {' | '.join(names)};\n"
    if len(line) - 1 <= WIDTH:
        return line
    indented = f"  {' | '.join(names)};"
    if len(indented) > WIDTH:
        indented = "\n".join(f"  | {one}" for one in names) + ";"
    return f"export type {name} =\n{indented}\n"


def _name(kind: MessageType) -> str:
    return RENAMED.get(kind.__name__, kind.__name__)


def _typescript(hint: Any, is_alias: bool = False) -> str:
    """Return an annotation as a TypeScript type."""
    if not is_alias:
        named = {name: alias for name, (alias, _) in ALIASES.items()} | UNIONS
        for name, alias in named.items():
            if hint == alias:
                return name
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _typescript(arguments[0])
    if origin in (Union, UnionType):
        return " | ".join(_typescript(part) for part in arguments if part is not UnsetType)
    if origin is Literal:
        return " | ".join(json.dumps(value) for value in arguments)
    if origin in (list, tuple, Sequence):
        item = _typescript(arguments[0])
        return f"({item})[]" if item.endswith(" | null") else f"{item}[]"
    if origin is dict:
        return f"Record<string, {_typescript(arguments[1])}>"
    if is_message_type(hint):
        return _name(hint)
    return PRIMITIVES.get(hint, "unknown")


def main() -> None:
    """Write the types, or check that they are current."""
    parser = argparse.ArgumentParser(description="Generate the page's TypeScript types.")
    parser.add_argument("--check", action="store_true", help="only check that they are current")
    is_check = parser.parse_args().check
    source = generate()
    if not is_check:
        TARGET.write_text(source, encoding="utf-8")
    elif not TARGET.is_file() or TARGET.read_text(encoding="utf-8") != source:
        sys.exit(f"{TARGET.name} is not current: run `make types`")


if __name__ == "__main__":
    main()
