"""The display of an environment: text, pictures or a window, as far as a seat may know the games."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from t2r_env.basics.checks import Actions, as_integer, check_render_mode
from t2r_env.games import Games
from t2r_env.render.narration import Chronicler
from t2r_env.render.raster import rgb_of
from t2r_env.render.svg import render_svg
from t2r_env.render.text import render_text
from t2r_env.render.window import Window
from t2r_env.rules.batch import write_views
from t2r_env.rules.names import outcomes

Array = np.ndarray[Any, Any]

RenderSeat: TypeAlias = int | Literal["all"] | None
"""Whose view an environment shows: a seat's; everything; or by default that of the seat that acts or learns."""

RENDER_MODES = ["human", "ansi", "rgb_array"]
RENDER_FPS = 2
"""Frames per second of videos and windows (`metadata["render_fps"]`)."""


LastAction: TypeAlias = tuple[Array, int]
"""A copy of a state before its last action, (1,), and the action, which is put in words only for a picture."""


class Display:
    """Shows games in a render mode, each as its viewer knows it: a seat, unless `render_seat` names another or `all`.

    Raises TypeError for an unknown render mode, ValueError for an unknown seat, and MissingExtraError in the mode
    `human`, if there is a display, but not the extra `render`.
    """

    def __init__(self, games: Games, mode: str | None, render_seat: RenderSeat, called: Callable[..., Any]) -> None:
        self.mode = check_render_mode(mode, tuple(RENDER_MODES), called)
        is_word = render_seat is None or (isinstance(render_seat, str) and render_seat == "all")
        if not is_word and as_integer(render_seat) not in range(games.num_players):
            raise ValueError(
                f"render_seat must be a seat from 0 to {games.num_players - 1}, 'all', or None for the seat that acts"
                f" or learns, not {render_seat!r}"
            )
        self.last: list[LastAction | None] = [None] * games.batch
        """The last action of each game, in modes whose pictures tell of it."""
        self._games = games
        self._render_seat = render_seat
        self.window = Window() if self.mode == "human" else None

    def before(self, actions: Actions) -> list[LastAction | None]:
        """Return what `last` becomes once these actions have been taken: None for games that are over."""
        if self.mode not in ("human", "rgb_array"):
            return self.last
        over = (self._games.terminated | self._games.truncated).tolist()
        states, chosen = self._games.states, np.asarray(actions).ravel().tolist()
        return [
            None if is_over else (states[row : row + 1].copy(), action)
            for row, (action, is_over) in enumerate(zip(chosen, over, strict=False))
        ]

    def forget(self, rows: Sequence[int]) -> None:
        """Drop the last actions of games that begin again."""
        for row in rows:
            self.last[row] = None

    def render(self, row: int, viewer: int) -> str | NDArray[np.uint8] | None:
        """Return a game as text in the mode `ansi`, or in the mode `rgb_array` as pixels, uint8 (800, 1200, 3)."""
        if self.mode == "rgb_array":
            return rgb_of(self.draw(row, viewer))
        return self._tell(row, viewer) if self.mode == "ansi" else None

    def show(self, viewers: NDArray[np.int64], metadata: Mapping[str, Any]) -> None:
        """Show the games in the window of the mode `human`, as many in a second as the metadata say."""
        if self.window:
            self.window.show(
                str(self._games.configuration),
                self._games.batch,
                lambda row: self.draw(row, viewers[row]),
                lambda row: self._tell(row, viewers[row]),
                metadata["render_fps"],
            )

    def close(self) -> None:
        """Close the window if there is one."""
        if self.window:
            self.window.close()

    def draw(self, row: int, viewer: int) -> str:
        """Return a game as SVG, with its last action as far as the viewer knows it."""
        configuration, last = self._games.configuration, self.last[row]
        now = self._snapshot(self._games.states, row, viewer)
        if last is None:
            return render_svg(now, configuration)
        state, chosen = last
        before, actor = self._snapshot(state, 0, viewer), state["current"][0]
        if self._games.states["outcome"][row] == outcomes.FORFEITED:
            told = f"player_{actor}: {chosen}, which is not legal"
        else:
            action = configuration.text.describe(state[0], chosen)
            if self._seat(viewer) in (None, actor):
                told = f"player_{actor}: {action}"
            else:
                told = " ".join(Chronicler(configuration, self._seat(viewer)).narrate(before, now, action))
        return render_svg(now, configuration, before=before, last=told)

    def _tell(self, row: int, viewer: int) -> str:
        return render_text(self._snapshot(self._games.states, row, viewer), self._games.configuration)

    def _seat(self, viewer: int) -> int | None:
        """Return the seat whose view is shown; None for everything."""
        if self._render_seat == "all":
            return None
        return int(viewer) if self._render_seat is None else int(self._render_seat)

    def _snapshot(self, states: Array, row: int, viewer: int) -> dict[str, Any]:
        """Return the snapshot of a state, as far as the viewer knows it."""
        configuration, seat = self._games.configuration, self._seat(viewer)
        if seat is None:
            return configuration.snapshot(states[row])
        views = configuration.ruleset.new_states(1)
        write_views(states, configuration.rules, np.array([row]), np.array([seat]), views)
        return configuration.snapshot(views[0])
