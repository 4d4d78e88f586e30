"""Which way imports run, and what may not stand where."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import parure

PACKAGE = Path(parure.__file__).parent
ROOMS_ABOVE_BOTS = {"arena", "envs", "review", "server", "terminal", "train"}

# what each package may import besides itself, `errors` and `atomic_write`;
# the names in `parure/__init__.py` come from games
ALLOWED = {
    "errors": set[str](),
    "atomic_write": set[str](),
    "games": set[str](),
    "table": {"games"},
    "bots": {"games"},
    **{room: {"games", "table", "bots"} for room in ROOMS_ABOVE_BOTS},
    "cli": {"games", "table", "bots", *ROOMS_ABOVE_BOTS},
    "__main__": {"cli"},
    "__init__": {"games"},
}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room_of(module: Path) -> str:
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(module: Path) -> Iterator[str]:
    """The full names of what a module imports, inside functions too."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            assert node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_every_room_is_known() -> None:
    assert {room_of(module) for module in modules()} <= set(ALLOWED)


@pytest.mark.parametrize("room", sorted(ALLOWED))
def test_imports_run_one_way(room: str) -> None:
    """As the plan says: games ← bots ← {…} ← cli."""
    for module in modules():
        if room_of(module) != room:
            continue
        for name in imports_of(module):
            package, _, rest = name.partition(".")
            if package != "parure" or rest == "__version__":
                continue
            other = rest.split(".")[0] or "__init__"
            if (PACKAGE / other).is_dir() or (PACKAGE / f"{other}.py").exists():
                assert other in {room, "errors", "atomic_write", *ALLOWED[room]}, (
                    f"{module} imports {name}"
                )
            else:  # a name at the door of the package, which opens into games
                assert room not in ("games", "errors"), f"{module} imports {name}"


def test_only_games_and_its_kernels_need_numba() -> None:
    for module in modules():
        if room_of(module) != "games":
            assert not any(re.match(r"numba|llvmlite", name) for name in imports_of(module)), module


def test_machine_code_is_kept_by_all_sources_of_kernels() -> None:
    """A kernel, and what it is made of, lies in a room whose hash names the cache folder."""
    from parure.games.engine.jit import KERNEL_PACKAGES

    rooms = [PACKAGE / room for room in KERNEL_PACKAGES]
    for module in modules():
        if "parure.games.engine.jit.kernel" in imports_of(module):
            assert any(module.is_relative_to(room) for room in rooms), module


ALLOWED_IN_GAMES = {"__future__", "numba", "llvmlite", "numpy", "msgspec", "parure"}


def test_the_rules_import_nothing_foreign() -> None:
    for module in modules():
        if room_of(module) == "games":
            for name in imports_of(module):
                package = name.split(".")[0]
                assert package in sys.stdlib_module_names | ALLOWED_IN_GAMES, (module, name)


FOREIGN = re.compile(
    r"\b(socket|websocket|http|https|urllib|asyncio|sqlite3?|database|server|client|browser"
    r"|html|rich|typer|argparse|curses|colorama|torch|tensor|neural|gradient|reward|sleep)\b",
    re.IGNORECASE,
)


def test_the_rules_know_no_network_screen_or_learning() -> None:
    for module in modules():
        if room_of(module) == "games":
            for number, line in enumerate(module.read_text(encoding="utf-8").splitlines(), 1):
                found = FOREIGN.search(line)
                assert not found, f"{module}:{number}: {line}"


MACHINE_PATH = re.compile(
    r"(?<![\w.~])/(home|root|work|tmp|Users|opt|mnt|var)/|\b[A-Z]:\\\\?\w|127\.0\.0\.1"
)
LOOPBACK = re.compile("localhost")  # the server's own default, and nobody else's business


def test_the_package_holds_no_machine_paths() -> None:
    for file in sorted(PACKAGE.rglob("*")):
        if file.suffix in (".py", ".csv", ".typed", ".toml", ".json", ".md"):
            text = file.read_text(encoding="utf-8")
            assert not MACHINE_PATH.search(text), file
            assert file.parent == PACKAGE / "server" or not LOOPBACK.search(text), file


HEAVY = ("numba", "llvmlite", "numpy", "rich", "msgspec", "torch")


@pytest.mark.parametrize("module", ["parure", "parure.cli", "parure.errors", "parure.bots"])
def test_importing_the_door_is_cheap(module: str) -> None:
    heavy = HEAVY if module in ("parure", "parure.errors") else HEAVY[:3]
    program = f"import sys, {module}; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
    assert done.stderr == ""


def test_help_is_cheap() -> None:
    program = (
        "import sys\n"
        "from parure.cli import main\n"
        "sys.argv = ['parure', '--help']\n"
        "try:\n    main()\n"
        "except SystemExit:\n    pass\n"
        f"print([name for name in {HEAVY[:3]} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip().endswith("[]")
