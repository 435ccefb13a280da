"""The one line over the board: whose turn it is and what is asked, or how the game ended."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from t2r_env.configuration import Configuration
from t2r_env.render.words import Words, counted, number_word, score_text, sentence
from t2r_env.rules.text import count_cards

Snapshot = Mapping[str, Any]


def headline(
    snapshot: Snapshot, configuration: Configuration, seat: int | None = None, names: Sequence[str] = ()
) -> str:
    """Return the line for a seat, from what it knows; with seat None for somebody who watches and sees everything.

    `names`: a name for each seat; without them a seat is `player_0` and so on. Raises ValueError for others, and for a
    seat that there is not.
    """
    words = Words(configuration, seat, names)
    if snapshot["current_player"] is None:
        return result_line(snapshot, words)
    line = waiting_line(snapshot, words)
    left = snapshot["last_turns_left"]
    return f"{sentence(line)} Last round: {counted(left, 'turn')} left" if left else line


def question(snapshot: Snapshot, words: Words) -> str:
    """Return what the acting seat is asked."""
    return _QUESTIONS[snapshot["phase"]](snapshot, words)


def waiting_line(snapshot: Snapshot, words: Words) -> str:
    """Return whose turn it is, and what is asked if the reader is to answer, or sees everything."""
    seat, phase = snapshot["current_player"], snapshot["phase"]
    if seat == words.reader:
        return question(snapshot, words)
    if words.reader is None and phase != "turn":
        asked = question(snapshot, words)
        return f"{words.name(seat)} is to {_TASKS.get(phase) or asked[:1].lower() + asked[1:]}"
    if snapshot["turn"] == 0:
        return "The others choose their tickets"
    if phase == "complete":
        return "The others complete their tickets"
    return f"{words.name(seat)}’s turn"


# The end


def result_line(snapshot: Snapshot, words: Words) -> str:
    """Return how an ended game ended, with the best score first."""
    if snapshot["outcome"] == "truncated":
        return f"The game was broken off after {snapshot['turn']} turns"
    if snapshot["outcome"] == "forfeited":
        return "The game ended by a forfeit"
    final = snapshot["final"]
    teams = sorted(words.teams(), key=lambda team: final[team[0]]["rank"])
    scores = score_text(final[team[0]]["score"] for team in teams)
    best = [team for team in teams if final[team[0]]["rank"] == 1]
    winners = sorted(seat for team in best for seat in team)
    if len(best) > 1:
        return f"{words.names(winners)} share the victory {scores}"
    return f"{words.do(winners, 'win')[:-1]} {scores}"


# Questions, by phase


def _turn(snapshot: Snapshot, words: Words) -> str:
    bought = [it["technology"] for it in snapshot["pending"] if it["action"] == "buy"]
    effects = {it.id: it.effect for it in getattr(words.variant, "all_technologies", ())}
    if any(effects[technology] == "right_of_way" for technology in bought):
        return "Claim a route that another player has"
    return f"Your turn, with {words.technology(bought[0])}" if bought else "Your turn"


def _second_card(snapshot: Snapshot, words: Words) -> str:
    return "Draw a second card, or stop" if words.variant.ruleset == "card_game" else "Draw a second card"


def _pay(snapshot: Snapshot, words: Words) -> str:
    match snapshot["subject"]:
        case {"technology": technology}:
            return f"Pay for {words.technology(technology)}"
        case {"city": city}:
            return f"Pay for a station in {words.city(city)}"
        case {"route": route}:
            return f"Pay for {words.route(route)}"
    return "Pay"


def _keep_ticket(snapshot: Snapshot, words: Words) -> str:
    deck: Any = words.configuration.deck
    least = deck.starting.keep
    if snapshot["turn"] > 0:
        offered = len(snapshot["players"][snapshot["current_player"]]["offered"])
        decided = [it for it in snapshot["pending"] if it["action"] in ("keep_ticket", "refuse_ticket")]
        least = min(deck.later.keep, offered + len(decided))
    return f"Choose your tickets: keep {number_word(least)} or more" if least else "Choose your tickets"


def _place(snapshot: Snapshot, words: Words) -> str:
    return f"Put the {snapshot['drawn'] or 'new'} card into your hand or on the rack"


def _from_rack(snapshot: Snapshot, words: Words) -> str:
    return f"Pay for {words.route(snapshot['subject']['route'])}: which cards come from the rack?"


def _tunnel(snapshot: Snapshot, words: Words) -> str:
    subject = snapshot["subject"]
    due = count_cards({subject["colour"]: subject["due"]})
    return f"Pay {due} more for {words.route(subject['route'])}, or withdraw"


def _share(snapshot: Snapshot, words: Words) -> str:
    is_second = snapshot["turn"] > 0 and not snapshot["pending"]
    return "Put a second ticket on the team’s rack, or stop" if is_second else "Choose a ticket for the team’s rack"


def _take_share(snapshot: Snapshot, words: Words) -> str:
    return f"Take a share for {words.route(snapshot['subject']['route'])}"


def _set_cards(snapshot: Snapshot, words: Words) -> str:
    return f"How many {snapshot['subject']['set']} cards do you play?"


def _set_locomotives(snapshot: Snapshot, words: Words) -> str:
    subject = snapshot["subject"]
    return f"How many locomotives go with the {count_cards({subject['set']: subject['cards']})}?"


_QUESTIONS: Mapping[str, Callable[[Snapshot, Words], str]] = {
    "turn": _turn,
    "second_card": _second_card,
    "pay": _pay,
    "keep_ticket": _keep_ticket,
    "place": _place,
    "from_rack": _from_rack,
    "tunnel": _tunnel,
    "share": _share,
    "second_claim": lambda snapshot, words: "Claim a second route, or stop",
    "take_share": _take_share,
    "neutral_share": lambda snapshot, words: "Choose a share for the neutral player",
    "set_cards": _set_cards,
    "set_locomotives": _set_locomotives,
    "complete": lambda snapshot, words: "Which tickets do you complete?",
}
"""The question to the acting seat, by phase."""
_TASKS = {
    "keep_ticket": "choose tickets",
    "place": "put the card into the hand or on the rack",
    "from_rack": "choose cards of the rack",
    "set_cards": "choose the cards of a set",
    "set_locomotives": "choose the locomotives of a set",
    "complete": "complete tickets",
}
"""The task of another seat, where it has other words than the question."""
