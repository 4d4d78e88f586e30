"""Compiled functions refuse what would crash the interpreter, and their cache is private."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numba
import numpy as np
import pytest
from numba.core import config

import parure
from parure.games.engine import bits, jit
from parure.games.engine.jit import JIT, inlined, kernel, kernel_cache_directory, outlined
from parure.games.engine.rng import new_rng
from parure.games.registry import GAMES, rules

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")


def double(number: int) -> int:
    return 2 * number


def test_functions_without_a_wrapper_raise_when_python_calls_them() -> None:
    helper, routine = inlined(double), outlined(double)
    for function in (helper, routine, bits.lane_sum):
        with pytest.raises(TypeError, match="can be called by compiled functions only"):
            function(3)

    @kernel
    def call_both(number: int) -> int:
        return helper(number) + routine(number)

    assert call_both(3) == 12


@pytest.mark.parametrize("game", GAMES)
def test_kernels_refuse_arrays_of_another_dtype(game: str) -> None:
    found = rules(game)
    row = parure.new(game, seed=1).words
    menu, ids = np.zeros(8, np.int64), np.zeros(256, np.int64)
    wrong: Any
    for wrong in (row.view(np.uint8), row.astype(np.float64), row.view(np.uint64), [1, 2], None):
        with pytest.raises(TypeError, match="legal_ids: s must be an array of int64, not "):
            found.kernel.legal_ids(wrong, found.cards, menu, ids)
    with pytest.raises(TypeError, match="deal: rng must be an array of uint64, not "):
        found.kernel.deal(row.copy(), new_rng(1).view(np.int64), np.zeros(32, np.uint8))
    with pytest.raises(TypeError, match="deal: chance must be an array of uint8, not "):
        found.kernel.deal(row.copy(), new_rng(1), np.zeros(32, np.int64))


# --- the cache on disk ----------------------------------------------------------------------------


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The user's cache directory, and an empty directory for temporary files beside it."""
    monkeypatch.setenv("PARURE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    kernel_cache_directory.cache_clear()
    yield tmp_path / "cache"
    kernel_cache_directory.cache_clear()


posix = pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners and modes are those of POSIX")


@posix
def test_a_new_cache_is_closed_to_others(cache: Path) -> None:
    before = os.umask(0)
    try:
        directory = kernel_cache_directory()
    finally:
        os.umask(before)
    assert directory is not None
    for path in (directory, directory.parent, cache):
        assert path.stat().st_mode & 0o077 == 0, path


@posix
def test_a_cache_that_others_could_fill_is_emptied(cache: Path) -> None:
    directory = kernel_cache_directory()
    assert directory is not None
    (directory / "poisoned").mkdir()
    (directory / "poisoned" / "apply.nbi").write_bytes(b"pickle")
    (directory / "marker").touch()
    directory.chmod(0o777)
    kernel_cache_directory.cache_clear()
    assert kernel_cache_directory() == directory
    assert list(directory.iterdir()) == []
    assert directory.stat().st_mode & 0o077 == 0


@posix
def test_a_cache_of_another_user_is_not_used(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the configured one nor the fallback among temporary files: nothing is cached then."""
    uid = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: uid)
    fallback = Path(tempfile.gettempdir()) / f"parure-{uid}"
    for parent in (cache, fallback):
        (parent / "kernels").mkdir(parents=True)  # by the present user, who is another one now
    assert kernel_cache_directory() is None


@posix
def test_a_link_is_not_used_as_a_cache(cache: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    cache.mkdir()
    (cache / "kernels").symlink_to(tmp_path / "elsewhere")
    directory = kernel_cache_directory()
    assert directory is not None
    assert directory.is_relative_to(tmp_path / f"parure-{os.getuid()}")


def test_the_optimization_level_survives_two_threads_that_compile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entered = [Event(), Event()]
    may_finish = [Event(), Event()]

    class Dispatcher:
        def compile(self, number: int) -> None:
            entered[number].set()
            may_finish[number].wait(60)

    monkeypatch.setattr(numba, "njit", lambda **_: lambda _: Dispatcher())
    monkeypatch.setattr(jit, "_check_dtypes", lambda *_: None)
    compiled: Any = kernel(double)
    before = config.OPT
    threads = [Thread(target=compiled.compile, args=(number,)) for number in range(2)]
    threads[0].start()
    entered[0].wait(60)
    threads[1].start()
    entered[1].wait(0.5)  # the second thread must wait for the first
    for thread, event in zip(threads, may_finish, strict=True):
        event.set()
        thread.join(60)
    assert entered[1].is_set()
    assert before == config.OPT
