"""The report of a tournament: one HTML file that contains its plots and loads nothing, and all as data, too."""

import json
import math
import shlex
from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from t2r_agents.comparing.tournament.agreement import Answers
from t2r_agents.comparing.tournament.columns import cycle_text, point_columns, result_columns
from t2r_agents.comparing.tournament.maps import MOST, is_high, route_maps
from t2r_agents.comparing.tournament.playing import Entry
from t2r_agents.comparing.tournament.plots import COLOURS, plots_of
from t2r_agents.comparing.tournament.ratings import Interval
from t2r_agents.comparing.tournament.replays import ReplayPage, lead_of
from t2r_agents.comparing.tournament.report_data import ReportData, gather, write_tables
from t2r_agents.comparing.tournament.standings import Standings
from t2r_agents.comparing.tournament.tournament import Settings, Tournament
from t2r_env import __version__
from t2r_env.agents import is_harmless
from t2r_env.basics.plain import plain
from t2r_env.basics.writing import replacing
from t2r_env.render.drawing.palette import DARK
from t2r_env.render.replay_page import hash_of

FIGURES = "figures"
"""The folder next to a report that has its plots as SVG, and all its tables as CSV."""
LISTED = 2000
"""The most rows of a list in the report; the data has all."""


def write_report(
    path: Path,
    settings: Settings,
    tournament: Tournament,
    standings: Standings,
    pages: Sequence[ReplayPage] = (),
    answers: Answers | None = None,
) -> None:
    """Write the report of the games played so far, with links to the replay pages of some, and its data.

    Raises OSError.
    """
    data = gather(tournament.configuration, tournament.entries, standings, answers)
    plots = plots_of(tournament.entries, standings, data.moves, data.agreement, data.calibrations)
    figures = path.parent / FIGURES
    figures.mkdir(exist_ok=True)
    for name, plot in plots.items():
        with replacing(figures / f"{name}.svg") as new:
            new.write_text(plot, encoding="utf-8")
    tables = write_tables(figures, data)
    with replacing(path) as new:
        new.write_text(_page(path, settings, tournament, data, pages, plots, tables), encoding="utf-8")


def _page(
    path: Path,
    settings: Settings,
    tournament: Tournament,
    data: ReportData,
    pages: Sequence[ReplayPage],
    plots: Mapping[str, str],
    tables: Sequence[str],
) -> str:
    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    templates.filters["plain"] = plain
    standings = data.standings
    shared, maps = route_maps(tournament.configuration, tournament.entries, data.agents, COLOURS)
    lists = lists_of(tournament, data)
    script = files("t2r_agents.comparing.tournament").joinpath("report.js").read_text(encoding="utf-8")
    repeated = [] if all(map(is_harmless, settings.agents)) else ["--agents", *settings.agents]
    return templates.get_template("report.html").render(
        settings=settings,
        version=__version__,
        played=len({entry.game for entry in tournament.entries}),
        games=len(tournament.fixtures),
        deals=len({entry.deal for entry in tournament.entries}),
        standings=standings,
        in_cycle={standings.agents[index].agent for index in standings.rankings.cycle} if standings.rankings else (),
        cycle=cycle_text(standings),
        tables={"results": result_columns(standings), "points": point_columns(standings.parts)},
        plots=plots,
        data=tables,
        figures=FIGURES,
        infinite=math.inf,
        agreement=data.agreement,
        calibrations=data.calibrations,
        ignorance=(1 - 1 / tournament.configuration.num_teams) / tournament.configuration.num_teams,
        cards_before_claim=data.cards_before_claim,
        pages=pages,
        shared=shared,
        maps=maps,
        most=MOST,
        dark=DARK,
        is_high=is_high(tournament.configuration),
        lists=lists,
        content=_as_content({"agents": [*map(plain, data.agents)], "lists": lists}),
        script=script,
        script_hash=hash_of(script),
        serve=shlex.join(["t2r", "report", path.parent.name, *repeated]),
    )


def _as_content(content: Mapping[str, Any]) -> str:
    """Return what the script reads, as JSON in which nothing ends the element that it stands in."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


# The lists that readers sort and filter


def lists_of(tournament: Tournament, data: ReportData) -> dict[str, Any]:
    """Return the lists by name, as `report.js` reads them: columns, filters and rows; empty ones are left out.

    A column is its heading and the kind of its cells. A filter is its label, the columns that it looks at, and whether
    it looks for winners.
    """
    places = {agent: number for number, agent in enumerate(data.agents)}
    seats = range(tournament.configuration.num_players)
    lists: dict[str, tuple[list[tuple[str, str]], list[tuple[str, list[int], bool]], list[list[Any]]]] = {
        "games": (
            [("game", "game"), *((f"seat {seat}", "seat") for seat in seats), ("lead", "number"), ("turns", "number")],
            [
                ("agent", [1 + seat for seat in seats], False),
                ("against", [1 + seat for seat in seats], False),
                ("won by", [1 + seat for seat in seats], True),
            ],
            [_game(game, places) for game in games_of_report(tournament.entries)],
        ),
        "tickets": (
            [
                ("agent", "agent"),
                ("ticket", "text"),
                ("offered", "number"),
                ("kept", "share"),
                ("completed if kept", "share"),
                ("points if kept", "mean"),
            ],
            [("agent", [0], False)],
            [
                [
                    places[it.agent],
                    it.ticket,
                    it.offered,
                    _cell(it.kept),
                    _cell(it.completed),
                    _cell(it.value),
                ]
                for it in data.tickets
            ],
        ),
        "first_claims": (
            [("agent", "agent"), ("route", "text"), ("claimed first", "share")],
            [("agent", [0], False)],
            [[places[it.agent], it.route, _cell(it.share)] for it in data.first_claims],
        ),
        "agreement": (
            [("agent", "agent"), ("other", "agent"), ("phase", "text"), ("decisions", "number"), ("alike", "share")],
            [("agent", [0, 1], False), ("and", [0, 1], False)],
            _agreement(data, places),
        ),
    }
    return {
        name: {"columns": columns, "filters": filters, "rows": rows[:LISTED], "unlisted": max(0, len(rows) - LISTED)}
        for name, (columns, filters, rows) in lists.items()
        if rows
    }


def games_of_report(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Return all games that were played, in order, each with its entries by seat."""
    games: dict[int, list[Entry]] = {}
    for entry in sorted(entries, key=lambda entry: (entry.game, entry.seat)):
        games.setdefault(entry.game, []).append(entry)
    return list(games.values())


def _game(seats: Sequence[Entry], places: Mapping[str, int]) -> list[Any]:
    """Return a game as a row: its number, who sat where with which score, the lead of the best, and the turns.

    In place of a score stands how the game ended, if it was not played to its end.
    """
    is_finished = seats[0].outcome == "finished"
    cells = [
        [places[entry.agent], entry.score if is_finished else _ending(entry), int(entry.win > 0)] for entry in seats
    ]
    return [seats[0].game, *cells, lead_of(seats) if is_finished else None, seats[0].turns]


def _ending(entry: Entry) -> str:
    return "forfeits" if entry.forfeit else entry.outcome


def _agreement(data: ReportData, places: Mapping[str, int]) -> list[list[Any]]:
    """Return the rows of pairs of agents: at all decisions first, then by phase."""
    agreement = data.agreement
    if agreement is None:
        return []
    pairs = list(combinations(range(len(agreement.agents)), 2))
    return [
        [
            places[agreement.agents[one]],
            places[agreement.agents[other]],
            (phase or "all").replace("_", " "),
            agreement.decisions_in(phase),
            _cell(agreement.share(one, other, phase)),
        ]
        for phase in ("", *agreement.phases)
        for one, other in pairs
    ]


def _cell(interval: Interval | None) -> list[float | None] | None:
    """Return a value with the bounds of its interval, rounded; the bounds are null if they are not known."""
    if interval is None:
        return None
    bounds = (interval.value, interval.low, interval.high)
    return [round(bound, 4) if math.isfinite(bound) else None for bound in bounds]
