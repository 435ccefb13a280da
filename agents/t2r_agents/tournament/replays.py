"""Pages of the games of a tournament that are worth a look, in its folder."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from t2r_agents.tournament.highlights import Highlight, forfeited_games, notable_games
from t2r_agents.tournament.standings import Standings
from t2r_agents.tournament.tournament import Tournament
from t2r_env import Replay
from t2r_env.render.replay_page import save_replay_html

MAX_SECONDS = 20.0
"""A game in which the agents took longer is not played again."""


@dataclass(frozen=True)
class ReplayPage:
    """The page of a game."""

    highlight: Highlight
    path: str
    """From the folder of the tournament, with `/`."""
    is_same: bool
    """Whether the game, played again, has come to the same result."""


def choose_games(tournament: Tournament, standings: Standings, most: int) -> list[Highlight]:
    """The games whose pages are made, at most so many: the notable ones, then forfeited ones. Each game comes once.

    Games in which a person played, or whose agents took long, are left out: the agents have to act again.
    """
    if tournament.asks_person:
        return []
    seconds: dict[int, float] = defaultdict(float)
    for entry in tournament.entries:
        seconds[entry.game] += entry.seconds
    chosen: dict[int, Highlight] = {}
    for highlight in [*notable_games(tournament.entries), *forfeited_games(standings)]:
        if seconds[highlight.game] <= MAX_SECONDS:
            chosen.setdefault(highlight.game, highlight)
    return list(chosen.values())[:most]


def write_pages(
    pages: Path, tournament: Tournament, games: list[Highlight], progress: Callable[[int, int], None] | None = None
) -> Iterator[ReplayPage]:
    """Play these games again and write their pages into a folder, in place of those that are there. Raises OSError."""
    if games:
        pages.mkdir(exist_ok=True)
    names = {f"game_{highlight.game}.html" for highlight in games}
    for old in pages.glob("game_*.html"):
        if old.name not in names:
            old.unlink()
    for number, highlight in enumerate(games):
        replay = tournament.record(highlight.game)
        name = f"game_{highlight.game}.html"
        write_page(pages / name, tournament, highlight.game, replay, each_seat=False)
        if progress:
            progress(number + 1, len(games))
        yield ReplayPage(highlight, f"{pages.name}/{name}", _is_same(tournament, highlight.game, replay))


def write_page(
    path: Path,
    tournament: Tournament,
    game: int,
    replay: Replay,
    *,
    each_seat: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Write the page of a recorded game, with the agents' names, and the reason if it was forfeited."""
    reasons = [entry.forfeit for entry in tournament.entries if entry.game == game and entry.forfeit]
    names = tournament.fixtures[game].seating
    reason = reasons[0].rstrip(".") if reasons else ""
    save_replay_html(path, replay, names=names, each_seat=each_seat, reason=reason, progress=progress)


def _is_same(tournament: Tournament, game: int, replay: Replay) -> bool:
    results = replay.final().results
    entries = sorted((entry for entry in tournament.entries if entry.game == game), key=lambda entry: entry.seat)
    played = [(entry.score, entry.turns) for entry in entries]
    return played == [(int(score), int(results.turns[0])) for score in results.scores[0]]
