"""How a training goes: figures as CSV and for TensorBoard, and as a plot."""

import csv
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from torch.utils.tensorboard import SummaryWriter

STEP = "step"
Row = dict[str, float]

PLOTS = {
    "share of wins against": "wins/",
    "lately, against the pool": "pool/",
    "tickets": "tickets/",
    "score": "score/",
}
"""By its title, how the names of the figures of a plot begin."""


class Curves:
    """The figures of a training, by the learner's decisions so far."""

    def __init__(self, folder: Path, step: int = -1) -> None:
        """Go on after a step; what a training that was interrupted had told of later ones is dropped.

        Raises ValueError for a curves.csv that is none.
        """
        self._folder = folder
        self.rows = [row for row in _read(self._path) if row[STEP] <= step]
        self._write()
        self._board = SummaryWriter(str(folder / "tensorboard"), purge_step=step + 1)

    @property
    def _path(self) -> Path:
        return self._folder / "curves.csv"

    def add(self, step: int, figures: Mapping[str, float]) -> None:
        """What is told of a step."""
        self.rows.append({STEP: step, **figures})
        if figures.keys() <= self._columns.keys():
            with self._path.open("a", newline="", encoding="utf-8") as file:
                csv.DictWriter(file, list(self._columns)).writerow(self.rows[-1])
        else:
            self._write()
        for name, value in figures.items():
            if not math.isnan(value):
                self._board.add_scalar(name, value, step)

    def _write(self) -> None:
        """Write all rows anew; whoever is interrupted leaves the old ones."""
        self._columns = dict.fromkeys((STEP, *(name for row in self.rows for name in row)))
        new = self._path.with_name(f"{self._path.name}.new")
        with new.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(self._columns))
            writer.writeheader()
            writer.writerows(self.rows)
        new.replace(self._path)

    def plot(self) -> None:
        """Draw curves.png."""
        figure = Figure(figsize=(12, 8), layout="constrained")
        for place, (title, beginning) in enumerate(PLOTS.items()):
            axes = figure.add_subplot(2, 2, place + 1)
            axes.set_title(title)
            axes.set_xlabel("decisions of the learner")
            axes.grid(alpha=0.3)
            names = [name for name in self._columns if name.startswith(beginning)]
            for name in names:
                told = [row for row in self.rows if name in row]
                steps, values = [row[STEP] for row in told], [row[name] for row in told]
                axes.plot(steps, values, label=name.removeprefix(beginning), marker=".", markersize=3)
            if names:
                axes.legend(fontsize="small")
        figure.savefig(self._folder / "curves.png", dpi=100)

    def close(self) -> None:
        """Write what TensorBoard still holds back."""
        self._board.close()


def _read(path: Path) -> list[Row]:
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        whole = [line for line in file if line.endswith("\n")]  # the last one may be half-written
    rows: list[dict[str, Any]] = list(csv.DictReader(whole))
    try:
        numbers = [{name: float(value) for name, value in row.items() if value not in ("", None)} for row in rows]
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path} can't be read: {error}; without it the training goes on, too") from None
    return [row | {STEP: int(row[STEP])} for row in numbers if STEP in row]
