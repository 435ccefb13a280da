"""The figures of the standings in words, as tables show them on the terminal and in the report."""

from collections.abc import Callable, Sequence
from functools import partial

from agents.tournament.ratings import Interval
from agents.tournament.standings import Standing, Standings

Columns = dict[str, Callable[[Standing], str]]
"""By its heading, how a column shows an agent."""


def result_columns(standings: Standings) -> Columns:
    """How often the agents won, and how strong they are."""
    columns: Columns = {
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


def point_columns(parts: Sequence[str]) -> Columns:
    """Where the points of a game came from: from these parts of the score, by name."""
    return {
        "score": lambda standing: _mean(standing.score),
        **{name.replace("_", " "): partial(_part, name) for name in parts},
        "tickets made": lambda standing: _mean(standing.completed, ".2f"),
        "failed": lambda standing: _mean(standing.failed, ".2f"),
    }


def _elo(strength: Interval) -> str:
    """A strength with its interval, which those who win or lose everything have not."""
    interval = f" ({strength.low:.0f}–{strength.high:.0f})" if strength.low < strength.high else ""
    return f"{strength.value:.0f}{interval}"


def _part(name: str, standing: Standing) -> str:
    return _mean(None if standing.score is None else standing.parts[name])


def percent(share: Interval) -> str:
    """A share in per cent, with its interval."""
    return f"{share.value:.1%} ({share.low * 100:.1f}–{share.high * 100:.1f})"


def _mean(figure: float | None, form: str = ".1f") -> str:
    return "–" if figure is None else f"{figure:{form}}"
