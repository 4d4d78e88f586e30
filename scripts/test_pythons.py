"""Run the fast tests on every CPython from 3.11 to 3.14 found on PATH or under pyenv.

    python scripts/test_pythons.py [VERSION…] [--pytest ARGUMENT…]

Each version has its own environment in `.venv-pythons`. Requirements that have no wheel for a
version are left out, and the tests that need them are skipped. Versions that are not installed are
listed as missing, which is not a failure.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENTS = ROOT / ".venv-pythons"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
FAST_TESTS = ("-m", "not long and not servers and not browser")
PIP_OPTIONS = ("--disable-pip-version-check", "--no-compile", "--only-binary=:all:")


@dataclass
class Outcome:
    """The result of the tests on one version."""

    version: str
    is_failure: bool
    text: str

    def __str__(self) -> str:
        return f"{self.version:<8} {self.text}"


def find_python(version: str) -> Path | None:
    """Return the newest CPython of a minor version, or None."""
    for candidate in _candidates(version):
        program = "import platform; print(platform.python_implementation())"
        found = subprocess.run([candidate, "-c", program], capture_output=True, text=True)
        if found.returncode == 0 and found.stdout.strip() == "CPython":
            return candidate
    return None


def _candidates(version: str) -> Iterator[Path]:
    if on_path := shutil.which(f"python{version}"):
        yield Path(on_path)  # may be a shim of pyenv for a version that is not active
    versions = _pyenv_root() / "versions"
    if versions.is_dir():
        folders = [f for f in versions.iterdir() if re.fullmatch(rf"{version}\.\d+", f.name)]
        for folder in sorted(folders, key=lambda f: int(f.name.split(".")[2]), reverse=True):
            yield folder / "bin" / "python"


def _pyenv_root() -> Path:
    if root := os.environ.get("PYENV_ROOT"):
        return Path(root)
    if pyenv := shutil.which("pyenv"):
        found = subprocess.run([pyenv, "root"], capture_output=True, text=True)
        if found.returncode == 0:
            return Path(found.stdout.strip())
    return Path.home() / ".pyenv"


def requirements() -> list[str]:
    """Return the requirements of the tests, the extras of the package itself resolved."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras: dict[str, list[str]] = project["optional-dependencies"]

    def resolve(names: Sequence[str]) -> Iterator[str]:
        for name in names:
            for requirement in extras[name]:
                if own := re.fullmatch(r"parure\[(.+)\]", requirement):
                    yield from resolve([extra.strip() for extra in own[1].split(",")])
                else:
                    yield requirement

    return list(dict.fromkeys([*project["dependencies"], *resolve(["dev"])]))


def install(python: Path) -> list[str]:
    """Install the requirements that have wheels, and the package; return the names left out."""
    wanted = requirements()
    if not _pip(python, *wanted):
        left_out = []
    else:
        left_out = [requirement for requirement in wanted if _pip(python, requirement)]
    if error := _pip(python, "--no-deps", "--editable", str(ROOT), options=PIP_OPTIONS[:2]):
        raise RuntimeError(error)
    return [re.split(r"[<>=~!\[; ]", requirement)[0] for requirement in left_out]


def _pip(python: Path, *arguments: str, options: Sequence[str] = PIP_OPTIONS) -> str:
    """Run `pip install` and return its output if it fails."""
    command = [str(python), "-m", "pip", "install", *options, *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode else ""


def run_tests(version: str, pytest_arguments: Sequence[str]) -> Outcome:
    """Make the environment of a version if needed, and run the tests in it."""
    base = find_python(version)
    if base is None:
        return Outcome(version, False, "not installed")
    folder = ENVIRONMENTS / version
    python = folder / "bin" / "python"
    print(f"== Python {version} ({base})", flush=True)
    if not python.exists():
        subprocess.run([base, "-m", "venv", "--clear", folder], check=True)
    try:
        left_out = install(python)
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return Outcome(version, True, "the installation failed")
    command = [str(python), "-m", "pytest", "--quiet", *FAST_TESTS, *pytest_arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as tests:
        assert tests.stdout is not None
        last_line = ""
        for line in tests.stdout:
            print(line, end="", flush=True)
            last_line = line.strip() or last_line
    note = f" (without {', '.join(left_out)})" if left_out else ""
    return Outcome(version, tests.returncode != 0, last_line.strip("= ") + note)


def main() -> int:
    """Test all versions and print a line for each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("versions", nargs="*", metavar="VERSION", help="default: all")
    parser.add_argument("--pytest", nargs=argparse.REMAINDER, default=[], help="options of pytest")
    arguments = parser.parse_args()
    outcomes = [run_tests(version, arguments.pytest) for version in arguments.versions or VERSIONS]
    print("\nPython   fast tests")
    for outcome in outcomes:
        print(outcome)
    return 1 if any(outcome.is_failure for outcome in outcomes) else 0


if __name__ == "__main__":
    raise SystemExit(main())
