"""The bus between workers; with a real Redis it is tested in test_workers.py."""

from __future__ import annotations

import pytest

from parure.errors import ParureError
from parure.server.bus import RedisBus


def test_an_invalid_address_of_redis() -> None:
    with pytest.raises(ParureError, match="redis://"):
        RedisBus("nonsense")
