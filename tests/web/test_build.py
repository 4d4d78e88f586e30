"""The page is part of the package, and its packages can be installed everywhere."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "web" / "package-lock.json"


def test_a_wheel_contains_the_page(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "parure/server/static/index.html" in names
    for ending in (".js", ".css", ".woff2"):
        assert any(
            name.startswith("parure/server/static/assets/") and name.endswith(ending)
            for name in names
        )


@pytest.fixture(scope="module")
def locked_packages() -> dict[str, dict[str, Any]]:
    packages: dict[str, dict[str, Any]] = json.loads(LOCK.read_text(encoding="utf-8"))["packages"]
    return {path: package for path, package in packages.items() if path}


@pytest.mark.page
def test_the_lock_file_names_no_package_hosts(locked_packages: dict[str, dict[str, Any]]) -> None:
    assert not any("resolved" in package for package in locked_packages.values())
    assert all("integrity" in package for package in locked_packages.values())


@pytest.mark.page
@pytest.mark.parametrize(
    "platform", ["linux-x64-gnu", "linux-arm64-gnu", "darwin-arm64", "darwin-x64", "win32-x64-msvc"]
)
def test_the_lock_file_holds_the_bundler_of_every_platform(
    locked_packages: dict[str, dict[str, Any]], platform: str
) -> None:
    assert f"node_modules/@rolldown/binding-{platform}" in locked_packages


@pytest.mark.page
def test_building_needs_no_tools(locked_packages: dict[str, dict[str, Any]]) -> None:
    """`make play` installs what building needs; linters and test runners are for developers."""
    needed = {path for path, package in locked_packages.items() if not package.get("dev")}
    assert {"node_modules/vite", "node_modules/svelte"} <= needed
    assert not {"node_modules/eslint", "node_modules/vitest", "node_modules/prettier"} & needed
