"""The message types as data, for everything that is generated from them.

The TypeScript types of the page (`web/generate_types.py`) and the reference in the docs come from
the same classes: msgspec structs, pydantic models and dataclasses, with the comment behind a field
as its description.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import io
import textwrap
import tokenize
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias, get_args, get_type_hints

import msgspec
from msgspec import NODEFAULT, UNSET
from pydantic import BaseModel

from parure.games.view_schema import DERIVED

MessageType: TypeAlias = type[Any]  # a struct, model or dataclass


@dataclasses.dataclass(frozen=True, slots=True)
class Field:
    """One field of a message type."""

    name: str
    type: Any  # its annotation, with constraints
    default: Any  # NODEFAULT where the field is required
    comment: str

    @property
    def is_derived(self) -> bool:
        """Whether the field is always written though it has a default."""
        metadata = getattr(self.type, "__metadata__", ())
        return any(getattr(one, "extra", None) == DERIVED for one in metadata)


def is_message_type(hint: object) -> bool:
    """Return whether an annotation is a class with fields."""
    return inspect.isclass(hint) and (
        issubclass(hint, msgspec.Struct | BaseModel) or dataclasses.is_dataclass(hint)
    )


def fields_of(kind: MessageType) -> list[Field]:
    """Return the fields of a type, those of base classes first.

    >>> from parure.games.position import Outcome
    >>> [(field.name, field.type) for field in fields_of(Outcome)]
    [('winners', tuple[int, ...]), ('reason', <class 'str'>)]
    """
    hints = get_type_hints(kind, include_extras=True)
    comments = _comments(kind)
    return [
        Field(name, hints[name], default, comments.get(name, ""))
        for name, default in _defaults(kind)
    ]


def types_within(roots: Iterable[Any]) -> list[MessageType]:
    """Return the types that annotations consist of, each once, outer ones first."""
    found: list[MessageType] = []

    def visit(hint: Any) -> None:
        if is_message_type(hint) and hint not in found:
            found.append(hint)
            for field in fields_of(hint):
                visit(field.type)
        for argument in get_args(hint):
            visit(argument)

    for root in roots:
        visit(root)
    return found


def _defaults(kind: MessageType) -> Iterator[tuple[str, Any]]:
    """Yield the name and default of each field."""
    if issubclass(kind, BaseModel):
        for name, info in kind.model_fields.items():
            yield name, NODEFAULT if info.is_required() else info.get_default()
    elif issubclass(kind, msgspec.Struct):
        for field in msgspec.structs.fields(kind):
            is_made = field.default_factory is not NODEFAULT
            yield field.name, field.default_factory() if is_made else field.default
    else:
        for member in dataclasses.fields(kind):
            has_default = member.default is not dataclasses.MISSING
            yield member.name, member.default if has_default else NODEFAULT


def _comments(kind: MessageType) -> dict[str, str]:
    """Return the comment behind each field, base classes included."""
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
                    comment = comments.get(node.end_lineno or 0, "")
                    found[node.target.id] = comment or found.get(node.target.id, "")
    return found


def is_left_out(kind: MessageType, field: Field) -> bool:
    """Return whether an object that the server sends may lack a field."""
    if field.default is NODEFAULT or field.is_derived:
        return False
    return field.default is UNSET or bool(
        issubclass(kind, msgspec.Struct) and kind.__struct_config__.omit_defaults
    )
