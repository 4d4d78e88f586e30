"""The OpenAPI description matches the routes: schemathesis finds no contradiction."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.server.clients import HOST, running, settings_for


def test_responses_match_the_description(tmp_path: Path) -> None:
    with running(settings_for(tmp_path)) as (api, _):
        address = f"http://{HOST}:{api.port}/api/openapi.json"
        assert api.http.get(address).json()["info"]["title"] == "Parure"
        program = Path(sys.executable).with_name("schemathesis")
        options = ["--seed", "7", "--max-examples", "15", "--no-color"]
        done = subprocess.run(
            [program, "run", address, *options],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
    assert done.returncode == 0, done.stdout
    assert "16 selected / 16 total" in done.stdout
