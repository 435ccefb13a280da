"""The standings of a tournament: wins, strengths, points, length of games, speed."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from t2r_agents.comparing.tournament.playing import Entry
from t2r_agents.comparing.tournament.rankings import Rankings, rank
from t2r_agents.comparing.tournament.ratings import (
    Interval,
    games_of,
    head_to_head,
    points_by_deal,
    strengths,
    wilson_interval,
)


@dataclass(frozen=True)
class Results:
    """An agent's results in all its games."""

    agent: str
    games: int
    wins: Interval
    """The share of its games that it won; of its seats, if it has several in a game."""
    score: float | None
    """The mean over games played to their end, as for parts, tickets and turns; None if there are no such games."""
    parts: dict[str, float | None]
    completed: float | None
    failed: float | None
    turns: float | None
    """The turns of a whole game, all seats together."""
    decisions_per_second: float | None
    forfeits: int


@dataclass(frozen=True)
class Standing(Results):
    """An agent's results in all its games, and its rating among the agents of a tournament."""

    strength: Interval
    """The Bradley-Terry strength on the Elo scale. It does not depend on the order of the games."""


@dataclass(frozen=True)
class Forfeits:
    """The games that an agent forfeited for the same reason."""

    agent: str
    reason: str
    games: int
    first: int


@dataclass(frozen=True)
class Standings:
    """The standings of all agents, the strongest first, and the points each took from each other one."""

    agents: list[Standing]
    head_to_head: list[list[Interval | None]]
    """The share of points of a row's agent against a column's, in the order of `agents`."""
    truncated: int
    """The number of games that reached the turn limit (C19)."""
    forfeits: list[Forfeits]
    """The forfeits, the most frequent first."""
    rankings: Rankings | None = None
    """Those of three agents or more that have all met; None of others."""

    @property
    def parts(self) -> list[str]:
        """Return the parts of the score that any agent has."""
        return [name for name in self.agents[0].parts if any(agent.parts[name] for agent in self.agents)]


def compute_standings(entries: Sequence[Entry], team_size: int = 1) -> Standings:
    """Return the standings after these games, given the number of seats of a team."""
    names = sorted({entry.agent for entry in entries})
    games = games_of(entries, team_size)
    points = points_by_deal(games, names)
    rated = sorted(zip(names, strengths(points), strict=True), key=lambda it: -it[1].value)
    order = [names.index(name) for name, _ in rated]
    points = points[:, order][:, :, order]
    matrix = head_to_head(points)
    return Standings(
        [Standing(**vars(results_of(entries, name)), strength=strength) for name, strength in rated],
        matrix,
        len({entry.game for entry in entries if entry.outcome == "truncated"}),
        forfeits_in(entries),
        rank(points, matrix),
    )


def results_of(entries: Sequence[Entry], agent: str) -> Results:
    """Return the results of an agent that played in these games."""
    entries = [entry for entry in entries if entry.agent == agent]
    finished = [entry for entry in entries if entry.outcome == "finished"]
    seconds = sum(entry.seconds for entry in entries)
    return Results(
        agent=agent,
        games=len({entry.game for entry in entries}),
        wins=wilson_interval(fmean(entry.win for entry in entries), len({entry.deal for entry in entries})),
        score=_mean([entry.score for entry in finished]),
        parts={name: _mean([entry.parts[name] for entry in finished]) for name in entries[0].parts},
        completed=_mean([entry.completed for entry in finished]),
        failed=_mean([entry.failed for entry in finished]),
        turns=_mean([entry.turns for entry in finished]),
        decisions_per_second=sum(entry.decisions for entry in entries) / seconds if seconds else None,
        forfeits=sum(bool(entry.forfeit) for entry in entries),
    )


def seats_of(entries: Sequence[Entry]) -> dict[int, Interval]:
    """Return the share of its games that each seat won, in games that have a winner; others have no share."""
    ranked = [entry for entry in entries if entry.rank]
    seats = sorted({entry.seat for entry in ranked})
    deals = len({entry.deal for entry in ranked})
    return {seat: wilson_interval(fmean(entry.win for entry in ranked if entry.seat == seat), deals) for seat in seats}


def forfeits_in(entries: Sequence[Entry]) -> list[Forfeits]:
    """Return the forfeits in these games, the most frequent first."""
    games: dict[tuple[str, str], list[int]] = {}
    for entry in entries:
        if entry.forfeit:
            games.setdefault((entry.agent, entry.forfeit), []).append(entry.game)
    forfeits = [Forfeits(agent, reason, len(lost), min(lost)) for (agent, reason), lost in games.items()]
    return sorted(forfeits, key=lambda forfeit: (-forfeit.games, forfeit.first))


def _mean(figures: Sequence[float]) -> float | None:
    return fmean(figures) if figures else None
