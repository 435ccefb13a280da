"""Tables: games that one client plays, or several at once, each in a thread of its own."""

import threading
import time
from collections.abc import Callable

from t2r_env.text import TextGame


class Table:
    """A game whose first seats are clients'. It begins when all have come; a seat without them for too long forfeits.

    Parameters
    ----------
    game
        A game that has not begun.
    seconds
        How long a seat may take for a decision, and clients may be waited for.
    """

    def __init__(self, game: TextGame, seconds: float, seed: int | None = None) -> None:
        self.game = game
        self._seconds, self._seed = seconds, seed
        self._text, self._come = "", 0
        self._left: set[int] = set()
        self._began = time.monotonic()
        self._changed = threading.Condition()

    @property
    def is_full(self) -> bool:
        """Whether all clients have come."""
        return self._come == len(self.game.seats)

    def join(self) -> int:
        """Give the next seat to a client, and begin the game with the last one; return the seat."""
        with self._changed:
            seat = self.game.seats[self._come]
            self._come += 1
            if self.is_full:
                self._tell(lambda: self.game.reset(self._seed))
            return seat

    def wait(self, seat: int) -> str:
        """Wait until the seat is to reply, or the game is over; return what it is told. Raises TimeoutError."""
        with self._changed:
            while not self.is_full or not (self.game.over or self.game.seat == seat):
                left = self._began + self._seconds - time.monotonic()
                if left > 0:
                    self._changed.wait(left)
                elif self.is_full:
                    self._tell(self.game.forfeit)
                else:
                    raise TimeoutError(f"only {self._come} of {len(self.game.seats)} clients have come")
            return self._text

    def reply(self, seat: int, reply: str) -> str:
        """Take a seat's reply; return what it is told when it is to reply again, or at the end."""
        with self._changed:
            if not self.game.over:
                is_late = time.monotonic() > self._began + self._seconds
                self._tell(self.game.forfeit if is_late else lambda: self.game.step(reply))
        return self.wait(seat)

    def view(self, seat: int) -> str:
        """Return the rules and all that the seat knows when it is to reply, at the end the result; nothing changes."""
        with self._changed:
            text = self.wait(seat)
            return text if self.game.over else f"{self.game.rules}\n{self.game.view()}"

    def leave(self, seat: int) -> None:
        """Let a client leave: when its seat is to reply, it forfeits the game."""
        with self._changed:
            self._left.add(seat)
            if self.is_full:
                self._tell(lambda: self._text)

    def _tell(self, change: Callable[[], str]) -> None:
        """Change the game, and wake all who wait. The time of a decision begins again."""
        self._text = change()
        while not self.game.over and self.game.seat in self._left:
            self._text = self.game.forfeit()
        self._began = time.monotonic()
        self._changed.notify_all()
