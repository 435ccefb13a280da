"""The agent `any_board` plays every map game, as the network of examples/any_board.py does."""

import importlib
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from safetensors.torch import save_file

import t2r_env
from t2r_agents.playing.any_board import AT_ONCE, SHIPPED, AnyBoardAgent, _logits, read_network, tables_of
from t2r_agents.playing.any_board.maps import training_map
from t2r_agents.playing.any_board.tables import READ, ROWS, WHOLE, WIDTHS, AnyMapPlan, PlanColumns
from t2r_env import Games, configure
from t2r_env.agents import Decisions, find_agent
from t2r_env.features import compute_features
from t2r_env.graph import COLUMNS, GraphSize, GraphWriter
from tests.helpers.acting import blind_actions, decisions_in
from tests.helpers.playing import Options, some_map_configurations


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3] / "examples"))
    return importlib.import_module("any_board")


def decisions_in_play(variant: str, players: int, batch: int = 20) -> Decisions:
    games = Games(variant, players, batch=batch, seed=5)
    games.play_random(70)
    return decisions_in(games)


def plan_of(decisions: Decisions) -> tuple[AnyMapPlan, NDArray[np.uint8]]:
    """The features for any map, and what they tell of decisions."""
    features = AnyMapPlan(decisions.configuration)
    return features, compute_features(features, decisions.views, decisions.masks)


def graphs_of(decisions: Decisions, size: GraphSize | None = None) -> Any:
    seats = decisions.views["current"].astype(np.int64)
    return GraphWriter(decisions.configuration, size).observe(decisions.observations, decisions.masks, seats)


@pytest.mark.parametrize(("variant", "players"), [("switzerland", 3), ("team_asia", 4)])
def test_it_computes_what_the_examples_network_does(example: Any, tmp_path: Path, variant: str, players: int) -> None:
    """With weights at random, and in tables with rows to spare."""
    torch.manual_seed(3)
    network = example.Network(16, 2)
    save_file(network.state_dict(), tmp_path / "network.safetensors")
    decisions = decisions_in_play(variant, players)
    own = _logits(read_network(tmp_path / "network.safetensors"), tables_of(decisions))
    size = GraphSize.of(decisions.configuration)
    wider = GraphSize(size.cities + 3, size.routes + 2, size.tickets + 1, size.players + 1, size.actions + 4)
    features, plan = plan_of(decisions)
    columns = PlanColumns(decisions.configuration, features.segments).widen(graphs_of(decisions, wider), plan)
    with torch.no_grad():
        policy, _ = network(columns)
    for ours, theirs, mask in zip(own, policy.logits.numpy(), decisions.masks == 1, strict=True):
        assert np.ptp(ours[mask] - theirs[: size.actions][mask]) < 1e-3  # PyTorch normalises logits
        assert np.isneginf(ours[~mask]).all()


@pytest.mark.parametrize(("variant", "players"), [("europe", 3), ("pennsylvania", 4), ("united_kingdom", 2)])
def test_its_tables_hold_the_graph_and_the_plan(variant: str, players: int) -> None:
    """Every feature stands in the row of its route, ticket, city or action, and those of the position beside it."""
    decisions = decisions_in_play(variant, players)
    features, plan = plan_of(decisions)
    tables, seen = tables_of(decisions), set()
    for name, graph in graphs_of(decisions).items():
        read = graph[..., : READ.get(name)]
        assert np.array_equal(tables[name][..., : read.shape[-1]], read)
    for table, names in ROWS.items():
        for column, name in enumerate(names, READ[table]):
            if name in features.segments:
                first = decisions.configuration.layout.actions["draw_face_up"].start if "face_up" in name else 0
                rows = slice(first, first + features.segments[name].size)
                assert np.array_equal(tables[table][:, rows, column], plan[:, features.segments[name].slice])
                seen.add(name)
    found = tables["table"][:, 0, READ["table"] :]
    for name, start in zip(WHOLE, np.cumsum([0, *WHOLE.values()]), strict=False):
        if name in features.segments:
            values = plan[:, features.segments[name].slice][:, : WHOLE[name]]
            assert np.array_equal(found[:, start : start + values.shape[1]], values)
            seen.add(name)
    assert seen == set(features.segments)


def test_the_columns_that_networks_read_stay_where_they_are_and_new_ones_come_behind_them() -> None:
    """Weights know columns by their place. If others are read, all networks must be trained again."""
    read = {name: [(it.name, it.shape) for it in COLUMNS[name].values() if it.start < READ[name]] for name in COLUMNS}
    assert zlib.crc32(repr(read).encode()) == 4014373718
    decisions = decisions_in_play("europe", 2)
    features, plan = plan_of(decisions)
    graphs = graphs_of(decisions)
    wider = graphs | {name: np.insert(graphs[name], COLUMNS[name].size, 7, axis=2) for name in COLUMNS}
    columns = PlanColumns(decisions.configuration, features.segments)
    for name, table in columns.widen(wider, plan).items():
        if name in COLUMNS:
            assert np.array_equal(table, columns.widen(graphs, plan)[name])


@some_map_configurations
def test_it_plays_every_map_with_every_number_of_players(variant: str, players: int, options: Options) -> None:
    """C20: by legal actions, whatever its seat can't know."""
    games = Games(variant, players, batch=20, seed=5, **options)
    for seed in range(3):
        games.play_random(30, seed)
        blind_actions(find_agent("any_board", games.configuration), games)


def test_it_plays_the_same_however_many_decisions_come_together() -> None:
    decisions = decisions_in_play("new_york", 2, batch=AT_ONCE + 30)
    agent = AnyBoardAgent()
    alone = [agent.act(decision)[0] for decision in decisions.split()]
    assert agent.act(decisions).tolist() == alone


@pytest.mark.release
def test_it_beats_random_on_a_map_it_has_not_seen() -> None:
    played = t2r_env.trajectories("europe", agents=["any_board", "random"], games=30, reward="win", seed=2)
    assert np.mean([it.rewards.sum() for it in played if it.seat == 0]) > 0.8


def test_the_card_game_and_files_that_are_no_network_are_refused(tmp_path: Path, example: Any) -> None:
    with pytest.raises(ValueError, match="only map games have a graph, and card_game is none"):
        find_agent("any_board", t2r_env.configure("card_game"))
    (tmp_path / "broken").write_bytes(SHIPPED.read_bytes()[:1000])
    weights = example.Network(8, 1).state_dict()
    narrow = weights["tables.routes.weight"][:, 1:].contiguous()
    save_file({**weights, "tables.routes.weight": narrow}, tmp_path / "narrow")
    for name, message in (
        ("nothing", r"there is no file .*nothing"),
        ("broken", "is not a network for any board"),
        ("narrow", "it was trained with other columns of routes; train it again"),
    ):
        with pytest.raises(ValueError, match=message):
            AnyBoardAgent(tmp_path / name)
    assert WIDTHS["routes"] == weights["tables.routes.weight"].shape[1]


def test_some_training_maps_have_a_route_that_is_worth_a_race() -> None:
    """UK7: ten spaces for 40 points, and no second track."""
    racing = [it for it in map(training_map, range(40)) if max(route.length for route in it.routes) == 10]
    assert 4 <= len(racing) <= 16
    for variant in racing:
        (long,) = (route for route in variant.routes if route.length == 10)
        assert sum({long.a, long.b} == {route.a, route.b} for route in variant.routes) == 1
        assert variant.points[10] == 40
        games = Games(configure(variant, 2), batch=4, seed=0, autoreset=False)
        games.play_random(3000)
        assert (games.terminated | games.truncated).all()
