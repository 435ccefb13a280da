"""A recorded game as an animated picture, GIF or WebP. It needs the extra `render`."""

import io
import itertools
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from t2r_env.basics.checks import check_choice, check_integer
from t2r_env.basics.packages import needs
from t2r_env.basics.writing import replacing
from t2r_env.render.raster import png_of
from t2r_env.render.replay_steps import Progress, Step, replay_steps
from t2r_env.render.svg import MAX_WIDTH
from t2r_env.replay import Replay

FORMATS = ("gif", "webp")
ANIMATION_WIDTH = 900
"""The width in pixels that animations have if no other is given: the least that is laid out broad."""
SECONDS_AT_END = 4.0
"""How long the last frame stays at least."""
MAX_FRAMES_PER_SECOND = 50.0
COLOURS = 128
"""The number of colours of the palette that all frames share."""


def save_animation(
    path: str | os.PathLike[str],
    replay: Replay,
    *,
    file_format: str | None = None,
    seat: int | None = None,
    width: int = ANIMATION_WIDTH,
    frames_per_second: float = 2.0,
    turns_only: bool = False,
    names: Sequence[str] = (),
    reason: str = "",
    progress: Progress | None = None,
) -> None:
    """Write a game as an animated picture. If that fails or is interrupted, the file that was there before stays.

    Parameters
    ----------
    file_format
        `gif` or `webp`; by default as the path ends.
    seat
        Show what this seat knew (C20), not everything.
    width
        Of the picture in pixels, up to 10,000.
    frames_per_second
        Of steps, more than 0 and at most 50. The last picture stays four seconds.
    turns_only
        Show one picture for each turn.
    names
        The names of the players, as those of their agents: none, or one for each seat.
    reason
        Why the last player forfeited the game, if it did.
    progress
        Is called with the number of frames made, and that of all.

    Raises MissingExtraError without the extra `render`, ValueError for arguments that are not allowed, ReplayError for
    a replay that can't be played, and OSError.
    """
    chosen = check_choice("file_format", file_format or Path(path).suffix.removeprefix(".").lower(), FORMATS)
    check_integer("width", width, 1, MAX_WIDTH)
    if not 0 < frames_per_second <= MAX_FRAMES_PER_SECOND:
        raise ValueError(
            f"frames_per_second must be more than 0 and at most {MAX_FRAMES_PER_SECOND:g}, not {frames_per_second}"
        )
    with needs("render"):  # before any work
        for package in ("PIL", "resvg_py"):
            import_module(package)
    steps = list(replay_steps(replay, seat, reason, names))
    if turns_only:
        steps = _by_turn(steps)
    pictures = _counted((step.svg(replay, width) for step in steps), len(steps), progress)
    encoded = encode(pictures, 1000 / frames_per_second, chosen)
    with replacing(path) as new:
        new.write_bytes(encoded)


def render_turn(
    replay: Replay,
    turn: int,
    *,
    seat: int | None = None,
    width: int = 1200,
    names: Sequence[str] = (),
    reason: str = "",
) -> bytes:
    """Return the position after a turn as the bytes of a PNG file; turn 0 is the choice of tickets before the first.

    Raises ValueError for a turn that the game does not have, and what `save_animation` does.
    """
    steps = list(replay_steps(replay, seat, reason, names))
    check_integer("turn", turn, 0, steps[-1].snapshot["turn"])
    after = (step for step in steps if step.snapshot["turn"] > turn)
    return png_of(next(after, steps[-1]).svg(replay, width))


def _by_turn(steps: Sequence[Step]) -> list[Step]:
    """Return the first position, and the one after each turn, with all that the turn changed."""
    chosen = [next(turn) for _, turn in itertools.groupby(steps, lambda step: int(step.snapshot["turn"]))]
    if chosen[-1] is not steps[-1]:
        chosen.append(steps[-1])
    return [chosen[0], *(replace(step, before=last.snapshot) for last, step in itertools.pairwise(chosen))]


def _counted(pictures: Iterable[str], number: int, progress: Progress | None) -> Iterator[str]:
    """Yield pictures, and tell how many are done."""
    for done, picture in enumerate(pictures, 1):
        yield picture
        if progress:
            progress(done, number)


def encode(pictures: Iterable[str], milliseconds: float, chosen: str) -> bytes:
    """Return an animation of SVG documents, with equal ones merged to one that stays longer. All share one palette."""
    from PIL import Image

    palette: Any = None
    frames: list[Any] = []
    durations: list[float] = []
    for picture in pictures:
        with Image.open(io.BytesIO(png_of(picture))) as opened:
            image = opened.convert("RGB")
        if palette is None:
            palette = image.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        flat = image.quantize(palette=palette, dither=Image.Dither.NONE)
        if frames and frames[-1].tobytes() == flat.tobytes():
            durations[-1] += milliseconds
        else:
            frames.append(flat)
            durations.append(milliseconds)
    durations[-1] = max(durations[-1], 1000 * SECONDS_AT_END)
    more: dict[str, Any] = {"optimize": True} if chosen == "gif" else {"lossless": True, "quality": 50, "method": 2}
    first, *others = frames if chosen == "gif" else [frame.convert("RGB") for frame in frames]
    file = io.BytesIO()
    times = [round(it) for it in durations]
    first.save(file, chosen, save_all=True, append_images=others, duration=times, loop=0, **more)
    return file.getvalue()
