"""A map game as text: routes, the tickets they complete, and things that only some map games have."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from t2r_env.basics.caching import cached_property
from t2r_env.render.shared_text import TextRenderer, Ticket
from t2r_env.rules.map_game.text import MapText
from t2r_env.rules.text import destinations
from t2r_env.variants import MapVariant


class MapTextRenderer(TextRenderer):
    """Renders one snapshot of a map game as lines of text."""

    variant: MapVariant
    text: MapText
    columns = ("trains", "score")

    # Cards

    def _supplies(self) -> Iterator[str]:
        snapshot = self.snapshot
        if "technologies" in snapshot:
            left = [f"{self.technology(it)} {number}" for it, number in snapshot["technologies"].items() if number]
            yield from self._wrapped("Technologies left: ", left)
        if "companies" in snapshot:
            yield from self._wrapped("Shares left: ", _shares(snapshot["companies"]))
        if "neutral_shares" in snapshot:
            yield from self._wrapped("Shares of the neutral player: ", _shares(snapshot["neutral_shares"]))
        if snapshot.get("revealed_shares"):
            yield from self._wrapped("Shares of the neutral player that count: ", _shares(snapshot["revealed_shares"]))

    def _piles(self) -> dict[str, Mapping[str, int]]:
        racks = {f"rack of team {team}": parts["rack"] for team, parts in enumerate(self.snapshot.get("teams", ()))}
        return racks | super()._piles() | self.other_piles()

    def other_piles(self) -> dict[str, Mapping[str, int]]:
        """Return cards that are in no hand, rack, deck or discard, where there are any."""
        snapshot, colours = self.snapshot, self.snapshot["deck"]
        set_aside = snapshot["set_aside"]
        drawn = dict.fromkeys(colours, 0) | ({snapshot["drawn"]: 1} if snapshot["drawn"] else {})
        piles: dict[str, Mapping[str, int]] = {"drawn": drawn, "revealed": snapshot["revealed"]}
        if "hand" in set_aside:
            piles |= {"set aside from hand": set_aside["hand"], "set aside from rack": set_aside["rack"]}
        else:
            piles["set aside"] = set_aside
        return {pile: cards for pile, cards in piles.items() if any(cards.values())}

    def further_lines(self) -> list[str]:
        """Return the routes that nobody has claimed, and the tickets in sight whose ends are not joined."""
        free = [self._route(it["a"], it["b"], it["track"]) for it in self.snapshot["routes"] if not it["owners"]]
        lines = self._wrapped(f"Unclaimed routes ({len(free)}): ", free)
        for seat, player in self.players:
            open_tickets = [it for it in player["tickets"] if it and not self.is_marked(seat, it)]
            lacking = [f"{self.text.ticket_text(*it)} lacks a path between its ends" for it in open_tickets]
            lines += self._wrapped(f"Tickets of player_{seat} to complete: ", lacking) if lacking else []
        return lines

    # Players

    def _possessions(self, seat: int, player: Mapping[str, Any]) -> Iterator[str]:
        routes = [
            (route["a"], route["b"], route["track"]) for route in self.snapshot["routes"] if seat in route["owners"]
        ]
        yield from self._wrapped(f"  routes ({len(routes)}): ", [self._route(*route) for route in routes])
        yield from self._marked_tickets("tickets", seat, player["tickets"])
        if "teams" in self.snapshot and seat % self.variant.team_size == 0:
            rack_tickets = self.snapshot["teams"][seat // self.variant.team_size]["tickets"]
            yield from self._marked_tickets("tickets on the team's rack", seat, rack_tickets)
        if "technologies" in player:
            yield from self._wrapped("  technologies: ", map(self.technology, player["technologies"]))
        if "shares" in player:
            yield from self._wrapped("  shares: ", _shares(player["shares"]))
        if "stations" in player:
            left = f"  stations ({self.stations_left(player)} left): "
            yield from self._wrapped(left, self._stations(seat, player["stations"]))
        if "mountain_routes" in player:
            yield f"  mountain routes: {player['mountain_routes']}"

    def stations_left(self, player: Mapping[str, Any]) -> int:
        """How many stations a player has not built."""
        assert self.variant.stations
        return len(self.variant.stations.prices) - len(player["stations"])

    def _stations(self, seat: int, cities: Sequence[str]) -> list[str]:
        """Return the cities of a seat's stations, at the end with the routes that they use (EU7)."""
        used = dict(self.station_routes(seat))
        return [
            self.text.city(city) + (f", by {self._route(*used[city])}" if used.get(city) else "") for city in cities
        ]

    def station_routes(self, seat: int) -> Sequence[Any]:
        """Return the city of each station of a seat and, once the game is finished, the route that it uses, or None."""
        final = self.snapshot["final"]
        return final[seat].get("station_routes", ()) if final else ()

    def technology(self, technology: str) -> str:
        """Return the name of a technology."""
        return str(next(it.name for it in self.variant.all_technologies if it.id == technology))

    def _route(self, a: str, b: str, track: int) -> str:
        return self.text.route_text(next(it for it in self.variant.routes if (it.a, it.b, it.track) == (a, b, track)))

    def is_marked(self, seat: int, ticket: Ticket) -> bool:
        """Whether the ticket's ends are connected; of several countries one will do (SW8)."""
        return any(self._are_joined(seat, ticket[0], end) for end, _ in destinations(ticket))

    def points_of(self, seat: int, ticket: Ticket) -> int:
        """Return the points of a completed ticket: of several countries, the most that one joined is worth (SW8)."""
        ends = destinations(ticket)
        return max(points for end, points in ends if len(ends) == 1 or self._are_joined(seat, ticket[0], end))

    def _are_joined(self, seat: int, a: str, b: str) -> bool:
        """Whether two ends are connected. Any city of a region will do (C16)."""
        network = self._networks[seat // self.variant.team_size]
        return any(end in network.get(start, ()) for start in self._members[a] for end in self._members[b])

    @cached_property
    def _members(self) -> Mapping[str, list[str]]:
        """The cities of each region; a city is one by itself."""
        members: dict[str, list[str]] = {}
        for city in self.variant.cities:
            for end in filter(None, (city.id, city.region)):
                members.setdefault(end, []).append(city.id)
        return members

    @cached_property
    def _networks(self) -> list[dict[str, set[str]]]:
        """For each team the cities on its routes, each with all cities connected to it.

        At the end the routes that its stations use belong to them.
        """
        size = self.variant.team_size
        networks: list[dict[str, set[str]]] = [{} for _ in range(0, len(self.players), size)]
        claimed = [(owner, it["a"], it["b"]) for it in self.snapshot["routes"] for owner in it["owners"]]
        used = [(seat, *route[:2]) for seat, _ in self.players for _, route in self.station_routes(seat) if route]
        for seat, a, b in claimed + used:
            joined = networks[seat // size]
            together = joined.get(a, {a}) | joined.get(b, {b})
            joined.update(dict.fromkeys(together, together))
        return networks


def _shares(shares: Mapping[str, Sequence[int]]) -> list[str]:
    """Return the numbers of the shares of each company that has any."""
    return [f"{company} {' '.join(map(str, numbers))}" for company, numbers in shares.items() if numbers]
