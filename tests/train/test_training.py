"""Trainings: every game can be learned, and an interruption changes nothing."""

import csv
import signal
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.policy import Policy
from t2r_env import Games
from t2r_env.agents import decisions_of, find_agent
from tests.playing import every_variant
from tests.train.tiny import LESSONS, UPDATES, tiny_settings, train, trained
from train.checkpoint import STATE, CheckpointError
from train.imitation import give_lesson
from train.ppo import interruptible, main
from train.training import CHECKPOINT, POLICY, Training


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Training:
    """A training that was not interrupted."""
    return trained(tmp_path_factory.mktemp("trainings") / "whole_of_it")


def figures_of(training: Training) -> list[dict[str, float]]:
    """All that was told, but for the time it took."""
    with (training.folder / "curves.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [
        {name: float(value) for name, value in row.items() if value not in ("", "nan") and "time/" not in name}
        for row in rows
    ]


def is_same(one: Training, other: Training) -> bool:
    pairs = zip(one.policy().layers, other.policy().layers, strict=True)
    return all(np.array_equal(a, b) for these, those in pairs for a, b in zip(these, those, strict=True))


@every_variant
def test_every_game_can_be_learned(tmp_path: Path, variant: str) -> None:
    training = trained(tmp_path, variant=variant, steps=2 * 8 * 16, lessons=2, players=None)
    assert (training.lessons, training.updates, training.step) == (2, 2, 2 * 8 * 16)
    games = Games(training.configuration, batch=3)
    actions = find_agent(str(tmp_path / POLICY)).act(decisions_of(games, np.arange(3), np.arange(3, dtype=np.uint64)))
    games.step(actions)


def test_a_training_leaves_a_policy_a_checkpoint_and_curves(whole: Training) -> None:
    assert (whole.lessons, whole.updates, whole.is_done) == (2 * LESSONS, UPDATES, True)
    files = {path.name for path in whole.folder.iterdir()}
    assert files == {CHECKPOINT, POLICY, "curves.csv", "curves.png", "tensorboard"}
    assert (whole.folder / "curves.png").read_bytes().startswith(b"\x89PNG")
    assert next((whole.folder / "tensorboard").iterdir()).stat().st_size > 1000
    rows = figures_of(whole)
    assert [row["step"] for row in rows] == [128.0 * update for update in range(UPDATES + 1)]
    assert ["wins/random" in row for row in rows] == [True, False, True, False, True]
    assert all(0 <= row["tickets/made"] <= 10 for row in rows[1:] if "tickets/made" in row)
    assert Policy.load(whole.folder / POLICY).training["steps"] == whole.step


def test_learning_changes_the_policy_and_its_opponents(tmp_path: Path, whole: Training) -> None:
    early = trained(tmp_path, LESSONS)
    assert not is_same(early, whole)
    assert len(whole.pool.names) == 5
    assert "snapshot_4" in whole.pool.names
    assert early.pool.names == ["random", "greedy", "latest"]


@pytest.mark.parametrize("rounds", [0, 1, LESSONS, LESSONS + 1, LESSONS + 3])
def test_an_interrupted_training_goes_on_as_if_nothing_had_happened(
    tmp_path: Path, whole: Training, rounds: int
) -> None:
    interrupted = trained(tmp_path, rounds)
    assert not interrupted.is_done
    resumed = train(Training(tmp_path))
    assert is_same(resumed, whole)
    assert resumed.pool.shares == whole.pool.shares
    assert np.array_equal(resumed.games.games.games.states, whole.games.games.games.states)
    assert figures_of(resumed) == [pytest.approx(row) for row in figures_of(whole)]


def test_what_was_told_after_the_last_checkpoint_is_told_anew(tmp_path: Path, whole: Training) -> None:
    trained(tmp_path, LESSONS + 1)
    at_first = (tmp_path / CHECKPOINT).read_bytes()
    train(Training(tmp_path), 2)
    (tmp_path / CHECKPOINT).write_bytes(at_first)  # as if it had been killed before the next one
    resumed = train(Training(tmp_path))
    assert is_same(resumed, whole)
    assert figures_of(resumed) == [pytest.approx(row) for row in figures_of(whole)]


@pytest.mark.parametrize("rounds", [LESSONS - 1, LESSONS + 1])
def test_nothing_is_told_twice(tmp_path: Path, whole: Training, rounds: int) -> None:
    """After an end just before the next checkpoint."""
    before = trained(tmp_path, rounds)
    at_first = (tmp_path / CHECKPOINT).read_bytes()
    train(before, 1)
    (tmp_path / CHECKPOINT).write_bytes(at_first)
    resumed = Training(tmp_path)
    assert figures_of(resumed) == [pytest.approx(row) for row in figures_of(whole)[: max(0, rounds - LESSONS + 1)]]


def test_curves_may_have_been_cut_short(tmp_path: Path) -> None:
    told = figures_of(trained(tmp_path, LESSONS + 2))
    file = tmp_path / "curves.csv"
    content = file.read_bytes()
    file.write_bytes(content + b"1")
    Training(tmp_path)
    assert file.read_bytes() == content
    for length in range(0, len(content), 97):
        file.write_bytes(content[:length])
        rows = figures_of(Training(tmp_path))
        assert rows == told[: len(rows)]
    file.write_text("step,score\n0,much\n")
    with pytest.raises(ValueError, match=r"curves.csv can't be read: could not convert string to float: 'much'"):
        Training(tmp_path)


def test_curves_are_written_anew_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    training = trained(tmp_path, LESSONS)

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(csv.DictWriter, "writerows", interrupted)
    with pytest.raises(KeyboardInterrupt):
        training.curves.add(1, {"another": 0.5})
    assert [row["step"] for row in figures_of(training)] == [0]


def test_the_same_seed_trains_the_same_policy_and_another_seed_another(tmp_path: Path, whole: Training) -> None:
    again, other = trained(tmp_path / "again"), trained(tmp_path / "other", seed=4)
    assert is_same(again, whole)
    assert not is_same(other, whole)


def test_a_training_that_is_done_can_go_on_for_longer(whole: Training, tmp_path: Path) -> None:
    trained(tmp_path)
    assert train(Training(tmp_path)).step == whole.step
    longer = train(Training(tmp_path, changes={"steps": whole.step + 1}))
    assert (longer.step, longer.updates) == (whole.step + 128, UPDATES + 1)


def test_some_settings_may_change_when_a_training_goes_on(tmp_path: Path, whole: Training) -> None:
    trained(tmp_path, LESSONS + 1)
    resumed = train(Training(tmp_path, changes={"fixed_share": 0.9, "latest_share": 0.1}))
    assert not is_same(resumed, whole)
    weights = dict(zip(resumed.pool.names, resumed.pool.weights, strict=True))
    assert weights["random"] + weights["greedy"] == pytest.approx(0.9)
    assert Training(tmp_path).settings == tiny_settings(fixed_share=0.9, latest_share=0.1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (["--seed", "4"], "seed can't change in a training that has begun, only steps, learning_rate"),
        (["--tickets", "classic"], "tickets can't change in a training that has begun"),
        (["--set", "trunk=8"], "trunk can't change in a training that has begun"),
        (["--set", "fixed_share=2"], "fixed_share must be a number from 0 to 1"),
    ],
)
def test_other_changes_are_refused_and_nothing_is_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: list[str], message: str
) -> None:
    trained(tmp_path, 0)
    before = (tmp_path / CHECKPOINT).read_bytes()
    with pytest.raises(SystemExit):
        run("--resume", tmp_path, *changes)
    assert message in capsys.readouterr().err.splitlines()[-1]
    assert (tmp_path / CHECKPOINT).read_bytes() == before


def test_without_a_teacher_there_are_no_lessons(tmp_path: Path) -> None:
    training = trained(tmp_path, 1, teacher="")
    assert (training.lessons, training.updates) == (0, 1)


def test_a_first_interruption_is_noted_and_a_second_one_raised(capsys: pytest.CaptureFixture[str]) -> None:
    with interruptible() as is_interrupted:
        assert not is_interrupted()
        signal.raise_signal(signal.SIGINT)
        assert is_interrupted()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert "stopping after this update" in capsys.readouterr().err


def test_a_second_interruption_ends_the_command_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    trained(tmp_path, 1)
    at_first = (tmp_path / CHECKPOINT).read_bytes()

    def interrupt(training: Training) -> None:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Training, "_take_lesson", interrupt)
    assert run("--resume", tmp_path) == 130
    assert "what came after the last checkpoint.zip is lost" in capsys.readouterr().err
    assert (tmp_path / CHECKPOINT).read_bytes() == at_first


def run(*arguments: object) -> int:
    return main(["--threads", "1", *map(str, arguments)])


def as_arguments(**others: Any) -> list[str]:
    """A tiny training as the command takes it."""
    settings = vars(tiny_settings(**others))
    left_out = ("variant", "players", "options", "steps", "seed")
    return [
        f"{name}={','.join(map(str, value)) if isinstance(value, tuple) else value}"
        for name, value in settings.items()
        if name not in left_out
    ]


def test_the_command_trains_and_goes_on(
    tmp_path: Path, whole: Training, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["--variant", "new_york", "--out", tmp_path, "--steps", whole.step, "--seed", 3, "--set", *as_arguments()]
    finish = Training._update

    def interrupt(training: Training) -> dict[str, float]:
        signal.raise_signal(signal.SIGINT)
        return finish(training)

    monkeypatch.setattr(Training, "_update", interrupt)
    assert run(*command) == 130
    monkeypatch.undo()
    assert Training(tmp_path).updates == 1
    assert run("--resume", tmp_path) == 0
    assert is_same(Training(tmp_path), whole)
    assert "against random" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--variant", "mars", "--out", "OUT"], "mars"),
        (["--players", "9", "--out", "OUT"], "num_players of usa must be an integer from 2 to 5, not 9"),
        (["--tickets", "none", "--out", "OUT"], "usa has no tickets 'none'"),
        (["--out", "OUT", "--set", "trunk=wide"], "the setting trunk is of the type int, like 512, not 'wide'"),
        (["--out", "OUT", "--set", "depth=3"], "--set takes NAME=VALUE with one of these names: trunk"),
        (["--out", "OUT", "--set", "reward=money"], "reward must be one of rank, win, score, margin"),
        (["--out", "OUT", "--set", "batch=0"], "batch must be an integer, at least 1, not 0"),
        (["--out", "OUT", "--set", "fixed=nobody"], "there is no agent 'nobody'"),
        (["--out", "OUT", "--set", "teacher=nobody"], "there is no agent 'nobody'"),
        (["--out", "OUT", "--set", "fixed=random,greedy,random"], "fixed must name each agent once"),
        (["--out", "OUT", "--set", "fixed_share=0.7", "latest_share=0.4"], "must be 1 together, or less"),
        (["--out", "OUT", "--set", "heads=64,0"], "each of heads must be an integer, at least 1, not 0"),
        (["--out", "OUT", "--set", "discount=1.5"], "discount must be a number from 0 to 1, not 1.5"),
        (["--out", "OUT", "--set", "learning_rate=nan"], "learning_rate must be a number from 0 on, not nan"),
        (["--out", "OUT", "--set", "reward_unit=0"], "reward_unit must be more than 0"),
        (["--out", "OUT", "--set", "batch=1"], "in batches of 1 leave one alone"),
        (["--out", "OUT", "--set", "rollout=5", "batch=1279"], "in batches of 1279 leave one alone"),
        (["--out", "OUT", "--set", "reward=money", "--set", "trunk=8"], "reward must be one of rank, win"),
        (["--out", "OUT", "--threads", "0"], "threads must be an integer, at least 1, not 0"),
        (["--resume", "OUT"], "there is no training to go on with in"),
        ([], "one of the arguments --out --resume is required"),
    ],
)
def test_a_wrong_command_is_refused_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    with pytest.raises(SystemExit) as error:
        run(*[str(tmp_path / "out") if word == "OUT" else word for word in arguments])
    assert error.value.code == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert message in told
    assert not (tmp_path / "out").exists() or not any((tmp_path / "out").iterdir())


def test_a_training_is_not_begun_over_another_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trained(tmp_path, 0)
    before = (tmp_path / CHECKPOINT).read_bytes()
    with pytest.raises(SystemExit):
        run("--out", tmp_path)
    assert "--resume goes on with it" in capsys.readouterr().err
    assert (tmp_path / CHECKPOINT).read_bytes() == before


def test_a_checkpoint_cut_short_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / CHECKPOINT
    trained(tmp_path, 0)
    content = path.read_bytes()
    for length in (0, 100, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:length])
        with pytest.raises(CheckpointError, match="is no policy, or it is damaged"):
            Training(tmp_path)
        assert path.read_bytes() == content[:length]


def test_a_checkpoint_with_a_damaged_part_is_refused(tmp_path: Path) -> None:
    path = tmp_path / CHECKPOINT
    trained(tmp_path, 0)
    with zipfile.ZipFile(path) as archive:
        place = archive.getinfo(STATE).header_offset + 1000
    content = bytearray(path.read_bytes())
    content[place] ^= 255
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match="is no checkpoint, or it is damaged: Bad CRC-32"):
        Training(tmp_path)


def test_a_checkpoint_of_another_version_is_refused(tmp_path: Path) -> None:
    """It may hold objects that there are no longer."""
    trained(tmp_path, 0)
    with zipfile.ZipFile(tmp_path / CHECKPOINT) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(tmp_path / CHECKPOINT, "w") as archive:
        for name, content in (parts | {STATE: b"ctrain.nowhere\nGames\n."}).items():
            archive.writestr(name, content)
    with pytest.raises(CheckpointError, match=r"is no checkpoint, or it is damaged: No module named 'train.nowhere'"):
        Training(tmp_path)


def test_a_policy_alone_is_no_training(tmp_path: Path) -> None:
    trained(tmp_path, 0)
    (tmp_path / POLICY).replace(tmp_path / CHECKPOINT)
    with pytest.raises(CheckpointError, match="holds a policy to be played, not a training to go on with"):
        Training(tmp_path)


def test_lessons_bring_answers_nearer_to_the_teachers(tmp_path: Path) -> None:
    training = Training(tmp_path, tiny_settings(lessons=96, lesson_games=16, trunk=64, lesson_rate=3e-3))
    agreements = [
        give_lesson(training.model, training.configuration, training.settings, done)["lessons/agreement"]
        for done in range(0, 96, 16)
    ]
    assert agreements[-1] > agreements[0] + 0.1
