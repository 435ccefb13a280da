"""A drawing of a map game."""

import math
from collections.abc import Iterator, Mapping, Sequence

from t2r_env.basics.caching import cached_property
from t2r_env.render.drawing.board import (
    STAR,
    Board,
    aspect_of,
    height_of,
    lay_out,
    lay_out_for_room,
    letter_of,
    sign_of,
    station_at,
    width_for,
)
from t2r_env.render.drawing.land import ground
from t2r_env.render.drawing.lines import GAP as SPACE_GAP
from t2r_env.render.drawing.lines import Space
from t2r_env.render.drawing.names import Name
from t2r_env.render.drawing.palette import LIT, NEW, PAINTS, REGIONS, SEATS
from t2r_env.render.drawing.shapes import (
    QUIET,
    TEXT_COLOUR,
    Box,
    at,
    column,
    document,
    element,
    flow,
    framed,
    label,
    number,
    panel,
    rectangle,
    row,
    titled,
    write,
)
from t2r_env.render.drawing.shared_drawing import GAP, NARROW, SMALL, WIDE, WIDE_HEIGHT, Drawing
from t2r_env.render.drawing.trains import letter, train, upright
from t2r_env.render.map_text import MapTextRenderer
from t2r_env.render.shared_text import Ticket
from t2r_env.render.signs import SIGNS
from t2r_env.rules.text import destinations
from t2r_env.variants import LOCOMOTIVE, MapVariant
from t2r_env.variants.variant import GRAY, City, Route

_HEADING = 56
_BELOW = 120
"""The least height for cards below a map."""
_WIDEST = 868
_NARROWEST = 300
"""The least width that a map alone is laid out for: its names would find no room in less."""
_STRETCHED = 1.15
"""How much higher or broader than it should be a map may be, to fill its room."""
_STEM = 0.4
"""How far from its city a route begins that has a line there, by its thickness."""
HALO = 24.0
"""The width of the stroke around a route that takes the pointer."""


class MapDrawing(Drawing):
    """Draws one snapshot of a map game."""

    text_renderer = MapTextRenderer
    renderer: MapTextRenderer

    @property
    def variant(self) -> MapVariant:
        """The variant, which is a map game's."""
        return self.renderer.variant

    # The frame

    def wide(self) -> tuple[float, str]:
        """Return the map at the left, players at the right; cards below a broad map, or above the players."""
        high = WIDE_HEIGHT - 2 * GAP
        board = self.board_in_picture(is_wide=True)
        x = board.width + 2 * GAP
        rest = WIDE - x - GAP
        if aspect_of(self.variant) < 1:
            fixed = [self.heading, self._table, self._results, self._all_teams]
            return WIDE_HEIGHT, at(GAP, GAP, self.map(board)) + self.stacked(fixed, x, GAP, rest, high, 2.1)
        parts = self.headed(board.width, _HEADING - 6)
        y = 1.5 * GAP + _HEADING
        parts += at(GAP, y, self.map(board))
        below = y + board.height + 8
        parts += self.fitted(self._table, GAP, below, board.width, WIDE_HEIGHT - GAP - below)
        return WIDE_HEIGHT, parts + self.stacked([self._results, self._all_teams], x, GAP, rest, high)

    def narrow(self) -> tuple[float, str]:
        """Return the narrow picture: the map, and below it all else."""
        board = self.board_in_picture(is_wide=False)
        parts = self.headed(board.width, _HEADING - 6)
        parts += at(GAP, GAP + _HEADING, self.map(board))
        y = GAP + _HEADING + board.height + 8
        room = 400 + 56 * self.configuration.num_players
        fixed = [self._table, self._results, self._all_teams]
        return y + room, parts + self.stacked(fixed, GAP, y, board.width, room - GAP, 1.4)

    def board_in_picture(self, *, is_wide: bool) -> Board:
        """Return the layout of the map in a picture of everything."""
        if not is_wide:
            return lay_out(self.variant, NARROW - 2 * GAP)
        high = WIDE_HEIGHT - 2 * GAP
        if aspect_of(self.variant) < 1:
            return lay_out(self.variant, _STRETCHED * width_for(self.variant, high), height=high)
        room = high - _HEADING - _BELOW
        width = min(_WIDEST, width_for(self.variant, room))
        return lay_out(self.variant, width, height=min(room, _STRETCHED * height_of(self.variant, width)))

    def _table(self, width: float) -> Box:
        return column([self.cards(width), *self._legend(width)], 6)

    def _results(self, width: float) -> Box:
        return column(self.result(width))

    def _all_teams(self, width: float) -> Box:
        return column(self._teams(width), 5)

    # The map

    def board(self, width: int, height: int | None = None) -> Board:
        """Return the layout of the map alone, of some width or for a room of a page."""
        if height is not None:
            return lay_out_for_room(self.variant, width, height)
        if width < (WIDE + NARROW) // 2:
            return lay_out(self.variant, width)
        high = width * 0.75
        if aspect_of(self.variant) < 1:
            return lay_out(self.variant, _STRETCHED * width_for(self.variant, high), 12, high)
        return lay_out(self.variant, min(width, width_for(self.variant, high)), 12)

    def board_svg(self, width: int, height: int | None, lit: Sequence[tuple[str, str, int]]) -> str:
        """Return the map alone as a document; see `render_board_svg`."""
        units = max(width, _NARROWEST) if height is None else width
        board = self.board(units, height)
        content = titled(self.variant.name) + self.map(board, lit)
        scale = width / units
        return document(round(scale * board.width), scale * board.height, board.width, board.height, content)

    def map(self, board: Board, lit: Sequence[tuple[str, str, int]] = ()) -> str:
        """Return the map, with its upper left corner at the origin; some routes glow."""
        parts = [ground(self.variant, board), self._regions(board)]
        entries = {(it["a"], it["b"], it["track"]): it for it in self.snapshot["routes"]}
        old = {(it["a"], it["b"], it["track"]): it["owners"] for it in (self.before or {}).get("routes", ())}
        subject = tuple(self.snapshot["subject"].get("route", ()))
        outlines: list[str] = []
        parts += [_way(board, key, "glow", board.thickness * 2.6, stroke=LIT, stroke_opacity=0.75) for key in lit]
        for route in self.variant.routes:
            key = (route.a, route.b, route.track)
            owners = entries[key]["owners"]
            parts.append(self._route(board, route, owners))
            if old and owners != old[key]:
                outlines += self._outline(board, key, None)
            elif key == subject:
                outlines += self._outline(board, key, "4 2")
        parts += outlines
        parts += self._used_routes(board)
        tags = self._tags()
        parts += [self._city(board, city, tags.get(city.id, [])) for city in self.variant.cities]
        parts += [
            write(x, y, line, name.size, text_anchor="middle", fill=TEXT_COLOUR, **_HALO)
            for name in board.names.values()
            for line, x, y in name.lines
        ]
        parts += self._stations(board)
        return "".join(parts)

    def _regions(self, board: Board) -> str:
        """Pale discs behind the cities of regions."""
        return "".join(
            element("circle", cx=x, cy=y, r=board.radius * 4.2, **self._region_styles[city.region])
            for city in self.variant.cities
            if city.region
            for x, y in [board.cities[city.id]]
        )

    @cached_property
    def _region_styles(self) -> dict[str, dict[str, object]]:
        """How the disc of each region looks: colours come with dashes of the rim."""
        names = sorted({city.region for city in self.variant.cities if city.region})
        return {
            name: {
                "fill": REGIONS[index % len(REGIONS)],
                "stroke": "#8a919b",
                "stroke_width": 0.8,
                "stroke_dasharray": f"{1 + 2 * index} 2" if index else None,
                "class": "region",
            }
            for index, name in enumerate(names)
        }

    def _outline(self, board: Board, route: tuple[str, str, int], dashes: str | None) -> Iterator[str]:
        """Return a mark for a route that is new or that the decision is about."""
        pen = {"fill": "none", "stroke": NEW, "stroke_width": 2.6, "stroke_dasharray": dashes}
        return (self._space(board, space, 3.4, **pen) for space in board.spaces[route])

    def _stations(self, board: Board) -> Iterator[str]:
        """Yield the stations above their cities; one that is new, or that is being paid for, draws the eye."""
        old = [city for player in (self.before or self.snapshot)["players"] for city in player.get("stations", ())]
        for seat, player in enumerate(self.snapshot["players"]):
            for city in player.get("stations", ()):
                title = f"station of {self.name(seat)} in {self.text.city(city)}"
                yield self._station(board, city, seat, titled(title), NEW if city not in old else "#1f2328")
        if city := self.snapshot["subject"].get("city"):
            yield self._station(board, city, self.snapshot["current_player"], "", NEW)

    def _station(self, board: Board, city: str, seat: int, title: str, edge: str) -> str:
        x, y = station_at(board.cities[city], board.radius)
        return element("g", title + at(x, y, _house(seat, 1.25 * board.radius, edge)))

    def _used_routes(self, board: Board) -> Iterator[str]:
        """Yield the routes that stations use at the end, with rims of the colours of the stations' owners (EU7)."""
        users: dict[tuple[str, str, int], list[int]] = {}
        for seat in range(len(self.snapshot["players"])):
            for _, route in self.renderer.station_routes(seat):
                if route:
                    users.setdefault((route[0], route[1], route[2]), []).append(seat)
        for key, seats in users.items():
            for rank, seat in reversed(list(enumerate(dict.fromkeys(seats)))):
                pen = {"fill": "none", "stroke": SEATS[seat % len(SEATS)].fill, "stroke_width": 2.2}
                yield from (self._space(board, space, 5 + 4 * rank, **pen) for space in board.spaces[key])

    def _route(self, board: Board, route: Route, owners: Sequence[int]) -> str:
        """Return a route with its trains. It looks the same in all pictures in which it has the same owners."""
        names = [self.name(seat) for seat in owners]
        key: tuple[str | int, ...] = (route.a, route.b, route.track, *owners, *names)
        if key not in board.drawn:
            spaces = enumerate(board.spaces[route.a, route.b, route.track])
            if owners:
                parts = [self._train(board, space, route, owners, index) for index, space in spaces]
            else:
                parts = [self._empty(board, route, space, index) for index, space in spaces]
            parts = [self._stems(board, route), *parts, self._companies(board, route)]
            halo = self._halo(board, route)
            state = f"owned by {', '.join(names)}" if owners else "free"
            title = titled(f"{self.renderer.text.route_text(route)}: {state}")
            drawn = element("g", title + halo + "".join(parts), data_route=f"{route.a} {route.b} {route.track}")
            board.drawn[key] = drawn
        return board.drawn[key]

    @staticmethod
    def _stems(board: Board, route: Route) -> str:
        """Return lines from the cities to a route that begins away from them, since others are in its way."""
        line = board.spaces[route.a, route.b, route.track]
        ways = []
        for city, space, end in ((route.a, line[0], -0.5), (route.b, line[-1], 0.5)):
            (x, y), (to_x, to_y) = board.cities[city], _point(space, end, 0)
            away = math.hypot(to_x - x, to_y - y)
            if away > board.radius + _STEM * board.thickness:
                part = board.radius / away
                ways.append(
                    f"M{number(x + part * (to_x - x))} {number(y + part * (to_y - y))}L{number(to_x)} {number(to_y)}"
                )
        pen = {"fill": "none", "stroke": QUIET, "stroke_width": 1.8, "pointer_events": "none", "class": "stem"}
        return element("path", d="".join(ways), **pen) if ways else ""

    def _halo(self, board: Board, route: Route) -> str:
        """Return the stroke that takes the pointer; those of parallel routes lie side by side."""
        tracks = sum((it.a, it.b) == (route.a, route.b) for it in self.variant.routes)
        side = 2 * route.track - (tracks - 1)
        lane = board.thickness + SPACE_GAP
        is_between = tracks > 2 and not side
        width = lane if is_between else HALO
        aside = max(0.0, (HALO - lane) / 2) * (side > 0) - max(0.0, (HALO - lane) / 2) * (side < 0)
        key = (route.a, route.b, route.track)
        return _way(board, key, "halo", width, aside, 0.3, stroke="none", pointer_events="stroke")

    @staticmethod
    def _space(board: Board, space: Space, more: float, **attributes: object) -> str:
        """Return the rounded rectangle of a space, larger by this much."""
        width, height = space.length + more, board.thickness + more
        turned = f"translate({number(space.x)} {number(space.y)}) rotate({number(space.angle)})"
        shape: dict[str, object] = {"rx": 2.0, "transform": turned} | attributes
        return element("rect", x=-width / 2, y=-height / 2, width=width, height=height, **shape)

    def _empty(self, board: Board, route: Route, space: Space, index: int) -> str:
        """A space without a train: its colour, and the sign of that on one of them; a symbol where it has one."""
        paint, thickness = PAINTS[route.colour], board.thickness
        edge: dict[str, object] = dict(_TUNNEL) if route.tunnel else {"stroke": QUIET, "stroke_width": 0.7}
        if route.colour == "black":
            edge |= {"class": "rim"}
        shape = self._space(board, space, 0, fill=paint.fill, **edge)
        middle = upright(space)
        size = letter_of(thickness, space)
        if index < route.ferry:
            radius = min(thickness * 0.5, space.length * 0.46)
            disc = element("circle", r=radius, fill=PAINTS[LOCOMOTIVE].fill, stroke="#1f2328", stroke_width=0.8)
            return shape + element("g", disc + letter("L", radius * 1.35), transform=middle)
        if index < route.ferry + route.mountain:
            reach = min(thickness, space.length) * 0.3
            end = number(reach)
            cross = f"M-{end} -{end}L{end} {end}M-{end} {end}L{end} -{end}"
            ink = element("path", d=cross, stroke=paint.ink, stroke_width=1.6)
            return shape + element("g", ink, transform=middle)
        if index == sign_of(route):
            return shape + element("g", letter(SIGNS[route.colour], size, paint.ink), transform=middle)
        return shape

    def _train(self, board: Board, space: Space, route: Route, owners: Sequence[int], index: int) -> str:
        """Return a train of an owner on a space; the route's colour shows around it."""
        below = self._space(board, space, 2.6, fill=PAINTS[route.colour].fill, stroke="#1f2328", stroke_width=0.6)
        return below + train(space, board.thickness, owners[index % len(owners)])

    @staticmethod
    def _companies(board: Board, route: Route) -> str:
        """The companies of a route, next to the first track of those with the same ones."""
        name = board.companies.get((route.a, route.b, route.track))
        if not name:
            return ""
        text = write(0, 0.35 * name.size, name.text, name.size, text_anchor="middle", fill="#1f2328", **_HALO)
        x, y, angle, _ = name.place
        turned = f"translate({number(x)} {number(y)}) rotate({number(angle)})"
        return element("g", text, transform=turned)

    def _tags(self) -> Mapping[str, list[tuple[int, bool]]]:
        """Return for each city the numbers of the tickets in focus that name it, and whether these are completed."""
        tags: dict[str, list[tuple[int, bool]]] = {}
        for index, ticket in self.numbers:
            is_done = self.renderer.is_marked(self.focus or 0, ticket)
            ends = {ticket[0], *(end for end, _ in destinations(ticket))}
            for city in self.variant.cities:
                if {city.id, city.region} & ends:
                    tags.setdefault(city.id, []).append((index, is_done))
        return tags

    def _city(self, board: Board, city: City, tags: Sequence[tuple[int, bool]]) -> str:
        """Return a city; with the numbers of tickets that name it."""
        x, y = board.cities[city.id]
        title = titled(", ".join(dict.fromkeys([city.name, *([self.text.city(city.region)] if city.region else [])])))
        dot = element("circle", cx=x, cy=y, r=board.radius, fill="#ffffff", stroke="#1f2328", stroke_width=1.6)
        if city.attraction:
            star = "M0 -1L.29 -.4L.95 -.31L.48 .15L.59 .81L0 .5L-.59 .81L-.48 .15L-.95 -.31L-.29 -.4Z"
            shape = element("path", d=star, fill="#f4d83b", stroke="#1f2328", stroke_width=0.12)
            dot += at(x, y, shape, board.radius * STAR)
        if tags:
            done = all(is_done for _, is_done in tags)
            box = self.tag(
                " ".join(str(index) for index, _ in tags),
                is_done=done,
                size=board.letter * 0.92 * max(0.6, min(1.0, 2.2 / len(tags))),
            )
            dot += at(self._left_of(box, x, y, board.names.get(city.id)), y - box.height / 2, box.svg)
        return element("g", title + dot, data_city=city.id)

    @staticmethod
    def _left_of(tag: Box, x: float, y: float, name: Name | None) -> float:
        """Return where a tag begins on a city: in its middle, or where it leaves the city's name next to it alone."""
        middle = x - tag.width / 2
        if name is None:  # one in brackets is not written
            return middle
        left, top, right, bottom = name.box
        if bottom < y - tag.height / 2 or top > y + tag.height / 2:
            return middle
        return max(middle, right) if right <= x else min(middle, left - tag.width)

    def _legend(self, width: float) -> Iterator[Box]:
        """Yield the meanings of the marks that the map has."""
        routes = self.variant.routes
        boxes = []
        if any(route.ferry for route in routes):
            disc = element("circle", cx=6, cy=6, r=5, fill=PAINTS[LOCOMOTIVE].fill, stroke="#1f2328")
            boxes.append((Box(12, 12, disc + at(6, 6, letter("L", 8))), "a locomotive is due"))
        if any(route.tunnel for route in routes):
            edge = rectangle(1, 2, 16, 8, PAINTS[GRAY].fill, **_TUNNEL)
            boxes.append((Box(18, 12, edge), "tunnel"))
        if any(route.mountain for route in routes):
            cross = element("path", d="M2 2L10 10M2 10L10 2", stroke="#1f2328", stroke_width=1.8)
            boxes.append((Box(12, 12, cross), "mountain: one more train"))
        if any(city.attraction for city in self.variant.cities):
            boxes.append((label("★", SMALL, "#b59100"), "attraction"))
        if self.variant.stations:
            boxes.append((Box(14, 14, at(7, 7, _house(self.current or 0, 6, "#1f2328"))), "station of a player"))
        boxes += [(label(sign, SMALL, bold=True), text) for sign, text in self._payment_rules()]
        for region, style in self._region_styles.items():
            boxes.append((Box(12, 12, element("circle", cx=6, cy=6, r=6, **style)), self.text.city(region)))
        if boxes:
            yield flow([row([sign, label(text, 10.5, QUIET)], 3) for sign, text in boxes], width, 10)

    def _payment_rules(self) -> Iterator[tuple[str, str]]:
        """Yield the signs and meanings of what only some routes take (NO5, NO6, NO8, SW5)."""
        variant = self.variant
        if "routes" not in variant.locomotives_pay_for:
            yield SIGNS[LOCOMOTIVE], f"pays for {' and '.join(variant.locomotives_pay_for)} only"
        for cards in sorted({it.exchange for it in variant.routes if it.exchange != variant.exchange}):
            routes = [it for it in variant.routes if it.exchange == cards]
            names = [f"{self.text.city(it.a)}–{self.text.city(it.b)}" for it in routes]
            where = "ferries" if all(it.ferry for it in routes) else names[0] + " …" * (len(names) > 1)
            yield f"{cards}:1", f"cards for one on {where}"

    # Beside it

    def supplies(self, width: float) -> Iterator[Box]:
        """Yield cards of the move under way, technologies and shares."""
        snapshot = self.snapshot
        for pile, cards in self.renderer.other_piles().items():
            yield from self.listed(pile, list(self.chips(cards)), width)
        if "technologies" in snapshot:
            left = {self.renderer.technology(it): count for it, count in snapshot["technologies"].items() if count}
            yield from self.listed("Technologies left:", [label(f"{it} {left[it]}", SMALL) for it in left], width)
        if "companies" in snapshot:
            yield self._shares(width)

    def _shares(self, width: float) -> Box:
        """Return each company's shares left and points, and the shares of the neutral player."""
        snapshot = self.snapshot
        boxes = []
        for company in self.variant.companies:
            left = len(snapshot["companies"][company.id])
            points = " ".join(map(str, company.points))
            name = [label(company.id, SMALL, bold=True), label(company.name, SMALL)]
            parts = [*name, label(f"{left} left", SMALL, bold=True), label(points, 9.5, QUIET)]
            if neutral := snapshot.get("neutral_shares", {}).get(company.id):
                revealed = (snapshot.get("revealed_shares") or {}).get(company.id)
                counted = f", of them count {' '.join(map(str, revealed))}" if revealed else ""
                parts.append(label(f"neutral {' '.join(map(str, neutral))}{counted}", SMALL))
            boxes.append(framed(row(parts, 4)))
        return flow([label("Shares:", SMALL, QUIET), *boxes], width)

    def possessions(self, seat: int, width: float) -> Iterator[Box]:
        """Yield tickets, technologies, shares and mountain routes."""
        player = self.snapshot["players"][seat]
        if player["tickets"]:
            yield self.tickets(seat, "tickets", player["tickets"], width)
        if player.get("technologies"):
            names = map(self.renderer.technology, player["technologies"])
            yield flow([framed(label(name, 10.5), "yard") for name in names], width)
        if "stations" in player:
            yield label(f"stations left {self.renderer.stations_left(player)}", SMALL)
        if "shares" in player:
            shares = [f"{company} {' '.join(map(str, it))}" for company, it in player["shares"].items() if it]
            yield from self.listed("shares", [label(it, SMALL) for it in shares], width)
        if player.get("mountain_routes"):
            yield label(f"mountain routes {player['mountain_routes']}", SMALL)

    def shared_tickets(self, seat: int) -> list[Ticket | None]:
        """Return the tickets on the team's rack."""
        teams = self.snapshot.get("teams")
        return list(teams[seat // self.variant.team_size]["tickets"]) if teams else []

    def _teams(self, width: float) -> Iterator[Box]:
        """Yield the racks."""
        size = self.variant.team_size
        for team, parts in enumerate(self.snapshot.get("teams", ())):
            seats = range(team * size, (team + 1) * size)
            boxes = [*(self.badge(seat, 10) for seat in seats), label(f"rack of team {team}", SMALL, bold=True)]
            lines = [flow([*boxes, *self.chips(parts["rack"])], width - 12)]
            if parts["tickets"]:
                seat = next((it for it in seats if it == self.focus), seats[0])
                before = len(self.own_tickets(seat))
                lines.append(self.tickets(seat, "tickets", parts["tickets"], width - 12, first=before))
            content = column(lines)
            back = panel(width, content.height + 8, "pile", 5)
            yield Box(max(width, content.width + 12), content.height + 8, back + at(6, 4, content.svg))


_HOUSE = "M-1 1.1V-.35L0 -1.3L1 -.35V1.1Z"
_TUNNEL: dict[str, object] = {"stroke": "#1f2328", "stroke_width": 1.6, "stroke_dasharray": "2 1.4"}
_HALO: dict[str, object] = {
    "stroke": "#ffffff",
    "stroke_width": 2.2,
    "paint_order": "stroke",
    "stroke_linejoin": "round",
    "pointer_events": "none",
    "class": "place",
}


def _way(
    board: Board,
    route: tuple[str, str, int],
    kind: str,
    width: float,
    aside: float = 0.0,
    end: float = 0.5,
    **attributes: object,
) -> str:
    """Return a stroke of some width along a route, or this far to its side; `end`: how far into its last spaces."""
    line = board.spaces[route]
    points = [_point(line[0], -end, aside), *(_point(it, 0, aside) for it in line[1:-1]), _point(line[-1], end, aside)]
    way = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return element("path", d=way, fill="none", stroke_width=width, **{"class": kind}, **attributes)


def _point(space: Space, along: float, aside: float) -> tuple[float, float]:
    """Return a point of a space: this part of its length from its centre, and this far to the side."""
    turn, length = math.radians(space.angle), along * space.length
    return (
        space.x + length * math.cos(turn) - aside * math.sin(turn),
        space.y + length * math.sin(turn) + aside * math.cos(turn),
    )


def _house(seat: int, size: float, edge: str) -> str:
    """Return a station of a seat with its middle at the origin."""
    paint = SEATS[seat % len(SEATS)]
    shape = element("path", d=_HOUSE, fill=paint.fill, stroke=edge, stroke_width=0.22)
    return at(0, 0, shape, size) + at(0, size * 0.25, letter(str(seat), size * 1.35, paint.ink))
