"""What environments show of their games, in every render mode: what one seat knows, unless more is asked for (C20)."""

import contextlib
import io
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from t2r_env import Games
from t2r_env.envs.aec import AECEnvironment
from t2r_env.render import display as display_module
from t2r_env.render.display import RENDER_MODES, Display
from t2r_env.render.text import render_text
from tests.helpers.environments import Env, Make, each_with_one_game, each_with_pictures, games_of, step
from tests.helpers.hidden import with_other_secrets
from tests.helpers.playing import check_same, each_kind_once


def viewer_of(env: Env) -> int:
    """The seat that acts, or learns in the first game."""
    return int(games_of(env).current[0] if isinstance(env, AECEnvironment) else env.games.seats[0])


def shown(env: Env) -> list[Any]:
    """What the environment shows, pictures as SVG."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        env._display.show(games_of(env).current if isinstance(env, AECEnvironment) else env.games.seats, env.metadata)
        return [env.render(), getattr(env, "_repr_svg_", lambda: "")(), printed.getvalue()]


@pytest.mark.parametrize("mode", RENDER_MODES)
@each_with_pictures
@each_kind_once
def test_c20_what_is_shown_is_the_same_whatever_the_viewer_cannot_know(
    make: Make, variant: str, players: int, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(display_module, "rgb_of", lambda drawing: drawing)
    env, rng = make(variant, players, render_mode=mode), np.random.default_rng(2)
    env.reset(seed=7)
    for decisions in (0, 1, 2, 4, 3):
        for _ in range(decisions):
            step(env, rng)
        seat, games, display = viewer_of(env), games_of(env), env._display
        expected, states, last = shown(env), games.states.copy(), list(display.last)
        games.states[:] = with_other_secrets(games, seat)
        for row, before in enumerate(last):
            if before:
                earlier = games.clone()
                earlier.states[row] = before[0][0]
                other = with_other_secrets(earlier, seat)[row : row + 1]
                display.last[row] = other, before[1]
        assert shown(env) == expected
        games.states[:] = states
        display.last = last


@pytest.mark.parametrize("mode", ["ansi", "human"])
@each_with_pictures
def test_all_or_a_seats_view_is_shown_as_asked(make: Make, mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a display, the mode `human` prints the texts that `ansi` returns."""

    def text(render_seat: Any) -> str:
        env = make("usa", 3, render_mode=mode, render_seat=render_seat)
        env.reset(seed=7)
        if mode == "human":
            return capsys.readouterr().out[: -len("\n")].split("\nTicket to Ride (usa)")[0]
        texts = env.render()
        return texts if isinstance(texts, str) else texts[0]

    games = Games("usa", 3, seed=7)
    chosen = games.configuration
    assert text("all") == render_text(games.snapshot(), chosen)
    for seat in (0, 1, np.int64(2)):
        assert text(seat) == render_text(chosen.snapshot(games.views([0], seat)[0]), chosen)
    assert text(None) == text(0)


@each_with_pictures
def test_a_printed_game_goes_on_where_the_output_lacks_a_letter(make: Make) -> None:
    output = io.TextIOWrapper(io.BytesIO(), "ascii", write_through=True)  # which lacks those of Montréal
    with contextlib.redirect_stdout(output):
        env = make("usa", 3, render_mode="human", render_seat="all")
        env.reset(seed=7)
        step(env)
    printed = output.buffer.getvalue().decode("ascii")
    assert printed.count("Ticket to Ride (usa)") >= 2
    assert "?" in printed


@each_with_pictures
@pytest.mark.parametrize("render_seat", ["everything", -1, 2, 0.0, True, [0], np.zeros(2, int)])
def test_a_seat_to_show_that_there_is_not_is_one_clear_error(make: Make, render_seat: Any) -> None:
    with pytest.raises(ValueError, match="render_seat must be a seat from 0 to 1, 'all', or None for the seat that "):
        make("usa", 2, render_seat=render_seat)


@each_with_one_game
def test_pictures_show_the_last_action_until_another_game_begins(make: Make) -> None:
    env = make("usa", render_mode="rgb_array", render_seat="all")
    env.reset(seed=1)
    assert ">Last:<" not in env._repr_svg_()
    first = env.render()
    step(env)
    second = env.render()
    assert [(picture.dtype, picture.shape) for picture in (first, second)] == [(np.uint8, (800, 1200, 3))] * 2
    assert not np.array_equal(first, second)
    assert ">Last:<" in env._repr_svg_()
    check_same(env.clone().render(), second)
    for begin in (env.reset, *([lambda: env.set_state(env.get_state())] if isinstance(env, AECEnvironment) else [])):
        begin()
        assert ">Last:<" not in env._repr_svg_()
        step(env)


@pytest.mark.parametrize(
    ("viewer", "action", "told"),
    [
        (1, "draw_face_up", "Last: player_0 takes the "),
        (1, "draw_deck", "Last: player_0 draws a card from the deck."),
        (1, "keep_ticket", ""),
        (0, "keep_ticket", "Last: player_0: keep "),
    ],
)
def test_others_are_told_of_the_last_action_what_all_see(viewer: int, action: str, told: str) -> None:
    games = Games("usa", 2, seed=1)
    chosen = [games.layout.actions[action].start]
    while not games.masks[0, chosen] or games.current[0] != 0:
        games.step([games.masks[0].argmax()])
    display = Display(games, "rgb_array", viewer, Games)
    last = display.before(chosen)
    games.step(chosen)
    display.last = last
    words = " ".join(" ".join(ET.fromstring(display.draw(0, 0)).itertext()).split())
    assert ("Last:" in words) == (told != "")
    assert told in words
