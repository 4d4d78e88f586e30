"""The page can be installed, opens without a connection, and is small."""

from __future__ import annotations

import gzip
import json
import shutil
import struct
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from tests.server.clients import ApiClient, running, settings_for
from tests.web.conftest import Welcome

from parure.server.link_preview import IMAGE, IMAGE_SIZE
from parure.server.settings import Settings

STATIC = Settings().static_folder
MAX_BUNDLE = 120_000  # bytes, compressed
READY = "navigator.serviceWorker.ready.then(() => true)"
CACHES = """Promise.all((await caches.keys()).map(async (name) =>
  [name, (await (await caches.open(name)).keys()).map((request) => new URL(request.url).pathname)]
)).then(Object.fromEntries)"""


def stored_files(context: BrowserContext) -> dict[str, list[str]]:
    """The paths that the service worker keeps, by the name of the cache."""
    found: dict[str, list[str]] = context.pages[0].evaluate(f"async () => {CACHES}")
    return found


def wait_until(page: Page, condition: str) -> None:
    """Wait until an expression that awaits something is true."""
    pause = "await new Promise((wake) => setTimeout(wake, 50))"
    page.evaluate(f"async () => {{ while (!({condition})) {pause}; }}")


def png_size(file: Path) -> tuple[int, int]:
    width, height = struct.unpack(">II", file.read_bytes()[16:24])
    return width, height


def test_what_a_page_loads_is_small(welcome: Welcome, api: ApiClient) -> None:
    ann = welcome()
    paths: list[str] = []
    ann.page.on("response", lambda response: paths.append(urlsplit(response.url).path))

    def loaded_bytes() -> int:
        """The compressed size of the page, its scripts and its styles."""
        names = {path.removeprefix("/") for path in paths if path.endswith((".js", ".css"))}
        assert len(names) >= 3
        files = [STATIC / "index.html", *(STATIC / name for name in names)]
        paths.clear()
        return sum(len(gzip.compress(file.read_bytes())) for file in files)

    ann.page.goto("/")
    ann.page.wait_for_selector("main")
    assert loaded_bytes() < MAX_BUNDLE
    ann.open(api.create("Ann", "bot:random"))
    ann.wait_for_turn()
    assert loaded_bytes() < MAX_BUNDLE


def test_the_manifest_names_icons_that_exist() -> None:
    manifest = json.loads((STATIC / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert (manifest["display"], manifest["start_url"]) == ("standalone", "/")
    sizes = set()
    for icon in manifest["icons"]:
        file = STATIC / icon["src"].lstrip("/")
        assert file.is_file(), icon["src"]
        if file.suffix == ".png":
            assert "x".join(map(str, png_size(file))) == icon["sizes"]
            sizes.add(icon["sizes"])
    assert {"192x192", "512x512"} <= sizes
    assert any(icon.get("purpose") == "maskable" for icon in manifest["icons"])


def test_the_picture_of_previews_has_its_size() -> None:
    assert png_size(STATIC / IMAGE.lstrip("/")) == IMAGE_SIZE


def test_the_browser_finds_nothing_wrong_with_the_manifest(welcome: Welcome) -> None:
    ann = welcome()
    ann.page.goto("/")
    tools = ann.page.context.new_cdp_session(ann.page)
    found = tools.send("Page.getAppManifest")
    assert found["url"].endswith("/manifest.webmanifest")
    assert not found["errors"]


def test_the_page_opens_without_a_connection(welcome: Welcome) -> None:
    ann = welcome(service_workers="allow")
    ann.page.goto("/")
    assert ann.page.evaluate(READY)
    ann.page.wait_for_selector("#play:not(:disabled)")
    (files,) = stored_files(ann.page.context).values()
    assert "/" in files
    assert any(file.endswith(".js") for file in files)
    assert not any(file.startswith("/api/") for file in files)
    ann.page.context.set_offline(True)
    ann.page.goto("/rules/splendor")
    ann.page.wait_for_selector("h1:has-text('Splendor')")
    ann.page.goto("/")
    ann.page.wait_for_selector("[role=alert]:has-text('The server does not answer')")
    ann.page.context.set_offline(False)
    ann.page.wait_for_selector("#play:not(:disabled)")  # the page asks again without being reloaded


@pytest.mark.parametrize("keeps_old_assets", [True, False])
def test_a_new_version_replaces_the_old_one(
    browser: Browser, api: ApiClient, tmp_path: Path, keeps_old_assets: bool
) -> None:
    built = tmp_path / "static"
    shutil.copytree(STATIC, built)
    with running(settings_for(tmp_path, static=str(built))) as (server, _):
        context = browser.new_context(base_url=f"http://localhost:{server.port}")
        page = context.new_page()
        page.goto("/")
        assert page.evaluate(READY)
        (old,) = stored_files(context)

        script = next((built / "assets").glob("index-*.js"))
        changed = script.with_name("index-changed.js")
        (shutil.copy if keeps_old_assets else shutil.move)(script, changed)
        for name in ("index.html", "service-worker.js"):
            file = built / name
            text = file.read_text(encoding="utf-8").replace(script.name, changed.name)
            text = text.replace(old.removeprefix("parure-"), "changed").replace(
                "<title>Parure</title>", '<title>Parure</title><meta name="changed" />'
            )
            file.write_text(text, encoding="utf-8")

        page.goto("/")  # the new page at once, from the network
        page.wait_for_selector("meta[name=changed]", state="attached")
        page.wait_for_selector("h1")
        wait_until(page, "(await navigator.serviceWorker.getRegistration())?.waiting")
        assert set(stored_files(context)) == {old, "parure-changed"}  # a page of the old is open
        page.close()
        page = context.new_page()
        page.goto("/")
        wait_until(page, "(await caches.keys()).length === 1")
        assert set(stored_files(context)) == {"parure-changed"}
        context.set_offline(True)
        page.reload()
        page.wait_for_selector("meta[name=changed]", state="attached")
        context.close()
