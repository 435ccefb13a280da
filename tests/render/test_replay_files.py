"""Recorded games as animations and pictures, and `t2r replay`, which writes them and pages."""

import io
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image, ImageSequence

from t2r_env.agents import find_agent
from t2r_env.commands import main as t2r
from t2r_env.render.animation import render_turn, save_animation
from t2r_env.render.raster import png_of
from t2r_env.render.replay_page import render_replay_html
from t2r_env.render.replay_steps import replay_steps
from tests.helpers.recorded import game_of
from tests.helpers.refusing import refusal

WIDTH = 300


def durations(file: Path) -> list[int]:
    """How long each frame stays, in milliseconds."""
    with Image.open(file) as image:
        return [int(frame.copy().info["duration"]) for frame in ImageSequence.Iterator(image)]


@pytest.mark.parametrize("suffix", ["gif", "webp"])
def test_an_animation_has_a_frame_for_each_step_and_stays_at_the_end(suffix: str, tmp_path: Path) -> None:
    replay, file = game_of("planner", "usa", 2, actions=7), tmp_path / f"game.{suffix}"
    told: list[tuple[int, int]] = []
    save_animation(file, replay, width=WIDTH, frames_per_second=4, progress=lambda *numbers: told.append(numbers))
    assert durations(file) == [250] * 7 + [4000]
    assert told[-1] == (8, 8)
    with Image.open(file) as image:
        assert (image.format, image.width) == (suffix.upper(), WIDTH)
    assert file.stat().st_size < 300_000


def test_it_has_one_frame_for_a_turn_or_while_nothing_changes(tmp_path: Path) -> None:
    replay, file = game_of("planner", "usa", 2, actions=12), tmp_path / "game.gif"
    turns = [step.snapshot["turn"] for step in replay_steps(replay)]
    save_animation(file, replay, width=WIDTH, turns_only=True)
    assert 2 < len(durations(file)) <= len(set(turns)) + 1 < len(turns)
    replay = game_of("planner", "usa", 2, actions=3)
    save_animation(file, replay, seat=1, width=WIDTH)  # which sees nothing of the other's choice of tickets
    steps = [step.svg(replay, WIDTH) for step in replay_steps(replay, 1)]
    assert len(durations(file)) == 1 + sum(one != two for one, two in pairwise(steps))
    with pytest.raises(ValueError, match="file_format must be one of gif, webp, not 'mp4'"):
        save_animation(file, replay, file_format="mp4")


def test_the_picture_of_a_turn_is_the_position_after_it() -> None:
    replay = game_of("planner", "usa", 2, actions=12)
    *steps, last = replay_steps(replay)
    shown = {turn: next(it for it in steps if it.snapshot["turn"] > turn) for turn in (0, 1)}
    for turn, step in (shown | {last.snapshot["turn"]: last}).items():
        assert render_turn(replay, turn, width=WIDTH) == png_of(step.svg(replay, WIDTH))
    with Image.open(io.BytesIO(render_turn(replay, 1))) as image:
        assert image.width == 1200


# The command


@pytest.fixture
def game(tmp_path: Path) -> Path:
    file = tmp_path / "game.json"
    game_of("planner", "usa", 2, actions=8).save(file)
    return file


def run(game: Path, *arguments: object) -> int:
    return t2r(["replay", str(game), *map(str, arguments)])


def refused(capsys: pytest.CaptureFixture[str], game: Path, *arguments: object) -> str:
    """The line of error of a wrong command, which writes nothing."""
    before = sorted(game.parent.iterdir())
    message = refusal(capsys, t2r, "replay", game, *arguments).splitlines()[-1]
    assert sorted(game.parent.iterdir()) == before
    return message


def test_a_page_is_that_of_python(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = game.with_name("game.html")
    page.write_text("what was there")
    replay = game_of("planner", "usa", 2, actions=8)
    assert run(game, "--html", page, "--agent", "random", "--names", "anna", "bert") == 0
    expected = render_replay_html(replay, names=("anna", "bert"), agent=find_agent("random"), agent_name="random")
    assert page.read_text(encoding="utf-8") == expected
    assert run(game, "--html") == 0  # beside the replay
    assert page.read_text(encoding="utf-8") == render_replay_html(replay)
    assert run(game, "--html", page, "--seat", 1) == 0
    assert page.read_text(encoding="utf-8") == render_replay_html(replay, seat=1)
    assert capsys.readouterr().out == ""
    assert sorted(it.name for it in game.parent.iterdir()) == ["game.html", "game.json"]


def test_a_page_needs_no_extra(game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for package in ("rich", "PIL", "resvg_py", "jinja2"):
        monkeypatch.setitem(sys.modules, package, None)
    assert run(game, "--html", game.with_name("game.html"), "--seat", 0) == 0
    assert run(game, "--gif", game.with_name("game.gif")) == 1
    assert "is not installed; install what this needs: pip install '.[render]' in a checkout" in capsys.readouterr().err


def test_several_files_at_once(game: Path) -> None:
    gif, webp, png = (game.with_name(f"game.{suffix}") for suffix in ("gif", "webp", "png"))
    assert run(game, "--gif", gif, "--webp", webp, "--by-turn", "--png", 1, png, "--width", 300, "--speed", 5) == 0
    for file in (gif, webp, png):
        with Image.open(file) as image:
            assert image.width == 300


@pytest.mark.parametrize("flags", [["--html"], ["--gif"], ["--webp"], ["--png", "1"]])
def test_a_folder_that_is_not_there_is_named_before_any_work(
    flags: list[str], game: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("t2r_env.commands.replay.Replay", None)
    file = game.parent / "nowhere" / "game.html"
    assert refused(capsys, game, *flags, file).endswith(f"{flags[0]} must be a file in an existing folder, not {file}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seat", "0"], "--seat needs --gif or --html or --png or --webp"),
        (["--agent", "greedy"], "--agent needs --html"),
        (["--names", "a", "b"], "--names needs --gif or --html or --png or --webp"),
        (["--html", "x.html", "--by-turn"], "--by-turn needs --gif or --webp"),
        (["--png", "1", "x.png", "--speed", "4"], "--speed needs --gif or --webp"),
        (["--html", "x.html", "--json"], "--html goes without --json and --position, which print"),
        (["--html", "x.html", "--seat", "2"], "--seat must be an integer from 0 to 1, not 2"),
        (["--html", "x.html", "--agent", "nobody"], "there is no agent 'nobody'"),
        (["--html", "x.html", "--agent", "human"], "--agent human would ask you at each decision: name another agent"),
        (["--html", "x.html", "--agent", "policy:x"], "can't be created"),
        (["--png", "soon", "x.png"], "TURN of --png must be an integer, at least 0, not 'soon'"),
        (["--png", "99", "x.png"], "turn must be an integer from 0 to"),
        (["--gif", "x.gif", "--speed", "0"], "frames_per_second must be more than 0 and at most 50, not 0"),
        (["--gif", "x.gif", "--width", "0"], "width must be an integer from 1 to 10000, not 0"),
    ],
)
def test_a_wrong_command_gets_one_line(
    arguments: list[str], message: str, game: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(game.parent)
    assert message in refused(capsys, game, *arguments)


def test_a_damaged_replay_or_an_agent_that_fails_gives_one_error_and_leaves_the_page_that_was_there(
    game: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("out of ideas")

    page = game.with_name("game.html")
    page.write_text("what was there")
    monkeypatch.setattr("t2r_env.agents.RandomAgent.opinions", fail)
    assert refused(capsys, game, "--html", page, "--agent", "random").endswith("random has failed: out of ideas")
    game.write_text(game.read_text(encoding="utf-8")[:-20], encoding="utf-8")
    assert f"{game}: a replay must be JSON" in refused(capsys, game, "--html", page)
    assert page.read_text() == "what was there"
