"""Where compiled code is cached, and when the cache is renewed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from t2r_env.core import compiled

ROOT = Path(__file__).parents[2]


def folder_for(sources: Path) -> Path | None:
    return compiled.cache_folder.__wrapped__(sources)


def test_a_changed_source_in_the_same_folder_starts_a_new_cache(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("PATIENCE = 1\n")
    (tmp_path / "notes.txt").write_text("first\n")
    before = folder_for(tmp_path)
    (tmp_path / "notes.txt").write_text("second\n")
    assert folder_for(tmp_path) == before
    (tmp_path / "agent.py").write_text("PATIENCE = 2\n")
    assert folder_for(tmp_path) != before


def test_a_changed_source_elsewhere_in_the_package_starts_a_new_cache(tmp_path: Path) -> None:
    for folder in (tmp_path / "players", tmp_path / "players" / "eager"):
        folder.mkdir()
        (folder / "__init__.py").touch()
    (tmp_path / "players" / "plans.py").write_text("PATIENCE = 1\n")
    before = folder_for(tmp_path / "players" / "eager")
    (tmp_path / "players" / "plans.py").write_text("PATIENCE = 2\n")
    assert folder_for(tmp_path / "players" / "eager") != before


def test_all_of_the_core_shares_one_cache() -> None:
    core = Path(compiled.__file__).parent
    assert folder_for(core) is not None
    assert folder_for(core) == folder_for(core / "map_game") == folder_for(core / "map_game" / "phases")


def test_the_library_can_be_imported_where_no_cache_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    environment = os.environ | {"T2R_ENV_CACHE_DIR": str(tmp_path / "file" / "cache"), "PYTHONPATH": str(ROOT)}
    code = "from t2r_env.core import bits; print(int(bits.bit(3)))"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "8\n"), done.stderr


# A module with a compiled function of its own, which takes far less time than the core

MODULE = """
from t2r_env.core.compiled import compiled

@compiled
def third(numbers, index):
    return numbers[index] // 3
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The folder of the module `small`; the cache of `start` is beside it, and empty."""
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "small.py").write_text(MODULE)
    return folder


def start(small: Path, code: str, **environment: str) -> "subprocess.Popen[str]":
    """Python with the module `small`, which runs code with pipes to and from it."""
    folders = {"T2R_ENV_CACHE_DIR": str(small.parent / "cache"), "PYTHONPATH": f"{ROOT}{os.pathsep}{small}"}
    return subprocess.Popen(
        [sys.executable, "-c", code],
        env=os.environ | folders | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


CALL = "import numpy as np, small; print(small.third(np.arange(9), 7))"


def test_processes_that_begin_at_once_without_a_cache_all_compile_and_keep_one(small: Path) -> None:
    """All of them have imported the library before any of them compiles."""
    waiting = "import numpy as np, small; print('ready', flush=True); input(); print(small.third(np.arange(9), 7))"
    processes = [start(small, waiting) for _ in range(8)]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    assert [process.communicate() for process in processes] == [("2\n", "")] * 8
    kept = sorted(path.suffix for path in (small.parent / "cache").rglob("small*.nb*"))
    assert kept == [".nbc", ".nbi"]


def test_a_full_disk_keeps_nothing_from_being_compiled(small: Path) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); "
    assert start(small, limit + CALL).communicate() == ("2\n", "")
    assert not list((small.parent / "cache").rglob("*.nbc"))
    assert start(small, CALL).communicate() == ("2\n", "")
    assert len(list((small.parent / "cache").rglob("*.nbc"))) == 1


def test_with_bounds_checking_an_index_out_of_range_is_an_error(small: Path) -> None:
    """`make bounds` relies on it."""
    code = CALL.replace("7", "9")
    assert start(small, code, NUMBA_BOUNDSCHECK="0").communicate()[1] == ""
    errors = start(small, code, NUMBA_BOUNDSCHECK="1", T2R_ENV_CACHE_DIR=str(small / "cache")).communicate()[1]
    assert errors.splitlines()[-1] == "IndexError: index is out of bounds"
