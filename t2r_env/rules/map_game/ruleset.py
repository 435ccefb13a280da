"""Map games as a ruleset."""

from typing import Any

from t2r_env.core.records import dtype_of
from t2r_env.rules.cards import CARD_TYPES, EMPTY
from t2r_env.rules.map_game import records
from t2r_env.rules.map_game.observe import lay_out
from t2r_env.rules.map_game.setup import lay_out_blocks, write_opening, write_rules
from t2r_env.rules.map_game.snapshot import MapSnapshot
from t2r_env.rules.map_game.text import MapText
from t2r_env.rules.names import NO_ACTION
from t2r_env.rules.ruleset import Ruleset
from t2r_env.rules.state import NO_TICKET, SharedScratch
from t2r_env.sizes import MAX_SEATS, MAX_TRAIN_CARDS, MAX_TUNNEL


def _bounds(rules: Any) -> dict[str, tuple[int, int]]:
    """Return the least and the greatest value of the fields of map games."""
    cards, actions, tickets = (0, MAX_TRAIN_CARDS), (NO_ACTION, int(rules.num_actions) - 1), int(rules.num_tickets)
    routes, cities = (records.NO_ROUTE, int(rules.num_routes) - 1), (records.NO_CITY, int(rules.num_cities) - 1)
    technologies = (records.NO_TECHNOLOGY, int(rules.num_technologies) - 1)
    return {
        "trains": (0, int(rules.trains)),
        "passes": (0, int(rules.num_seats)),
        "route": routes,
        "payment": actions,
        "extra": actions,
        "due": (0, MAX_TUNNEL),
        **dict.fromkeys(("set_aside", "revealed", "rack", "rack_known", "rack_count"), cards),
        "unplaced": (EMPTY, CARD_TYPES - 1),
        "placed": (records.NOWHERE, records.RACK),
        "rack_ticket_count": (0, tickets),
        "to_share_count": (0, tickets),
        "sharing": (NO_TICKET, tickets - 1),
        "moved": (0, 1),
        "technologies": (0, (1 << int(rules.num_technologies)) - 1),
        "technologies_left": (0, MAX_SEATS),
        "technology": technologies,
        "bought": technologies,
        "claims": (0, 2),
        "company": (records.NO_COMPANY, int(rules.num_companies) - 1),
        "stations": cities,
        "station_routes": routes,
        "city": cities,
    }


MAP_GAME = Ruleset(
    state=dtype_of(records.MapState),
    rules=dtype_of(records.MapRules),
    scratch=dtype_of(SharedScratch),
    scoring=dtype_of(records.MapScoringScratch),
    vector_parts=lay_out,
    blocks=lay_out_blocks,
    write_rules=write_rules,
    write_opening=write_opening,
    text=MapText,
    snapshot=MapSnapshot,
    bounds=_bounds,
)
