"""A snapshot of a seat's view as the page lays it out: cards, piles, and what all may know of every player."""

from collections.abc import Mapping, Sequence
from typing import Any

from t2r_agents.browser.tickets import Outlook, counted
from t2r_env.rules.text import destinations

Snapshot = Mapping[str, Any]
Message = dict[str, Any]


def view_message(snapshot: Snapshot, configuration: Any, outlook: Outlook | None) -> Message:
    """Return what a page shows around the map; with the tickets of the seat whose outlook is given."""
    message: Message = {
        "face_up": snapshot["face_up"],
        "deck": sum(snapshot["deck"].values()),
        "discard": sum(snapshot["discard"].values()),
        "ticket_deck": len(snapshot["ticket_deck"]),
        "turn": snapshot["turn"],
        "last_turns_left": snapshot["last_turns_left"],
        "current": snapshot["current_player"],
        "players": [_player(snapshot, configuration, seat) for seat in range(snapshot["num_players"])],
        "revealed": _present(snapshot["revealed"]),
        "set_aside": _set_aside(snapshot["set_aside"]),
        "subject": snapshot["subject"],
        "rack": {},
        "tickets": [],
        "supplies": _supplies(snapshot, configuration),
    }
    if outlook is not None:
        message["tickets"] = [{**vars(it), "ticket": ticket_name(it.ticket, configuration)} for it in outlook.states()]
        if teams := snapshot.get("teams"):
            message["rack"] = _present(teams[outlook.seat // configuration.variant.team_size]["rack"])
    return message


def _player(snapshot: Snapshot, configuration: Any, seat: int) -> Message:
    """Return what is known of a player; of cards that are not known the number."""
    player, variant = snapshot["players"][seat], configuration.variant
    known = [ticket for ticket in player["tickets"] if ticket]
    message: Message = {
        "seat": seat,
        "score": player["score"],
        "cards": sum(player["hand"].values()),
        "hand": _present(player["hand"]),
        "tickets": len(player["tickets"]),
        "held": [ticket_name(ticket, configuration) for ticket in known],
        "is_current": seat == snapshot["current_player"],
    }
    for name in ("trains", "mountain_routes"):
        if name in player:
            message[name] = player[name]
    if "stations" in player:
        message["stations"] = len(variant.stations.prices) - len(player["stations"])
    if "technologies" in player:
        names = {it.id: it.name for it in configuration.technologies}
        message["technologies"] = [names[it] for it in player["technologies"]]
    if "shares" in player:
        message["shares"] = {company.upper(): len(shares) for company, shares in player["shares"].items() if shares}
    if "teams" in snapshot:
        message["team"] = seat // variant.team_size
        message["rack"] = _present(snapshot["teams"][message["team"]]["rack"])
    if "yard" in player:
        message |= {
            "yard": player["yard"],
            "on_track": _present(player["on_track"]),
            "completed": [ticket_name(ticket, configuration) for ticket in player["completed"] if ticket],
        }
    return message


def _supplies(snapshot: Snapshot, configuration: Any) -> list[Message]:
    """Return technologies and companies: what is left of each."""
    technologies = [
        {"name": it.name, "left": snapshot["technologies"][it.id], "note": counted(it.price, "locomotive")}
        for it in getattr(configuration, "technologies", ())
        if it.id in snapshot.get("technologies", ())
    ]
    companies = [
        {
            "name": f"{it.name} ({it.id.upper()})",
            "left": len(snapshot["companies"][it.id]),
            "note": " / ".join(map(str, it.points)),
        }
        for it in getattr(configuration.variant, "companies", ())
    ]
    return technologies + companies


def ticket_name(ticket: Sequence[Any], configuration: Any) -> str:
    """Return a ticket in a few words, with its points."""
    city = configuration.text.city
    ends = [f"{city(end)} ({points})" for end, points in destinations(ticket)]
    return f"{city(ticket[0])}–{' / '.join(ends)}"


def _set_aside(piles: Mapping[str, Any]) -> dict[str, int]:
    """Return the cards laid out for a payment, from the hand and from the rack together."""
    if piles and all(isinstance(pile, Mapping) for pile in piles.values()):
        together: dict[str, int] = {}
        for pile in piles.values():
            for card, number in pile.items():
                together[card] = together.get(card, 0) + number
        return _present(together)
    return _present(piles)


def _present(cards: Mapping[str, int]) -> dict[str, int]:
    return {card: number for card, number in cards.items() if number}
