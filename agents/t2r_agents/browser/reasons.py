"""The reasons why something that a player points at can't be done now, in the words of the rules."""

from collections.abc import Mapping, Sequence
from typing import Any

from t2r_agents.browser.decision import Decision, MapDecision
from t2r_agents.browser.tickets import counted
from t2r_env.rules.text import count_cards
from t2r_env.variants import LOCOMOTIVE
from t2r_env.variants.variant import GRAY

_CLAIMING = ("turn", "second_claim")
_DRAWING = ("turn", "second_card")


def why_not(decision: Decision, target: Mapping[str, Any], names: Sequence[str] = ()) -> str:
    """Return in a sentence why nothing can be done now with a route, a city, a face-up card or a pile.

    `target` is one of `{"route": [a, b, track]}`, `{"city": id}`, `{"slot": number}` and `{"pile": name}`, as the
    drawing marks them. `names` are those of the players, by seat; without them they are player_0 and so on.
    Raises ValueError for anything else.
    """
    phase = decision.snapshot["phase"]
    players = names or decision.configuration.agents
    match target:
        case {"route": [str(a), str(b), int(track)]} if isinstance(decision, MapDecision):
            return _why_not_claim(decision, (a, b, track), players)
        case {"city": str(city)} if isinstance(decision, MapDecision):
            return _why_not_build(decision, city, players)
        case {"slot": int(slot)} if 0 <= slot < len(decision.snapshot["face_up"]):
            return _why_not_draw(decision, decision.snapshot["face_up"][slot])
        case {"pile": "deck"}:
            is_empty = phase in _DRAWING and not sum(decision.snapshot["deck"].values())
            return "The deck is empty (C2)." if is_empty else _other_decision(decision)
        case {"pile": "tickets"}:
            is_empty = phase == "turn" and not decision.snapshot["ticket_deck"]
            return "No tickets are left to draw (C12)." if is_empty else _other_decision(decision)
        case {"pile": "discard"}:
            return "Nobody takes cards from the discard (C2)."
    raise ValueError("target must be a route, a city, a slot or a pile of the picture")


def route_notes(decision: Decision, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return for each route, while routes can be claimed, its points and either its use or why it can't be claimed."""
    if not isinstance(decision, MapDecision) or decision.snapshot["phase"] not in _CLAIMING:
        return []
    claimable = {(it["a"], it["b"], it["track"]) for _, it in decision.actions if it["action"] == "claim"}
    return [
        {
            "route": [route.a, route.b, route.track],
            "text": decision.route_text(number),
            "points": decision.points_of(number),
            "note": decision.purpose(number) if key in claimable else _why_not_claim(decision, key, names),
        }
        for number, route in enumerate(decision.configuration.variant.routes)
        for key in [(route.a, route.b, route.track)]
    ]


def _other_decision(decision: Decision) -> str:
    return f"Not now: {decision.question}"


def _why_not_claim(decision: MapDecision, key: tuple[str, str, int], players: Sequence[str]) -> str:
    routes = decision.configuration.variant.routes
    number = next((it for it, route in enumerate(routes) if (route.a, route.b, route.track) == key), None)
    if number is None:
        raise ValueError("target must be a route of this game")
    route, owners = routes[number], decision.owners(number)
    if decision.seat in owners:
        return "You have claimed this route already (C9)."
    if owners:
        return f"{players[owners[0]]} has claimed this route (C9)."
    if not decision.is_open(number):
        return "It is closed by a claim of a parallel route (C11)."
    if decision.snapshot["phase"] not in _CLAIMING:
        return _other_decision(decision)
    if decision.own["trains"] < route.length:
        return f"It takes {counted(route.length, 'train')}, and you have {decision.own['trains']} (C9)."
    if lacking := decision.lacking_technologies(number):
        return f"It takes a technology that you lack: {', '.join(lacking)} (UK6)."
    if missing := decision.missing_cards(number):
        colours = {"of one colour" if card == GRAY else card: count for card, count in missing.items()}
        return f"You lack the cards for it: {count_cards(colours)} (C9). {decision.substitutes(number)}".rstrip()
    return _other_decision(decision)


def _why_not_build(decision: MapDecision, city: str, players: Sequence[str]) -> str:
    if city not in [it.id for it in decision.configuration.variant.cities]:
        raise ValueError("target must be a city of this game")
    if not decision.configuration.variant.stations:
        return "Nothing is built in cities: point at a route to claim it (C9)."
    for seat, player in enumerate(decision.snapshot["players"]):
        if city in player["stations"]:
            return f"{'You have' if seat == decision.seat else f'{players[seat]} has'} a station there (EU6)."
    if decision.snapshot["phase"] != "turn":
        return _other_decision(decision)
    price = decision.station_price
    if not price:
        return "You have no station left (EU6)."
    hand = decision.own["hand"]
    if price > hand[LOCOMOTIVE] + max(number for card, number in hand.items() if card != LOCOMOTIVE):
        return f"You lack the cards for a station: {counted(price, 'card')} of one colour (EU6)."
    return _other_decision(decision)


def _why_not_draw(decision: Decision, card: str | None) -> str:
    phase = decision.snapshot["phase"]
    if phase not in _DRAWING:
        return _other_decision(decision)
    if card is None:
        return "The slot is empty: the deck had no card to fill it (C3)."
    is_free = decision.configuration.rules[0].free_locomotives  # SW4, NO4
    if card == LOCOMOTIVE and phase == "second_card" and not is_free:
        return "A face-up locomotive can't be the second card (C8)."
    return _other_decision(decision)
