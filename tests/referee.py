"""A slow and obvious second opinion on the map games' rules, from what a snapshot shows and the tables of the box."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from t2r_env.boxes import GRAY, LOCOMOTIVE, Lane, MapBox, Technology, TicketDeck
from tests.situations import answer_in_words, connection_in_words, words_of

Network = list[tuple[str, str, int]]
"""Lanes of one side: two cities and a length."""

Shares = Mapping[str, Sequence[int]]
"""The numbers of somebody's shares, by company."""

RIGHT_OF_WAY = "right_of_way"


class Due(NamedTuple):
    """What a payment must come to."""

    cards: int
    symbols: int
    """So many of them at least are locomotives."""
    colour: str


class Payment(NamedTuple):
    """A way to pay: cards of a colour, locomotives, and exchanges that stand for locomotives (UK5)."""

    colour: str
    cards: int
    locomotives: int
    exchanges: int


def deck_of(box: MapBox, snapshot: Mapping[str, Any]) -> TicketDeck:
    """The ticket deck that is played with."""
    return box.ticket_decks[snapshot["options"]["tickets"]]


def technologies_of(box: MapBox, snapshot: Mapping[str, Any]) -> tuple[Technology, ...]:
    """The technologies that are played with (UK8, UK12)."""
    return box.technologies(snapshot["options"].get("advanced_technologies", False))


def sides_of(box: MapBox, snapshot: Mapping[str, Any]) -> list[range]:
    """Who scores together: each seat for itself, or the seats of a team (TA1)."""
    return [range(first, first + box.team_size) for first in range(0, snapshot["num_players"], box.team_size)]


def lanes_of(box: MapBox, snapshot: Mapping[str, Any], *seats: int) -> list[Lane]:
    """The lanes of a seat, or of several together."""
    claims = zip(box.lanes, snapshot["lanes"], strict=True)
    return [lane for lane, claim in claims if set(seats) & set(claim["owners"])]


def network_of(lanes: Iterable[Lane]) -> Network:
    """Lanes without their colours."""
    return [(lane.a, lane.b, lane.length) for lane in lanes]


def holds(snapshot: Mapping[str, Any], seat: int, technology: str) -> bool:
    """Whether a seat has a technology."""
    return technology in snapshot["players"][seat].get("technologies", ())


def cards_apart(box: MapBox, snapshot: Mapping[str, Any]) -> Counter[str]:
    """Cards in no hand, rack, deck or discard: laid out for a payment, turned up for a tunnel, not yet placed (C2)."""
    laid_out = snapshot["set_aside"].values() if box.team_size > 1 else [snapshot["set_aside"]]
    apart = Counter(snapshot["revealed"]) + Counter([snapshot["drawn"]] if snapshot["drawn"] else [])
    return sum(map(Counter, laid_out), apart)


# Legal answers


def legal_answers(box: MapBox, snapshot: Mapping[str, Any]) -> set[str]:
    """The answers that the rules allow, in words."""
    player = snapshot["players"][snapshot["current_player"]]
    row = enumerate(snapshot["row"])
    blind = {"draw_deck"} if any(snapshot["deck"].values()) else set()
    match snapshot["phase"]:
        case "turn":
            return turn_answers(box, snapshot)
        case "second_card":  # C8
            return blind | {f"draw_row {slot}" for slot, card in row if card not in (None, LOCOMOTIVE)}
        case "pay":
            return payment_answers(box, snapshot)
        case "keep_ticket":
            return {"keep_ticket", "refuse_ticket"} if may_refuse(box, snapshot) else {"keep_ticket"}
        case "place":  # TA5
            return {"place hand", "place rack"}
        case "from_rack":
            return from_rack_answers(box, snapshot)
        case "tunnel":
            return tunnel_answers(box, snapshot)
        case "share":
            kept = [answer["ticket"] for answer in snapshot["decision"] if answer["action"] == "keep_ticket"]  # TA7
            is_second = snapshot["turn"] > 0 and not kept  # TA8
            return shared(kept or player["tickets"]) | ({"stop"} if is_second else set())
        case "second_claim":  # UK12
            return claims(box, snapshot) | {"stop"}
        case "take_share":  # PA4
            return {"take_share none", *(f"take_share {company}" for company in companies_left(box, snapshot))}
        case "neutral_share":  # PA8
            return {f"neutral_share {company}" for company in companies_left(box, snapshot)}
    raise ValueError(f"no question: {snapshot['phase']}")


def turn_answers(box: MapBox, snapshot: Mapping[str, Any]) -> set[str]:
    """What may be done in a turn (C8, C9, C12, C13, TA8), or bought before it (UK8)."""
    seat = snapshot["current_player"]
    bought = bought_this_turn(snapshot)
    if bought == RIGHT_OF_WAY:
        return claims(box, snapshot)  # UK9
    legal = {f"draw_row {slot}" for slot, card in enumerate(snapshot["row"]) if card is not None}
    if any(snapshot["deck"].values()):
        legal.add("draw_deck")
        if holds(snapshot, seat, "water_tenders"):
            legal.add("draw_three")  # UK12
    if snapshot["ticket_deck"]:
        legal.add("draw_tickets")  # C12
    legal |= claims(box, snapshot)
    if box.team_size > 1:
        legal |= shared(snapshot["players"][seat]["tickets"])  # TA8
    legal = legal or {"pass"}  # C13
    return legal | purchases(box, snapshot) if bought is None else legal


def shared(tickets: Iterable[Sequence[Any]]) -> set[str]:
    """The answers that put one of these tickets on the rack."""
    return {answer_in_words({"action": "share_ticket", "ticket": ticket}) for ticket in tickets}


def bought_this_turn(snapshot: Mapping[str, Any]) -> str | None:
    """The technology that has been bought this turn."""
    bought = [answer["technology"] for answer in snapshot["decision"] if answer["action"] == "buy"]
    return bought[0] if bought and "technology" not in snapshot["question"] else None


def claims(box: MapBox, snapshot: Mapping[str, Any]) -> set[str]:
    """The claims that the current seat may make and can pay."""
    return {
        f"claim {connection_in_words(lane.a, lane.b, lane.lane)}"
        for lane in claimable(box, snapshot, by_right_of_way=bought_this_turn(snapshot) == RIGHT_OF_WAY)
        if ways_to_pay(box, snapshot, due_for_lane(snapshot, lane))
    }


def purchases(box: MapBox, snapshot: Mapping[str, Any]) -> set[str]:
    """The technologies in the supply that the current seat has not and can pay (UK8, UK9)."""
    wanted = [
        technology
        for technology in technologies_of(box, snapshot)
        if snapshot["technologies"][technology.id] and not holds(snapshot, snapshot["current_player"], technology.id)
    ]
    return {f"buy {technology.id}" for technology in wanted if ways_to_buy(box, snapshot, technology)}


def lane_in_question(box: MapBox, snapshot: Mapping[str, Any]) -> Lane:
    """The lane that is being claimed."""
    (lane,) = [lane for lane in box.lanes if [lane.a, lane.b, lane.lane] == snapshot["question"]["lane"]]
    return lane


def companies_left(box: MapBox, snapshot: Mapping[str, Any]) -> list[str]:
    """The companies shown on the lane in question that are not sold out (PA4)."""
    return [company for company in lane_in_question(box, snapshot).companies if snapshot["companies"][company]]


def may_refuse(box: MapBox, snapshot: Mapping[str, Any]) -> bool:
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


# Payments


def due_for_lane(snapshot: Mapping[str, Any], lane: Lane) -> Due:
    """What the current seat pays for a lane: a card for each space (C9, C14), with Diesel Power one less (UK12)."""
    cards = lane.length
    if holds(snapshot, snapshot["current_player"], "diesel_power"):
        cards = max(1, lane.ferry, lane.length - 1)
    return Due(cards, lane.ferry, lane.colour)


def due_for_technology(technology: Technology) -> Due:
    """Technologies are paid in locomotives (UK8)."""
    return Due(technology.price, technology.price, GRAY)


def exchange_rate(box: MapBox, snapshot: Mapping[str, Any]) -> int:
    """How many coloured cards stand for a locomotive, if they ever do (UK5)."""
    return box.exchange - holds(snapshot, snapshot["current_player"], "booster")


def cards_of(box: MapBox, snapshot: Mapping[str, Any]) -> Counter[str]:
    """What the current seat may pay with: its hand, and with teams its rack (TA6)."""
    seat = snapshot["current_player"]
    cards = Counter(snapshot["players"][seat]["hand"])
    return cards + Counter(snapshot["teams"][seat // box.team_size]["rack"]) if box.team_size > 1 else cards


def ways_to_pay(
    box: MapBox, snapshot: Mapping[str, Any], due: Due, spent: str | None = None, elsewhere: Payment | None = None
) -> list[Payment]:
    """All ways to pay what is due that make use of all cards spent so far, and of one more if a colour is given.

    `elsewhere`: before it, so much is paid for something else, of which the cards spent are a part.
    """
    hand, rate = cards_of(box, snapshot), exchange_rate(box, snapshot)
    number = sum(snapshot["set_aside"].values()) if box.exchange else 0
    if spent:
        hand[spent] -= 1
        number += 1
    coloured = sum(hand[colour] for colour in box.colours)
    if elsewhere:
        hand[LOCOMOTIVE] -= elsewhere.locomotives
        coloured -= elsewhere.exchanges * rate - number
        number = 0
    ways = []
    for locomotives in range(min(hand[LOCOMOTIVE], due.cards) + 1):
        for exchanges in range(due.cards - locomotives + 1 if box.exchange else 1):
            cards = due.cards - locomotives - exchanges
            still_to_spend = exchanges * rate - number
            if locomotives + exchanges >= due.symbols and 0 <= still_to_spend <= coloured - cards:
                colours = [*box.colours] if due.colour == GRAY else [due.colour]
                for colour in colours if cards else colours[:1]:
                    if hand[colour] >= cards:
                        ways.append(Payment(colour, cards, locomotives, exchanges))
    return ways


def ways_to_buy(
    box: MapBox, snapshot: Mapping[str, Any], technology: Technology, spent: str | None = None
) -> list[Payment]:
    """The same for a technology: those that leave a claim possible, if it is Right of Way (UK9)."""
    ways = ways_to_pay(box, snapshot, due_for_technology(technology), spent)
    if technology.id != RIGHT_OF_WAY:
        return ways
    lanes = claimable(box, snapshot, by_right_of_way=True)
    return [
        way
        for way in ways
        if any(ways_to_pay(box, snapshot, due_for_lane(snapshot, lane), spent, elsewhere=way) for lane in lanes)
    ]


def payment_answers(box: MapBox, snapshot: Mapping[str, Any]) -> set[str]:
    """The payments whose exchanges, if any, have all been made; and what may be spent towards an exchange (UK5)."""

    def ways(spent: str | None = None) -> list[Payment]:
        if "lane" in snapshot["question"]:
            return ways_to_pay(box, snapshot, due_for_lane(snapshot, lane_in_question(box, snapshot)), spent)
        named = {technology.id: technology for technology in technologies_of(box, snapshot)}
        return ways_to_buy(box, snapshot, named[snapshot["question"]["technology"]], spent)

    number = sum(snapshot["set_aside"].values()) if box.exchange else 0
    legal = {
        f"pay {words_of({way.colour: way.cards, LOCOMOTIVE: way.locomotives + way.exchanges})}"
        for way in ways()
        if way.exchanges * exchange_rate(box, snapshot) == number
    }
    if box.exchange:
        hand = cards_of(box, snapshot)
        legal |= {f"spend {colour}" for colour in box.colours if hand[colour] and ways(colour)}
    return legal


def splits(box: MapBox, snapshot: Mapping[str, Any], payment: Mapping[str, Any]) -> list[tuple[int, int]]:
    """How many coloured cards and locomotives of a payment may come from the rack (TA6)."""
    seat = snapshot["current_player"]
    hand, rack = snapshot["players"][seat]["hand"], snapshot["teams"][seat // box.team_size]["rack"]
    colour, cards, locomotives = payment["colour"], payment["cards"], payment["locomotives"]
    return [
        (coloured, wild)
        for coloured in range(cards + 1)
        for wild in range(locomotives + 1)
        if cards == 0 or (coloured <= rack[colour] and cards - coloured <= hand[colour])
        if wild <= rack[LOCOMOTIVE] and locomotives - wild <= hand[LOCOMOTIVE]
    ]


def from_rack_answers(box: MapBox, snapshot: Mapping[str, Any]) -> set[str]:
    """Of the payment chosen last, for the lane or for what its tunnel demands."""
    (colour,) = [answer["colour"] for answer in snapshot["decision"] if answer["action"] == "pay"]
    (*_, payment) = [answer for answer in snapshot["decision"] if answer["action"] in ("pay", "pay_more")]
    return {
        answer_in_words({"action": "from_rack", "cards": cards, "locomotives": locomotives})
        for cards, locomotives in splits(box, snapshot, {**payment, "colour": colour})
    }


def demand(snapshot: Mapping[str, Any]) -> int:
    """What the cards turned up for a tunnel demand: those of the payment's colour, and locomotives (TA10)."""
    (payment,) = [answer for answer in snapshot["decision"] if answer["action"] == "pay"]
    return sum(snapshot["revealed"].get(card, 0) for card in {payment["colour"], LOCOMOTIVE})


def tunnel_answers(box: MapBox, snapshot: Mapping[str, Any]) -> set[str]:
    """Pay just what is demanded; locomotives alone, if the payment was; or withdraw (TA10)."""
    (payment,) = [answer for answer in snapshot["decision"] if answer["action"] == "pay"]
    held, due = cards_of(box, snapshot), demand(snapshot)
    coloured = held[payment["colour"]] if payment["cards"] else 0
    return {"withdraw"} | {
        answer_in_words({"action": "pay_more", "cards": due - locomotives, "locomotives": locomotives})
        for locomotives in range(min(held[LOCOMOTIVE], due) + 1)
        if due - locomotives <= coloured
    }


# Claims


def connections_of(box: MapBox) -> list[list[int]]:
    """For each lane the numbers of the lanes of its connection, itself among them (UK4)."""
    keys = [(lane.a, lane.b, number if lane.separate else -1) for number, lane in enumerate(box.lanes)]
    lanes: dict[tuple[str, str, int], list[int]] = {}
    for number, key in enumerate(keys):
        lanes.setdefault(key, []).append(number)
    return [lanes[key] for key in keys]


def most_claimed(box: MapBox, snapshot: Mapping[str, Any], lane: Lane, lanes: int) -> int:
    """How many lanes may be claimed in all of a lane's connection, which has so many (C11, TA9)."""
    if snapshot["num_players"] > box.double_connections_closed_up_to or lane.stays_open:
        return lanes
    return box.triple_connection_claims if lanes == 3 else 1


def claimable(box: MapBox, snapshot: Mapping[str, Any], *, by_right_of_way: bool) -> list[Lane]:
    """The lanes that the current seat may claim whatever they cost (C9, C11, LA5, UK6), or by Right of Way (UK9)."""
    seat = snapshot["current_player"]
    owners = [claim["owners"] for claim in snapshot["lanes"]]
    trains = snapshot["players"][seat]["trains"]
    found = []
    for number, (lane, connection) in enumerate(zip(box.lanes, connections_of(box), strict=True)):
        claimed = sum(bool(owners[other]) for other in connection)
        is_free = not owners[number] and claimed < most_claimed(box, snapshot, lane, len(connection))
        if (
            (bool(owners[number]) if by_right_of_way else is_free)
            and not any(seat in owners[other] for other in connection)
            and trains >= lane.length + lane.mountain
            and all(holds(snapshot, seat, technology) for technology in technologies_for(box, lane))
        ):
            found.append(lane)
    return found


def technologies_for(box: MapBox, lane: Lane) -> set[str]:
    """The technologies without which nobody claims a lane (UK6, UK7)."""
    if not box.all_technologies or lane.length == 10:
        return set()
    regions = [city.region for city in box.cities if city.id in (lane.a, lane.b)]
    concessions = {"wales": "wales", "scotland": "scotland", "ireland": "ireland_france", "france": "ireland_france"}
    needed = {f"{concessions[region]}_concession" for region in regions if region != "england"}
    if lane.length == 3:
        needed.add("mechanical_stoker")
    if lane.length >= 4:
        needed.add("superheated_steam_boiler")
    if lane.ferry:
        needed.add("propellers")
    return needed


# Points


def lane_points(box: MapBox, lanes: Iterable[Lane]) -> dict[str, int]:
    """What lanes bring at once, by part of the score: for their spaces (C10) and their X symbols (LA5)."""
    claimed = list(lanes)
    points = {"routes": sum(box.points[lane.length] for lane in claimed)}
    if any(lane.mountain for lane in box.lanes):
        points["mountains"] = sum(box.mountain_points * lane.mountain for lane in claimed)
    return points


def technology_points(snapshot: Mapping[str, Any], seat: int, lane: Lane) -> int:
    """What a seat's technologies add to the points for a lane that it claims now (UK8, UK10)."""
    lagging, turbines = holds(snapshot, seat, "boiler_lagging"), holds(snapshot, seat, "steam_turbines")
    return lagging + (2 * turbines if lane.ferry else 0)


def reached_from(lanes: Collection[Lane], city: str) -> set[str]:
    """The cities that lanes join to a city, itself among them."""
    reached = {city}
    while True:
        more = {city for lane in lanes for city in (lane.a, lane.b) if reached & {lane.a, lane.b}} - reached
        if not more:
            return reached
        reached |= more


def is_completed(box: MapBox, lanes: Collection[Lane], ticket: Sequence[Any]) -> bool:
    """Whether lanes join the ends of a ticket; a group is met by any of its cities (C16)."""
    ends = [{city.id for city in box.cities if end in (city.id, city.region)} for end in ticket[:2]]
    return any(reached_from(lanes, city) & ends[1] for city in ends[0])


def most_cities(lanes: Collection[Lane]) -> int:
    """The cities of the network with the most (LA6)."""
    return max((len(reached_from(lanes, lane.a)) for lane in lanes), default=0)


def attractions(box: MapBox, lanes: Iterable[Lane]) -> int:
    """How many attractions lanes touch (NY5)."""
    touched = {city for lane in lanes for city in (lane.a, lane.b)}
    return sum(city.attraction and city.id in touched for city in box.cities)


def share_points(box: MapBox, holdings: Sequence[Shares], holder: int) -> int:
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


def final(box: MapBox, snapshot: Mapping[str, Any], technologies_brought: Sequence[int]) -> list[dict[str, Any]]:
    """Score, rank, breakdown and completed tickets of each player, as in the snapshot of an ended game.

    What technologies have added to the lanes of each seat when it claimed them, a snapshot does not show.
    """
    deck = deck_of(box, snapshot)
    numbers = {(ticket.a, ticket.b): number for number, ticket in enumerate(deck.tickets)}
    sides = sides_of(box, snapshot)
    results: list[dict[str, Any]] = []
    compared: dict[str, list[int]] = {name: [] for name in ("completed_tickets", "longest_path", "mountain_lanes")}
    cities: list[int] = []
    paths_count = "longest_path" in (*deck.bonuses, *box.tie_breaks)  # to find them takes time
    for side, seats in enumerate(sides):
        lanes = lanes_of(box, snapshot, *seats)
        tickets = [ticket for seat in seats for ticket in snapshot["players"][seat]["tickets"]]
        if box.team_size > 1:
            tickets += snapshot["teams"][side]["tickets"]  # TA12
        tickets.sort(key=lambda ticket: numbers[ticket[0], ticket[1]])
        completed = [ticket for ticket in tickets if is_completed(box, lanes, ticket)]
        failed = [ticket for ticket in tickets if ticket not in completed]
        breakdown = lane_points(box, [lane for seat in seats for lane in lanes_of(box, snapshot, seat)])
        breakdown["routes"] += sum(technologies_brought[seat] for seat in seats)
        breakdown["tickets"] = sum(points for *_, points in completed) - sum(points for *_, points in failed)
        if "attractions" in deck.bonuses:
            breakdown["attractions"] = deck.bonuses["attractions"] * attractions(box, lanes)
        if box.companies:
            holdings = [other["shares"] for other in snapshot["players"]]
            if snapshot["num_players"] <= box.neutral_shareholder_up_to:
                holdings.append(snapshot["revealed_shares"])  # PA8
            breakdown["shares"] = share_points(box, holdings, side)
        results.append({"breakdown": breakdown, "completed": completed, "failed": failed})
        cities.append(most_cities(lanes))
        compared["completed_tickets"].append(len(completed))
        compared["longest_path"].append(longest_path(network_of(lanes)) if paths_count else 0)
        compared["mountain_lanes"].append(sum(lane.mountain > 0 for lane in lanes))
    _award(results, "longest_path", deck.bonuses, compared["longest_path"])
    _award(results, "globetrotter", deck.bonuses, compared["completed_tickets"])
    _award(results, "explorer", deck.bonuses, cities)
    if box.all_technologies:
        for seat, result in enumerate(results):
            result["breakdown"]["technologies"] = points_of_technologies(snapshot, seat, compared)
    for result in results:
        result["score"] = sum(result["breakdown"].values())
    standings = [
        (result["score"], *(compared[name][side] for name in box.tie_breaks)) for side, result in enumerate(results)
    ]
    for result, standing in zip(results, standings, strict=True):
        result["rank"] = 1 + sum(other > standing for other in standings)  # C18
    return [result for result, seats in zip(results, sides, strict=True) for _ in seats]


def points_of_technologies(snapshot: Mapping[str, Any], seat: int, compared: Mapping[str, Sequence[int]]) -> int:
    """What a seat's technologies bring or cost in the end (UK8, UK12)."""
    completed, paths = compared["completed_tickets"], compared["longest_path"]
    points = 2 * completed[seat] if holds(snapshot, seat, "double_heading") else 0
    if holds(snapshot, seat, "risky_contracts"):
        points += 20 if completed[seat] == max(completed) > 0 else -20
    if holds(snapshot, seat, "equalising_beam"):
        points += 15 if paths[seat] == max(paths) > 0 else -15
    return points


def _award(results: list[dict[str, Any]], bonus: str, bonuses: Mapping[str, int], numbers: list[int]) -> None:
    """Give a bonus, if there is one, to all who have the most; to nobody if that is nothing (C17)."""
    if bonus in bonuses:
        for result, number in zip(results, numbers, strict=True):
            result["breakdown"][bonus] = bonuses[bonus] if number == max(numbers) > 0 else 0
