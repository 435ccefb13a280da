"""What files depend on: rules, the segments of observations, features. New segments leave all that is older usable."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_agents.comparing.rating.ladder import read_ladders
from t2r_agents.playing import policy
from t2r_agents.playing.policy import PolicyAgent, shipped_policy
from t2r_env import Configuration, Games, Replay, configure
from t2r_env import configuration as making
from t2r_env.agents import decisions_of
from t2r_env.commands import main as t2r
from t2r_env.core import records
from t2r_env.core.layout import Layout, Segments
from t2r_env.features import Array, Features, compute_features, find_features
from t2r_env.history.saving import state_identity
from tests.agents.playing.test_policy import SHIPPED_FOR
from tests.endurance.kills import result_of_tournament
from tests.golden import file_of, record

REPLAYS = sorted((Path(__file__).parents[2] / "docs" / "replays").glob("*.json"))
FIRST, LAST = ("moon", (3,), "no meaning"), ("stars", (2, 2), "no meaning")


@contextmanager
def new_segments() -> Iterator[None]:
    """Let vectors of configurations that are made here, and features, have a new first and a new last segment."""
    layout = vars(Configuration)["layout"]
    lay_out = layout.func

    def lay_out_more(configuration: Configuration) -> Layout:
        found: Layout = lay_out(configuration)
        return replace(found, observation=_wider(found.observation), global_state=_wider(found.global_state))

    caches = policy._find_features, making._shipped
    for it in caches:
        it.cache_clear()
    with patch.object(layout, "func", lay_out_more), patch.object(policy, "find_features", _MoreFeatures):
        yield
    for it in caches:
        it.cache_clear()


def _wider(segments: Segments) -> Segments:
    return Segments.of([FIRST, *((it.name, it.shape, it.meaning) for it in segments.values()), LAST])


class _MoreFeatures:
    """Features with two segments that hold nothing."""

    def __init__(self, name: str, configuration: Configuration) -> None:
        self.inner: Features = find_features(name, configuration)
        self.segments, self.version = _wider(self.inner.segments), self.inner.version

    def write(self, views: Array, masks: NDArray[np.int8], vectors: NDArray[np.uint8]) -> None:
        vectors[:, 3:-4] = compute_features(self.inner, views, masks)


@pytest.mark.parametrize("configuration", SHIPPED_FOR[::5], ids=str)
def test_where_segments_are_added_shipped_policies_play_as_before(configuration: Configuration) -> None:
    rows, seeds = np.arange(40), np.arange(40, dtype=np.uint64)
    variant, players, agent = configuration.variant.id, configuration.num_players, PolicyAgent()
    policy = shipped_policy(configuration)
    games = Games(configuration, batch=40, seed=3)
    before = [decisions_of(games, rows, seeds).copy() for seed in range(4) if games.play_random(15, seed) >= 0]
    actions = [agent.act(decisions) for decisions in before]
    inputs = [policy.inputs(decisions) for decisions in before]
    with new_segments():
        games = Games(configure(variant, players, **configuration.options), batch=40, seed=3)
        for seed in range(4):
            games.play_random(15, seed)
            decisions = decisions_of(games, rows, seeds)
            assert decisions.observations.shape[1] == before[seed].observations.shape[1] + 7
            assert np.array_equal(decisions.observations[:, 3:-4], before[seed].observations)
            assert np.array_equal(policy.inputs(decisions), inputs[seed])
            assert np.array_equal(agent.act(decisions), actions[seed])


def test_where_segments_are_added_replays_saved_games_and_ladders_can_be_read() -> None:
    before = {path: Replay.load(path).final().get_state() for path in REPLAYS}
    with new_segments():
        for path, saved in before.items():
            games = Replay.load(path).final()
            assert games.get_state() == saved
            games.set_state(saved)
        for ladder in read_ladders():
            ladder.configuration()
    assert len(before) > 5


def test_where_segments_are_added_a_tournament_is_resumed(tmp_path: Path) -> None:
    game = ("--variant", "new_york", "--agents", "policy", "random", "--games", "8", "--seed", "1", "--processes", "1")
    assert t2r(["tournament", *game, "--pages", "0", "--out", str(tmp_path)]) == 0
    file, before = tmp_path / "games.csv", result_of_tournament(tmp_path)
    file.write_text("".join(file.read_text(encoding="utf-8").splitlines(keepends=True)[:5]), encoding="utf-8")
    with new_segments():
        assert t2r(["tournament", "--resume", str(tmp_path), "--pages", "0", "--processes", "1"]) == 0
    assert len(before["games"]) == 16
    assert result_of_tournament(tmp_path) == before


@pytest.mark.parametrize("variant", ["usa", "card_game"])
def test_where_segments_are_added_a_golden_game_stays_as_it_is(variant: str) -> None:
    recorded = file_of(variant, 2, {}).read_text(encoding="utf-8")
    with new_segments():
        assert record(variant, 2, {}, recorded) == recorded
        assert record(variant, 2, {}) != recorded


def test_a_saved_game_is_refused_where_its_record_has_another_layout() -> None:
    games = Games("usa", 2, seed=0)
    saved, declared = games.get_state(), records.fields_of
    for name, other in {
        "core.records.fields_of": lambda record: dict(reversed(declared(record).items())),
        "history.saving.PHASES": ["pay", "turn", "second_card", "keep_ticket"],
    }.items():
        state_identity.cache_clear()
        with patch(f"t2r_env.{name}", other), pytest.raises(ValueError, match="the saved state has state '"):
            games.set_state(saved)
    state_identity.cache_clear()
    games.set_state(saved)
