"""How the kernels are compiled: the two decorators, and where the machine code is kept.

The kernels are ordinary Python. With ``NUMBA_DISABLE_JIT=1`` they run as they stand, which is how
their coverage is measured and how they are stepped through in a debugger.

Numba's own disk cache looks only at the file of the function that is called: an edited helper
would leave stale machine code behind. So the cache folder is named by a hash of every source and
card file in the rooms that hold kernels, and set while the decorators run.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from llvmlite import binding
from numba.core import config
from numba.core.cpu import CPUTargetOptions
from numba.extending import overload

JIT = not config.DISABLE_JIT


def processor_has(feature: str) -> bool:
    """Whether the processor that code is compiled for has a feature, as LLVM names it."""
    if not JIT or config.CPU_NAME or config.CPU_FEATURES is not None:
        return False  # nothing is compiled, or not for this processor
    if feature.startswith("avx") and not config.ENABLE_AVX:
        return False  # Numba does not trust it here
    return bool(binding.get_host_cpu_features().get(feature, False))


F = TypeVar("F", bound=Callable[..., Any])

KERNEL_PACKAGES = ("games", "bots", "envs/kernels")


def user_cache_directory() -> Path:
    """Where this user's caches live, ``PARURE_CACHE`` first."""
    if folder := os.environ.get("PARURE_CACHE"):
        return Path(folder)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", tempfile.gettempdir())) / "parure"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "parure"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "parure"


@cache
def kernel_cache() -> Path | None:
    """The folder for this exact version of the kernels; None when nothing can be written."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    root = Path(__file__).parents[2]
    sources = [file for room in KERNEL_PACKAGES for file in (root / room).rglob("*")]
    for path in sorted(file for file in sources if file.suffix in (".py", ".csv")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    for parent in (user_cache_directory(), Path(tempfile.gettempdir()) / f"parure-{_user()}"):
        folder = parent / "kernels" / digest.hexdigest()[:16]
        try:
            _forget_old_versions(folder)
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return None


_announced: set[str] = set()


def announce_compilation(module: Any, function: str = "apply", title: str | None = None) -> None:
    """Say so, once, if the first use of a kernel module is going to take some seconds.

    `function` is the kernel of the module whose machine code is looked for.
    """
    name = module.__name__
    if not JIT or name in _announced:
        return
    _announced.add(name)
    folder = kernel_cache()
    *_, room, file = name.split(".")
    if folder is not None and any(folder.rglob(f"*{room}*/{file}.{function}-*.nbc")):
        return
    title = title or f"the rules of {room.capitalize()}"
    again = "this happens once" if folder else "no folder can be written to keep the result in"
    print(f"Compiling {title} for this machine ({again}) …", file=sys.stderr)  # noqa: T201


@contextmanager
def compiling(what: str) -> Iterator[None]:
    """Say so, once, if what is done inside must be compiled first."""
    folder = kernel_cache() if JIT and what not in _announced else None
    _announced.add(what)
    marker = folder / f"{what}.ready" if folder else None
    if marker and not marker.exists():
        print(f"Compiling {what} for this machine (this happens once) …", file=sys.stderr)  # noqa: T201
    yield
    if marker:
        with suppress(OSError):
            marker.touch()


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else "user"


def _forget_old_versions(folder: Path, keep: int = 8) -> None:
    """Drop all but the newest few caches, so that editing kernels does not fill the disk."""
    if folder.exists() or not folder.parent.is_dir():
        return
    with suppress(OSError):  # another process may be doing the same
        versions = sorted(folder.parent.iterdir(), key=lambda old: old.stat().st_mtime)
        for old in versions[:-keep]:
            shutil.rmtree(old, ignore_errors=True)


@contextmanager
def _cache_here() -> Iterator[bool]:
    """Point Numba at our folder while a function is decorated; gives whether there is one."""
    folder = kernel_cache()
    before = config.CACHE_DIR
    if folder is not None:
        config.CACHE_DIR = str(folder)
    try:
        yield folder is not None
    finally:
        config.CACHE_DIR = before


# Kernels allocate nothing, so reference counting is left out. The
# option is private to Numba; where a release no longer knows it, it is simply not asked for.
_LEAN: dict[str, Any] = {"nogil": True}
if hasattr(CPUTargetOptions, "_nrt"):
    _LEAN["_nrt"] = False

# What only kernels call needs no door to Python, which takes time to compile.
_INNER: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, **_LEAN}

# Above this level LLVM unrolls and vectorizes loops over three or twelve things, to their harm.
_LEVEL = 2


def kernel(function: F) -> F:
    """Compile a function that Python calls; its machine code is kept on disk.

    Kernels that call it get it inlined: each call would pass all its arrays piece by piece.
    """
    if not JIT:
        return function
    with _cache_here() as has_folder:
        compiled = numba.njit(cache=has_folder, forceinline=True, no_cfunc_wrapper=True, **_LEAN)(
            function
        )
    compile_now = compiled.compile

    def compile_at_level(signature: Any) -> Any:
        before = config.OPT
        config.OPT = type(before)(_LEVEL)
        try:
            return compile_now(signature)
        finally:
            config.OPT = before

    compiled.compile = compile_at_level
    return cast("F", compiled)


def helper(function: F) -> F:
    """Compile a function that only kernels call, inlined where it is called."""
    if not JIT:
        return function
    compiled: F = numba.njit(forceinline=True, **_INNER)(function)
    return compiled


def routine(function: F) -> F:
    """Compile a function that only kernels call and seldom: kept out of their hot code."""
    if not JIT:
        return function
    compiled: F = numba.njit(**_INNER)(function)
    return compiled


def dispatch_on_type(find: Callable[[type], Any]) -> Callable[..., Any]:
    """A function for kernels that is one of several: `find` gives it for a type of named tuple.

    The named tuple comes as the first argument, and is not passed on.
    """

    def call(chooser: Any, *arguments: Any) -> Any:
        return find(type(chooser))(*arguments)

    if JIT:

        @overload(call, jit_options=_INNER)
        def choose(chooser: Any, *arguments: Any) -> Any:
            function = find(chooser.instance_class)

            def implementation(chooser: Any, *arguments: Any) -> Any:
                return function(*arguments)

            return implementation

    return call
