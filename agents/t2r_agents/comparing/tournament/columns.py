"""The tables of results, on the terminal and in the report: the columns by heading, each with an agent's cell."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from rich.console import Console
from rich.table import Table
from rich.text import Text

from t2r_agents.comparing.tournament.rankings import Rankings
from t2r_agents.comparing.tournament.ratings import Interval
from t2r_agents.comparing.tournament.standings import Forfeits, Results, Standing, Standings
from t2r_env.basics.plain import plain
from t2r_env.commands import print_no_more

NARROWEST = 110
"""The least width of a table in characters, also if the output is not a terminal."""
REASONS_SHOWN = 5
"""The most reasons of forfeits that are shown."""

Row = TypeVar("Row", bound=Results)


class Output(Console):
    """The standard output, which may be a pipe: if its reader has seen enough, the command goes on without it.

    So what a command writes into files is not lost.
    """

    def on_broken_pipe(self) -> None:
        """Print no more."""
        print_no_more()


def console() -> Console:
    """Return the standard output, wide enough for tables."""
    return Output(width=max(Console().width, NARROWEST))


def print_forfeits(screen: Console, forfeits: Sequence[Forfeits]) -> None:
    """Print who forfeited games and why, the most frequent reasons."""
    for it in forfeits[:REASONS_SHOWN]:
        told = f"{plain(it.agent)} forfeited {it.games} games, first {it.first}: {plain(it.reason)}"
        screen.print(told, highlight=False, markup=False)
    if len(forfeits) > REASONS_SHOWN:
        screen.print(f"and {len(forfeits) - REASONS_SHOWN} more reasons of forfeits")


def table_of(rows: Iterable[Row], columns: Mapping[str, Callable[[Row], str]], title: str, bold: str = "") -> Table:
    """Return a table with a row for each agent; that of the agent `bold` is in bold type."""
    cells = [[row.agent, *(show(row) for show in columns.values())] for row in rows]
    return text_table(title, ["agent", *columns], cells, bold)


def text_table(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]], bold: str = "") -> Table:
    """Return a table of text without markup; the row that begins with `bold` is in bold type.

    Its first column and its headings may be names of strangers.
    """
    table = Table(title=Text(title))
    for number, heading in enumerate(headings):
        table.add_column(Text(plain(heading)), justify="right" if number else "left", overflow="fold")
    for first, *others in rows:
        table.add_row(Text(plain(first)), *map(Text, others), style="bold" if first == bold else None)
    return table


def result_columns(standings: Standings) -> dict[str, Callable[[Standing], str]]:
    """Return the columns of wins and strengths."""
    places = {standing.agent: row for row, standing in enumerate(standings.agents)}
    columns: dict[str, Callable[[Standing], str]] = {
        "games": lambda standing: str(standing.games),
        "wins": lambda standing: percent(standing.wins),
        "Elo": lambda standing: _elo(standing.strength),
        **_ranking_columns(standings.rankings, places),
        "score": lambda standing: _mean(standing.score),
        "turns": lambda standing: _mean(standing.turns),
        "decisions/s": lambda standing: _mean(standing.decisions_per_second, ",.0f"),
    }
    if standings.forfeits:
        columns["forfeits"] = lambda standing: str(standing.forfeits)
    return columns


def _ranking_columns(rankings: Rankings | None, places: Mapping[str, int]) -> Mapping[str, Callable[[Standing], str]]:
    """Return the columns of rankings that do not depend on who else takes part, if there are any."""
    if rankings is None:
        return {}
    return {
        "lottery": lambda standing: _rounded(rankings.lottery[places[standing.agent]]),
        "alpha-rank": lambda standing: _rounded(rankings.alpha_rank[places[standing.agent]]),
    }


def cycle_text(standings: Standings) -> str:
    """Return the cycle among the agents as a sentence, or that there is none; empty without rankings."""
    if standings.rankings is None:
        return ""
    names = [plain(standings.agents[index].agent) for index in standings.rankings.cycle]
    if not names:
        return "There is no cycle among the pairs of which it is 95 % certain which agent is stronger."
    return f"A cycle (↻): {' beats '.join([*names, names[0]])}. Elo can't show that."


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
    return _mean(standing.parts[name])


def percent(share: Interval) -> str:
    """Return a share in per cent with its interval."""
    return f"{share.value:.1%} ({share.low * 100:.1f}–{share.high * 100:.1f})"


def _rounded(share: Interval) -> str:
    return f"{share.value:.0%} ({share.low * 100:.0f}–{share.high * 100:.0f})"


def _mean(value: float | None, form: str = ".1f") -> str:
    return "–" if value is None else f"{value:{form}}"
