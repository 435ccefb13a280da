"""A person at the terminal: what is shown and hidden, how input is understood, and a game against agents."""

import io
import random
import re
from pathlib import Path

import numpy as np
import pytest

from t2r_agents.playing.human import HumanAgent, find_text
from t2r_env import Games, Replay
from t2r_env.commands import main as t2r
from tests.helpers.acting import decisions_in
from tests.helpers.playing import each_kind_once
from tests.helpers.refusing import refusal
from tests.helpers.situations import deal

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> "Typing":
    """A person who types lines."""
    return Typing(monkeypatch, capsys)


class Typing:
    """Types lines, and looks at the screen."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def type(self, text: str) -> None:
        """Have the standard input hold this text."""
        self._monkeypatch.setattr("sys.stdin", io.StringIO(text))

    def choose(self, games: Games, typed: str) -> tuple[list[int], str]:
        """The actions of a person who types this, and everything on the screen by then."""
        self.type(typed)
        actions = HumanAgent().act(decisions_in(games)).tolist()
        return actions, self._capsys.readouterr().out

    def decide(self, games: Games, typed: str) -> str:
        """The action, as text, of a person who types this."""
        return str(games.describe(self.choose(games, typed)[0][0]))


@each_kind_once
def test_what_is_shown_is_the_same_whatever_the_hidden_things_are(variant: str, players: int, typing: Typing) -> None:
    """C20."""
    games = Games(variant, players, batch=6, seed=8)
    others = Games(variant, players, batch=6, seed=0)
    for number, decisions in enumerate((0, 1, 2, 4, 30, 60)):
        games.play_random(decisions, seed=number)
        others.set_states(None, games.determinize(None, range(6)))
        assert not np.array_equal(games.states, others.states)
        typed = "board\n1\n" * games.batch
        assert typing.choose(games, typed) == typing.choose(others, typed)


@each_kind_once
def test_every_legal_action_can_be_chosen_by_its_number_and_by_its_text(
    variant: str, players: int, typing: Typing
) -> None:
    games = Games(variant, players, seed=6)
    for decisions in range(12):
        games.play_random(3 * decisions, seed=decisions)
        texts = {str(games.describe(action)) for action in np.flatnonzero(games.masks[0])}
        assert {typing.decide(games, f"{number}\n") for number in range(1, len(texts) + 1)} == texts
        assert {typing.decide(games, f"{text.upper()}\n") for text in texts} == texts
        _, screen = typing.choose(games, "1\n")
        assert all(re.search(rf" \d+  {re.escape(text)}", screen) for text in texts)
        assert max(map(len, screen.splitlines())) <= 80


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("0", "There is no number 0: "),
        ("3", "There is no number 3: "),
        ("zeppelin", "No actions contain 'zeppelin': "),
        ("", "No actions contain '': "),
        ("draw", "2 actions contain 'draw': "),
    ],
)
def test_input_that_fits_no_action_gets_one_line_and_can_be_repeated(typed: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}type a number from 1 to 2, or a part of one text.$"):
        find_text(["draw tickets", "draw a card"], typed)


@pytest.mark.parametrize(("typed", "reason"), [("q\n", "the person has quit"), ("?\n", "the input has ended")])
def test_q_and_the_end_of_the_input_end_the_game(typed: str, reason: str, typing: Typing) -> None:
    with pytest.raises(KeyboardInterrupt, match=reason):
        typing.choose(deal().games, typed)


# A game against agents


@pytest.mark.parametrize("variant", ["team_asia", "card_game"])
def test_a_person_plays_any_game_to_its_end(variant: str, typing: Typing, capsys: Capture, tmp_path: Path) -> None:
    rng = random.Random(4)
    typing.type("".join(f"{rng.choice([1, 2, 3, 5, 6, 8, 13, 20])}\n" for _ in range(10_000)))
    file = tmp_path / "game.json"
    assert t2r(["play", "--variant", variant, "--seed", "5", "--seat", "1", "--save", str(file)]) == 0
    screen = capsys.readouterr().out
    assert "player_0 is random, player_1 is you" in screen.splitlines()[0]
    assert "The game is over: finished\n" in screen
    assert "\nResult " in screen
    replay = Replay.load(file)
    assert replay.start == 5
    assert replay.final().terminated[0]
    told = {line.split()[1] for line in re.findall(r"^player_\d .*\.$", screen, re.MULTILINE)}
    assert told >= {"draws", "takes", "keeps", "plays" if variant == "card_game" else "claims"}
    assert not told & {"pays", "refuses", "shares", "gets", "spends"}


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["--seat", "2"], "--seat must be an integer from 0 to 1, not 2"),
        (["--opponents", "nobody"], "there is no agent 'nobody'"),
        (["--num-players", "9"], "num_players of usa must be"),
        (["--seed", "-1"], "a seed must be an integer"),
        (["--save", "no/such/folder/game.json"], "--save must be a file in an existing folder"),
    ],
)
def test_a_wrong_command_is_refused(command: list[str], message: str, capsys: Capture) -> None:
    assert message in refusal(capsys, t2r, "play", *command)
