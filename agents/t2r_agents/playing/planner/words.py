"""The plan of a planning agent in words."""

from typing import Any

from t2r_env import Configuration
from t2r_env.render.words import listed
from t2r_env.rules.cards import CARDS
from t2r_env.rules.names import phases
from t2r_env.rules.snapshot import members
from t2r_env.rules.text import count_cards
from t2r_env.variants.variant import MapVariant

MOST_ROUTES = 2
"""The most routes that are named, the longest of the plan."""


def plan_text(configuration: Configuration, view: Any, plan: Any) -> str:
    """Return in a sentence what the acting seat of a view plans, by the plan, one record, that it has just acted by.

    Empty while it chooses tickets, and without a plan.
    """
    if view["phase"] in (phases.KEEP_TICKET, phases.COMPLETE):
        return ""
    if not isinstance(configuration.variant, MapVariant):
        number = int(plan["missing"])
        tickets = len(members(plan["tickets"]))
        return f"It works for {tickets} of its tickets: {number} cards missing." if tickets else ""
    for_tickets, all_routes = members(plan["ticket_routes"]), configuration.variant.routes
    routes = sorted(for_tickets or members(plan["routes"]), key=lambda it: -all_routes[it].length)
    if not routes:
        return ""
    named = listed(configuration.text.route_text(all_routes[it]) for it in routes[:MOST_ROUTES])
    purpose = "its tickets" if for_tickets else "their points"
    missing = lacking(plan)
    cards = f"{count_cards(missing)} missing for its plan" if missing else "it has the cards"
    return f"It collects for {named}, for {purpose}: {cards}."


def lacking(plan: Any) -> dict[str, int]:
    """Return the cards that a plan of a map game lacks, by colour."""
    spare = zip(CARDS, plan["spare_cards"].tolist(), strict=True)
    return {card: -number for card, number in spare if number < 0}
