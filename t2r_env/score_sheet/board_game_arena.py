"""The log of a game on Board Game Arena as a score sheet: what its players had at the end.

The log is what that site's own page of a table asks for, saved by whoever played there. Names of people stay behind.
It is no replay: docs/score.md says what it does not tell.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from t2r_env.basics.reading import shown
from t2r_env.configuration import configure
from t2r_env.score_sheet.sheet import SheetError

MAX_LOG_BYTES = 1 << 24
COLOURS = ("gray", "purple", "white", "blue", "yellow", "orange", "black", "red", "green")
"""The colours of routes, by their numbers there."""
_OF_PLAYERS = ("destinationsPicked", "trainCarPicked", "claimedRoute", "builtStation", "scoreDestination")
"""The notifications that name who has done something: at the end each ticket is revealed by `scoreDestination`."""


def sheet_of_log(log: Any, variant: str, **options: Any) -> dict[str, Any]:
    """Return the score sheet of a finished game, given its log as parsed JSON, and what was played.

    Players are called `Player 1` and so on, in the order in which they first did something. Raises SheetError for what
    is no such log, for one that ends before the tickets are revealed, and for games whose log tells too little.
    """
    chosen: Any = configure(variant, **options).variant
    if chosen.ruleset != "map_game" or chosen.team_size > 1 or chosen.companies or chosen.all_technologies:
        raise SheetError(f"the log of a game of {variant} can't be read: shares, technologies and racks are not known")
    players: dict[str, dict[str, list[str]]] = {}
    for kind, told in _notifications(log):
        if kind not in _OF_PLAYERS:
            continue
        player = players.setdefault(_text(told, "player_name"), {"routes": [], "tickets": [], "stations": []})
        if kind == "claimedRoute":
            player["routes"].append(_route(told))
        elif kind == "scoreDestination":
            player["tickets"].append(_ends(told))
        elif kind == "builtStation":
            player["stations"].append(_text(told, "city_name"))
    if not any(player["tickets"] for player in players.values()):
        raise SheetError("the log must be that of a finished game: no ticket is revealed in it")
    entries = [{"name": f"Player {number}", **player} for number, player in enumerate(players.values(), 1)]
    if chosen.stations is None:
        for entry in entries:
            del entry["stations"]
    return {"variant": variant, **options, "players": entries}


def _notifications(log: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the kind and the arguments of each notification that all players got, once."""
    while isinstance(log, dict):
        log = log.get("data")
    if not isinstance(log, list):
        raise SheetError("the log must have a list of packets in data.data")
    seen = set[str]()
    for packet in log:
        if not isinstance(packet, dict) or not isinstance(packet.get("data"), list):
            raise SheetError(f"each packet of the log must have a list data, not {shown(packet, 80)}")
        if not str(packet.get("channel", "")).startswith("/table/"):
            continue  # what one player alone was told
        for notification in packet["data"]:
            told = notification.get("args") if isinstance(notification, dict) else None
            if isinstance(told, dict) and (uid := str(notification.get("uid", id(notification)))) not in seen:
                seen.add(uid)
                yield str(notification.get("type")), told


def _route(told: Mapping[str, Any]) -> str:
    """Return a route that was claimed, with colour and length if the log tells them."""
    route = told.get("route")
    if not isinstance(route, dict):
        return _ends(told)
    colour, length = route.get("color"), route.get("number")
    if type(colour) is not int or not 0 <= colour < len(COLOURS) or type(length) is not int:
        raise SheetError(f"a route of the log must have color and number, not {shown(route, 80)}")
    return f"{_ends(told)} ({COLOURS[colour]} {length})"


def _ends(told: Mapping[str, Any]) -> str:
    return f"{_text(told, 'from')} - {_text(told, 'to')}"


def _text(told: Mapping[str, Any], key: str) -> str:
    value = told.get(key)
    if not isinstance(value, str) or not value or {*value} & {*'"\\\n'}:
        raise SheetError(f"{key} in the log must be a text, not {shown(value, 80)}")
    return value
