"""What the tests of the server share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.server.clients import ApiClient, running, settings_for

from parure.server.registry import MatchRegistry
from parure.server.warmup import compile_all


@pytest.fixture(scope="session", autouse=True)
def _compiled() -> None:
    compile_all()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ApiClient, MatchRegistry]]:
    """A server for the tests of one file."""
    with running(settings_for(tmp_path_factory.mktemp("server"), take_over_after=1)) as both:
        yield both


@pytest.fixture
def api(served: tuple[ApiClient, MatchRegistry]) -> ApiClient:
    """Where matches are made and joined."""
    return served[0]


@pytest.fixture
def registry(served: tuple[ApiClient, MatchRegistry]) -> MatchRegistry:
    """The inside of the server."""
    return served[1]
