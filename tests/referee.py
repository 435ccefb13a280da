"""A slow and obvious second opinion on the map games' rules, from what a snapshot shows and the tables of the box."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from t2r_env.boxes import GRAY, LOCOMOTIVE, Box, Lane, TicketDeck
from tests.situations import connection_in_words, words_of

Network = list[tuple[str, str, int]]
"""Lanes of one player: two cities and a length."""

Shares = Mapping[str, Sequence[int]]
"""The numbers of somebody's shares, by company."""


def deck_of(box: Box, snapshot: Mapping[str, Any]) -> TicketDeck:
    """The ticket deck that is played with."""
    return box.ticket_decks[snapshot["options"]["tickets"]]


def lanes_of(box: Box, snapshot: Mapping[str, Any], seat: int) -> list[Lane]:
    """The lanes of a seat."""
    return [lane for lane, claims in zip(box.lanes, snapshot["lanes"], strict=True) if seat in claims["owners"]]


def network_of(lanes: Iterable[Lane]) -> Network:
    """Lanes without their colours."""
    return [(lane.a, lane.b, lane.length) for lane in lanes]


# Legal answers


def legal_answers(box: Box, snapshot: Mapping[str, Any]) -> set[str]:
    """The answers that the rules allow, in words."""
    player = snapshot["players"][snapshot["current_player"]]
    row = enumerate(snapshot["row"])
    blind = {"draw_deck"} if any(snapshot["deck"].values()) else set()
    match snapshot["phase"]:
        case "second_card":  # C8
            return blind | {f"draw_row {slot}" for slot, card in row if card not in (None, LOCOMOTIVE)}
        case "pay":
            lane = lane_in_question(box, snapshot)
            return {f"pay {words_of(payment)}" for payment in payments(box, lane, player["hand"])}
        case "keep_ticket":
            return {"keep_ticket", "refuse_ticket"} if may_refuse(box, snapshot) else {"keep_ticket"}
        case "take_share":  # PA4
            return {"take_share none", *(f"take_share {company}" for company in companies_left(box, snapshot))}
        case "neutral_share":  # PA8
            return {f"neutral_share {company}" for company in companies_left(box, snapshot)}
    legal = blind | {f"draw_row {slot}" for slot, card in row if card is not None}
    if snapshot["ticket_deck"]:
        legal.add("draw_tickets")  # C12
    for lane in box.lanes:
        if may_claim(box, snapshot, lane) and payments(box, lane, player["hand"]):
            legal.add(f"claim {connection_in_words(lane.a, lane.b, lane.lane)}")
    return legal or {"pass"}  # C13


def lane_in_question(box: Box, snapshot: Mapping[str, Any]) -> Lane:
    """The lane that is being claimed."""
    (lane,) = [lane for lane in box.lanes if [lane.a, lane.b, lane.lane] == snapshot["question"]["lane"]]
    return lane


def companies_left(box: Box, snapshot: Mapping[str, Any]) -> list[str]:
    """The companies shown on the lane in question that are not sold out (PA4)."""
    return [company for company in lane_in_question(box, snapshot).companies if snapshot["companies"][company]]


def may_refuse(box: Box, snapshot: Mapping[str, Any]) -> bool:
    """Whether the tickets kept and those still to come, without the one in question, are enough (C5, C12)."""
    deck = deck_of(box, snapshot)
    answers = [answer["action"] for answer in snapshot["decision"] if "ticket" in answer]
    coming = len(snapshot["players"][snapshot["current_player"]]["offered"]) - 1
    least = deck.later.keep
    if snapshot["turn"] == 0:
        offered = deck.long_offered + deck.starting.count
        answers = answers[offered * snapshot["current_player"] :]  # those before are other seats' (C6)
        least = deck.starting.keep
    least = min(least, len(answers) + 1 + coming)
    return answers.count("keep_ticket") + coming >= least


def payments(box: Box, lane: Lane, hand: Mapping[str, int]) -> list[dict[str, int]]:
    """All ways to pay for a lane (C9), at least one locomotive for each of its symbols (C14)."""
    ways = []
    colours = list(box.colours) if lane.colour == GRAY else [lane.colour]
    for locomotives in range(lane.ferry, min(hand[LOCOMOTIVE], lane.length) + 1):
        for colour in colours if locomotives < lane.length else colours[:1]:
            cards = lane.length - locomotives
            if hand[colour] >= cards:
                ways.append({colour: cards, LOCOMOTIVE: locomotives})
    return ways


def may_claim(box: Box, snapshot: Mapping[str, Any], lane: Lane) -> bool:
    """Whether the lane is free and open to the current seat, and its trains are enough (C9, C11, LA5)."""
    seat = snapshot["current_player"]
    closed = snapshot["num_players"] <= box.double_connections_closed_up_to
    for claims in snapshot["lanes"]:
        same_connection = (claims["a"], claims["b"]) == (lane.a, lane.b)
        if same_connection and claims["lane"] == lane.lane and claims["owners"]:
            return False
        if same_connection and (seat in claims["owners"] or (closed and claims["owners"])):
            return False
    return bool(snapshot["players"][seat]["trains"] >= lane.length + lane.mountain)


# Points


def lane_points(box: Box, lanes: Iterable[Lane]) -> dict[str, int]:
    """What lanes bring at once, by part of the score: for their spaces (C10) and their X symbols (LA5)."""
    claimed = list(lanes)
    points = {"routes": sum(box.points[lane.length] for lane in claimed)}
    if any(lane.mountain for lane in box.lanes):
        points["mountains"] = sum(box.mountain_points * lane.mountain for lane in claimed)
    return points


def reached_from(lanes: Collection[Lane], city: str) -> set[str]:
    """The cities that lanes join to a city, itself among them."""
    reached = {city}
    while True:
        more = {city for lane in lanes for city in (lane.a, lane.b) if reached & {lane.a, lane.b}} - reached
        if not more:
            return reached
        reached |= more


def is_completed(box: Box, lanes: Collection[Lane], ticket: Sequence[Any]) -> bool:
    """Whether lanes join the ends of a ticket; a group is met by any of its cities (C16)."""
    ends = [{city.id for city in box.cities if end in (city.id, city.region)} for end in ticket[:2]]
    return any(reached_from(lanes, city) & ends[1] for city in ends[0])


def most_cities(lanes: Collection[Lane]) -> int:
    """The cities of the network with the most (LA6)."""
    return max((len(reached_from(lanes, lane.a)) for lane in lanes), default=0)


def attractions(box: Box, lanes: Iterable[Lane]) -> int:
    """How many attractions lanes touch (NY5)."""
    touched = {city for lane in lanes for city in (lane.a, lane.b)}
    return sum(city.attraction and city.id in touched for city in box.cities)


def share_points(box: Box, holdings: Sequence[Shares], holder: int) -> int:
    """What the companies pay one of the holders (PA5)."""
    points = 0
    for company in box.companies:
        ranked = sorted((-len(held[company.id]), min(held[company.id])) for held in holdings if held[company.id])
        own = holdings[holder][company.id]
        place = ranked.index((-len(own), min(own))) if own else len(company.points)
        points += company.points[place] if place < len(company.points) else 0
    return points


def longest_path(network: Network) -> int:
    """The greatest total length of a trail: every trail is walked, from every city (C17)."""
    incident: dict[str, list[tuple[int, str, int]]] = {}
    for number, (a, b, length) in enumerate(network):
        incident.setdefault(a, []).append((number, b, length))
        incident.setdefault(b, []).append((number, a, length))

    def longest_from(city: str, used: int) -> int:
        longest = 0
        for number, other, length in incident[city]:
            if not used >> number & 1:
                longest = max(longest, length + longest_from(other, used | 1 << number))
        return longest

    return max((longest_from(city, 0) for city in incident), default=0)


def odd_cities(network: Network) -> list[str]:
    """The cities at which an odd number of lanes end."""
    degrees = Counter(city for a, b, _ in network for city in (a, b))
    return [city for city, degree in degrees.items() if degree % 2]


def trail_bound(network: Network) -> int:
    """The greatest total length of lanes of which an odd number ends at two cities or none.

    By Euler those that hang together are one trail. A bound on the longest path, which it falls short of where the
    lanes that fit best do not hang together. All sets of lanes are tried.
    """
    cities = sorted({city for a, b, _ in network for city in (a, b)})
    odd, total = np.zeros(1, np.int64), np.zeros(1, np.int64)
    for a, b, length in network:
        ends = 1 << cities.index(a) | 1 << cities.index(b)
        odd = np.concatenate([odd, odd ^ ends])
        total = np.concatenate([total, total + length])
    return int(total[np.bitwise_count(odd) <= 2].max())


# The end


def final(box: Box, snapshot: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Score, rank, breakdown and completed tickets of each player, as in the snapshot of an ended game."""
    bonuses = deck_of(box, snapshot).bonuses
    results: list[dict[str, Any]] = []
    paths_count = "longest_path" in (*bonuses, *box.tie_breaks)  # to find them takes time
    compared: dict[str, list[int]] = {name: [] for name in ("completed_tickets", "longest_path", "mountain_lanes")}
    cities: list[int] = []
    for seat, player in enumerate(snapshot["players"]):
        lanes = lanes_of(box, snapshot, seat)
        completed = [ticket for ticket in player["tickets"] if is_completed(box, lanes, ticket)]
        failed = [ticket for ticket in player["tickets"] if ticket not in completed]
        breakdown = lane_points(box, lanes)
        breakdown["tickets"] = sum(points for *_, points in completed) - sum(points for *_, points in failed)
        if "attractions" in bonuses:
            breakdown["attractions"] = bonuses["attractions"] * attractions(box, lanes)
        if box.companies:
            holdings = [other["shares"] for other in snapshot["players"]]
            if snapshot["num_players"] <= box.neutral_shareholder_up_to:
                holdings.append(snapshot["revealed_shares"])  # PA8
            breakdown["shares"] = share_points(box, holdings, seat)
        results.append({"breakdown": breakdown, "completed": completed, "failed": failed})
        cities.append(most_cities(lanes))
        compared["completed_tickets"].append(len(completed))
        compared["longest_path"].append(longest_path(network_of(lanes)) if paths_count else 0)
        compared["mountain_lanes"].append(sum(lane.mountain > 0 for lane in lanes))
    _award(results, "longest_path", bonuses, compared["longest_path"])
    _award(results, "globetrotter", bonuses, compared["completed_tickets"])
    _award(results, "explorer", bonuses, cities)
    for result in results:
        result["score"] = sum(result["breakdown"].values())
    standings = [
        (result["score"], *(compared[name][seat] for name in box.tie_breaks)) for seat, result in enumerate(results)
    ]
    for result, standing in zip(results, standings, strict=True):
        result["rank"] = 1 + sum(other > standing for other in standings)  # C18
    return results


def _award(results: list[dict[str, Any]], bonus: str, bonuses: Mapping[str, int], numbers: list[int]) -> None:
    """Give a bonus, if there is one, to all who have the most; to nobody if that is nothing (C17)."""
    if bonus in bonuses:
        for result, number in zip(results, numbers, strict=True):
            result["breakdown"][bonus] = bonuses[bonus] if number == max(numbers) > 0 else 0
