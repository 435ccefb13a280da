"""A recorded game, step by step, as everybody or one seat saw it: what replay pages and animations show."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from t2r_env.basics.checks import check_integer
from t2r_env.basics.plain import plain
from t2r_env.games import Games
from t2r_env.render.narration import Chronicler, Snapshot
from t2r_env.render.svg import WIDE, render_svg
from t2r_env.replay import Replay

MAX_NAME = 60
"""In letters, of a player's name; a longer one is cut."""
LONGEST_LAST = 160
"""In letters, of what a picture says was done last."""

Progress = Callable[[int, int], None]
"""Is told how much of a page or an animation is made, and how much there is."""


@dataclass(frozen=True)
class Step:
    """A position of a game, and what has led to it since the step before."""

    position: int
    """The number of actions before it. Only the full view may tell it: it counts others' hidden decisions."""
    snapshot: Snapshot
    before: Snapshot | None
    """The snapshot of the step before."""
    lines: Sequence[str]
    """The events, a sentence each, which begins with the name of the player or team."""
    names: Sequence[str]

    def svg(self, replay: Replay, width: int = WIDE, *, tells_last: bool = True) -> str:
        """Return the picture, as from `render_svg`; without what was done last, where a page tells it."""
        last = " ".join(self.lines) if tells_last else ""
        if len(last) > LONGEST_LAST:
            last = self.lines[0]
        return render_svg(
            self.snapshot, replay.configuration, before=self.before, last=last, width=width, names=self.names
        )


def replay_steps(
    replay: Replay, seat: int | None = None, reason: str = "", names: Sequence[str] = ()
) -> Iterator[Step]:
    """Return the steps of a game: each action, or of a seat's view (C20) what the seat could see of it.

    A seat sees its own actions and those that all see; of the others' payments and tickets the effects. It can't tell
    from the steps whether the others had a decision: one that it does not see is part of the next step.

    `reason`: why the last player forfeited the game, if it did; by default that its action is not legal. `names`: what
    the players are called, by default player_0 and so on (`called`).

    Raises ValueError for a seat that does not exist and for names that do not fit, and ReplayError as `Replay.games`.
    """
    players = replay.configuration.num_players
    if seat is not None:
        check_integer("seat", seat, 0, players - 1)
    return _steps(replay, seat, reason, called(names, players))


def position_at(replay: Replay, step: int) -> int:
    """Return the number of actions before a step of the view of everything, as pages count steps. Raises ValueError."""
    positions = [it.position for it in replay_steps(replay)]
    return positions[check_integer("STEP", step, 0, len(positions) - 1)]


def called(names: Sequence[str], players: int) -> list[str]:
    """Return what each player is called: its name, with its seat if others have the same; player_0 and so on if none.

    Names are plain, and cut if they are too long. Raises ValueError unless there are no names, or one for each player.
    """
    if len(names) not in (0, players):
        raise ValueError(f"there must be {players} names, one for each player, not {len(names)}")
    shown = [plain(name) for name in names]
    cut = [name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 3]}..." for name in shown]
    return [
        f"{name} ({seat})" if cut.count(name) > 1 else name or f"player_{seat}"
        for seat, name in enumerate(cut or [""] * players)
    ]


def _steps(replay: Replay, seat: int | None, reason: str, names: Sequence[str]) -> Iterator[Step]:
    chronicler = Chronicler(replay.configuration, seat, names)
    step: Step | None = None
    before: Snapshot = {}
    action: Any = None
    for position, games in enumerate(replay.games()):
        now = position_of(games, seat)
        if step is None:
            step = Step(position, now, None, (), names)
        else:
            if action is None:
                lines = [chronicler.forfeit(before, reason or "its action is not legal")]
            else:
                lines = list(chronicler.narrate(before, now, action))
            if lines or now["current_player"] is None:
                yield step
                step = Step(position, now, step.snapshot, lines, names)
            elif now["phase"] == "turn" or now["current_player"] == seat:
                step = replace(step, position=position, snapshot=now)  # of decisions that all know to be waiting
        before = now
        if position < len(replay.actions):
            is_legal = replay.actions[position] in games.masks[0].nonzero()[0]
            action = games.describe(replay.actions[position]) if is_legal else None
    assert step is not None
    yield step


def position_of(games: Games, seat: int | None) -> Snapshot:
    """Return the snapshot of a game of one row: everything, or what a seat knows."""
    return games.snapshot() if seat is None else games.configuration.snapshot(games.views([0], [seat])[0])
