"""A game that people play at screens against agents or each other. It is saved after each action."""

import json
import logging
import os
import re
import secrets
import shutil
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from t2r_agents.locking import lock_file
from t2r_env import Configuration, Games, Replay
from t2r_env.agents import Agent, Decisions, choose_actions, decisions_of
from t2r_env.render.narration import Narrator
from t2r_env.seeding import agent_keys, decision_seeds
from t2r_env.writing import replacing

REPLAY, SEATS = "replay.json", "seats.json"
"""The files of a table: the game so far, and who plays it."""
FORMAT = "t2r_env table 1"
_KEY_BYTES = 24
_LOGGER = logging.getLogger(__name__)
_ROW = np.zeros(1, np.int64)


class RefusedError(ValueError):
    """The error of a page's request that is not allowed now. Nothing has changed; the message says why."""


def new_key() -> str:
    """Return a random text that can't be guessed, for an address."""
    return secrets.token_urlsafe(_KEY_BYTES)


def is_key(text: str) -> bool:
    """Whether a text has the form of `new_key`."""
    return re.fullmatch(f"[A-Za-z0-9_-]{{{len(new_key())}}}", text) is not None


@dataclass
class Screen:
    """A screen of one or more people; it shows the view of one of their seats at a time."""

    key: str
    """The secret with which a person may look and play for the seats."""
    seats: tuple[int, ...]
    shown: int | None = None
    """The seat whose view is shown; None while the screen is handed over."""
    changes: int = 0
    """The number of times that `shown` has changed."""

    def show(self, seat: int | None) -> None:
        """Show the view of a seat, or none."""
        self.shown = seat
        self.changes += 1


@dataclass(frozen=True, eq=False)
class Step:
    """The game as a seat knows it, from one event that it could see to the next.

    Others may decide in between: how they pay, and whether they had a choice, depends on their cards (C20).
    """

    number: int
    """The number of decisions that the seat has taken, which is the number of its next one."""
    view: Any
    """The seat's view, one record."""
    before: Any | None
    """The view of the step before."""
    lines: Sequence[str]
    """The events that the seat is told of."""


class Table:
    """A game with its people and agents.

    People act by `act`, agents by `think_and_take`, which may run in a thread of its own: its action is taken only if
    the game still waits for it.
    """

    def __init__(
        self,
        name: str,
        folder: Path,
        variant: str,
        configuration: Configuration,
        players: Sequence[str | None],
        agents: Mapping[int, Agent],
        screens: Sequence[Screen],
        seed: int,
    ) -> None:
        """Begin a game. Nothing is written yet.

        `variant` is the name or the folder that the configuration was made with; `players` names the agent of each
        seat, None stands for a person.
        """
        self.name = name
        self.folder = folder
        self.variant = variant
        self.configuration = configuration
        self.players = tuple(players)
        self.screens = tuple(screens)
        self.people = [seat for seat, player in enumerate(players) if player is None]
        self.fault = ""
        """The message for people if the game can't go on or can't be saved."""
        self._agents = agents
        self._is_closed = False
        self._release: Callable[[], object] = lambda: None
        self.lock = threading.RLock()
        """The lock that is held while the game changes, and by those who need it not to change."""
        self.games = Games(configuration, autoreset=False, record=True)
        self.games.reset(seeds=[seed])
        self._keys = agent_keys(self.games.seeds)
        self._narrators = {seat: Narrator(configuration, seat) for seat in self.people}
        self._views = self._new_views()
        self.number = 0
        """The number of actions taken. Pages are not told, since it counts the secret decisions of others."""
        self.steps = {seat: [Step(0, view, None, ())] for seat, view in self._views.items()}
        """The steps of each seat that a person plays."""
        self._hand_over()

    # What can be seen

    @property
    def title(self) -> str:
        """Return the configuration and who plays."""
        players = ", ".join(player or "a person" for player in self.players)
        return f"{self.configuration.title}: {players}"

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.games.terminated[0] or self.games.truncated[0])

    @property
    def current(self) -> int | None:
        """The seat that is to act, if the game has not ended."""
        return None if self.is_over else int(self.games.current[0])

    @property
    def due(self) -> int:
        """The number of the decision that the game waits for, among those of its seat, which a person plays."""
        return self.steps[int(self.games.current[0])][-1].number

    @property
    def waits_for_agent(self) -> bool:
        """Whether an agent is to act."""
        return self.current is not None and self.players[self.current] is not None

    def name_of(self, seat: int) -> str:
        """Return a seat and who plays it."""
        player = self.players[seat]
        return f"{self.configuration.agents[seat]} ({player})" if player else self.configuration.agents[seat]

    def decision(self) -> Decisions:
        """The decision that the game waits for, as its seat may see it."""
        with self.lock:
            return decisions_of(self.games, _ROW, decision_seeds(self.games, _ROW, self._keys))

    def _new_views(self) -> Mapping[int, Any]:
        views = self.games.views(np.zeros(len(self.people), np.int64), self.people)
        return dict(zip(self.people, views))

    # Playing

    def act(self, screen: Screen, number: Any, action: Any) -> None:
        """Take the action of a person at a screen. Raises RefusedError, and changes nothing, if that is not allowed."""
        with self.lock:
            self.check_decision(screen, number)
            if self._is_closed:
                raise RefusedError("the server stops")
            legal = np.flatnonzero(self.games.masks[0]).tolist()
            if type(action) is not int or action not in legal:
                raise RefusedError(f"the action is not legal; legal actions: {', '.join(map(str, legal))}")
            self.take(self.number, action)

    def check_decision(self, screen: Screen, number: Any) -> None:
        """Raise RefusedError unless the seat that the screen shows is to decide, and on this decision."""
        if self.current is None:
            raise RefusedError("the game is over")
        if self.current != screen.shown:
            raise RefusedError(f"it is the turn of {self.name_of(self.current)}, who is not at this screen now")
        if type(number) is not int or number != self.due:
            raise RefusedError(
                f"the game waits for your decision {self.due}: this page is not up to date, or was too late"
            )

    def think_and_take(self) -> bool:
        """Let the agent that is to act do so; return whether it did. If not, `fault` says so, and nothing has changed.

        It may take long. An agent's error may tell secrets of its seat (C20), such as its legal actions: it is logged,
        and not sent.
        """
        with self.lock:
            seat, number, decision = int(self.games.current[0]), self.number, self.decision()
        try:
            action = int(choose_actions(self._agents[seat], decision)[0])
        except BaseException as error:  # whatever the agent does
            name = self.name_of(seat)
            _LOGGER.error("%s has failed in the game %s", name, self.name, exc_info=error)
            self.fault = f"{name} has failed: where the server was started, the error is shown"
            return False
        return self.take(number, action)

    def take(self, number: int, action: int) -> bool:
        """Take a legal action and save the game, if it still waits for this decision; return whether it did."""
        with self.lock:
            if number != self.number or self._is_closed:
                return False
            self._step(action)
            try:
                Replay.of(self.games).save(self.folder / REPLAY)
                self.fault = ""
            except OSError as error:
                self.fault = f"the game can't be saved: {error}"
            return True

    def _step(self, action: int) -> None:
        actor, before = self.current, self._views
        description = self.games.describe(action)
        self.games.step([action])
        self.number += 1
        self._views = self._new_views()
        for seat, narrator in self._narrators.items():
            then, now = (self.configuration.snapshot(views[seat]) for views in (before, self._views))
            lines = tuple(narrator.narrate(then, now, description))
            last = self.steps[seat][-1]
            number = last.number + (seat == actor)
            if lines or self.is_over:
                self.steps[seat].append(Step(number, self._views[seat], last.view, lines))
            elif seat in (actor, self.current) or now["phase"] == "turn":  # all know of these decisions
                self.steps[seat][-1] = replace(last, number=number, view=self._views[seat])
        self._hand_over()

    def _hand_over(self) -> None:
        """Hide what a screen shows when another of its people is to act; who is alone there sees it always."""
        for screen in self.screens:
            if len(screen.seats) == 1:
                screen.shown = screen.seats[0]
            elif self.current in screen.seats and self.current != screen.shown:
                screen.show(None)
            elif self.is_over and screen.shown is None:
                screen.show(screen.seats[0])

    def take_screen(self, screen: Screen, seat: Any) -> None:
        """Show the view of the seat that is to act, or at the end of the game that of any seat of the screen.

        Raises RefusedError if that is not allowed.
        """
        with self.lock:
            allowed = screen.seats if self.is_over else [it for it in screen.seats if it == self.current]
            if type(seat) is not int or seat not in allowed:
                raise RefusedError("only the player who is to act may look at this screen now")
            if screen.shown != seat:
                screen.show(seat)

    # Saving

    def create(self) -> None:
        """Write the files of a new game, which nobody else may read. Raises OSError and then leaves no files."""
        self.folder.mkdir(parents=True, mode=0o700)
        try:
            Replay.of(self.games).save(self.folder / REPLAY)
            self.save_seats()
            self.reserve(lock_file(self.folder / SEATS))
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def reserve(self, descriptor: int) -> None:
        """Keep other servers from this game until `close`, by the locked file of seats."""
        self._release = weakref.finalize(self, os.close, descriptor)

    def close(self) -> None:
        """Release the game to other servers. Nothing is saved from now on."""
        with self.lock:
            self._is_closed = True
            self._release()

    def save_seats(self) -> None:
        """Write who plays. Raises OSError."""
        entries = {
            "format": FORMAT,
            "variant": self.variant,
            "players": self.players,
            "screens": [{"seats": screen.seats, "key": screen.key} for screen in self.screens],
        }
        with replacing(self.folder / SEATS) as new:
            new.touch(mode=0o600)  # the keys are secrets
            new.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")

    def repeat(self, replay: Replay) -> None:
        """Take the actions of a replay of the same game, without saving."""
        for action in replay.actions:
            self._step(action)
