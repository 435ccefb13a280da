"""The games as the lobby tells them: a picture and a line of each, its decks and options in a sentence each."""

import math
import re
from collections.abc import Mapping
from typing import Any

from t2r_env.configuration import configure
from t2r_env.render.drawing.palette import PAINTS, SEATS
from t2r_env.render.drawing.shapes import dark_style
from t2r_env.render.signs import SIGNS
from t2r_env.render.svg import render_board_svg
from t2r_env.variants import BONUSES, LOCOMOTIVE, TicketDeck, Variant

_LINES = {
    "usa": "The classic: coast to coast, with long routes and five decks of tickets.",
    "new_york": "Small and quick: taxis in Manhattan, and a point for each attraction.",
    "legendary_asia": "Mountains wear out trains, and the largest network wins the bonus.",
    "team_asia": "Two against two, or three teams: partners share cards and tickets on a common rack.",
    "pennsylvania": "Claimed routes bring shares of railway companies, which pay at the end.",
    "united_kingdom": "Buy technologies with locomotives: they open routes and bring powers.",
    "card_game": "No map: lay cards in your rail yard, move them to the track, and rob the others.",
    "europe": "Tunnels that may cost more, ferries, and stations on the routes of others.",
    "india": "Join the two cities of a ticket by two ways, and earn the Grand Tour.",
    "switzerland": "Tight, for two or three: tunnels in the Alps, and tickets to the countries around.",
    "nordic": "Tight, for two or three: ferries and tunnels in the north, for which you save locomotives.",
}
_DECKS = {
    ("usa", "anniversary"): ("Anniversary", "All tickets of the anniversary edition."),
    ("usa", "classic"): ("Classic", "The tickets of the first edition, of 2004."),
    ("usa", "1910"): ("1910", "More short tickets: who completes the most wins the bonus."),
    ("usa", "mega"): ("Mega", "All tickets, and more of them at a time."),
    ("usa", "big_cities"): ("Big Cities", "Every ticket leads to a big city; no bonus."),
}
"""The names and descriptions of decks, where a game has several."""
_SWITCHES = {
    "advanced_technologies": ("Advanced technologies", "Adds stronger technologies to those that can be bought."),
}
_COLOUR_NAMES = ("blue", "red", "green", "violet", "orange", "black")
"""The names of the colours of seats (`palette.SEATS`)."""


def describe_game(variant: Variant) -> dict[str, Any]:
    """Return what the lobby shows of a game."""
    return {
        "id": variant.id,
        "name": variant.name,
        "short": short_name(variant),
        "line": _LINES.get(variant.id, ""),
        "player_numbers": list(variant.player_numbers),
        "team_size": variant.team_size,
        "decks": [_describe_deck(variant, deck) for deck in variant.ticket_decks.values()],
        "default_deck": variant.default_ticket_deck,
        "switches": [
            {"id": name, "name": title, "line": line}
            for name in variant.switches
            for title, line in [_SWITCHES.get(name, (name.replace("_", " ").capitalize(), ""))]
        ],
    }


def short_name(variant: Variant) -> str:
    """Return the name of a game without that of the series."""
    return "USA" if variant.id == "usa" else variant.name.removeprefix("Ticket to Ride: ").removeprefix("The ")


def _describe_deck(variant: Variant, deck: TicketDeck) -> dict[str, str]:
    name, line = _DECKS.get((variant.id, deck.name), (deck.name.replace("_", " ").capitalize(), ""))
    offered = deck.starting.count + deck.long_offered
    parts = [line, f"{len(deck.tickets)} tickets; keep at least {deck.starting.keep} of {offered} at the start."]
    if deck.bonuses:
        bonuses = (f"{_points(points)} for {BONUSES[bonus]}" for bonus, points in deck.bonuses.items())
        parts.append(f"Bonus: {'; '.join(bonuses)}.")
    return {"id": deck.name, "name": name, "line": " ".join(filter(None, parts))}


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"


def seat_colours() -> list[dict[str, str]]:
    """Return the colours that seats may choose."""
    return [{"name": name, "fill": paint.fill} for name, paint in zip(_COLOUR_NAMES, SEATS, strict=True)]


def picture_of(variant: Variant) -> str:
    """Return the picture of a game, an SVG document: its empty map, or for a game without one some cards."""
    if variant.ruleset != "map_game":
        return _cards(variant.colours)
    configuration = configure(variant.id)
    board = render_board_svg(configuration.snapshot(configuration.opening[0]), configuration, width=600)
    board = re.sub("<text.*?</text>", "", board)  # too small to be read
    return board.replace("<title>", f"{dark_style()}<title>", 1)


def _cards(colours: Mapping[str, int]) -> str:
    """Return a fan of one train card of each colour."""
    shown = [*colours, LOCOMOTIVE]
    groups = []
    for number, colour in enumerate(shown):
        angle = 6 * (number - (len(shown) - 1) / 2)
        x, y = 300 + 450 * math.sin(math.radians(angle)), 640 - 450 * math.cos(math.radians(angle))
        paint = PAINTS[colour]
        groups.append(
            f'<g transform="translate({x:.1f} {y:.1f}) rotate({angle:.1f})">'
            f'<rect x="-55" y="-86" width="110" height="172" rx="11" fill="{paint.fill}" stroke="#1f2328"/>'
            f'<text x="-46" y="-56" font-size="26" fill="{paint.ink}">{SIGNS[colour]}</text></g>'
        )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 400" font-family="DejaVu Sans, sans-serif"'
        f' font-weight="bold" role="img">{"".join(groups)}</svg>\n'
    )
