"""A decision of a map game: which claims the cards pay, what tickets still take, the map and the ways on it."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from t2r_agents.human.decision import OFFERED, Action, Decision
from t2r_agents.human.layout import counted, in_columns, missing_text, plain
from t2r_agents.human.ways import Payment, Way, find_missing, find_payments, find_ways
from t2r_env.render.shared_text import wrapped
from t2r_env.render.signs import SIGNS, count_signs
from t2r_env.rules.snapshot import members
from t2r_env.rules.text import Description
from t2r_env.variants import LOCOMOTIVE
from t2r_env.variants.variant import GRAY

_CARDS_ALONE, _WITH_LOCOMOTIVES, _WITH_EXCHANGES = range(3)
_GROUPS = (
    "Other claims with coloured cards alone",
    "Other claims with locomotives",
    "Other claims, some cards being exchanged for locomotives",
)
_FOR_TICKETS = "Claims for your tickets"
_MOST_WANTED = 6
"""No more routes than these are named that tickets want and that can't be claimed yet."""
_MAP_LEGEND = (
    "B3: three blue spaces",
    "A: gray (any one colour)",
    "f: locomotives that a ferry takes",
    "t: cards turned up for a tunnel",
    "m: mountains",
    "prr: a company that gives a share",
    "=0: player_0 has claimed it",
    "x: closed to you",
    "*: on a shortest way for your tickets",
)


class MapDecision(Decision):
    """A decision of a map game."""

    # Routes

    @cached_property
    def _routes(self) -> Sequence[Any]:
        return tuple(self.configuration.variant.routes)

    @cached_property
    def _states(self) -> Sequence[Mapping[str, Any]]:
        """The routes as in the snapshot, in the same order."""
        by_name = {(it["a"], it["b"], it["track"]): it for it in self.snapshot["routes"]}
        return [by_name[route.a, route.b, route.track] for route in self._routes]

    @cached_property
    def _tracks(self) -> Mapping[tuple[str, str], int]:
        """How many parallel routes each two cities have."""
        tracks: dict[tuple[str, str], int] = {}
        for route in self._routes:
            tracks[route.a, route.b] = tracks.get((route.a, route.b), 0) + 1
        return tracks

    @cached_property
    def _ticket_ways(self) -> list[Way]:
        ends = [(ticket[0], ticket[1]) for _, ticket in self.tickets]
        return find_ways(self.configuration, self.given.views, ends)

    @cached_property
    def _wanted(self) -> frozenset[int]:
        """The routes that lie on some shortest way for a ticket held."""
        ways = [way.choices for (where, _), way in zip(self.tickets, self._ticket_ways) if where != OFFERED]
        return frozenset().union(*ways)

    def _route_of(self, action: int) -> int:
        """The route that an action claims."""
        first: int = self.configuration.layout.actions["claim"].start
        return action - first

    def _track_text(self, number: int) -> str:
        """Which of several parallel routes it is."""
        route = self._routes[number]
        tracks = self._tracks[route.a, route.b]
        return f" {route.track + 1}/{tracks}" if tracks > 1 else ""

    def _ends_text(self, number: int) -> str:
        """A route's cities and its track."""
        route = self._routes[number]
        text = self.configuration.text
        return f"{text.city(route.a)}-{text.city(route.b)}{self._track_text(number)}"

    # Claims

    @cached_property
    def _payments(self) -> list[list[Payment]]:
        return find_payments(self.configuration, self.given.views)

    def _group_of(self, action: int) -> int:
        payments = self._payments[self._route_of(action)]
        if not payments:
            return _WITH_EXCHANGES
        return _CARDS_ALONE if min(it.locomotives for it in payments) == 0 else _WITH_LOCOMOTIVES

    def _in_order(self, claims: list[Action]) -> list[Action]:
        """Those for tickets first, then those that coloured cards alone pay, and so on."""

        def key(action: Action) -> tuple[bool, int, str]:
            route = self._route_of(action[0])
            return route not in self._wanted, self._group_of(action[0]), plain(self._short(route))

        return sorted(claims, key=key)

    def action_text(self, action: int, description: Description) -> str:
        """What a technology takes and opens, besides."""
        if description["action"] != "buy":
            return super().action_text(action, description)
        technology = next(it for it in self.configuration.technologies if it.id == description["technology"])
        opened = [self.configuration.text.city(region) for region in technology.regions]
        opened += ["routes of " + ", ".join(map(str, technology.lengths))] * bool(technology.lengths)
        opened += ["ferries"] * bool(technology.ferries)
        opens = f", opens {', '.join(opened)}" if opened else ""
        return f"{description} ({count_signs({LOCOMOTIVE: technology.price})}{opens})"

    def claim_texts(self, action: int) -> list[str]:
        """The route with its track, in short, and as it is described."""
        route = self._route_of(action)
        return [
            self._short(route),
            f"{self.configuration.text.route_text(self._routes[route])}{self._track_text(route)}",
        ]

    def claim_groups(self) -> Mapping[str, list[int]]:
        """Those for tickets first, then those that coloured cards alone pay, and so on."""

        def group(action: Action) -> str:
            return _FOR_TICKETS if self._route_of(action[0]) in self._wanted else _GROUPS[self._group_of(action[0])]

        return {heading: [action for action, _ in claims] for heading, claims in itertools.groupby(self.claims, group)}

    def _claim_lines(self) -> Iterator[str]:
        groups = self.claim_groups()
        for heading in (_FOR_TICKETS, *_GROUPS):
            if heading in groups:
                yield f"{heading}:"
                yield from in_columns([self._claim_cell(action) for action in groups[heading]], self.width)
            if heading == _FOR_TICKETS and self.snapshot["phase"] == "turn":
                yield from self._wanted_lines()

    def _build_lines(self) -> Iterator[str]:
        """The cities where a station may be built, after what it takes."""
        if self.builds:
            price = self.station_price
            yield f"Build a station, for {price} card{'s of one colour' if price > 1 else ''}, in:"
            names = {action: self.configuration.text.city(it["city"]) for action, it in self.builds}
            yield from in_columns([self._numbered(self.number_of(it), name) for it, name in names.items()], self.width)

    @property
    def station_price(self) -> int:
        """What the seat's next station takes in cards; 0 if none is left (EU6)."""
        prices: Sequence[int] = (*self.configuration.variant.stations.prices, 0)
        return prices[len(self.own["stations"])]

    def _claim_cell(self, action: int) -> str:
        route = self._route_of(action)
        text = f"{'*' * (route in self._wanted)}{self._short(route)}{self._companies(route)}{self._payment_text(route)}"
        return self._numbered(self.number_of(action), text)

    def _payment_text(self, route: int) -> str:
        """The payments with the fewest locomotives, unless the route's colour says it."""
        payments = self._payments[route]
        least = min((it.locomotives for it in payments), default=0)
        if not payments:
            return ": exchange"
        if least == 0 and self._routes[route].colour != GRAY:
            return ""
        fewest = [it for it in payments if it.locomotives == least]
        colours = "/".join(SIGNS[it.colour].letter for it in fewest if it.cards)
        if least == 0:
            return f": {colours}"
        coloured = f"{fewest[0].cards}{' ' * (len(fewest) > 1)}{colours} + " if colours else ""
        return f": {coloured}{count_signs({LOCOMOTIVE: least})}"

    def _wanted_lines(self) -> Iterator[str]:
        """The routes on the ways of tickets held that can't be claimed yet, the nearest first."""
        claimed = {self._route_of(action) for action, _ in self.claims}
        ways = [way for (where, _), way in zip(self.tickets, self._ticket_ways) if where != OFFERED]
        later = dict.fromkeys(route for way in ways for route in way.routes if route not in claimed)
        missing = {route: find_missing(self.configuration, self.given.views, [route]) for route in later}
        nearest = sorted(later, key=lambda route: sum(missing[route].values()))
        texts = [f"{self._short(it)} {self._obstacle(it, missing[it])}" for it in nearest[:_MOST_WANTED]]
        if len(later) > _MOST_WANTED:
            texts.append(f"{len(later) - _MOST_WANTED} more")
        if texts:
            yield from wrapped("For your tickets, not yet: ", texts, self.width)

    def lacking_technologies(self, route: int) -> list[str]:
        """The names of the technologies that a route takes and the seat lacks (UK6)."""
        takes = self.configuration.rules["takes_technology"][0]
        return [
            technology.name
            for number, technology in enumerate(self.configuration.technologies)
            if route in members(takes[number]) and technology.id not in self.own["technologies"]
        ]

    def owners(self, route: int) -> Sequence[int]:
        """The seats that have claimed a route."""
        owners: Sequence[int] = self._states[route]["owners"]
        return owners

    def is_open(self, route: int) -> bool:
        """Whether a route is not claimed, and not closed to the seat by its parallel routes (C11, TA9)."""
        return bool(int(self.given.views[0].open[self.seat, route >> 6]) >> (route & 63) & 1)

    def _obstacle(self, route: int, missing: Mapping[str, int]) -> str:
        """Why a route can't be claimed yet."""
        lacking = self.lacking_technologies(route)
        if lacking:
            return f"(takes {lacking[0] if len(lacking) == 1 else f'{len(lacking)} technologies'})"
        return f"({missing_text(missing)})" if missing else "(not now)"

    # Tickets

    def ticket_states(self) -> list[tuple[str, str, str]]:
        """The trains that the shortest way takes, and the cards that are missing for it."""
        return [
            (
                where,
                f"{'✓' if way.is_complete else '·'} {self.configuration.text.ticket_text(*ticket)}",
                self._state(way),
            )
            for (where, ticket), way in zip(self.tickets, self._ticket_ways)
        ]

    def _state(self, way: Way) -> str:
        if not way.is_possible:
            return "no way is left"
        if way.is_complete:
            return ""
        trains = counted(way.trains, "train")
        if way.trains > self.own["trains"]:
            return f"{trains}, you have {self.own['trains']}"
        return f"{trains}, {missing_text(way.missing)}"

    def ticket_details(self) -> Iterator[str]:
        """Each ticket with the routes of its shortest way."""
        for (where, text, state), way in zip(self.ticket_states(), self._ticket_ways):
            yield f"{where}{text}" if way.routes or not state else f"{where}{text}: {state}"
            if way.routes:
                yield from self._way_lines(way)

    def _way_lines(self, way: Way) -> Iterator[str]:
        yield from wrapped(
            f"    {self._state(way)}, {counted(len(way.routes), 'turn')}: ", map(self._short, way.routes), self.width
        )
        if way.technologies:
            yield from wrapped("    technologies that you lack for it: ", way.technologies, self.width)

    def _short(self, number: int) -> str:
        """A route as it is listed."""
        return f"{self._ends_text(number)} {self._spaces(number)}"

    def _spaces(self, number: int) -> str:
        """A route's colour, length and symbols in short."""
        route = self._routes[number]
        marks = [
            f"{name[0]}{getattr(route, name)}" for name in ("ferry", "tunnel", "mountain") if route.marks.get(name)
        ]
        return " ".join([f"{SIGNS[route.colour].letter}{route.length}", *marks])

    def _companies(self, number: int) -> str:
        """The companies of which a route gives a share, in short."""
        return "".join(f" {company}" for company in self._routes[number].marks.get("companies", ()))

    # The map

    def map(self, place: str) -> str:
        """For each city, or those that are named, its routes: the other end, spaces, and who has claimed them."""
        text, routes = self.configuration.text, self._routes
        cities = self._cities_named(place) if place else self.configuration.variant.cities
        lines = wrapped("", _MAP_LEGEND, self.width)
        for city in sorted({it.name for it in cities}, key=plain):  # the cities of a region may share their name
            others: dict[str, list[str]] = {}
            for number, ends in enumerate((text.city(route.a), text.city(route.b)) for route in routes):
                if city in ends:
                    others.setdefault(ends[ends[0] == city], []).append(self._owned(number))
            texts = [f"{name} {' / '.join(others[name])}" for name in sorted(others, key=plain)]
            lines += wrapped(f"{city}: ", texts, self.width)
        return "\n".join(lines) + "\n"

    def _owned(self, number: int) -> str:
        owners = self.owners(number)
        mark = "=" + "+".join(map(str, owners)) if owners else "" if self.is_open(number) else "x"
        return f"{'*' if number in self._wanted else ''}{self._spaces(number)}{self._companies(number)}{mark}"

    def _cities_named(self, place: str) -> list[Any]:
        wanted = plain(place)
        cities = self.configuration.variant.cities
        found = [it for it in cities if wanted in plain(it.name) or wanted == plain(it.region)]
        if not found:
            raise ValueError(f"No city contains {place!r}: map shows all of them.")
        return found

    # Ways

    def path(self, places: str) -> str:
        """The shortest way for the seat between two places."""
        a, b = self._two_places(places)
        (way,) = find_ways(self.configuration, self.given.views, [(a, b)])
        names = " to ".join(self.configuration.text.city(it) for it in (a, b))
        if not way.is_possible:
            return f"{names}: no way is left for you.\n"
        if way.is_complete:
            return f"{names}: your routes join them already.\n" if a != b else f"{names}: that is the same city.\n"
        return "\n".join([f"{names}:", *self._way_lines(way)]) + "\n"

    def _two_places(self, places: str) -> tuple[str, str]:
        """The ids of two places, named by parts of their names, with or without a comma between them."""
        if "," in places:
            a, _, b = places.partition(",")
            return self._place(a), self._place(b)
        words = places.split()
        if len(words) < 2:
            raise ValueError("Name two cities, by parts of their names: path CITY CITY, or path CITY, CITY.")
        found: set[tuple[str, str]] = set()
        errors = []
        for split in range(1, len(words)):
            try:
                found.add((self._place(" ".join(words[:split])), self._place(" ".join(words[split:]))))
            except ValueError as error:
                errors.append(error)
        if len(found) == 1:
            return found.pop()
        if len(words) == 2 and errors:
            raise errors[0]
        raise ValueError(f"{places!r} are not two cities; put a comma between them: path CITY, CITY.")

    def _place(self, typed: str) -> str:
        """The id of the city or region that a part of a name means; a whole name comes first."""
        wanted = plain(typed)
        if not wanted:
            raise ValueError("Name two cities: path CITY, CITY.")
        # a region stands for its cities where they share its name
        ids = {self.configuration.text.city(it): it for it in (*self._city_ids(), *self._regions())}
        for matches in ([it for it in ids if plain(it) == wanted], [it for it in ids if wanted in plain(it)]):
            if len(matches) == 1:
                return ids[matches[0]]
            if matches:
                raise ValueError(f"Several cities contain {typed.strip()!r}: {', '.join(sorted(matches))}.")
        raise ValueError(f"No city contains {typed.strip()!r}: map lists them.")

    def _city_ids(self) -> list[str]:
        return [city.id for city in self.configuration.variant.cities]

    def _regions(self) -> list[str]:
        """The regions that tickets name."""
        return [end for it in self.configuration.deck.tickets for end in (it.a, it.b) if end not in self._city_ids()]
