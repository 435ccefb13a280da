"""Where compiled code is cached, and when the cache is renewed."""

import os
import subprocess
import sys
from pathlib import Path

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
