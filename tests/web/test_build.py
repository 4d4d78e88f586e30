"""The page is part of the package."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]


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


def test_the_lock_file_names_no_hosts() -> None:
    text = (ROOT / "web" / "package-lock.json").read_text()
    assert '"resolved"' not in text
    assert '"integrity"' in text
