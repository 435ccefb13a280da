"""The table by which the library's policies are trained, and its program."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from benchmarks import train_policies
from benchmarks.train_policies import main, rows, settings_of
from t2r_agents.playing.policy import SHIPPED, Policy
from t2r_train.distill import distill
from t2r_train.training import CHECKPOINT, Training
from tests.helpers.fixtures import Capture, Patch
from tests.helpers.refusing import refusal
from tests.train.tiny import TINY

NAME = "new_york_classic_2"
SETTINGS = {name: value for name, value in TINY.items() if name not in ("total_timesteps", "seed")}
ROW: dict[str, Any] = {"variant": "new_york", "num_players": [2], "total_timesteps": 100, "settings": SETTINGS}


def test_every_policy_of_the_library_has_a_rollout_network_and_a_row_with_settings_that_are_allowed() -> None:
    assert all(Policy.load(file).rollout_layers for file in SHIPPED.glob("*.safetensors"))
    assert sorted(rows()) == sorted(file.stem for file in SHIPPED.glob("*.safetensors"))
    for row in rows().values():
        settings = settings_of(row)
        assert [it.num_players for it in settings.configurations()] == row["num_players"]
        assert settings.total_timesteps == row["total_timesteps"]


def test_a_policy_is_trained_once_from_nothing_and_its_card_says_how(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(train_policies, "rows", lambda: {NAME: ROW})
    monkeypatch.setattr(train_policies, "SHIPPED", tmp_path)
    monkeypatch.setattr(train_policies, "distill", partial(distill, decisions=1))
    out = tmp_path / "out"
    Training(out / NAME, settings_of(ROW)).save()  # as if it had been interrupted
    command = ["--only", NAME, "--out", str(out), "--threads", "1"]
    assert main(command) == 0
    policy = Policy.load(out / f"{NAME}.safetensors")
    card = policy.training
    assert policy.rollout_layers
    assert card["num_timesteps"] >= 100
    assert (card["row"]["num_players"], card["row"]["settings"]["net_arch"]) == ([2], [16])
    assert len(card["revision"]) == 40
    monkeypatch.setattr(train_policies, "train_row", lambda *_: pytest.fail("it is complete"))
    assert main([*command, "--write"]) == 0
    assert (tmp_path / f"{NAME}.safetensors").read_bytes() == (out / f"{NAME}.safetensors").read_bytes()


def test_a_folder_of_another_row_is_refused(tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    monkeypatch.setattr(train_policies, "rows", lambda: {NAME: {**ROW, "total_timesteps": 200}})
    Training(tmp_path / NAME, settings_of(ROW)).save()
    before = (tmp_path / NAME / CHECKPOINT).read_bytes()
    told = refusal(capsys, main, "--only", NAME, "--out", tmp_path)
    assert "has a training run of other settings: remove it" in told
    assert (tmp_path / NAME / CHECKPOINT).read_bytes() == before
