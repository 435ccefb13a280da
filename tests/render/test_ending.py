"""The end of a game, counted in stages."""

import json
import random
import re
from typing import Any

import networkx
import numpy as np
import pytest

from t2r_env import VARIANTS, Configuration, Games
from t2r_env.render.ending import Stage, stages, verdict
from t2r_env.render.networks import Edge, longest_trail, rounds, way
from t2r_env.rules.rulesets import MAP_GAME
from t2r_env.rules.text import destinations
from tests.helpers.maps import MAP_GAMES, load_map, map_variant
from tests.helpers.networks import SHAPES, measure_trails, random_network, write_network
from tests.helpers.playing import Options, fewest_and_most
from tests.helpers.recorded import forfeited
from tests.helpers.situations import Table, configuration, ended, situation
from tests.render.test_narration import NAMES, recorded


def counted(snapshot: dict[str, Any], chosen: Configuration) -> list[Stage]:
    return stages(snapshot, chosen, NAMES[: chosen.num_players])


def told(table: Table) -> list[str]:
    """The titles of the stages of an ended game."""
    return [stage["title"] for stage in counted(table.snapshot, table.games.configuration)]


def check(snapshot: dict[str, Any], chosen: Configuration) -> None:
    """Assert what must hold of every count."""
    found = counted(snapshot, chosen)
    assert json.loads(json.dumps(found)) == found
    assert found[-1]["totals"] == [it["score"] for it in snapshot["final"]]
    totals = [0] * chosen.num_players
    size = chosen.variant.team_size
    for stage in found:
        assert not re.search(r"_|None|player|[{}\[\]]", stage["title"]), stage
        changed = [now - was for was, now in zip(totals, stage["totals"], strict=True)]
        if stage["seat"] is None:
            assert stage["points"] is None
            names = [f"{name} {points}" for name, points in zip(NAMES, changed, strict=False) if points]
            assert all(name in stage["title"] for name in names)
        else:
            team = range(stage["seat"], stage["seat"] + size)
            assert stage["seat"] % size == 0
            assert changed == [(stage["points"] or 0) if seat in team else 0 for seat in range(chosen.num_players)]
        totals = stage["totals"]
    assert found[-1]["title"] == verdict(snapshot, chosen, NAMES[: chosen.num_players])
    # each completed ticket has a stage, and on a map a way that joins its cities, over routes that the team uses
    counts = [stage for stage in found if stage["seat"] is not None and " complete" in stage["title"]]
    completed = [stage for stage in counts if "most tickets" not in stage["title"]]
    teams = range(0, chosen.num_players, chosen.variant.team_size)
    tickets = [(seat, ticket) for seat in teams for ticket in snapshot["final"][seat]["completed"]]
    assert len(completed) == len(tickets)
    if not snapshot["routes"]:
        return
    regions = {city.id: {city.id, city.region} for city in chosen.variant.cities}
    for stage, (seat, ticket) in zip(completed, tickets, strict=True):
        team = range(seat, seat + chosen.variant.team_size)
        usable = [[it["a"], it["b"], it["track"]] for it in snapshot["routes"] if set(it["owners"]) & {*team}]
        usable += [route for mate in team for _, route in snapshot["final"][mate].get("station_routes", ()) if route]
        assert all(route in usable for route in stage["routes"])
        way = networkx.Graph([(a, b) for a, b, _ in stage["routes"]])
        ends = [city for city, degree in way.degree() if degree == 1]
        assert len(way.edges) == len(stage["routes"])
        assert len(ends) == 2
        assert networkx.is_connected(way)
        wanted = {end for end, points in destinations(ticket) if points == stage["points"]}
        assert any(ticket[0] in regions[a] and wanted & regions[b] for a, b in (ends, ends[::-1])), stage


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_recorded_games_are_counted_to_their_scores_and_completed_tickets_have_ways(variant: str) -> None:
    replay = recorded(variant)
    snapshot = replay.final().snapshot()
    assert any(it["completed"] for it in snapshot["final"])
    check(snapshot, replay.configuration)


@fewest_and_most
def test_random_games_are_counted_to_their_scores(variant: str, players: int, options: Options) -> None:
    games = Games(variant, players, batch=6, seed=5, autoreset=False, **options)
    while games.masks.any():
        games.play_random(1_000)
    assert games.terminated.any()
    for row in np.flatnonzero(games.terminated).tolist():
        check(games.snapshot(row), games.configuration)


def test_a_game_that_is_not_finished_has_no_count_but_an_end() -> None:
    table = situation()
    with pytest.raises(ValueError, match="only a finished game is counted, and this one is: running"):
        stages(table.snapshot, table.games.configuration)
    with pytest.raises(ValueError, match="the game is under way: nobody has won yet"):
        verdict(table.snapshot, table.games.configuration)
    replay = forfeited()
    with pytest.raises(ValueError, match="names must be 2, one for each player, not 1"):
        verdict(replay.final().snapshot(), replay.configuration, ["Ann"])
    assert verdict(replay.final().snapshot(), replay.configuration) == "The game ended by a forfeit"


def test_routes_tickets_bonus_and_winner_are_counted_in_this_order() -> None:
    table = ended(
        routes=[["denver-santa_fe", "el_paso-santa_fe", "calgary-winnipeg"], ["dallas-houston"]],
        holds=[["denver-el_paso", "calgary-phoenix"], ["boston-miami"]],
    )
    found = counted(table.snapshot, table.games.configuration)
    assert [(stage["title"], stage["points"], stage["totals"]) for stage in found] == [
        ("Anna: 3 routes", 19, [19, 0]),
        ("Ben: 1 route", 1, [19, 1]),
        ("Anna completes Denver–El Paso", 4, [23, 1]),
        ("Anna fails Calgary–Phoenix", -13, [10, 1]),
        ("Ben fails Boston–Miami", -12, [10, -11]),
        ("Anna has the longest path (6)", 10, [20, -11]),
        ("Anna wins 20 : −11", None, [20, -11]),
    ]
    assert found[2]["routes"] == [["denver", "santa_fe", 0], ["el_paso", "santa_fe", 0]]
    assert found[5]["routes"] == [["calgary", "winnipeg", 0]]
    assert found[1]["routes"] == [["dallas", "houston", 0]]


def test_c18_the_tie_break_that_decides_is_named_and_what_it_compares_is_lit() -> None:
    crossing = ["denver-santa_fe", "el_paso-santa_fe"]
    tickets = ended(routes=[crossing, ["denver-helena"]], points=[0, 4], holds=[["denver-el_paso"], []])
    assert told(tickets)[-4:] == [
        "Ben has the longest path (4)",
        "Anna and Ben have 14 points each: a tie",
        "More completed tickets (1 : 0): Anna",
        "Anna wins 14 : 14, with more completed tickets",
    ]
    paths = ended(routes=[["boston-montreal"], crossing], points=[7, 7], tickets="1910")  # with no bonus for it
    assert told(paths)[-2:] == ["A longer path (4 : 2): Ben", "Ben wins 7 : 7, with a longer path"]
    *_, decided, _ = counted(paths.snapshot, paths.games.configuration)
    assert sorted(decided["routes"]) == [["denver", "santa_fe", 0], ["el_paso", "santa_fe", 0]]
    assert told(ended(points=[5, 5]))[-2:] == [
        "No tie-break is left: the victory is shared",
        "Anna and Ben share the victory 5 : 5",
    ]


def test_eu7_a_way_may_use_the_route_that_a_station_borrows_and_stations_left_count() -> None:
    table = ended(
        variant="europe",
        routes=[["berlin-essen", "amsterdam-london"], ["amsterdam-essen"]],
        stations=[["amsterdam"]],
        holds=[["berlin-london"], []],
    )
    found = counted(table.snapshot, table.games.configuration)
    (ticket,) = (stage for stage in found if stage["title"] == "Anna completes Berlin–London")
    (borrowed,) = (stage for stage in found if "station in" in stage["title"])
    assert (borrowed["title"], borrowed["points"]) == ("Anna uses Amsterdam–Essen by the station in Amsterdam", None)
    assert ticket["routes"] == [["berlin", "essen", 0], ["amsterdam", "essen", 0], ["amsterdam", "london", 0]]
    left = [("Anna: 2 stations left", 8), ("Ben: 3 stations left", 12)]
    assert [(stage["title"], stage["points"]) for stage in found[-3:-1]] == left


def test_a_way_has_the_fewest_routes_and_two_ways_have_no_route_in_common() -> None:
    square: list[Edge] = [("a", "b", 0), ("b", "c", 0), ("c", "d", 0), ("d", "a", 0), ("a", "c", 1)]
    assert way(square, ["a"], ["c"]) == [("a", "c", 1)]
    assert way(square, ["a"], ["e"]) is None
    assert len(rounds(square, ["a"], ["c"]) or ()) in (3, 4)
    assert rounds([*square, ("c", "e", 0)], ["a"], ["e"]) is None
    # the second way must push the first one aside, which takes the short cut across
    crossed: list[Edge] = [("a", "b", 0), ("b", "c", 0), ("c", "z", 0), ("a", "d", 0), ("d", "c", 0), ("b", "e", 0)]
    crossed += [("e", "f", 0), ("f", "z", 0)]
    assert sorted(rounds(crossed, ["a"], ["z"]) or ()) == sorted(it for it in crossed if it != ("b", "c", 0))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("variant", MAP_GAMES)
def test_the_longest_path_lit_is_a_trail_as_long_as_the_core_finds(variant: str, shape: str) -> None:
    chosen = configuration(variant, load_map(variant).min_players)
    game = map_variant(chosen)
    lengths = {(it.a, it.b, it.track): it.length for it in game.routes}
    for seed in range(3):
        rng = random.Random(seed)
        routes = random_network(shape, game, game.trains * game.team_size, game.team_size > 1, rng)
        states, longest = chosen.opening.copy(), np.zeros(1, np.int64)
        write_network(states[0], game, routes)
        measure_trails(states, chosen.rules, MAP_GAME.new_scratch().scoring, longest)
        network = [(it.a, it.b, it.track) for it in (game.routes[index] for index in routes)]
        trail = longest_trail(network, lengths)
        assert sum(lengths[edge] for edge in trail) == longest[0]
        assert len({*trail}) == len(trail)
        assert {*trail} <= {*network}
        assert not trail or networkx.has_eulerian_path(networkx.MultiGraph([edge[:2] for edge in trail]))
