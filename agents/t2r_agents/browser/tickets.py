"""A seat's tickets as its view shows them, whoever is to act: what each still needs, and its shortest way."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from t2r_agents.browser.ways import Way, find_ways
from t2r_env.basics.caching import cached_property
from t2r_env.rules.text import destinations
from t2r_env.variants import LOCOMOTIVE
from t2r_env.variants.variant import GRAY

OFFERED, KEPT, RACK = "offered", "kept", "rack"
"""The places of tickets: those that the seat decides on, those that it has decided to keep while others still choose,
and those of its team. Tickets held have none."""


@dataclass(frozen=True)
class TicketState:
    """A ticket and how it stands."""

    where: str
    ticket: Sequence[Any]
    name: str
    points: str
    needs: str
    """The cities or cards that it still needs, in words; empty if none."""
    is_done: bool
    cities: Sequence[str] = ()
    """The cities that it names, or whose regions it names, by id."""
    routes: Sequence[Sequence[Any]] = ()
    """The routes of the shortest way left, each as [a, b, track]."""
    choices: Sequence[Sequence[Any]] = ()
    """All routes that lie on a way as short, each as [a, b, track]."""
    cards: Mapping[str, int] = field(default_factory=dict)
    """The cards that complete it in the Card Game."""


class Outlook(ABC):
    """The tickets of a seat as its view has them. Each ruleset has its own class."""

    def __init__(self, configuration: Any, view: Any, seat: int, snapshot: Mapping[str, Any]) -> None:
        """Take a view of the seat, one record, and its snapshot."""
        self.configuration = configuration
        self.snapshot = snapshot
        self.seat = seat
        self.views = configuration.ruleset.new_states(1)
        self.views[0] = view
        self.views["current"] = seat

    @property
    def own(self) -> Mapping[str, Any]:
        """The seat's own cards and tickets, as in the snapshot."""
        player: Mapping[str, Any] = self.snapshot["players"][self.seat]
        return player

    @cached_property
    def tickets(self) -> list[tuple[str, Sequence[Any]]]:
        """The tickets held, on the team's rack, just kept and on offer, each with a label for where it is."""
        held = [("", ticket) for ticket in self.own["tickets"]]
        if "teams" in self.snapshot:
            team = self.snapshot["teams"][self.seat // self.configuration.variant.team_size]
            held += [(RACK, ticket) for ticket in team["tickets"]]
        kept = [(KEPT, it["ticket"]) for it in self.snapshot["pending"] if it["action"] == "keep_ticket"]
        return held + kept + [(OFFERED, ticket) for ticket in self.own["offered"]]

    @abstractmethod
    def states(self) -> list[TicketState]:
        """Return the state of each of `tickets`."""


class MapOutlook(Outlook):
    """The tickets of a map game: cities to join."""

    @cached_property
    def ways(self) -> list[Way]:
        """The shortest way left for each of `tickets`."""
        return find_ways(self.configuration, self.views, [ticket[:2] for _, ticket in self.tickets])

    def states(self) -> list[TicketState]:
        """Return for each ticket the trains of the shortest way left and the cards that are missing for it."""
        city, routes = self.configuration.text.city, self.configuration.variant.routes
        return [
            TicketState(
                where=where,
                ticket=ticket,
                name=f"{city(ticket[0])}–{' / '.join(city(end) for end, _ in destinations(ticket))}",
                points=" / ".join(str(points) for _, points in destinations(ticket)),
                needs=self._needs(way, ticket),
                is_done=way.is_complete,
                cities=self._cities(ticket),
                routes=[[routes[it].a, routes[it].b, routes[it].track] for it in way.routes],
                choices=[[routes[it].a, routes[it].b, routes[it].track] for it in sorted(way.choices)],
            )
            for (where, ticket), way in zip(self.tickets, self.ways, strict=True)
        ]

    def _cities(self, ticket: Sequence[Any]) -> list[str]:
        ends = {ticket[0], *(end for end, _ in destinations(ticket))}
        return [it.id for it in self.configuration.variant.cities if {it.id, it.region} & ends]

    def _needs(self, way: Way, ticket: Sequence[Any]) -> str:
        if way.is_complete:
            return self._value(ticket)
        if not way.is_possible:
            return "no way is left"
        trains = counted(way.trains, "train")
        if way.trains > self.own["trains"]:
            return f"needs {trains}, you have {self.own['trains']}"
        return f"{needed(way.missing) or 'all cards in hand'} · {trains}"

    def _value(self, ticket: Sequence[Any]) -> str:
        """Return the points of a completed ticket to several countries (SW8); empty for others, which say it."""
        ends = destinations(ticket)
        if len(ends) == 1:
            return ""
        ways = find_ways(self.configuration, self.views, [(ticket[0], end) for end, _ in ends])
        return counted(max(points for (_, points), way in zip(ends, ways, strict=True) if way.is_complete), "point")


class CardOutlook(Outlook):
    """The tickets of the Card Game, which are completed with cards on track (CG10)."""

    def states(self) -> list[TicketState]:
        """Return for each ticket the cards that are missing on track."""
        city = self.configuration.text.city
        missing = [_missing_on_track(ticket, self.own["on_track"]) for _, ticket in self.tickets]
        return [
            TicketState(
                where=where,
                ticket=ticket,
                name=f"{city(ticket[0])}–{city(ticket[1])}",
                points=str(ticket[2]),
                needs=needed(lacking),
                is_done=not lacking and self.snapshot["outcome"] == "running",  # then those left have failed
                cards=ticket[3],
            )
            for (where, ticket), lacking in zip(self.tickets, missing, strict=True)
        ]


_CLASSES: Mapping[str, type[Outlook]] = {"map_game": MapOutlook, "card_game": CardOutlook}


def outlook_of(configuration: Any, view: Any, seat: int, snapshot: Mapping[str, Any]) -> Outlook:
    """Return what a seat's view, one record with its snapshot, says about its tickets."""
    return _CLASSES[configuration.variant.ruleset](configuration, view, seat, snapshot)


def counted(number: int, thing: str) -> str:
    """Return a number of things as text."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def needed(missing: Mapping[str, int]) -> str:
    """Return missing cards in words; empty if there are none."""
    cards = [
        counted(number, card) if card == LOCOMOTIVE else f"{number} {'any colour' if card == GRAY else card}"
        for card, number in missing.items()
    ]
    return f"needs {', '.join(cards)}" if cards else ""


def _missing_on_track(ticket: Sequence[Any], pile: Mapping[str, int]) -> dict[str, int]:
    """Return the cards that a pile lacks for a ticket; its locomotives stand for the colours with most missing."""
    missing = {colour: max(0, number - pile.get(colour, 0)) for colour, number in ticket[3].items()}
    for _ in range(pile.get(LOCOMOTIVE, 0)):
        most = max(missing, key=lambda colour: missing[colour])
        missing[most] -= missing[most] > 0
    return {colour: number for colour, number in missing.items() if number}
