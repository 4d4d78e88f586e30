"""Draw the application's icons as PNG files from public/icon.svg, with a Chromium.

    python web/make_icons.py

A maskable icon has no corners, and its picture keeps inside the circle that every platform shows.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

PUBLIC = Path(__file__).resolve().parent / "public"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


def _draw(page: Page, svg: str, name: str, pixels: int) -> None:
    page.set_viewport_size({"width": pixels, "height": pixels})
    page.set_content(f"<style>body{{margin:0}}svg{{display:block;width:100vw}}</style>{svg}")
    page.screenshot(path=PUBLIC / "icons" / name, omit_background=True)


def main() -> None:
    """Write all icons."""
    svg = (PUBLIC / "icon.svg").read_text(encoding="utf-8")
    svg = svg.replace("url(#a)", "#1b352a")  # an even ground makes much smaller files
    square = svg.replace(' rx="22"', "")
    maskable = square.replace("-50 -50 100 100", "-58 -58 116 116").replace(
        '<rect x="-50" y="-50" width="100" height="100"',
        '<rect x="-58" y="-58" width="116" height="116"',
    )
    program = next(found for name in PROGRAMS if (found := shutil.which(name)))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        _draw(page, svg, "icon-192.png", 192)
        _draw(page, svg, "icon-512.png", 512)
        _draw(page, maskable, "maskable-512.png", 512)
        _draw(page, square, "apple-touch-icon.png", 180)
        browser.close()


if __name__ == "__main__":
    main()
