"""A slow and obvious second opinion on the map games' rules, from what a snapshot shows and the tables of the box."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np

from t2r_env.boxes import GRAY, LOCOMOTIVE, Box, Lane
from tests.situations import connection_in_words, words_of

Network = list[tuple[str, str, int]]
"""Lanes of one player: two cities and a length."""

LANE_POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15}
"""C10."""


def lanes_of(box: Box, snapshot: Mapping[str, Any], seat: int) -> list[Lane]:
    """The lanes of a seat."""
    return [lane for lane, claims in zip(box.lanes, snapshot["lanes"], strict=True) if seat in claims["owners"]]


def network_of(lanes: Iterable[Lane]) -> Network:
    """Lanes without their colours."""
    return [(lane.a, lane.b, lane.length) for lane in lanes]


# Legal answers


def legal_answers(box: Box, snapshot: Mapping[str, Any]) -> set[str]:
    """The answers that the rules allow, in words, when the game asks what to do in a turn, for a card or a payment."""
    player = snapshot["players"][snapshot["current_player"]]
    row = enumerate(snapshot["row"])
    blind = {"draw_deck"} if any(snapshot["deck"].values()) else set()
    if snapshot["phase"] == "second_card":  # C8
        return blind | {f"draw_row {slot}" for slot, card in row if card not in (None, LOCOMOTIVE)}
    if snapshot["phase"] == "pay":
        a, b, number = snapshot["question"]["lane"]
        (lane,) = [it for it in box.lanes if (it.a, it.b, it.lane) == (a, b, number)]
        return {f"pay {words_of(payment)}" for payment in payments(box, lane, player["hand"])}
    legal = blind | {f"draw_row {slot}" for slot, card in row if card is not None}
    if snapshot["ticket_deck"]:
        legal.add("draw_tickets")  # C12
    for lane in box.lanes:
        if may_claim(box, snapshot, lane) and payments(box, lane, player["hand"]):
            legal.add(f"claim {connection_in_words(lane.a, lane.b, lane.lane)}")
    return legal or {"pass"}  # C13


def payments(box: Box, lane: Lane, hand: Mapping[str, int]) -> list[dict[str, int]]:
    """All ways to pay for a lane (C9)."""
    ways = []
    colours = list(box.colours) if lane.colour == GRAY else [lane.colour]
    for locomotives in range(min(hand[LOCOMOTIVE], lane.length) + 1):
        for colour in colours if locomotives < lane.length else colours[:1]:
            cards = lane.length - locomotives
            if hand[colour] >= cards:
                ways.append({colour: cards, LOCOMOTIVE: locomotives})
    return ways


def may_claim(box: Box, snapshot: Mapping[str, Any], lane: Lane) -> bool:
    """Whether the lane is free and open to the current seat, and its trains are enough (C9, C11)."""
    seat = snapshot["current_player"]
    closed = snapshot["num_players"] <= box.double_connections_closed_up_to
    for claims in snapshot["lanes"]:
        same_connection = (claims["a"], claims["b"]) == (lane.a, lane.b)
        if same_connection and claims["lane"] == lane.lane and claims["owners"]:
            return False
        if same_connection and (seat in claims["owners"] or (closed and claims["owners"])):
            return False
    return bool(snapshot["players"][seat]["trains"] >= lane.length)


# Points


def joined(lanes: Collection[Lane], a: str, b: str) -> bool:
    """Whether lanes join two cities (C16)."""
    reached = {a}
    while True:
        more = {city for lane in lanes for city in (lane.a, lane.b) if reached & {lane.a, lane.b}} - reached
        if not more:
            return b in reached
        reached |= more


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
    bonuses = box.ticket_decks[snapshot["options"]["tickets"]].bonuses
    results: list[dict[str, Any]] = []
    for seat, player in enumerate(snapshot["players"]):
        lanes = lanes_of(box, snapshot, seat)
        completed = [ticket for ticket in player["tickets"] if joined(lanes, ticket[0], ticket[1])]
        failed = [ticket for ticket in player["tickets"] if ticket not in completed]
        routes = sum(LANE_POINTS[lane.length] for lane in lanes)
        tickets = sum(points for *_, points in completed) - sum(points for *_, points in failed)
        results.append(
            {"breakdown": {"routes": routes, "tickets": tickets}, "completed": completed, "failed": failed}
            | {"longest_path": longest_path(network_of(lanes))}
        )
    _award(results, "longest_path", bonuses, [result["longest_path"] for result in results])
    _award(results, "globetrotter", bonuses, [len(result["completed"]) for result in results])
    for result in results:
        result["score"] = sum(result["breakdown"].values())
    standings = [(it["score"], len(it["completed"]), it.pop("longest_path")) for it in results]
    for result, standing in zip(results, standings, strict=True):
        result["rank"] = 1 + sum(other > standing for other in standings)  # C18
    return results


def _award(results: list[dict[str, Any]], bonus: str, bonuses: Mapping[str, int], numbers: list[int]) -> None:
    """Give a bonus, if there is one, to all who have the most; to nobody if that is nothing (C17)."""
    if bonus in bonuses:
        for result, number in zip(results, numbers, strict=True):
            result["breakdown"][bonus] = bonuses[bonus] if number == max(numbers) > 0 else 0
