"""Watching agents, taking back, rematches, levels, and games that a server takes up by itself."""

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from t2r_agents.browser import stream
from t2r_agents.browser.levels import LEVELS, agents_of_levels
from t2r_agents.browser.messages import moment_message, size_of
from t2r_agents.browser.players import Wish, seat_players
from t2r_agents.browser.table import RefusedError, Table
from t2r_agents.browser.tables import Tables
from t2r_agents.browser.watching import chances_message
from t2r_env import VARIANTS, configure
from t2r_env.agents import find_agent
from t2r_env.variants import load_variant
from tests.pages.serving import SLOW, Served, SlowAgent, actions_in, first_legal, play, served, take

SEED = 8_765_432_109_876_543_210


def wait_for(sent: Iterator[Any], **entries: Any) -> Any:
    """The next message with these entries."""
    return next(it for it in sent if it | entries == it)


# Watching


def watched(server: Served, *, milliseconds: int = 0, paused: bool = True) -> Table:
    """A game of agents that waits for a watcher's steps."""
    table = server.begin("new_york", ["random", "greedy"])
    assert server.send(table, "pace", {"paused": paused, "milliseconds": milliseconds})[0] == 200
    return table


def test_a_watcher_pauses_and_steps_and_sees_what_the_agent_to_act_thinks(server: Served) -> None:
    table = watched(server)
    with server.events(table.screens[0].key) as sent:
        start = next(sent)
        assert (start["is_watching"], start["seats"], start["is_practice"]) == (True, [], False)
        shown = next(it for it in sent if it.get("opinion"))
        assert (shown["seat"], shown["decision"], shown["pace"]) == (None, None, {"paused": True, "milliseconds": 0})
        legal, wanted = table.games.masks[0].nonzero()[0].tolist(), shown["opinion"]
        assert wanted["seat"] == 0
        assert {it["action"] for it in wanted["actions"]} <= set(legal)
        assert sum(it["share"] for it in wanted["actions"]) == pytest.approx(1, abs=0.01)
        time.sleep(0.2)
        assert table.number == 0
        assert server.send(table, "step", {})[0] == 200
        assert wait_for(sent, kind="moment", step=1)["log"]
        assert table.games.history()[1] == [wanted["action"]]
        time.sleep(0.2)
        assert table.number == 1
        assert server.send(table, "pace", {"paused": False, "milliseconds": 0})[0] == 200
        assert wait_for(sent, is_over=True)["opinion"] is None


def test_agents_wait_as_long_as_the_pace_says_and_while_nobody_watches(server: Served) -> None:
    table = watched(server, paused=False, milliseconds=60_000)
    with server.events(table.screens[0].key, skip=1) as sent:
        next(it for it in sent if it.get("opinion"))
        time.sleep(0.3)
        assert table.number == 0
    assert server.send(table, "pace", {"paused": False, "milliseconds": 0})[0] == 200
    time.sleep(1.2)
    assert table.number <= 2  # the page may have been closed late
    with server.events(table.screens[0].key) as sent:
        wait_for(sent, is_over=True)


def test_a_watcher_sees_any_seat_or_everything_and_through_a_seat_only_what_it_knows(server: Served) -> None:
    table = watched(server)
    with server.events(table.screens[0].key, skip=1) as sent:
        assert next(it for it in sent if it.get("opinion"))["seat"] is None
        for seat, knows in ((1, False), (0, True), (None, True)):
            assert server.send(table, "show", {"seat": seat})[0] == 200
            shown = wait_for(sent, kind="moment", seat=seat, is_whole_log=True)
            assert (shown["opinion"] is not None) == knows
            assert shown == moment_message(table, seat, 0, size_of(""), whole_log=True)
    assert {server.send(table, "show", {"seat": value})[0] for value in (2, -1, True, "0", 0.0, [0])} == {409}
    assert table.screens[0].shown is None


def test_watchers_can_not_play_and_people_can_not_watch(server: Served) -> None:
    """A watcher's screen, which may show everything, exists in games without people only."""
    table, played = watched(server), server.begin("new_york", [None, "greedy"])
    everything = {"number": 0, "action": 0, "agent": "greedy", "target": {"pile": "deck"}}
    assert [server.send(table, it, everything)[0] for it in ("act", "hint", "why", "take_back")] == [409] * 4
    with pytest.raises(RefusedError, match="watching"):
        table.act(table.screens[0], 0, first_legal(table))
    for paused, milliseconds in ((True, -1), (True, 1e9), (True, "1"), (True, None), (1, 0)):
        assert server.send(table, "pace", {"paused": paused, "milliseconds": milliseconds})[0] == 409
    assert (table.number, table.pace.paused) == (0, True)
    everything = {"paused": True, "milliseconds": 0, "seat": None}
    assert [server.send(played, it, everything)[0] for it in ("pace", "step", "show")] == [409] * 3
    assert all(screen.seats for screen in played.screens)
    assert list(played.steps) == [0]
    wish = {"variant": "new_york", "players": ["random", "greedy"], "own_windows": True}
    assert [screen["players"] for screen in server.wish("new", wish)[1]["screens"]] == [[]]


def test_chances_are_those_of_the_position_on_show_or_none(tables: Tables) -> None:
    table = tables.begin("new_york", configure("new_york", 2), ["random", "greedy"], seed=1)
    assert chances_message(table, None) is None
    for _ in range(2):
        thought = table.think()
        assert thought is not None
        assert chances_message(table, None)
        assert table.take_thought(thought)
        assert chances_message(table, None) is None  # the next position is not judged yet


# Taking back


def choose_tickets(table: Table, draws: int = 0) -> None:
    """Keep all starting tickets, and let each player draw cards from the deck so many times."""
    while table.games.states["turn"][0] <= 2 * draws:
        take(table, "draw a card" if table.games.states["turn"][0] else "keep")


def claim_a_route(table: Table) -> None:
    """Claim the first route that can be paid for, with the first payment."""
    take(table, "claim")
    while table.current == 0:
        take(table, "pay")


def take_back(table: Table) -> None:
    while table.can_take_back:
        table.take_back(table.screens[0], table.steps[0][-1].number)


@pytest.fixture
def table(server: Served) -> Table:
    """A game of a person against an agent that draws no cards by itself: the test acts for it."""
    table = server.begin("new_york", [None, SLOW], seed=3)
    choose_tickets(table)
    return table


@pytest.fixture
def claimed(table: Table) -> Table:
    """This game after some turns, of which the last was a claim of the person."""
    choose_tickets(table, draws=4)
    claim_a_route(table)
    assert table.can_take_back
    return table


def test_a_chosen_route_is_taken_back_and_saved_but_not_from_people_or_at_the_end(server: Served, table: Table) -> None:
    before, number, due = table.games.states.tobytes(), table.number, table.due
    claim = int(table.games.masks[0].nonzero()[0][-1])  # which can be paid in two ways
    with server.events(table.screens[0].key) as sent:
        assert wait_for(sent, kind="moment")["decision"]
        assert server.send(table, "act", {"number": due, "action": claim})[0] == 200
        assert wait_for(sent, number=due + 1)["can_take_back"]
        assert server.send(table, "take_back", {"number": due})[0] == 409
        assert server.send(table, "take_back", {"number": due + 1})[0] == 200
        again = wait_for(sent, number=due)
        assert again["is_whole_log"]
        assert again["decision"]
    assert (table.games.states.tobytes(), table.number) == (before, number)
    assert actions_in(table.folder) == number
    assert not table.can_take_back  # the other has chosen its tickets since
    assert server.send(table, "take_back", {"number": due})[0] == 409
    people = server.begin("new_york", [None, None], own_windows=True)
    take(people, "keep")
    assert server.send(people, "take_back", {"number": 1})[0] == 409
    ended = server.begin("new_york", [None, "greedy"], turn_limit=1, until=lambda games: False)
    assert server.send(ended, "take_back", {"number": ended.steps[0][-1].number})[0] == 409


def test_the_last_actions_are_taken_back_one_by_one_and_a_thought_from_before_is_not_played(table: Table) -> None:
    SlowAgent.goes_on.set()
    choose_tickets(table, draws=4)
    start = table.games.states.tobytes()
    claim_a_route(table)
    number, thought = table.number, table.think()
    assert thought is not None
    take_back(table)
    assert table.games.states.tobytes() == start
    claim_a_route(table)  # now the game has as many actions as when it thought
    assert (table.number, table.current) == (number, 1)
    assert table.take_thought(thought)  # it was for another game
    assert table.number == number


@pytest.mark.parametrize("action", ["draw a card", "take the", "draw tickets"])
def test_what_shows_a_card_and_what_another_has_done_is_never_taken_back(claimed: Table, action: str) -> None:
    """C20: who takes back after it and acts otherwise has used what it tells."""
    take(claimed, action)
    assert not claimed.can_take_back
    with pytest.raises(RefusedError, match="another player has acted"):
        claimed.take_back(claimed.screens[0], claimed.steps[0][-1].number)
    while claimed.current == 1:
        take(claimed, "draw a card" if action != "draw tickets" else "keep")
    take(claimed, action)
    assert not claimed.can_take_back


@pytest.mark.parametrize("variant", ["usa", "team_asia", "card_game"])
def test_nobody_sees_how_many_tickets_others_keep_and_chooses_again(tables: Tables, variant: str) -> None:
    configuration = configure(variant, load_variant(variant).min_players)
    table = tables.begin(variant, configuration, [None, *["random"] * (configuration.num_players - 1)], seed=1)
    acted = set()
    while table.games.states["turn"][0] == 0:
        acted.add(is_own := table.current == 0)
        table.take(table.number, first_legal(table))
        assert table.can_take_back == is_own
    assert acted == {True, False}


def test_a_page_that_is_behind_is_sent_each_step_with_its_lines(claimed: Table) -> None:
    (screen,), told, last = claimed.screens, list[Any](), len(claimed.steps[0]) - 1
    _, sent = stream.next_message(claimed, screen, None, (1200, 800)) or ({}, None)
    while claimed.current == 1:
        take(claimed, "draw a card")
    claim_a_route(claimed)
    while following := stream.next_message(claimed, screen, sent, (1200, 800)):
        told.append(following[0])
        sent = following[1]
    lines = [(rank, line) for rank, step in enumerate(claimed.steps[0]) if rank > last for line in step.lines]
    assert len(lines) > 2
    assert [(it["step"], it["text"]) for message in told for it in message["log"]] == lines


def test_a_step_taken_back_while_it_is_drawn_is_not_sent(claimed: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    ranks, last = list[int](), len(claimed.steps[0]) - 1

    def draw_slowly(of: Table, seat: int | None, rank: int, *arguments: Any, **keywords: Any) -> Any:
        ranks.append(rank)
        take_back(of)
        return moment_message(of, seat, rank, *arguments, **keywords)

    monkeypatch.setattr(stream, "moment_message", draw_slowly)
    following, _ = stream.next_message(claimed, claimed.screens[0], None, (1200, 800)) or ({}, None)
    assert (ranks, following["step"]) == ([last, last - 1], last - 1)


# Rematches, levels and names


def test_a_rematch_has_the_same_players_one_seat_further_and_one_game_for_all_screens(server: Served) -> None:
    wishes = [Wish(name="Anna", colour=4), Wish(name="Ben", colour=2), Wish("greedy", "easy")]
    table = server.begin("new_york", wishes, own_windows=True, seed=1, turn_limit=1)
    assert server.send(table, "rematch", {})[0] == 409
    play(table)
    paths = [server.send(table, "rematch", {}, screen)[1]["path"] for screen in (0, 0, 1)]
    assert paths[0] == paths[1] != paths[2]
    assert len(server.service.tables.names()) == 2
    following = server.service.tables.open("new_york-2")
    assert [(it.name, it.colour, it.agent, it.level) for it in following.players] == [
        ("Ben", 2, None, None),
        ("Easy", 0, "greedy", "easy"),
        ("Anna", 4, None, None),
    ]
    keys = {following.players[screen.seats[0]].name: screen.key for screen in following.screens}
    assert [paths[0], paths[2]] == [f"/table/{keys[name]}/" for name in ("Anna", "Ben")]
    assert following.configuration == table.configuration
    assert server.ask("GET", paths[0])[0] == 200


def test_teams_stay_together_in_a_rematch(tables: Tables) -> None:
    wishes = [Wish("random", name=name) for name in ("Anna", "Ben", "Cleo", "Dora")]
    table = tables.begin("team_asia", configure("team_asia", 4, turn_limit=1), wishes, seed=1)
    play(table)
    following, _ = tables.rematch(table, table.screens[0])
    assert [player.name for player in following.players] == ["Cleo", "Dora", "Anna", "Ben"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_level_is_an_agent_that_can_play(variant: str) -> None:
    loaded = load_variant(variant)
    for number in loaded.player_numbers:
        for deck in loaded.ticket_decks:
            configuration = configure(variant, number, tickets=deck)
            levels = agents_of_levels(configuration)
            assert tuple(levels) == LEVELS
            assert len({find_agent(name, configuration).__class__ for name in levels.values()}) == 4


def test_the_levels_are_in_the_order_of_the_measured_strength_or_as_strong() -> None:
    page = Path(__file__).parents[2] / "docs" / "strength.md"
    (table,) = page.read_text().split("**win rate in all variants, %**")[1].split("**", 1)[:1]
    heading, _, *rows = [line.strip("|").split("|") for line in table.strip().splitlines()]
    names = [name.strip().replace(" ", "_") for name in heading[1:]]
    rates = {row[0].strip(): dict(zip(names, map(float, row[1:]), strict=True)) for row in rows}
    for variant in VARIANTS:
        number = load_variant(variant).player_numbers[0]
        deck = "classic" if variant == "usa" else load_variant(variant).default_ticket_deck
        won = [rates[agent][variant] for agent in agents_of_levels(configure(variant, number, tickets=deck)).values()]
        assert np.diff(won).min() > -1, variant  # an interval is four times as wide


def test_names_colours_and_the_agents_of_levels_are_told_to_the_page(server: Served) -> None:
    players = [{"name": "Änna", "colour": 3}, {"level": "medium"}, {"level": "medium"}, {"agent": "random"}]
    _, listed = server.wish("new", {"variant": "new_york", "players": players})
    with server.events(listed["screens"][0]["path"].split("/")[2]) as sent:
        start = next(sent)
    assert [(it["name"], it["agent"], it["level"], it["colour"]) for it in start["players"]] == [
        ("Änna", None, None, 3),
        ("Medium", "long_routes", "medium", 0),
        ("Medium 2", "long_routes", "medium", 1),
        ("random", "random", None, 2),
    ]
    assert start["is_practice"]
    wish: dict[str, Any] = {"variant": "usa", "num_players": 2, "options": {"tickets": "classic"}}
    assert server.wish("levels", wish)[1]["strongest"] == "policy"
    assert server.wish("levels", wish | {"options": {"tickets": "1910"}})[1]["strongest"].startswith("ismcts")
    for wrong in (None, {}, wish | {"variant": "../usa"}, wish | {"num_players": 9}, wish | {"options": {"seed": 1}}):
        assert server.wish("levels", wrong)[0] == 409
    named = seat_players([Wish(name="medium"), Wish("planner", "medium")])
    assert [player.name for player in named] == ["medium", "Medium 2"]  # a person may be called like a level


def test_a_server_started_again_knows_the_addresses_of_all_games_and_one_of_the_format_before(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        table = server.begin("new_york", [None, None], own_windows=True)
        old = server.begin("new_york", [None, "greedy"])
        table.take(0, first_legal(table))
    path = old.folder / "seats.json"
    entries = json.loads(path.read_text()) | {"format": "t2r_env table 1", "players": [None, "greedy"]}
    path.write_text(json.dumps(entries))
    with served(tmp_path) as server:
        with server.events(table.screens[0].key, skip=1) as sent:
            assert next(sent)["number"] == 1
        assert server.ask("GET", f"/table/{old.screens[0].key}/")[0] == 200
        assert [it.name for it in server.service.tables.open(old.name).players] == ["Player 1", "greedy"]


def test_games_are_listed_without_being_opened_or_telling_secrets_and_damaged_ones_by_name(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        table = server.begin("new_york", [None, "greedy"], turn_limit=1, until=lambda games: False)
        begun = server.begin("new_york", [None, "greedy"], seed=SEED)
    standing = table.standing()
    wrong = [("seats.json", "{"), ("standing.json", "")]
    changes: list[Any] = [{"turn": "<b>"}, {"winners": ""}, {"winners": [2]}, {"scores": {}}, {"scores": [True]}]
    wrong += [("standing.json", json.dumps(standing | change)) for change in changes]
    for number, (name, content) in enumerate(wrong):
        copy = shutil.copytree(table.folder, tmp_path / f"{number}_with_{name}")
        (copy / name).write_text(content)
    with served(tmp_path) as server:
        _, listed, _ = server.ask("GET", f"/{server.service.token}/games")
        games = {game.pop("name"): game for game in listed["games"]}
        assert not server.service._rooms
        assert games.pop("0_with_seats.json") == {}
        assert all(game["standing"] is None for name, game in games.items() if "with" in name)
        assert games["new_york-1"]["standing"]["outcome"] == "truncated"
        people = [{"name": "Player 1", "agent": None, "colour": 0}, {"name": "greedy", "agent": "greedy", "colour": 1}]
        assert games["new_york-2"] == {
            "game": "New York",
            "players": people,
            "screens": [{"players": ["Player 1"], "path": f"/table/{begun.screens[0].key}/"}],
            "time": (begun.folder / "replay.json").stat().st_mtime,
            "standing": {"turn": 0, "outcome": "running", "scores": [0, 0], "winners": []},
        }
        assert str(SEED) not in str(listed)
