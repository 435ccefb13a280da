"""Trainings: of every variant, and with interruptions that do not change the result."""

import io
import re
import shutil
import signal
import zipfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
import torch

from t2r_agents.playing.policy import Policy
from t2r_env import Games, trajectories
from t2r_env.agents import find_agent
from t2r_env.commands import main as t2r
from t2r_train import terminal
from t2r_train.checkpoint import MAX_SETTINGS_BYTES, MAX_STATE_BYTES, SETTINGS, STATE, Checkpoint, CheckpointError
from t2r_train.curves import TIMESTEPS
from t2r_train.learner import DivergedError, Learner
from t2r_train.pool import OpponentError
from t2r_train.settings import settings_for
from t2r_train.training import CHECKPOINT, POLICY, Training
from tests.endurance.kills import result_of_training
from tests.games.test_identities import new_segments
from tests.helpers.acting import decisions_in
from tests.helpers.disks import full_disk
from tests.helpers.fixtures import Capture, Patch
from tests.helpers.refusing import refusal
from tests.train.tiny import ITERATIONS, as_arguments, tiny_settings, train, trained


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> Training:
    """A training that was not interrupted."""
    return train(Training(tmp_path_factory.mktemp("trainings") / "complete", tiny_settings()), plots=True)


def curves_of(training: Training) -> Any:
    """All rows of the curves, without the time that they took."""
    return result_of_training(training.folder)["curves"]


def is_same(one: Training, other: Training) -> bool:
    pairs = zip(one.policy().layers, other.policy().layers, strict=True)
    return all(np.array_equal(a, b) for these, those in pairs for a, b in zip(these, those, strict=True))


def test_a_training_writes_files_and_changes_the_policy_and_its_opponents(complete: Training, tmp_path: Path) -> None:
    assert (complete.iterations, complete.is_done) == (ITERATIONS, True)
    files = {path.name for path in complete.folder.iterdir()}
    assert files == {CHECKPOINT, POLICY, "curves.csv", "curves.png", "tensorboard"}
    assert (complete.folder / "curves.png").read_bytes().startswith(b"\x89PNG")
    assert next((complete.folder / "tensorboard").iterdir()).stat().st_size > 1000
    rows = curves_of(complete)
    timesteps = [row[TIMESTEPS] for row in rows]
    assert (len(rows), timesteps[0], timesteps[-1]) == (ITERATIONS + 1, 0, complete.num_timesteps)
    assert all(0 < later - earlier <= 8 * 16 for earlier, later in pairwise(timesteps))
    assert ["eval/win_rate/random" in row for row in rows] == [True, False, True, False, True]  # the first untrained
    assert all(0 <= row.get("rollout/tickets_completed_mean", 0) <= 10 for row in rows[1:])
    assert Policy.load(complete.folder / POLICY).training["num_timesteps"] == complete.num_timesteps
    early = trained(tmp_path / "early", 0)
    assert [row[TIMESTEPS] for row in curves_of(early)] == [0]
    assert not is_same(early, complete)
    assert not is_same(trained(tmp_path / "another", seed=4), complete)
    assert complete.pool.names == ["random", "greedy", *(f"snapshot_{number}" for number in range(1, 5))]
    assert early.pool.names == ["random", "greedy"]


@pytest.mark.parametrize(("rounds", "lost", "rows"), [(0, 0, 0), (3, 0, 4), (1, 1, 2)])
def test_a_resumed_training_has_the_results_of_a_whole_one(
    tmp_path: Path, complete: Training, rounds: int, lost: int, rows: int
) -> None:
    """Also if it was killed just before its next checkpoint: no row of the curves is written twice."""
    interrupted = trained(tmp_path, rounds)
    last_checkpoint = (tmp_path / CHECKPOINT).read_bytes()
    assert not train(interrupted, lost).is_done
    (tmp_path / CHECKPOINT).write_bytes(last_checkpoint)
    resumed = Training(tmp_path)
    assert curves_of(resumed) == curves_of(complete)[:rows]
    train(resumed)
    assert result_of_training(tmp_path) == result_of_training(complete.folder)
    assert resumed.pool.win_rates == complete.pool.win_rates
    assert np.array_equal(resumed.plays[0].games.states, complete.plays[0].games.states)


@pytest.mark.release
def test_on_a_full_disk_a_training_keeps_its_checkpoint(tmp_path: Path, complete: Training, capsys: Capture) -> None:
    trained(tmp_path, 1)
    before = (tmp_path / CHECKPOINT).read_bytes()
    with full_disk(after=20_000):
        assert run("--resume", tmp_path) == 1
    message = capsys.readouterr().err.splitlines()[-1]
    assert f"File too large: '{tmp_path / CHECKPOINT}'; --resume continues from the last {CHECKPOINT}" in message
    assert (tmp_path / CHECKPOINT).read_bytes() == before
    Policy.load(tmp_path / POLICY)
    assert not list(tmp_path.glob("*.new"))
    assert run("--resume", tmp_path) == 0
    assert result_of_training(tmp_path) == result_of_training(complete.folder)


def test_curves_that_are_cut_short_are_resumed_and_those_that_are_none_are_refused(tmp_path: Path) -> None:
    rows_before = curves_of(trained(tmp_path, 2))
    file = tmp_path / "curves.csv"
    content = file.read_bytes()
    file.write_bytes(content + b"1")
    Training(tmp_path)
    assert file.read_bytes() == content
    for length in range(0, len(content), 97):
        file.write_bytes(content[:length])
        rows = curves_of(Training(tmp_path))
        assert rows == rows_before[: len(rows)]
    file.write_text(f"{TIMESTEPS},score\n0,much\n")
    with pytest.raises(ValueError, match=r"curves.csv can't be read: could not convert string to float: 'much'"):
        Training(tmp_path)


def test_a_whole_training_goes_on_only_with_more_timesteps(tmp_path: Path, capsys: Capture, complete: Training) -> None:
    folder = shutil.copytree(complete.folder, tmp_path / "copy")
    done, total = complete.num_timesteps, complete.settings.total_timesteps
    assert run("--resume", folder) == 0
    first, *_ = capsys.readouterr().out.splitlines()
    assert first.endswith(f" of {total} timesteps are done, in {folder}; --total-timesteps with more goes on")
    assert is_same(Training(folder), complete)
    (folder / POLICY).write_bytes(b"with a network for play-outs")
    assert run("--resume", folder) == 0
    assert (folder / POLICY).read_bytes() == b"with a network for play-outs"
    message = f"total_timesteps must be more than the {done} timesteps that are done, not 100"
    assert message in refusal(capsys, t2r, "train", "--resume", folder, "--total-timesteps", "1e2")
    longer = train(Training(folder, changes={"total_timesteps": done + 1}))
    assert longer.iterations == ITERATIONS + 1
    assert done < longer.num_timesteps <= done + 128


def test_a_training_keeps_its_policy_after_every_so_many_timesteps(tmp_path: Path, complete: Training) -> None:
    training = trained(tmp_path, keep_every=100)
    kept = sorted(tmp_path.glob("policy_*.safetensors"))
    timesteps = [int(path.stem.removeprefix("policy_")) for path in kept]
    assert [it // 100 for it in timesteps] == [1, 2, 3]
    cards = [Policy.load(path).training for path in kept]
    assert [it["num_timesteps"] for it in cards] == timesteps
    assert [it["iterations"] for it in cards] == [2, 3, 4]
    assert is_same(training, complete)


def test_the_curves_tell_of_each_fixed_opponent_whatever_its_name_is(tmp_path: Path, complete: Training) -> None:
    file = shutil.copy(complete.folder / POLICY, tmp_path / "snapshot.safetensors")
    training = trained(tmp_path / "out", 1, fixed_opponents=("random", str(file)))
    assert {f"rollout/win_rate/{it}" for it in ("random", file)} <= curves_of(training)[-1].keys()


def test_some_settings_may_change_when_a_training_resumes(tmp_path: Path, complete: Training, capsys: Capture) -> None:
    trained(tmp_path, 0)
    before = (tmp_path / CHECKPOINT).read_bytes()
    for changes, message in (
        (["--seed", "4"], "seed can't change in a training that has begun, only total_timesteps, learning_rate"),
        (["--tickets", "classic"], "tickets can't change in a training that has begun"),
        (["--set", "fixed_opponents_share=2"], "fixed_opponents_share must be a number from 0 to 1"),
    ):
        assert f"t2r train: error: {message}" in refusal(capsys, t2r, "train", "--resume", tmp_path, *changes)
        assert (tmp_path / CHECKPOINT).read_bytes() == before
    resumed = train(Training(tmp_path, changes={"fixed_opponents_share": 0.9, "latest_policy_share": 0.1}))
    assert not is_same(resumed, complete)
    weights = dict(zip(resumed.pool.names, resumed.pool.weights, strict=True))
    assert weights["random"] + weights["greedy"] == pytest.approx(0.9)
    assert resumed.plays[0].settings.fixed_opponents_share == 0.9
    assert Training(tmp_path).settings == tiny_settings(fixed_opponents_share=0.9, latest_policy_share=0.1)
    assert Training(tmp_path, changes={"batch_size": 0}).settings.batch_size == 2048  # as the device likes it


@pytest.mark.parametrize(
    ("variant", "numbers"), [("pennsylvania", (2, 3)), ("team_asia", (4, 6)), ("card_game", (2, 3))]
)
def test_one_policy_plays_with_several_numbers_of_players(tmp_path: Path, variant: str, numbers: Sequence[int]) -> None:
    """In Pennsylvania two players have actions that three have not."""
    fewer = {"total_timesteps": 40, "n_steps": 4, "batch_size": 32, "n_eval_episodes": 2}
    training = trained(tmp_path, variant=variant, num_players=numbers, features="plan", prior_weight=2.0, **fewer)
    assert [(play.games.num_players, play.games.batch) for play in training.plays] == [(it, 4) for it in numbers]
    rates = {name for name in curves_of(training)[0] if "eval/win" in name}
    assert rates == {f"eval/win_rate/random_{it}_players" for it in numbers}
    policy = find_agent(str(tmp_path / POLICY))
    for number in numbers:
        assert len([*trajectories(variant, number, agents=policy, games=5, seed=1)]) == 5 * number


@pytest.mark.release
def test_shares_of_numbers_of_players_may_change_when_a_training_resumes(tmp_path: Path, monkeypatch: Patch) -> None:
    trained(tmp_path, 1, num_players=(2, 3, 4), players_shares=(3.0, 0.5))
    training = Training(tmp_path, changes={"players_shares": (0.0, 1.0), "total_timesteps": 600})
    assert [(play.games.num_players, play.games.batch) for play in training.plays] == [(3, 4), (4, 4)]
    monkeypatch.setattr(Training, "spread", spread := Mock())
    assert train(training).is_done
    spread.assert_called_once()  # other games have begun, so they begin in all parts of a game
    assert [play.games.batch for play in Training(tmp_path).plays] == [4, 4]


def test_a_training_may_begin_with_a_policy_for_fewer_players(tmp_path: Path, complete: Training) -> None:
    file = complete.folder / POLICY
    training = trained(tmp_path / "wide", 0, num_players=(2, 3), initial_policy=str(file))
    two, three = (decisions_in(Games("new_york", it, batch=9, seed=4)) for it in (2, 3))
    before, after = Policy.load(file), training.policy()
    assert after.training["settings"]["initial_policy"] == POLICY  # the card tells no folders
    both = (policy.logits_and_values(policy.inputs(two)) for policy in (before, after))
    for expected, found in zip(*both, strict=True):
        assert found == pytest.approx(expected, abs=1e-3)
    assert np.isfinite(after.logits(after.inputs(three))).all()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"net_arch": (8,)}, "initial_policy has layers of the shapes"),
        ({"features": "plan", "prior_weight": 2.0}, "initial_policy was trained with a prior_weight of 0, not 2.0"),
        ({"variant": "usa"}, "initial_policy was trained for new_york, or for other tickets"),
    ],
)
def test_a_policy_to_begin_with_must_fit(tmp_path: Path, complete: Training, settings: Any, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Training(tmp_path, tiny_settings(**settings, initial_policy=str(complete.folder / POLICY)))


def test_a_policy_to_begin_with_has_features_of_this_version(tmp_path: Path) -> None:
    policy = trained(tmp_path / "today", 0, features="plan").policy()
    assert policy.features
    features = policy.features._replace(versions=(1,))
    replace(policy, features=features).save(old := tmp_path / "old.safetensors")
    with pytest.raises(ValueError, match="the features 'plan' of version 1, not "):
        Training(tmp_path / "new", tiny_settings(features="plan", initial_policy=str(old)))


def test_warm_ups_take_a_share_of_the_timesteps(tmp_path: Path, monkeypatch: Patch) -> None:
    """Only values learn at first, and the planner decides about tickets for a while."""
    monkeypatch.setattr(Learner, "iterate", iterate := Mock(return_value=(83, {})))
    trained(tmp_path, features="plan", critic_warmup=0.5, ticket_warmup=0.7)
    asked = [call.args[1:] for call in iterate.call_args_list]
    assert asked == [(True, True), (True, True), (False, True), (False, False)]
    for total in (10_000, 10_100):  # warm-ups that are over stay over
        train(Training(tmp_path, changes={"total_timesteps": total}), 1)
        assert iterate.call_args.args[1:] == (False, False)


def test_without_a_terminal_lines_say_how_far_it_is(tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    """Also outside the main thread, which alone can be interrupted."""
    monkeypatch.setattr(terminal, "SECONDS_BETWEEN_LINES", 0.01)
    arguments = ["--variant", "usa", "--num-players", 3, "--total-timesteps", 330, "--out", tmp_path, "--set"]
    with ThreadPoolExecutor() as executor:
        assert executor.submit(run, *arguments, *as_arguments(eval_freq=100_000)).result() == 0
    assert Training(tmp_path).is_done
    first, *lines = capsys.readouterr().out.splitlines()
    assert first.startswith("a policy for usa, 3 players, tickets anniversary, turn_limit 1000, on 1 thread, 8 games ")
    told = [int(found[1]) for line in lines if (found := re.fullmatch(r"(\d+) of 330 timesteps, 0.\d min", line))]
    assert told == sorted(told)
    assert len(set(told)) > ITERATIONS + 1  # within iterations, too


def run(*arguments: object) -> int:
    return t2r(["train", "--threads", "1", *map(str, arguments)])


def test_ctrl_c_stops_the_command_after_the_iteration_or_twice_at_once_and_it_resumes(
    tmp_path: Path, complete: Training, capsys: Capture, monkeypatch: Patch
) -> None:
    command = ["--variant", "new_york", "--out", tmp_path, "--seed", 3, "--total-timesteps", 330]
    iterate, presses = Training._iterate, 1

    def interrupt(training: Training) -> dict[str, float]:
        for _ in range(presses):
            signal.raise_signal(signal.SIGINT)
        return iterate(training)

    monkeypatch.setattr(Training, "_iterate", interrupt)
    assert run(*command, "--set", *as_arguments()) == 130
    assert "stopping after this iteration" in capsys.readouterr().err
    assert Training(tmp_path).iterations == 1
    checkpoint, presses = (tmp_path / CHECKPOINT).read_bytes(), 2
    assert run("--resume", tmp_path) == 130
    assert "stopped at once: --resume continues from the last checkpoint.zip" in capsys.readouterr().err
    assert (tmp_path / CHECKPOINT).read_bytes() == checkpoint
    monkeypatch.undo()
    assert run("--resume", tmp_path) == 0
    assert is_same(Training(tmp_path), complete)
    assert "against random" in capsys.readouterr().out


OWN = "tests.agents.playing.test_features:LegalActions"
"""Features that do not tell the planner's action."""
WRONG_SETTINGS = {
    "features_dim=wide": "features_dim must be of type int, like 256, not 'wide'",
    "depth=3": "--set takes NAME=VALUE with one of these names: players_shares, features,",
    "batch_size=-1": "batch_size must be an integer, at least 0, not -1",
    "fixed_opponents=nobody": "there is no agent 'nobody'",
    "fixed_opponents=random,greedy,random": "fixed_opponents must name each agent once",
    "fixed_opponents_share=0.7 latest_policy_share=0.4": "must add up to 1 at most",
    "net_arch=64,0": "each of net_arch must be an integer, at least 1, not 0",
    "players_shares=0": "players_shares must be more than 0 for one of num_players",
    "players_shares=-1": "each of players_shares must be a number at least 0, not -1.0",
    "learning_rate=nan": "learning_rate must be a number at least 0, not nan",
    "players_shares=3,1,5": "players_shares must have one share for each of num_players at most",
    "n_steps=1": "n_steps must be at least 2: what a decision was worth shows at the seat's next one",
    "reward_unit=0": "reward_unit must be more than 0",
    "features= prior_weight=0 ticket_warmup=1": "ticket_warmup needs features that tell the planner's action",
    "features=": "prior_weight needs features that tell the planner's action, else 0",
    f"features={OWN} prior_weight=0": "ticket_warmup needs features that tell the planner's action, else 0",
    "n_steps=1e9": "n_envs times n_steps must be 67,108,864 at most, not 512 times 1,000,000,000",
    "features_dim=2048 net_arch=4096": "a policy must have 1 to 16 layers and at most 8,388,608 weights, not 5 layers",
    "features=t2r_agents.playing.features:PlanFeatures": "a policy's features must have a name, one of plan",
    "eval_opponents=human": "human would ask you at each decision: name another opponent",
}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--variant mars --out OUT", "mars"),
        ("--num-players 9 --out OUT", "num_players of usa must be an integer from 2 to 5, not 9"),
        ("--num-players 2 3 2 --out OUT", "num_players must name each number once, not 2, 3, 2"),
        ("--tickets none --out OUT", "usa has no tickets 'none'"),
        ("--out OUT --device cuda", "device must be auto or cpu here: PyTorch finds no GPU"),
        ("--out OUT --set reward=money --set features_dim=8", "reward must be one of rank, win"),
        ("--out OUT --threads 0", "threads must be an integer, at least 1, not 0"),
        ("--resume OUT", "there is no training to resume in"),
        ("", "one of the arguments --out --resume is required"),
        *((f"--out OUT --set {settings}", message) for settings, message in WRONG_SETTINGS.items()),
    ],
)
def test_a_wrong_command_line_is_refused(tmp_path: Path, capsys: Capture, arguments: str, message: str) -> None:
    given = (tmp_path / "out" if text == "OUT" else text for text in arguments.split())
    assert message in refusal(capsys, t2r, "train", "--threads", "1", *given).splitlines()[-1]
    assert not (tmp_path / "out").exists() or not any((tmp_path / "out").iterdir())


def test_a_gpu_that_is_too_small_is_told_in_one_line(tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    too_large = Mock(side_effect=torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 9 GiB\nand more"))
    message = "games: take fewer (--set n_envs=1024), or --device cpu (CUDA out of memory. Tried to allocate 9 GiB)"
    trained(tmp_path / "begun", 0)
    monkeypatch.setattr(Training, "_iterate", too_large)
    assert run("--resume", tmp_path / "begun") == 1
    assert capsys.readouterr().err == f"the GPU has no room for 8 {message}\n"
    monkeypatch.setattr(Training, "_begin", too_large)
    assert message in refusal(capsys, t2r, "train", "--out", tmp_path / "new").splitlines()[-1]


def test_without_a_checkpoint_a_training_begins_again(tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    monkeypatch.setattr(Training, "_iterate", Mock(side_effect=OpponentError("nobody has failed")))
    for _ in range(2):
        assert run("--variant", "new_york", "--out", tmp_path, "--set", *as_arguments()) == 1
        again = "nothing is saved yet, and the same command begins again"
        assert capsys.readouterr().err == f"nobody has failed; {again}\n"
        (tmp_path / "policy_500.safetensors").touch()  # as with --keep-every


def test_a_training_that_diverges_takes_legal_actions_until_it_says_so(tmp_path: Path) -> None:
    training = Training(tmp_path, tiny_settings(learning_rate=1e30))
    with torch.no_grad():
        training.learner.network.action_head.bias.fill_(-1e20)
    training.learner.play()
    assert sum(play.count for play in training.plays)
    with pytest.raises(DivergedError, match="a lower learning_rate may help"):
        training.run(lambda line: None, lambda: False)


def test_weights_that_are_too_large_for_a_file_end_a_training_in_one_line(tmp_path: Path, capsys: Capture) -> None:
    training = trained(tmp_path, 1)
    before = {name: (tmp_path / name).read_bytes() for name in (CHECKPOINT, POLICY)}
    with torch.no_grad():
        training.learner.best_network.action_head.bias.fill_(1e6)
    assert terminal.train(training) == 1
    message = ".bias must hold finite numbers up to 65,504, which float16 holds; --resume continues from the last "
    assert capsys.readouterr().err.endswith(f"{message}{CHECKPOINT}\n")
    assert before == {name: (tmp_path / name).read_bytes() for name in (CHECKPOINT, POLICY)}


def test_an_iteration_without_a_decision_of_the_policy_learns_nothing_and_any_seed_begins(tmp_path: Path) -> None:
    settings = tiny_settings(n_envs=1, n_steps=2, fixed_opponents_share=1.0, latest_policy_share=0.0, seed=2**64 - 1)
    training = Training(tmp_path, settings)
    before = training.learner.network.action_head.weight.detach().clone()
    training.plays[0].seating[:] = 0
    assert training.learner.iterate(0.0) == (0, {})
    assert torch.equal(training.learner.network.action_head.weight, before)


def test_from_rules_nothing_of_the_planner_is_used(tmp_path: Path, capsys: Capture) -> None:
    arguments = ["--variant", "new_york", "--from-rules", "--out", tmp_path, "--total-timesteps", 20, "--set"]
    assert run(*arguments, "n_envs=8", "n_steps=16", "features_dim=16", "n_eval_episodes=4") == 0
    training = Training(tmp_path)
    assert training.settings.features == ""
    assert training.learner.network.skip is None
    assert training.pool.names == []
    assert "--from-rules begins a training run" in refusal(capsys, t2r, "train", "--resume", tmp_path, "--from-rules")


def test_sizes_follow_from_threads_or_a_gpu_unless_they_are_given() -> None:
    def sizes(threads: int, gpu_bytes: int = 0, **given: Any) -> tuple[int, ...]:
        settings = settings_for("usa", given).sized_for(threads, gpu_bytes)
        return tuple(getattr(settings, it) for it in ("n_envs", "n_steps", "batch_size", "snapshot_freq", "eval_freq"))

    plain = {"features": "", "prior_weight": 0.0, "ticket_warmup": 0.0}
    assert sizes(1) == (512, 64, 2048, 25 << 15, 1_000_000)
    assert sizes(2) == sizes(16) == (1024, 32, 2048, 25 << 15, 1_000_000)
    assert sizes(1, total_timesteps=100_000)[-1] == 20 << 15
    assert sizes(16, 16 << 30) == sizes(16, 80 << 30) == (8192, 16, 4096, 25 << 17, 20 << 17)
    assert sizes(16, 16 << 30, **plain) == (8192, 32, 8192, 25 << 18, 20 << 18)
    assert sizes(16, 80 << 30, **plain) == (32768, 32, 8192, 25 << 20, 20 << 20)
    assert sizes(16, 80 << 30, n_envs=100, batch_size=7, eval_freq=9) == (100, 16, 7, 40000, 9)


def test_a_folder_with_a_training_or_other_files_is_kept(tmp_path: Path, capsys: Capture, complete: Training) -> None:
    (tmp_path / "policy.safetensors").write_text("mine", encoding="utf-8")
    told = refusal(capsys, t2r, "train", "--out", tmp_path)
    assert f"--out must be a new or empty folder, and {tmp_path} is not" in told
    shutil.copy(complete.folder / CHECKPOINT, tmp_path)
    before = (tmp_path / CHECKPOINT).read_bytes()
    assert "--resume continues it" in refusal(capsys, t2r, "train", "--out", tmp_path)
    assert (tmp_path / CHECKPOINT).read_bytes() == before
    assert (tmp_path / "policy.safetensors").read_text(encoding="utf-8") == "mine"


def test_a_checkpoint_that_is_too_large_or_only_seems_right_is_refused(tmp_path: Path) -> None:
    """Damages are tested in tests/fuzz."""
    path = trained(tmp_path, 0).folder / CHECKPOINT
    checkpoint = Checkpoint.load(path)
    large = replace(checkpoint, settings=replace(checkpoint.settings, initial_policy="x" * MAX_SETTINGS_BYTES))
    before = path.read_bytes()
    with pytest.raises(CheckpointError, match=r"settings\.json must have at most 65,536 bytes, not"):
        large.save(path)
    assert path.read_bytes() == before
    with new_segments(), pytest.raises(CheckpointError, match="with other rules, observations or features"):
        Training(tmp_path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    settings = parts[SETTINGS].split(b'"n_epochs": 2')
    torch.save([1], no_dictionary := io.BytesIO())
    torch.save({"code": Path("x")}, code := io.BytesIO())
    changed: list[tuple[dict[str, bytes], str]] = [
        ({SETTINGS: b'"n_epochs": NaN'.join(settings)}, "a number must be finite, not NaN"),
        ({SETTINGS: b'"n_epochs": 0'.join(settings)}, "n_epochs must be an integer, at least 1, not 0"),
        ({"another": b""}, "its parts must be settings.json, training.pt, not 'another'"),
        ({STATE: no_dictionary.getvalue()}, "training.pt must hold a dictionary"),
        ({STATE: code.getvalue()}, "Weights only load failed"),
        ({}, f"its part training.pt has {MAX_STATE_BYTES + 1:,} bytes unpacked, and at most"),
    ]
    for new, message in changed:
        with zipfile.ZipFile(path, "w") as archive:
            for name, part in (parts | new).items():
                archive.writestr(name, part)
            if not new:  # in the table of contents, which is written last
                archive.getinfo(STATE).file_size = MAX_STATE_BYTES + 1
        with pytest.raises(CheckpointError, match=re.escape(f"is not a checkpoint, or it is damaged: {message}")):
            Training(tmp_path)
