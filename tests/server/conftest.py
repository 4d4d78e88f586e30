"""What the tests of the server share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.server.clients import House, running, settings_for

from parure.server.registry import Hall
from parure.server.warmup import prepare_all


@pytest.fixture(scope="session", autouse=True)
def _compiled() -> None:
    prepare_all()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, Hall]]:
    """A server for the tests of one file."""
    with running(settings_for(tmp_path_factory.mktemp("server"), take_over_after=1)) as both:
        yield both


@pytest.fixture
def house(served: tuple[House, Hall]) -> House:
    """Where matches are made and joined."""
    return served[0]


@pytest.fixture
def hall(served: tuple[House, Hall]) -> Hall:
    """The inside of the server."""
    return served[1]
