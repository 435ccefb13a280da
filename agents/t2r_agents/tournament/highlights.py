"""What happened in a tournament, in a few lines: who won most, and the games worth a look."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from t2r_agents.tournament.columns import percent
from t2r_agents.tournament.playing import Entry
from t2r_agents.tournament.standings import Standings


@dataclass(frozen=True)
class Highlight:
    """A game worth a look."""

    title: str
    """Why, such as `the closest game`."""
    game: int
    result: str
    """Who had how many points, or why a game was forfeited."""


def highlights(entries: Sequence[Entry], standings: Standings) -> Iterator[str]:
    """One sentence a line. Of games not played to their end nothing is told; of equal ones, the first."""
    best = max(standings.agents, key=lambda standing: standing.wins.value)
    if len(standings.agents) > 1:
        yield f"{best.agent} won most often: {percent(best.wins)} of its games"
    games = _finished(entries)
    if not games:
        return
    closest, highest, longest = notable_games(entries)
    yield f"the closest game is {closest.game}: {closest.result}"
    yield f"the highest score is in game {highest.game}: {highest.result}"
    shortest = min(games, key=lambda game: game[0].turns)
    turns = max(game[0].turns for game in games)
    yield (
        f"the longest game is {longest.game}, with {turns} turns, and the shortest {shortest[0].game},"
        f" with {shortest[0].turns}"
    )


def notable_games(entries: Sequence[Entry]) -> list[Highlight]:
    """The closest game, the one with the highest score and the longest, of those played to their end, if any were."""
    games = _finished(entries)
    if not games:
        return []
    chosen = {
        "the closest game": min(games, key=_lead),
        "the highest score": max(games, key=lambda game: max(entry.score for entry in game)),
        "the longest game": max(games, key=lambda game: game[0].turns),
    }
    return [Highlight(title, game[0].game, _scores(game)) for title, game in chosen.items()]


def forfeited_games(standings: Standings) -> list[Highlight]:
    """The first game of each agent and reason of a forfeit, the most frequent ones first."""
    return [Highlight(f"{forfeits.agent} forfeits", forfeits.first, forfeits.reason) for forfeits in standings.forfeits]


def _finished(entries: Sequence[Entry]) -> list[list[Entry]]:
    """The games played to their end, each with the entries of its seats."""
    finished = sorted(
        (entry for entry in entries if entry.outcome == "finished"), key=lambda entry: (entry.game, entry.seat)
    )
    return [list(seats) for _, seats in groupby(finished, lambda entry: entry.game)]


def _lead(game: Sequence[Entry]) -> int:
    """By how much the best score of the winners is ahead of the others' best."""
    best = {entry.rank: entry.score for entry in game}
    scores = [best[rank] for rank in sorted(best)]
    return scores[0] - scores[1] if len(scores) > 1 else 0


def _scores(game: Sequence[Entry]) -> str:
    """Who had how many points, best first."""
    return ", ".join(f"{entry.agent} {entry.score}" for entry in sorted(game, key=lambda entry: entry.rank))
