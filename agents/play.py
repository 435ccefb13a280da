"""One game on the terminal, a person against agents.

    python -m agents.play --variant usa --players 2 --opponents random

Between the person's decisions it tells what the others did, as far as that person may know (C20).
"""

import argparse
import itertools
import secrets
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from agents.human import HumanAgent
from t2r_env import Configuration, Games, Replay, configure
from t2r_env.agents import Agent, ask, find_agent
from t2r_env.games import check_seed
from t2r_env.render.text import render_text
from t2r_env.rules.text import count_cards
from t2r_env.variants import LOCOMOTIVE

_TOLD = frozenset(
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
"""Answers that all see, to decisions of which all see that they are asked. Whether a seat is asked about others (as how
it pays) depends on its cards: of those, and of tickets, only what has become of them is told."""

Snapshot = Mapping[str, Any]


class Teller:
    """Tells what happens in words, from what one seat knows before and after each answer."""

    def __init__(self, configuration: Configuration, seat: int) -> None:
        self._words: Any = configuration.text
        self._routes = {
            (route.a, route.b, route.track): route for route in getattr(configuration.variant, "routes", ())
        }
        self._seat = seat
        self._attempt: tuple[str, str, int] | None = None

    def tell(self, before: Snapshot, after: Snapshot, action: Mapping[str, Any]) -> Iterator[str]:
        """What an answer of the player who was asked `before` has led to; both are snapshots of views."""
        who = before["current_player"]
        if who != self._seat and action["action"] in _TOLD:
            yield self._sentence(who, str(action))
        yield from self._claims(who, after, action)
        if "yard" in after["players"][who]:
            yield from self._sets(who, before, after)
            yield from self._completed(before, after)
        yield from self._tickets(before, after)
        yield from self._own_cards(before, after)

    def _sentence(self, seat: int, deed: str) -> str:
        """A deed of a seat, its first word being a verb."""
        if seat == self._seat:
            return f"You {deed}."
        verb, blank, rest = deed.partition(" ")
        return f"player_{seat} {verb}{'es' if verb.endswith('s') else 's'}{blank}{rest}."

    def _claims(self, who: int, after: Snapshot, action: Mapping[str, Any]) -> Iterator[str]:
        """A route claimed, once it is paid, or not claimed, its tunnel being too dear (TA10)."""
        match action:
            case {"action": "claim", "a": a, "b": b, "track": number}:
                self._attempt = a, b, number
        if self._attempt:
            owners = next(it["owners"] for it in after["routes"] if (it["a"], it["b"], it["track"]) == self._attempt)
            route = self._words.route_text(self._routes[self._attempt])
            if who in owners:
                self._attempt = None
                yield self._sentence(who, f"claim {route}")
            elif after["subject"].get("route") != list(self._attempt):
                self._attempt = None
                yield self._sentence(who, f"withdraw from the tunnel {route}")

    def _sets(self, who: int, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """Cards that have come to the rail yard, and the rows that they have robbed (CG7)."""
        yards = [player["yard"] for player in before["players"]]
        cards: dict[str, int] = {}
        locomotives = 0
        for colour, row in after["players"][who]["yard"].items():
            was = yards[who].get(colour, {"cards": 0, "locomotives": 0})
            cards[colour] = max(0, row["cards"] - was["cards"])
            locomotives += max(0, row["locomotives"] - was["locomotives"])
        if played := count_cards(cards | {LOCOMOTIVE: locomotives}):
            yield self._sentence(who, f"play {played}")
        for other, yard in enumerate(yards):
            for colour in yard:
                if other != who and colour in cards:
                    yield self._sentence(other, f"lose the {colour} row")

    def _completed(self, before: Snapshot, after: Snapshot) -> Iterator[str]:
        for seat, (old, new) in enumerate(zip(before["players"], after["players"])):
            for ticket in new["completed"]:
                if ticket not in old["completed"]:
                    yield self._sentence(seat, f"complete {self._words.ticket_text(*ticket)}")

    def _tickets(self, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """How many tickets have come to a hand or a rack: the counts are what all see."""
        for seat, (old, new) in enumerate(zip(before["players"], after["players"])):
            number = len(new["tickets"]) - len(old["tickets"])
            if number > 0 and seat != self._seat:
                yield self._sentence(seat, f"keep {_counted(number, 'ticket')}")
        for team, (old, new) in enumerate(zip(before.get("teams", ()), after.get("teams", ()))):
            number = len(new["tickets"]) - len(old["tickets"])
            if number > 0:
                yield f"Team {team} has {_counted(number, 'more ticket')} on its rack."

    def _own_cards(self, before: Snapshot, after: Snapshot) -> Iterator[str]:
        """What has come to the seat's own hand, and what has left it."""
        old, new = (snapshot["players"][self._seat]["hand"] for snapshot in (before, after))
        for verb, sign in (("spend", -1), ("get", 1)):
            if cards := count_cards({card: max(0, sign * (new[card] - old[card])) for card in new}):
                yield self._sentence(self._seat, f"{verb} {cards}")


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def play(games: Games, agents: Sequence[Agent], seat: int, seed: int) -> Iterator[str]:
    """Play the game under way to its end; give what is to be told to a seat, line by line."""
    rng = np.random.default_rng(seed)
    teller = Teller(games.configuration, seat)
    row = np.zeros(1, np.int64)

    def known() -> Snapshot:
        return games.configuration.snapshot(games.views(row, [seat])[0])

    before = known()
    while not (games.terminated[0] or games.truncated[0]):
        agent = agents[games.current[0]]
        actions = agent.act(ask(games, row, rng.integers(2**64, size=1, dtype=np.uint64)))
        description = games.describe(int(actions[0]))
        games.step(actions)
        after = known()
        yield from teller.tell(before, after, description)
        before = after


def main(command: Sequence[str] | None = None) -> int:
    """Play one game; 2 for a wrong command line, 130 if it was interrupted."""
    parser = argparse.ArgumentParser(prog="python -m agents.play", description="A person against agents.")
    parser.add_argument("--variant", default="usa", help="a game, or the path of a folder (default: usa)")
    parser.add_argument("--players", type=int, help="seats (default: the fewest that the game allows)")
    parser.add_argument(
        "--opponents",
        nargs="+",
        default=["random"],
        metavar="AGENT",
        help="names, or module:Name, for the other seats in turn (default: random)",
    )
    parser.add_argument("--seat", type=int, default=0, help="of the person (default: 0, who plays first)")
    parser.add_argument("--seed", type=int, help="of the deal and of the agents' chance (default: a new one)")
    parser.add_argument("--save", type=Path, metavar="FILE", help="where the replay goes, of an interrupted game too")
    arguments = parser.parse_args(command)
    if arguments.save and (arguments.save.is_dir() or not arguments.save.parent.is_dir()):
        parser.error(f"--save must be a file in a folder that there is, not {arguments.save}")
    try:
        configuration = configure(arguments.variant, arguments.players)
        seed = secrets.randbits(32) if arguments.seed is None else check_seed(arguments.seed)
        others = [(name, find_agent(name, configuration)) for name in arguments.opponents]
    except (TypeError, ValueError) as error:
        parser.error(str(error))
    seat = arguments.seat
    if seat not in range(configuration.num_players):
        parser.error(f"--seat must be an integer from 0 to {configuration.num_players - 1}, not {seat}")
    person = HumanAgent()
    in_turn = itertools.cycle(others)
    seated = [("you", person) if it == seat else next(in_turn) for it in range(configuration.num_players)]
    games = Games(configuration, autoreset=False, record=True)
    games.reset(seeds=[seed])
    places = ", ".join(f"player_{place} is {name}" for place, (name, _) in enumerate(seated))
    person.say(f"{configuration}, seed {seed}: {places}\n")
    status = 0
    try:
        for line in play(games, [agent for _, agent in seated], seat, seed):
            person.say(f"{line}\n")
        person.say("\n" + render_text(games.snapshot(), configuration))
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        status = 130
    except ValueError as error:
        parser.error(str(error))
    finally:
        if arguments.save:
            Replay.of(games).save(arguments.save)
            person.say(f"the replay is in {arguments.save}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
