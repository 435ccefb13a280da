"""A person at the terminal: what is shown and hidden, how input is understood, and a game against agents."""

import io
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_agents.human import PROMPT, HumanAgent
from t2r_agents.human.commands import COMMANDS
from t2r_env import Games, Replay
from t2r_env.agents import decisions_of
from t2r_env.commands import main as t2r
from t2r_env.render.narration import Narrator
from t2r_env.render.shared_text import WIDTH
from t2r_env.rules.map_game.board import phases as board_phases
from t2r_env.rules.map_game.text import MapText
from tests.hidden import with_other_secrets
from tests.playing import every_variant, every_variant_once
from tests.situations import Table, configuration, deal, situation

FOR_TICKETS = "Claims for your tickets"
CARDS_ALONE = "Other claims with coloured cards alone"
WITH_LOCOMOTIVES = "Other claims with locomotives"
BY_EXCHANGES = "Other claims, some cards being exchanged for locomotives"


def shown(games: Games, typed: str, rows: NDArray[np.int64] | None = None) -> tuple[list[int], str]:
    """The actions of a person who types this, and everything on the screen by then."""
    rows = np.arange(games.batch) if rows is None else rows
    screen = io.StringIO()
    actions = HumanAgent(keyboard=io.StringIO(typed), screen=screen).act(
        decisions_of(games, rows, np.zeros(len(rows), np.uint64))
    )
    return actions.tolist(), screen.getvalue()


def decided(games: Games, typed: str) -> str:
    """The action, as text, of a person who types this."""
    (action,), _ = shown(games, typed)
    return str(games.describe(action))


def replies(games: Games, typed: str) -> list[str]:
    """The reply to each of these lines; the last one must be right."""
    _, screen = shown(games, typed)
    return [part.split("\n")[1] for part in screen.split(PROMPT)[1:]]


def every_command(games: Games) -> str:
    """All that can be typed before an action, and an action. The Card Game has no map, and says so."""
    names = [city.name for city in games.configuration.variant.cities]
    commands = [*COMMANDS, f"map {names[0]}", f"path {names[0]}, {names[-1]}", "hint greedy", "history all"]
    return "\n".join([*(command for command in commands if command != "q"), "1\n"])


def listed(table: Table) -> dict[str, list[str]]:
    """The claims on the screen by their heading, without their numbers."""
    _, screen = shown(table.games, "1\n")
    groups: dict[str, list[str]] = {}
    for line in screen.partition(PROMPT)[0].splitlines():
        if line.startswith(("Claims", "Other claims")):
            groups[line.rstrip(":")] = []
        elif groups and re.match(r" +\d", line):
            groups[list(groups)[-1]] += [cell for cell in re.split(r"(?:^|  ) *\d+  ", line) if cell]
    return {heading: [cell.rstrip() for cell in cells] for heading, cells in groups.items()}


def small_numbers(seed: int) -> io.StringIO:
    """The input of a person who types small numbers until one fits."""
    rng = random.Random(seed)
    return io.StringIO("".join(f"{rng.choice([1, 2, 3, 5, 6, 8, 13, 20])}\n" for _ in range(10_000)))


# What is shown


@every_variant_once
def test_what_is_shown_is_the_same_whatever_the_hidden_things_are(variant: str, players: int) -> None:
    """C20."""
    games = Games(variant, players, batch=6, seed=8)
    others = Games(variant, players, batch=6)
    for number, decisions in enumerate((0, 1, 2, 4, 30, 60)):
        games.play_random(decisions, seed=number)
        others.set_states(None, games.determinize(None, range(6)))
        assert not np.array_equal(games.states, others.states)
        typed = every_command(games) * games.batch
        assert shown(games, typed) == shown(others, typed)


@every_variant_once
def test_every_legal_action_can_be_chosen_by_its_number_and_by_its_text(variant: str, players: int) -> None:
    games = Games(variant, players, seed=6)
    for decisions in range(12):
        games.play_random(3 * decisions, seed=decisions)
        legal = np.flatnonzero(games.masks[0]).tolist()
        numbers = range(1, len(legal) + 1)
        assert sorted(shown(games, f"{number}\n")[0][0] for number in numbers) == legal
        words = {str(games.describe(action)) for action in legal}
        assert {decided(games, f"{text.upper()}\n") for text in words} == words
        _, screen = shown(games, "1\n")
        assert all(re.search(rf" {number}  \S", screen) for number in numbers)
        assert max(map(len, screen.splitlines())) <= max(WIDTH, len(PROMPT) + 3)


def test_the_position_is_shown_once_a_turn_and_on_request() -> None:
    games = situation(hands=["3 blue, 1 locomotive"]).games
    screen = io.StringIO()
    agent = HumanAgent(keyboard=io.StringIO("draw a card\nlist\n1\n"), screen=screen)
    for positions in (1, 2):
        games.step(agent.act(decisions_of(games, np.zeros(1, np.int64), np.zeros(1, np.uint64))))
        assert screen.getvalue().count("Face up:") == positions
    further = screen.getvalue().split(PROMPT)[1]
    assert "second card\nSo far: draw deck\nYour hand: " in further
    assert "\nplayer_0, which second card do you take?\n" in further


def test_games_are_played_one_after_the_other_each_with_its_board() -> None:
    games = Games("usa", batch=3)
    actions, screen = shown(games, "1\n2\n1\n")
    assert [str(games.describe(action, row)).split()[0] for row, action in enumerate(actions)] == [
        "keep",
        "refuse",
        "keep",
    ]
    assert re.findall(r"Game \d of \d", screen) == ["Game 1 of 3", "Game 2 of 3", "Game 3 of 3"]
    assert screen.count("Face up:") == 3


def test_routes_to_be_claimed_are_sorted_by_name_in_their_group() -> None:
    _, screen = shown(situation(hands=["9 blue, 9 red, 4 locomotive"]).games, "1\n")
    claims = screen.partition(f"{CARDS_ALONE}:\n")[2].split("Other claims")
    for part in claims:
        routes = {int(number): name for number, name in re.findall(r"(\d+)  (\S.*?) [A-Z]\d", part)}
        in_order = [routes[number] for number in sorted(routes)]
        assert in_order == sorted(in_order, key=lambda name: name.replace("é", "e").casefold())
        assert len(in_order) > 20
    assert len(claims) == 2


# What is typed


def test_part_of_a_text_is_enough_if_only_one_action_contains_it() -> None:
    games = situation(hands=["3 blue, 1 locomotive"], face_up="red, green, red, black, locomotive").games
    assert decided(games, "W TICKETS\n") == "draw tickets"
    assert decided(games, "  from   the deck \n") == "draw a card from the deck"
    assert decided(games, "montreal-new\n") == "claim Montréal-New York (blue, 3)"
    assert decided(games, "take the red\n") == "take the red card"  # two slots, the same text


def test_the_whole_text_of_an_action_means_it_even_if_another_contains_it() -> None:
    table = situation(hands=["3 blue, 1 locomotive"])
    table.play("claim montreal-new_york")
    assert table.games.states["phase"][0] == board_phases.PAY
    assert decided(table.games, "pay 3 blue\n") == "pay 3 blue"
    assert decided(table.games, "loco\n") == "pay 2 blue and 1 locomotive"


def test_input_that_fits_no_action_gets_one_line_and_can_be_repeated() -> None:
    games = situation(hands=["3 blue"], face_up="red, green, red, black, white").games
    last = int(games.masks[0].sum())
    typed = "0\n99\nzeppelin\n\nthe\ndraw tickets\n"
    assert decided(games, typed) == "draw tickets"
    assert replies(games, typed)[:5] == [
        f"There is no number 0: type a number from 1 to {last}, or part of a text.",
        f"There is no number 99: type a number from 1 to {last}, or part of a text.",
        f"No text contains 'zeppelin': type a number from 1 to {last}, or part of a text.",
        f"Type a number from 1 to {last}, or part of a text.",
        "Several texts contain 'the': 1, 2, 3, 4, 5, 6.",
    ]


def test_q_quits() -> None:
    with pytest.raises(KeyboardInterrupt, match="player_0 has quit"):
        shown(deal().games, "q\n")


def test_the_end_of_the_input_is_reported() -> None:
    screen = io.StringIO()
    games = deal().games
    message = "the input has ended before player_0 chose: do you keep this ticket?"
    with pytest.raises(KeyboardInterrupt, match=re.escape(message)):
        HumanAgent(keyboard=io.StringIO("?\n"), screen=screen).act(
            decisions_of(games, np.zeros(1, np.int64), np.zeros(1, np.uint64))
        )
    assert screen.getvalue().endswith(f"\n{message}\n")


# A game against agents


@every_variant
def test_a_person_plays_any_game_to_its_end(
    variant: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.stdin", small_numbers(4))
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
    acts = {"draws", "takes", "keeps", "plays" if variant == "card_game" else "claims"}
    assert told >= acts
    assert not told & {"pays", "refuses", "shares", "gets", "spends"}


def known(games: Games) -> dict[str, Any]:
    """What seat 0 knows."""
    return games.configuration.snapshot(games.views([0], [0])[0])


def told(table: Table, *actions: str) -> list[str]:
    """The lines for seat 0 after each of these actions."""
    narrator = Narrator(table.games.configuration, 0)
    lines: list[str] = []
    for choice in actions:
        before = known(table.games)
        action = next(it for it in np.flatnonzero(table.games.masks[0]) if str(table.games.describe(it)) == choice)
        description = table.games.describe(action)
        table.games.step([action])
        lines += narrator.narrate(before, known(table.games), description)
    return lines


@every_variant_once
def test_what_is_told_of_others_depends_on_public_actions_only(variant: str, players: int) -> None:
    """C20: not on actions about payments and tickets, nor on whether there were such decisions."""
    games = Games(variant, players, seed=1, autoreset=False)
    seen = ("draw_", "take_", "pass", "buy", "build", "place", "neutral_", "claim")
    first, second = Narrator(games.configuration, 0), Narrator(games.configuration, 0)
    rng = random.Random(2)
    while not games.terminated[0] and games.states["decisions"][0] < 150:
        before, asked = known(games), games.current[0]
        action = int(rng.choice(np.flatnonzero(games.masks[0])))
        choice = games.describe(action)
        games.step([action])
        is_seen = asked == 0 or choice["action"].startswith(seen)
        lines = [
            list(it.narrate(before, known(games), known_action))
            for it, known_action in ((first, choice), (second, choice if is_seen else {"action": "unseen"}))
        ]
        assert lines[0] == lines[1]


@every_variant_once
def test_what_is_told_and_remembered_is_the_same_whatever_the_hidden_things_are(variant: str, players: int) -> None:
    """C20: what `history` shows is what was told."""
    games, others = (Games(variant, players, seed=3, autoreset=False) for _ in range(2))
    narrators = [Narrator(games.configuration, 0) for _ in range(2)]

    def views() -> list[dict[str, Any]]:
        others.states[:] = with_other_secrets(games, 0)
        return [known(it) for it in (games, others)]

    rng = random.Random(4)
    screens = [io.StringIO(), io.StringIO()]
    people = [HumanAgent(keyboard=io.StringIO("history all\n1\n"), screen=screen) for screen in screens]
    before = views()
    while not games.terminated[0] and (games.states["decisions"][0] < 60 or games.current[0] != 0):
        action = int(rng.choice(np.flatnonzero(games.masks[0])))
        choice = games.describe(action)
        games.step([action])
        if games.terminated[0]:
            break
        after = views()
        for person, narrator, old, new in zip(people, narrators, before, after, strict=True):
            for line in narrator.narrate(old, new, choice):
                person.tell(line)
        before = after
    others.set_states(None, games.determinize(None, [7]))
    for person, it in zip(people, (games, others), strict=True):
        person.act(decisions_of(it, np.zeros(1, np.int64), np.zeros(1, np.uint64)))
    assert screens[0].getvalue() == screens[1].getvalue()
    assert screens[0].getvalue().count("\n  player_") > 20


def test_the_actions_of_others_are_told_as_sentences() -> None:
    table = situation(to_move=1, hands=["", "3 blue, 2 red"], face_up="red, green, blue, black, white")
    assert told(table, "take the green card", "draw a card from the deck") == [
        "player_1 takes the green card.",
        "player_1 draws a card from the deck.",
    ]
    assert told(table, "take the blue card") == ["You get 1 blue."]
    told(table, "take the red card")
    assert told(table, "claim Montréal-New York (blue, 3)")[-1] == "player_1 claims Montréal-New York (blue, 3)."


def test_how_many_tickets_others_keep_is_told_once_their_choice_is_complete() -> None:
    """C6, C12, C20."""
    table = situation(to_move=1, ticket_deck=["boston-miami", "dallas-new_york", "new_york-seattle"])
    assert told(table, "draw tickets", "keep Boston-Miami (12)", "refuse Dallas-New York (11)") == [
        "player_1 draws tickets."
    ]
    assert told(table, "keep New York-Seattle (20)") == ["player_1 keeps 2 tickets."]


def test_ta10_a_withdrawal_from_a_tunnel_is_told() -> None:
    words = configuration("team_asia", 4).text
    assert isinstance(words, MapText)
    route = next(route for route in words.configuration.variant.routes if route.tunnel and route.colour != "gray")
    table = situation(
        4, variant="team_asia", to_move=1, hands=["", f"{route.length} {route.colour}"], deck=f"9 {route.colour}"
    )
    text = words.route_text(route)
    assert told(table, f"claim {text}") == [f"player_1 withdraws from the tunnel {text}."]


def test_cg7_sets_and_the_rows_that_they_rob_are_told() -> None:
    table = deal(variant="card_game")
    narrator = Narrator(table.games.configuration, 0)
    before, after = known(table.games), known(table.games)
    before["current_player"] = 1
    before["players"][0]["yard"] = {"blue": {"cards": 1, "locomotives": 0}}
    before["players"][1]["yard"] = {"red": {"cards": 1, "locomotives": 0}}
    after["players"][1]["yard"] = {"red": {"cards": 1, "locomotives": 0}, "blue": {"cards": 2, "locomotives": 1}}
    assert list(narrator.narrate(before, after, {"action": "set_locomotives"})) == [
        "player_1 plays 2 blue and 1 locomotive.",
        "You lose the blue row.",
    ]


def test_with_a_person_a_tournament_uses_one_process_and_no_progress_bar(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Other processes have no terminal, and a progress bar would overwrite what is typed."""
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 1000))
    command = ["--variant", "new_york", "--agents", "human", "random", "--games", "2", "--processes", "2"]
    assert t2r(["tournament", *command]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert "human" in told.out


def test_an_interrupted_game_is_saved(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n1\nq\n"))
    file = tmp_path / "game.json"
    assert t2r(["play", "--save", str(file)]) == 130
    assert capsys.readouterr().err == "\ninterrupted\n"
    assert len(Replay.load(file).actions) == 2


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
def test_a_wrong_command_is_refused(command: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        t2r(["play", *command])
    assert message in capsys.readouterr().err
