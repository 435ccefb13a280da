"""Recorded games as animations, and the position after a turn as a picture."""

from pathlib import Path

import pytest
from PIL import Image, ImageSequence

from t2r_env.render.animation import save_animation
from tests.helpers.recorded import game_of

WIDTH = 300


def durations(file: Path) -> list[int]:
    """How long each frame stays, in milliseconds."""
    found = []
    with Image.open(file) as image:
        for frame in ImageSequence.Iterator(image):
            frame.load()  # WebP says it only then
            found.append(int(frame.info["duration"]))
    return found


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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"frames_per_second": 0}, "frames_per_second must be more than 0 and at most 50, not 0"),
        ({"width": 0}, "width must be an integer from 1 to 10000, not 0"),
        ({"seat": 2}, "seat must be an integer from 0 to 1, not 2"),
        ({"file_format": "mp4"}, "file_format must be one of gif, webp, not 'mp4'"),
    ],
)
def test_what_is_not_allowed_is_refused_and_nothing_is_written(
    arguments: dict[str, int], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=message):
        save_animation(tmp_path / "game.gif", game_of("planner", "usa", 2, actions=3), **arguments)  # type: ignore[arg-type]  # as wrong as meant
    assert not list(tmp_path.iterdir())
