"""A game of a person against agents: what the others do is said as far as the person may know (C20)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_agents.human.layout import counted
from t2r_env import Configuration, Games
from t2r_env.agents import Agent, Decisions, choose_actions, step_agents
from t2r_env.rules.text import Description, count_cards
from t2r_env.seeding import agent_keys, decision_seeds
from t2r_env.variants import LOCOMOTIVE

_PUBLIC = frozenset(
    (
        "draw_face_up",
        "draw_deck",
        "draw_three",
        "draw_tickets",
        "pass",
        "buy",
        "place",
        "take_share",
        "neutral_share",
    )
)
"""Actions that all see, of decisions that all know to be waiting. Whether a seat has another decision (as how it pays)
depends on its cards: of those actions, and of tickets, only the effects are told."""

Snapshot = Mapping[str, Any]


class Narrator:
    """Says what happens, from what one seat knows before and after each action."""

    def __init__(self, configuration: Configuration, seat: int) -> None:
        self._text: Any = configuration.text
        self._routes = {
            (route.a, route.b, route.track): route for route in getattr(configuration.variant, "routes", ())
        }
        self._seat = seat
        self._attempt: tuple[str, str, int] | None = None

    def narrate(self, before: Snapshot, after: Snapshot, action: Mapping[str, Any]) -> Iterator[str]:
        """The effects of an action of the player who was to act `before`; both snapshots are of views."""
        actor = before["current_player"]
        if actor != self._seat and action["action"] in _PUBLIC:
            yield self._sentence(actor, str(action))
        yield from self._claims(actor, after, action)
        if "yard" in after["players"][actor]:
            yield from self._sets(actor, before, after)
            yield from self._completed(before, after)
        yield from self._tickets(before, after)
        yield from self._own_cards(before, after)

    def _sentence(self, seat: int, action: str) -> str:
        """What a seat does, as a sentence. The action begins with a verb."""
        if seat == self._seat:
            return f"You {action}."
        verb, space, rest = action.partition(" ")
        return f"player_{seat} {verb}{'es' if verb.endswith('s') else 's'}{space}{rest}."

    def _claims(self, actor: int, after: Snapshot, action: Mapping[str, Any]) -> Iterator[str]:
        """A route that is claimed and paid, or that is not claimed since its tunnel is too expensive (TA10)."""
        match action:
            case {"action": "claim", "a": a, "b": b, "track": track}:
                self._attempt = a, b, track
        if self._attempt:
            owners = next(it["owners"] for it in after["routes"] if (it["a"], it["b"], it["track"]) == self._attempt)
            route = self._text.route_text(self._routes[self._attempt])
            if actor in owners:
                self._attempt = None
                yield self._sentence(actor, f"claim {route}")
            elif after["subject"].get("route") != list(self._attempt):
                self._attempt = None
                yield self._sentence(actor, f"withdraw from the tunnel {route}")

    def _sets(self, actor: int, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """Cards played to the rail yard, and the rows of rail yards that they rob (CG7)."""
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
        for seat, (old, new) in enumerate(zip(before["players"], after["players"])):
            for ticket in new["completed"]:
                if ticket not in old["completed"]:
                    yield self._sentence(seat, f"complete {self._text.ticket_text(*ticket)}")

    def _tickets(self, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """The number of tickets added to a hand or a rack, which all see."""
        for seat, (old, new) in enumerate(zip(before["players"], after["players"])):
            number = len(new["tickets"]) - len(old["tickets"])
            if number > 0 and seat != self._seat:
                yield self._sentence(seat, f"keep {counted(number, 'ticket')}")
        for team, (old, new) in enumerate(zip(before.get("teams", ()), after.get("teams", ()))):
            number = len(new["tickets"]) - len(old["tickets"])
            if number > 0:
                yield f"Team {team} has {counted(number, 'more ticket')} on its rack."

    def _own_cards(self, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """Cards that have come to the seat's own hand or left it."""
        old, new = (snapshot["players"][self._seat]["hand"] for snapshot in (before, after))
        for verb, sign in (("spend", -1), ("get", 1)):
            if cards := count_cards({card: max(0, sign * (new[card] - old[card])) for card in new}):
                yield self._sentence(self._seat, f"{verb} {cards}")


def play(games: Games, agents: Sequence[Agent], seat: int) -> Iterator[str]:
    """Play the game under way to its end; yield the lines that a seat reads."""
    keys = agent_keys(games.seeds)
    narrator = Narrator(games.configuration, seat)
    row, seating = np.zeros(1, np.int64), np.arange(games.num_players)[None]
    descriptions: list[Description] = []

    def snapshot() -> Snapshot:
        return games.configuration.snapshot(games.views(row, [seat])[0])

    def choose(agent: Agent, decisions: Decisions, _: NDArray[np.int64]) -> NDArray[np.int64]:
        actions = choose_actions(agent, decisions)
        descriptions.append(games.describe(actions[0]))
        return actions

    before = snapshot()
    while not (games.terminated[0] or games.truncated[0]):
        step_agents(games, row, agents, seating, decision_seeds(games, row, keys), choose)
        after = snapshot()
        yield from narrator.narrate(before, after, descriptions.pop())
        before = after
