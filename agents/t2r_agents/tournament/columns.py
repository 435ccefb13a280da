"""The columns of the tables of standings, on the terminal and in the report."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from t2r_agents.tournament.ratings import Interval
from t2r_agents.tournament.standings import Results, Standing, Standings

Columns = Mapping[str, Callable[[Standing], str]]
"""The columns by heading: each gives an agent's cell as text."""


def result_columns(standings: Standings) -> dict[str, Callable[[Standing], str]]:
    """Return the columns of wins and strengths."""
    columns: dict[str, Callable[[Standing], str]] = {
        "games": lambda standing: str(standing.games),
        "wins": lambda standing: percent(standing.wins),
        "Elo": lambda standing: _elo(standing.strength),
        "openskill": lambda standing: f"{standing.skill.value:.1f} ± {standing.skill.high - standing.skill.value:.1f}",
        "score": lambda standing: _mean(standing.score),
        "turns": lambda standing: _mean(standing.turns),
        "decisions/s": lambda standing: _mean(standing.decisions_per_second, ",.0f"),
    }
    if standings.forfeits:
        columns["forfeits"] = lambda standing: str(standing.forfeits)
    return columns


def point_columns(parts: Sequence[str]) -> dict[str, Callable[[Results], str]]:
    """Return the columns of the points of a game, by these parts of the score."""
    return {
        "score": lambda standing: _mean(standing.score),
        **{name.replace("_", " "): partial(_part, name) for name in parts},
        "tickets made": lambda standing: _mean(standing.completed, ".2f"),
        "failed": lambda standing: _mean(standing.failed, ".2f"),
    }


def _elo(strength: Interval) -> str:
    """Return a strength with its interval. An agent that wins or loses everything has none."""
    interval = f" ({strength.low:.0f}–{strength.high:.0f})" if strength.low < strength.high else ""
    return f"{strength.value:.0f}{interval}"


def _part(name: str, standing: Results) -> str:
    return _mean(None if standing.score is None else standing.parts[name])


def percent(share: Interval) -> str:
    """Return a share in per cent with its interval."""
    return f"{share.value:.1%} ({share.low * 100:.1f}–{share.high * 100:.1f})"


def _mean(value: float | None, form: str = ".1f") -> str:
    return "–" if value is None else f"{value:{form}}"
