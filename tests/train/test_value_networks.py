"""`t2r values`: positions of games, learning from them, calibration, and the folder that goes on."""

from pathlib import Path

import numpy as np
import pytest

from t2r_agents.playing.values import Judge, Values
from t2r_env import configure
from t2r_env.commands import main as t2r
from t2r_train.values import positions as module
from t2r_train.values import terminal
from t2r_train.values.calibration import PHASES, calibrate, ceiling
from t2r_train.values.learning import RESULT, with_next
from t2r_train.values.positions import DRAWN, Positions, agents_for, in_turn_order, play_positions
from tests.helpers.fixtures import Capture, Patch
from tests.helpers.refusing import refusal

CONFIGURATION = configure("new_york", 2)


def played() -> Positions:
    return play_positions(CONFIGURATION, agents_for(CONFIGURATION, ["greedy", "planner"]), (0.0, 0.2), 5, 12)


positions = pytest.fixture(played, scope="module")


def test_positions_have_the_results_of_their_games(positions: Positions) -> None:
    assert np.bincount(np.unique(positions.game, return_inverse=True)[1]).max() == module.POSITIONS_PER_GAME
    assert set(positions.game) <= set(range(5, 17))
    assert np.allclose(positions.wins.sum(axis=1), 1)
    assert np.allclose(positions.margins.sum(axis=1), 0)  # of two
    assert ((positions.margins[:, 0] > 0) <= (positions.wins[:, 0] == 1)).all()
    assert (positions.states["outcome"] == 0).all()
    assert 0 <= positions.progress.min() < 0.1 < 0.9 < positions.progress.max() < 1


def test_the_same_seed_gives_the_same_positions_and_files_keep_them(positions: Positions, tmp_path: Path) -> None:
    """A file with damage in its middle is refused."""
    positions.save(file := tmp_path / "0.npz")
    for other in (played(), Positions.load(file, CONFIGURATION.ruleset.state)):
        for name, array in vars(positions).items():
            assert np.array_equal(getattr(other, name), array)
    content = file.read_bytes()
    for damage in (bytes(64), b"\xff" * 64):  # zlib tells the second
        file.write_bytes(content[:200] + damage + content[264:])
        with pytest.raises(module.PositionsError, match=r"0\.npz is no file of positions, or damaged"):
            Positions.load(file, CONFIGURATION.ruleset.state)


def test_targets_begin_with_the_team_that_looks(positions: Positions) -> None:
    seats = np.ones(len(positions), np.int64)
    wins, margins = in_turn_order(CONFIGURATION, positions, seats)
    assert np.array_equal(wins, positions.wins[:, ::-1])
    assert np.array_equal(margins, positions.margins[:, ::-1])


def test_a_target_mixes_the_result_with_what_is_thought_of_the_next_positions_of_the_same_game() -> None:
    configuration = configure("new_york", 3)
    none, results = np.zeros(4, np.float32), np.eye(3, dtype=np.float32)[[0, 0, 0, 1]]
    positions = Positions(configuration.ruleset.new_states(4), np.array([7, 7, 7, 8]), none, results, 10 * results)
    thought = np.array([[0.5, 0.3, 0.2]] * 4)  # of the team of the looking seat, and those that follow it
    mixed = with_next(configuration, positions, np.array([0, 1, 2, 0]), thought, 10 * thought)
    of_2 = np.array([0.3, 0.2, 0.5])  # as seat 2 looks, by team
    of_1 = np.array([0.2, 0.5, 0.3])
    second = RESULT * results[2] + (1 - RESULT) * of_2
    expected = [RESULT * second + (1 - RESULT) * of_1, second, results[2], results[3]]
    assert mixed.wins == pytest.approx(np.array(expected))
    assert mixed.margins == pytest.approx(10 * np.array(expected))


def test_agents_that_can_not_play_a_game_are_left_out() -> None:
    assert module.possible_agents(configure("card_game", 2), ["any_board", "one_plan"]) == ["one_plan"]
    assert module.possible_agents(configure("new_york", 2, turn_limit=500), ["policy", DRAWN, "greedy"]) == ["greedy"]


def test_calibration_compares_chances_with_what_came(positions: Positions) -> None:
    class Knows(Judge):
        """Knows who wins seven games in ten."""

        def judge(self, states, seats=None, *, sees_all):  # type: ignore[no-untyped-def]
            current = states["current"]
            assert np.array_equal(seats, current if sees_all else np.arange(len(states)) % 2)  # one after the other
            judged = super().judge(states, seats, sees_all=sees_all)
            return judged._replace(chances=np.where(positions.wins == 1, 0.7, np.where(positions.wins == 0, 0.3, 0.5)))

    found = calibrate(Knows(CONFIGURATION), positions)
    for name in ("known", "everything"):
        assert set(found[name]["brier"]) == set(PHASES)
        mean, low, high = found[name]["brier"]["all"]
        assert low <= mean <= high
        assert mean == pytest.approx(0.09, abs=0.005)
        told = {chance: won for chance, won, _ in found[name]["reliability"]}
        assert (told[0.7], told[0.3]) == (1, 0)
        assert sum(number for *_, number in found[name]["reliability"]) == positions.wins.size


def test_play_outs_of_the_last_positions_know_more_than_those_of_the_first(monkeypatch: Patch) -> None:
    monkeypatch.setattr("t2r_train.values.calibration.PLAY_OUTS", 6)
    (greedy,) = agents_for(CONFIGURATION, ["greedy"])
    found = ceiling(CONFIGURATION, play_positions(CONFIGURATION, [greedy], (0.0,), 9, 12), greedy, 0)
    assert found["last tenth"][0] < found["first tenth"][0]


def test_the_command_makes_a_file_and_goes_on(tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    for owner in (module, terminal):
        monkeypatch.setattr(owner, "GAMES_AT_ONCE", 4)
    monkeypatch.setattr(terminal, "LEARNED_FROM", ("greedy", "planner"))
    monkeypatch.setattr(terminal, "CHECKED_WITH", ("racer",))
    monkeypatch.setattr(terminal, "STRONGEST", "greedy")
    monkeypatch.setattr("t2r_train.values.calibration.PLAY_OUTS", 2)
    folder = tmp_path / "values"
    command = ["values", "--variant", "new_york", "--games", "6", "--check-games", "4", "--out", str(folder)]
    assert t2r(command) == 0
    assert "from 192 positions of 8 games" in capsys.readouterr().out
    parts = sorted(folder.rglob("*.npz"))
    names = " ".join(str(it.relative_to(folder)) for it in parts)
    assert names == "checked_with/0.npz learned_from/0.npz learned_from/1.npz self_play/0.npz"
    values = Values.load(folder / "values.safetensors")
    assert values.training["agents"] == ["greedy", "planner"]
    assert values.training["calibration"]["agents"] == ["racer"]
    assert values.training["self_play"]["ceiling"]
    assert Judge(CONFIGURATION, values).configuration == CONFIGURATION
    written = parts[0].stat().st_mtime_ns
    assert t2r(command) == 0
    assert parts[0].stat().st_mtime_ns == written  # what was played is kept
    assert Values.load(folder / "values.safetensors").known_layers[0][0].tolist() == values.known_layers[0][0].tolist()
    parts[0].write_bytes(b"damaged")
    assert t2r(command) == 1
    assert f"{parts[0]} is no file of positions, or damaged" in capsys.readouterr().err
    assert "holds games of another configuration or seed" in refusal(capsys, t2r, *command, "--seed", 3)
