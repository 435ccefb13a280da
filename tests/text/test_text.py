"""A game in text: its rules, what a seat knows, actions in a grammar, and the environment of texts."""

import json
import random
import re
from typing import Any

import numpy as np
import pytest

from t2r_env import Games
from t2r_env.envs.single import SeatEnvironment
from t2r_env.text import (
    GRAMMAR,
    LegalAction,
    TextEnvironment,
    action_text,
    answers,
    legal_actions,
    parse_action,
    rules_text,
    view_text,
)
from tests.helpers.hidden import with_other_secrets
from tests.helpers.playing import Options, choose, decisions_of_every_phase, every_variant_once, fewest_and_most
from tests.helpers.situations import Table, situation


def legal_of(games: Games, row: int = 0) -> list[LegalAction]:
    return legal_actions(games.configuration, games.views([row])[0], games.masks[row])


def legal_texts(table: Table) -> list[str]:
    return [it.text for it in legal_of(table.games)]


def check_round_trip(games: Games, row: int) -> int:
    """Assert that each legal action has a text that names it, or an equal one; return how many there are."""
    legal, view = legal_of(games, row), games.views([row])[0]
    by_text = {it.text: it for it in legal}
    alone = [LegalAction.of_text(it.text, it.action) for it in legal]
    text = games.configuration.text
    actions = np.flatnonzero(games.masks[row])
    for action in actions:
        description = text.describe(view, int(action))
        written = action_text(description, games.configuration)
        found = parse_action(written, legal)
        assert parse_action(written, alone) == found
        assert found == by_text[written].action
        assert str(text.describe(view, found)) == str(description)
        if sum(by_text[written].forms[-1] == it.forms[-1] for it in legal) == 1:  # border stations share names (SW7)
            assert parse_action(str(description), legal) == found
    return actions.size


@fewest_and_most
def test_every_legal_action_has_a_text_that_the_parser_takes_for_it(
    variant: str, players: int, options: Options
) -> None:
    rng = random.Random(1)
    games = Games(variant, players, batch=1, seed=5, **options)
    for _ in range(25):
        check_round_trip(games, 0)
        games.step([choose(games, 0, "grow_rich", rng)])


@every_variant_once
def test_so_it_is_in_rare_phases(variant: str, players: int) -> None:
    advanced = variant == "united_kingdom"
    states = decisions_of_every_phase(variant, players, advanced, 24)
    options: Options = {"advanced_technologies": True} if advanced else {}
    games = Games(variant, players, batch=len(states), seed=0, **options)
    games.set_states(None, states)
    for row in range(games.batch):
        check_round_trip(games, row)


# The parser


@pytest.mark.parametrize(
    "typed",
    [
        "claim Montréal-New York",
        "claim new york-montreal",
        "CLAIM MONTREAL – NEW YORK",
        "claim mont-new",
        '{"move": "claim Montreal-New York"}',
        'First {"move": "draw deck"}, no: ```json\n{"why": 1, "move": "claim New York-Montreal"}\n```',
        "claim Montréal-New York (blue, 3)",
    ],
)
def test_cities_may_come_in_either_order_without_accents_and_cut_short(typed: str) -> None:
    table = situation(hands=["3 blue, 2 red"])
    legal = legal_of(table.games)
    found = parse_action(typed, legal)
    assert next(it.text for it in legal if it.action == found) == "claim Montréal-New York"


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ('{"thought": {"move": "draw blue"}, "move": "draw deck"}', "draw deck"),
        ('{"answer": {"move": "draw deck"}, "sure": true}', "draw deck"),
        ('{"why": "{it} is near", "move": "draw deck"}', "draw deck"),
        ('{"move": "draw red"} or {"move": 3} or {"move": "draw', "draw red"),
        ("<think>{{ {" + '{"move": "draw blue"} </think> {"move": "draw deck"} I hope {so}.', "draw deck"),
        ('{"a": ' * 3000 + '{"move": "draw deck"}', "draw deck"),
    ],
)
def test_the_move_is_found_in_json_of_any_form(typed: str, move: str) -> None:
    legal = legal_of(situation(face_up="red, red, blue, blue, blue", hands=["3 red"]).games)
    assert next(it.text for it in legal if it.action == parse_action(typed, legal)) == move


@pytest.mark.parametrize(
    "typed",
    [
        r"So it is \boxed{draw deck}.",
        r"\boxed{draw blue}, or better $\boxed{\text{draw deck}}$",
        "<answer>draw deck</answer>",
        "The form is <answer>...</answer>: <answer> Draw deck. </answer>",
        "<answer>draw deck",  # the harness stops at the closing tag
        '<answer>{"move": "draw deck"}</answer>',
        "Final Answer: draw deck",
        "**Final answer:** `draw deck`\nGood luck!",
        "Final Answer:\n\\boxed{draw deck}",
        'Final Answer: draw blue\nNo: {"move": "draw deck"}',
        "<think>draw blue</think>\n\ndraw deck",
        '<think>{"move": "draw blue"} or [draw red]</think>draw deck',
        "I need cards [1]. [draw deck]",
        "{draw blue} [draw red] [draw deck].\n",
        '{"action": "draw deck"}',
        '{"action": "play", "move": "draw deck"}',
        '{"move": "draw deck", "others": [{"move": "draw blue"}]} [1]',
        json.dumps({"others": [{"card": "red"}] * 200, "move": "draw deck"}),
        r'{"why": "not \\boxed{draw blue}, nor [draw red]", "move": "draw deck"}',
        'It was [draw red], then \\boxed{draw blue}, now {"move": "draw deck"}',
    ],
)
def test_the_last_of_the_forms_that_harnesses_teach_counts(typed: str) -> None:
    legal = legal_of(situation(face_up="red, red, blue, blue, blue", hands=["3 red"]).games)
    assert next(it.text for it in legal if it.action == parse_action(typed, legal)) == "draw deck"


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        (r"\boxed{draw}", "'draw' fits several legal actions"),
        ("<answer>draw red or draw blue</answer>", "'draw red or draw blue' is not a legal action"),
        (r"\boxed{draw deck} \boxed{}", "'' is not a legal action"),
        ("<think>draw deck</think>", "'' is not a legal action"),
        ('Hm. <think>Perhaps {"move": "draw deck"}', "'Hm.' is not a legal action"),  # cut off in its thoughts
        ("I could draw red, or draw deck", "is not a legal action"),
        ("draw deck" + " or so" * 500, "is not a legal action"),
    ],
)
def test_an_answer_that_is_not_clear_is_refused(typed: str, fault: str) -> None:
    legal = legal_of(situation(face_up="red, red, blue, blue, blue", hands=["3 red"]).games)
    with pytest.raises(ValueError, match=fault):
        parse_action(typed, legal)


@pytest.mark.parametrize("piece", ["{", '{"a":', '{"a": [', '{"move": "', '{"a": {"'])
def test_only_the_end_of_a_long_answer_is_read_and_few_of_its_braces_are_tried(
    piece: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A try may read all that follows: trying each brace took time with the square of the length."""
    tried: list[int] = []

    class Counting(json.JSONDecoder):
        def raw_decode(self, s: str, idx: int = 0) -> tuple[Any, int]:
            tried.append(len(s))
            return super().raw_decode(s, idx)

    monkeypatch.setattr(answers, "_DECODER", Counting())
    legal = legal_of(situation(face_up="red, red, blue, blue, blue", hands=["3 red"]).games)
    with pytest.raises(ValueError, match="is not a legal action"):
        parse_action(piece * 200_000, legal)
    assert len(tried) <= 65
    assert max(tried, default=0) <= 100_000
    found = parse_action(piece * 200_000 + ' {"move": "draw deck"}', legal)
    assert next(it.text for it in legal if it.action == found) == "draw deck"


def test_an_action_known_by_its_text_has_its_cities_in_either_order() -> None:
    legal = [
        LegalAction.of_text("claim Denver-Kansas City (black 4)", 3),
        LegalAction.of_text("claim Denver-Kansas City (orange 4)", 4),
        LegalAction.of_text("claim Schwarzach-St. Veit-Wien", 5),
    ]
    assert parse_action("claim kansas city-denver (orange 4)", legal) == 4
    assert parse_action('{"move": "claim kansas-den orange 4"}', legal) == 4
    assert parse_action("claim Wien-Schwarzach-St. Veit", legal) == 5


def test_an_error_about_a_long_text_is_short() -> None:
    legal = legal_of(situation(face_up="red, red, blue, blue, blue", hands=["3 red"]).games)
    with pytest.raises(ValueError, match=r"^'Hm\. Hm\..*\.\.\. is not a legal action") as raised:
        parse_action("Hm. " * 50_000, legal)
    assert len(str(raised.value)) < 500


def test_equal_face_up_cards_and_equal_gray_tracks_share_a_text() -> None:
    table = situation(face_up="red, red, blue, blue, blue", hands=["3 red"])
    texts = legal_texts(table)
    assert texts[:2] == ["draw red", "draw blue"]
    assert texts.count("claim Dallas-Houston") == 1


def test_an_error_names_the_nearest_legal_actions_and_numbers_are_not_left_out() -> None:
    table = situation(hands=["2 red, 1 locomotive"], face_up="red, red, blue, blue, blue")
    with pytest.raises(ValueError, match=r"^'claim Dalas-Huston' is not a legal action; .*'claim Dallas-Houston'"):
        parse_action("claim Dalas-Huston", legal_of(table.games))
    with pytest.raises(ValueError, match="fits several legal actions: 'draw red', 'draw blue', 'draw deck'"):
        parse_action("draw", legal_of(table.games))
    legal = [LegalAction("pay 2 red 1 locomotive", 7, (("pay", "2", "red", "1", "locomotive"), ("pay",)))]
    for wrong in ("pay 2 red", "pay 3 red", "", "claim"):
        with pytest.raises(ValueError, match="'pay 2 red 1 locomotive'"):
            parse_action(wrong, legal)


# What a seat knows, and the rules


@every_variant_once
def test_the_text_of_a_view_depends_on_nothing_hidden(variant: str, players: int) -> None:
    games = Games(variant, players, batch=4, seed=3)
    for _ in range(4):
        games.play_random(40)
        seats = games.current
        views = games.views()
        other = games.clone()
        other.states[:] = with_other_secrets(games, seats)
        others = other.views(None, seats)
        for row in range(games.batch):
            assert view_text(views[row], games.configuration) == view_text(others[row], games.configuration)


def test_the_text_of_a_view_names_unclaimed_routes_and_what_tickets_lack() -> None:
    table = situation(routes=[["montreal-new_york"]], holds=[["boston-miami"]])
    text = view_text(table.games.views()[0], table.games.configuration, 100_000)
    assert "Unclaimed routes (99): " in text
    assert "Montréal-New York" not in text.split("Unclaimed")[1]
    assert "Boston-Miami (12) lacks a path between its ends" in text


@fewest_and_most
def test_the_rules_name_every_route_and_every_kind_of_action(variant: str, players: int, options: Options) -> None:
    configuration = Games(variant, players, **options).configuration
    text = rules_text(configuration)
    assert all(GRAMMAR[name] in text for name in configuration.layout.actions.shapes)
    routes = getattr(configuration.variant, "routes", ())
    assert all(configuration.text.route_text(route) in text for route in routes)
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize(
    ("variant", "players", "options", "fact"),
    [
        ("team_asia", 4, {}, "But both routes Canton-Hong Kong stay open"),  # TA9
        ("united_kingdom", 2, {}, "New York-Southampton (gray, 10, ferry 3) needs no technology"),  # UK7
        ("united_kingdom", 2, {}, "Cities of wales: Aberystwyth, Cardiff, Carmarthen,"),  # UK6
        ("united_kingdom", 2, {"advanced_technologies": True}, "but no locomotive less than a ferry needs"),  # UK8
        ("legendary_asia", 2, {}, "Refused tickets leave the game at the start; later they go under"),  # LA2
        ("card_game", 2, {}, "Refused tickets are shuffled back into the ticket deck at the start"),  # CG2
        ("switzerland", 2, {}, "Locomotives pay for tunnels only"),  # SW5
        ("usa", 4, {}, "No player may claim two parallel routes"),  # C11
    ],
)
def test_the_rules_tell_what_is_special_in_a_game(variant: str, players: int, options: Options, fact: str) -> None:
    assert fact in " ".join(rules_text(Games(variant, players, seed=0, **options).configuration).split())


def test_only_with_few_players_do_the_rules_close_parallel_routes() -> None:
    """US3."""
    closing = "a claimed route closes the parallel ones"
    told = [closing in rules_text(Games("usa", players, seed=0).configuration) for players in (2, 3, 4, 5)]
    assert told == [True, True, False, False]


# The environment


def test_a_client_that_reads_only_text_forfeits_nothing() -> None:
    env = TextEnvironment(SeatEnvironment("new_york", 2))
    text, _ = env.reset(seed=1)
    rng, over = random.Random(1), False
    while not over:
        assert env.observation_space.contains(text)
        assert env.currentPlayer() == 0
        assert len(env.legalActions()) == len(env.legalActionStrings())
        face_up = re.findall(r"(?m)^Face-up cards: (.*)$", text)[0].split(", ")
        tried = ["draw deck", *(f"draw {card}" for card in face_up), "draw tickets"]
        tried += [f"keep {it}" for it in re.findall(r"keep (.*) \(\d+\)\?", text)] + env.legalActionStrings()
        rng.shuffle(tried)
        for move in tried:
            try:
                text, _, terminated, truncated, info = env.step(f'{{"move": "{move}"}}')
            except ValueError:
                continue
            break
        over = terminated or truncated
    assert env.isTerminal()
    assert env.currentPlayer() == -4
    assert "illegal_action" not in info
    assert env.legalActionStrings() == []
