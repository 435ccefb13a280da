"""The plots of a tournament's report, each as SVG."""

import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from t2r_agents.comparing.tournament.agreement import Agreement
from t2r_agents.comparing.tournament.calibration import Calibration
from t2r_agents.comparing.tournament.habit_tables import Moves
from t2r_agents.comparing.tournament.habits import KINDS
from t2r_agents.comparing.tournament.maps import MOST
from t2r_agents.comparing.tournament.playing import Entry
from t2r_agents.comparing.tournament.ratings import Interval
from t2r_agents.comparing.tournament.standings import Standings, seats_of
from t2r_env.basics.plain import plain

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
BINS = 35
_LONG_NUMBER = re.compile(r"\b\d+\.\d{3,}")
"""A number of a picture that is written more exactly than anybody sees."""


def plots_of(
    entries: Sequence[Entry],
    standings: Standings,
    moves: Sequence[Moves] = (),
    agreement: Agreement | None = None,
    calibrations: Sequence[Calibration] = (),
) -> dict[str, str]:
    """Return the plots by name, as SVG: those of meetings and of games played to their end, if there are any."""
    standings = strongest(standings)
    names = {standing.agent for standing in standings.agents}
    finished = [entry for entry in entries if entry.outcome == "finished" and entry.agent in names]
    claiming = [entry for entry in finished if entry.first_claim]
    shown = [it for it in moves[:MOST] if len(it.seats)]
    rows = len(standings.agents)
    plots = {}
    with matplotlib.rc_context(STYLE):
        if any(share for shares in standings.head_to_head for share in shares):
            plots["strengths"] = _draw(0.9 + 0.4 * rows, _draw_strengths, standings)
            plots["head_to_head"] = _draw(1.2 + 0.55 * rows, _draw_head_to_head, standings)
        if seats := seats_of(entries):
            legend = 0.2 * -(-len(standings.agents[: len(COLOURS)]) // _legend_columns(_names(standings)))
            plots["seats"] = _draw(0.8 + legend + 0.5 * len(seats), _draw_seats, standings, entries, seats)
        if finished:
            plots["parts"] = _draw(1.3 + 0.5 * rows, _draw_parts, standings)
            plots["scores"] = _draw(0.9 + 0.6 * rows, _draw_distributions, standings, finished, "score", "score")
            plots["turns"] = _draw(0.9 + 0.6 * rows, _draw_distributions, standings, finished, "turns", "turns")
        if shown:
            plots["moves"] = _draw_moves(shown)
        if claiming:
            plots["cards_before_claim"] = _draw(
                0.9 + 0.6 * rows, _draw_distributions, standings, claiming, "cards_before_claim", "train cards"
            )
        if agreement:
            plots["agreement"] = _draw(1.2 + 0.55 * len(agreement.agents[:MOST]), _draw_agreement, agreement)
        if calibrations:
            plots["calibration"] = _draw(4.2, _draw_calibrations, calibrations[: len(COLOURS)])
    return plots


def strongest(standings: Standings) -> Standings:
    """Return the standings of the strongest agents, as many as plots show; the data has all."""
    matrix = [row[:MOST] for row in standings.head_to_head[:MOST]]
    return replace(standings, agents=standings.agents[:MOST], head_to_head=matrix)


def _draw(height: float, draw: Callable[..., None], *arguments: Any) -> str:
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    draw(figure.add_subplot(), *arguments)
    return _as_svg(figure)


def _as_svg(figure: Figure) -> str:
    file = io.StringIO()
    figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    text = file.getvalue()
    return _LONG_NUMBER.sub(lambda found: f"{float(found[0]):.2f}", text[text.index("<svg") :])


def _name(agent: str) -> str:
    agent = plain(agent)
    return agent if len(agent) <= LONGEST_NAME else f"…{agent[1 - LONGEST_NAME :]}"


def _names(standings: Standings) -> list[str]:
    return [_name(standing.agent) for standing in standings.agents]


def _legend_columns(names: Sequence[str]) -> int:
    """Return how many names fit next to each other above a plot."""
    return max(1, min(6, 90 // (4 + max(map(len, names)))))


def _name_rows(axes: Axes, names: Sequence[str]) -> None:
    """Label one row for each agent, the first at the top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def _draw_strengths(axes: Axes, standings: Standings) -> None:
    for row, standing in enumerate(standings.agents):
        strength, colour = standing.strength, COLOURS[row % len(COLOURS)]
        axes.plot([strength.low, strength.high], [row, row], color=colour, linewidth=5, alpha=0.35)
        axes.plot(strength.value, row, "o", color=colour, markersize=8)
        axes.annotate(
            f"{strength.value:.0f}", (strength.value, row), (0, 7), textcoords="offset points", ha="center", fontsize=9
        )
    _name_rows(axes, _names(standings))
    axes.margins(x=0.1)
    axes.grid(axis="x")
    axes.set_xlabel("Elo (Bradley-Terry, 1500 on average)")


def _draw_head_to_head(axes: Axes, standings: Standings) -> None:
    _draw_matrix(axes, standings.head_to_head, [standing.agent for standing in standings.agents], "RdYlGn")


def _draw_agreement(axes: Axes, agreement: Agreement) -> None:
    agents = agreement.agents[:MOST]
    shown = range(len(agents))
    shares = [[agreement.share(one, other) if one != other else None for other in shown] for one in shown]
    _draw_matrix(axes, shares, agents, "YlGnBu")


def _draw_calibrations(axes: Axes, calibrations: Sequence[Calibration]) -> None:
    """Draw the share of wins that came over the chances told; on the dashed line they agree."""
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=1, linestyle="--")
    for number, it in enumerate(calibrations):
        bins, colour = it.bins(), COLOURS[number % len(COLOURS)]
        told, won = [each.told for each in bins], [each.won.value for each in bins]
        for each in bins:
            axes.plot([each.told] * 2, [each.won.low, each.won.high], color=colour, linewidth=5, alpha=0.25)
        axes.plot(told, won, "o-", color=colour, markersize=6, linewidth=1.2, label=_name(", ".join(it.agents)))
    ticks = [0, 0.25, 0.5, 0.75, 1]
    axes.set_xticks(ticks, [f"{tick:.0%}" for tick in ticks])
    axes.set_yticks(ticks, [f"{tick:.0%}" for tick in ticks])
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.grid()
    axes.set_xlabel("chance to win that was told")
    axes.set_ylabel("share of wins that came")
    axes.legend(loc="upper left", frameon=False, fontsize=9)


def _draw_matrix(axes: Axes, rows: Sequence[Sequence[Interval | None]], agents: Sequence[str], colours: str) -> None:
    """Draw the shares of pairs of agents with their intervals."""
    shares = [[np.nan if share is None else share.value for share in row] for row in rows]
    edges = np.arange(len(shares) + 1) - 0.5
    axes.pcolormesh(edges, edges, shares, cmap=colours, vmin=0, vmax=1, alpha=0.55, edgecolor="white")
    for row, line in enumerate(rows):
        for column, share in enumerate(line):
            if share:
                axes.text(column, row - 0.1, f"{share.value:.1%}", ha="center", va="center", fontsize=10)
                bounds = f"{share.low * 100:.0f}–{share.high * 100:.0f}"
                axes.text(column, row + 0.27, bounds, ha="center", va="center", fontsize=7.5, color="#444444")
    names = list(map(_name, agents))
    _name_rows(axes, names)
    is_long = max(map(len, names)) * len(names) > 70
    axes.set_xticks(range(len(names)), names, rotation=20 if is_long else 0, ha="left" if is_long else "center")
    axes.xaxis.tick_top()
    axes.tick_params(axis="x", length=0)
    axes.spines[:].set_visible(False)


def _draw_seats(axes: Axes, standings: Standings, entries: Sequence[Entry], seats: Mapping[int, Interval]) -> None:
    """Draw the share of wins by seat, of all agents together and of each."""
    for row, share in enumerate(seats.values()):
        axes.plot([share.low, share.high], [row, row], color="#222222", linewidth=5, alpha=0.2)
        axes.plot(share.value, row, "o", color="#222222", markersize=8)
        axes.annotate(
            f"{share.value:.1%}", (share.value, row), (0, 8), textcoords="offset points", ha="center", fontsize=9
        )
    for number, standing in enumerate(standings.agents[: len(COLOURS)]):
        won = [
            [entry.win for entry in entries if entry.rank and (entry.seat, entry.agent) == (seat, standing.agent)]
            for seat in seats
        ]
        rows = [row for row, wins in enumerate(won) if wins]
        shares = [fmean(won[row]) for row in rows]
        axes.plot(
            shares, [row + 0.25 for row in rows], "|", color=COLOURS[number], markersize=9, markeredgewidth=3,
            label=_name(standing.agent),
        )  # fmt: skip
    axes.axvline(fmean(share.value for share in seats.values()), color="#999999", linewidth=1, linestyle="--")
    axes.set_yticks(range(len(seats)), [f"seat {seat}" for seat in seats])
    axes.set_ylim(len(seats) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(-0.03, 1.03)
    axes.grid(axis="x")
    axes.set_xlabel("share of wins (dashed: that of all seats)")
    columns = _legend_columns(_names(standings))
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=columns, frameon=False, fontsize=9)


def _draw_parts(axes: Axes, standings: Standings) -> None:
    rows = np.arange(len(standings.agents))
    above, below = np.zeros(len(rows)), np.zeros(len(rows))
    for number, name in enumerate(standings.parts):
        points = np.array([standing.parts[name] or 0.0 for standing in standings.agents])
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
    _name_rows(axes, _names(standings))
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
    _name_rows(axes, _names(standings))
    axes.grid(axis="x")
    axes.set_xlabel(f"{label} (a line marks the median)")


def _draw_moves(moves: Sequence[Moves]) -> str:
    """Draw for each agent what its turns are, one area above the other, by the number of the turn."""
    last = max(len(it.seats) for it in moves)
    figure = Figure(figsize=(WIDTH, 0.9 + 0.95 * len(moves)), layout="constrained")
    rows = figure.subplots(len(moves), 1, sharex=True, squeeze=False)[:, 0]
    for axes, it in zip(rows, moves, strict=True):
        turns = np.arange(1, len(it.seats) + 1)
        labels = [KINDS[kind][0] for kind in it.kinds]
        colours = [COLOURS[[*KINDS].index(kind) % len(COLOURS)] for kind in it.kinds]
        areas = np.clip(it.shares[0], 0, 1).T
        axes.stackplot(turns, areas, labels=labels, colors=colours, alpha=0.75, step="mid", linewidth=0)
        axes.set_xlim(0.5, last + 0.5)
        axes.set_ylim(0, 1)
        axes.set_yticks([0, 0.5, 1], ["0 %", "50 %", "100 %"], fontsize=8)
        axes.set_title(_name(it.agent), loc="left", fontsize=9)
    rows[-1].set_xlabel("number of the own turn")
    handles, labels = rows[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4, frameon=False, fontsize=9)
    return _as_svg(figure)
