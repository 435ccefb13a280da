"""The content of a tournament's report as tables for programs: one CSV file for each plot and table."""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from pathlib import Path
from typing import Any

from t2r_agents.comparing.tournament.agreement import Agreement, Answers
from t2r_agents.comparing.tournament.calibration import Calibration
from t2r_agents.comparing.tournament.habit_tables import (
    FirstClaim,
    Moves,
    TicketHabit,
    cards_before_claim,
    finished,
    first_claims,
    kinds_of,
    moves_by_turn,
    route_text,
    ticket_habits,
)
from t2r_agents.comparing.tournament.habits import KINDS
from t2r_agents.comparing.tournament.maps import shares_of
from t2r_agents.comparing.tournament.playing import Entry
from t2r_agents.comparing.tournament.ratings import Interval
from t2r_agents.comparing.tournament.standings import Results, Standings, seats_of
from t2r_env import Configuration
from t2r_env.basics.writing import replacing

Row = Mapping[str, Any]


@dataclass(frozen=True)
class ReportData:
    """All that a report shows of the agents, the strongest first."""

    configuration: Configuration
    entries: Sequence[Entry]
    standings: Standings
    tickets: Sequence[TicketHabit]
    first_claims: Sequence[FirstClaim]
    cards_before_claim: Mapping[str, Interval]
    """The mean number of train cards that an agent draws before its first claim, if it ever claims."""
    moves: Sequence[Moves]
    """One for each agent."""
    agreement: Agreement | None
    calibrations: Sequence[Calibration]

    @property
    def agents(self) -> list[str]:
        """Return the names of the agents."""
        return [standing.agent for standing in self.standings.agents]


def gather(
    configuration: Configuration,
    entries: Sequence[Entry],
    standings: Standings,
    answers: Answers | None = None,
) -> ReportData:
    """Return what the report of these games shows."""
    agents = [standing.agent for standing in standings.agents]
    kinds = kinds_of(entries)
    answers = answers or Answers()
    cards = {agent: cards_before_claim(entries, agent) for agent in agents}
    return ReportData(
        configuration,
        entries,
        standings,
        [habit for agent in agents for habit in ticket_habits(configuration, entries, agent)],
        [claim for agent in agents for claim in first_claims(configuration, entries, agent)],
        {agent: mean for agent, mean in cards.items() if mean is not None},
        [moves_by_turn(entries, agent, kinds) for agent in agents],
        answers.agreement and answers.agreement.in_order(agents),
        answers.calibrations,
    )


def write_tables(folder: Path, data: ReportData) -> list[str]:
    """Write the tables as CSV files into a folder; return the names of those that have rows, without `.csv`.

    Raises OSError.
    """
    tables = {
        "standings": _standings(data.standings),
        "head_to_head": _head_to_head(data.standings),
        "seats": _seats(data),
        "scores": _distribution(data, "score"),
        "turns": _distribution(data, "turns"),
        "routes": _routes(data),
        "tickets": map(_ticket, data.tickets),
        "first_claims": map(_first_claim, data.first_claims),
        "cards_before_claim": _distribution(data, "cards_before_claim"),
        "moves": _moves(data),
        "agreement": _agreement(data.agreement) if data.agreement else (),
        "calibration": _calibration(data.calibrations),
    }
    return [name for name, rows in tables.items() if _write(folder / f"{name}.csv", rows)]


def _write(path: Path, rows: Iterable[Row]) -> bool:
    """Write rows, which have the same columns, or remove the file if there are none; return whether there are any."""
    written = list(rows)
    if not written:
        path.unlink(missing_ok=True)
        return False
    with replacing(path) as new, new.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, written[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(written)
    return True


def _bounds(name: str, interval: Interval | None) -> Row:
    """Return a value and its interval as three columns, empty if there is none."""
    if interval is None:
        return dict.fromkeys((name, f"{name}_low", f"{name}_high"))
    return {name: interval.value, f"{name}_low": interval.low, f"{name}_high": interval.high}


def _standings(standings: Standings) -> Iterator[Row]:
    """Yield for each agent its wins and ratings, then all else that its `Results` have."""
    rankings = standings.rankings
    for number, it in enumerate(standings.agents):
        results = {field.name: getattr(it, field.name) for field in fields(Results)}
        yield {
            "agent": results.pop("agent"),
            "games": results.pop("games"),
            **_bounds("wins", results.pop("wins")),
            **_bounds("elo", it.strength),
            **_bounds("lottery", rankings.lottery[number] if rankings else None),
            **_bounds("alpha_rank", rankings.alpha_rank[number] if rankings else None),
            "in_cycle": int(rankings is not None and number in rankings.cycle),
            "score": results.pop("score"),
            **results.pop("parts"),
            **results,
        }


def _head_to_head(standings: Standings) -> Iterator[Row]:
    agents = [standing.agent for standing in standings.agents]
    for agent, shares in zip(agents, standings.head_to_head, strict=True):
        for other, share in zip(agents, shares, strict=True):
            if share:
                yield {"agent": agent, "other": other, **_bounds("share", share)}


def _seats(data: ReportData) -> Iterator[Row]:
    for agent in ["", *data.agents]:
        own = [entry for entry in data.entries if agent in ("", entry.agent)]
        for seat, share in seats_of(own).items():
            yield {"agent": agent or "all", "seat": seat, **_bounds("wins", share)}


def _distribution(data: ReportData, figure: str) -> Iterator[Row]:
    """Yield how many seats of an agent had each value, in games played to their end."""
    for agent in data.agents:
        own = finished(data.entries, agent)
        if figure == "cards_before_claim":
            own = [entry for entry in own if entry.first_claim]
        for value, number in sorted(Counter(getattr(entry, figure) for entry in own).items()):
            yield {"agent": agent, figure: value, "seats": number}


def _routes(data: ReportData) -> Iterator[Row]:
    routes = getattr(data.configuration.variant, "routes", ())
    for agent, shares in zip(data.agents, shares_of(data.entries, data.agents, len(routes)), strict=True):
        for number, share in enumerate(shares.tolist()):
            if share:
                yield {"agent": agent, "route": number, "name": route_text(data.configuration, number), "share": share}


def _ticket(it: TicketHabit) -> Row:
    return {
        "agent": it.agent,
        "ticket": it.number,
        "name": it.ticket,
        "offered": it.offered,
        **_bounds("kept", it.kept),
        **_bounds("completed", it.completed),
        **_bounds("value", it.value),
    }


def _first_claim(it: FirstClaim) -> Row:
    return {"agent": it.agent, "route": it.number, "name": it.route, **_bounds("share", it.share)}


def _moves(data: ReportData) -> Iterator[Row]:
    for it in data.moves:
        for turn, seats in enumerate(it.seats.tolist()):
            for number, kind in enumerate(it.kinds):
                share = Interval(*map(float, it.shares[:, turn, number]))
                place = {"agent": it.agent, "turn": turn + 1, "kind": KINDS[kind][0]}
                yield {**place, "seats": int(seats), **_bounds("share", share)}


def _agreement(agreement: Agreement) -> Iterator[Row]:
    for one, other in combinations(range(len(agreement.agents)), 2):
        pair = {"agent": agreement.agents[one], "other": agreement.agents[other]}
        for phase in ["", *agreement.phases]:
            number = agreement.decisions_in(phase)
            yield pair | {
                "phase": phase or "all",
                "decisions": number,
                **_bounds("alike", agreement.share(one, other, phase)),
            }


def _calibration(calibrations: Sequence[Calibration]) -> Iterator[Row]:
    """Yield for agents that tell the same chances their Brier score, and what came of the chances in each bin."""
    for it in calibrations:
        for agent in it.agents:
            for each in it.bins():
                place = {"agent": agent, "told": each.told, "positions": each.positions}
                yield {**place, **_bounds("won", each.won), **_bounds("brier", it.brier())}
