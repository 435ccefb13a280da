"""The window of `render_mode="human"`, by pygame of the extra `render`; text where no window can be opened."""

import os
import sys
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

from t2r_env.basics.packages import needs
from t2r_env.basics.plain import print_text
from t2r_env.render.drawing.palette import BACKGROUND
from t2r_env.render.drawing.shared_drawing import WIDE, WIDE_HEIGHT
from t2r_env.render.frames import grid_of, shape_of_grid
from t2r_env.render.raster import rgb_of

MOST_GAMES = 16
"""The number of games of a vector environment that are shown, the first ones."""

_SCREEN = 0.9
"""The share of the screen that a window takes at most when it opens."""
_WAIT = 0.02
"""Seconds from one look at the window's events to the next while waiting."""
_UNSEEN = ("dummy", "offscreen")
"""Drivers to which SDL falls back if it finds no display."""

_shown: "tuple[weakref.ref[Window], tuple[int, int]] | None" = None
"""The open window, and the process and thread that opened it: SDL serves no others, and has one for a process."""


def has_display() -> bool:
    """Whether there is a display to try. SDL's drivers without one count if SDL_VIDEODRIVER names them."""
    if sys.platform == "darwin":
        return threading.current_thread() is threading.main_thread()  # in others Cocoa ends the program
    names = ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform == "win32" or any(os.environ.get(name) for name in names)


def _import_pygame() -> Any:
    """Import pygame, once all else that windows need is known to be there. Raises MissingExtraError."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    os.environ.setdefault("SDL_NO_SIGNAL_HANDLERS", "1")  # with SDL's handler SIGTERM does not end the program
    with needs("render"):
        import PIL
        import pygame
        import resvg_py
    del PIL, resvg_py
    return pygame


class Window:
    """The window of an environment: it opens when something is shown first, and its size can be changed.

    Its button closes it; then nothing more is shown until `close` has been called. SDL has one window for a process:
    with several environments it changes to the one that is shown. Only the thread that opened it can use it, and no
    forked process; there, as without a display, games are printed as text. Copies by `copy` and `pickle` are not open.

    Raises MissingExtraError if there is a display, but not the extra `render`.
    """

    def __init__(self, is_dismissed: bool = False) -> None:
        self._is_dismissed = is_dismissed  # by its button
        self._is_impossible = False
        self._drawings: list[str] = []
        self._picture: Any = None
        self._size = (0, 0)
        self._due = 0.0
        if has_display():
            _import_pygame()

    def __reduce__(self) -> tuple[Any, ...]:
        return Window, (self._is_dismissed,)

    def show(
        self,
        title: str,
        number: int,
        draw: Callable[[int], str],
        tell: Callable[[int], str],
        frames_per_second: float | None,
    ) -> None:
        """Show a picture of each of this many games, of more than 16 the first, as a grid; or print all as text.

        `draw` and `tell` make the SVG and the text of a game, given its row. Each picture stays for
        1 / `frames_per_second` seconds: the next `show` waits for that. None and 0 stand for no waiting.
        """
        if self._is_dismissed:
            return
        if number > MOST_GAMES:
            title += f": the first {MOST_GAMES} of {number} games"
        if not self._open(min(number, MOST_GAMES), title):
            print_text("\n".join(map(tell, range(number))))
            return
        self._drawings = [draw(row) for row in range(min(number, MOST_GAMES))]
        self._rasterise()
        self._react()
        while time.monotonic() < self._due and not self._is_dismissed:
            time.sleep(_WAIT)
            self._react()
        if not self._is_dismissed:
            self._paint()
            self._due = time.monotonic() + (1 / frames_per_second if frames_per_second else 0)

    def close(self) -> None:
        """Close the window if it is open and this thread may; `show` opens it again."""
        global _shown
        self._is_dismissed = False
        self._drawings, self._picture, self._due = [], None, 0.0
        if _shown and _shown[0]() is self and _shown[1] == _here():
            _import_pygame().display.quit()
            _shown = None

    def _open(self, number: int, title: str) -> bool:
        """Open the window for this many games, if it is not open yet; return whether it is open now."""
        global _shown
        if self._is_impossible or not has_display() or (_shown and _shown[1] != _here()):
            return False
        pygame = _import_pygame()
        if _shown and _shown[0]() is self and pygame.display.get_surface():
            return True
        try:
            pygame.display.init()
            if pygame.display.get_driver() in _UNSEEN and not os.environ.get("SDL_VIDEODRIVER"):
                raise pygame.error("no display")
            screen = pygame.display.get_desktop_sizes()[0]
            room = min(WIDE, int(_SCREEN * screen[0])), min(WIDE_HEIGHT, int(_SCREEN * screen[1]))
            columns, rows = shape_of_grid(number)
            width = _width_of_each(number, room)
            pygame.display.set_mode((columns * width, rows * round(width * WIDE_HEIGHT / WIDE)), pygame.RESIZABLE)
        except pygame.error:
            pygame.display.quit()
            _shown = None
            self._is_impossible = True
            return False
        pygame.display.set_caption(title)
        _shown = weakref.ref(self), _here()
        return True

    def _rasterise(self) -> None:
        """Make the picture as large as the window has room for."""
        pygame = _import_pygame()
        self._size = pygame.display.get_window_size()
        width = _width_of_each(len(self._drawings), self._size)
        pixels = grid_of([rgb_of(drawing, width) for drawing in self._drawings])
        self._picture = pygame.image.frombuffer(pixels.tobytes(), pixels.shape[1::-1], "RGB")

    def _paint(self) -> None:
        """Put the picture into the middle of the window."""
        pygame = _import_pygame()
        screen = pygame.display.get_surface()
        screen.fill(BACKGROUND)
        screen.blit(self._picture, self._picture.get_rect(center=screen.get_rect().center))
        pygame.display.flip()

    def _react(self) -> None:
        """Do what the window's button, its edges, and the desktop ask for."""
        pygame = _import_pygame()
        events = {event.type for event in pygame.event.get()}
        if pygame.QUIT in events:
            self.close()
            self._is_dismissed = True
        elif pygame.display.get_window_size() != self._size:
            self._rasterise()
            self._paint()
        elif pygame.VIDEOEXPOSE in events:
            self._paint()


def _here() -> tuple[int, int]:
    """Return this process and thread."""
    return os.getpid(), threading.get_ident()


def _width_of_each(number: int, room: tuple[int, int]) -> int:
    """Return how wide each of this many pictures can be in a window of this size."""
    columns, rows = shape_of_grid(number)
    return max(1, min(room[0] // columns, room[1] * WIDE // (WIDE_HEIGHT * rows)))
