"""The statistics of a training run: as CSV, for TensorBoard, and plotted."""

import csv
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from t2r_env.basics.packages import needs

with needs("train"):
    from matplotlib.figure import Figure
    from torch.utils.tensorboard import SummaryWriter

from t2r_env.basics.reading import read_text
from t2r_env.basics.writing import naming, replacing

TIMESTEPS = "time/total_timesteps"
MAX_CURVES_BYTES = 1 << 26
"""The most bytes of curves.csv."""
Row = dict[str, float]

PLOTS = {
    "win rate in evaluations against": "eval/win_rate/",
    "recent win rate in training against": "rollout/win_rate/",
    "tickets per game": "rollout/tickets_",
    "score": "rollout/score_",
}
"""The title of each plot, and the beginning of the names of its statistics."""


class Curves:
    """The statistics of a training run by timesteps: `curves.csv`, `curves.png` and the folder `tensorboard`."""

    def __init__(self, folder: Path, timesteps: int = -1) -> None:
        """Continue the files in a folder after this many timesteps; rows of later ones are dropped.

        Raises ValueError if curves.csv can't be read.
        """
        self._folder, self._path = folder, folder / "curves.csv"
        self.rows = [row for row in _read(self._path) if row[TIMESTEPS] <= timesteps]
        self._write()
        self._board = SummaryWriter(str(folder / "tensorboard"), purge_step=timesteps + 1)

    def add(self, timesteps: int, statistics: Mapping[str, float]) -> None:
        """Append the statistics after this many timesteps."""
        self.rows.append({TIMESTEPS: timesteps, **statistics})
        if statistics.keys() <= self._columns.keys():
            with naming(self._path), self._path.open("a", newline="", encoding="utf-8") as file:
                csv.DictWriter(file, list(self._columns)).writerow(self.rows[-1])
        else:
            self._write()
        for name, value in statistics.items():
            if not math.isnan(value):
                self._board.add_scalar(name, value, timesteps)

    def _write(self) -> None:
        """Write all rows to a new file, which then replaces curves.csv."""
        self._columns = dict.fromkeys((TIMESTEPS, *(name for row in self.rows for name in row)))
        with replacing(self._path) as new, new.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(self._columns))
            writer.writeheader()
            writer.writerows(self.rows)

    def plot(self) -> None:
        """Draw curves.png."""
        figure = Figure(figsize=(12, 8), layout="constrained")
        for index, (title, beginning) in enumerate(PLOTS.items()):
            axes = figure.add_subplot(2, 2, index + 1)
            axes.set_title(title)
            axes.set_xlabel("timesteps (decisions of the learner)")
            axes.grid(alpha=0.3)
            names = [name for name in self._columns if name.startswith(beginning)]
            for name in names:
                rows = [row for row in self.rows if name in row]
                timesteps, values = [row[TIMESTEPS] for row in rows], [row[name] for row in rows]
                axes.plot(timesteps, values, label=name.removeprefix(beginning), marker=".", markersize=3)
            if names:
                axes.legend(fontsize="small")
        with replacing(self._folder / "curves.png") as new:
            figure.savefig(new, format="png", dpi=100)

    def close(self) -> None:
        """Flush and close TensorBoard's file."""
        self._board.close()


def _read(path: Path) -> list[Row]:
    if not path.exists():
        return []
    try:
        lines = read_text(path, MAX_CURVES_BYTES).splitlines(keepends=True)
        complete = [line for line in lines if line.endswith("\n")]  # an interruption may leave half a line
        rows: list[dict[str, Any]] = list(csv.DictReader(complete))
        numbers = [{name: float(value) for name, value in row.items() if value not in ("", None)} for row in rows]
        return [row | {TIMESTEPS: int(row[TIMESTEPS])} for row in numbers if TIMESTEPS in row]
    except (ValueError, TypeError, OverflowError, OSError, csv.Error) as error:
        raise ValueError(f"{path} can't be read: {error}; the training can be resumed without this file") from None
