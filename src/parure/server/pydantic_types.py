"""Field types of the HTTP models that pydantic does not have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from pydantic import BeforeValidator
from pydantic_core import CoreSchema, core_schema


def _to_int(value: object) -> object:
    """Convert a float without fraction: JSON does not distinguish 2.0 from 2."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


INTEGER = BeforeValidator(_to_int)


class OneOf:
    """Restricts a string to names that are known only at run time; an enum in OpenAPI."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = list(names)

    def __get_pydantic_core_schema__(self, source: Any, handler: object) -> CoreSchema:
        """Accept the names, like `Literal`."""
        return core_schema.literal_schema(self._names)


class StructSchema:
    """Marks a msgspec struct in a model: pydantic encodes and describes it as msgspec does."""

    def __get_pydantic_core_schema__(self, source: Any, handler: object) -> CoreSchema:
        """Accept instances only: structs occur in responses."""
        encode = core_schema.plain_serializer_function_ser_schema(msgspec.to_builtins)
        return core_schema.is_instance_schema(source, serialization=encode)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: object) -> dict[str, Any]:
        """Return the schema that msgspec gives."""
        return _without_references(msgspec.json.schema(schema["cls"]))


def _without_references(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON schema in which every `$ref` is replaced by its definition."""
    definitions = schema.pop("$defs", {})

    def resolve(value: Any) -> Any:
        if isinstance(value, list):
            return [resolve(item) for item in value]
        if not isinstance(value, dict):
            return value
        if "$ref" in value:
            return resolve(definitions[value["$ref"].rpartition("/")[2]])
        return {key: resolve(item) for key, item in value.items() if key != "discriminator"}

    resolved: dict[str, Any] = resolve(schema)
    return resolved
