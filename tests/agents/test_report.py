"""What a tournament's report shows: routes claimed, seats, and the list of all games."""

import re
from dataclasses import replace

import numpy as np
import pytest

from t2r_agents.tournament import Tournament
from t2r_agents.tournament.maps import MOST, route_maps, shares_of
from t2r_agents.tournament.report import COLOURS, LISTED, listed_games, pairings_of, seats_of
from t2r_env import configure
from t2r_env.variants import MapVariant


def played(variant: str, players: int, games: int, agents: tuple[str, ...] = ("greedy", "random")) -> Tournament:
    tournament = Tournament(configure(variant, players), agents, games, seed=0)
    for _ in tournament.play():
        pass
    return tournament


@pytest.mark.parametrize(("variant", "players"), [("usa", 3), ("team_asia", 4), ("pennsylvania", 2), ("card_game", 2)])
def test_the_routes_that_a_seat_claimed_are_those_of_the_last_position(variant: str, players: int) -> None:
    tournament = played(variant, players, 2)
    snapshot = tournament.record(0).final().snapshot()
    routes = [(it["a"], it["b"], it["track"]) for it in snapshot.get("routes", ())]
    tables = getattr(tournament.configuration.variant, "routes", ())
    for entry in (it for it in tournament.entries if it.game == 0):
        claimed = [tables[int(number)] for number in entry.claimed.split()]
        owned = [key for key, it in zip(routes, snapshot.get("routes", ()), strict=True) if entry.seat in it["owners"]]
        assert sorted((it.a, it.b, it.track) for it in claimed) == sorted(owned)
        assert bool(claimed) == (variant != "card_game")


def test_a_map_shows_the_share_of_finished_games_in_which_an_agent_has_a_route() -> None:
    tournament = played("new_york", 2, 4)
    variant = tournament.configuration.variant
    assert isinstance(variant, MapVariant)
    first = tournament.entries[0]
    entries = [replace(it, claimed="0 3" if it.agent == "greedy" and it.game < 2 else "5") for it in tournament.entries]
    entries.append(replace(first, agent="greedy", outcome="truncated", claimed="1"))
    shares = shares_of(entries, ["greedy", "random"], len(variant.routes))
    assert shares[0].nonzero()[0].tolist() == [0, 3, 5]
    assert shares[0, [0, 3, 5]].tolist() == [0.5, 0.5, 0.5]
    assert shares[1, 5] == 1
    shared, (greedy, random) = route_maps(tournament.configuration, entries, ["greedy", "random"], COLOURS)
    assert len(re.findall("<path", greedy.svg)) == 3
    assert "100%" in random.svg
    assert random.often.endswith("100%")
    assert shared.count('id="map-') == 2


def test_of_many_agents_the_strongest_have_maps_and_games_without_routes_have_none() -> None:
    tournament = played("new_york", 2, 2)
    agents = ["greedy", *map(str, range(30))]
    assert len(route_maps(tournament.configuration, tournament.entries, agents, COLOURS)[1]) == MOST
    assert route_maps(tournament.configuration, [], agents, COLOURS) == ("", [])
    assert route_maps(configure("card_game", 2), [], agents, COLOURS) == ("", [])


def test_seats_have_the_share_of_wins_with_an_interval_over_deals() -> None:
    entries = played("new_york", 2, 8).entries
    seats = seats_of([replace(it, win=float(it.seat), rank=2 - it.seat) for it in entries])
    assert [share.value for share in seats] == [0, 1]
    assert all(0 <= share.low < share.high <= 1 for share in seats)
    assert seats_of([replace(it, rank=0, outcome="truncated") for it in entries]) == []


def test_all_games_are_listed_by_who_played_them() -> None:
    tournament = played("new_york", 2, 12, ("greedy", "random", "racer"))
    games = listed_games(tournament)
    assert [game.number for game in games] == list(range(12))
    pairings = pairings_of(games)
    assert [pairing.agents for pairing in pairings] == [("greedy", "racer"), ("greedy", "random"), ("racer", "random")]
    assert sum(len(pairing.games) for pairing in pairings) == 12
    for pairing in pairings:
        assert np.isclose(sum(map(float, pairing.wins)), len(pairing.games))
    assert LISTED > 1000
