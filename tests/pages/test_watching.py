"""Watching agents, taking back, rematches, levels, and games that a server takes up by itself."""

import json
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

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
from tests.pages.serving import Served, message, served
from tests.pages.telling import SLOW, SlowAgent


def ask(server: Served, table: Table, request: str, wish: Any, screen: int = 0) -> tuple[int, Any]:
    """Send a request of a screen."""
    status, answer, _ = server.ask("POST", f"/table/{table.screens[screen].key}/{request}", wish)
    return status, answer


def wait_for(lines: Iterator[bytes], **entries: Any) -> Any:
    """The next message with these entries."""
    for line in lines:
        received = message(line)
        if all(received.get(name) == value for name, value in entries.items()):
            return received
    raise AssertionError(entries)


def watched(server: Served, *, milliseconds: int = 0, paused: bool = True, **options: Any) -> Table:
    """A game of agents that waits for a watcher's steps."""
    table = server.begin("new_york", ["random", "greedy"], **options)
    assert ask(server, table, "pace", {"paused": paused, "milliseconds": milliseconds})[0] == 200
    return table


def test_a_watcher_pauses_and_steps_and_sees_what_the_agent_to_act_thinks(server: Served) -> None:
    table = watched(server)
    with server.events(table.screens[0].key) as lines:
        assert (start := message(next(lines)))["is_watching"]
        assert (start["seats"], start["is_practice"]) == ([], False)
        shown = wait_for(lines, kind="moment")
        while shown["opinion"] is None:
            shown = message(next(lines))
        assert (shown["seat"], shown["decision"], shown["pace"]) == (None, None, {"paused": True, "milliseconds": 0})
        legal = table.games.masks[0].nonzero()[0].tolist()
        assert shown["opinion"]["seat"] == 0
        assert {it["action"] for it in shown["opinion"]["actions"]} <= set(legal)
        assert sum(it["share"] for it in shown["opinion"]["actions"]) == pytest.approx(1, abs=0.01)
        time.sleep(0.2)
        assert table.number == 0
        wanted = shown["opinion"]
        assert ask(server, table, "step", {})[0] == 200
        after = wait_for(lines, kind="moment", step=1)
        assert table.games.history()[1] == [wanted["action"]]
        assert after["log"]
        time.sleep(0.2)
        assert table.number == 1
        assert ask(server, table, "pace", {"paused": False, "milliseconds": 0})[0] == 200
        assert wait_for(lines, is_over=True)["opinion"] is None
    assert table.is_over


def test_agents_are_watched_at_one_screen_also_if_each_person_was_to_have_one(server: Served) -> None:
    wish = {"variant": "new_york", "players": ["random", "greedy"], "own_windows": True}
    status, listed, _ = server.ask("POST", f"/{server.service.token}/new", wish)
    assert status == 200
    assert [screen["players"] for screen in listed["screens"]] == [[]]


def test_agents_wait_as_long_as_the_pace_says_and_while_nobody_watches(server: Served) -> None:
    table = watched(server, paused=False, milliseconds=60_000)
    with server.events(table.screens[0].key) as lines:
        while not wait_for(lines, kind="moment")["opinion"]:
            pass
        time.sleep(0.3)
        assert table.number == 0
    assert ask(server, table, "pace", {"paused": False, "milliseconds": 0})[0] == 200
    time.sleep(1.2)
    assert table.number <= 2  # the page may have been closed late
    with server.events(table.screens[0].key) as lines:
        wait_for(lines, is_over=True)


def test_a_watcher_sees_any_seat_or_everything_and_through_a_seat_only_what_it_knows(server: Served) -> None:
    table = watched(server)
    with server.events(table.screens[0].key) as lines:
        while not wait_for(lines, kind="moment", seat=None)["opinion"]:
            pass
        for seat, knows in ((1, False), (0, True), (None, True)):
            assert ask(server, table, "show", {"seat": seat})[0] == 200
            shown = wait_for(lines, kind="moment", seat=seat, is_whole_log=True)
            assert (shown["opinion"] is not None) == knows
            assert shown == moment_message(table, seat, 0, size_of(""), whole_log=True)
    wrong: list[Any] = [2, -1, True, "0", 0.0, [0]]
    for value in wrong:
        assert ask(server, table, "show", {"seat": value})[0] == 409
    assert table.screens[0].shown is None


NOT_FOR_WATCHERS: dict[str, Any] = {
    "act": {"number": 0, "action": 0},
    "hint": {"number": 0, "agent": "greedy"},
    "why": {"target": {"pile": "deck"}},
    "take_back": {"number": 0},
}
NOT_FOR_PEOPLE: dict[str, Any] = {"pace": {"paused": True, "milliseconds": 0}, "step": {}, "show": {"seat": None}}


def test_watchers_can_not_play_and_people_can_not_watch(server: Served) -> None:
    """A watcher's screen, which may show everything, exists in games without people only."""
    table = watched(server)
    for request, wish in NOT_FOR_WATCHERS.items():
        assert ask(server, table, request, wish)[0] == 409
    with pytest.raises(RefusedError, match="watching"):
        table.act(table.screens[0], 0, int(table.games.masks[0].argmax()))
    for milliseconds in (-1, 1e9, "1", None):
        assert ask(server, table, "pace", {"paused": True, "milliseconds": milliseconds})[0] == 409
    assert ask(server, table, "pace", {"paused": 1, "milliseconds": 0})[0] == 409
    assert (table.number, table.pace.paused) == (0, True)
    played = server.begin("new_york", [None, "greedy"])
    for request, wish in NOT_FOR_PEOPLE.items():
        assert ask(server, played, request, wish)[0] == 409
    assert all(screen.seats for screen in played.screens)
    assert list(played.steps) == [0]


@pytest.fixture
def table(server: Served) -> Table:
    """A game of a person against an agent that draws no cards by itself: the test acts for it."""
    return server.begin("new_york", [None, SLOW], seed=3)


def take(table: Table, *names: str) -> None:
    """Take actions, each the first legal one whose description begins so."""
    for name in names:
        legal = table.games.masks[0].nonzero()[0].tolist()
        action = next(it for it in legal if str(table.games.describe(it)).startswith(name))
        assert table.take(table.number, action)


def last_action(table: Table) -> int:
    """The last legal action, in the first turn of the game a claim that can be paid in two ways."""
    return int(table.games.masks[0].nonzero()[0][-1])


def choose_tickets(table: Table) -> None:
    """Keep all starting tickets."""
    while table.games.states["turn"][0] == 0:
        take(table, "keep")


def take_cards(table: Table, seat: int) -> None:
    """Draw cards from the deck until another seat is to act."""
    while table.current == seat:
        take(table, "draw a card")


def test_the_choice_of_a_route_is_taken_back_and_saved(server: Served, table: Table) -> None:
    choose_tickets(table)
    before, number = table.games.states.tobytes(), table.number
    due = table.due
    with server.events(table.screens[0].key) as lines:
        assert wait_for(lines, kind="moment")["decision"]
        assert ask(server, table, "act", {"number": due, "action": last_action(table)})[0] == 200
        assert wait_for(lines, number=due + 1)["can_take_back"]
        assert ask(server, table, "take_back", {"number": due})[0] == 409
        assert ask(server, table, "take_back", {"number": due + 1})[0] == 200
        again = wait_for(lines, number=due)
        assert again["is_whole_log"]
        assert again["decision"]
    assert (table.games.states.tobytes(), table.number) == (before, number)
    assert len(json.loads((table.folder / "replay.json").read_text())["actions"]) == number
    assert not table.can_take_back  # the other has chosen its tickets since
    assert ask(server, table, "take_back", {"number": due})[0] == 409


def claim_a_route(table: Table) -> None:
    """Claim the first route that can be paid for, with the first payment."""
    take(table, "claim")
    while table.current == 0:
        take(table, "pay")


def test_the_last_actions_are_taken_back_one_by_one(table: Table) -> None:
    choose_tickets(table)
    for _ in range(4):
        take_cards(table, 0)
        take_cards(table, 1)
    start = table.games.states.tobytes()
    claim_a_route(table)
    assert table.can_take_back
    while table.can_take_back:
        table.take_back(table.screens[0], table.steps[0][-1].number)
    assert table.games.states.tobytes() == start


@pytest.mark.parametrize("action", ["draw a card", "take the", "draw tickets"])
def test_what_another_has_done_is_never_taken_back_seen_or_not(table: Table, action: str) -> None:
    """C20: who takes back after it and acts otherwise has used what it tells."""
    choose_tickets(table)
    for _ in range(4):
        take_cards(table, 0)
        take_cards(table, 1)
    claim_a_route(table)
    assert table.can_take_back
    take(table, action)
    assert not table.can_take_back
    with pytest.raises(RefusedError, match="another player has acted"):
        table.take_back(table.screens[0], table.steps[0][-1].number)


@pytest.mark.parametrize("variant", ["usa", "team_asia", "card_game"])
def test_nobody_sees_how_many_tickets_others_keep_and_chooses_again(tmp_path: Path, variant: str) -> None:
    tables = Tables(tmp_path)
    configuration = configure(variant, load_variant(variant).min_players)
    others = ["random"] * (configuration.num_players - 1)
    table = tables.begin(variant, configuration, [None, *others], seed=1)
    own, others_acted = 0, 0
    while table.games.states["turn"][0] == 0:
        is_own = table.current == 0
        table.take(table.number, int(table.games.masks[0].argmax()))
        assert table.can_take_back == is_own
        own, others_acted = own + is_own, others_acted + (not is_own)
    assert own
    assert others_acted
    tables.close()


@pytest.mark.parametrize("action", ["draw a card", "take the", "draw tickets"])
def test_what_shows_a_card_or_a_ticket_is_not_taken_back(table: Table, action: str) -> None:
    choose_tickets(table)
    take(table, action)
    assert not table.can_take_back


def test_a_thought_of_an_agent_from_before_is_not_played(table: Table) -> None:
    """While it thinks the person takes back: what it wanted was for another game."""
    SlowAgent.goes_on.set()
    choose_tickets(table)
    for _ in range(4):
        take_cards(table, 0)
        take_cards(table, 1)
    claim_a_route(table)
    number, thought = table.number, table.think()
    assert thought is not None
    while table.can_take_back:
        table.take_back(table.screens[0], table.steps[0][-1].number)
    claim_a_route(table)  # now the game has as many actions as when it thought
    assert (table.number, table.current) == (number, 1)
    assert table.take_thought(thought)
    assert table.number == number


def test_a_page_that_is_behind_is_sent_each_step_with_its_lines(table: Table) -> None:
    (screen,), sent = table.screens, None
    first = stream.next_message(table, screen, sent, (1200, 800))
    assert first is not None
    sent = first[1]
    choose_tickets(table)
    take_cards(table, 0)
    take_cards(table, 1)
    told = list[Any]()
    while following := stream.next_message(table, screen, sent, (1200, 800)):
        told.append(following[0])
        sent = following[1]
    lines = [(rank, line) for rank, step in enumerate(table.steps[0]) for line in step.lines]
    assert len(lines) > 2
    assert [(it["step"], it["text"]) for message in told for it in message["log"]] == lines


def test_a_step_that_is_taken_back_while_it_is_drawn_is_not_sent(
    server: Served, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose_tickets(table)
    last = len(table.steps[0]) - 1
    claim_a_route(table)
    (screen,) = table.screens
    draw, ranks = moment_message, list[int]()

    def draw_slowly(of: Table, seat: int | None, rank: int, *arguments: Any, **keywords: Any) -> Any:
        ranks.append(rank)
        while of.can_take_back:
            of.take_back(screen, of.steps[0][-1].number)
        return draw(of, seat, rank, *arguments, **keywords)

    monkeypatch.setattr(stream, "moment_message", draw_slowly)
    following = stream.next_message(table, screen, None, (1200, 800))
    assert following is not None
    assert (ranks, following[0]["step"]) == ([last + 1, last], last)


def test_nothing_is_taken_back_from_other_people_and_after_the_end(server: Served) -> None:
    table = server.begin("new_york", [None, None], own_windows=True)
    take(table, "keep")
    assert ask(server, table, "take_back", {"number": 1})[0] == 409
    table = server.begin("new_york", [None, "greedy"], turn_limit=1)
    while not table.is_over:
        table.take(table.number, int(table.games.masks[0].argmax()))
    assert ask(server, table, "take_back", {"number": table.steps[0][-1].number})[0] == 409


def test_a_rematch_has_the_same_players_one_seat_further_and_one_game_for_all_screens(server: Served) -> None:
    wishes = [Wish(name="Anna", colour=4), Wish(name="Ben", colour=2), Wish("greedy", "easy")]
    configuration = configure("new_york", 3, turn_limit=1)
    table = server.service.tables.begin("new_york", configuration, wishes, own_windows=True, seed=1)
    server.service.seat_at(table)
    assert ask(server, table, "rematch", {})[0] == 409
    while not table.is_over:
        table.take(table.number, int(table.games.masks[0].argmax()))
    paths = [ask(server, table, "rematch", {})[1]["path"] for _ in range(2)]
    paths.append(ask(server, table, "rematch", {}, screen=1)[1]["path"])
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
    assert following.configuration == configuration
    assert server.ask("GET", paths[0])[0] == 200


def test_teams_stay_together_in_a_rematch(tmp_path: Path) -> None:
    tables = Tables(tmp_path)
    wishes = [Wish("random", name=name) for name in ("Anna", "Ben", "Cleo", "Dora")]
    table = tables.begin("team_asia", configure("team_asia", 4, turn_limit=1), wishes, seed=1)
    while not table.is_over:
        table.take(table.number, int(table.games.masks[0].argmax()))
    following, _ = tables.rematch(table, table.screens[0])
    assert [player.name for player in following.players] == ["Cleo", "Dora", "Anna", "Ben"]
    tables.close()


def test_chances_are_those_of_the_position_on_show_or_none(tmp_path: Path) -> None:
    tables = Tables(tmp_path)
    table = tables.begin("new_york", configure("new_york", 2), ["random", "greedy"], seed=1)
    assert chances_message(table, None) is None
    for _ in range(2):
        thought = table.think()
        assert thought is not None
        assert chances_message(table, None)
        assert table.take_thought(thought)
        assert chances_message(table, None) is None  # the next position is not judged yet
    tables.close()


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
        for weaker, stronger in pairwise(won):
            assert stronger > weaker - 1, variant  # an interval is four times as wide


def test_the_agents_of_levels_are_told_for_each_game(server: Served) -> None:
    path = f"/{server.service.token}/levels"
    wish = {"variant": "usa", "num_players": 2, "options": {"tickets": "classic"}}
    assert server.ask("POST", path, wish)[1]["strongest"] == "policy"
    assert server.ask("POST", path, wish | {"options": {"tickets": "1910"}})[1]["strongest"].startswith("ismcts")
    for wrong in (None, {}, wish | {"variant": "../usa"}, wish | {"num_players": 9}, wish | {"options": {"seed": 1}}):
        assert server.ask("POST", path, wrong)[0] == 409
    assert server.ask("POST", "/levels/levels", wish)[0] == 404


def test_names_colours_and_levels_are_told_to_the_page(server: Served) -> None:
    wish = {
        "variant": "new_york",
        "players": [{"name": "Änna", "colour": 3}, {"level": "medium"}, {"level": "medium"}, {"agent": "random"}],
    }
    status, listed, _ = server.ask("POST", f"/{server.service.token}/new", wish)
    assert status == 200
    with server.events(listed["screens"][0]["path"].split("/")[2]) as lines:
        start = message(next(lines))
    assert [(it["name"], it["agent"], it["level"], it["colour"]) for it in start["players"]] == [
        ("Änna", None, None, 3),
        ("Medium", "long_routes", "medium", 0),
        ("Medium 2", "long_routes", "medium", 1),
        ("random", "random", None, 2),
    ]
    assert start["is_practice"]


def test_a_person_may_be_called_like_a_level() -> None:
    players = seat_players([Wish(name="medium"), Wish("planner", "medium")])
    assert [player.name for player in players] == ["medium", "Medium 2"]


def test_a_server_started_again_knows_the_addresses_of_all_games(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        tables = [server.begin("new_york", [None, None], own_windows=True, seed=seed) for seed in (1, 2)]
        keys = [screen.key for table in tables for screen in table.screens]
        tables[1].take(0, int(tables[1].games.masks[0].argmax()))
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "seats.json").write_text("{")
    with served(tmp_path) as server:
        with server.events(keys[2]) as lines:
            next(lines)
            assert message(next(lines))["number"] == 1
        assert server.ask("GET", f"/table/{keys[0]}/")[0] == 200
        assert server.ask("GET", f"/table/{keys[0][::-1]}/")[0] == 404
        later = Tables(tmp_path).begin("new_york", configure("new_york", 2), [None, "greedy"])
        later.close()
        assert server.ask("GET", f"/table/{later.screens[0].key}/")[0] == 200


def test_games_are_listed_without_being_opened_and_damaged_ones_by_their_names(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        table = server.begin("new_york", [None, "greedy"], turn_limit=1)
        while not table.is_over:
            table.take(table.number, int(table.games.masks[0].argmax()))
        server.begin("new_york", ["greedy", "random"])
    standing = json.loads((tmp_path / "new_york-1" / "standing.json").read_text())
    wrong = [("seats.json", "{"), ("standing.json", "")]
    changes: list[Any] = [{"turn": "<b>"}, {"winners": ""}, {"winners": [2]}, {"scores": {}}, {"scores": [True]}]
    for change in changes:
        wrong.append(("standing.json", json.dumps(standing | change)))
    for number, (name, content) in enumerate(wrong):
        copy = tmp_path / f"{number}_with_{name}"
        copy.mkdir()
        for file in (tmp_path / "new_york-1").iterdir():
            (copy / file.name).write_bytes(file.read_bytes())
        (copy / name).write_text(content)
    with served(tmp_path) as server:
        _, listed, _ = server.ask("GET", f"/{server.service.token}/games")
        games = {game.pop("name"): game for game in listed["games"]}
        assert not server.service._rooms
        assert games.pop("0_with_seats.json") == {}
        assert all(game["standing"] is None for name, game in games.items() if "with" in name)
        assert games["new_york-1"]["standing"]["outcome"] == "truncated"
        assert [it["name"] for it in games["new_york-2"]["players"]] == ["greedy", "random"]
        assert games["new_york-2"]["screens"][0]["players"] == []


def test_games_of_the_format_before_can_be_taken_up(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        table = server.begin("new_york", [None, "greedy"])
        key = table.screens[0].key
    path = tmp_path / "new_york-1" / "seats.json"
    entries = json.loads(path.read_text())
    path.write_text(json.dumps(entries | {"format": "t2r_env table 1", "players": [None, "greedy"]}))
    with served(tmp_path) as server:
        assert server.ask("GET", f"/table/{key}/")[0] == 200
        assert [it.name for it in server.service.tables.open("new_york-1").players] == ["Player 1", "greedy"]
