"""Which way imports run, and what may not be in the package."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import parure
from parure.games.registry import FAMILIES, GAMES

PACKAGE = Path(parure.__file__).parent
ABOVE_BOTS = {"arena", "envs", "server", "terminal", "train"}
SHARED = {"errors", "atomic_write", "file_lock", "ray_cluster"}  # may be imported by every package

# What each package may import besides itself and the shared modules:
# games ← table; games ← observations ← bots; games, table, bots ← analysis
# ← {arena, envs, server, terminal, train} ← cli
ALLOWED: dict[str, set[str]] = {
    **{module: set() for module in SHARED},
    "games": set(),
    "table": {"games"},
    "observations": {"games"},
    "bots": {"games", "observations"},
    "analysis": {"games", "table", "bots"},
    **{package: {"games", "observations", "table", "bots", "analysis"} for package in ABOVE_BOTS},
    "cli": {"games", "table", "bots", "analysis", *ABOVE_BOTS},
    "__main__": {"cli"},
    "__init__": {"games", "bots", "analysis"},
}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def package_of(module: Path) -> str:
    """Return the package or module directly below `parure` that a file belongs to."""
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


def test_every_package_is_known() -> None:
    assert {package_of(module) for module in modules()} <= set(ALLOWED)


@pytest.mark.parametrize("package", sorted(ALLOWED))
def test_imports_run_one_way(package: str) -> None:
    allowed = {package, *SHARED, *ALLOWED[package]}
    for module in modules():
        if package_of(module) != package:
            continue
        for name in imports_of(module):
            top, _, rest = name.partition(".")
            if top != "parure" or rest == "__version__":
                continue
            other = rest.split(".")[0] or "__init__"
            if (PACKAGE / other).is_dir() or (PACKAGE / f"{other}.py").exists():
                assert other in allowed, f"{module} imports {name}"
            else:  # a name of the public API, which is made of games and bots
                assert package not in ("games", *SHARED), f"{module} imports {name}"


def names_compared(module: Path) -> Iterator[str]:
    """Yield the texts that a module compares something with."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Compare):
            for side in (node.left, *node.comparators):
                if isinstance(side, ast.Constant) and isinstance(side.value, str):
                    yield side.value


def test_games_are_told_apart_by_their_rules_not_by_name() -> None:
    for module in modules():
        if package_of(module) == "games":
            continue
        found = {*GAMES, *(family.name for family in FAMILIES)} & set(names_compared(module))
        assert not found, f"{module} compares with {found}"
        if package_of(module) in ("bots", "envs", "table"):
            assert "types.ModuleType" not in imports_of(module), module


def test_only_games_and_its_kernels_need_numba() -> None:
    for module in modules():
        if package_of(module) != "games":
            assert not any(re.match(r"numba|llvmlite", name) for name in imports_of(module)), module


def test_the_kernel_cache_depends_on_all_sources_of_kernels() -> None:
    """Kernels are defined only in packages whose sources name the cache folder."""
    from parure.games.engine.jit import KERNEL_PACKAGES

    folders = [PACKAGE / package for package in KERNEL_PACKAGES]
    for module in modules():
        if "parure.games.engine.jit.kernel" in imports_of(module):
            assert any(module.is_relative_to(folder) for folder in folders), module


ALLOWED_IN_GAMES = {"__future__", "numba", "llvmlite", "numpy", "msgspec", "parure"}


def test_the_rules_import_nothing_foreign() -> None:
    for module in modules():
        if package_of(module) == "games":
            for name in imports_of(module):
                package = name.split(".")[0]
                assert package in sys.stdlib_module_names | ALLOWED_IN_GAMES, (module, name)


MACHINE_PATH = re.compile(
    r"(?<![\w.~])/(home|root|work|tmp|Users|opt|mnt|var)/|\b[A-Z]:\\\\?\w|127\.0\.0\.1"
)
LOOPBACK = re.compile("localhost")  # the server's own default; nothing else needs it


def test_the_package_holds_no_machine_paths() -> None:
    for file in sorted(PACKAGE.rglob("*")):
        if file.suffix in (".py", ".csv", ".typed", ".toml", ".json", ".md"):
            text = file.read_text(encoding="utf-8")
            assert not MACHINE_PATH.search(text), file
            assert file.parent == PACKAGE / "server" or not LOOPBACK.search(text), file


HEAVY = ("numba", "llvmlite", "numpy", "rich", "msgspec", "torch")


@pytest.mark.parametrize("module", ["parure", "parure.cli", "parure.errors", "parure.bots"])
def test_importing_the_package_is_cheap(module: str) -> None:
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
