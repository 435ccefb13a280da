"""The habits of each agent in the games of a tournament: tickets, first claims, and its turns one after the other.

All of it is of games that were played to their end, and has 95 % intervals over deals (`ratings.ratios`).
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from t2r_agents.comparing.tournament.habits import KINDS
from t2r_agents.comparing.tournament.playing import Entry
from t2r_agents.comparing.tournament.ratings import Interval, ratios
from t2r_env import Configuration

LEAST_SEATED = 0.1
"""The least share of an agent's games that a turn must be reached in to be told of."""
MOST_TURNS = 120


@dataclass(frozen=True)
class TicketHabit:
    """The habit of an agent with a ticket."""

    agent: str
    number: int
    """The ticket's number in its deck."""
    ticket: str
    """Its ends and points, in words."""
    offered: int
    """The seats of games that it was offered to."""
    kept: Interval
    """The share of these that kept it."""
    completed: Interval | None
    """The share of those who kept it that completed it; None if nobody did."""
    value: Interval | None
    """The mean points that it brought those who kept it; a ticket that is not completed costs points."""


@dataclass(frozen=True)
class FirstClaim:
    """How often an agent claims a route first."""

    agent: str
    number: int
    route: str
    share: Interval
    """The share of its seats in games."""


@dataclass(frozen=True)
class Moves:
    """The kinds of an agent's turns by their number."""

    agent: str
    kinds: Sequence[str]
    """The letters of KINDS that occur in any game."""
    seats: NDArray[np.float64]
    """(turns,): the seats that had a first, a second, ... turn of their own."""
    shares: NDArray[np.float64]
    """(3, turns, kinds): the share of these turns that were of a kind, and its bounds. A turn of two actions counts
    half for each."""


def finished(entries: Sequence[Entry], agent: str) -> list[Entry]:
    """Return what an agent did in games that were played to their end."""
    return [entry for entry in entries if entry.agent == agent and entry.outcome == "finished"]


def kept_tickets(entry: Entry) -> Iterator[tuple[int, int]]:
    """Yield the number of each ticket that a seat kept, and the points that it brought or cost."""
    for ticket in entry.kept.split():
        number, sign, points = ticket.replace("-", "+-", 1).partition("+")
        yield int(number), int(points or sign)


def ticket_habits(configuration: Configuration, entries: Sequence[Entry], agent: str) -> list[TicketHabit]:
    """Return what an agent does with each ticket that it was offered, in the order of their numbers."""
    own = finished(entries, agent)
    deals = _numbered(own)
    counts = np.zeros((4, max(1, len(deals)), configuration.num_tickets))  # offered, kept, completed, points
    for entry in own:
        deal = deals[entry.deal]
        for number in map(int, entry.refused.split()):
            counts[0, deal, number] += 1
        for number, points in kept_tickets(entry):
            counts[:, deal, number] += (1, 1, points > 0, points)
    offered, kept, completed, brought = counts
    keep_rates = ratios(kept, offered, are_shares=True)
    rates = ratios(completed, kept, are_shares=True)
    values = ratios(brought, kept, are_shares=False)
    text = configuration.text
    return [
        TicketHabit(
            agent,
            number,
            text.ticket_text(*text.ticket(number)),
            int(offered[:, number].sum()),
            _at(keep_rates, number),
            _at(rates, number) if kept[:, number].any() else None,
            _at(values, number) if kept[:, number].any() else None,
        )
        for number in np.flatnonzero(offered.any(axis=0)).tolist()
    ]


def first_claims(configuration: Configuration, entries: Sequence[Entry], agent: str) -> list[FirstClaim]:
    """Return the routes that an agent claimed first, the most frequent first."""
    own = finished(entries, agent)
    routes, deals = getattr(configuration.variant, "routes", ()), _numbered(own)
    if not own or not routes:
        return []
    counts, seats = np.zeros((len(deals), len(routes))), np.zeros((len(deals), len(routes)))
    for entry in own:
        seats[deals[entry.deal]] += 1
        if entry.first_claim:
            counts[deals[entry.deal], int(entry.first_claim)] += 1
    shares = ratios(counts, seats, are_shares=True)
    claimed = counts.sum(axis=0)
    order = np.argsort(-claimed, kind="stable")[: np.count_nonzero(claimed)].tolist()
    return [FirstClaim(agent, number, route_text(configuration, number), _at(shares, number)) for number in order]


def route_text(configuration: Configuration, number: int) -> str:
    """Return a route in words, with its track if there are parallel ones."""
    routes, city = getattr(configuration.variant, "routes", ()), configuration.text.city
    route = routes[number]
    parallel = sum((it.a, it.b) == (route.a, route.b) for it in routes) > 1
    return f"{city(route.a)}–{city(route.b)}{f' (track {route.track})' if parallel else ''}"


def cards_before_claim(entries: Sequence[Entry], agent: str) -> Interval | None:
    """Return the mean number of train cards that an agent draws before its first claim; None if it never claims."""
    own = [entry for entry in finished(entries, agent) if entry.first_claim]
    if not own:
        return None
    deals = _numbered(own)
    cards, seats = np.zeros(len(deals)), np.zeros(len(deals))
    for entry in own:
        cards[deals[entry.deal]] += entry.cards_before_claim
        seats[deals[entry.deal]] += 1
    return _at(ratios(cards[:, None], seats[:, None], are_shares=False), 0)


def moves_by_turn(entries: Sequence[Entry], agent: str, kinds: Sequence[str]) -> Moves:
    """Return what the turns of an agent are, as long as a tenth of its games last."""
    own = [(entry.deal, entry.moves.split(" ")) for entry in finished(entries, agent) if entry.moves]
    lengths = sorted((len(turns) for _, turns in own), reverse=True)
    last = min(lengths[int(LEAST_SEATED * (len(lengths) - 1))], MOST_TURNS) if lengths else 0
    deals = {deal: number for number, deal in enumerate(dict.fromkeys(deal for deal, _ in own))}
    counts = np.zeros((max(1, len(deals)), last, len(kinds)))
    seats = np.zeros((max(1, len(deals)), last, 1))
    places = {kind: number for number, kind in enumerate(kinds)}
    for deal, turns in own:
        for number, turn in enumerate(turns[:last]):
            seats[deals[deal], number] += 1
            for letter in turn:
                counts[deals[deal], number, places[letter]] += 1 / len(turn)
    shares = ratios(counts, np.broadcast_to(seats, counts.shape), are_shares=True)
    return Moves(agent, kinds, seats.sum(axis=0)[:, 0], np.array(shares))


def kinds_of(entries: Sequence[Entry]) -> list[str]:
    """Return the letters of the kinds of turns that there were, in the order of KINDS."""
    found = set().union(*(entry.moves for entry in entries))
    return [kind for kind in KINDS if kind in found]


def _numbered(entries: Sequence[Entry]) -> dict[int, int]:
    """Return the deals of these entries, each with a number of its own from 0."""
    numbers: defaultdict[int, int] = defaultdict(lambda: len(numbers))
    for entry in entries:
        numbers[entry.deal]
    return dict(numbers)


def _at(bounds: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]], index: int) -> Interval:
    value, low, high = (float(bound[index]) for bound in bounds)
    return Interval(value, low, high)
