"""Compile kernels with Numba, and keep their machine code on disk.

Three decorators mark what a function is compiled for:

- :func:`kernel`: an entry point. Python calls it, and its machine code is cached on disk.
- :func:`inlined`: called only by other compiled functions, which contain a copy of its code.
- :func:`outlined`: called only by other compiled functions, and rarely; it stays a function of its
  own so that their hot code remains small.

Inlined and outlined functions have no wrapper for Python, which would crash the interpreter when
it calls them: they raise TypeError instead. A kernel raises TypeError for an array of the wrong
dtype, according to the annotations of its parameters, but does not check shapes or values. With
``NUMBA_DISABLE_JIT=1`` all three decorators return the function unchanged; coverage is measured and
kernels are debugged that way.

Numba's disk cache is invalidated only by changes to the file of the entry point. Since an entry
point contains the code of inlined functions from other files, the cache directory is named by a
hash of all source and card files of the packages that define kernels.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from llvmlite import binding
from numba.core import config, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUTargetOptions
from numba.core.registry import CPUDispatcher
from numba.extending import overload

F = TypeVar("F", bound=Callable[..., Any])

JIT = not config.DISABLE_JIT

KERNEL_PACKAGES = ("games", "observations", "bots", "envs/kernels")
"""The packages that may define kernels; their files make up the name of the cache directory."""


def cpu_has(feature: str) -> bool:
    """Return whether the target processor has a feature, under LLVM's name for it."""
    if not JIT or config.CPU_NAME or config.CPU_FEATURES is not None:
        return False  # nothing is compiled, or it is compiled for another processor
    if feature.startswith("avx") and not config.ENABLE_AVX:
        return False
    return bool(binding.get_host_cpu_features().get(feature, False))


# --- the three decorators -------------------------------------------------------------------------

# Kernels allocate nothing, so they are compiled without Numba's reference counting. `_nrt` is a
# private option of Numba: leave it out where a release does not have it.
_OPTIONS: dict[str, Any] = {"nogil": True}
if hasattr(CPUTargetOptions, "_nrt"):
    _OPTIONS["_nrt"] = False

# Wrappers for Python and C take time to compile.
_WITHOUT_WRAPPERS: dict[str, Any] = {
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    **_OPTIONS,
}

# At level 3 LLVM unrolls and vectorizes loops over three or twelve items, which slows them down.
_OPTIMIZATION_LEVEL = 2


def kernel(function: F) -> F:
    """Compile an entry point that Python calls; its machine code is cached on disk.

    Kernels that call it contain a copy of its code: a call would pass each array as seven or more
    separate values.
    """
    if not JIT:
        return function
    with _numba_cache_directory() as has_directory:
        compiled = numba.njit(
            cache=has_directory, forceinline=True, no_cfunc_wrapper=True, **_OPTIONS
        )(function)
    compile_signature = compiled.compile

    def compile_at_level(signature: Any) -> Any:
        _check_dtypes(function, signature)
        # Numba reads the level from its configuration, which all threads share. Its own lock is
        # used because a thread that compiles something else, and holds it, may get here too.
        with global_compiler_lock:
            before = config.OPT
            config.OPT = type(before)(_OPTIMIZATION_LEVEL)
            try:
                return compile_signature(signature)
            finally:
                config.OPT = before

    compiled.compile = compile_at_level
    return cast("F", compiled)


def inlined(function: F) -> F:
    """Compile a function that only kernels call, and copy its code into each caller."""
    if not JIT:
        return function
    return _without_wrappers(function, forceinline=True)


def outlined(function: F) -> F:
    """Compile a function that only kernels call, rarely, and keep it out of their code."""
    if not JIT:
        return function
    return _without_wrappers(function)


class _CompiledOnly(CPUDispatcher):  # type: ignore[misc]
    """A compiled function without a wrapper for Python, where a call would crash."""

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        raise TypeError(f"{self.__name__} can be called by compiled functions only")


def _without_wrappers(function: F, **options: Any) -> F:
    compiled = numba.njit(**options, **_WITHOUT_WRAPPERS)(function)
    compiled.__class__ = _CompiledOnly
    return cast("F", compiled)


# The dtypes of the arrays in `engine/arrays.py`.
_DTYPES = {
    "Row": types.int64,
    "Cards": types.int64,
    "Menu": types.int64,
    "Rng": types.uint64,
    "Chance": types.uint8,
}


def _check_dtypes(function: Callable[..., Any], argument_types: Sequence[Any]) -> None:
    """Raise TypeError if an array does not have the dtype of its parameter's annotation.

    This is called when a kernel meets a new combination of types, so it costs nothing later.
    """
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    for name, found in zip(names, argument_types, strict=False):
        expected = _DTYPES.get(str(function.__annotations__.get(name)))
        if expected is None:
            continue
        if not isinstance(found, types.Array) or found.dtype != expected:
            raise TypeError(
                f"{function.__name__}: {name} must be an array of {expected}, not {found}"
            )


def outlined_kernel(function: F) -> F:
    """Return an outlined function that calls a kernel: compiled only once for all its callers.

    A kernel is inlined by its callers, which takes long to compile where there are several.
    """
    if not JIT:
        return function

    def call(*arguments: Any) -> Any:
        return function(*arguments)

    return cast("F", outlined(call))


def dispatch_on_type(find: Callable[[type], Any]) -> Callable[..., Any]:
    """Return a function for kernels that is overloaded on the type of its first argument.

    `find` returns the function for a type of named tuple. That function is called without the
    first argument.
    """

    def call(selector: Any, *arguments: Any) -> Any:
        return find(type(selector))(*arguments)

    if JIT:

        @overload(call, jit_options=_WITHOUT_WRAPPERS)
        def choose(selector: Any, *arguments: Any) -> Any:
            function = find(selector.instance_class)

            def implementation(selector: Any, *arguments: Any) -> Any:
                return function(*arguments)

            return implementation

    return call


# --- the cache on disk ----------------------------------------------------------------------------


def user_cache_directory() -> Path:
    """Return the directory for this user's caches; ``PARURE_CACHE`` overrides the default."""
    if directory := os.environ.get("PARURE_CACHE"):
        return Path(directory)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", tempfile.gettempdir())) / "parure"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "parure"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "parure"


@cache
def kernel_cache_directory() -> Path | None:
    """Return the directory for this version of the kernels; None if there is no safe one.

    Numba runs what it finds in its cache, so no directory is used that others may have filled.
    """
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    root = Path(__file__).parents[2]
    files = [file for package in KERNEL_PACKAGES for file in (root / package).rglob("*")]
    for path in sorted(file for file in files if file.suffix in (".py", ".csv")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    for parent in (user_cache_directory(), Path(tempfile.gettempdir()) / f"parure-{_user()}"):
        directory = parent / "kernels" / digest.hexdigest()[:16]
        try:
            _remove_old_caches(directory)
            parent.parent.mkdir(parents=True, exist_ok=True)
            if _is_safe_parent(parent) and all(map(_is_private, (directory.parent, directory))):
                with tempfile.TemporaryFile(dir=directory):
                    return directory
        except OSError:
            continue
    return None


_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def _is_safe_parent(directory: Path) -> bool:
    """Create a directory if it is missing; return whether others cannot exchange what is in it."""
    with suppress(FileExistsError):
        directory.mkdir(mode=0o700)
    found = directory.stat()
    if not hasattr(os, "getuid"):
        return True  # Windows: it is in the user's profile
    if found.st_uid == os.getuid():
        if found.st_mode & _OTHERS_WRITE:
            directory.chmod(stat.S_IMODE(found.st_mode) & ~_OTHERS_WRITE)
        return True
    return found.st_uid == 0 and bool(
        found.st_mode & stat.S_ISVTX or not found.st_mode & _OTHERS_WRITE
    )


def _is_private(directory: Path) -> bool:
    """Create a directory of caches if it is missing; return whether only this user can fill it.

    If others could write to it until now, it is closed and emptied: they may have filled it.
    """
    with suppress(FileExistsError):
        directory.mkdir(mode=0o700)
    found = directory.lstat()
    if not stat.S_ISDIR(found.st_mode):
        return False
    if not hasattr(os, "getuid"):
        return True  # Windows: it is in the user's profile
    if found.st_uid != os.getuid():
        return False
    if found.st_mode & _OTHERS_WRITE:
        directory.chmod(0o700)
        for child in directory.iterdir():
            if child.is_dir() and not child.is_symlink():
                shutil.rmtree(child)
            else:
                child.unlink()
    return True


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else "user"


def _remove_old_caches(directory: Path, keep: int = 8) -> None:
    """Remove all but the newest caches before a new one is made, to limit their size on disk."""
    if directory.exists() or not directory.parent.is_dir():
        return
    with suppress(OSError):  # another process may be doing the same
        versions = sorted(directory.parent.iterdir(), key=lambda old: old.stat().st_mtime)
        for old in versions[:-keep]:
            shutil.rmtree(old, ignore_errors=True)


@contextmanager
def _numba_cache_directory() -> Iterator[bool]:
    """Make Numba cache what is decorated inside in our directory; yield whether there is one."""
    directory = kernel_cache_directory()
    with global_compiler_lock:  # all threads share the configuration
        before = config.CACHE_DIR
        if directory is not None:
            config.CACHE_DIR = str(directory)
        try:
            yield directory is not None
        finally:
            config.CACHE_DIR = before


# --- messages about compilation -------------------------------------------------------------------

_announced: set[str] = set()


def announce_compilation(module: Any, function: str = "apply", title: str | None = None) -> None:
    """Print a message, once, if the first use of a kernel module is going to compile it.

    Args:
        module: the kernel module.
        function: the kernel of that module whose machine code is looked for in the cache.
        title: what is compiled, for the message; the rules of the game by default.
    """
    name = module.__name__
    if not JIT or name in _announced:
        return
    _announced.add(name)
    directory = kernel_cache_directory()
    *_, package, file = name.split(".")
    if directory is not None and any(directory.rglob(f"*{package}*/{file}.{function}-*.nbc")):
        return
    title = title or f"the rules of {package.capitalize()}"
    note = "this happens once" if directory else "there is no safe directory for a cache"
    print(f"Compiling {title} for this machine ({note}) …", file=sys.stderr)  # noqa: T201


@contextmanager
def compiling(what: str) -> Iterator[None]:
    """Print a message, once, if the code inside has never run with this cache directory."""
    directory = kernel_cache_directory() if JIT and what not in _announced else None
    _announced.add(what)
    marker = directory / f"{what}.ready" if directory else None
    if marker and not marker.exists():
        print(f"Compiling {what} for this machine (this happens once) …", file=sys.stderr)  # noqa: T201
    yield
    if marker:
        with suppress(OSError):
            marker.touch()
