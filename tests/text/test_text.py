"""A game in text: its rules, what a seat knows, actions in a grammar, and the environment of texts."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from t2r_env import Games, configure
from t2r_env.envs.single import SeatEnvironment
from t2r_env.text import GRAMMAR, TextEnvironment, answers, rules_text, view_text
from t2r_env.text.actions import LegalAction, action_text, legal_actions, parse_action
from tests.helpers.fixtures import Patch
from tests.helpers.playing import Options, decisions_of_every_phase, fewest_and_most
from tests.helpers.situations import situation


def legal_of(games: Games, row: int = 0) -> list[LegalAction]:
    return legal_actions(games.configuration, games.views([row])[0], games.masks[row])


@fewest_and_most
def test_each_legal_action_has_a_text_that_is_parsed_as_it(variant: str, players: int, options: Options) -> None:
    """Or as an equal one. In rare phases, too."""
    states = decisions_of_every_phase(variant, players, bool(options), 40)
    games = Games(variant, players, batch=len(states), seed=0, **options)
    games.set_states(None, states)
    text = games.configuration.text
    for row, view in enumerate(games.views()):
        legal = legal_of(games, row)
        by_text = {it.text: it for it in legal}
        alone = [LegalAction.of_text(it.text, it.action) for it in legal]
        for action in np.flatnonzero(games.masks[row]):
            description = text.describe(view, int(action))
            written = action_text(description, games.configuration)
            found = parse_action(written, legal)
            assert parse_action(written, alone) == found
            assert found == by_text[written].action
            assert str(text.describe(view, found)) == str(description)
            if sum(by_text[written].forms[-1] == it.forms[-1] for it in legal) == 1:  # border stations: one name (SW7)
                assert parse_action(str(description), legal) == found


def some_legal() -> list[LegalAction]:
    return legal_of(situation(face_up="red, red, blue, blue, blue", hands=["3 blue, 3 red"]).games)


CLAIM, DECK, RED = "claim Montréal-New York", "draw deck", "draw red"


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        # cities in either order, without accents and cut short
        (CLAIM, CLAIM),
        ("CLAIM NEW YORK – MONTREAL", CLAIM),
        ("claim mont-new", CLAIM),
        ("claim Montréal-New York (blue, 3)", CLAIM),
        ('First {"move": "draw deck"}, no: ```json\n{"why": 1, "move": "claim New York-Montreal"}\n```', CLAIM),
        # JSON of any form
        ('{"thought": {"move": "draw blue"}, "move": "draw deck"}', DECK),
        ('{"answer": {"move": "draw deck"}, "sure": true}', DECK),
        ('{"why": "{it} is near", "move": "draw deck"}', DECK),
        ('{"move": "draw red"} or {"move": 3} or {"move": "draw', RED),
        ("<think>{{ {" + '{"move": "draw blue"} </think> {"move": "draw deck"} I hope {so}.', DECK),
        ('{"a": ' * 3000 + '{"move": "draw deck"}', DECK),
        ('{"action": "draw deck"}', DECK),
        ('{"action": "play", "move": "draw deck"}', DECK),
        ('{"move": "draw deck", "others": [{"move": "draw blue"}]} [1]', DECK),
        (json.dumps({"others": [{"card": "red"}] * 200, "move": "draw deck"}), DECK),
        # the last of the forms that harnesses teach
        (r"\boxed{draw blue}, or better $\boxed{\text{draw deck}}$", DECK),
        ("The form is <answer>...</answer>: <answer> Draw deck. </answer>", DECK),
        ("<answer>draw deck", DECK),  # the harness stops at the closing tag
        ('<answer>{"move": "draw deck"}</answer>', DECK),
        ("**Final answer:** `draw deck`\nGood luck!", DECK),
        ("Final Answer:\n\\boxed{draw deck}", DECK),
        ('Final Answer: draw blue\nNo: {"move": "draw deck"}', DECK),
        ('<think>{"move": "draw blue"} or [draw red]</think>draw deck', DECK),
        ("I need cards [1]. [draw deck]", DECK),
        ("{draw blue} [draw red] [draw deck].\n", DECK),
        (r'{"why": "not \\boxed{draw blue}, nor [draw red]", "move": "draw deck"}', DECK),
        ('It was [draw red], then \\boxed{draw blue}, now {"move": "draw deck"}', DECK),
    ],
)
def test_the_move_of_an_answer_is_found_in_whatever_form_it_is(typed: str, move: str) -> None:
    legal = some_legal()
    assert [it.text for it in legal if it.action == parse_action(typed, legal)] == [move]


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
        ("Hm. " * 50_000, r"^'Hm\. Hm\..*\.\.\. is not a legal action"),
        ("claim Dalas-Huston", r"^'claim Dalas-Huston' is not a legal action; .*'claim Dallas-Houston'"),
        ("draw", "fits several legal actions: 'draw red', 'draw blue', 'draw deck'"),
    ],
)
def test_an_unclear_answer_is_refused_by_a_short_error_with_the_nearest_actions(typed: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault) as raised:
        parse_action(typed, some_legal())
    assert len(str(raised.value)) < 500


@pytest.mark.parametrize("piece", ["{", '{"a":', '{"a": [', '{"move": "', '{"a": {"'])
def test_only_the_end_of_a_long_answer_is_read_and_few_of_its_braces_are_tried(piece: str, monkeypatch: Patch) -> None:
    """A try may read all that follows: trying each brace took time with the square of the length."""
    tried: list[int] = []

    class Counting(json.JSONDecoder):
        def raw_decode(self, s: str, idx: int = 0) -> tuple[Any, int]:
            tried.append(len(s))
            return super().raw_decode(s, idx)

    monkeypatch.setattr(answers, "_DECODER", Counting())
    legal = some_legal()
    with pytest.raises(ValueError, match="is not a legal action"):
        parse_action(piece * 200_000, legal)
    assert len(tried) <= 65
    assert max(tried, default=0) <= 100_000
    found = parse_action(piece * 200_000 + ' {"move": "draw deck"}', legal)
    assert [it.text for it in legal if it.action == found] == [DECK]


@pytest.mark.parametrize("reply", [None, 3, b"draw deck"])
def test_what_is_not_a_text_is_refused_by_one_error(reply: Any) -> None:
    with pytest.raises(TypeError, match="what names an action must be a text, not"):
        parse_action(reply, legal_of(Games("new_york", seed=0)))


def known_by_text(*routes: str) -> list[LegalAction]:
    """Claims of these routes, numbered from 0."""
    return [LegalAction.of_text(f"claim {route}", number) for number, route in enumerate(routes)]


def test_an_action_known_by_its_text_has_its_cities_in_either_order() -> None:
    legal = known_by_text("Denver-Kansas City (black 4)", "Denver-Kansas City (orange 4)", "Schwarzach-St. Veit-Wien")
    for typed in ("claim kansas city-denver (orange 4)", '{"move": "claim kansas-den orange 4"}'):
        assert parse_action(typed, legal) == 1
    assert parse_action("claim Wien-Schwarzach-St. Veit", legal) == 2


def test_the_text_of_an_action_is_taken_for_it_where_names_differ_in_accents_or_in_words_left_out() -> None:
    legal = known_by_text("Å-Milano", "A-Milano")
    assert [parse_action(it.text, legal) for it in legal] == [0, 1]
    with pytest.raises(ValueError, match="fits several legal actions"):
        parse_action("claim Milano", legal)


def test_cities_of_one_name_and_names_that_end_in_brackets_are_told_apart() -> None:
    europe, names = configure("europe").variant, {"paris": "London", "berlin": "Berlin [DE]"}
    cities = tuple(replace(it, name=names.get(it.id, it.name)) for it in europe.cities)
    games = Games(replace(europe, name="Озёра ★", cities=cities), seed=1)
    while not games.masks[0, games.layout.actions["build"].slice].any():
        games.step([games.masks[0].argmax()])
    legal = legal_actions(games.configuration, games.views()[0], games.masks[0])
    builds = [it for it in legal if it.text.startswith("build")]
    assert len(builds) == games.masks[0, games.layout.actions["build"].slice].sum()
    assert {"build London (london)", "build London (paris)"} <= {it.text for it in builds}
    for it in legal:
        assert parse_action(it.text, legal) == parse_action(json.dumps({"move": it.text}), legal) == it.action
    tickets = [games.configuration.text.ticket(number) for number in range(games.configuration.num_tickets)]
    texts = [action_text({"action": "keep_ticket", "ticket": it}, games.configuration) for it in tickets]
    assert len(set(texts)) == len(texts)
    env = TextEnvironment(SeatEnvironment(games.configuration))
    assert env.reset(seed=1)[0] in env.observation_space


def test_equal_face_up_cards_and_equal_gray_tracks_share_a_text() -> None:
    texts = [it.text for it in some_legal()]
    assert texts[:2] == ["draw red", "draw blue"]
    assert texts.count("claim Dallas-Houston") == 1


def test_numbers_of_an_action_are_not_left_out() -> None:
    legal = [LegalAction("pay 2 red 10 locomotive", 7, (("pay", "2", "red", "10", "locomotive"), ("pay",)))]
    for wrong in ("pay 2 red", "pay 3 red", "pay 2 red 1 locomotive", "", "claim"):
        with pytest.raises(ValueError, match="'pay 2 red 10 locomotive'"):
            parse_action(wrong, legal)


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
    assert [closing in rules_text(Games("usa", players).configuration) for players in (3, 4)] == [True, False]
