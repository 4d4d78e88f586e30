"""Fixtures of the server's tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.server.clients import ApiClient, FakeClock, running, settings_for

from parure.server.registry import MatchRegistry
from parure.server.warmup import compile_all


@pytest.fixture(scope="session", autouse=True)
def _compiled() -> None:
    compile_all()


@pytest.fixture(scope="module")
def clock() -> FakeClock:
    """The clock of `server`."""
    return FakeClock()


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, clock: FakeClock
) -> Iterator[tuple[ApiClient, MatchRegistry]]:
    """A server for the tests of one module."""
    with running(settings_for(tmp_path_factory.mktemp("server")), clock) as running_server:
        yield running_server


@pytest.fixture
def api(server: tuple[ApiClient, MatchRegistry]) -> ApiClient:
    """A client of the module's server."""
    return server[0]


@pytest.fixture
def registry(server: tuple[ApiClient, MatchRegistry]) -> MatchRegistry:
    """The matches of the module's server."""
    return server[1]
