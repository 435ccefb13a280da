"""A person at the terminal: what is shown and hidden, how input is understood, and a game against agents."""

import io
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest

from t2r_agents.playing.human import PROMPT, HumanAgent, find_text
from t2r_env import Games, Replay
from t2r_env.commands import main as t2r
from tests.helpers.acting import decisions_in
from tests.helpers.playing import each_kind_once
from tests.helpers.situations import deal, situation

Capture = pytest.CaptureFixture[str]
Typing: TypeAlias = Callable[[str], None]
Choosing: TypeAlias = Callable[[Games, str], tuple[list[int], str]]


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch) -> Typing:
    """A function that has the standard input hold a text."""
    return lambda text: monkeypatch.setattr("sys.stdin", io.StringIO(text))


@pytest.fixture
def choosing(typing: Typing, capsys: Capture) -> Choosing:
    """A function that returns the actions of a person who types a text, and everything on the screen by then."""

    def choose(games: Games, typed: str) -> tuple[list[int], str]:
        typing(typed)
        return HumanAgent().act(decisions_in(games)).tolist(), capsys.readouterr().out

    return choose


@each_kind_once
def test_what_is_shown_tells_nothing_hidden(variant: str, players: int, choosing: Choosing) -> None:
    """C20."""
    games = Games(variant, players, batch=6, seed=8)
    others = Games(variant, players, batch=6, seed=0)
    for number, decisions in enumerate((0, 1, 2, 4, 30, 60)):
        games.play_random(decisions, seed=number)
        others.set_states(None, games.determinize(None, range(6)))
        assert not np.array_equal(games.states, others.states)
        typed = "board\n1\n" * games.batch
        assert choosing(games, typed) == choosing(others, typed)


@each_kind_once
def test_every_action_is_chosen_by_its_number_or_its_text(variant: str, players: int, choosing: Choosing) -> None:
    games = Games(variant, players, seed=6)
    for decisions in range(12):
        games.play_random(3 * decisions, seed=decisions)
        texts = {str(games.describe(action)) for action in np.flatnonzero(games.masks[0])}
        numbers = map(str, range(1, len(texts) + 1))
        for typed in (numbers, map(str.upper, texts)):
            assert {str(games.describe(choosing(games, f"{it}\n")[0][0])) for it in typed} == texts
        _, screen = choosing(games, "1\n")
        assert all(re.search(rf" \d+  {re.escape(text)}", screen) for text in texts)
        assert max(map(len, screen.splitlines())) <= 80


def test_the_board_shows_what_the_seat_knows_and_comes_again_on_request(choosing: Choosing) -> None:
    games = situation(hands=["3 blue"], holds=[["montreal-new_orleans"]], routes=[["boston-new_york"]]).games
    _, screen = choosing(games, "board\n1\n")
    first, again, _ = screen.split(PROMPT)
    assert again == f"board\n{first}"
    assert "routes (1): Boston-New York (yellow, 2)" in first
    assert "tickets (1): · Montréal-New Orleans (13)" in first


def test_games_are_played_one_after_the_other_each_with_its_board(choosing: Choosing) -> None:
    games = Games("usa", batch=3, seed=0)
    actions, screen = choosing(games, "1\n2\n1\n")
    texts = [str(games.describe(action, row)).split()[0] for row, action in enumerate(actions)]
    assert texts == ["keep", "refuse", "keep"]
    assert re.findall(r"Game \d of \d", screen) == ["Game 1 of 3", "Game 2 of 3", "Game 3 of 3"]
    assert screen.count("Face-up cards:") == 3


@pytest.mark.parametrize(
    ("typed", "index"),
    [("1", 0), ("5", 4), ("W TICKETS", 1), ("from   the deck", 0), ("montreal-new", 2), ("red", 3), ("pay 3 blue", 4)],
)
def test_a_number_or_a_part_that_only_one_text_has_is_enough(typed: str, index: int) -> None:
    texts = ["draw a card from the deck", "draw tickets", "claim Montréal-New York (blue, 3)", "take the red card"]
    texts += ["pay 3 blue", "pay 3 blue and 1 locomotive"]
    assert find_text(texts, typed) == texts[index]


def test_input_that_fits_no_action_gets_one_line() -> None:
    for typed, message in (
        *((number, f"There is no number {number}: ") for number in ("0", "3")),
        *((text, f"No actions contain '{text}': ") for text in ("zeppelin", "")),
        ("draw", "2 actions contain 'draw': "),
    ):
        with pytest.raises(ValueError, match=f"^{message}type a number from 1 to 2, or a part of one text.$"):
            find_text(["draw tickets", "draw a card"], typed)


def test_after_help_and_wrong_input_one_chooses_again_and_q_or_the_end_of_the_input_ends_it(choosing: Choosing) -> None:
    (action,), screen = choosing(deal().games, "?\nzeppelin\n1\n")
    assert action == np.flatnonzero(deal().games.masks[0])[0]
    _, helped, refused, _ = screen.split(PROMPT)
    assert helped.startswith("?\nType the number of an action")
    assert refused.startswith("zeppelin\nNo actions contain 'zeppelin'")
    for typed, reason in (("q\n", "the person has quit"), ("?\n", "the input has ended")):
        with pytest.raises(KeyboardInterrupt, match=reason):
            choosing(deal().games, typed)


# A game against agents


@pytest.mark.parametrize("variant", ["team_asia", "card_game"])
def test_a_person_plays_any_game_to_its_end(variant: str, typing: Typing, capsys: Capture, tmp_path: Path) -> None:
    rng = random.Random(4)
    typing("".join(f"{rng.choice([1, 2, 3, 5, 6, 8, 13, 20])}\n" for _ in range(10_000)))
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


def test_with_a_person_a_tournament_uses_one_process_and_no_progress_bar(typing: Typing, capsys: Capture) -> None:
    """Other processes have no terminal, and a progress bar would overwrite what is typed."""
    typing("1\n" * 1000)
    command = ["--variant", "new_york", "--agents", "human", "random", "--games", "2", "--processes", "2"]
    assert t2r(["tournament", *command]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert "human" in told.out


def test_an_interrupted_game_is_saved(typing: Typing, capsys: Capture, tmp_path: Path) -> None:
    typing("1\n1\nq\n")
    file = tmp_path / "game.json"
    assert t2r(["play", "--save", str(file)]) == 130
    assert capsys.readouterr().err == "\nthe person has quit\n"
    assert len(Replay.load(file).actions) == 2
