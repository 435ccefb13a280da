"""Trains on the spaces of routes: wagons seen from the side, with their seat's number."""

import functools

from t2r_env.render.drawing.lines import Space
from t2r_env.render.drawing.palette import SEATS
from t2r_env.render.drawing.shapes import REMEMBERED, element, number, write

_WHEELS = "#1f2328"
_LEAST_WITH_WINDOWS = 9.0
"""The height of wagons; lower ones have their number alone, which is easier to read."""


def upright(space: Space) -> str:
    """Return a space's place, turned so that a letter on it stands upright."""
    turn = (space.angle + 45) % 90 - 45
    return f"translate({number(space.x)} {number(space.y)}) rotate({number(turn)})"


def letter(text: str, size: float, fill: str = "#000000") -> str:
    """Return a letter with its middle at the origin."""
    more = {"text_anchor": "middle", "font_weight": "bold", "pointer_events": "none"}
    return write(0, size * 0.36, text, size, fill=fill, **more)


def train(space: Space, thickness: float, seat: int) -> str:
    """Return a wagon of a seat on a space, its wheels down."""
    turn = (space.angle + 90) % 180 - 90
    place = f"translate({number(space.x)} {number(space.y)}) rotate({number(turn)})"
    wagon = element("g", _wagon(seat, round(2 * space.length) / 2, thickness), transform=place)
    size = min(thickness * 0.86, space.length)
    return wagon + element("g", letter(str(seat), size, SEATS[seat % len(SEATS)].ink), transform=upright(space))


@functools.lru_cache(maxsize=REMEMBERED)
def _wagon(seat: int, length: float, thickness: float) -> str:
    """Return a wagon around the origin: body and roof, windows at both sides of the number, wheels."""
    width, height = max(3.0, length - 2.6), thickness - 1.4
    wheel = thickness * 0.19
    left, top, floor = -width / 2, -height / 2, height / 2 - wheel * 0.55
    bend = min(height * 0.4, width * 0.2)
    body = (
        f"M{number(left)} {number(floor)}V{number(top + bend)}Q{number(left)} {number(top)} {number(left + bend)} "
        f"{number(top)}H{number(-left - bend)}Q{number(-left)} {number(top)} {number(-left)} {number(top + bend)}"
        f"V{number(floor)}Z"
    )
    parts = [
        "".join(_disc(side * width * 0.31, floor + wheel * 0.1, wheel) for side in (-1, 1)),
        body,
        "".join(_window(x, top + height * 0.26, size, height * 0.34) for x, size in _windows(width, height)),
    ]
    paint = SEATS[seat % len(SEATS)].fill
    return (
        element("path", d=parts[0], fill=_WHEELS)
        + element("path", d=parts[1], fill=paint, stroke="#ffffff", stroke_width=0.8)
        + (element("path", d=parts[2], fill="#ffffff", fill_opacity=0.8) if parts[2] else "")
    )


def _windows(width: float, height: float) -> list[tuple[float, float]]:
    """Return the middles and widths of windows; the middle of the wagon is the number's."""
    if height < _LEAST_WITH_WINDOWS:
        return []
    size = max(height * 0.34, width * 0.075)
    first, last = height * 0.5 + size * 0.6, width / 2 - size * 0.9
    count = min(2, int((last - first) / (size * 1.6)) + 1) if last >= first else 0
    places = [first + rank * (last - first) / max(1, count - 1) for rank in range(count)]
    if count == 1:
        places = [(first + last) / 2]
    return [(side * place, size) for place in places for side in (-1, 1)]


def _window(x: float, y: float, width: float, height: float) -> str:
    return f"M{number(x - width / 2)} {number(y)}h{number(width)}v{number(height)}h{number(-width)}z"


def _disc(x: float, y: float, radius: float) -> str:
    reach = number(radius)
    return f"M{number(x - radius)} {number(y)}a{reach} {reach} 0 1 0 {number(2 * radius)} 0z"
