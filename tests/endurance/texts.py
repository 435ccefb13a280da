"""`python -m tests.endurance.texts`: every legal action of random games has a text that the parser takes for it.

10,000 games of each variant, shared evenly among its numbers of players, its switches and its ticket decks. The games
of each have the seeds 0, 1, 2 ... and are those that the agent `random` plays. At each decision `parse_action` reads
the text of each legal action, among the texts of all legal actions. This is never left out.

What is not done twice within a portion is describing an action and making its text: that follows from the number of the
action alone, or for a face-up card from the number and the card. Tickets on offer and payments depend on the decision,
and are described each time. At every hundredth decision nothing is remembered: the parser reads each text among texts
alone, too, and the sentence of each action, and what is remembered must agree.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

from t2r_env import VARIANTS, Games
from t2r_env.agents import choose_evenly
from t2r_env.rules.names import outcomes
from t2r_env.seeding import agent_keys, decision_seeds
from t2r_env.text import LegalAction, legal_actions, parse_action
from tests.endurance import add_numbers, positive_integer, text_of
from tests.helpers.playing import DECKS, actions_of, title_of
from tests.helpers.situations import configuration

GAMES_AT_ONCE = 500
"""Games of a portion, at most; they are played side by side."""
DECISIONS_PER_CHECK = 100
"""Of so many decisions of a game one is checked with nothing remembered."""
FAULTS_SHOWN = 5
"""The faults of a portion that are shown; all are counted."""

OF_THE_DECISION = ("keep_ticket", "refuse_ticket", "pay", "from_rack", "pay_more")
"""The blocks whose descriptions depend on more than the action and the face-up card. Those of other blocks are made by
`Text.describe_offset`, which gets no state, and by `Text.draw_face_up`, which gets a card."""


class Portion(NamedTuple):
    """Games of one configuration that are played side by side."""

    deck: int
    """An index in `DECKS`."""
    first_seed: int
    games: int


@dataclass
class Tally:
    """What portions came to."""

    games: int = 0
    decisions: int = 0
    actions: int = 0
    """Legal actions; equal ones are each counted."""
    parsed: int = 0
    """Texts that were parsed: one for equal actions."""
    checked_again: int = 0
    """Legal actions that were checked with nothing remembered, too."""
    failures: int = 0
    seconds: float = 0.0
    """Of processor time."""
    faults: list[str] = field(default_factory=list)


COUNTS = ("games", "decisions", "actions", "parsed", "checked_again", "failures")


def check_portion(portion: Portion) -> Tally:
    """Play the games of a portion and check them. An unexpected error ends that, and is noted."""
    trips, began = RoundTrips(portion), time.process_time()
    try:
        trips.play()
    except Exception as error:  # whatever a fault may lead to
        trips.note(f"after {trips.tally.decisions} decisions of {portion}: {text_of(error)}")
    trips.tally.seconds = time.process_time() - began
    return trips.tally


class RoundTrips:
    """The games of a portion, and the check of their decisions."""

    def __init__(self, portion: Portion) -> None:
        variant, players, options = DECKS[portion.deck]
        chosen = configuration(variant, players, **options)
        self.title = title_of(variant, players, options)
        self.tally = Tally(games=portion.games)
        self.games = Games(chosen, batch=portion.games, autoreset=False, observe=False, seed=0)
        self.games.reset(seeds=range(portion.first_seed, portion.first_seed + portion.games))
        self._is_of_the_decision = actions_of(chosen, *OF_THE_DECISION).tolist()
        self._first_slot = chosen.layout.actions["draw_face_up"].start
        self._known: dict[tuple[int, int], LegalAction] = {}

    def play(self) -> None:
        """Play to the end of all games, and check each decision."""
        games, keys = self.games, agent_keys(self.games.seeds)
        while (rows := np.flatnonzero(games.states["outcome"] == outcomes.RUNNING)).size:
            self._check(rows)
            games.step(choose_evenly(games.masks[rows], decision_seeds(games, rows, keys)), rows)

    def _check(self, rows: NDArray[np.int64]) -> None:
        """Check the decisions of these games: make the texts of the legal actions, and parse each."""
        views, taken = self.games.views(rows), self.games.states["decisions"][rows].tolist()
        for row, view, face_up, number in zip(rows.tolist(), views, views["face_up"].tolist(), taken, strict=True):
            described = [self._describe(view, face_up, it) for it in np.flatnonzero(self.games.masks[row]).tolist()]
            # the first of the actions with each text, as `legal_actions` does
            legal = sorted({it.text: it for it in reversed(described)}.values(), key=attrgetter("action"))
            self.tally.decisions += 1
            self.tally.actions += len(described)
            self.tally.parsed += len(legal)
            faults = [*faults_of(described, legal)]
            if (row + number) % DECISIONS_PER_CHECK == 0:
                faults += self._faults_of_memory(row, view, legal)
            for fault in faults:
                self.note(f"seed {self.games.seeds[row]}, decision {number}: {fault}")

    def _describe(self, view: Any, face_up: Sequence[int], action: int) -> LegalAction:
        """Return a legal action with its texts, as `legal_actions` makes it."""
        slot = action - self._first_slot
        key = action, face_up[slot] if 0 <= slot < len(face_up) else 0
        if self._is_of_the_decision[action] or key not in self._known:
            mask = np.zeros(self.games.masks.shape[1], np.int8)
            mask[action] = 1
            (self._known[key],) = legal_actions(self.games.configuration, view, mask)
        return self._known[key]

    def _faults_of_memory(self, row: int, view: Any, legal: Sequence[LegalAction]) -> list[str]:
        """Return what is wrong at a decision if nothing is remembered, and if it was remembered wrongly."""
        anew = legal_actions(self.games.configuration, view, self.games.masks[row])
        self.tally.checked_again += int(self.games.masks[row].sum())
        faults = [*faults_of([], [LegalAction.of_text(it.text, it.action) for it in anew])]
        numbers = Counter(it.forms[-1] for it in anew)
        for it in anew:
            sentence = " ".join(it.forms[-1])
            if numbers[it.forms[-1]] == 1 and parse_action(sentence, anew) != it.action:  # border stations share one
                faults.append(f"{sentence!r} is not taken for {it.action}")
        return faults if anew == legal else [*faults, f"the texts are remembered as {legal}, and are {anew}"]

    def note(self, fault: str) -> None:
        """Count a fault, and keep its text if it is one of the first."""
        self.tally.failures += 1
        if len(self.tally.faults) < FAULTS_SHOWN:
            self.tally.faults.append(f"{self.title}, {fault}")


def faults_of(described: Sequence[LegalAction], legal: Sequence[LegalAction]) -> Iterator[str]:
    """Yield what is wrong with the texts of all legal actions at a decision; `legal` are these with equal ones merged.

    A text may stand for several actions only if `describe` has the same sentence for them.
    """
    sentences = {it.text: it.forms[-1] for it in legal}
    for it in described:
        if sentences[it.text] != it.forms[-1]:
            yield f"{it.text!r} is the text of action {it.action} and of another one that is not equal"
    for it in legal:
        try:
            found = parse_action(it.text, legal)
        except ValueError as error:
            yield str(error)
            continue
        if found != it.action:
            yield f"{it.text!r} is the text of action {it.action}, and is taken for {found}"


# The command


def portions_of(variant: str, games: int) -> list[Portion]:
    """Return portions with so many games of a variant in all, shared evenly among its configurations."""
    decks = [number for number, (name, _, _) in enumerate(DECKS) if name == variant]
    shares = [games // len(decks) + (place < games % len(decks)) for place in range(len(decks))]
    return [
        Portion(deck, first, min(GAMES_AT_ONCE, share - first))
        for deck, share in zip(decks, shares, strict=True)
        for first in range(0, share, GAMES_AT_ONCE)
    ]


def main(command: Sequence[str] | None = None) -> int:
    """Play and check; return 1 if there is a fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.endurance.texts", description="Parse the texts of actions.")
    parser.add_argument("--games", type=positive_integer, default=10_000, help="of each variant (default: 10,000)")
    parser.add_argument("--variants", nargs="+", default=VARIANTS, choices=VARIANTS, help="(default: all)")
    parser.add_argument("--processes", type=positive_integer, default=1, help="(default: 1)")
    arguments = parser.parse_args(command)
    total, titles = Tally(), (*COUNTS, "seconds")
    print(f"| variant | {' | '.join(titles).replace('_', ' ')} |\n| --- |{' ---: |' * len(titles)}", flush=True)
    with get_context("spawn").Pool(arguments.processes) as pool:
        for variant in arguments.variants:
            tally, portions = Tally(), portions_of(variant, arguments.games)
            playing = pool.imap_unordered(check_portion, portions)
            for one in track(playing, variant, len(portions), console=Console(stderr=True), transient=True):
                add_numbers(tally, one)
            add_numbers(total, tally)
            print(_row(variant, tally), flush=True)
    print(_row("all", total))
    print("\n".join(["faults:", *total.faults] if total.faults else ["no fault"]))
    return bool(total.failures)


def _row(title: str, tally: Tally) -> str:
    counts = [f"{getattr(tally, name):,}" for name in COUNTS]
    return f"| {title} | {' | '.join([*counts, f'{tally.seconds:,.0f}'])} |"


if __name__ == "__main__":
    sys.exit(main())
