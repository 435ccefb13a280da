"""A game in words, as far as a seat may know it (C20)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from t2r_env.configuration import Configuration
from t2r_env.render.headline import headline as headline
from t2r_env.rules.text import count_cards
from t2r_env.variants import LOCOMOTIVE

_PUBLIC = {"draw_face_up", "draw_deck", "draw_three", "draw_tickets", "pass", "buy", "build", "place"}
_PUBLIC |= {"take_share", "neutral_share"}
"""Actions that all see, of decisions that all know to be waiting. Whether a seat has another decision (as how it pays)
depends on its cards: of those actions, and of tickets, only the effects are told."""

_NAMES_CARDS = {"draw_face_up", "pay", "spend", "play_set", "set_cards", "set_locomotives", "play_three"}
"""Actions whose sentences say what cards come or go."""

Snapshot = Mapping[str, Any]


class Narrator:
    """Says what happens, from what one seat knows before and after each action, and calls the seat `You`."""

    def __init__(self, configuration: Configuration, seat: int | None, names: Sequence[str] = ()) -> None:
        """`names`: a name for each seat; without them a seat is `player_0` and so on."""
        self._name = list(names or configuration.agents)
        self._text: Any = configuration.text
        self._routes = {
            (route.a, route.b, route.track): route for route in getattr(configuration.variant, "routes", ())
        }
        self._seat = seat

    def narrate(self, before: Snapshot, after: Snapshot, action: Mapping[str, Any]) -> Iterator[str]:
        """Yield the effects of an action of the player who was to act `before`; both snapshots are of views."""
        actor = before["current_player"]
        if self._tells(actor, action):
            yield self._sentence(actor, str(action))
        yield from self._claims(actor, before, after, action)
        if "yard" in after["players"][actor]:
            yield from self._sets(actor, before, after)
            yield from self._completed(before, after)
        yield from self._tickets(before, after)
        yield from self._own_cards(before, after)

    def _tells(self, actor: int, action: Mapping[str, Any]) -> bool:
        """Whether to say what the action is; the person knows its own."""
        return actor != self._seat and action["action"] in _PUBLIC

    def _sentence(self, seat: int, action: str) -> str:
        """Return a seat's action, which begins with a verb, as a sentence."""
        if seat == self._seat:
            return f"You {action}."
        return _sentence_of(self._name[seat], action)

    def _claims(self, actor: int, before: Snapshot, after: Snapshot, action: Mapping[str, Any]) -> Iterator[str]:
        """Yield a route that is claimed and paid, or that is not claimed since its tunnel is too expensive (TA10)."""
        match action:
            case {"action": "claim", "a": a, "b": b, "track": track}:
                attempt = [a, b, track]
            case _:
                attempt = before["subject"].get("route")
        if attempt:
            had, has = (
                any(actor in it["owners"] for it in snapshot["routes"] if [it["a"], it["b"], it["track"]] == attempt)
                for snapshot in (before, after)
            )
            route = self._text.route_text(self._routes[tuple(attempt)])
            if has and not had:
                yield from self._claimed(actor, route)
            elif not has and after["subject"].get("route") != attempt:
                yield self._sentence(actor, f"withdraw from the tunnel {route}")

    def _claimed(self, actor: int, route: str) -> Iterator[str]:
        yield self._sentence(actor, f"claim {route}")

    def _sets(self, actor: int, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """Yield cards played to the rail yard, and the rows of rail yards that they rob (CG7)."""
        yards = [player["yard"] for player in before["players"]]
        cards: dict[str, int] = {}
        locomotives = 0
        for colour, row in after["players"][actor]["yard"].items():
            old = yards[actor].get(colour, {"cards": 0, "locomotives": 0})
            cards[colour] = max(0, row["cards"] - old["cards"])
            locomotives += max(0, row["locomotives"] - old["locomotives"])
        if played := count_cards(cards | {LOCOMOTIVE: locomotives}):
            yield self._sentence(actor, f"play {played}")
        for other, yard in enumerate(yards):
            for colour in yard:
                if other != actor and colour in cards:
                    yield self._sentence(other, f"lose the {colour} row")

    def _completed(self, before: Snapshot, after: Snapshot) -> Iterator[str]:
        for seat, (old, new) in enumerate(zip(before["players"], after["players"], strict=True)):
            for ticket in new["completed"]:
                if ticket not in old["completed"]:
                    yield self._sentence(seat, f"complete {self._text.ticket_text(*ticket)}")

    def _tickets(self, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """Yield the number of tickets added to a hand or a rack, which all see."""
        for holders in ("players", "teams"):
            for holder, (old, new) in enumerate(zip(before.get(holders, ()), after.get(holders, ()), strict=True)):
                number = len(new["tickets"]) - len(old["tickets"])
                tickets = "ticket" if number == 1 else "tickets"
                if number > 0 and holders == "teams":
                    yield f"Team {holder} has {number} more {tickets} on its rack."
                elif number > 0 and holder != self._seat:
                    yield self._sentence(holder, f"keep {number} {tickets}")

    def _own_cards(self, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """Yield cards that have come to the seat's own hand or left it."""
        if self._seat is not None:
            yield from self._cards(self._seat, before, after)

    def _cards(self, seat: int, before: Snapshot, after: Snapshot) -> Iterator[str]:
        old, new = (snapshot["players"][seat]["hand"] for snapshot in (before, after))
        for verb, sign in (("spend", -1), ("get", 1)):
            if cards := count_cards({card: max(0, sign * (new[card] - old[card])) for card in new}):
                yield self._sentence(seat, f"{verb} {cards}")


class Chronicler(Narrator):
    """Writes the log of a game, in which all seats have their names: what one seat knew, or with seat None everything.

    It tells the seat's own actions, too.
    """

    def narrate(self, before: Snapshot, after: Snapshot, action: Mapping[str, Any]) -> Iterator[str]:
        """Yield the action, as far as it is known, and its effects, each once."""
        self._names_cards = action["action"] in _NAMES_CARDS
        yield from dict.fromkeys(super().narrate(before, after, action))

    def _knows(self, actor: int) -> bool:
        return self._seat in (None, actor)

    def _tells(self, actor: int, action: Mapping[str, Any]) -> bool:
        return self._knows(actor) or action["action"] in _PUBLIC

    def _sentence(self, seat: int, action: str) -> str:
        return _sentence_of(self._name[seat], action)

    def _claimed(self, actor: int, route: str) -> Iterator[str]:
        if not self._knows(actor):  # else the claim was told before its payment
            yield from super()._claimed(actor, route)

    def _own_cards(self, before: Snapshot, after: Snapshot) -> Iterator[str]:
        seats = range(len(after["players"])) if self._seat is None else [self._seat]
        for seat in () if self._names_cards else seats:
            yield from self._cards(seat, before, after)


def _sentence_of(player: str, action: str) -> str:
    """Return a player's action as a sentence. It begins with a verb, or says with what a set is played (CG5)."""
    verb, space, rest = f"{'play it ' * action.startswith('with ')}{action}".partition(" ")
    return f"{player} {verb}{'es' if verb.endswith('s') else 's'}{space}{rest}."
