"""What has changed in what a seat knows, as text: with the first view it tells all, in few words."""

import re
from collections import Counter

import pytest

from t2r_env import Games
from t2r_env.envs.single import SeatEnvironment
from t2r_env.text import TextEnvironment, changes_text, view_text
from tests.helpers.playing import every_variant_once
from tests.helpers.situations import situation

WIDE = 100_000
PIECES = re.compile(r", (?![^(]*\))")


class Told:
    """What a reader knows of a game who is told its texts: the first view, and then what changes."""

    def __init__(self, view: str) -> None:
        heading, supplies, cards, *others = (block.splitlines() for block in view.rstrip("\n").split("\n\n"))
        self.heading, self.result = heading[1:], [""]
        self.facts: dict[str, tuple[str, Counter[str]]] = {}
        columns, *rows = (re.split(r"\s{2,}", row.lstrip("> ")) for row in cards)
        for name, *cells in rows:
            present = [f"{column} {cell}" for column, cell in zip(columns[-len(cells) :], cells, strict=True)]
            self._put(name, ", ".join(it for it in present if it[-2:] not in (" ·", " 0")))
        for line in supplies:
            self._put(*line.split(": ", 1))
        for first, *rest in others:
            if first.startswith("Result"):
                self.result = [first, *rest]
                continue
            is_player = first.startswith("player_")
            for line in [f"{first} {line.strip()}" for line in rest] if is_player else [first, *rest]:
                self._put(*line.split(": ", 1))

    def _put(self, label: str, items: str) -> None:
        self._keep(label, Counter(it for it in PIECES.split(items) if it not in ("none", "")))

    def _keep(self, label: str, pieces: Counter[str]) -> None:
        self.facts[key := label.partition(" (")[0]] = label, pieces
        if not pieces:
            del self.facts[key]

    def change(self, changes: str) -> None:
        self.heading, told, *result = (block.splitlines() for block in changes.rstrip("\n").split("\n\n"))
        self.result = result[0] if result else [""]
        for line in told[1:]:
            label, items = line.split(": ", 1)
            key = label.partition(" (")[0]
            if items[:2] not in ("+ ", "- "):
                self._put(label, items)
                continue
            pieces = self.facts[key][1].copy() if key in self.facts else Counter[str]()
            for change in re.split(r", (?=[+-] )", items):
                sign = 1 if change[0] == "+" else -1
                for piece in PIECES.split(change[2:]):
                    pieces[piece] += sign
            assert min(pieces.values()) >= 0
            self._keep(label, +pieces)


def unbroken(text: str) -> str:
    """Return a text with its long lines in one."""
    return re.sub(r"\n    (?=\S)", " ", text)


@every_variant_once
def test_the_first_view_and_the_changes_tell_all_that_each_view_tells(variant: str, players: int) -> None:
    games = Games(variant, players, batch=1, seed=4, autoreset=False)
    configuration, seat = games.configuration, players - 1
    before = games.views(None, [seat])[0]
    told = Told(view_text(before, configuration, WIDE))
    for pause in [1] * 25 + [7] * 20 + [10_000]:
        games.play_random(pause)
        view = games.views(None, [seat])[0]
        told.change(changes_text(before, view, configuration, WIDE))
        assert vars(told) == vars(Told(view_text(view, configuration, WIDE)))
        before = view
    assert told.result != [""]


def test_a_claim_is_told_by_what_has_come_and_gone() -> None:
    table = situation(hands=["3 blue, 2 red"])
    configuration, before = table.games.configuration, table.games.views()[0].copy()
    after = situation(hands=["3 blue"], routes=[["montreal-new_york"]]).games.views()[0]
    text = changes_text(before, after, configuration)
    assert "player_0 routes (1): Montréal-New York (blue, 3)\n" in text
    assert "Unclaimed routes (99): - Montréal-New York (blue, 3)\n" in text
    assert max(map(len, text.splitlines())) <= 120
    assert "Nothing else has changed since your last decision." in changes_text(after, after, configuration)


def test_an_environment_of_changes_shows_the_whole_view_first_and_is_a_fraction_as_long() -> None:
    env = TextEnvironment(SeatEnvironment("new_york", 2), changes=True)
    text, _ = env.reset(seed=1)
    assert text == env.observationString()
    told, long, short = Told(unbroken(text)), 0, 0
    with pytest.raises(ValueError, match="'fly' is not a legal action"):
        env.step("fly")
    while not env.isTerminal():
        assert env.currentPlayer() == 0
        assert len(env.legalActions()) == len(env.legalActionStrings())
        text, _, terminated, truncated, _ = env.step(f'{{"move": "{env.legalActionStrings()[0]}"}}')
        assert env.observation_space.contains(text)
        told.change(unbroken(text))
        assert vars(told) == vars(Told(unbroken(env.observationString())))
        long, short = long + len(env.observationString()), short + len(text)
    assert terminated or truncated
    assert (env.currentPlayer(), env.legalActionStrings()) == (-4, [])
    assert short < long / 4
    again, _ = env.reset(seed=1)
    assert again == env.observationString()
