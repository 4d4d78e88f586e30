"""A server, a Chromium, and people at it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright
from tests.server.clients import ApiClient, running, settings_for
from tests.web.person import Person

from parure.server.settings import Settings
from parure.server.warmup import compile_all

FLAGS = (
    "--no-sandbox --disable-gpu --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
SIZES = {"wide": (1920, 1080), "large": (1440, 900), "small": (390, 844), "narrow": (360, 740)}
PHONES = ("small", "narrow")

Welcome = Callable[..., Person]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here plays in a browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents and "page" not in item.keywords:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiClient]:
    """Where matches are made."""
    if not (Settings().static_folder / "index.html").is_file():
        pytest.fail("the page is not built: make page")
    compile_all()
    folder = tmp_path_factory.mktemp("web")
    with running(settings_for(folder, take_over_after=1)) as (api, _):
        yield api


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The Chromium of this machine."""
    program = next((found for name in PROGRAMS if (found := shutil.which(name))), None)
    if program is None:
        pytest.fail("there is no Chromium here: make chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def welcome(browser: Browser, api: ApiClient) -> Iterator[Welcome]:
    """Lets people in, each with a browser of their own; a mistake of the page fails the test."""
    contexts: list[BrowserContext] = []
    mistakes: list[str] = []

    def enter(
        kind: type[Person] = Person, size: str = "large", locale: str = "en-GB", **further: Any
    ) -> Person:
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height},
            locale=locale,
            has_touch=size in PHONES,
            is_mobile=size in PHONES,
            reduced_motion=further.pop("reduced_motion", "reduce"),
            service_workers=further.pop("service_workers", "block"),
            base_url=f"http://localhost:{api.port}",
            **further,
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: mistakes.append(str(error)))
        page.on(
            "console",
            lambda said: mistakes.append(said.text) if "Content Security" in said.text else None,
        )
        return kind(page, api)

    yield enter
    for context in contexts:
        context.close()
    assert not mistakes
