"""Recorded games as animations, and the position after a turn as a picture."""

import io
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image, ImageSequence

from t2r_env.render.animation import render_turn, save_animation
from t2r_env.render.raster import png_of
from t2r_env.render.replay_steps import replay_steps
from tests.helpers.recorded import game_of

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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"frames_per_second": 0}, "frames_per_second must be more than 0 and at most 50, not 0"),
        ({"width": 0}, "width must be an integer from 1 to 10000, not 0"),
        ({"seat": 2}, "seat must be an integer from 0 to 1, not 2"),
        ({"file_format": "mp4"}, "file_format must be one of gif, webp, not 'mp4'"),
    ],
)
def test_what_is_not_allowed_is_refused_unwritten(arguments: dict[str, int], message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        save_animation(tmp_path / "game.gif", game_of("planner", "usa", 2, actions=3), **arguments)  # type: ignore[arg-type]  # as wrong as meant
    assert not list(tmp_path.iterdir())


def test_the_picture_of_a_turn_is_the_position_after_it() -> None:
    replay = game_of("planner", "usa", 2, actions=12)
    *steps, last = replay_steps(replay)
    shown = {turn: next(it for it in steps if it.snapshot["turn"] > turn) for turn in (0, 1)}
    for turn, step in (shown | {last.snapshot["turn"]: last}).items():
        assert render_turn(replay, turn, width=WIDTH) == png_of(step.svg(replay, WIDTH))
    with Image.open(io.BytesIO(render_turn(replay, 1))) as image:
        assert image.width == 1200
    with pytest.raises(ValueError, match="turn must be an integer from 0 to "):
        render_turn(replay, 1000)
