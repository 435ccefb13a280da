"""The comparison of settings: what it trains and writes, and how it resumes. Their strength is not tested."""

import json
import os
import re
import shutil
import signal
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

from benchmarks.recipe import BASELINE, RESULT, SETTINGS, Report, main
from t2r_agents.policy import Policy
from t2r_env.commands import main as t2r
from t2r_train.checkpoint import Checkpoint
from t2r_train.training import CHECKPOINT, POLICY, Training
from tests.train.tiny import train

TINY = (
    *("--timesteps", "300", "--seeds", "2", "--games", "6", "--only", "baseline", "entropy"),
    *("--set", "n_envs=8", "n_steps=16", "batch_size=64", "features_dim=16", "net_arch=16", "critic_warmup=1"),
    *("fixed_opponents=random,greedy", "eval_opponents=random,greedy", "eval_freq=2", "n_eval_episodes=4"),
)
PAGE = "# A page\n\n<!-- recipe -->\nold\n<!-- end of recipe -->\n\nThe rest.\n"


def run(out: Path, *arguments: str) -> int:
    return main([*TINY, "--out", str(out), *arguments])


def results_of(folder: Path) -> dict[str, Any]:
    results: dict[str, Any] = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return results


def without_clock(result: dict[str, Any]) -> dict[str, Any]:
    return result | {"decisions_per_second": None}


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small but complete comparison, and beside it the page that it was put into."""
    folder = tmp_path_factory.mktemp("recipe")
    page = folder / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    assert run(folder / "complete", "--page", str(page)) == 0
    return folder / "complete"


def test_each_setting_changes_the_baseline_in_a_way_of_its_own() -> None:
    assert [setting.name for setting in SETTINGS if not setting.changes] == ["baseline"]
    trained = {str(BASELINE | setting.changes) for setting in SETTINGS}
    assert len(trained) == len({setting.name for setting in SETTINGS}) == len(SETTINGS)


def test_each_setting_is_trained_with_each_seed(complete: Path) -> None:
    results = results_of(complete)["results"]
    assert [(it["setting"], it["seed"]) for it in results] == [
        (name, seed) for seed in (0, 1) for name in ("baseline", "entropy")
    ]
    for result in results:
        folder = complete / result["setting"] / str(result["seed"])
        used = Policy.load(folder / POLICY).training["settings"]
        assert (used["seed"], used["total_timesteps"], used["features"]) == (result["seed"], 300, "plan")
        assert used["ent_coef"] == {"baseline": 0.002, "entropy": 0.02}[result["setting"]]
        timesteps, *others = ([timesteps for timesteps, _ in curve] for curve in result["curves"].values())
        assert others == [timesteps]
        assert timesteps == sorted(set(timesteps))
        assert timesteps[-1] >= 300
        assert result["decisions_per_second"] > 0


def test_the_win_rates_at_the_end_are_those_of_evaluate(complete: Path, capsys: pytest.CaptureFixture[str]) -> None:
    *_, result = results_of(complete)["results"]
    file = complete / result["setting"] / str(result["seed"]) / POLICY
    assert t2r(["evaluate", str(file), "--games", "6", "--against", "greedy"]) == 0
    assert f"{result['wins']['greedy']['value']:.1%}" in capsys.readouterr().out


def test_the_page_has_means_spreads_and_the_picture(complete: Path) -> None:
    page = (complete.parent / "page.md").read_text(encoding="utf-8")
    assert page.startswith("# A page\n\n<!-- recipe -->\n")
    assert page.endswith("\n<!-- end of recipe -->\n\nThe rest.\n")
    assert "old" not in page
    rows = [re.split(r" \| ", line.strip("| ")) for line in page.splitlines() if line.startswith("| ")]
    assert [row[0] for row in rows[2:]] == ["baseline", "entropy: `ent_coef=0.02`"]
    results = results_of(complete)["results"]
    for row, name in zip(rows[2:], ("baseline", "entropy"), strict=True):
        shares = [100 * it["wins"]["greedy"]["value"] for it in results if it["setting"] == name]
        assert row[1] == "2"
        assert row[3] == f"{fmean(shares):.1f} ± {stdev(shares):.1f}"
        assert len(row) == len(rows[0])
    picture = complete.parent / "images" / "recipe.svg"
    assert f"](images/{picture.name})" in page
    assert picture.read_bytes() == (complete / "recipe.svg").read_bytes()
    assert picture.stat().st_size < 200_000


def test_complete_trainings_are_not_repeated_and_interrupted_ones_go_on(complete: Path, tmp_path: Path) -> None:
    """With the results of a training without interruption."""
    out = Path(shutil.copytree(complete, tmp_path / "out"))
    before = results_of(out)["results"]
    done = out / "entropy" / "1"
    settings = Checkpoint.load(done / CHECKPOINT).settings
    shutil.rmtree(done)
    train(Training(done, settings, device="cpu"), 2)
    assert not (done / RESULT).exists()
    kept = (out / "baseline" / "1" / CHECKPOINT).stat().st_mtime_ns
    assert run(out) == 0
    assert (out / "baseline" / "1" / CHECKPOINT).stat().st_mtime_ns == kept
    assert list(map(without_clock, results_of(out)["results"])) == list(map(without_clock, before))


def test_an_interruption_keeps_what_was_trained(
    complete: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    save = Report.save

    def interrupting(report: Report, folder: Path) -> None:
        save(report, folder)
        os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(Report, "save", interrupting)
        assert run(tmp_path) == 130
    captured = capsys.readouterr()
    assert "the same command resumes" in captured.err
    assert "baseline" in captured.out
    assert 1 <= len(results_of(tmp_path)["results"]) < 4
    assert run(tmp_path) == 0
    whole = results_of(complete)["results"]
    assert list(map(without_clock, results_of(tmp_path)["results"])) == list(map(without_clock, whole))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--timesteps", "0"], "--timesteps must be an integer, at least 1, not 0"),
        (["--timesteps", "301"], "holds a training with other settings"),
        (["--games", "8"], "holds a training with other settings"),
        (["--only", "nothing"], "invalid choice: 'nothing'"),
        (["--set", "n_steps=many"], "n_steps must be of type int"),
        (["--variant", "atlantis"], "atlantis"),
        (["--page", "README.md"], "has no marks <!-- recipe -->"),
        (["--page", "nowhere.md"], "nowhere.md"),
        (["--out", "README.md"], "--out must be a folder, and README.md is a file"),
    ],
)
def test_a_wrong_command_is_refused(
    complete: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    with pytest.raises(SystemExit):
        run(complete, *arguments)
    assert message in capsys.readouterr().err


def test_a_damaged_training_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "baseline" / "0"
    folder.mkdir(parents=True)
    (folder / CHECKPOINT).write_bytes(b"no checkpoint")
    with pytest.raises(SystemExit):
        run(tmp_path)
    assert f"{folder} can't be resumed" in capsys.readouterr().err
