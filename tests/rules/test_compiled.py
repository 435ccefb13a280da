"""Where compiled code is cached, and when the cache is renewed."""

import io
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from t2r_env.core import compiled

ROOT = Path(__file__).parents[2]


def folder_for(sources: Path) -> Path:
    folder: Path = compiled.cache_folder.__wrapped__(sources)
    return folder


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
    rules = core.parent / "rules"
    assert folder_for(core) == folder_for(rules) == folder_for(rules / "map_game" / "phases")


def test_the_same_sources_in_another_folder_share_a_cache(tmp_path: Path) -> None:
    for folder in (tmp_path / "here", tmp_path / "there"):
        (folder / "players" / "eager").mkdir(parents=True)
        for name in ("players/__init__.py", "players/eager/__init__.py", "players/eager/plans.py"):
            (folder / name).write_text("PATIENCE = 1\n")
    here, there = (folder_for(tmp_path / folder / "players" / "eager") for folder in ("here", "there"))
    assert here == there
    (tmp_path / "there" / "players" / "eager" / "plans.py").rename(tmp_path / "there" / "players" / "plans.py")
    assert folder_for(tmp_path / "there" / "players" / "eager") != here


def test_another_version_of_numpy_starts_a_new_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    core = Path(compiled.__file__).parent
    before = folder_for(core)
    monkeypatch.setattr(np, "__version__", "2.99")
    assert folder_for(core) != before


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


def test_another_environment_with_the_same_sources_finds_what_is_compiled(small: Path) -> None:
    assert start(small, CALL).communicate() == ("2\n", "")
    other = small.parent / "elsewhere" / "small"
    other.mkdir(parents=True)
    (other / "small.py").write_text(MODULE)
    hits = "; print(list(small.third._cache_hits.values()), list(small.third._cache_misses.values()))"
    cache = str(small.parent / "cache")
    assert start(other, CALL + hits, T2R_ENV_CACHE_DIR=cache).communicate() == ("2\n[1] []\n", "")


IMPATIENT = "from t2r_env.core import compiled; compiled._CompileNotice.PATIENCE = 1e-3; "


def test_a_function_that_takes_long_to_compile_is_announced_once_with_the_folder_of_its_code(small: Path) -> None:
    cache = small.parent / "cache"
    twice = "; small.third(np.arange(9, dtype=np.uint8), 7)"
    text, notice = start(small, IMPATIENT + CALL + twice).communicate()
    assert text == "2\n"
    assert notice == (
        f"t2r_env: compiling once, which takes ten to twenty seconds; the machine code is kept in {cache}\n"
    )
    assert start(small, IMPATIENT + CALL + twice).communicate() == ("2\n", "")
    assert start(small, CALL + "; small.third(np.arange(9.0), 7)").communicate() == ("2\n", "")


def test_where_no_code_can_be_kept_the_announcement_says_why_and_what_to_do(small: Path) -> None:
    (small / "file").touch()
    folder = str(small / "file" / "cache" / "t2r_env")
    home = str(small / "file" / "cache")
    text, notice = start(small, IMPATIENT + CALL, T2R_ENV_CACHE_DIR=folder, XDG_CACHE_HOME=home).communicate()
    assert text == "2\n"
    assert f"can't be kept in {folder}" in notice
    assert "(Not a directory), so every process will do this again: let T2R_ENV_CACHE_DIR name a folder" in notice


# Nothing may be written there: as root, too, whom permissions don't keep from it
READ_ONLY = "import os; os.access = lambda path, mode: 'cache' not in os.fspath(path); "


def test_a_cache_that_can_only_be_read_is_read_and_what_is_missing_is_kept_in_the_users(small: Path) -> None:
    cache, home = small.parent / "cache", small.parent / "home"
    home.mkdir()
    assert start(small, CALL).communicate() == ("2\n", "")
    shipped = sorted(cache.rglob("*"))
    for path in (*shipped, cache):
        path.chmod(0o555)
    hits = "; print(sum(small.third._cache_hits.values()), sum(small.third._cache_misses.values()))"
    other = "; print(small.third(np.arange(9.0), 7))"
    for again in (1, 0):
        text, _ = start(small, READ_ONLY + CALL + other + hits, XDG_CACHE_HOME=str(home)).communicate()
        assert text == f"2\n2.0\n{2 - again} {again}\n"
    assert sorted(cache.rglob("*")) == shipped
    assert [path.suffix for path in home.rglob("*.nbc")] == [".nbc"]


def test_on_a_terminal_the_functions_compiled_are_counted_on_a_line_that_vanishes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(compiled._CompileNotice, "INTERVAL", 0.0)
    monkeypatch.setattr(compiled._CompileNotice, "PATIENCE", 1e-3)
    notice = compiled._CompileNotice()
    event = SimpleNamespace(data={"dispatcher": SimpleNamespace(_cache=compiled._Cache(start))})
    notice.on_start(event)
    assert notice._timer
    notice._timer.join()
    assert terminal.getvalue().startswith("t2r_env: compiling once")
    notice.on_start(event)
    assert terminal.getvalue().endswith("\r2 functions in 0 s")
    notice.on_end(event)
    notice.on_end(event)
    assert terminal.getvalue().endswith("\r\x1b[K")


FIRST_GAME = """
from numba.core import event

class Names(event.Listener):
    def on_start(self, event):
        names.append((event.data["dispatcher"].py_func.__module__, type(event.data["dispatcher"]).__name__))
    def on_end(self, event):
        pass

names = []
event.register("numba:compile", Names())
import t2r_env
t2r_env.env("usa").reset(seed=0)
own = [name for name in names if name[0].startswith("t2r")]
print(len(own), [name for name in own if name[1] == "_Dispatcher"])
print([module for module, _ in own if "card_game" in module or not module.startswith("t2r_env")])
"""


def test_the_first_game_of_an_environment_compiles_its_ruleset_for_dealing_and_stepping_and_nothing_else(
    tmp_path: Path,
) -> None:
    """One function becomes machine code, as a whole with what it calls: no other ruleset's, and nothing of agents."""
    done = subprocess.run(
        [sys.executable, "-c", FIRST_GAME],
        env=os.environ | {"T2R_ENV_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    number, others = done.stdout.splitlines()
    count, machine_code = number.split(maxsplit=1)
    assert machine_code == "[('t2r_env.core.batch', '_Dispatcher')]", done.stderr
    assert others == "[]"
    assert int(count) < 320
    assert [path.name.split("-")[0] for path in tmp_path.rglob("*.nbc")] == ["batch._run"]


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
