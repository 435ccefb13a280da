"""The table of tuned parameters that the planner plays by, and what may replace them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from t2r_agents.playing.planner import AnyMapPlanner, PlannerAgent, PlanningAgent, tuned
from t2r_agents.playing.planner.tuned import (
    ANY_MAP,
    Entry,
    any_map_parameters,
    read_table,
    tuned_parameters,
    write_entry,
)
from t2r_env import Configuration, Games, configure, generate_map
from tests.helpers.acting import decisions_in

CARD_GAME = configure("card_game", 2)


def entry(variant: str, num_players: int, value: int, **options: Any) -> Entry:
    return Entry(variant, num_players, options, {"late_turns": value}, {})


TABLE = [
    entry("usa", 2, 1, tickets="classic"),
    entry("usa", 2, 2, tickets="mega"),
    entry("usa", 4, 3, tickets="mega"),
    entry("new_york", 2, 4, tickets="classic"),
]


@pytest.mark.parametrize(
    ("num_players", "tickets", "expected"),
    [(2, "mega", 2), (2, "classic", 1), (4, "classic", 3), (5, "mega", 3), (3, "mega", 2)],
)
def test_the_nearest_entry_serves_or_the_defaults(num_players: int, tickets: str, expected: int) -> None:
    """Players come before options; of two numbers of players as near the smaller."""
    for table in (TABLE, TABLE[::-1]):
        found = tuned_parameters(configure("usa", num_players, tickets=tickets, turn_limit=99), table)
        assert found == {"late_turns": expected}
    assert tuned_parameters(configure("pennsylvania", 2), TABLE) == {}


def values_of(agent: PlanningAgent, configuration: Configuration) -> dict[str, int]:
    return {name: it.default for name, it in agent.tunable_parameters(configuration).items()}


def test_maps_without_an_entry_are_played_with_the_parameters_for_any_map(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of a published map's entry comes in, not even where the map is published."""
    assert any_map_parameters()
    unusual = {"claim_cost": 45, "min_turns_to_draw_tickets": 1, "urgency": 77}
    parameters = values_of(PlanningAgent(), configure("usa")) | unusual
    monkeypatch.setattr(tuned, "read_table", lambda: (*TABLE, Entry(ANY_MAP, 2, {}, parameters, {})))
    generated = generate_map(7, 24, (2, 5))
    assert generated.trains < 45
    assert unusual.items() <= values_of(AnyMapPlanner(), configure("usa")).items()
    for agent in (PlannerAgent(), AnyMapPlanner()):
        found = values_of(agent, configure(generated, 2))
        assert (unusual | {"claim_cost": generated.trains}).items() <= found.items()
    many = configure(replace(generated, trains=120), 2)
    assert values_of(AnyMapPlanner(), many)["claim_cost"] == 60  # the most that is allowed
    assert values_of(AnyMapPlanner(), configure("pennsylvania"))["max_hand"] == 0  # companies' shares do not wait
    assert values_of(AnyMapPlanner(), CARD_GAME) == values_of(PlanningAgent(), CARD_GAME)


def test_given_parameters_replace_those_tuned_and_these_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    table = [Entry("card_game", number, {}, {"late_turns": 7, "small_row_cards": number}, {}) for number in (2, 4)]
    monkeypatch.setattr(tuned, "read_table", lambda: table)
    agent = PlannerAgent(parameters={"late_turns": 9})
    for players in (2, 4):
        configuration = configure("card_game", players)
        told = values_of(agent, configuration)
        agent.act(decisions_in(Games(configuration, seed=0)))
        used = agent._records[configuration].parameters[0]
        assert {name: int(used[name]) for name in told} == told
        assert (told["late_turns"], told["small_row_cards"], told["max_planned_tickets"]) == (9, players, 12)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"boldness": 1}, "there is no parameter 'boldness'; there are: min_play_advantage"),
        ({"late_turns": 99}, "late_turns must be an integer from 0 to 15, not 99"),
        ({"late_turns": 0.5}, "late_turns must be an integer from 0 to 15, not 0.5"),
    ],
)
def test_parameters_that_are_not_allowed_are_refused(parameters: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PlannerAgent(parameters=parameters).tunable_parameters(CARD_GAME)


def test_an_entry_replaces_the_one_for_the_same_game(tmp_path: Path) -> None:
    path = tmp_path / "tuned.json"
    assert read_table(path) == ()
    for one in (TABLE[1], TABLE[0], entry("usa", 2, 8, tickets="mega")):
        write_entry(one, path)
    found = [(it.options["tickets"], it.parameters["late_turns"]) for it in read_table(path)]
    assert found == [("classic", 1), ("mega", 8)]


@pytest.mark.parametrize("one", read_table(), ids=lambda one: f"{one.variant}-{one.num_players}")
def test_each_entry_of_the_table_is_a_games_and_says_how_it_was_made(one: Entry) -> None:
    """That for any map was found on generated maps."""
    assert one.made["gain"]["high"] > 0
    if one.variant == ANY_MAP:
        assert one.made["gain"]["low"] > 0
        assert "--generated-maps" in one.made["command"]
        assert any_map_parameters() == one.parameters
        assert one.parameters.keys() == PlanningAgent().tunable_parameters(configure("usa")).keys()
    else:
        configuration = configure(one.variant, one.num_players, **one.options)
        assert tuned_parameters(configuration) == one.parameters
        assert one.parameters.items() <= values_of(PlannerAgent(), configuration).items()
        assert f"--variant {one.variant}" in one.made["command"]
