"""What stays fixed during a map game: one record (`RULES`) made from a box, a number of players and options."""

from typing import Any

import numpy as np

from t2r_env.boxes.box import (
    EFFECTS,
    MAX_CITIES,
    MAX_COMPANIES,
    MAX_LANES,
    MAX_LANES_OF_CONNECTION,
    MAX_LENGTH,
    MAX_PLACES,
    MAX_TECHNOLOGIES,
    MAX_TICKETS,
    TIE_BREAKS,
    Lane,
    MapBox,
)
from t2r_env.rules.layout import Layout
from t2r_env.rules.map_game import actions, observe
from t2r_env.rules.map_game.setup import MapSetup
from t2r_env.rules.map_game.state import (
    LANE_COLOURS,
    LANE_WORDS,
    NO_COMPANY,
    NO_LANE,
    NO_TECHNOLOGY,
    NOWHERE,
    PARTS,
    PHASES,
    STATE,
)
from t2r_env.rules.records import WORD, record_dtype
from t2r_env.rules.rules import SHARED_FIELDS, layout_fields, words_of, write_layout, write_opening, write_shared
from t2r_env.rules.state import NO_ANSWER
from t2r_env.rules.ticket_queue import NO_TICKET
from t2r_env.rules.train_cards import EMPTY

# Numbers that loops run to, or that are passed on, are 64 bits wide: each width of an argument is compiled by itself.
RULES = record_dtype(
    [
        *SHARED_FIELDS,
        # The map
        ("num_cities", "i8"),
        ("num_lanes", "i8"),
        ("lane_a", "i1", (MAX_LANES,)),
        ("lane_b", "i1", (MAX_LANES,)),
        ("lane_length", "i1", (MAX_LANES,)),
        ("lane_ferry", "i1", (MAX_LANES,)),  # locomotive symbols (C14)
        ("lane_trains", "i1", (MAX_LANES,)),  # trains that it takes: its length, and one for each X (LA5)
        ("lane_colour", "i1", (MAX_LANES,)),
        ("lane_tunnel", "i8", (MAX_LANES,)),  # cards turned up for it (TA10)
        (
            "capacity",
            "i1",
            (MAX_LANES,),
        ),  # lanes of its connection that may be claimed in all; 0: any number (C11, TA9)
        ("connection", WORD, (MAX_LANES, LANE_WORDS)),  # the lanes of each lane's connection, itself included
        ("touching", WORD, (MAX_CITIES, LANE_WORDS)),  # the lanes at each city
        ("up_to_length", WORD, (len(LANE_COLOURS), MAX_LENGTH + 1, LANE_WORDS)),  # lanes of a colour, up to a length
        ("up_to_trains", WORD, (MAX_LENGTH + 1, LANE_WORDS)),  # lanes that take so many trains at most
        ("up_to_symbols", WORD, (MAX_LENGTH + 1, LANE_WORDS)),  # lanes with so many locomotive symbols at most
        ("reducible", WORD, (LANE_WORDS,)),  # lanes that Diesel Power makes cheaper (UK12)
        ("mountains", WORD, (LANE_WORDS,)),  # lanes with an X
        ("mountain_points", "i2"),  # for each X
        ("attractions", WORD),  # cities with one (NY5)
        ("with_symbols", WORD, (MAX_LENGTH + 1, LANE_WORDS)),  # lanes with just so many
        ("max_symbols", "i8"),
        ("points", "i2", (MAX_LENGTH + 1,)),  # for a lane of each length (C10)
        # Cards, trains, tickets
        ("lays_out", "i1"),  # 1: payments may take more than one step, and lie apart meanwhile (C2)
        ("num_teams", "i8"),  # teams, each with its racks (TA2); 0 if each plays for himself
        ("trains", "i1"),
        ("num_regular", "i8"),  # of them in the ticket deck; the others, which come last, are long ones (LA2)
        ("ticket_a", WORD, (MAX_TICKETS,)),  # the cities that meet the ticket's one end (C16)
        ("ticket_b", WORD, (MAX_TICKETS,)),
        ("long_offer", "i1"),
        # Technologies (UK5, UK6, UK8)
        ("exchange", "i8"),  # coloured cards that stand for a locomotive; 0 if they never do
        ("num_technologies", "i8"),
        ("technology_price", "i8", (MAX_TECHNOLOGIES,)),
        ("technology_copies", "i1", (MAX_TECHNOLOGIES,)),
        ("technology_with", "i8", (len(EFFECTS),)),  # which one has the effect, or NO_TECHNOLOGY
        ("takes_technology", WORD, (MAX_TECHNOLOGIES, LANE_WORDS)),  # the lanes that nobody claims without each
        # Shares (PA4, PA5, PA8)
        ("num_companies", "i8"),
        ("num_shares", "i8"),
        ("company_shares", WORD, (MAX_COMPANIES,)),
        ("company_points", "i2", (MAX_COMPANIES, MAX_PLACES)),  # of each place, the first first
        ("lane_shares", WORD, (MAX_LANES,)),  # of the companies shown on each lane
        ("neutral_shareholder", "i1"),  # 1: a neutral player holds shares too
        # The end
        ("last_round_trains", "i1"),  # so few trains of a side bring the last round (C15, TA11)
        ("bonus", "i2", (len(PARTS),)),  # points of each bonus, 0 if there is none
        ("needs_longest_path", "i1"),  # 1: a bonus or a tie-break compares them
        # Where actions and observations lie
        *layout_fields(actions.BLOCKS, observe.SEGMENTS, PHASES),
        ("rack_width", "i8"),  # numbers of cards of one kind that an answer may take from a rack, from 0
        ("pay_width", "i8"),  # payments of each colour: the length of the longest lane
    ]
)


def make_rules(setup: MapSetup, layout: Layout) -> np.ndarray[Any, Any]:
    """The Rules record, as an array of shape (1,)."""
    rules = np.zeros(1, RULES)
    record, box = rules[0], setup.box
    write_shared(record, setup, TIE_BREAKS)
    _write_map(record, setup)
    record.reshuffles = True
    record.lays_out = setup.has_racks or setup.has_tunnels or box.exchange > 0
    record.num_teams = setup.num_sides if setup.has_racks else 0
    record.trains = box.trains
    record.row_sweep = box.row_sweep
    record.last_round_trains = box.last_round_trains
    record.needs_longest_path = "longest_path" in (*box.tie_breaks, *setup.deck.bonuses) or setup.has_effect(
        "equalising_beam"
    )
    _write_tickets(record, setup)
    _write_technologies(record, setup)
    _write_shares(record, setup)
    write_layout(record, setup, layout, actions.BLOCKS, observe.SEGMENTS, PHASES)
    record.rack_width = setup.most_from_rack + 1
    record.pay_width = setup.largest_payment
    return rules


def _write_map(record: Any, setup: MapSetup) -> None:
    box = setup.box
    number_of = {city.id: number for number, city in enumerate(box.cities)}
    record.num_cities = len(box.cities)
    record.num_lanes = len(box.lanes)
    record.points[: len(box.points)] = box.points
    record.mountain_points = box.mountain_points
    record.attractions = np.uint64(sum(1 << number for number, city in enumerate(box.cities) if city.attraction))
    record.max_symbols = max(lane.ferry for lane in box.lanes)
    connections: dict[object, int] = {}
    for number, lane in enumerate(box.lanes):
        connections[_connection(lane)] = connections.get(_connection(lane), 0) | 1 << number
    for number, lane in enumerate(box.lanes):
        colour = LANE_COLOURS.index(lane.colour)
        record.lane_a[number] = number_of[lane.a]
        record.lane_b[number] = number_of[lane.b]
        record.lane_length[number] = lane.length
        record.lane_ferry[number] = lane.ferry
        record.lane_trains[number] = lane.trains
        record.lane_colour[number] = colour
        record.lane_tunnel[number] = lane.tunnel
        lanes = connections[_connection(lane)]
        record.connection[number] = words_of(lanes, LANE_WORDS)
        record.capacity[number] = _capacity(setup, lane, lanes.bit_count())
        this = words_of(1 << number, LANE_WORDS)
        record.touching[number_of[lane.a]] |= this
        record.touching[number_of[lane.b]] |= this
        record.up_to_length[colour, lane.length :] |= this
        record.up_to_trains[lane.trains :] |= this
        record.up_to_symbols[lane.ferry :] |= this
        record.with_symbols[lane.ferry] |= this
        if lane.length > max(1, lane.ferry):
            record.reducible |= this
        if lane.mountain:
            record.mountains |= this


def _connection(lane: Lane) -> object:
    """What the lanes of one connection have in common (UK4)."""
    return lane if lane.separate else (lane.a, lane.b)


def _capacity(setup: MapSetup, lane: Lane, number: int) -> int:
    """How many lanes of a connection of so many may be claimed; 0 if it never closes (C11, TA9)."""
    box = setup.box
    if setup.num_players > box.double_connections_closed_up_to or lane.stays_open:
        return 0
    return box.triple_connection_claims if number == MAX_LANES_OF_CONNECTION else 1


def _write_tickets(record: Any, setup: MapSetup) -> None:
    box, deck = setup.box, setup.deck
    record.num_regular = len(deck.regular)
    for number, ticket in enumerate(deck.tickets):
        record.ticket_a[number] = _cities_meeting(box, ticket.a)
        record.ticket_b[number] = _cities_meeting(box, ticket.b)
    record.long_offer = deck.long_offered
    for name, points in deck.bonuses.items():
        record.bonus[PARTS.index(name)] = points


def _write_technologies(record: Any, setup: MapSetup) -> None:
    record.exchange = setup.box.exchange
    record.num_technologies = len(setup.technologies)
    record.technology_with[:] = NO_TECHNOLOGY
    for number, technology in enumerate(setup.technologies):
        record.technology_price[number] = technology.price
        record.technology_copies[number] = technology.copies
        if technology.effect:
            record.technology_with[EFFECTS.index(technology.effect)] = number
        opened = [technology.opens(lane, setup.box.regions_of(lane)) for lane in setup.box.lanes]
        record.takes_technology[number] = words_of(sum(1 << lane for lane, opens in enumerate(opened) if opens), 2)


def _write_shares(record: Any, setup: MapSetup) -> None:
    box = setup.box
    record.num_companies = len(box.companies)
    record.neutral_shareholder = setup.has_neutral_shareholder
    first = 0
    shares_of: dict[str, np.uint64] = {}
    for number, company in enumerate(box.companies):
        shares_of[company.id] = np.uint64(((1 << company.shares) - 1) << first)
        record.company_shares[number] = shares_of[company.id]
        record.company_points[number, : len(company.points)] = company.points
        first += company.shares
    record.num_shares = first
    for number, lane in enumerate(box.lanes):
        for company_id in lane.companies:
            record.lane_shares[number] |= shares_of[company_id]


def _cities_meeting(box: MapBox, end: str) -> np.uint64:
    """The cities that meet one end of a ticket: the city itself, or any of the group (C16)."""
    meeting = [number for number, city in enumerate(box.cities) if end in (city.id, city.region)]
    return np.uint64(sum(1 << number for number in meeting))


def opening(rules: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The State before anything is shuffled or dealt, as an array of shape (1,): every game begins as a copy of it."""
    states = np.zeros(1, STATE)
    state, record = states[0], rules[0]
    seats = slice(record.num_seats)
    state.open[seats] = words_of((1 << int(record.num_lanes)) - 1, LANE_WORDS)
    state.component[:] = range(MAX_CITIES)
    write_opening(state, record)
    state.unplaced = EMPTY
    state.placed = NOWHERE
    state.trains[seats] = record.trains
    state.shares_left = np.bitwise_or.reduce(record.company_shares)
    state.lane = NO_LANE
    state.payment = state.extra = NO_ANSWER
    state.technology = state.bought = NO_TECHNOLOGY
    state.technologies_left = record.technology_copies
    state.sharing[:] = NO_TICKET
    state.company = NO_COMPANY
    return states
