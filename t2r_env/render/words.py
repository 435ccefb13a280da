"""Words that the story of a game is told in: players, cards, routes and tickets as a person at the table names them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from t2r_env.basics.checks import check_integer
from t2r_env.configuration import Configuration
from t2r_env.rules.text import count_cards, destinations
from t2r_env.variants import LOCOMOTIVE

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


def listed(items: Iterable[str]) -> str:
    """Return things as text: 'A, B and C'."""
    *others, last = list(items) or [""]
    return f"{', '.join(others)} and {last}" if others else last


def number_word(number: int) -> str:
    """Return a small number as a word."""
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def counted(number: int, thing: str) -> str:
    """Return a number of things, small numbers as words: 'two turns'."""
    return f"{number_word(number)} {thing}{'' if number == 1 else 's'}"


def sentence(text: str) -> str:
    """Return a text with a full stop at the end, if it has no sign there yet."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


def card_text(card: str | None, article: str = "a") -> str:
    """Return a train card, None for one of unknown colour, as text: 'an orange card', 'the locomotive'."""
    if article == "a" and card == "orange":
        article = "an"
    return f"{article} {card}" if card == LOCOMOTIVE else f"{article} {f'{card} ' if card else ''}card"


def score_text(scores: Iterable[int]) -> str:
    """Return points of several players: '139 : 112', with a real minus."""
    return " : ".join(points_text(score) for score in scores)


def points_text(points: int) -> str:
    """Return a number of points, with a real minus."""
    return str(points).replace("-", "−")


def check_names(names: Sequence[str], configuration: Configuration) -> None:
    """Raise ValueError for names that are not one for each player, or none at all."""
    if names and len(names) != configuration.num_players:
        raise ValueError(f"names must be {configuration.num_players}, one for each player, not {len(names)}")


class Words:
    """The words of one configuration, for one reader: a seat that is called You, or nobody."""

    def __init__(self, configuration: Configuration, reader: int | None = None, names: Sequence[str] = ()) -> None:
        """`names`: a name for each seat; without them a seat is `player_0` and so on.

        Raises ValueError for other names, and if the reader is no seat.
        """
        check_names(names, configuration)
        self.configuration = configuration
        if reader is not None:
            check_integer("the reader's seat", reader, 0, configuration.num_players - 1)
        self.reader = reader
        self.variant: Any = configuration.variant
        self._names = list(names or configuration.agents)
        self._city = configuration.text.city
        self._routes = {(it.a, it.b, it.track): it for it in getattr(self.variant, "routes", ())}

    # Players

    def name(self, seat: int) -> str:
        """Return the name of a seat, as a sentence begins with it."""
        return "You" if seat == self.reader else self._names[seat]

    def names(self, seats: Iterable[int]) -> str:
        """Return the names of several seats, the reader's first."""
        return listed(map(self.name, sorted(seats, key=lambda seat: seat != self.reader)))

    def does(self, seat: int, action: str) -> str:
        """Return what a seat does as a sentence; the action begins with a verb as it follows You."""
        return sentence(f"{self.name(seat)} {action if seat == self.reader else _in_third_person(action)}")

    def do(self, seats: Sequence[int], action: str) -> str:
        """Return what several seats do together, or one does alone, as a sentence."""
        return self.does(seats[0], action) if len(seats) == 1 else sentence(f"{self.names(seats)} {action}")

    def team(self, seat: int) -> int:
        """Return the number of a seat's team; without teams each seat is one."""
        return seat // int(self.variant.team_size)

    def mates(self, seat: int) -> list[int]:
        """Return the seats of a seat's team."""
        size = int(self.variant.team_size)
        return list(range(self.team(seat) * size, (self.team(seat) + 1) * size))

    def teams(self) -> list[list[int]]:
        """Return the seats of each team."""
        return [self.mates(seat) for seat in range(0, self.configuration.num_players, int(self.variant.team_size))]

    # Things

    def city(self, end: str) -> str:
        """Return the name of a city or region."""
        return str(self._city(end))

    def route(self, route: Sequence[Any]) -> str:
        """Return the cities of a route [a, b, track]."""
        return f"{self._city(route[0])}–{self._city(route[1])}"

    def route_of(self, route: Sequence[Any]) -> Any:
        """Return a route [a, b, track] as the variant has it."""
        return self._routes[tuple(route)]

    def ticket(self, ticket: Sequence[Any]) -> str:
        """Return a ticket with its points."""
        ends = [f"{self._city(end)} ({points})" for end, points in destinations(ticket)]
        return f"{self._city(ticket[0])}–{' / '.join(ends)}"

    def ticket_ends(self, ticket: Sequence[Any]) -> str:
        """Return the ends of a ticket."""
        return f"{self._city(ticket[0])}–{' / '.join(self._city(end) for end, _ in destinations(ticket))}"

    def technology(self, technology: str) -> str:
        """Return the name of a technology."""
        return str(next(it.name for it in self.variant.all_technologies if it.id == technology))

    def company(self, company: str) -> str:
        """Return the name of a company."""
        return str(next(it.name for it in self.variant.companies if it.id == company))

    # Decisions

    def chosen(self, action: Mapping[str, Any]) -> str:
        """Return an action of the move under way; it begins with a verb."""
        text: Any = self.configuration.text
        match action:
            case {"action": "draw_face_up", "card": card}:
                return f"take {card_text(card, 'the')}"
            case {"action": "draw_deck"}:
                return "draw a card from the deck"
            case {"action": "claim", "a": a, "b": b, "track": track}:
                return f"claim {text.route_text(self.route_of((a, b, track)))}"
            case {"action": "buy", "technology": technology}:
                return f"buy {self.technology(technology)}"
            case {"action": "build", "city": city}:
                return f"build a station in {self.city(city)}"
            case {"action": "spend", "colour": colour}:
                return f"spend {count_cards({colour: 1})}"
            case {"action": "pay", "cards": cards, "colour": colour, "locomotives": locomotives}:
                return f"pay {count_cards({colour: cards, LOCOMOTIVE: locomotives})}"
            case {"action": "pay_more" | "from_rack" as name, "cards": cards, "locomotives": locomotives}:
                counted_cards = count_cards({"of the colour": cards, LOCOMOTIVE: locomotives}) or "nothing"
                return f"pay {counted_cards} {'more' if name == 'pay_more' else 'from the rack'}"
            case {"action": "place", "where": where}:
                return "put it on the rack" if where == "rack" else "put it into the hand"
            case {"action": "take_share", "company": company}:
                return f"take a share of {self.company(company)}" if company else "take no share"
            case {"action": name, "ticket": ticket}:
                return f"{name.removesuffix('_ticket')} {text.ticket_text(*ticket)}"
            case {"action": "play_set", "colour": colour}:
                return f"play a set of {colour}"
            case {"action": "set_cards", "cards": number}:
                return f"lay {number} of the colour"
        return str(action["action"]).replace("_", " ")


def _in_third_person(action: str) -> str:
    """Return an action of another player: the verb that it begins with gets its ending."""
    verb, space, rest = action.partition(" ")
    return f"{_VERBS.get(verb) or verb + ('es' if verb.endswith(('s', 'sh', 'ch')) else 's')}{space}{rest}"


_VERBS = {"have": "has", "are": "is"}
