"""Helpers for tests that look at HTTP responses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import msgspec

JSON = "application/json"
RECORDS = Path(__file__).parents[1] / "data" / "records"


def bearer(key: str) -> dict[str, str]:
    """Return the header that carries a key."""
    return {"Authorization": f"Bearer {key}"}


def error(response: httpx.Response) -> tuple[int, str]:
    """Return the status and the code of an error response."""
    body = response.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message"}
    return response.status_code, body["error"]["code"]


def duel_record() -> dict[str, Any]:
    """Return the record of a finished game of Duel."""
    file = sorted(RECORDS.rglob("*duel*.json"))[0]
    record: dict[str, Any] = msgspec.json.decode(file.read_bytes())
    return record
