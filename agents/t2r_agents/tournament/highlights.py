"""What happened in a tournament, in a few lines: who won most, and the games worth a look."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from t2r_agents.tournament.columns import percent
from t2r_agents.tournament.playing import Entry
from t2r_agents.tournament.standings import Standings


def highlights(entries: Sequence[Entry], standings: Standings) -> Iterator[str]:
    """One sentence a line. Of games not played to their end nothing is told; of equal ones, the first."""
    best = max(standings.agents, key=lambda standing: standing.wins.value)
    if len(standings.agents) > 1:
        yield f"{best.agent} won most often: {percent(best.wins)} of its games"
    finished = sorted(
        (entry for entry in entries if entry.outcome == "finished"), key=lambda entry: (entry.game, entry.seat)
    )
    if not finished:
        return
    games = [list(seats) for _, seats in groupby(finished, lambda entry: entry.game)]
    closest = min(games, key=_lead)
    yield f"the closest game is {closest[0].game}: {_scores(closest)}"
    highest = max(games, key=lambda game: max(entry.score for entry in game))
    yield f"the highest score is in game {highest[0].game}: {_scores(highest)}"
    longest, shortest = (choose(games, key=lambda game: game[0].turns) for choose in (max, min))
    yield (
        f"the longest game is {longest[0].game}, with {longest[0].turns} turns, and the shortest {shortest[0].game},"
        f" with {shortest[0].turns}"
    )


def _lead(game: Sequence[Entry]) -> int:
    """By how much the best score of the winners is ahead of the others' best."""
    best = {entry.rank: entry.score for entry in game}
    scores = [best[rank] for rank in sorted(best)]
    return scores[0] - scores[1] if len(scores) > 1 else 0


def _scores(game: Sequence[Entry]) -> str:
    """Who had how many points, best first."""
    return ", ".join(f"{entry.agent} {entry.score}" for entry in sorted(game, key=lambda entry: entry.rank))
