"""The window of `render_mode="human"`: here on SDL's display that nobody sees, and what is there without a display."""

import copy
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pygame
import pytest
from numpy.typing import NDArray

from t2r_env.basics.packages import MissingExtraError
from t2r_env.envs import aec
from t2r_env.envs.single import SeatEnvironment
from t2r_env.envs.vector import SeatVectorEnvironment
from t2r_env.render import window
from t2r_env.render.frames import grid_of, shape_of_grid
from tests.helpers.environments import Env, Make, by_pickle, each_with_pictures, step


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A display; frames follow each other without waiting."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    for module in (aec, sys.modules[SeatVectorEnvironment.__module__]):
        monkeypatch.setattr(module, "RENDER_FPS", None)
    monkeypatch.setitem(SeatEnvironment.metadata, "render_fps", None)
    yield
    pygame.display.quit()
    window._shown = None


def started(make: Make = SeatEnvironment) -> Env:
    env = make("new_york", render_mode="human")
    env.reset(seed=4)
    return env


def on_screen() -> NDArray[np.uint8]:
    """The pixels of the window, (height, width, 3)."""
    surface = pygame.display.get_surface()
    assert surface is not None
    return pygame.surfarray.array3d(surface).swapaxes(0, 1)


@pytest.mark.usefixtures("display")
@each_with_pictures
def test_the_window_shows_each_position_until_it_is_closed(make: Make, capsys: pytest.CaptureFixture[str]) -> None:
    env = make("new_york", render_mode="human")
    assert pygame.display.get_surface() is None
    env.reset(seed=4)
    seen = [on_screen()]
    for _ in range(3):
        step(env)
        seen.append(on_screen())
    assert len({pixels.tobytes() for pixels in seen}) == 4
    assert all(len(np.unique(pixels.reshape(-1, 3), axis=0)) > 50 for pixels in seen)
    assert pygame.display.get_caption()[0] == "new_york, 2 players"
    for _ in range(2):
        env.close()
        assert pygame.display.get_surface() is None
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("display")
def test_the_window_shows_what_rgb_array_returns_and_fits_on_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    for screen, size in (((1000, 1000), (900, 600)), ((1920, 1080), (1200, 800))):
        monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda screen=screen: [screen])
        env = started()
        assert pygame.display.get_window_size() == size
    step(env)
    other = SeatEnvironment("new_york", render_mode="rgb_array")
    other.reset(seed=4)
    step(other)
    np.testing.assert_array_equal(on_screen(), other.render())


@pytest.mark.usefixtures("display")
@pytest.mark.parametrize(("size", "picture"), [((1100, 400), (600, 400)), ((300, 700), (300, 200))])
def test_the_picture_is_drawn_anew_in_the_size_of_the_window(size: tuple[int, int], picture: tuple[int, int]) -> None:
    env = started()
    pygame.display.set_mode(size, pygame.RESIZABLE)
    step(env)
    assert on_screen().shape == (size[1], size[0], 3)
    assert env._display.window._picture.get_size() == picture
    inside = on_screen().any(axis=2) & (on_screen() != on_screen()[0, 0]).any(axis=2)
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    assert abs(rows[0] - (size[1] - 1 - rows[-1])) < 0.2 * picture[1] + 20
    assert (size[0] - picture[0]) // 2 <= columns[0] <= columns[-1] < (size[0] + picture[0]) // 2


@pytest.mark.release
@pytest.mark.usefixtures("display")
def test_a_picture_stays_for_its_time() -> None:
    env = started()
    env.metadata["render_fps"] = 5
    step(env)  # once the first picture has had its time
    begun = time.monotonic()
    for _ in range(3):
        step(env)
    assert time.monotonic() - begun >= 0.4  # two whole times, and what was left of the first one
    env.metadata["render_fps"] = None
    step(env)
    begun = time.monotonic()
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    env.metadata["render_fps"] = 0.01
    step(env)
    assert time.monotonic() - begun < 50


@pytest.mark.release
@pytest.mark.usefixtures("display")
@each_with_pictures
def test_the_window_s_button_closes_it_and_the_game_goes_on(make: Make, capsys: pytest.CaptureFixture[str]) -> None:
    env = started(make)
    env.metadata["render_fps"] = 0.001
    step(env)
    for _ in range(2):
        pygame.event.post(pygame.event.Event(pygame.QUIT))
        step(env)  # it would wait for a thousand seconds
        env.reset(seed=2)
        assert pygame.display.get_surface() is None
        copy.deepcopy(env).reset(seed=1)
        by_pickle(env).reset(seed=1)
        assert pygame.display.get_surface() is None
        env.close()
        env.reset(seed=3)
        assert pygame.display.get_surface() is not None
    assert capsys.readouterr().out == ""


@pytest.mark.release
@pytest.mark.usefixtures("display")
@each_with_pictures
@pytest.mark.parametrize("duplicate", [copy.deepcopy, by_pickle])
def test_a_copy_gets_the_window_when_it_shows_something_and_one_that_another_library_closes_opens_again(
    make: Make, duplicate: Callable[[Env], Env]
) -> None:
    env = started(make)
    step(env)
    first = on_screen()
    other = duplicate(env)
    assert (on_screen() == first).all()
    step(other)
    second = on_screen()
    assert (second != first).any()
    env.close()  # which is not shown any more
    assert (on_screen() == second).all()
    step(env)
    np.testing.assert_array_equal(on_screen(), second)
    other.close()
    assert pygame.display.get_surface() is not None
    pygame.quit()  # as Gymnasium's own environments do
    step(env)
    assert len(np.unique(on_screen().reshape(-1, 3), axis=0)) > 50
    env.close()
    assert pygame.display.get_surface() is None


@pytest.mark.usefixtures("display")
def test_a_batch_is_shown_as_a_grid_of_its_first_games() -> None:
    env = SeatVectorEnvironment("card_game", num_envs=17, render_mode="human")
    env.reset(seed=3)
    assert pygame.display.get_caption()[0] == "card_game, 2 players: the first 16 of 17 games"
    rows = (np.hsplit(row, 4) for row in np.vsplit(on_screen(), 4))
    assert len({cell.tobytes() for row in rows for cell in row}) == 16


def test_a_grid_has_its_frames_of_one_shape_row_by_row_and_is_white_where_there_is_none() -> None:
    frames = [np.full((2, 3, 3), value, np.uint8) for value in range(5)]
    grid = grid_of(frames)
    assert grid.shape == (4, 9, 3)
    assert grid[::2, ::3, 0].tolist() == [[0, 1, 2], [3, 4, 255]]
    assert (grid[2:, 6:] == 255).all()
    np.testing.assert_array_equal(grid_of(frames[:1]), frames[0])
    assert [shape_of_grid(number) for number in (1, 2, 3, 9, 10)] == [(1, 1), (2, 1), (2, 2), (3, 3), (4, 3)]
    for frames in ([], [np.zeros((2, 3, 3), np.uint8), np.zeros((3, 2, 3), np.uint8)]):
        with pytest.raises(ValueError, match="frames must be one or more arrays of one shape"):
            grid_of(frames)


# Where no window can be opened


@each_with_pictures
def test_a_broken_display_is_none(
    make: Make, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISPLAY", ":98765")
    env = started(make)
    step(env)
    assert capsys.readouterr().out.count("new_york") == 2 * getattr(env, "num_envs", 1)
    assert window._shown is None
    env.close()


@pytest.mark.usefixtures("display")
def test_other_threads_get_text(capsys: pytest.CaptureFixture[str]) -> None:
    env = started()
    first = on_screen()
    with ThreadPoolExecutor(1) as other:
        other.submit(step, env).result()
        other.submit(env.close).result()
    assert "Turn 0. player_0: " in capsys.readouterr().out
    assert (on_screen() == first).all()
    step(env)
    assert (on_screen() != first).any()
    assert capsys.readouterr().out == ""


FORKING = """
import os, signal, sys
import pygame, t2r_env

env = t2r_env.env("new_york", render_mode="human")
env.reset(seed=1)
if not os.fork():
    env.step(int(env.games.masks[0].argmax()))
    env.close()
    sys.stdout.flush()
    os._exit(0)
os.wait()
env.step(int(env.games.masks[0].argmax()))
assert pygame.display.get_surface() is not None
print("still there", flush=True)
os.kill(os.getpid(), signal.SIGTERM)
signal.pause()
"""


@pytest.mark.release
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks on Windows")
def test_a_forked_process_gets_text_and_signals_end_the_program() -> None:
    command, environment = [sys.executable, "-c", FORKING], os.environ | {"SDL_VIDEODRIVER": "dummy"}
    ended = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
    assert ended.stdout.count("Ticket to Ride") == 1, ended.stderr
    assert ended.stdout.endswith("still there\n")
    assert ended.returncode == -15


@pytest.mark.parametrize("package", ["pygame", "resvg_py", "PIL"])
@each_with_pictures
def test_with_a_display_what_is_missing_is_one_clear_error_from_the_start(
    make: Make, package: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    started(make)
    assert "new_york" in capsys.readouterr().out  # without a display it is not needed
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    with pytest.raises(MissingExtraError, match=rf"^{package} is not installed; .* pip install '\.\[render\]' in "):
        make("new_york", render_mode="human")
