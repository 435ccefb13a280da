"""The end of a game, counted in stages as at the table: routes, tickets one by one, bonuses, tie-breaks, the winner."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypedDict

from t2r_env.configuration import Configuration
from t2r_env.render.headline import result_line
from t2r_env.render.networks import Edge, largest_network, longest_trail, rounds, way
from t2r_env.render.words import Words, listed, points_text
from t2r_env.rules.map_game.technologies import BEAM_POINTS, CONTRACT_POINTS, HEADING_POINTS
from t2r_env.rules.text import destinations

Snapshot = Mapping[str, Any]


class Stage(TypedDict):
    """A stage of the count."""

    title: str
    """The thing counted, as a sentence without its full stop."""
    seat: int | None
    """Who is counted; the first seat of a team; None for a stage of several players."""
    points: int | None
    """The points that the seat gets; None if there are none, or if the title names those of several players."""
    totals: list[int]
    """The points of each seat after this stage."""
    routes: list[list[Any]]
    """Routes to be lit."""
    ticket: str
    """The name of the ticket that is counted; empty for other stages."""


def stages(snapshot: Snapshot, configuration: Configuration, names: Sequence[str] = ()) -> list[Stage]:
    """Return the stages of the count of a finished game; the last one names the winner.

    `names`: a name for each seat; without them a seat is `player_0` and so on. Raises ValueError for others, and for a
    game that is not finished: it has no count.
    """
    if not snapshot["final"]:
        raise ValueError(f"only a finished game is counted, and this one is: {snapshot['outcome']}")
    counts = {"map_game": _MapCount, "card_game": _CardCount}
    return counts[configuration.variant.ruleset](snapshot, Words(configuration, None, names)).stages()


def verdict(snapshot: Snapshot, configuration: Configuration, names: Sequence[str] = ()) -> str:
    """Return who has won and, if a tie-break decided, by which; of a game that was ended early how it ended.

    Raises ValueError for a game that is under way, and for names that are not one for each player.
    """
    if snapshot["outcome"] == "running":
        raise ValueError("the game is under way: nobody has won yet")
    if snapshot["final"]:
        return stages(snapshot, configuration, names)[-1]["title"]
    return result_line(snapshot, Words(configuration, None, names))


class _Count(ABC):
    """The count of a finished game. Each ruleset has its own class."""

    def __init__(self, snapshot: Snapshot, words: Words) -> None:
        self.snapshot = snapshot
        self.words = words
        self.final = snapshot["final"]
        self.totals = [0] * len(self.final)
        self.teams = words.teams()
        self.decided_by = ""
        """The tie-break that has decided the game, if one has."""

    def stages(self) -> list[Stage]:
        """Return all stages."""
        found = [*self.counted(), *self.tie_breaks()]
        decided = f", with {_LEADS[self.decided_by]}" if self.decided_by else ""
        return [*found, self.stage(result_line(self.snapshot, self.words) + decided)]

    @abstractmethod
    def counted(self) -> Iterator[Stage]:
        """Yield the stages that bring or cost points."""

    @abstractmethod
    def standing(self, criterion: str, team: Sequence[int]) -> Any:
        """Return what a tie-break compares of a team."""

    # Stages

    def stage(
        self,
        title: str,
        team: Sequence[int] = (),
        points: int | None = None,
        routes: Iterable[Edge] = (),
        ticket: str = "",
    ) -> Stage:
        """Return a stage, and add its points to the totals of a team."""
        for seat in team:
            self.totals[seat] += points or 0
        return {
            "title": title,
            "seat": team[0] if team else None,
            "points": points,
            "totals": list(self.totals),
            "routes": [list(route) for route in routes],
            "ticket": ticket,
        }

    def payout(self, title: str, paid: Sequence[tuple[int, int]]) -> Stage:
        """Return the stage for points that several seats may get for the same thing, each as many as is given."""
        if len(paid) == 1:
            ((seat, points),) = paid
            return self.stage(f"{title}: {self.name([seat])}", [seat], points)
        for seat, points in paid:
            self.totals[seat] += points
        return self.stage(f"{title}: {', '.join(f'{self.name([seat])} {points}' for seat, points in paid)}")

    def name(self, team: Sequence[int]) -> str:
        """Return the name of a player, or the names of a team."""
        return self.words.names(team)

    def does(self, team: Sequence[int], action: str) -> str:
        """Return what a player or team does."""
        return self.words.do(team, action)[:-1]

    def part(self, team: Sequence[int], name: str) -> int:
        """Return a part of a team's score."""
        return int(self.final[team[0]]["breakdown"].get(name, 0))

    def award(
        self, part: str, action: str, values: Sequence[int], lit: Sequence[Sequence[Edge]] = ()
    ) -> Iterator[Stage]:
        """Yield a stage for each team that shares a bonus; `action` says of what it has most."""
        for number, team in enumerate(self.teams):
            if points := self.part(team, part):
                routes = lit[number] if lit else ()
                yield self.stage(self.does(team, action.format(values[number])), team, points, routes)

    # Tie-breaks

    def tie_breaks(self) -> Iterator[Stage]:
        """Yield what decided between the best teams, if they have equal points."""
        best = max(it["score"] for it in self.final)
        tied = [team for team in self.teams if self.final[team[0]]["score"] == best]
        if len(tied) < 2:
            return
        yield self.stage(f"{listed(map(self.name, tied))} have {points_text(best)} points each: a tie")
        for criterion in self.words.variant.tie_breaks:
            values = [self.standing(criterion, team) for team in tied]
            most = max(values)
            leading = [team for team, value in zip(tied, values, strict=True) if value == most]
            if len(leading) == len(tied):
                continue
            compared = " : ".join(map(str, sorted(values, reverse=True)))
            routes = [it for team in leading for it in self.lit_by(criterion, team)]
            lead = _LEADS[criterion]
            title = f"{lead[0].upper()}{lead[1:]} ({compared}): {listed(map(self.name, leading))}"
            yield self.stage(title, routes=routes)
            self.decided_by, tied = criterion, leading
            if len(leading) == 1:
                return
        yield self.stage("No tie-break is left: the victory is shared")

    def lit_by(self, criterion: str, team: Sequence[int]) -> Sequence[Edge]:
        """Return the routes by which a team leads in a tie-break."""
        return ()


_LEADS = {
    "completed_tickets": "more completed tickets",
    "longest_path": "a longer path",
    "mountain_routes": "more mountain routes",
    "stations_left": "fewer stations built",
    "bonus_cards": "more Big City cards",
}
"""The words for what decides a tie."""


def _some(number: int, thing: str) -> str:
    """Return a number of things."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


class _MapCount(_Count):
    """The count of a map game."""

    def __init__(self, snapshot: Snapshot, words: Words) -> None:
        super().__init__(snapshot, words)
        routes = [((it["a"], it["b"], it["track"]), it["owners"]) for it in snapshot["routes"]]
        self.owned: list[list[Edge]] = [
            [edge for edge, owners in routes if set(owners) & set(team)] for team in self.teams
        ]
        """The routes of each team."""
        lengths = {(it.a, it.b, it.track): it.length for it in words.variant.routes}
        self.paths = [longest_trail(owned, lengths) for owned in self.owned]
        self.path_lengths = [sum(lengths[edge] for edge in path) for path in self.paths]
        self.members: dict[str, list[str]] = {}
        for city in words.variant.cities:
            for end in {city.id, city.region} - {""}:
                self.members.setdefault(end, []).append(city.id)

    def counted(self) -> Iterator[Stage]:
        """Yield the stages that bring or cost points."""
        for number, team in enumerate(self.teams):
            title = f"{self.name(team)}: {_some(len(self.owned[number]), 'route')}"
            yield self.stage(title, team, self.part(team, "routes"), self.owned[number])
        yield from self._mountains()
        for number, team in enumerate(self.teams):
            yield from self._borrowed(team)
            yield from self._tickets(number, team)
        most_tickets = [len(self.final[team[0]]["completed"]) for team in self.teams]
        yield from self.award("globetrotter", "complete the most tickets ({})", most_tickets)
        yield from self._grand_tours()
        yield from self.award("longest_path", "have the longest path ({})", self.path_lengths, self.paths)
        yield from self._explorers()
        yield from self._attractions()
        yield from self._shares()
        yield from self._technologies(most_tickets)
        yield from self._stations()

    def standing(self, criterion: str, team: Sequence[int]) -> Any:
        """Return what a tie-break compares of a team."""
        match criterion:
            case "completed_tickets":
                return len(self.final[team[0]]["completed"])
            case "longest_path":
                return self.path_lengths[self.teams.index(list(team))]
            case "mountain_routes":
                return int(sum(self.snapshot["players"][seat]["mountain_routes"] for seat in team))
        return sum(self._stations_left(seat) for seat in team)

    def lit_by(self, criterion: str, team: Sequence[int]) -> Sequence[Edge]:
        """Return the routes by which a team leads in a tie-break."""
        number = self.teams.index(list(team))
        if criterion == "mountain_routes":
            return [edge for edge in self.owned[number] if self.words.route_of(edge).mountain]
        return self.paths[number] if criterion == "longest_path" else ()

    # Tickets

    def _borrowed(self, team: Sequence[int]) -> Iterator[Stage]:
        """Yield the routes of others that the team's stations use (EU7)."""
        for seat in team:
            for city, route in self.final[seat].get("station_routes", ()):
                if route:
                    action = f"use {self.words.route(route)} by the station in {self.words.city(city)}"
                    yield self.stage(self.does(team, action), team, None, [tuple(route)])

    def _tickets(self, number: int, team: Sequence[int]) -> Iterator[Stage]:
        """Yield the tickets of a team: those completed, with the way that joins their ends, then the others."""
        final = self.final[team[0]]
        borrowed = [tuple(route) for seat in team for _, route in self.final[seat].get("station_routes", ()) if route]
        network = [*self.owned[number], *borrowed]
        for ticket in final["completed"]:
            joined = [
                (points, end, found)
                for end, points in destinations(ticket)
                if (found := way(network, self.members[ticket[0]], self.members[end]))
            ]
            points, end, found = max(joined, key=lambda it: it[0])
            name = self.words.route((ticket[0], end))
            yield self.stage(self.does(team, f"complete {name}"), team, points, found, name)
        for ticket in final["failed"]:
            points, name = min(points for _, points in destinations(ticket)), self.words.ticket_ends(ticket)
            yield self.stage(self.does(team, f"fail {name}"), team, -points, ticket=name)

    # Bonuses

    def _mountains(self) -> Iterator[Stage]:
        for number, team in enumerate(self.teams):
            if points := self.part(team, "mountains"):
                crossed = [edge for edge in self.owned[number] if self.words.route_of(edge).mountain]
                title = f"{self.name(team)}: {_some(len(crossed), 'mountain route')}"
                yield self.stage(title, team, points, crossed)

    def _grand_tours(self) -> Iterator[Stage]:
        for number, team in enumerate(self.teams):
            if points := self.part(team, "grand_tour"):
                tours = []
                for ticket in self.final[team[0]]["completed"]:
                    if found := rounds(self.owned[number], self.members[ticket[0]], self.members[ticket[1]]):
                        tours.append(found)
                lit = dict.fromkeys(edge for tour in tours for edge in tour)
                number_of_tours = _some(len(tours), "ticket")
                title = f"Grand Tour: {self.does(team, f'join {number_of_tours} by two ways')}"
                yield self.stage(title, team, points, lit)

    def _explorers(self) -> Iterator[Stage]:
        networks = [largest_network(owned) for owned in self.owned]
        cities = [len({end for a, b, _ in network for end in (a, b)}) for network in networks]
        yield from self.award("explorer", "join the most cities ({})", cities, networks)

    def _attractions(self) -> Iterator[Stage]:
        attractions = {city.id for city in self.words.variant.cities if city.attraction}
        for number, team in enumerate(self.teams):
            if points := self.part(team, "attractions"):
                touching = [edge for edge in self.owned[number] if attractions & set(edge[:2])]
                seen = attractions & {end for edge in touching for end in edge[:2]}
                title = f"{self.name(team)}: {_some(len(seen), 'attraction')}"
                yield self.stage(title, team, points, touching)

    def _shares(self) -> Iterator[Stage]:
        """Yield what each company pays to whom (PA5)."""
        players = [player.get("shares", {}) for player in self.snapshot["players"]]
        for company in self.words.variant.companies:
            holders: list[tuple[int | None, Sequence[int]]] = [
                (seat, shares[company.id]) for seat, shares in enumerate(players)
            ]
            holders.append((None, (self.snapshot.get("revealed_shares") or {}).get(company.id, ())))
            ranked = sorted((it for it in holders if it[1]), key=lambda it: (-len(it[1]), it[1][0]))
            paid = [
                (seat, points) for (seat, _), points in zip(ranked, company.points, strict=False) if seat is not None
            ]
            if paid:
                yield self.payout(company.name, paid)

    def _technologies(self, most_tickets: Sequence[int]) -> Iterator[Stage]:
        """Yield what technologies bring or cost (UK8, UK12)."""
        for technology in self.words.variant.all_technologies:
            for number, team in enumerate(self.teams):
                if technology.id not in self.snapshot["players"][team[0]].get("technologies", ()):
                    continue
                title = f"{self.name(team)}: {technology.name}"
                match technology.effect:
                    case "double_heading" if most_tickets[number]:
                        yield self.stage(title, team, HEADING_POINTS * most_tickets[number])
                    case "risky_contracts":
                        has_most = most_tickets[number] == max(most_tickets) > 0
                        yield self.stage(title, team, CONTRACT_POINTS if has_most else -CONTRACT_POINTS)
                    case "equalising_beam":
                        has_longest = self.path_lengths[number] == max(self.path_lengths) > 0
                        yield self.stage(title, team, BEAM_POINTS if has_longest else -BEAM_POINTS, self.paths[number])

    def _stations_left(self, seat: int) -> int:
        return len(self.words.variant.stations.prices) - len(self.snapshot["players"][seat]["stations"])

    def _stations(self) -> Iterator[Stage]:
        for team in self.teams:
            if points := self.part(team, "stations"):
                left = sum(self._stations_left(seat) for seat in team)
                yield self.stage(f"{self.name(team)}: {_some(left, 'station')} left", team, points)


class _CardCount(_Count):
    """The count of the Card Game."""

    def counted(self) -> Iterator[Stage]:
        """Yield the tickets, and who gets the Big City cards."""
        for team in self.teams:
            final = self.final[team[0]]
            for action, sign in (("complete", 1), ("fail", -1)):
                for ticket in final["completed" if sign > 0 else "failed"]:
                    name = self.words.ticket_ends(ticket)
                    yield self.stage(self.does(team, f"{action} {name}"), team, sign * ticket[2], ticket=name)
        for card in self.words.variant.bonus_cards:
            if paid := [(seat, card.points) for (seat,) in self._winners(card.city)]:
                yield self.payout(f"Big City {self.words.city(card.city)}", paid)

    def _winners(self, city: str) -> list[list[int]]:
        """Return who has the most completed tickets that name a city (CG13)."""
        numbers = [sum(city in ticket[:2] for ticket in it["completed"]) for it in self.final]
        return [[seat] for seat, number in enumerate(numbers) if number == max(numbers) > 0]

    def standing(self, criterion: str, team: Sequence[int]) -> Any:
        """Return what a tie-break compares of a seat."""
        if criterion == "completed_tickets":
            return len(self.final[team[0]]["completed"])
        return sum(list(team) in self._winners(card.city) for card in self.words.variant.bonus_cards)
