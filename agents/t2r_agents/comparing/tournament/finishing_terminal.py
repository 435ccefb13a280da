"""The distribution of results of a position, on the terminal and as CSV."""

import csv
import math
from collections.abc import Sequence
from pathlib import Path

from t2r_agents.comparing.tournament.columns import console, percent, text_table
from t2r_agents.comparing.tournament.finishing import QUANTILES, Distribution, distributions
from t2r_agents.comparing.tournament.playing import Entry
from t2r_agents.comparing.tournament.ratings import Interval
from t2r_env.basics.writing import replacing
from t2r_env.render.words import points_text

COLUMNS = ("game", "seat", "agent", "outcome", "win", "rank", "score", "completed", "failed", "turns")
"""Those of the CSV file; the parts of the score follow."""


def show_distributions(finished: Sequence[Sequence[Entry]], team_size: int) -> None:
    """Print how the games ended: a row for each seat, with 95 % intervals and quantiles of the score."""
    headings = ["seat", "agent", "wins", "score", *(f"{share:.0%}" for share in QUANTILES), "lead"]
    rows = [_row(it) for it in distributions(finished, team_size)]
    console().print(text_table(f"{len(finished)} games from this position", headings, rows))
    if cut := sum(game[0].outcome != "finished" for game in finished):
        console().print(f"{cut} games were not played to their end: they have no scores")


def _row(it: Distribution) -> list[str]:
    quantiles = [points_text(points) for points in it.quantiles] or ["–"] * len(QUANTILES)
    return [str(it.seat), it.agent, percent(it.wins), _mean(it.score), *quantiles, _mean(it.lead)]


def _mean(interval: Interval | None) -> str:
    if interval is None:
        return "–"
    bounds = f" ({interval.low:.1f} to {interval.high:.1f})" if math.isfinite(interval.high) else ""
    return f"{interval.value:.1f}{bounds}".replace("-", "−")


def write_rows(path: Path, finished: Sequence[Sequence[Entry]]) -> None:
    """Write the results of the games as CSV, one row for each seat of each. Raises OSError."""
    rows = [{name: getattr(it, name) for name in COLUMNS} | it.parts for game in finished for it in game]
    with replacing(path) as new, new.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
