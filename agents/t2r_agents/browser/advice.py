"""Why the planner does what it does, in words: for people who learn a game from it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from t2r_agents.browser.decision import Decision, MapDecision
from t2r_agents.browser.how_to_play import locomotives_use
from t2r_agents.browser.tickets import OFFERED, counted
from t2r_agents.browser.view import ticket_name
from t2r_agents.playing.planner import PlannerAgent
from t2r_agents.playing.planner.words import lacking
from t2r_env.render.words import listed
from t2r_env.rules.cards import CARDS
from t2r_env.rules.snapshot import members
from t2r_env.rules.text import count_cards
from t2r_env.variants import LOCOMOTIVE

_TENTHS = 10
_GENERAL = {
    "pay": "It keeps locomotives, and the colours that its plan needs.",
    "pay_more": "It has the cards, and the route is worth them.",
    "withdraw": "It has not the cards that the tunnel demands.",
    "from_rack": "It leaves the rack as full as it can.",
    "share_ticket": "On the rack of tickets your partner knows it, and can help.",
    "spend": "These cards are the ones that its plan can spare.",
    "take_share": "Of the shares on this route, this one brings most in the end.",
    "neutral_share": "There it harms you least.",
    "build": "The station lets it use a route of another player for a ticket.",
    "buy": "Routes of its plan need it, or it pays for itself.",
    "play_set": "These cards come to your track one by one, and its tickets need them.",
    "play_three": "Cards of three colours come to your track at once, one of each row.",
    "set_cards": "So many arrive in time.",
    "set_locomotives": "Locomotives stand in where the colour is short.",
    "complete": "The cards of your pile suffice for it, and it is among the best for them.",
    "stop": "What is left is not worth more.",
    "pass": "Nothing else can be done.",
}
"""The reasons that are the same at each decision, by action."""


def reason_of(decision: Decision, action: int) -> str:
    """Return in a sentence why the planner would take a legal action; it is the planner's choice."""
    description = next(it for number, it in decision.actions if number == action)
    name = description["action"]
    if name in _GENERAL:
        return _GENERAL[name]
    if name in ("keep_ticket", "refuse_ticket"):
        return _of_ticket(decision, keeps=name == "keep_ticket")
    if isinstance(decision, MapDecision):
        return _of_map(decision, description)
    if name == "draw_face_up":
        return "Its tickets need the colour, or a set of it is worth more with one card more."
    return "New tickets may fit the cards that come." if name == "draw_tickets" else "No card face up is worth more."


def told_together(decision: Decision) -> dict[str, Any]:
    """Return what the planner would do with all the tickets on offer: their names, in a sentence and with a reason.

    Nothing at other decisions, and for the last ticket on offer.
    """
    offered = decision.own["offered"]
    if decision.snapshot["phase"] != "keep_ticket" or len(offered) < 2:
        return {}
    names = [ticket_name(ticket, decision.configuration) for ticket in offered]
    kept = [name for name, keeps in zip(names, _keeps(decision, len(offered)), strict=True) if keeps]
    return {
        "kept": kept,
        "text": f"keep {listed(kept)}" if kept else "keep none of them",
        "reason": "Of all choices this one promises most: points, less the cards and trains that the ways take.",
    }


def plan_routes(decision: Decision) -> list[list[Any]]:
    """Return the routes of the planner's plan, each as [a, b, track]: those for its tickets, or else for their points.

    None in the Card Game, and while tickets are chosen, before which there is no plan.
    """
    if not isinstance(decision, MapDecision) or decision.snapshot["phase"] == "keep_ticket":
        return []
    plan, routes = _plan_of(decision), decision.configuration.variant.routes
    planned = members(plan["ticket_routes"]) or members(plan["routes"])
    return [[routes[it].a, routes[it].b, routes[it].track] for it in planned]


def _keeps(decision: Decision, number: int) -> list[bool]:
    """Return for each of the tickets left on offer whether the planner keeps it."""
    agent, views = PlannerAgent(), decision.given.views.copy()
    keep = decision.configuration.layout.actions["keep_ticket"].start
    found = []
    for _ in range(number):
        (action,) = agent.act(replace(decision.given, views=views))
        found.append(bool(action == keep))
        views["kept"][0, decision.seat] |= int(found[-1]) << int(views["offer_index"][0])
        views["offer_index"] += 1
    return found


def _of_ticket(decision: Decision, *, keeps: bool) -> str:
    """Return why the ticket to be decided on, the first of those on offer, is kept or not."""
    state = next(it for it in decision.outlook.states() if it.where == OFFERED)
    what = f"{state.points} points" + (f", and it {state.needs}" if state.needs.startswith("needs") else "")
    if keeps:
        return f"It brings {what}. With the others that it keeps it is worth its cards."
    return f"It would bring {what}. The others are worth more without it."


def _of_map(decision: MapDecision, description: Mapping[str, Any]) -> str:
    plan = _plan_of(decision)
    match description:
        case {"action": "claim", "a": a, "b": b, "track": track}:
            routes = decision.configuration.variant.routes
            route = next(it for it, route in enumerate(routes) if (route.a, route.b, route.track) == (a, b, track))
            return _of_claim(decision, plan, route)
        case {"action": "draw_face_up", "card": card}:
            return _of_card(plan, card, decision.configuration.variant)
        case {"action": "draw_tickets"}:
            gain = max(0, int(plan["ticket_gain"])) // _TENTHS
            return f"It has time for more tickets: they promise about {counted(gain, 'point')}."
        case {"action": "place", "where": "hand"}:
            return "Its own plan needs the colour."
        case {"action": "place"}:
            return "Its own plan has no need of it, and on the rack your partner can use it."
        case {"action": "draw_three"}:
            return "Three unknown cards are worth more than two that are seen."
    missing = lacking(plan)
    return f"No card face up is worth more{f', though its plan lacks {count_cards(missing)}' if missing else ''}."


def _of_claim(decision: MapDecision, plan: Any, route: int) -> str:
    points = counted(decision.points_of(route), "point")
    if purpose := decision.purpose(route):
        return f"It {purpose if purpose.startswith('completes') else f'lies on a shortest way {purpose}'}: {points}."
    if route in members(plan["ticket_routes"]):
        return f"It lies on the way that is planned for your tickets: {points}."
    return f"It is claimed for its points: {points}."


def _of_card(plan: Any, card: str, variant: Any) -> str:
    missing = lacking(plan)
    if card == LOCOMOTIVE:
        return f"{locomotives_use(variant)} No other card is worth more to it."
    if card in missing:
        return f"Its plan lacks {count_cards({card: missing[card]})}."
    if card == CARDS[plan["gray_colour"]]:
        return "It has most of this colour, and pays gray routes with it."
    return "Its plan lacks no card face up; this one is worth most besides."


def _plan_of(decision: MapDecision) -> Any:
    """Return the plan by which the planner acts at a decision, one record."""
    agent, given = PlannerAgent(), decision.given
    parameters, plans = agent.records_for(given.configuration)
    chosen = given.masks.argmax(axis=1)
    agent.act_function(given.views, given.masks, given.configuration.rules, parameters, plans, chosen)
    return plans[0]
