"""Generated maps: the same for ever, plane, connected, fair, and in their statistics like the published ones."""

import hashlib
import itertools
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.path import Path as Outline

import t2r_env
from benchmarks import maps as statistics
from t2r_env import generate_map
from t2r_env.generating import RULES
from t2r_env.generating.maps import write_tables
from t2r_env.rules import batch
from t2r_env.variants import MapVariant, Route
from tests.endurance.maps import play_map

SEEDS = range(30)

GOLDEN = {
    (0, 36, (2, 5), ("ferries", "tunnels", "longest_path")): "d285504493f78f6d",
    (1, 36, (2, 5), ("ferries", "tunnels", "longest_path")): "ec2ca0222b136082",
    (2**64 - 1, 15, (2, 2), ()): "89e323a4d3b89872",
    (7, 51, (3, 6), RULES): "6dab83ae39f7621d",
    (8, 24, (2, 4), ("mountains", "stations", "globetrotter")): "474ff83155181865",
}
"""The first digits of the SHA-256 of all files of maps, by seed, cities, players and rules."""
GOLDEN_OF_MANY = "9f8f25b0984fd75b"
"""Those of the maps of SEEDS with all numbers of cities and most players, and each with some of the rules."""


@pytest.fixture(scope="module", params=SEEDS)
def variant(request: pytest.FixtureRequest) -> MapVariant:
    return generate_map(request.param)


Place = tuple[int, int]


def places_of(variant: MapVariant) -> dict[str, Place]:
    """The places of cities, in the whole numbers in which distances are measured."""
    x, y = {1.5: (3, 2), 1.333: (4, 3), 1.0: (1, 1), 0.667: (2, 3)}[variant.aspect]
    return {city.id: (round(1000 * city.x) * x, round(1000 * city.y) * y) for city in variant.cities}


def side(a: Place, b: Place, c: Place) -> int:
    """On which side of the line from a to b the point c is: the sign tells."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


# The same for ever


@pytest.mark.parametrize(("arguments", "digest"), GOLDEN.items())
def test_the_same_arguments_give_the_same_map_for_ever(arguments: Any, digest: str) -> None:
    """In whatever order the rules are named."""
    seed, cities, players, rules = arguments
    texts = write_tables(seed, cities, players, [*reversed(rules), *rules])
    assert hashlib.sha256("\0".join([*texts, *texts.values()]).encode()).hexdigest()[:16] == digest
    assert texts["cities.csv"].count("\n") == cities + 1


def test_many_maps_are_the_same_for_ever() -> None:
    texts = (
        write_tables(seed, 15 + 6 * (seed % 7), (2, 2 + seed % 5), [it for it in RULES if seed >> (len(it) % 5) & 1])
        for seed in SEEDS
    )
    digests = "".join(hashlib.sha256("\0".join(it.values()).encode()).hexdigest() for it in texts)
    assert hashlib.sha256(digests.encode()).hexdigest()[:16] == GOLDEN_OF_MANY


# The network


def test_no_two_connections_cross(variant: MapVariant) -> None:
    """Two lines keep apart if all of one is on one side of the other; if they begin in one city, they differ there."""
    places = places_of(variant)
    for one, other in itertools.combinations(sorted({(it.a, it.b) for it in variant.routes}), 2):
        (a, b), (c, d) = ([places[city] for city in pair] for pair in (one, other))
        if {*one} & {*other}:
            begin, first, second = (
                places[next(iter(it))] for it in ({*one} & {*other}, {*one} - {*other}, {*other} - {*one})
            )
            is_opposite = sum((p - q) * (r - q) for p, q, r in zip(first, begin, second, strict=True)) < 0
            assert side(begin, first, second) or is_opposite, (one, other)
        else:
            is_apart = side(a, b, c) * side(a, b, d) > 0 or side(c, d, a) * side(c, d, b) > 0
            assert is_apart, (one, other)


def test_cities_are_all_joined_and_have_different_names_of_plain_letters(variant: MapVariant) -> None:
    reached, joined = {variant.cities[0].id}, [{route.a, route.b} for route in variant.routes]
    for _ in variant.cities:
        reached |= {city for pair in joined if pair & reached for city in pair}
    assert reached == {city.id for city in variant.cities}
    assert all(re.fullmatch("[A-Z][a-z]{3,14}", city.name) for city in variant.cities)
    assert [city.id for city in variant.cities] == [city.name.lower() for city in variant.cities]


# The ground


def outlines_of(variant: MapVariant, kind: str) -> list[Outline]:
    """The control points of the outlines of a kind of land, in thousandths of the board."""
    paths = [re.findall(r"Q(-?\d+) (-?\d+)", shape.path) for shape in variant.land if shape.kind == kind]
    return [Outline(np.array(path, float), closed=False) for path in paths]


def share_within(variant: MapVariant, route: Route, outlines: list[Outline]) -> float:
    """The share of a route's line that lies in areas."""
    places = {city.id: np.array([city.x, city.y]) * 1000 for city in variant.cities}
    steps = np.linspace(0, 1, 200)[:, None]
    line = places[route.a] * (1 - steps) + places[route.b] * steps
    return float(np.mean(np.any([outline.contains_points(line) for outline in outlines], axis=0)))


def test_ferries_cross_water_tunnels_mountains_and_other_routes_neither(variant: MapVariant) -> None:
    water, mountains = (outlines_of(variant, kind) for kind in ("water", "mountains"))
    for route in variant.routes:
        share = share_within(variant, route, water)
        assert share > 0.12 if route.ferry else share < 0.26, (route, share)
        assert not route.ferry or (route.track, route.tunnel) == (0, 0)
        share = share_within(variant, route, mountains)
        if not route.ferry:
            assert share > 0.42 if route.tunnel else share < 0.62, (route, share)
        assert route.tunnel in (0, 3)


# Arguments


def test_a_map_has_the_rules_that_are_asked_for() -> None:
    plain, full = generate_map(5, rules=()), generate_map(5, rules=RULES)
    kinds = ("ferry", "tunnel", "mountain")
    for variant, has in ((plain, False), (full, True)):
        deck = variant.ticket_decks["main"]
        assert [any(getattr(route, kind) for route in variant.routes) for kind in kinds] == [has] * 3
        assert [bool(variant.stations), bool(variant.grand_tour), bool(deck.long)] == [has] * 3
        assert [*deck.bonuses] == ["longest_path", "globetrotter", "explorer"] * has
        assert ("stations_left" in variant.tie_breaks) == ("mountain_routes" in variant.tie_breaks) == has
    assert [shape.kind for shape in plain.land] == ["land"]
    for players, closed_up_to in (((2, 2), 2), ((2, 5), 3), ((6, 6), 3)):
        variant = generate_map(9, 24, players, RULES)
        assert (variant.min_players, variant.max_players) == players
        assert variant.double_routes_closed_up_to == closed_up_to
        assert len(variant.ticket_decks["main"].regular) >= 3 * players[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": "7"}, "a seed must be an integer from 0 to 2^64 - 1, not '7'"),
        ({"seed": 1, "cities": 14}, "cities must be an integer from 15 to 51, not 14"),
        ({"seed": 1, "cities": 52}, "cities must be an integer from 15 to 51, not 52"),
        ({"seed": 1, "players": 3}, "players must be two numbers, the fewest and the most, not 3"),
        ({"seed": 1, "players": (1, 3)}, "the fewest players must be an integer from 2 to 6, not 1"),
        ({"seed": 1, "players": (4, 3)}, "the most players must be an integer from 4 to 6, not 3"),
        ({"seed": 1, "rules": None}, f"rules must be a list, each one of {', '.join(RULES)}, not None"),
        ({"seed": 1, "rules": ["bridges"]}, f"each of rules must be one of {', '.join(RULES)}, not 'bridges'"),
    ],
)
def test_what_is_not_allowed_gets_one_clear_error(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        generate_map(**arguments)


def test_a_seed_as_infos_tell_it_gives_the_map_of_that_seed() -> None:
    """Half of the seeds are negative there, as int64 (`seeds_told`)."""
    told: Any = np.int64(-1)
    assert generate_map(told, 20) == generate_map(2**64 - 1, 20)


# Playing


def test_a_map_stands_where_a_variants_name_can() -> None:
    variant = generate_map(11)
    configuration = t2r_env.configure(variant, 3, turn_limit=500)
    assert configuration.variant is variant
    made: Any = variant
    assert t2r_env.Games(made, 3, turn_limit=500).configuration == configuration
    env = t2r_env.env(made, num_players=3, turn_limit=500)
    env.reset(seed=1)
    assert env.snapshot()["variant"] == "map_11"
    assert pickle.loads(pickle.dumps(configuration)).variant == made
    with pytest.raises(ValueError, match="num_players of map_11 must be an integer from 2 to 5"):
        t2r_env.configure(made, 6)
    wrong: Any = 7
    with pytest.raises(TypeError, match="variant must be the name of a game, the path of a folder or a Variant, not 7"):
        t2r_env.configure(wrong)


def test_a_replay_of_a_map_fits_the_same_map_and_no_other(tmp_path: Path) -> None:
    games = t2r_env.Games(t2r_env.configure(generate_map(12)), seed=1, record=True)
    for _ in range(20):
        games.step(games.masks.argmax(axis=1))
    replay = t2r_env.Replay.of(games)
    replay.save(tmp_path / "game.json")
    assert t2r_env.Replay.load(tmp_path / "game.json", generate_map(12)) == replay
    with pytest.raises(t2r_env.ReplayError, match="rules must be"):
        t2r_env.Replay.load(tmp_path / "game.json", generate_map(12, cities=35))


@pytest.mark.parametrize("seed", range(20))
def test_maps_are_played_to_the_end_at_random_and_by_planners(seed: int) -> None:
    """`python -m tests.endurance.maps` plays a thousand."""
    played = play_map(seed)
    assert played.faults == ()
    assert played.random_games >= 30
    assert played.planner_games > 0
    assert played.completed > played.failed / 2  # on a single map; of all together planners complete five in six


def test_a_fault_of_a_map_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.endurance.maps.load_variant", lambda _: generate_map(1))
    (fault,) = play_map(0).faults
    assert fault.startswith("seed 0: AssertionError")


def test_another_map_needs_no_compiling() -> None:
    """Records of all maps have one type, so that compiled functions take them all."""
    configurations = [t2r_env.configure(generate_map(seed, cities)) for seed, cities in ((1, 15), (2, 36), (3, 51))]
    assert len({configuration.rules.dtype for configuration in configurations}) == 1
    compiled = []
    for configuration in configurations:
        t2r_env.Games(configuration, batch=2, seed=0).play_random(50)
        compiled.append(len(getattr(batch._run, "signatures", ())))
    assert len({*compiled}) == 1


# Statistics


def test_statistics_are_within_the_range_of_the_published_maps() -> None:
    published = statistics.ranges([*statistics.published().values()])
    for seed in range(50):
        for name, value in statistics.measure(generate_map(seed)).items():
            least, most = published[name]
            assert least <= value <= most, (seed, name)
