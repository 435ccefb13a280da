"""Maps from seeds: the arguments, and the map as a whole."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from t2r_env.basics.checks import check_choice, check_integer, check_seed
from t2r_env.basics.sizes import MAX_SEATS
from t2r_env.basics.writing import is_new, replacing
from t2r_env.generating import tables
from t2r_env.generating.dice import Dice
from t2r_env.generating.ground import MOUNTAINS, TUNNELS, Area, Board, Points, draw_mountains, draw_water
from t2r_env.generating.names import make_country, make_names
from t2r_env.generating.network import connect, lay_routes, place_cities
from t2r_env.generating.tickets import NUMBER_OF_LONG, OFFERED, Pair, choose_decks, find_pairs
from t2r_env.variants.loader import read_variant
from t2r_env.variants.reading import Files
from t2r_env.variants.variant import MapVariant, Route

RULES = ("ferries", "tunnels", "mountains", "long_tickets", *tables.OPTIONAL, *tables.BONUSES)
"""The rules that a generated map may have (docs/generated_maps.md)."""
USUAL_RULES = ("ferries", "tunnels", "longest_path")
FEWEST_CITIES, MOST_CITIES = 15, 51
"""Those of the published maps."""
_SIDES = ((3, 2), (3, 2), (3, 2), (4, 3), (1, 1), (2, 3))
"""Proportions of boards: half of them are broad."""
_SPACES = 12_300
"""The mean length of connections, in hundredths, times the number of cities is at most as much."""
_SHARES = {"ferries": ("ferry", 5, 29), "tunnels": ("tunnel", 8, 47), "mountains": ("mountain", 8, 47)}
"""The column of routes that each rule fills, and in how many percent of them: as in the published games."""
_ROUTES = (173, 278)
"""The fewest and the most routes for a hundred cities: those of the published games."""
_TICKETS = (480, 1090)
"""The fewest and the most spaces of a hundred tickets: those of the published games."""
FEWEST_TRAINS, MOST_TRAINS = 15, 45


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
        The number of cities, from 15 to 51.
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

    Raises ValueError for an argument that is not allowed and for a folder that is not empty, which may hold a map that
    somebody has edited; OSError if it can't be written.
    """
    files = write_tables(seed, cities, players, rules)
    if not is_new(Path(folder)):
        raise ValueError(f"the folder of a map must be a new or empty one, and {folder} is not")
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        with replacing(Path(folder, name)) as new:
            new.write_text(text, encoding="utf-8")


def write_tables(seed: int, cities: int, players: tuple[int, int], rules: Iterable[str]) -> dict[str, str]:
    """Return the files of a map's folder by name."""
    seed = check_seed(seed)
    dice = Dice(seed)
    cities = check_integer("cities", cities, FEWEST_CITIES, MOST_CITIES)
    (least, most), chosen = _check_players(players), _check_rules(rules)
    names, country = make_names(dice, cities), make_country(dice)
    plan = next(plan for plan in _draw_plans(dice, names, most, chosen) if plan.fits(most, chosen))
    keys = {
        "id": f"map_{seed}",
        "name": f"{country} (map {seed})",
        "min_players": least,
        "max_players": most,
        "aspect": round(plan.board.sides[0] / plan.board.sides[1], 3),
        "trains": _count_trains(plan.routes, most),
        "double_routes_closed_up_to": 3 if most > 3 else 2,
    }
    made_by = f"t2r map {seed} --cities {cities} --players {least} {most} --rules {' '.join(chosen)}"
    return {
        "variant.toml": f"# {made_by.rstrip()}\n\n{tables.write_toml(keys, chosen)}",
        "cities.csv": tables.write_cities(names, plan.places.tolist()),
        "routes.csv": tables.write_routes(plan.routes),
        "tickets.csv": tables.write_tickets(names, plan.decks),
        "land.svg": tables.write_land(plan.areas),
    }


def _check_players(players: tuple[int, int]) -> tuple[int, int]:
    try:
        least, most = players
    except (TypeError, ValueError):
        raise ValueError(f"players must be two numbers, the fewest and the most, not {players!r}") from None
    least = check_integer("the fewest players", least, 2, MAX_SEATS)
    return least, check_integer("the most players", most, least, MAX_SEATS)


def _check_rules(rules: Iterable[str]) -> list[str]:
    """Return rules in the order of RULES."""
    try:
        given = list(rules)
    except TypeError:
        raise ValueError(f"rules must be a list, each one of {', '.join(RULES)}, not {rules!r}") from None
    for rule in given:
        check_choice("each of rules", rule, RULES)
    return [rule for rule in RULES if rule in given]


class _Plan(NamedTuple):
    """A map: what depends on random numbers, but for names."""

    board: Board
    areas: Sequence[Area]
    places: Points
    routes: Sequence[Route]
    decks: Mapping[str, Sequence[Pair]]
    """The regular tickets `main`, and `long` ones if the map has them."""

    def fits(self, most_players: int, rules: Collection[str]) -> bool:
        """Whether it has as many routes and as long tickets as published maps have, and enough tickets."""
        spaces = [pair.spaces for tickets in self.decks.values() for pair in tickets]
        shares = [(len(self.routes), len(self.places), *_ROUTES), (sum(spaces), len(spaces), *_TICKETS)]
        for rule in _SHARES.keys() & rules:
            column, least, most = _SHARES[rule]
            shares.append((sum(getattr(route, column) > 0 for route in self.routes), len(self.routes), least, most))
        is_usual = all(least * whole <= 100 * part <= most * whole for part, whole, least, most in shares)
        needed = {"main": OFFERED * most_players, "long": NUMBER_OF_LONG}
        return is_usual and all(len(tickets) >= needed[deck] for deck, tickets in self.decks.items())


def _draw_plans(dice: Dice, names: Sequence[str], most_players: int, rules: Collection[str]) -> Iterator[_Plan]:
    """Yield one plan after the other for cities of these names."""
    while True:
        board = Board(_SIDES[dice.below(len(_SIDES))], len(names))
        areas = draw_mountains(dice, board, [kind for kind in (TUNNELS, MOUNTAINS) if kind in rules])
        areas += draw_water(dice, board) if "ferries" in rules else []
        places = place_cities(dice, board, areas)
        connections = connect(places, board, areas, min(dice.between(235, 320), _SPACES // len(names)))
        routes = lay_routes(dice, names, connections, doubles=dice.between(14, 40), grays=dice.between(17, 42))
        number = max(OFFERED * most_players, len(names) * dice.between(92, 130) // 100)
        decks = choose_decks(dice, find_pairs(len(names), connections), number, has_long="long_tickets" in rules)
        yield _Plan(board, areas, places, routes, decks)


def _count_trains(routes: Sequence[Route], most_players: int) -> int:
    """Return the trains of each player: in multiples of five, enough for three quarters of all spaces."""
    spaces = sum(route.length for route in routes)
    return min(MOST_TRAINS, max(FEWEST_TRAINS, (spaces * 10 // (13 * most_players) + 2) // 5 * 5))
