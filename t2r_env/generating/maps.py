"""Maps from seeds: the arguments, and the map as a whole."""

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from t2r_env.checks import check_integer, check_seed
from t2r_env.generating import tables
from t2r_env.generating.dice import Dice
from t2r_env.generating.ground import MOUNTAINS, TUNNELS, Area, Board, Points, draw_mountains, draw_water
from t2r_env.generating.names import make_country, make_names
from t2r_env.generating.network import Connection, connect, lay_routes, place_cities
from t2r_env.generating.tickets import Pair, choose_long_tickets, choose_tickets, find_pairs
from t2r_env.sizes import MAX_SEATS, MAX_TICKETS
from t2r_env.variants.loader import read_variant
from t2r_env.variants.reading import Files
from t2r_env.variants.variant import MapVariant, Route
from t2r_env.writing import replacing

RULES = ("ferries", "tunnels", "mountains", "long_tickets", *tables.OPTIONAL, *tables.BONUSES)
"""The rules that a generated map may have (docs/generated_maps.md)."""
USUAL_RULES = ("ferries", "tunnels", "longest_path")
FEWEST_CITIES, MOST_CITIES = 12, 60
_SIDES = ((3, 2), (3, 2), (3, 2), (4, 3), (1, 1), (2, 3))
"""Proportions of boards: half of them are broad."""
_SPACES = 13_500
"""The mean length of connections, in hundredths, times the number of cities is at most as much."""
_SHARES = {"ferries": ("ferry", 4, 30), "tunnels": ("tunnel", 8, 48), "mountains": ("mountain", 8, 48)}
"""The column of routes that each rule fills, and in how many percent of them: as in the published games."""
_ROUTES = (173, 278)
"""The fewest and the most routes for a hundred cities: those of the published games."""
FEWEST_TRAINS, MOST_TRAINS = 15, 45
_REGULAR = 65
"""With long tickets the others have at most so many percent of the longest one's spaces."""


def generate_map(
    seed: int, cities: int = 36, players: tuple[int, int] = (2, 5), rules: Iterable[str] = USUAL_RULES
) -> MapVariant:
    """Return a made-up map, as a variant that `load_variant` reads from a folder.

    The same arguments give the same map for ever, on every machine. The order of `rules` does not matter.

    Parameters
    ----------
    seed
        An integer from 0 to 2^64 - 1.
    cities
        The number of cities, from 12 to 60.
    players
        The fewest and the most players, from 2 to 6.
    rules
        The rules that the map has in addition to those of all maps: some of `ferries`, `tunnels`, `mountains`,
        `long_tickets`, `stations`, `grand_tour`, `longest_path`, `globetrotter` and `explorer`.

    Raises ValueError for an argument that is not allowed.
    """
    variant = read_variant(Files(f"map {seed}", write_tables(seed, cities, players, rules)))
    assert isinstance(variant, MapVariant)
    return variant


def write_map(
    folder: str | os.PathLike[str],
    seed: int,
    cities: int = 36,
    players: tuple[int, int] = (2, 5),
    rules: Iterable[str] = USUAL_RULES,
) -> None:
    """Write the folder of the map that `generate_map` returns; it is made if it is missing.

    Raises ValueError for an argument that is not allowed, and OSError if the folder can't be written.
    """
    files = write_tables(seed, cities, players, rules)
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        with replacing(Path(folder, name)) as new:
            new.write_text(text, encoding="utf-8")


def write_tables(seed: int, cities: int, players: tuple[int, int], rules: Iterable[str]) -> dict[str, str]:
    """Return the files of a map's folder by name."""
    dice = Dice(check_seed(seed))
    cities = check_integer("cities", cities, FEWEST_CITIES, MOST_CITIES)
    (least, most), chosen = _check_players(players), _check_rules(rules)
    names, country = make_names(dice, cities), make_country(dice)
    plan = next(plan for plan in _draw_plans(dice, names, chosen) if plan.fits(chosen))
    keys = {
        "id": f"map_{seed}",
        "name": f"{country} (map {seed})",
        "min_players": least,
        "max_players": most,
        "aspect": round(plan.board.sides[0] / plan.board.sides[1], 3),
        "trains": _count_trains(plan.routes, most),
        "double_routes_closed_up_to": 3 if most > 3 else 2,
    }
    return {
        "variant.toml": tables.write_toml(keys, chosen),
        "cities.csv": tables.write_cities(names, plan.places.tolist()),
        "routes.csv": tables.write_routes(plan.routes),
        "tickets.csv": tables.write_tickets(names, _draw_decks(dice, plan, most, has_long="long_tickets" in chosen)),
        "land.svg": tables.write_land(plan.areas),
    }


def _check_players(players: tuple[int, int]) -> tuple[int, int]:
    if not isinstance(players, tuple | list) or len(players) != 2:
        raise ValueError(f"players must be two numbers, the fewest and the most, not {players!r}")
    least = check_integer("the fewest players", players[0], 2, MAX_SEATS)
    return least, check_integer("the most players", players[1], least, MAX_SEATS)


def _check_rules(rules: Iterable[str]) -> list[str]:
    """Return rules in the order of RULES."""
    given = [rules] if isinstance(rules, str) else list(rules)
    for rule in given:
        if rule not in RULES:
            raise ValueError(f"rules must be some of {', '.join(RULES)}, not {rule!r}")
    return [rule for rule in RULES if rule in given]


class _Plan(NamedTuple):
    """A map without its tickets."""

    board: Board
    areas: Sequence[Area]
    places: Points
    connections: Sequence[Connection]
    routes: Sequence[Route]

    def fits(self, rules: Collection[str]) -> bool:
        """Whether its routes are as many, and those of each kind, as on the published maps."""
        number, (fewest, most) = len(self.routes), _ROUTES
        if not fewest <= 100 * number / len(self.places) <= most:
            return False
        for rule in _SHARES.keys() & rules:
            column, least, most = _SHARES[rule]
            if not least <= 100 * sum(bool(getattr(route, column)) for route in self.routes) / number <= most:
                return False
        return True


def _draw_plans(dice: Dice, names: Sequence[str], rules: Collection[str]) -> Iterator[_Plan]:
    """Yield one plan after the other for cities of these names."""
    while True:
        board = Board(_SIDES[dice.below(len(_SIDES))], len(names))
        areas = draw_mountains(dice, board, [kind for kind in (TUNNELS, MOUNTAINS) if kind in rules])
        areas += draw_water(dice, board) if "ferries" in rules else []
        places = place_cities(dice, board, areas)
        connections = connect(places, board, areas, min(dice.between(235, 320), _SPACES // len(names)))
        routes = lay_routes(dice, names, connections, doubles=dice.between(15, 36), grays=dice.between(17, 42))
        yield _Plan(board, areas, places, connections, routes)


def _draw_decks(dice: Dice, plan: _Plan, most_players: int, *, has_long: bool) -> dict[str, list[Pair]]:
    """Return the tickets of each deck."""
    regular, long = find_pairs(len(plan.places), plan.connections), list[Pair]()
    if has_long:
        long = choose_long_tickets(dice, regular)
        most = max(pair.spaces for pair in regular) * _REGULAR // 100
        regular = [pair for pair in regular if pair.spaces <= most]
    number = max(3 * most_players, len(plan.places) * dice.between(80, 125) // 100)
    chosen = choose_tickets(dice, regular, min(number, MAX_TICKETS - len(long)))
    return {"main": chosen, "long": long}


def _count_trains(routes: Sequence[Route], most_players: int) -> int:
    """Return the trains of each player: in multiples of five, enough for three quarters of all spaces."""
    spaces = sum(route.length for route in routes)
    return min(MOST_TRAINS, max(FEWEST_TRAINS, (spaces * 10 // (13 * most_players) + 2) // 5 * 5))
