"""Actions as short texts, and the parser of such texts."""

import difflib
import functools
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_env.basics.reading import shown
from t2r_env.configuration import Configuration
from t2r_env.rules.text import Text, count_cards, destinations
from t2r_env.text.answers import move_in
from t2r_env.variants import LOCOMOTIVE
from t2r_env.variants.variant import Route

_WORD = re.compile(r"[^\W_]+")
_FILLERS = {"a", "an", "and", "card", "cards", "from", "of", "the"}
_LETTERS = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "'": "", "’": ""})
_NEAREST = 5
"""The texts that an error names."""
_LONGEST = 1_000
"""The characters of the longest text that can name an action: an answer without a move may be longer."""
_COMPARED = 200
"""The characters of a wrong text that are compared with those of actions, to find the nearest."""
_REMEMBERED = 32
"""The configurations, those with other names of cities included, whose details of routes and tickets are kept."""


@dataclass(frozen=True)
class LegalAction:
    """An action that a seat may take: equal actions, such as two red face-up cards, are one."""

    text: str
    """Its text, as `action_text` returns it."""
    action: int
    """The lowest number of the equal actions."""
    forms: tuple[tuple[str, ...], ...]
    """The words of the texts that the parser takes for it: with the cities in either order, and its description."""

    @classmethod
    def of_text(cls, text: str, action: int) -> "LegalAction":
        """Return an action of which only the text and the number are known, as in other tools' harnesses."""
        verb, _, rest = text.partition(" ")
        ends, bracket, detail = rest.partition(" (")
        names = ends.split("-")
        turned = ["-".join([*names[place:], *names[:place]]) for place in range(1, len(names))]
        texts = [text, *(f"{verb} {ends}{bracket}{detail}" for ends in turned), text]
        return cls(text, action, tuple(map(plain_words, texts)))


def action_text(action: Mapping[str, Any], configuration: Configuration) -> str:
    """Return the text of an action, which is given as `describe` returns it.

    Actions that do the same have the same text. Raises ValueError for what is not a description of an action.
    """
    return _texts(action, configuration)[0]


def legal_actions(configuration: Configuration, view: Any, mask: NDArray[np.int8]) -> list[LegalAction]:
    """Return what may be done at a decision, equal actions once, in the order of their numbers.

    `view` is what the acting seat knows, a row of `Games.views()`; `mask` its mask, int8 (actions,).
    """
    found: dict[str, LegalAction] = {}
    for action in np.flatnonzero(mask):
        description = configuration.text.describe(view, int(action))
        text, *others = _texts(description, configuration)
        forms = tuple(plain_words(form) for form in (text, *others, str(description)))
        found.setdefault(text, LegalAction(text, int(action), forms))
    return list(found.values())


def parse_action(text: str, legal: Sequence[LegalAction]) -> int:
    """Return the number of the legal action that a text names.

    Capital letters, accents, signs and the order of two cities do not matter, words may be cut short or left out if
    one legal action alone fits; numbers may not. The text may be an answer that names its move in a form, such as
    `{"move": "draw deck"}` or `\\boxed{draw deck}`: then only the last one is read (`move_in`). Raises ValueError,
    which names the nearest legal actions, if no action fits, or several do, and TypeError for what is not a text.
    """
    given: object = text
    if not isinstance(given, str):
        raise TypeError(f"what names an action must be a text, not {given!r}")
    asked = move_in(text, {it.text for it in legal})
    words = plain_words(asked[:_LONGEST])
    exact = [it for it in legal if it.text == asked] or [it for it in legal if words in it.forms]
    fitting = exact or [it for it in legal if words and any(_is_short_for(words, form) for form in it.forms[:-1])]
    if len(asked) > _LONGEST:
        fitting = []
    if len(fitting) == 1:
        return fitting[0].action
    if fitting:
        raise ValueError(f"{shown(asked)} fits several legal actions: {_listed([it.text for it in fitting])}")
    texts = {" ".join(form): it.text for it in legal for form in it.forms[:-1]}
    near = difflib.get_close_matches(" ".join(words)[:_COMPARED], texts, 2 * _NEAREST, 0.0)
    nearest = list(dict.fromkeys(texts[it] for it in near))
    raise ValueError(f"{shown(asked)} is not a legal action; the nearest are: {_listed(nearest)}")


def _listed(texts: Sequence[str]) -> str:
    return ", ".join(map(repr, texts[:_NEAREST])) or "none, since the game is over"


def plain_words(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case, without accents, signs and words that say nothing."""
    letters = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    plain = letters if letters.isascii() else "".join(it for it in letters if not unicodedata.combining(it))
    words = [word for word in _WORD.findall(plain) if word not in _FILLERS]
    return tuple(LOCOMOTIVE if word == "locomotives" else word for word in words)


def _is_short_for(typed: Sequence[str], form: Sequence[str]) -> bool:
    """Whether each word typed begins one of the form, in this order; none of its numbers is left out."""
    rest = list(typed)
    for place, word in enumerate(form):
        fits = bool(rest) and (rest[0] == word if rest[0].isdecimal() else word.startswith(rest[0]))
        if fits:
            rest.pop(0)
        elif place == 0 or word.isdecimal():  # the verb, or a number
            return False
    return not rest


# The texts


def _texts(action: Mapping[str, Any], configuration: Configuration) -> list[str]:
    """Return the text of an action, and where it names two ends also the one with these in the other order."""
    text: Text = configuration.text
    routes = _route_details(text)
    match action:
        case {"action": "draw_face_up", "card": card}:
            return [f"draw {card}"]
        case {"action": "draw_deck" | "draw_three" | "draw_tickets" | "pass" | "stop" | "withdraw" as name}:
            return [name.replace("_", " ")]
        case {"action": "claim", "a": str(a), "b": str(b), "track": int(track)} if (a, b, track) in routes:
            detail = routes[a, b, track]
            return [f"claim {text.city(a)}-{text.city(b)}{detail}", f"claim {text.city(b)}-{text.city(a)}{detail}"]
        case {"action": "pay", "colour": colour, "cards": cards, "locomotives": locomotives}:
            return [f"pay {_cards({colour: cards, LOCOMOTIVE: locomotives})}"]
        case {"action": "pay_more", "cards": cards, "locomotives": locomotives}:
            return [f"pay more {_cards({'coloured': cards, LOCOMOTIVE: locomotives})}"]
        case {"action": "from_rack", "cards": cards, "locomotives": locomotives}:
            return [f"rack {_cards({'coloured': cards, LOCOMOTIVE: locomotives}) or 'nothing'}"]
        case {"action": "place", "where": where}:
            return [f"place {where}"]
        case {"action": "keep_ticket" | "refuse_ticket" | "share_ticket" | "complete" as name, "ticket": ticket}:
            return _ticket_texts(name.removesuffix("_ticket"), ticket, text)
        case {"action": "build", "city": city}:
            name = text.city(city)
            return [f"build {name}{f' ({city})' if name in _shared_names(text) else ''}"]
        case {"action": "take_share" | "neutral_share" as name, "company": company}:
            return [f"{name.replace('_', ' ')} {company or 'none'}"]
        case {"action": "buy", "technology": technology}:
            return [f"buy {technology.replace('_', ' ')}"]
        case {"action": "spend", "colour": colour}:
            return [f"spend {colour}"]
        case {"action": "play_set", "colour": colour}:
            return [f"play set {colour}"]
        case {"action": "play_three", "colours": colours}:
            return [f"play {' '.join(colours)}"]
        case {"action": "set_cards", "cards": number}:
            return [f"with {number} coloured"]
        case {"action": "set_locomotives", "locomotives": number}:
            return [f"with {number} locomotive{'' if number == 1 else 's'}"]
    raise ValueError(f"this is not a description of an action: {dict(action)!r}")


def _cards(cards: Mapping[str, int]) -> str:
    return count_cards(cards).replace(" and ", " ").replace(",", "")


@functools.lru_cache(_REMEMBERED)
def _route_details(text: Text) -> dict[tuple[str, str, int], str]:
    """Return by cities and track what tells each route from others between cities of the same names, if any."""
    alike: dict[frozenset[str], list[Route]] = defaultdict(list)
    for it in getattr(text.configuration.variant, "routes", ()):
        alike[frozenset({text.city(it.a), text.city(it.b)})].append(it)
    return {(it.a, it.b, it.track): _route_detail(it, routes) for routes in alike.values() for it in routes}


def _route_detail(route: Route, alike: Sequence[Route]) -> str:
    """Return what tells a route from those alike, in brackets; nothing if all are equal.

    Border stations of a country share its name (SW7): where nothing else differs, their ids follow.
    """
    marks = route_marks(route)
    twins = {(it.a, it.b) for it in alike if route_marks(it) == marks}
    if len({route_marks(it) for it in alike}) == len(twins) == 1:
        return ""
    return f" ({marks}{f' {route.a} {route.b}' if len(twins) > 1 else ''})"


def route_marks(route: Route) -> str:
    """Return all that tells a route from those parallel to it."""
    return " ".join([*route.marks, *sorted(route.companies)])


@functools.lru_cache(_REMEMBERED)
def _shared_names(text: Text) -> set[str]:
    """Return the names that several cities of a map of one's own have."""
    names = Counter(it.name for it in text.configuration.variant.cities)
    return {name for name, number in names.items() if number > 1}


def _ticket_texts(verb: str, ticket: Sequence[Any], text: Text) -> list[str]:
    """Return a ticket's texts; its points and cards are named if another ticket has ends of the same names.

    If these are other cities, their ids follow.
    """
    detail, ends = "", _ends(ticket)
    first, *others = map(text.city, ends)
    if alike := _ends_of_several(text).get(frozenset([first, *others])):
        values = [str(points) for _, points in destinations(ticket)]
        ids = ends if len(alike) > 1 else []
        detail = f" ({' '.join([*values, *(_cards(cards) for cards in ticket[3:]), *ids])})"
    return [f"{verb} {first}-{'/'.join(others)}{detail}", f"{verb} {'/'.join(others)}-{first}{detail}"]


@functools.lru_cache(_REMEMBERED)
def _ends_of_several(text: Text) -> dict[frozenset[str], set[frozenset[str]]]:
    """Return the ends of which different tickets of the ticket deck have the names, by these names."""
    alike: dict[frozenset[str], list[list[Any]]] = defaultdict(list)
    for number in range(text.configuration.num_tickets):
        ticket = text.ticket(number)
        alike[frozenset(map(text.city, _ends(ticket)))].append(ticket)
    return {
        names: {frozenset(_ends(it)) for it in tickets}
        for names, tickets in alike.items()
        if any(it != tickets[0] for it in tickets)
    }


def _ends(ticket: Sequence[Any]) -> list[str]:
    return [ticket[0], *(end for end, _ in destinations(ticket))]
