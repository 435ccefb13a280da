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
from numpy.typing import NDArray

from t2r_agents.browser.players import Player, write_player
from t2r_agents.playing.values import Judge, find_judge
from t2r_env import Configuration, Games, Replay
from t2r_env.agents import Agent, Decisions, Opinion, choose_actions, decisions_of, opinions
from t2r_env.basics.locking import lock_file
from t2r_env.basics.writing import replacing
from t2r_env.history.recording import Start
from t2r_env.render.narration import Chronicler, Narrator
from t2r_env.rules.names import OUTCOMES, outcomes
from t2r_env.seeding import agent_keys, decision_seeds

REPLAY, SEATS, STANDING = "replay.json", "seats.json", "standing.json"
"""The files of a table: the game so far, who plays it, and for the list of games how it stands."""
FORMAT, OLD_FORMAT = "t2r_env table 2", "t2r_env table 1"
_KEY_BYTES = 24
_LOGGER = logging.getLogger(__name__)
_ROW = np.zeros(1, np.int64)
_DRAWN = ("rng", "queue_head")
"""The fields of the state that change when a card or a ticket is taken from a pile."""
_SHOWN = ("face_up", "revealed", "rack", "rack_tickets", "completed_tickets")
"""Those that change when something is shown that was hidden."""


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
    """A screen of one or more people; it shows the view of one of their seats at a time.

    The screen of a watcher has no seats: it exists in games without people, and shows any seat's view, or everything.
    """

    key: str
    """The secret with which a person may look and play for the seats."""
    seats: tuple[int, ...]
    shown: int | None = None
    """The seat whose view is shown; None while the screen is handed over, and for everything on a watcher's."""
    changes: int = 0
    """The number of times that what is shown has changed altogether, so that pages are sent everything again."""

    @property
    def is_watcher(self) -> bool:
        """Whether it belongs to somebody who only watches."""
        return not self.seats

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
    """The seat's view, one record; for a watcher who sees everything the state."""
    before: Any | None
    """The view of the step before."""
    lines: Sequence[str]
    """The events that the seat is told of."""
    position: int
    """The number of actions taken until then. Pages are not told, since it counts the secret decisions of others."""


@dataclass(frozen=True)
class Thought:
    """An agent's choice and opinion, shown before it is played while somebody watches."""

    number: int
    """The number of actions taken before."""
    rewinds: int
    """How often actions were taken back before."""
    seat: int
    view: Any
    opinion: Opinion


@dataclass(frozen=True)
class Chances:
    """The chances of all seats to win, judged after a number of actions, as each observer of a game knows it."""

    number: int
    of: Mapping[int | None, NDArray[np.float64]]
    """(seats,) by the observers' seats; None sees everything."""


@dataclass
class Pace:
    """How fast agents play while somebody watches."""

    paused: bool = False
    milliseconds: int = 900
    """The least time for a move."""


MAX_MILLISECONDS = 60_000


def _chances(judge: Judge, view: Any, seat: int | None) -> NDArray[np.float64]:
    """Return the chances of all seats by the view of one, or by the state."""
    looking = None if seat is None else np.array([seat])
    return np.asarray(judge.judge(np.array([view]), looking, sees_all=seat is None).chances[0])


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
        players: Sequence[Player],
        agents: Mapping[int, Agent],
        screens: Sequence[Screen],
        start: Start,
    ) -> None:
        """Begin a game, from a seed or from a state (`Games.get_state`). Nothing is written yet.

        `variant` is the name or the folder that the configuration was made with. Raises ValueError for a wrong state.
        """
        self.name = name
        self.folder = folder
        self.variant = variant
        self.configuration = configuration
        self.players = tuple(players)
        self.screens = tuple(screens)
        self.people = [seat for seat, player in enumerate(players) if player.agent is None]
        self.observers: Sequence[int | None] = self.people or [*range(len(players)), None]
        """The seats whose steps are kept: those of people; in a game without people all, and None for everything."""
        self.fault = ""
        """The message for people if the game can't go on or can't be saved."""
        self._agents = agents
        self.is_closed = False
        """Whether it is released: nothing is saved any more."""
        self._is_saved = True
        self._release: Callable[[], object] = lambda: None
        self._seats_file: os.stat_result | None = None
        """The file of seats that is locked. As long as it is, no other file has its identity."""
        self.lock = threading.RLock()
        """The lock that is held while the game changes, and by those who need it not to change."""
        self.pace = Pace()
        self.thought: Thought | None = None
        """The choice of the agent to act, if somebody watches."""
        self.chances: Chances | None = None
        """The chances to win at the last decision that an agent has begun to think about, if somebody watches."""
        self.games = Games(configuration, autoreset=False, record=True, seed=0)
        self._start = start
        self._rewinds = 0
        narrator = Narrator if self.people else Chronicler
        names = [player.shown for player in players]
        self._narrators = {seat: narrator(configuration, seat, names) for seat in self.observers}
        self._begin()
        self._keys = agent_keys(self.games.seeds)
        self._views = self._new_views()
        self.number = 0
        """The number of actions taken. Pages are not told, since it counts the secret decisions of others."""
        self.steps = {seat: [Step(0, view, None, (), 0)] for seat, view in self._views.items()}
        """The steps of each observer."""
        self._undo: list[tuple[int, Sequence[Step]]] = []
        """For each action that the only person can take back: the number of actions before it, and its steps."""
        self._hand_over()

    def _begin(self) -> None:
        """Deal the game, or take its first state, before any action."""
        if isinstance(self._start, int):
            self.games.reset(seeds=[self._start])
        else:
            self.games.set_state(self._start)

    # What can be seen

    @property
    def title(self) -> str:
        """Return the configuration and who plays."""
        return f"{self.configuration.title}: {', '.join(player.title for player in self.players)}"

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
        return self.current is not None and self.players[self.current].agent is not None

    @property
    def is_practice(self) -> bool:
        """Whether one person plays against agents alone, and so may take back actions."""
        return len(self.people) == 1

    @property
    def can_take_back(self) -> bool:
        """Whether the person may take back the last action: nobody has acted since, and nothing was drawn or shown."""
        return bool(self._undo) and not self.is_over

    def name_of(self, seat: int) -> str:
        """Return who plays a seat."""
        return self.players[seat].title

    def decision(self) -> Decisions:
        """The decision that the game waits for, as its seat may see it."""
        with self.lock:
            return decisions_of(self.games, _ROW, decision_seeds(self.games, _ROW, self._keys))

    def _new_views(self) -> Mapping[int | None, Any]:
        seats = [seat for seat in self.observers if seat is not None]
        views: dict[int | None, Any] = dict(zip(seats, self.games.views(np.zeros(len(seats), np.int64), seats)))
        if None in self.observers:
            views[None] = self.games.states.copy()[0]
        return views

    # Playing

    def act(self, screen: Screen, number: Any, action: Any) -> None:
        """Take the action of a person at a screen. Raises RefusedError, and changes nothing, if that is not allowed."""
        with self.lock:
            self.check_decision(screen, number)
            self._check_open()
            legal = np.flatnonzero(self.games.masks[0]).tolist()
            if type(action) is not int or action not in legal:
                raise RefusedError(f"the action is not legal; legal actions: {', '.join(map(str, legal))}")
            self.take(self.number, action)

    def check_decision(self, screen: Screen, number: Any) -> None:
        """Raise RefusedError unless the seat that the screen shows is to decide, and on this decision."""
        if screen.is_watcher:
            raise RefusedError("this screen is for watching; agents play")
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
        thought = self.think()
        return thought is not None and self.take_thought(thought)

    def think(self) -> Thought | None:
        """Return what the agent that is to act wants to do, or None if it fails; `fault` then says so."""
        with self.lock:
            seat, number, rewinds, decision = int(self.games.current[0]), self.number, self._rewinds, self.decision()
            views = self._views
        if not self.people and (judge := find_judge(self.configuration)):
            self.chances = Chances(number, {it: _chances(judge, views[it], it) for it in self.observers})
        try:
            agent = self._agents[seat]
            if self.people:
                opinion = Opinion(int(choose_actions(agent, decision)[0]))
            else:
                (opinion,) = opinions(agent, decision)
        except BaseException as error:  # whatever the agent does
            name = self.name_of(seat)
            _LOGGER.error("%s has failed in the game %s", name, self.name, exc_info=error)
            self.fault = f"{name} has failed: where the server was started, the error is shown"
            return None
        thought = Thought(number, rewinds, seat, decision.views[0], opinion)
        if not self.people:
            self.thought = thought
        return thought

    def take_thought(self, thought: Thought) -> bool:
        """Take the action that an agent wants, unless the game has moved on; return whether the game goes on here."""
        with self.lock:
            if thought.rewinds == self._rewinds:
                self.take(thought.number, thought.opinion.action)
            return not self.is_closed

    def take(self, number: int, action: int) -> bool:
        """Take a legal action and save the game, if it still waits for this decision; return whether it did."""
        with self.lock:
            if number != self.number or self.is_closed:
                return False
            self._step(action)
            self._save()
            return True

    def _check_open(self) -> None:
        if self.is_closed:
            raise RefusedError("the game was closed here, as nobody used it or the server stops: try again")

    def _save(self) -> None:
        try:
            self._check_place()
            self._write_game()
            self.fault, self._is_saved = "", True
        except OSError as error:
            self.fault, self._is_saved = f"the game can't be saved: {error}", False

    def take_back(self, screen: Screen, number: Any) -> None:
        """Take back the last action of the only person.

        Raises RefusedError, and changes nothing, if something was drawn or shown or another seat has acted since, seen
        or not, or if the page is not up to date: `number` must be that of the seat's next decision.
        """
        with self.lock:
            if not self.is_practice:
                raise RefusedError("an action can be taken back only by a person who plays against agents alone")
            if not self.can_take_back:
                raise RefusedError(
                    "there is no action that can be taken back: since the last one, cards or tickets"
                    " were drawn or shown, or another player has acted"
                )
            if type(number) is not int or number != self.steps[self.people[0]][-1].number:
                raise RefusedError("this page is not up to date")
            self._check_open()
            _, actions = self.games.history()
            self._rewinds += 1
            self.number, steps = self._undo.pop()
            self._begin()
            for action in actions[: self.number]:
                self.games.step([action])
            self._views = self._new_views()
            self.steps[self.people[0]] = list(steps)
            for each in self.screens:
                each.changes += 1
            self._save()

    def _step(self, action: int) -> None:
        actor, views = self.current, self._views
        before = (self.number, list(self.steps[self.people[0]])) if self.is_practice else (0, [])
        state, description = self.games.states.copy()[0], self.games.describe(action)
        self.games.step([action])
        self.number += 1
        self.thought = None
        self._views = self._new_views()
        for seat, narrator in self._narrators.items():
            then, now = (self.configuration.snapshot(it[seat]) for it in (views, self._views))
            self._add_step(seat, actor, now, tuple(narrator.narrate(then, now, description)))
        if self.is_practice:
            if actor != self.people[0] or self._reveals(state):
                self._undo.clear()  # what another has done may tell something, even what can't be seen (C20)
            else:
                self._undo.append(before)
        self._hand_over()

    def _add_step(self, seat: int | None, actor: int | None, now: Mapping[str, Any], lines: Sequence[str]) -> None:
        last = self.steps[seat][-1]
        number = last.number + (seat is None or seat == actor)
        if lines or self.is_over:
            self.steps[seat].append(Step(number, self._views[seat], last.view, lines, self.number))
        elif seat in (actor, self.current, None) or now["phase"] == "turn":  # all know of these decisions
            self.steps[seat][-1] = replace(last, number=number, view=self._views[seat], position=self.number)

    def _reveals(self, before: Any) -> bool:
        """Whether the last action has drawn, dealt or shown something."""
        after = self.games.states[0]
        names = [name for name in (*_DRAWN, *_SHOWN) if name in after.dtype.names]
        return any(not np.array_equal(before[name], after[name]) for name in names)

    def _hand_over(self) -> None:
        """Hide what a screen shows when another of its people is to act; who is alone there sees it always."""
        for screen in self.screens:
            if len(screen.seats) == 1:
                screen.shown = screen.seats[0]
            elif self.current in screen.seats and self.current != screen.shown:
                screen.show(None)
            elif self.is_over and screen.shown is None and screen.seats:
                screen.show(screen.seats[0])

    def take_screen(self, screen: Screen, seat: Any) -> None:
        """Show the view of the seat that is to act, or at the end of the game that of any seat of the screen.

        To a watcher any seat's, or with None everything. Raises RefusedError if that is not allowed.
        """
        with self.lock:
            if screen.is_watcher:
                if seat is not None and (type(seat) is not int or seat not in self.observers):
                    raise RefusedError("seat must be the number of a seat, or null for everything")
                if screen.shown != seat:
                    screen.show(seat)
                return
            allowed = screen.seats if self.is_over else [it for it in screen.seats if it == self.current]
            if type(seat) is not int or seat not in allowed:
                raise RefusedError("only the player who is to act may look at this screen now")
            if screen.shown != seat:
                screen.show(seat)

    def set_pace(self, paused: Any, milliseconds: Any) -> None:
        """Set how fast agents play while somebody watches. Raises RefusedError for wrong values."""
        if not isinstance(paused, bool) or type(milliseconds) is not int or not 0 <= milliseconds <= MAX_MILLISECONDS:
            raise RefusedError(f"paused must be true or false, milliseconds a number from 0 to {MAX_MILLISECONDS}")
        self.pace = Pace(paused, milliseconds)

    # Saving

    def create(self) -> None:
        """Write the files of a new game, which nobody else may read. Raises OSError and then leaves no files."""
        self.folder.mkdir(parents=True, mode=0o700)
        try:
            self._write_game()
            self.save_seats()
            self.reserve(lock_file(self.folder / SEATS))
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def _write_game(self) -> None:
        Replay.of(self.games).save(self.folder / REPLAY)
        with replacing(self.folder / STANDING) as new:
            new.write_text(json.dumps(self.standing()) + "\n", encoding="utf-8")

    def standing(self) -> dict[str, Any]:
        """Return how the game stands, as the list of games tells it."""
        state = self.games.states[0]
        is_finished = state["outcome"] == outcomes.FINISHED
        teams = range(self.configuration.num_teams)
        return {
            "turn": int(state["turn"]),
            "outcome": OUTCOMES[state["outcome"]],
            "scores": sorted((int(state["score"][team]) for team in teams), reverse=True),
            "winners": [
                seat
                for seat in range(len(self.players))
                if is_finished and state["rank"][seat // self.configuration.variant.team_size] == 1
            ],
        }

    def reserve(self, descriptor: int) -> None:
        """Keep other servers from this game until `close`, by the locked file of seats."""
        self._release = weakref.finalize(self, os.close, descriptor)
        self._seats_file = os.fstat(descriptor)

    def close(self) -> None:
        """Release the game to other servers. Nothing is saved from now on."""
        with self.lock:
            self.is_closed = True
            self._release()

    def close_if_saved(self) -> bool:
        """Close the game, and return True, unless its last actions could not be saved and still can't be."""
        with self.lock:
            if not self._is_saved and not self.is_closed:
                self._save()
            if self._is_saved:
                self.close()
            return self.is_closed

    def is_replaced(self) -> bool:
        """Whether another game is in its folder now: its own was removed, or moved away."""
        place = self._place()
        return place is not None and self._seats_file is not None and not os.path.samestat(place, self._seats_file)

    def _place(self) -> os.stat_result | None:
        """Return the identity of the file of seats in its folder now, if there is one."""
        try:
            return (self.folder / SEATS).stat()
        except OSError:
            return None

    def _check_place(self) -> None:
        """Raise OSError unless its folder is still its own: another game may be there, or nothing."""
        if self._seats_file is not None and (self._place() is None or self.is_replaced()):
            raise OSError(f"{self.folder} is not its folder any more")

    def save_seats(self) -> None:
        """Write who plays. Raises OSError."""
        entries = {
            "format": FORMAT,
            "variant": self.variant,
            "players": [write_player(player) for player in self.players],
            "screens": [{"seats": screen.seats, "key": screen.key} for screen in self.screens],
        }
        with replacing(self.folder / SEATS) as new:
            new.touch(mode=0o600)  # the keys are secrets
            new.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")

    def repeat(self, replay: Replay) -> None:
        """Take the actions of a replay of the same game, without saving."""
        for action in replay.actions:
            self._step(action)

    def forget_undo(self) -> None:
        """Let nothing be taken back that was done until now."""
        self._undo.clear()

    def until(self, screen: Screen, rank: Any) -> Replay:
        """Return the game up to a step of what a screen shows, by its index. Raises RefusedError if there is none.

        Only a game that is over, or that nobody plays, is given: it shows everything.
        """
        with self.lock:
            self._check_shown()
            step = self.step_at(screen, rank)
            return Replay.of(self.games).until(step.position)

    def rank_at(self, screen: Screen, position: Any) -> int:
        """Return the index of the first step of what a screen shows that comes after a number of actions, or the last.

        Raises RefusedError as `until`.
        """
        with self.lock:
            self._check_shown()
            self.step_at(screen, 0)
            if type(position) is not int or position < 0:
                raise RefusedError("position must be a number of actions")
            steps = self.steps[screen.shown]
            return next((rank for rank, step in enumerate(steps) if step.position >= position), len(steps) - 1)

    def _check_shown(self) -> None:
        """Raise RefusedError while people play: positions tell hidden decisions, and copies show everything."""
        if not self.is_over and self.people:
            raise RefusedError("a game can be played on from its steps when it is over")

    def step_at(self, screen: Screen, rank: Any) -> Step:
        """Return a step of what a screen shows, by its index. Raises RefusedError if there is none."""
        with self.lock:
            if screen.shown is None and not screen.is_watcher:
                raise RefusedError("this screen is handed over")
            steps = self.steps[screen.shown]
            if type(rank) is not int or not 0 <= rank < len(steps):
                raise RefusedError(f"step must be a number from 0 to {len(steps) - 1}")
            return steps[rank]
