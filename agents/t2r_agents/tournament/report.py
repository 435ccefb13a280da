"""The report of a tournament: one HTML file that contains its plots and needs no network."""

import io
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import matplotlib
import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from t2r_agents.tournament.columns import point_columns, result_columns
from t2r_agents.tournament.maps import MOST, is_high, route_maps
from t2r_agents.tournament.playing import Entry
from t2r_agents.tournament.ratings import Interval, wilson_interval
from t2r_agents.tournament.replays import ReplayPage
from t2r_agents.tournament.standings import Standings
from t2r_agents.tournament.tournament import Settings, Tournament
from t2r_env import __version__
from t2r_env.agents import is_harmless
from t2r_env.plain import plain
from t2r_env.render.drawing.palette import DARK
from t2r_env.writing import replacing

COLOURS = ("#2f6f8f", "#d1793b", "#5b9a5b", "#a8476b", "#8a6bb0", "#b59a2e", "#4aa3a2", "#7a7a7a", "#c25b4e", "#3d5a98")
"""The colours of agents and of parts of the score, in turn."""
STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.size": 10,
    "text.parse_math": False,
    "svg.fonttype": "none",  # keep text as text, in the reader's own fonts
    "svg.hashsalt": "t2r_env",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#999999",
    "axes.axisbelow": True,
    "grid.color": "#e4e4e4",
    "text.color": "#222222",
    "axes.labelcolor": "#444444",
    "xtick.color": "#444444",
    "ytick.color": "#222222",
}
WIDTH = 8.0
"""The width of a plot, in inches."""
LONGEST_NAME = 28
LISTED = 2000
"""The most games in the list of all games."""
BINS = 35


def write_report(
    path: Path, settings: Settings, tournament: Tournament, standings: Standings, pages: Sequence[ReplayPage] = ()
) -> None:
    """Write the report of the games played so far, with links to the replay pages of some."""
    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    templates.filters["plain"] = plain
    played = len({entry.game for entry in tournament.entries})
    agents = [standing.agent for standing in standings.agents]
    shared, maps = route_maps(tournament.configuration, tournament.entries, agents, COLOURS)
    games = listed_games(tournament)
    page = templates.get_template("report.html").render(
        settings=settings,
        version=__version__,
        played=played,
        games=len(tournament.fixtures),
        deals=len({entry.deal for entry in tournament.entries}),
        standings=standings,
        tables={"results": result_columns(standings), "points": point_columns(standings.parts)},
        plots=plots_of(tournament.entries, standings),
        pages=pages,
        shared=shared,
        maps=maps,
        most_maps=MOST,
        dark=DARK,
        is_high=is_high(tournament.configuration),
        seats=tournament.configuration.num_players,
        pairings=pairings_of(games[:LISTED]),
        unlisted=max(0, len(games) - LISTED),
        written={page.highlight.game for page in pages},
        replay=_replay_command(path.parent.name, settings.agents),
    )
    with replacing(path) as new:
        new.write_text(page, encoding="utf-8")


@dataclass(frozen=True)
class ListedGame:
    """A game in the list of all games."""

    number: int
    seats: Sequence[Entry]
    """The results by seat."""
    is_finished: bool
    turns: int


@dataclass(frozen=True)
class Pairing:
    """The games of the same agents, who take all seats in turn."""

    agents: Sequence[str]
    wins: Sequence[str]
    """The games that each of them won; a shared victory counts in part."""
    games: Sequence[ListedGame]


def listed_games(tournament: Tournament) -> list[ListedGame]:
    """Return all games that were played, in order."""
    games: dict[int, list[Entry]] = {}
    for entry in sorted(tournament.entries, key=lambda entry: (entry.game, entry.seat)):
        games.setdefault(entry.game, []).append(entry)
    return [
        ListedGame(number, seats, seats[0].outcome == "finished", seats[0].turns) for number, seats in games.items()
    ]


def pairings_of(games: Sequence[ListedGame]) -> list[Pairing]:
    """Return games by who plays them."""
    by_agents: dict[tuple[str, ...], list[ListedGame]] = {}
    for game in games:
        by_agents.setdefault(tuple(sorted({entry.agent for entry in game.seats})), []).append(game)
    return [Pairing(agents, [_wins(agent, own) for agent in agents], own) for agents, own in sorted(by_agents.items())]


def _wins(agent: str, games: Sequence[ListedGame]) -> str:
    won = sum(max((entry.win for entry in game.seats if entry.agent == agent), default=0.0) for game in games)
    return f"{won:.1f}".removesuffix(".0")


def _replay_command(folder: str, agents: Sequence[str]) -> Callable[[int], str]:
    """Return the command that writes the page of a game; it repeats agents that are not harmless."""
    repeated = [] if all(map(is_harmless, agents)) else ["--agents", *agents]
    return lambda game: shlex.join(["t2r", "replay", folder, str(game), "--html", *repeated])


def plots_of(entries: Sequence[Entry], standings: Standings) -> dict[str, str]:
    """Return the plots by name, as SVG: those of meetings and of games played to their end, if there are any."""
    finished = [entry for entry in entries if entry.outcome == "finished"]
    rows = len(standings.agents)
    plots = {}
    with matplotlib.rc_context(STYLE):
        if any(share for shares in standings.head_to_head for share in shares):
            plots["strengths"] = _draw(0.9 + 0.4 * rows, _draw_strengths, standings)
            plots["head_to_head"] = _draw(1.2 + 0.55 * rows, _draw_head_to_head, standings)
        if seats := seats_of(entries):
            plots["seats"] = _draw(0.9 + 0.5 * len(seats), _draw_seats, standings, entries, seats)
        if finished:
            plots["parts"] = _draw(1.3 + 0.5 * rows, _draw_parts, standings)
            plots["scores"] = _draw(0.9 + 0.6 * rows, _draw_distributions, standings, finished, "score", "score")
            plots["turns"] = _draw(0.9 + 0.6 * rows, _draw_distributions, standings, finished, "turns", "turns")
    return plots


def _draw(height: float, draw: Callable[..., None], *arguments: Any) -> str:
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    draw(figure.add_subplot(), *arguments)
    file = io.StringIO()
    figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    text = file.getvalue()
    return text[text.index("<svg") :]


def _name(agent: str) -> str:
    agent = plain(agent)
    return agent if len(agent) <= LONGEST_NAME else f"…{agent[1 - LONGEST_NAME :]}"


def _name_rows(axes: Axes, standings: Standings) -> None:
    """Label one row for each agent, the strongest at the top."""
    axes.set_yticks(range(len(standings.agents)), [_name(standing.agent) for standing in standings.agents])
    axes.set_ylim(len(standings.agents) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def _draw_strengths(axes: Axes, standings: Standings) -> None:
    for row, standing in enumerate(standings.agents):
        strength, colour = standing.strength, COLOURS[row % len(COLOURS)]
        axes.plot([strength.low, strength.high], [row, row], color=colour, linewidth=5, alpha=0.35)
        axes.plot(strength.value, row, "o", color=colour, markersize=8)
        axes.annotate(
            f"{strength.value:.0f}", (strength.value, row), (0, 7), textcoords="offset points", ha="center", fontsize=9
        )
    _name_rows(axes, standings)
    axes.margins(x=0.1)
    axes.grid(axis="x")
    axes.set_xlabel("Elo (Bradley-Terry, 1500 on average)")


def _draw_head_to_head(axes: Axes, standings: Standings) -> None:
    shares = [[np.nan if share is None else share.value for share in row] for row in standings.head_to_head]
    edges = np.arange(len(shares) + 1) - 0.5
    axes.pcolormesh(edges, edges, shares, cmap="RdYlGn", vmin=0, vmax=1, alpha=0.55, edgecolor="white")
    for row, line in enumerate(standings.head_to_head):
        for column, share in enumerate(line):
            if share:
                axes.text(column, row - 0.1, f"{share.value:.1%}", ha="center", va="center", fontsize=10)
                bounds = f"{share.low * 100:.0f}–{share.high * 100:.0f}"
                axes.text(column, row + 0.27, bounds, ha="center", va="center", fontsize=7.5, color="#444444")
    _name_rows(axes, standings)
    names = [_name(standing.agent) for standing in standings.agents]
    is_long = max(map(len, names)) * len(names) > 70
    axes.set_xticks(range(len(names)), names, rotation=20 if is_long else 0, ha="left" if is_long else "center")
    axes.xaxis.tick_top()
    axes.tick_params(axis="x", length=0)
    axes.spines[:].set_visible(False)


def seats_of(entries: Sequence[Entry]) -> list[Interval]:
    """Return the share of its games that each seat won, in games that have a winner."""
    ranked = [entry for entry in entries if entry.rank]
    seats = sorted({entry.seat for entry in ranked})
    deals = len({entry.deal for entry in ranked})
    return [wilson_interval(fmean(entry.win for entry in ranked if entry.seat == seat), deals) for seat in seats]


def _draw_seats(axes: Axes, standings: Standings, entries: Sequence[Entry], seats: Sequence[Interval]) -> None:
    """Draw the share of wins by seat, of all agents together and of each."""
    for row, share in enumerate(seats):
        axes.plot([share.low, share.high], [row, row], color="#222222", linewidth=5, alpha=0.2)
        axes.plot(share.value, row, "o", color="#222222", markersize=8)
        axes.annotate(
            f"{share.value:.1%}", (share.value, row), (0, 8), textcoords="offset points", ha="center", fontsize=9
        )
    for number, standing in enumerate(standings.agents[: len(COLOURS)]):
        won = [
            [entry.win for entry in entries if entry.rank and (entry.seat, entry.agent) == (seat, standing.agent)]
            for seat in range(len(seats))
        ]
        rows = [row for row, wins in enumerate(won) if wins]
        shares = [fmean(won[row]) for row in rows]
        axes.plot(
            shares, [row + 0.25 for row in rows], "|", color=COLOURS[number], markersize=9, markeredgewidth=3,
            label=_name(standing.agent),
        )  # fmt: skip
    axes.axvline(fmean(share.value for share in seats), color="#999999", linewidth=1, linestyle="--")
    axes.set_yticks(range(len(seats)), [f"seat {seat}" for seat in range(len(seats))])
    axes.set_ylim(len(seats) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(-0.03, 1.03)
    axes.grid(axis="x")
    axes.set_xlabel("share of wins (dashed: that of all seats)")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=6, frameon=False, fontsize=9)


def _draw_parts(axes: Axes, standings: Standings) -> None:
    rows = np.arange(len(standings.agents))
    above, below = np.zeros(len(rows)), np.zeros(len(rows))
    for number, name in enumerate(standings.parts):
        points = np.array([standing.parts[name] for standing in standings.agents])
        left = np.where(points >= 0, above, below)
        label = name.replace("_", " ")
        axes.barh(rows, points, 0.6, left=left, color=COLOURS[number % len(COLOURS)], label=label)
        above, below = above + np.maximum(points, 0), below + np.minimum(points, 0)
    for row, standing in enumerate(standings.agents):
        if standing.score is not None:
            axes.plot([standing.score] * 2, [row - 0.38, row + 0.38], color="#222222", linewidth=2)
            axes.annotate(
                f"{standing.score:.1f}", (above[row], row), (5, 0), textcoords="offset points", va="center", fontsize=9
            )
    axes.axvline(0, color="#999999", linewidth=1)
    _name_rows(axes, standings)
    axes.margins(x=0.08)
    axes.grid(axis="x")
    axes.set_xlabel("mean points (a line marks the score: their sum)")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=6, frameon=False, fontsize=9)


def _draw_distributions(axes: Axes, standings: Standings, entries: Sequence[Entry], figure: str, label: str) -> None:
    values = [
        np.array([getattr(entry, figure) for entry in entries if entry.agent == standing.agent])
        for standing in standings.agents
    ]
    everything = np.concatenate(values)
    width = max(1, round((everything.max() - everything.min()) / BINS))
    edges = np.arange(everything.min(), everything.max() + 2 * width, width) - 0.5
    for row, own in enumerate(values):
        if own.size:
            heights = np.histogram(own, edges)[0]
            tops, foot = row + 0.4 - 0.75 * heights / heights.max(), row + 0.4
            colour = COLOURS[row % len(COLOURS)]
            axes.stairs(tops, edges, baseline=foot, color=colour, alpha=0.3, fill=True)
            axes.stairs(tops, edges, baseline=foot, color=colour, linewidth=1.2)
            axes.plot([np.median(own)] * 2, [row - 0.38, foot], color="#222222", linewidth=2)
    _name_rows(axes, standings)
    axes.grid(axis="x")
    axes.set_xlabel(f"{label} (a line marks the median)")
