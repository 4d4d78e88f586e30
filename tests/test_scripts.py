"""The scripts that the Makefile calls."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).parents[1] / "scripts"


@pytest.fixture
def test_pythons(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module `scripts/test_pythons.py`."""
    spec = spec_from_file_location("test_pythons_script", SCRIPTS / "test_pythons.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("status", "shown"), [(0, ""), (3, "hello\n")])
def test_output_is_shown_only_after_a_failure(status: int, shown: str) -> None:
    command = ["sh", str(SCRIPTS / "quietly.sh"), "sh", "-c", f"echo hello; exit {status}"]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (status, "", shown)


def test_requirements_contain_those_of_the_extras(test_pythons: ModuleType) -> None:
    requirements = test_pythons.requirements()
    assert any(requirement.startswith("numba") for requirement in requirements)
    assert any(requirement.startswith("fastapi") for requirement in requirements)
    assert not any(requirement.startswith("parure") for requirement in requirements)


def test_the_newest_version_under_pyenv_is_used(
    test_pythons: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    for version, implementation in (
        ("3.12.9", "CPython"),
        ("3.12.10", "CPython"),
        ("3.12.11", "broken"),
        ("3.13.1", "PyPy"),
    ):
        program = tmp_path / "versions" / version / "bin" / "python"
        program.parent.mkdir(parents=True)
        program.write_text(f"#!/bin/sh\necho {implementation}\n")
        program.chmod(0o755)
    newest = tmp_path / "versions" / "3.12.10" / "bin" / "python"
    assert test_pythons.find_python("3.12") == newest
    assert test_pythons.find_python("3.13") is None
    assert test_pythons.find_python("3.14") is None
