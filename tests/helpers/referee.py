"""A slow and obvious second opinion on the map games' rules, from a snapshot and the variant's tables."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from t2r_env.variants import GRAY, LOCOMOTIVE, MapVariant, Route, TicketDeck
from t2r_env.variants.variant import Technology
from tests.helpers.situations import action_name, cards_text, countries_text, in_snapshots, route_name, ticket_name
from tests.helpers.station_choice import chosen_routes, ends_of

Network = list[tuple[str, str, int]]
"""Routes of one team: two cities and a length."""

Shares = Mapping[str, Sequence[int]]
"""The numbers of a holder's shares, by company."""

RIGHT_OF_WAY = "right_of_way"

STATIONS, STATION_POINTS = 3, 4
"""EU1, EU8."""

GRAND_TOUR = (0, 5, 10, 20, 30, 40)
"""IN6: the points for the number of tickets joined by two paths, the last ones for more tickets, too."""

FREE_LOCOMOTIVES = ("nordic", "switzerland")
"""NO4, SW4: where a face-up locomotive is taken like any other card."""

REFUSED_LEAVE = ("nordic", "switzerland")
"""NO2, SW2: where refused tickets leave the game, later ones too."""


class Due(NamedTuple):
    """What a payment must come to."""

    cards: int
    symbols: int
    """At least this number of locomotives."""
    colour: str
    route: Route | None = None
    """What it is for, if it is a route: on some maps not every route takes locomotives or exchanges (NO5-NO8, SW5)."""
    technology: str = ""
    """The id of what it is for, if it is a technology."""


class Payment(NamedTuple):
    """A way to pay: cards of a colour, locomotives, and exchanges that stand for locomotives (UK5) or cards (NO8)."""

    colour: str
    cards: int
    locomotives: int
    exchanges: int


def deck_of(variant: MapVariant, snapshot: Mapping[str, Any]) -> TicketDeck:
    return variant.ticket_decks[snapshot["options"]["tickets"]]


def technologies_of(variant: MapVariant, snapshot: Mapping[str, Any]) -> tuple[Technology, ...]:
    """The technologies that are played with (UK8, UK12)."""
    with_advanced = snapshot["options"].get("advanced_technologies", False)
    return tuple(it for it in variant.all_technologies if with_advanced or not it.advanced)


def teams_of(variant: MapVariant, snapshot: Mapping[str, Any]) -> list[range]:
    """Who scores together: each seat for itself, or the seats of a team (TA1)."""
    return [range(first, first + variant.team_size) for first in range(0, snapshot["num_players"], variant.team_size)]


def routes_of(variant: MapVariant, snapshot: Mapping[str, Any], *seats: int) -> list[Route]:
    """The routes of a seat, or of several together."""
    claims = zip(variant.routes, snapshot["routes"], strict=True)
    return [route for route, claim in claims if claim["owners"] and not set(seats).isdisjoint(claim["owners"])]


def network_of(routes: Iterable[Route]) -> Network:
    return [(route.a, route.b, route.length) for route in routes]


def holds(snapshot: Mapping[str, Any], seat: int, technology: str) -> bool:
    return technology in snapshot["players"][seat].get("technologies", ())


def cards_apart(variant: MapVariant, snapshot: Mapping[str, Any]) -> Counter[str]:
    """Cards in no hand, rack, deck or discard: laid out for a payment, turned up for a tunnel, not yet placed (C2)."""
    laid_out = snapshot["set_aside"].values() if variant.team_size > 1 else [snapshot["set_aside"]]
    apart = Counter(snapshot["revealed"]) + Counter([snapshot["drawn"]] if snapshot["drawn"] else [])
    return sum(map(Counter, laid_out), apart)


# Legal actions


def legal_actions(variant: MapVariant, snapshot: Mapping[str, Any]) -> set[str]:
    """The actions that the rules allow, as text."""
    player = snapshot["players"][snapshot["current_player"]]
    face_up = enumerate(snapshot["face_up"])
    blind = {"draw_deck"} if any(snapshot["deck"].values()) else set()
    match snapshot["phase"]:
        case "turn":
            return turn_actions(variant, snapshot)
        case "second_card":  # C8
            closed = (None,) if variant.id in FREE_LOCOMOTIVES else (None, LOCOMOTIVE)  # NO4, SW4
            return blind | {f"draw_face_up {slot}" for slot, card in face_up if card not in closed}
        case "pay":
            return payment_actions(variant, snapshot)
        case "keep_ticket":
            return {"keep_ticket", "refuse_ticket"} if may_refuse(variant, snapshot) else {"keep_ticket"}
        case "place":  # TA5
            return {"place hand", "place rack"}
        case "from_rack":
            return from_rack_actions(variant, snapshot)
        case "tunnel":
            return tunnel_actions(variant, snapshot)
        case "share":
            kept = [action["ticket"] for action in snapshot["pending"] if action["action"] == "keep_ticket"]  # TA7
            is_second = snapshot["turn"] > 0 and not kept  # TA8
            return shared(kept or player["tickets"]) | ({"stop"} if is_second else set())
        case "second_claim":  # UK12
            return claims(variant, snapshot) | {"stop"}
        case "take_share":  # PA4
            return {"take_share none", *(f"take_share {company}" for company in companies_left(variant, snapshot))}
        case "neutral_share":  # PA8
            return {f"neutral_share {company}" for company in companies_left(variant, snapshot)}
    raise ValueError(f"no decision: {snapshot['phase']}")


def turn_actions(variant: MapVariant, snapshot: Mapping[str, Any]) -> set[str]:
    """What may be done in a turn (C8, C9, C12, C13, TA8, EU6), or bought before it (UK8)."""
    seat = snapshot["current_player"]
    bought = bought_this_turn(snapshot)
    if bought == RIGHT_OF_WAY:
        return claims(variant, snapshot)  # UK9
    legal = {f"draw_face_up {slot}" for slot, card in enumerate(snapshot["face_up"]) if card is not None}
    if any(snapshot["deck"].values()):
        legal.add("draw_deck")
        if holds(snapshot, seat, "water_tenders"):
            legal.add("draw_three")  # UK12
    if snapshot["ticket_deck"]:
        legal.add("draw_tickets")  # C12
    legal |= claims(variant, snapshot)
    if variant.team_size > 1:
        legal |= shared(snapshot["players"][seat]["tickets"])  # TA8
    if has_stations(snapshot):
        legal |= buildings(variant, snapshot)
    legal = legal or {"pass"}  # C13
    return legal | purchases(variant, snapshot) if bought is None else legal


def shared(tickets: Iterable[Sequence[Any]]) -> set[str]:
    """The actions that put one of these tickets on the rack."""
    return {action_name({"action": "share_ticket", "ticket": ticket}) for ticket in tickets}


def bought_this_turn(snapshot: Mapping[str, Any]) -> str | None:
    """The technology that has been bought this turn."""
    bought = [action["technology"] for action in snapshot["pending"] if action["action"] == "buy"]
    return bought[0] if bought and "technology" not in snapshot["subject"] else None


def claims(variant: MapVariant, snapshot: Mapping[str, Any]) -> set[str]:
    """The claims that the current seat may make and can pay."""
    return {
        f"claim {route_name(route.a, route.b, route.track)}"
        for route in claimable(variant, snapshot, by_right_of_way=bought_this_turn(snapshot) == RIGHT_OF_WAY)
        if ways_to_pay(variant, snapshot, due_for_route(snapshot, route))
    }


def has_stations(snapshot: Mapping[str, Any]) -> bool:
    """Whether the game has stations (EU1)."""
    return all("stations" in player for player in snapshot["players"])


def buildings(variant: MapVariant, snapshot: Mapping[str, Any]) -> set[str]:
    """The stations that the current seat may build and can pay: in any city that has none (EU6)."""
    built = [player["stations"] for player in snapshot["players"]]
    is_left = len(built[snapshot["current_player"]]) < STATIONS
    if not is_left or not ways_to_pay(variant, snapshot, due_for_station(snapshot)):
        return set()
    return {f"build {city.id}" for city in variant.cities if not any(city.id in cities for cities in built)}


def purchases(variant: MapVariant, snapshot: Mapping[str, Any]) -> set[str]:
    """The technologies in the supply that the current seat has not and can pay, in locomotives (UK8, UK9)."""
    seat = snapshot["current_player"]
    return {
        f"buy {it.id}"
        for it in technologies_of(variant, snapshot)
        if snapshot["technologies"][it.id] and not holds(snapshot, seat, it.id)
        if ways_to_pay(variant, snapshot, due_for_technology(it))
    }


def route_to_pay(variant: MapVariant, snapshot: Mapping[str, Any]) -> Route:
    (route,) = [route for route in variant.routes if [route.a, route.b, route.track] == snapshot["subject"]["route"]]
    return route


def companies_left(variant: MapVariant, snapshot: Mapping[str, Any]) -> list[str]:
    """The companies shown on the route just claimed that are not sold out (PA4)."""
    return [company for company in route_to_pay(variant, snapshot).companies if snapshot["companies"][company]]


def may_refuse(variant: MapVariant, snapshot: Mapping[str, Any]) -> bool:
    """Whether the tickets kept and those still to come, without the current one, are enough (C5, C12)."""
    deck = deck_of(variant, snapshot)
    actions = [action["action"] for action in snapshot["pending"] if "ticket" in action]
    coming = len(snapshot["players"][snapshot["current_player"]]["offered"]) - 1
    least = deck.later.keep
    if snapshot["turn"] == 0:
        offered = deck.long_offered + deck.starting.count
        actions = actions[offered * snapshot["current_player"] :]  # those before are other seats' (C6)
        least = deck.starting.keep
    least = min(least, len(actions) + 1 + coming)
    return actions.count("keep_ticket") + coming >= least


# Payments


def due_for_route(snapshot: Mapping[str, Any], route: Route) -> Due:
    """What the current seat pays for a route: a card for each space (C9, C14), with Diesel Power one less (UK12)."""
    cards = route.length
    if holds(snapshot, snapshot["current_player"], "diesel_power"):
        cards = max(1, route.ferry, route.length - 1)
    return Due(cards, route.ferry, route.colour, route)


def due_for_station(snapshot: Mapping[str, Any]) -> Due:
    """The first station takes one card, the second two of one colour, the third three (EU6)."""
    return Due(len(snapshot["players"][snapshot["current_player"]]["stations"]) + 1, 0, GRAY)


def due_for_technology(technology: Technology) -> Due:
    """Technologies are paid in locomotives (UK8)."""
    return Due(technology.price, technology.price, GRAY, technology=technology.id)


def takes_locomotives(variant: MapVariant, due: Due) -> bool:
    """Whether locomotives can be paid: in Nordic Countries for ferries and tunnels (NO5), in Switzerland for tunnels.

    NO5, SW5.
    """
    if due.route is None:
        return True
    allowed = {"nordic": due.route.ferry + due.route.tunnel > 0, "switzerland": due.route.tunnel > 0}
    return allowed.get(variant.id, True)


def exchange_rate(variant: MapVariant, snapshot: Mapping[str, Any], due: Due) -> int:
    """How many cards stand for a locomotive (UK5, NO6) or for a card of the colour paid (NO8); 0: none ever do."""
    if variant.id == "nordic" and due.route:
        if {due.route.a, due.route.b} == {"lieksa", "murmansk"}:
            return 4
        return 3 if due.route.ferry else 0
    return int(variant.exchange) - holds(snapshot, snapshot["current_player"], "booster")


def exchangeable(variant: MapVariant, due: Due) -> list[str]:
    """The cards that exchanges may take: coloured ones; where no locomotives can be paid all cards (NO8)."""
    return [*variant.colours, *([] if takes_locomotives(variant, due) else [LOCOMOTIVE])]


def cards_of(variant: MapVariant, snapshot: Mapping[str, Any]) -> Counter[str]:
    """What the current seat may pay with: its hand, and with teams its rack (TA6)."""
    seat = snapshot["current_player"]
    cards = Counter(snapshot["players"][seat]["hand"])
    return cards + Counter(snapshot["teams"][seat // variant.team_size]["rack"]) if variant.team_size > 1 else cards


def ways_to_pay(
    variant: MapVariant,
    snapshot: Mapping[str, Any],
    due: Due,
    spent: str | None = None,
    elsewhere: Payment | None = None,
) -> list[Payment]:
    """All ways to pay what is due that use all cards spent so far, and one more if a colour is given.

    `elsewhere` is a payment for something else that comes first; the cards spent so far belong to it. Payments for
    Right of Way must leave a claim possible (UK9).
    """
    hand, rate = cards_of(variant, snapshot), exchange_rate(variant, snapshot, due)
    number = sum(snapshot["set_aside"].values()) if rate else 0
    if spent:
        hand[spent] -= 1
        number += 1
    left = sum(hand[card] for card in exchangeable(variant, due))
    if elsewhere:
        hand[LOCOMOTIVE] -= elsewhere.locomotives
        left -= elsewhere.exchanges * rate - number
        number = 0
    ways = []
    for locomotives in range(min(hand[LOCOMOTIVE], due.cards) + 1 if takes_locomotives(variant, due) else 1):
        for exchanges in range(due.cards - locomotives + 1 if rate else 1):
            cards = due.cards - locomotives - exchanges
            still_to_spend = exchanges * rate - number
            if locomotives + exchanges >= due.symbols and 0 <= still_to_spend <= left - cards:
                colours = [*variant.colours] if due.colour == GRAY else [due.colour]
                for colour in colours if cards else colours[:1]:
                    if hand[colour] >= cards:
                        ways.append(Payment(colour, cards, locomotives, exchanges))
    if due.technology != RIGHT_OF_WAY:
        return ways
    dues = [due_for_route(snapshot, route) for route in claimable(variant, snapshot, by_right_of_way=True)]
    return [way for way in ways if any(ways_to_pay(variant, snapshot, it, spent, elsewhere=way) for it in dues)]


def payment_actions(variant: MapVariant, snapshot: Mapping[str, Any]) -> set[str]:
    """The payments whose exchanges have all been made, and the cards that may be spent towards one (UK5, NO6, NO8)."""
    if "route" in snapshot["subject"]:
        due = due_for_route(snapshot, route_to_pay(variant, snapshot))
    elif "city" in snapshot["subject"]:
        due = due_for_station(snapshot)
    else:
        named = {technology.id: technology for technology in technologies_of(variant, snapshot)}
        due = due_for_technology(named[snapshot["subject"]["technology"]])
    rate = exchange_rate(variant, snapshot, due)
    number = sum(snapshot["set_aside"].values()) if rate else 0
    legal = {
        f"pay {cards_text({way.colour: way.cards, LOCOMOTIVE: way.locomotives + way.exchanges})}"
        for way in ways_to_pay(variant, snapshot, due)
        if way.exchanges * rate == number
    }
    if rate:
        held = [card for card in exchangeable(variant, due) if cards_of(variant, snapshot)[card]]
        legal |= {f"spend {card}" for card in held if ways_to_pay(variant, snapshot, due, card)}
    return legal


def splits(variant: MapVariant, snapshot: Mapping[str, Any], payment: Mapping[str, Any]) -> list[tuple[int, int]]:
    """How many coloured cards and locomotives of a payment may come from the rack (TA6)."""
    seat = snapshot["current_player"]
    hand, rack = snapshot["players"][seat]["hand"], snapshot["teams"][seat // variant.team_size]["rack"]
    colour, cards, locomotives = payment["colour"], payment["cards"], payment["locomotives"]
    return [
        (coloured, wild)
        for coloured in range(cards + 1)
        for wild in range(locomotives + 1)
        if cards == 0 or (coloured <= rack[colour] and cards - coloured <= hand[colour])
        if wild <= rack[LOCOMOTIVE] and locomotives - wild <= hand[LOCOMOTIVE]
    ]


def from_rack_actions(variant: MapVariant, snapshot: Mapping[str, Any]) -> set[str]:
    """Of the payment chosen last, for the route or for what its tunnel demands."""
    (colour,) = [action["colour"] for action in snapshot["pending"] if action["action"] == "pay"]
    (*_, payment) = [action for action in snapshot["pending"] if action["action"] in ("pay", "pay_more")]
    return {
        action_name({"action": "from_rack", "cards": cards, "locomotives": locomotives})
        for cards, locomotives in splits(variant, snapshot, {**payment, "colour": colour})
    }


def demand(snapshot: Mapping[str, Any]) -> int:
    """What the cards turned up for a tunnel demand: those of the payment's colour, and locomotives (TA10, EU5)."""
    (payment,) = [action for action in snapshot["pending"] if action["action"] == "pay"]
    return sum(snapshot["revealed"].get(card, 0) for card in {payment["colour"], LOCOMOTIVE})


def tunnel_actions(variant: MapVariant, snapshot: Mapping[str, Any]) -> set[str]:
    """Pay exactly what is demanded, with locomotives alone if the payment was; or withdraw (TA10, EU5)."""
    (payment,) = [action for action in snapshot["pending"] if action["action"] == "pay"]
    held, due = cards_of(variant, snapshot), demand(snapshot)
    coloured = held[payment["colour"]] if payment["cards"] else 0
    return {"withdraw"} | {
        action_name({"action": "pay_more", "cards": due - locomotives, "locomotives": locomotives})
        for locomotives in range(min(held[LOCOMOTIVE], due) + 1)
        if due - locomotives <= coloured
    }


# Claims


def parallel_routes_of(variant: MapVariant) -> list[list[int]]:
    """For each route the numbers of the routes parallel to it, its own included (UK4)."""
    keys = [(route.a, route.b, number if route.separate else -1) for number, route in enumerate(variant.routes)]
    routes: dict[tuple[str, str, int], list[int]] = {}
    for number, key in enumerate(keys):
        routes.setdefault(key, []).append(number)
    return [routes[key] for key in keys]


def most_claimed(variant: MapVariant, snapshot: Mapping[str, Any], route: Route, routes: int) -> int:
    """How many of `routes` parallel routes may be claimed in all (C11, TA9)."""
    if snapshot["num_players"] > variant.double_routes_closed_up_to or route.stays_open:
        return routes
    return variant.triple_route_claims if routes == 3 else 1


def claimable(variant: MapVariant, snapshot: Mapping[str, Any], *, by_right_of_way: bool) -> list[Route]:
    """The routes that the current seat may claim if it can pay (C9, C11, LA5, UK6), or by Right of Way (UK9)."""
    seat = snapshot["current_player"]
    owners = [claim["owners"] for claim in snapshot["routes"]]
    trains = snapshot["players"][seat]["trains"]
    found = []
    for number, (route, parallel) in enumerate(zip(variant.routes, parallel_routes_of(variant), strict=True)):
        claimed = sum(bool(owners[other]) for other in parallel)
        is_free = not owners[number] and claimed < most_claimed(variant, snapshot, route, len(parallel))
        if (
            (bool(owners[number]) if by_right_of_way else is_free)
            and not any(seat in owners[other] for other in parallel)
            and trains >= route.length + route.mountain
            and all(holds(snapshot, seat, technology) for technology in technologies_for(variant, route))
        ):
            found.append(route)
    return found


def technologies_for(variant: MapVariant, route: Route) -> set[str]:
    """The technologies that a route needs (UK6, UK7)."""
    if not variant.all_technologies or route.length == 10:
        return set()
    regions = [city.region for city in variant.cities if city.id in (route.a, route.b)]
    concessions = {"wales": "wales", "scotland": "scotland", "ireland": "ireland_france", "france": "ireland_france"}
    needed = {f"{concessions[region]}_concession" for region in regions if region != "england"}
    if route.length == 3:
        needed.add("mechanical_stoker")
    if route.length >= 4:
        needed.add("superheated_steam_boiler")
    if route.ferry:
        needed.add("propellers")
    return needed


# Points


def route_points(variant: MapVariant, routes: Sequence[Route]) -> dict[str, int]:
    """Points that routes bring at once, by part of the score: for their spaces (C10) and their X symbols (LA5)."""
    points = {"routes": sum(variant.points[route.length] for route in routes)}
    if any(route.mountain for route in variant.routes):
        points["mountains"] = sum(variant.mountain_points * route.mountain for route in routes)
    return points


def technology_points(snapshot: Mapping[str, Any], seat: int, route: Route) -> int:
    """What a seat's technologies add to the points for a route that it claims now (UK8, UK10)."""
    lagging, turbines = holds(snapshot, seat, "boiler_lagging"), holds(snapshot, seat, "steam_turbines")
    return lagging + (2 * turbines if route.ferry else 0)


def reached_from(routes: Collection[Route], city: str) -> set[str]:
    """The cities that routes join to a city, itself among them."""
    reached = {city}
    while True:
        more = {city for route in routes for city in (route.a, route.b) if reached & {route.a, route.b}} - reached
        if not more:
            return reached
        reached |= more


def as_row(ticket: Sequence[Any]) -> tuple[str, str, str]:
    """A ticket as text, from a snapshot or from the variant's table, so that tickets can be counted and compared."""
    a, b, points, *_ = ticket
    several = points if isinstance(points, Sequence) and not isinstance(points, str) else [points]
    return a, countries_text(b), ";".join(map(str, several))


def choices_of(ticket: Sequence[Any]) -> list[tuple[str, str, int]]:
    """The ways to complete a ticket: its two ends and its value, or those of each of several countries (SW8)."""
    a, b, points, *_ = ticket
    return [(a, b, points)] if isinstance(b, str) else [(a, *choice) for choice in zip(b, points, strict=True)]


def values_joined(variant: MapVariant, routes: Collection[Route], ticket: Sequence[Any]) -> list[int]:
    """The values of those whose ends routes join; a group is met by any of its cities (C16, SW8)."""
    ends = [(ends_of(variant, choice), choice[2]) for choice in choices_of(ticket)]
    return [points for (starts, goals), points in ends if any(reached_from(routes, it) & goals for it in starts)]


def is_completed(variant: MapVariant, routes: Collection[Route], ticket: Sequence[Any]) -> bool:
    """Whether routes join the ends of a ticket (C16), or its start with one of several countries (SW8)."""
    return bool(values_joined(variant, routes, ticket))


def ticket_points(variant: MapVariant, routes: Collection[Route], ticket: Sequence[Any]) -> int:
    """What a ticket adds: the highest value of those joined; otherwise it subtracts the lowest (C16, SW8)."""
    joined = values_joined(variant, routes, ticket)
    return max(joined) if joined else -min(points for *_, points in choices_of(ticket))


def is_grand_tour(variant: MapVariant, routes: Collection[Route], ticket: Sequence[Any]) -> bool:
    """Whether a ticket is completed and would be without any one of the routes (IN6)."""
    return is_completed(variant, routes, ticket) and all(
        is_completed(variant, [other for other in routes if other is not route], ticket) for route in routes
    )


def most_cities(routes: Collection[Route]) -> int:
    """The cities of the network with the most (LA6)."""
    return max((len(reached_from(routes, route.a)) for route in routes), default=0)


def attractions(variant: MapVariant, routes: Iterable[Route]) -> int:
    """How many attractions routes touch (NY5)."""
    touched = {city for route in routes for city in (route.a, route.b)}
    return sum(city.attraction and city.id in touched for city in variant.cities)


def share_points(variant: MapVariant, holdings: Sequence[Shares], holder: int) -> int:
    """What the companies pay one of the holders (PA5)."""
    points = 0
    for company in variant.companies:
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


def trail_bound(network: Network) -> int:
    """The greatest total length of routes of which an odd number ends at two cities or none.

    If they are connected, they are one trail (Euler). This is an upper bound on the longest path, and greater where the
    best routes are not connected. All sets of routes are tried.
    """
    cities = sorted({city for a, b, _ in network for city in (a, b)})
    odd, total = np.zeros(1, np.int64), np.zeros(1, np.int64)
    for a, b, length in network:
        ends = 1 << cities.index(a) | 1 << cities.index(b)
        odd = np.concatenate([odd, odd ^ ends])
        total = np.concatenate([total, total + length])
    return int(total[np.bitwise_count(odd) <= 2].max())


# The end


COMPARED = ("completed_tickets", "longest_path", "mountain_routes", "stations_left")
"""What decides ties, by the names in the variants."""

AWARDED_FOR = {"longest_path": "longest_path", "globetrotter": "completed_tickets", "explorer": "cities"}
"""C17, LA6: what the bonuses are for."""


def final(
    variant: MapVariant, snapshot: Mapping[str, Any], technologies_brought: Sequence[int]
) -> list[dict[str, Any]]:
    """Score, rank, breakdown and completed tickets of each player, as in the snapshot of an ended game.

    `technologies_brought`: the points that technologies added to each seat's claims, which a snapshot does not show.
    """
    deck = deck_of(variant, snapshot)
    names = [ticket_name(in_snapshots(ticket)) for ticket in deck.tickets]
    teams = teams_of(variant, snapshot)
    results: list[dict[str, Any]] = []
    compared: dict[str, list[int]] = {name: [] for name in (*COMPARED, "cities")}
    paths_count = "longest_path" in (*deck.bonuses, *variant.tie_breaks)  # finding them takes time
    for team, seats in enumerate(teams):
        routes = routes_of(variant, snapshot, *seats)
        tickets = [ticket for seat in seats for ticket in snapshot["players"][seat]["tickets"]]
        if variant.team_size > 1:
            tickets += snapshot["teams"][team]["tickets"]  # TA12
        tickets.sort(key=lambda ticket: names.index(ticket_name(ticket)))
        used = chosen_routes(variant, snapshot, team) if has_stations(snapshot) else []
        joining = [*routes, *(route for route in used if route)]  # EU7
        completed = [ticket for ticket in tickets if is_completed(variant, joining, ticket)]
        failed = [ticket for ticket in tickets if ticket not in completed]
        breakdown = route_points(variant, [route for seat in seats for route in routes_of(variant, snapshot, seat)])
        breakdown["routes"] += sum(technologies_brought[seat] for seat in seats)
        breakdown["tickets"] = sum(ticket_points(variant, joining, ticket) for ticket in tickets)
        if variant.grand_tour:
            tours = sum(is_grand_tour(variant, routes, ticket) for ticket in completed)
            breakdown["grand_tour"] = GRAND_TOUR[min(tours, 5)]
        if "attractions" in deck.bonuses:
            breakdown["attractions"] = deck.bonuses["attractions"] * attractions(variant, routes)
        if variant.companies:
            holdings = [other["shares"] for other in snapshot["players"]]
            if snapshot["num_players"] <= variant.neutral_shareholder_up_to:
                holdings.append(snapshot["revealed_shares"])  # PA8
            breakdown["shares"] = share_points(variant, holdings, team)
        results.append({"breakdown": breakdown, "completed": completed, "failed": failed})
        if has_stations(snapshot):
            built = snapshot["players"][team]["stations"]
            breakdown["stations"] = STATION_POINTS * (STATIONS - len(built))  # EU8
            compared["stations_left"].append(STATIONS - len(built))  # EU9
            results[-1]["station_routes"] = [
                [city, [route.a, route.b, route.track] if route else None]
                for city, route in zip(built, used, strict=True)
            ]
        compared["cities"].append(most_cities(routes))
        compared["completed_tickets"].append(len(completed))
        compared["longest_path"].append(longest_path(network_of(routes)) if paths_count else 0)
        compared["mountain_routes"].append(sum(route.mountain > 0 for route in routes))
    for bonus, name in AWARDED_FOR.items():  # to all who have the most; to nobody if the most is zero (C17)
        for result, number in zip(results, compared[name], strict=True) if bonus in deck.bonuses else ():
            result["breakdown"][bonus] = deck.bonuses[bonus] if number == max(compared[name]) > 0 else 0
    if variant.all_technologies:
        for seat, result in enumerate(results):
            result["breakdown"]["technologies"] = points_of_technologies(snapshot, seat, compared)
    for result in results:
        result["score"] = sum(result["breakdown"].values())
    standings = [
        (result["score"], *(compared[name][team] for name in variant.tie_breaks)) for team, result in enumerate(results)
    ]
    for result, standing in zip(results, standings, strict=True):
        result["rank"] = 1 + sum(other > standing for other in standings)  # C18
    return [result for result, seats in zip(results, teams, strict=True) for _ in seats]


def points_of_technologies(snapshot: Mapping[str, Any], seat: int, compared: Mapping[str, Sequence[int]]) -> int:
    """What a seat's technologies bring or cost in the end (UK8, UK12)."""
    completed, paths = compared["completed_tickets"], compared["longest_path"]
    points = 2 * completed[seat] if holds(snapshot, seat, "double_heading") else 0
    if holds(snapshot, seat, "risky_contracts"):
        points += 20 if completed[seat] == max(completed) > 0 else -20
    if holds(snapshot, seat, "equalising_beam"):
        points += 15 if paths[seat] == max(paths) > 0 else -15
    return points
