"""The games of a tournament that are worth a look, and their pages in its folder."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from t2r_agents.comparing.tournament.playing import Entry
from t2r_agents.comparing.tournament.standings import Standings
from t2r_agents.comparing.tournament.tournament import Tournament
from t2r_env import Replay
from t2r_env.basics.plain import plain
from t2r_env.render.page_review import PageReview
from t2r_env.render.replay_page import save_replay_html

BACK = "../report.html"
"""The report, from a page in the folder of pages."""
MAX_SECONDS = 20.0
"""The most seconds that agents took in a game that is played again."""


@dataclass(frozen=True)
class Highlight:
    """A game worth a look."""

    title: str
    """The reason, such as `the closest game`."""
    game: int
    result: str
    """The points of each agent, or why the game was forfeited."""


@dataclass(frozen=True)
class ReplayPage:
    """The page of a game."""

    highlight: Highlight
    path: str
    """The path in the folder of the tournament, with `/`."""
    is_same: bool
    """Whether the game had the same result when it was played again."""


def notable_games(entries: Sequence[Entry]) -> list[Highlight]:
    """Return the closest game, the one with the highest score and the longest, of those played to their end."""
    finished = sorted(
        (entry for entry in entries if entry.outcome == "finished"), key=lambda entry: (entry.game, entry.seat)
    )
    games = [list(seats) for _, seats in groupby(finished, lambda entry: entry.game)]
    if not games:
        return []
    chosen = {
        "the closest game": min(games, key=lead_of),
        "the game with the highest score": max(games, key=lambda game: max(entry.score for entry in game)),
        "the longest game": max(games, key=lambda game: game[0].turns),
    }
    return [Highlight(title, game[0].game, _result(game)) for title, game in chosen.items()]


def lead_of(game: Sequence[Entry]) -> int:
    """Return by how much the winner's score is ahead of the others' best; 0 if several share the victory."""
    if any(0 < entry.win < 1 for entry in game):
        return 0
    best = {entry.rank: entry.score for entry in game}
    scores = [best[rank] for rank in sorted(best)]
    return scores[0] - scores[1]


def _result(game: Sequence[Entry]) -> str:
    """Return the points of each agent, best first, and the number of turns."""
    scores = ", ".join(f"{plain(entry.agent)} {entry.score}" for entry in sorted(game, key=lambda entry: entry.rank))
    return f"{scores}, in {game[0].turns} turns"


def choose_games(tournament: Tournament, standings: Standings, most: int) -> list[Highlight]:
    """Return the games whose pages are made, `most` at most: notable ones, then forfeited ones. Each comes once.

    Games in which a person played, or whose agents took long, are left out: the agents have to act again, unless the
    games were recorded.
    """
    if tournament.asks_person:
        return []
    seconds: dict[int, float] = defaultdict(float)
    for entry in tournament.entries:
        seconds[entry.game] += entry.seconds
    forfeited = [Highlight(f"{plain(it.agent)} forfeits", it.first, plain(it.reason)) for it in standings.forfeits]
    chosen: dict[int, Highlight] = {}
    for highlight in [*notable_games(tournament.entries), *forfeited]:
        if seconds[highlight.game] <= MAX_SECONDS or tournament.is_recorded:
            chosen.setdefault(highlight.game, highlight)
    return list(chosen.values())[:most]


def write_pages(
    pages: Path, tournament: Tournament, games: list[Highlight], progress: Callable[[int, int], None] | None = None
) -> Iterator[ReplayPage]:
    """Write the pages of these games into a folder; those of others that are there stay. Raises OSError.

    Games that were not recorded are played again.
    """
    if games:
        pages.mkdir(exist_ok=True)
    for number, highlight in enumerate(games):
        replay = tournament.record(highlight.game)
        name = f"game_{highlight.game}.html"
        write_page(pages / name, tournament, highlight.game, replay, each_seat=False, back=BACK)
        if progress:
            progress(number + 1, len(games))
        entries = [entry for entry in tournament.entries if entry.game == highlight.game]
        yield ReplayPage(highlight, f"{pages.name}/{name}", is_same(entries, replay))


def pages_there(pages: Path, tournament: Tournament, standings: Standings) -> Iterator[ReplayPage]:
    """Yield the pages of games worth a look that have been written already."""
    for highlight in choose_games(tournament, standings, len(tournament.fixtures)):
        page = pages / f"game_{highlight.game}.html"
        if page.is_file():
            yield ReplayPage(highlight, f"{pages.name}/{page.name}", is_same=True)


def write_page(
    path: Path,
    tournament: Tournament,
    game: int,
    replay: Replay,
    *,
    each_seat: bool = True,
    back: str = "report.html",
    review: PageReview | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Write the page of a recorded game, with the agents' names, and the reason if it was forfeited."""
    names, reason = tournament.fixtures[game].seating, reason_of(tournament, game)
    save_replay_html(
        path,
        replay,
        names=names,
        each_seat=each_seat,
        reason=reason,
        back=back,
        review=review,
        progress=progress,
    )


def reason_of(tournament: Tournament, game: int) -> str:
    """Return why a game was forfeited; empty if it was not."""
    reasons = [entry.forfeit for entry in tournament.entries if entry.game == game and entry.forfeit]
    return plain(reasons[0].rstrip(".")) if reasons else ""


def is_same(entries: Sequence[Entry], replay: Replay) -> bool:
    """Return whether a game with these entries had the same scores and turns when it was played again."""
    results = replay.final().results
    played = [(entry.score, entry.turns) for entry in sorted(entries, key=lambda entry: entry.seat)]
    return played == [(int(score), int(results.turns[0])) for score in results.scores[0]]
