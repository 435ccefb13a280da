"""The files of a map's folder, as text (docs/variant_tables.md)."""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from t2r_env.generating.ground import MOUNTAINS, TUNNELS, Area
from t2r_env.generating.tickets import OFFERED, Pair
from t2r_env.variants.variant import COLOURS, LOCOMOTIVE, Route

BONUSES = {"longest_path": 10, "globetrotter": 15, "explorer": 10}
"""The bonuses that may be asked for, with their points in USA and Legendary Asia."""
OPTIONAL: Mapping[str, Mapping[Any, Any]] = {
    "stations": {"prices": {1: 1, 2: 2, 3: 3}, "points": 4},
    "grand_tour": {1: 5, 2: 10, 3: 20, 4: 30, 5: 40},
}
"""The rules that are keys of variant.toml, as Europe and India have them."""
_TIE_BREAKS = {"stations": "stations_left", "mountains": "mountain_routes"}
_POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18, 8: 21}
"""By length, as in USA, Pennsylvania and Europe."""
_FRAME = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000">'
_EVERYWHERE = "M-500 -500H1500V1500H-500Z"


def write_toml(keys: Mapping[str, Any], rules: Sequence[str]) -> str:
    """Return variant.toml with these keys, and with those that all maps have or that follow from the rules."""
    has_long = "long_tickets" in rules
    deck = {
        "rows": "main",
        **({"long": {"rows": "long", "offered": 1}, "starting_refused": "leave"} if has_long else {}),
        "starting": {"offered": OFFERED, "keep": 2},
        "later": {"offered": OFFERED, "keep": 1},
        "bonuses": {bonus: points for bonus, points in BONUSES.items() if bonus in rules},
    }
    keys = {
        **keys,
        "environment_version": 0,
        "starting_hand": 4,
        "tie_breaks": ["completed_tickets", *(it for rule, it in _TIE_BREAKS.items() if rule in rules), "longest_path"],
        "default_ticket_deck": "main",
    }
    sections: dict[str, Mapping[Any, Any]] = {
        "train_cards": {**dict.fromkeys(COLOURS, 12), LOCOMOTIVE: 14},
        "points": _POINTS,
        **{rule: table for rule, table in OPTIONAL.items() if rule in rules},
        "ticket_decks.main": deck,
    }
    return _toml_lines(keys) + "".join(f"\n[{name}]\n{_toml_lines(table)}" for name, table in sections.items())


def _toml_lines(table: Mapping[Any, Any]) -> str:
    return "".join(f"{key} = {_toml(value)}\n" for key, value in table.items())


def _toml(value: Any) -> str:
    """Return a value as TOML has it in one line."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_toml(entry)}' for key, entry in value.items())} }}"
    return json.dumps(value)


def write_cities(names: Iterable[str], places: Iterable[Sequence[int]]) -> str:
    """Return cities.csv for places in thousandths of the board."""
    rows = (
        (name.lower(), name, f"{x / 1000:.3f}", f"{y / 1000:.3f}") for name, (x, y) in zip(names, places, strict=True)
    )
    return _csv(("id", "name", "x", "y"), rows)


def write_routes(routes: Iterable[Route]) -> str:
    """Return routes.csv."""
    columns = ("a", "b", "track", "length", "colour", "ferry", "tunnel", "mountain")
    return _csv(columns, ([getattr(route, column) for column in columns] for route in routes))


def write_tickets(names: Sequence[str], decks: Mapping[str, Iterable[Pair]]) -> str:
    """Return tickets.csv."""
    rows = (
        (deck, names[a].lower(), names[b].lower(), spaces) for deck, pairs in decks.items() for a, b, spaces in pairs
    )
    return _csv(("deck", "a", "b", "points"), rows)


def _csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([columns, *rows])
    return text.getvalue()


def write_land(areas: Sequence[Area]) -> str:
    """Return land.svg: land everywhere, and the areas on it, in their order."""
    paths = [
        ("land", _EVERYWHERE),
        *((MOUNTAINS if area.kind == TUNNELS else area.kind, area.path()) for area in areas),
    ]
    return "\n".join([_FRAME, *(f'<path class="{name}" d="{path}"/>' for name, path in paths), "</svg>", ""])
