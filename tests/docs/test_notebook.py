"""The notebook for newcomers runs from its first cell to its last, with less training and fewer games."""

import os
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.helpers.fixtures import Patch

NOTEBOOK = Path(__file__).parents[2] / "examples" / "start.ipynb"
pytestmark = pytest.mark.release


def test_the_notebook_runs_and_shows_a_picture_curves_and_a_table(tmp_path: Path, monkeypatch: Patch) -> None:
    fewer = {"total_timesteps": 4_000, "games": 6}  # what takes long, and its value here
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    notebook: Any = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]  # nbformat has none
    tagged = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", ())]
    for cell, (name, value) in zip(tagged, fewer.items(), strict=True):  # as papermill does
        assert cell.source.startswith(f"{name} = ")
        cell.source += f"\n{name} = {value}"
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    shown = {kind for output in outputs for kind in output.get("data", {})}
    assert {"image/svg+xml", "image/png"} <= shown
    printed = "".join(output.get("text", "") for output in outputs)
    assert "player_0 has" in printed
    assert "wins against random play" in printed
    assert "my_policy/policy" in printed
    assert (tmp_path / "games" / "report.html").exists()
