"""What games say of the habits of who plays: tickets kept and refused, first claims, and what turns were."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from t2r_agents.comparing.tournament import Tournament
from t2r_agents.comparing.tournament.folder import Folder, FolderError
from t2r_agents.comparing.tournament.habits import KINDS, Habits
from t2r_agents.comparing.tournament.playing import Entry
from t2r_agents.comparing.tournament.tournament import Settings
from t2r_env import Replay, configure

LETTERS = {name: letter for letter, (_, names) in KINDS.items() for name in names}


def played(variant: str, players: int, agents: Sequence[str], **options: Any) -> Tournament:
    """A tournament of whole games on one deal."""
    tournament = Tournament(configure(variant, players, **options), agents, 1, 0, record=True)
    for _ in tournament.play():
        pass
    return tournament


def of_game(tournament: Tournament, game: int) -> tuple[list[Entry], Replay]:
    return [entry for entry in tournament.entries if entry.game == game], tournament.record(game)


def kept_by(entry: Entry) -> dict[int, int]:
    """The points of each ticket that a seat kept, by number."""
    kept = (ticket.replace("-", "+-").split("+") for ticket in entry.kept.split())
    return {int(parts[0]): int(parts[-1]) for parts in kept}


@pytest.mark.parametrize(
    ("variant", "players"), [("new_york", 2), ("switzerland", 3), ("team_asia", 4), ("card_game", 2), ("nordic", 2)]
)
def test_kept_tickets_are_those_that_the_game_counts_with_the_points_that_they_bring(
    variant: str, players: int
) -> None:
    tournament = played(variant, players, ["planner", "random"])
    size, ticket_of = tournament.configuration.variant.team_size, tournament.configuration.text.ticket
    entries, replay = of_game(tournament, 0)
    final = replay.final().snapshot()["final"]
    for team in range(players // size):
        of_team, result = entries[team * size : (team + 1) * size], final[team * size]
        kept = {number: points for entry in of_team for number, points in kept_by(entry).items()}
        counted = [*result["completed"], *result["failed"]]
        assert sorted(map(repr, map(ticket_of, kept))) == sorted(map(repr, counted))
        assert sum(kept.values()) == of_team[0].parts["tickets"]
        assert sorted(points > 0 for points in kept.values()).count(True) == len(result["completed"])


@pytest.mark.parametrize(("variant", "options"), [("new_york", {}), ("europe", {}), ("card_game", {})])
def test_offers_first_claims_and_moves_are_those_of_the_recorded_game(variant: str, options: dict[str, Any]) -> None:
    tournament = played(variant, 2, ["planner", "random"], **options)
    entries, replay = of_game(tournament, 0)
    routes = [(it.a, it.b, it.track) for it in getattr(tournament.configuration.variant, "routes", ())]
    refused: list[list[Any]] = [[], []]
    turns: list[list[tuple[int, str]]] = [[], []]
    first: list[Any] = [None, None]
    drawn = [0, 0]
    for games, action in zip(replay.games(), replay.actions, strict=False):
        seat, snapshot, described = int(games.current[0]), games.snapshot(), games.describe(action)
        name = described["action"]
        if name == "refuse_ticket":
            refused[seat].append(described["ticket"])
        if first[seat] is None:
            drawn[seat] += name in ("draw_face_up", "draw_deck")
        if snapshot["phase"] == "turn":
            turns[seat].append((snapshot["turn"], LETTERS[name]))
        if name == "claim" and first[seat] is None:
            first[seat] = routes.index((described["a"], described["b"], described["track"]))
    for seat, entry in enumerate(entries):
        listed = map(tournament.configuration.text.ticket, map(int, entry.refused.split()))
        kept = [tournament.configuration.text.ticket(number) for number in kept_by(entry)]
        again = [ticket for ticket in refused[seat] if ticket not in kept]  # what was refused may be offered again
        assert sorted(map(repr, listed)) == sorted({repr(ticket) for ticket in again})
        assert entry.first_claim == ("" if first[seat] is None else str(first[seat]))
        assert entry.cards_before_claim == drawn[seat]
        by_turn = ["".join(letter for _, letter in of) for _, of in groupby(turns[seat], key=lambda it: it[0])]
        assert entry.moves.split(" ") == by_turn


def test_a_turn_of_two_actions_has_two_letters() -> None:
    """A technology is bought before the turn's other action (UK5)."""
    moves = " ".join(entry.moves for entry in played("united_kingdom", 2, ["planner", "greedy"]).entries)
    assert any(turn.startswith("u") and len(turn) == 2 for turn in moves.split(" "))


def test_games_without_an_end_say_nothing_of_habits() -> None:
    for entry in played("usa", 2, ["planner", "greedy"], turn_limit=30).entries:
        assert entry.outcome == "truncated"
        assert vars(Habits()).items() <= vars(entry).items()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kept": "3+12 99+4"}, "kept must be tickets below 18 with points, not '3+12 99+4'"),
        ({"kept": "3"}, "kept must be tickets below 18 with points, not '3'"),
        ({"refused": "4 5x"}, "refused must be numbers of tickets below 18, not '4 5x'"),
        ({"first_claim": "41"}, "first_claim must be the number of a route below 41, not '41'"),
        ({"cards_before_claim": -1}, "cards_before_claim must be from 0 to 1,000,000, not -1"),
        ({"moves": "d dx"}, "moves must be letters of d, c, t, b, u, r, y, p, not 'd dx'"),
    ],
)
def test_habits_that_no_game_has_are_refused(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    settings = Settings("new_york", 2, dict(configure("new_york", 2).options), ["greedy", "random"], 1, 0)
    folder, tournament = Folder(tmp_path), settings.tournament()
    folder.begin(settings)
    for entries in tournament.play():
        folder.add([replace(entry, **changes) if entry.seat == 0 else entry for entry in entries])
    with pytest.raises(FolderError) as refused:
        folder.entries(tournament)
    folder.close()
    assert str(refused.value).endswith(f"game 0: {message}")
