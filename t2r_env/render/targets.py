"""The part of a picture that an action is about: the group of an SVG drawing that pages mark or take clicks on."""

from collections.abc import Mapping
from typing import Any


def target_of(description: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the route, city, face-up slot or pile that a described action is about, JSON-able; None for others."""
    match description:
        case {"action": "claim", "a": a, "b": b, "track": track}:
            return {"route": [a, b, track]}
        case {"action": "build", "city": city}:
            return {"city": city}
        case {"action": "draw_face_up", "slot": slot}:
            return {"slot": slot}
        case {"action": "draw_deck"}:
            return {"pile": "deck"}
        case {"action": "draw_tickets"}:
            return {"pile": "tickets"}
    return None
