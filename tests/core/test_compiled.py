"""How functions are compiled, where their machine code is kept, and when that is renewed."""

import multiprocessing
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from t2r_env.core import cache, compiled
from tests.helpers.fixtures import Capture, Patch

ROOT = Path(__file__).parents[2]

MODULE = """
import numpy as np
from t2r_env.core.compiled import cached, compiled

LARGE = np.arange(200_000)

@compiled
def divide(number):
    return number // 3

@cached
def third(numbers, index):
    return divide(numbers[index])

@cached
def large(numbers):
    return LARGE[numbers[0]]
"""
CALL = "import numpy as np, small; print(small.third(np.arange(9), 7))"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The folder of a module `small` of compiled functions, which take far less time than the rules; kept nowhere."""
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "small.py").write_text(MODULE)
    return tmp_path / "small"


def start(small: Path, code: str, **environment: str) -> "subprocess.Popen[str]":
    """Python with the module `small`, which runs code with pipes to and from it; its cache is empty at first.

    It has the quicker start, unless the environment says otherwise."""
    folders = {"T2R_ENV_CACHE_DIR": str(small.parent / "cache"), "PYTHONPATH": f"{ROOT}{os.pathsep}{small}"}
    return subprocess.Popen(
        [sys.executable, "-c", code],
        env=os.environ | folders | {"T2R_ENV_STOCK_NUMBA": "0"} | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def folder_for(source: Path) -> Path | None:
    folder: Path | None = cache.cache_folder.__wrapped__(source, True)
    return folder


USER = """
import numba, numpy as np
import t2r_env
from t2r_env.rules.map_game.trail import longest_trail
from t2r_env.rules.rulesets import reduce_to_view

@numba.njit
def blank(states, rules):
    reduce_to_view(states[0], rules[0], 1)

@numba.njit
def trail(states, rules, scoring):
    return longest_trail(states[0], rules[0], scoring[0], 0)

games = t2r_env.Games("new_york", seed=3)
games.play_random(100, seed=1)
rules, scratch = games.configuration.rules, games.configuration.ruleset.new_scratch()
print(trail(games.states, rules, scratch.scoring) > 0)
view = games.views(np.array([0]), np.array([1]))
blank(games.states, rules)
print(games.states.tobytes() == view.tobytes())
"""


def test_a_users_own_njit_function_calls_rules() -> None:
    """It gets them as Numba itself compiles them, also from the quicker start, whose functions are not Numba's own."""
    text, errors = start(ROOT, USER, T2R_ENV_CACHE_DIR=os.environ.get("T2R_ENV_CACHE_DIR", "")).communicate()
    assert text == "True\nTrue\n", errors


@pytest.mark.parametrize("setting", [{"NUMBA_OPT": "0"}, {"T2R_ENV_STOCK_NUMBA": "1"}, {"NUMBA_DISABLE_JIT": "1"}, {}])
def test_functions_compute_the_same_with_every_setting_of_numba(setting: dict[str, str], small: Path) -> None:
    """And with a large global array."""
    code = CALL + "; print(small.large(np.array([150_000])))"
    assert start(small, code, **setting).communicate()[0] == "2\n150000\n"


@pytest.mark.parametrize(
    "other", ["import numba; numba.__version__ = '9.9.0'", "import numba.core.codegen as it; del it.JITCodeLibrary"]
)
def test_the_quicker_start_steps_aside_for_a_numba_that_it_was_not_tested_with(other: str, small: Path) -> None:
    """Which has another version, or lacks a private name."""
    process = start(small, f"{other}; {CALL}; print(type(small.third).__name__)")
    assert process.communicate() == ("2\nCPUDispatcher\n", "")


def test_a_changed_source_and_another_version_of_numpy_start_a_new_folder(tmp_path: Path, monkeypatch: Patch) -> None:
    """Of any module of the package."""
    monkeypatch.setenv("T2R_ENV_CACHE_DIR", str(tmp_path / "cache"))
    package = tmp_path / "players"
    for folder in (package, package / "eager"):
        folder.mkdir()
        (folder / "__init__.py").touch()
    source = package / "eager" / "agent.py"
    source.touch()
    before = folder_for(source)
    (package / "notes.txt").touch()
    assert folder_for(source) == before
    (package / "plans.py").touch()
    changed = folder_for(source)
    monkeypatch.setattr(np, "__version__", "2.99")
    assert len({before, changed, folder_for(source)}) == 3


def test_only_folders_that_the_library_made_are_removed_from_the_cache(tmp_path: Path, monkeypatch: Patch) -> None:
    """Whatever else lies in the folder that T2R_ENV_CACHE_DIR names, or in the library's own, stays."""
    monkeypatch.setenv("T2R_ENV_CACHE_DIR", str(tmp_path / "cache"))
    theirs = [tmp_path / "cache" / "photos", tmp_path / "cache" / "t2r_env" / "letters"]
    for folder in theirs:
        folder.mkdir(parents=True)
        (folder / "kept.txt").touch()
        os.utime(folder, (0, 0))
    source = tmp_path / "agent.py"
    made = []
    for number in range(cache._KEPT + 3):
        source.write_text(f"PATIENCE = {number}\n")
        made.append(folder_for(source))
        os.utime(made[-1] / cache._MARK, (number, number))  # type: ignore[operator]  # there is one
    source.write_text("PATIENCE = -1\n")
    folder_for(source)
    assert all((folder / "kept.txt").exists() for folder in theirs)
    assert [folder.exists() for folder in made if folder].count(True) == cache._KEPT - 1


CUT_OFF = """
import sys
from pathlib import Path
import numpy as np
from t2r_env.core import cache
for suffix in (".nbi", ".nbc"):
    for length in (0, 10, -1):
        (path,) = Path({!r}).rglob("small.third*" + suffix)
        path.write_bytes(path.read_bytes()[:length])
        sys.modules.pop("small", None)
        cache.cache_folder.cache_clear()
        import small  # as another process would, for the first time
        print(small.third(np.arange(9), 7))
        print(path.stat().st_size > 10, sum(small.third.stats.cache_hits.values()))
"""


def test_a_file_that_was_cut_off_is_compiled_again(small: Path) -> None:
    """Whichever of the two files, and wherever it was cut off."""
    assert start(small, CALL).communicate() == ("2\n", "")
    code = CUT_OFF.format(str(small.parent / "cache"))
    assert start(small, code).communicate() == ("2\nTrue 0\n" * 6, "")


def test_processes_that_begin_at_once_without_a_cache_all_compile_and_keep_one(small: Path) -> None:
    waiting = "import numpy as np, small; print('ready', flush=True); input(); print(small.third(np.arange(9), 7))"
    processes = [start(small, waiting) for _ in range(3)]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    assert [process.communicate("\n") for process in processes] == [("2\n", "")] * 3
    kept = sorted(path.suffix for path in (small.parent / "cache").rglob("small.third*.nb*"))
    assert kept == [".nbc", ".nbi"]


WITHOUT_RIGHTS = """
import ctypes
ctypes.CDLL(None).capset((ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)())
"""
"""Gives up the rights of root, who may write everywhere: no capabilities are left."""
TWICE = "; small.third(np.arange(9.0), 7); print(sum(small.third.stats.cache_hits.values()))"
"""Calls the function with other numbers, and prints for how many of the two its machine code was there."""


@pytest.mark.skipif(sys.platform != "linux", reason="capabilities are Linux's")
def test_machine_code_is_read_from_a_folder_that_can_only_be_read(small: Path, tmp_path: Path) -> None:
    """What is missing there is kept in the user's own cache folder, where there is one."""
    assert start(small, CALL).communicate() == ("2\n", "")
    cache, user = tmp_path / "cache", tmp_path / "user"
    user.mkdir()
    folders = [cache, *(path for path in cache.rglob("*") if path.is_dir())]
    try:
        for folder in folders:
            folder.chmod(0o555)
        for users, hits in ((user, 1), (user, 2), (small / "small.py", 1)):
            process = start(small, WITHOUT_RIGHTS + CALL + TWICE, XDG_CACHE_HOME=str(users), TMPDIR=str(user))
            assert process.communicate() == (f"2\n{hits}\n", "")
        assert [path.name for path in user.iterdir()] == ["t2r_env"]  # and no temporary folder
    finally:
        for folder in folders:
            folder.chmod(0o755)


NOBODY = "from pathlib import Path\ndef home():\n    raise RuntimeError\nPath.home = home\n"
FULL_DISK = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({}, -1)); "
"""Lets no file grow beyond so many bytes, as on a disk that is full."""
TOO_LARGE = "(File too large), so every process will compile it again"


@pytest.mark.parametrize(
    ("before", "cache", "told"),
    [
        (NOBODY, "", "can't be kept without a home folder, so every process will compile it again"),
        ("", "file/cache", "(Not a directory), so every process will compile it again: let T2R_ENV_CACHE_DIR name a"),
        (FULL_DISK.format(0), "cache", TOO_LARGE),
        (FULL_DISK.format(100), "cache", TOO_LARGE),
    ],
    ids=["no home", "no folder", "no room for a folder", "no room for a file"],
)
def test_where_nothing_is_kept_processes_compile_and_say_why(before: str, cache: str, told: str, small: Path) -> None:
    (small / "file").touch()
    nowhere = str(small / cache) if cache else ""
    folders = dict.fromkeys(("T2R_ENV_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"), nowhere)
    text, notice = start(small, before + CALL, **folders).communicate()
    assert text == "2\n"
    assert told in notice
    assert not list(small.rglob("*.nb*"))


FORKING = """
import os, threading, time
import numpy as np, small
thread = threading.Thread(target=small.third, args=(np.arange(9), 7))
thread.start()
time.sleep(0.01)
children = []
for _ in range(3):
    child = os.fork()
    if child == 0:
        os._exit(int(small.third(np.arange(9.0), 7)) - 2)
    children.append(child)
print([os.waitpid(child, 0)[1] for child in children])
thread.join()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_process_forked_while_another_thread_compiles_compiles_too(small: Path) -> None:
    process = start(small, "import warnings; warnings.simplefilter('ignore')\n" + FORKING)
    assert process.communicate(timeout=120) == ("[0, 0, 0]\n", "")


def test_with_bounds_checking_an_index_out_of_range_is_an_error(small: Path) -> None:
    """`make bounds` relies on it."""
    code = CALL.replace("7", "9")
    assert start(small, code, NUMBA_BOUNDSCHECK="0").communicate()[1] == ""
    errors = start(small, code, NUMBA_BOUNDSCHECK="1").communicate()[1]
    assert errors.splitlines()[-1] == "IndexError: index is out of bounds"


def test_compiling_is_said_once_in_a_session_by_whichever_process_and_again_in_the_next(
    tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    """Who waits long is told though another was: a second command in the same hour, but no worker."""
    monkeypatch.setattr(compiled._CompileNotice, "PATIENCE", 0.0)
    monkeypatch.setenv("T2R_ENV_CACHE_DIR", str(tmp_path))

    def said(long_patience: float = 1e9) -> int:
        """How often another process says that it compiles, which it does twice."""
        monkeypatch.setattr(compiled._CompileNotice, "LONG_PATIENCE", long_patience)
        notice = compiled._CompileNotice()
        for _ in range(2):
            notice.on_start(SimpleNamespace())
            notice.on_end(SimpleNamespace())
        return capsys.readouterr().err.count("t2r_env: compiling what is used for the first time")

    assert [said() for _ in range(3)] == [1, 0, 0]
    os.utime(tmp_path / "t2r_env" / "said", (0, 0))  # long ago
    assert [said(), said(), said(0.0)] == [1, 0, 1]
    with monkeypatch.context() as worker:
        worker.setattr(multiprocessing, "parent_process", lambda: "somebody")
        assert said(0.0) == 0
    monkeypatch.setenv("T2R_ENV_CACHE_DIR", "/proc/nowhere")  # which can't be written
    assert [said() for _ in range(2)] == [1, 1]


pytestmark = pytest.mark.release
