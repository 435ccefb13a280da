"""The columns of the graph observation: names, widths and meanings, the same for every map game.

A column with the name of a segment of the vector observation holds that segment, with zeros where a game has less of
it. Seats are counted from the observing one in turn order. New columns come last in their table: networks know columns
by their place.
"""

from t2r_env.basics.sizes import MAX_COMPANIES, MAX_DESTINATIONS, MAX_RACKS, MAX_SEATS, MAX_SHARES, MAX_TECHNOLOGIES
from t2r_env.core.layout import Segments
from t2r_env.rules.cards import CARD_TYPES, FACE_UP_SLOTS
from t2r_env.rules.map_game.records import ROUTE_COLOURS
from t2r_env.rules.names import BLOCKS, PARTS, PHASES, blocks, phases

MAP_PHASES = PHASES[: phases.NEUTRAL_SHARE + 1]
MAP_BLOCKS = BLOCKS[: blocks.BUILD + 1]
UNREACHABLE = 255
"""The value of `lacking` where no cards or spaces are enough."""
_ONE = (1,)

CITIES = Segments.of(
    [
        ("is_city", _ONE, "1: a city"),
        ("is_region", _ONE, "1: no city, but a country or group that tickets name; its members name this row"),
        ("attraction", _ONE, "1: it has an attraction (NY5)"),
        ("stations", (MAX_SEATS,), "1: it has a station of the seat (EU6)"),
        ("subject_city", _ONE, "1: its station is being paid for"),
        ("network", (MAX_SEATS,), "1: a route of the seat ends here"),
        ("open_tickets", _ONE, "own tickets, not completed, that end here"),
        ("ticket_points", _ONE, "the points of these tickets together: how urgent the city is"),
        ("offers", _ONE, "tickets on offer, not decided on, that end here"),
    ]
)
ROUTES = Segments.of(
    [
        ("length", _ONE, "spaces"),
        ("takes_trains", _ONE, "trains that it takes (LA5)"),
        ("points", _ONE, "points for it (C10)"),
        ("colour", (len(ROUTE_COLOURS),), f"one-hot: {', '.join(ROUTE_COLOURS)}"),
        ("ferry", _ONE, "locomotive symbols (C14)"),
        ("tunnel", _ONE, "cards turned up for it (EU5, TA10)"),
        ("mountain", _ONE, "X symbols (LA5)"),
        ("takes_locomotives", _ONE, "1: locomotives can be paid for it (NO5, SW5)"),
        ("exchange", _ONE, "cards that stand for one, 0 if none do (UK5, NO6, NO8)"),
        ("parallel", _ONE, "routes between its cities, itself included (C11)"),
        ("needs_technology", (MAX_TECHNOLOGIES,), "1: nobody claims it without this technology (UK6)"),
        ("companies", (MAX_COMPANIES,), "1: it shows the company (PA4)"),
        ("claimed", (MAX_SEATS,), "1: the seat has it"),
        ("subject_route", _ONE, "1: it is being claimed"),
        ("own", _ONE, "1: the observing seat's team has it"),
        ("open", _ONE, "1: nobody has it, and it is not closed to the observing seat (C11)"),
        (
            "lacking",
            _ONE,
            "cards that hand and own rack lack to pay for it in their best colour, exchanges left out; 0 if not open",
        ),
        ("ways", _ONE, "own tickets, not completed, of which a shortest way (`lacking` of tickets) takes this route"),
        ("way_points", _ONE, "the points of these tickets together"),
    ]
)
TICKETS = Segments.of(
    [
        ("points", _ONE, "points for completing it, of its best destination"),
        ("failure", _ONE, "points lost if it is not completed"),
        ("is_long", _ONE, "1: a long ticket, dealt at the start alone (LA2)"),
        ("destination_points", (MAX_DESTINATIONS,), "points by destination, in the order of `ticket_ends` (SW8)"),
        ("tickets", _ONE, "1: in the hand"),
        ("offered", _ONE, "1: on offer, not decided on"),
        ("kept", _ONE, "1: on offer, and kept (C6)"),
        ("subject_ticket", _ONE, "1: to be kept or refused now"),
        ("completed", _ONE, "1: in the hand and completed"),
        ("rack_tickets", _ONE, "1: on the own team's rack"),
        ("rack_completed", _ONE, "1: on the own team's rack and completed"),
        ("to_share", _ONE, "1: may be put on the rack now"),
        ("sharing", _ONE, "1: chosen for the rack at the start (TA4)"),
        (
            "lacking",
            _ONE,
            "of own and offered tickets: the spaces of the shortest way over own and open routes that are not claimed"
            f" yet; {UNREACHABLE} if there is no way",
        ),
    ]
)
PLAYERS = Segments.of(
    [
        ("is_seat", _ONE, "1: a player"),
        ("is_neutral", _ONE, "1: the neutral player, who only holds shares (PA8)"),
        ("is_own_team", _ONE, "1: the observing seat or a teammate"),
        ("to_move", _ONE, "1: the acting seat"),
        ("next_turn", _ONE, "1: takes the next turn (C7)"),
        ("score", _ONE, "points so far (0 if negative, 255 if more)"),
        ("trains", _ONE, "trains left"),
        ("hand_count", _ONE, "train cards in the hand"),
        ("ticket_count", _ONE, "tickets in the hand"),
        ("known", (CARD_TYPES,), "cards in the hand that all know of, by colour"),
        ("stations_left", _ONE, "stations left (EU6)"),
        ("technologies", (MAX_TECHNOLOGIES,), "1: has the technology (UK8)"),
        ("share_count", (MAX_COMPANIES,), "shares by company (PA4)"),
        ("shares", (MAX_SHARES,), "1: has the share, company by company (PA4)"),
    ]
)
TABLE = Segments.of(
    [
        ("players", _ONE, "players"),
        ("last_round_trains", _ONE, "with so few trains a team begins the last round (C15)"),
        ("bonus", (len(PARTS),), f"points of bonuses, by part of the score: {', '.join(PARTS)}"),
        ("phase", (len(MAP_PHASES),), f"one-hot: {', '.join(MAP_PHASES)}"),
        ("turns_left", _ONE, "turns left before the turn limit (C19); 255 if there are more"),
        ("last_turns_left", _ONE, "in the last round: turns not yet finished; 0 before it"),
        ("passes", _ONE, "passes in succession (C13)"),
        ("hand", (CARD_TYPES,), "cards in the own hand, by colour"),
        (
            "wanted",
            (len(ROUTE_COLOURS),),
            f"spaces of the open routes on the ways of own tickets, by colour: {', '.join(ROUTE_COLOURS)}",
        ),
        ("face_up", (FACE_UP_SLOTS, CARD_TYPES), "one-hot for each slot: its card"),
        ("discard", (CARD_TYPES,), "cards in the discard, by colour"),
        ("deck_count", _ONE, "cards in the deck"),
        ("ticket_deck_count", _ONE, "tickets in the ticket deck"),
        ("subject_payment", (CARD_TYPES,), "one-hot: the colour of the payment under way; locomotives alone last"),
        (
            "subject_cards",
            (2,),
            "coloured cards and locomotives still to be laid out; at a tunnel the cards due, and 0",
        ),
        ("set_aside", (2, CARD_TYPES), "cards laid out for the payment under way, from hand and rack"),
        ("revealed", (CARD_TYPES,), "cards turned up for the tunnel"),
        ("placed", (2,), "one-hot: where this turn's first card went, hand or rack (TA5)"),
        ("drawn", (CARD_TYPES,), "one-hot: the card drawn that goes to hand or rack (TA5)"),
        ("rack", (CARD_TYPES,), "cards on the own team's rack, by colour"),
        ("rack_count", (MAX_RACKS,), "cards on each rack, the own team's first"),
        ("rack_known", (MAX_RACKS, CARD_TYPES), "cards on each rack that all know of, by colour"),
        ("rack_ticket_count", (MAX_RACKS,), "tickets on each rack"),
        ("claims", _ONE, "routes claimed this turn (UK12)"),
        ("bought", (MAX_TECHNOLOGIES,), "one-hot: the technology bought this turn"),
        ("subject_technology", (MAX_TECHNOLOGIES,), "one-hot: the technology that is being paid for"),
        ("technologies_left", (MAX_TECHNOLOGIES,), "copies of each technology in the supply"),
        ("shares_left", (MAX_COMPANIES,), "shares of each company that are not taken"),
    ]
)
ACTIONS = Segments.of(
    [
        ("kind", (len(MAP_BLOCKS),), f"one-hot: {', '.join(MAP_BLOCKS)}"),
        ("colour", (CARD_TYPES,), "one-hot: the colour that it is about; of `draw_face_up` that of the slot's card"),
        ("held", _ONE, "cards of this colour in the own hand"),
        ("wanted", _ONE, "`wanted` of this colour; of locomotives that of gray routes"),
        ("cards", _ONE, "coloured cards that it says"),
        ("locomotives", _ONE, "locomotives that it says"),
        ("to_rack", _ONE, "1: `place` on the rack"),
        ("technology", (MAX_TECHNOLOGIES,), "one-hot: the technology that it is about"),
        ("company", (MAX_COMPANIES,), "one-hot: the company that it is about; none if no share is taken"),
    ]
)
