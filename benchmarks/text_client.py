"""How far the text face alone carries: a client that reads rules and views plays, and its moves are counted.

    python -m benchmarks.text_client --games 100

The client gets the messages of the agent `llm` and nothing else: no mask, no numbers. It writes claims and draws from
the view; at decisions whose legal moves are in the message it takes one of these. Three answers in a row without a
legal move forfeit the game, as for a language model. It plays against `random`.
"""

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.markdown import table
from t2r_agents.playing.llm.prompt import Message, add_fault, system_message, view_message
from t2r_env import VARIANTS, Games
from t2r_env.agents import choose_evenly
from t2r_env.text import legal_actions, parse_action
from t2r_env.text.prompts import TRIES, fault_text

COLOURS = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
ROUTE = re.compile(r"((?:\([a-z ]+\)|[^(),:])+?) \((\w+), (\d+)((?:, \w+ \d+)*)\)")
HEADINGS = ("game", "decisions", "refused at first, %", "games", "forfeited, %")


class TextClient:
    """Writes moves from texts. Each answer to the same messages is another one of those that it thinks legal."""

    def __init__(self, rules: str, rng: random.Random) -> None:
        self._rng = rng
        self._pays_all = "Locomotives stand in for any of them" in rules
        only = re.search(r"Locomotives pay for (.+) only", rules)
        self._paid_with_locomotives = {"ferry": "ferries", "tunnel": "tunnels"} if only else {}
        self._closes_for_all = "closes the parallel ones" in rules
        self._needs_technology = "A route needs the technologies" in rules
        regions = re.findall(r"- Cities of \w+: (.*?)\n(?=- |\n)", rules, re.DOTALL)
        self._closed_cities = [city for cities in regions for city in " ".join(cities.split()).split(", ")]

    def answer(self, messages: Sequence[Message]) -> str:
        """Return an answer to a conversation: a legal move if they are listed, else one that the view allows."""
        found = re.search(r"^.*Legal moves: (.*?)\.?( End your answer.*)?$", messages[-1]["content"], re.MULTILINE)
        moves = found[1].split("; ") if found else self._moves(messages[1]["content"])
        return f'{{"move": "{self._rng.choice(moves)}"}}'

    def _moves(self, view: str) -> list[str]:
        """Return moves for the beginning of a turn."""
        lines = " ".join(view.split())
        hand = self._hand(view)
        moves = ["draw deck"] if self._has_cards(view) else []
        moves += [f"draw {card}" for card in self._face_up(lines)]
        moves += [*self._sets(lines, hand), *self._claims(lines, hand)]
        return moves or ["draw tickets", "pass"]

    @staticmethod
    def _hand(view: str) -> dict[str, int]:
        """Return the acting player's cards by colour, with `trains` where there are any."""
        heading, row = (re.search(pattern, view, re.MULTILINE) for pattern in (r"^ +(.*cards.*)$", r"^> \w+(.*)$"))
        assert heading
        assert row
        numbers = [0 if it == "·" else int(it) for it in row[1].split()]
        return dict(zip(heading[1].split(), numbers, strict=True))

    @staticmethod
    def _has_cards(view: str) -> bool:
        return any(int(it) for it in re.findall(r"^  (?:deck|discard) +(\d+)", view, re.MULTILINE))

    @staticmethod
    def _face_up(lines: str) -> set[str]:
        found = re.search(r"Face-up cards: ((?:[\w-]+, )*[\w-]+)", lines)
        return set(found[1].split(", ")) - {"-"} if found else set()

    @staticmethod
    def _sets(lines: str, hand: dict[str, int]) -> Iterator[str]:
        """Yield sets of the Card Game in colours that nobody has in the yard."""
        yards = " ".join(re.findall(r"rail yard \(\d+\): (.*?) on track", lines))
        if yards:
            yield from (f"play set {it}" for it in COLOURS if hand.get(it, 0) >= 2 and it not in yards)

    def _claims(self, lines: str, hand: dict[str, int]) -> Iterator[str]:
        """Yield claims of unclaimed routes that the hand pays for, as far as a few lines of rules tell."""
        unclaimed = lines.partition("Unclaimed routes (")[2].partition(": ")[2].partition(" Tickets of ")[0]
        claimed = " ".join(re.findall(r"routes \(\d+\): (.*?) tickets", lines.partition("Unclaimed")[0]))
        taken = {it[0].strip(" ,") for it in ROUTE.findall(claimed)} if self._closes_for_all else set()
        routes = [(ends.strip(" ,"), *rest) for ends, *rest in ROUTE.findall(unclaimed)]
        for ends, colour, number, marks in routes:
            length = int(number)
            special = {name: int(it) for name, it in re.findall(r"(\w+) (\d+)", marks)}
            trains = length + special.get("mountain", 0)
            is_open = ends not in taken and not any(city in ends for city in self._closed_cities)
            if not is_open or hand.get("trains", 0) < trains or not self._pays(hand, colour, length, special):
                continue
            alike = {it[1:] for it in routes if it[0] == ends}
            detail = " ".join([colour, str(length), *(f"{name} {it}" for name, it in special.items())])
            yield f"claim {ends}" + (f" ({detail})" if len(alike) > 1 else "")

    def _pays(self, hand: dict[str, int], colour: str, length: int, special: dict[str, int]) -> bool:
        takes = self._pays_all or bool(special.keys() & self._paid_with_locomotives.keys())
        locomotives = hand["locomotive"] if takes else 0
        cards = max(hand.get(it, 0) for it in (COLOURS if colour == "gray" else (colour,)))
        ferry = special.get("ferry", 0)
        known = not self._needs_technology or (length <= 2 and not ferry)
        return known and locomotives >= ferry and min(cards, length - ferry) + locomotives >= length


def play(variant: str, games: int, seed: int) -> Counter[str]:
    """Play games of a variant with the fewest players; count decisions, those refused at first, and forfeits."""
    counted = Counter(games=games)
    for number in range(games):
        one = Games(variant, batch=1, seed=seed + number, autoreset=False)
        seat, rng = number % one.num_players, random.Random(number)
        client = TextClient(system_message(one.configuration)["content"], rng)
        while not (one.terminated | one.truncated)[0]:
            if one.current[0] != seat:
                one.step(choose_evenly(one.masks, np.array([rng.getrandbits(64)], np.uint64)))
            elif not move(one, client, counted):
                break
    return counted


def move(games: Games, client: TextClient, counted: Counter[str]) -> bool:
    """Take a move of the client and count it; return whether one of its answers was legal."""
    configuration, view = games.configuration, games.views()[0]
    legal = legal_actions(configuration, view, games.masks[0])
    messages = [system_message(configuration), view_message(configuration, view, legal)]
    counted["decisions"] += 1
    for attempt in range(1, TRIES + 1):
        answer = client.answer(messages)
        try:
            games.step([parse_action(answer, legal)])
            return True
        except ValueError as error:
            counted["refused"] += attempt == 1
            messages = add_fault(messages, answer, fault_text(str(error), legal, attempt))
    counted["forfeits"] += 1
    return False


def main(command: Sequence[str] | None = None) -> None:
    """Play with the arguments of the command line, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variants", nargs="+", default=VARIANTS, choices=VARIANTS)
    parser.add_argument("--games", type=int, default=100, help="of each variant (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(command)
    rows = []
    for variant in arguments.variants:
        it = play(variant, arguments.games, arguments.seed)
        refused, forfeits = it["refused"] / it["decisions"], it["forfeits"] / it["games"]
        shares = [f"{100 * refused:.1f}", str(it["games"]), f"{100 * forfeits:.1f}"]
        rows.append([variant, f"{it['decisions']:,}", *shares])
        print(f"{variant}: {it}", file=sys.stderr, flush=True)
    print(table("A client that reads only text", HEADINGS, rows))


if __name__ == "__main__":
    main()
