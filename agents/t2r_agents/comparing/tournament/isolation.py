"""Isolated agents: processes of their own, without common memory, and with limits of time and memory.

Each seat of each game is played by a process of its own, which gets the arrays of its decisions as bytes and answers
with the bytes of its actions; no answer is unpickled. The program of the processes is `agent_process`.
"""

import math
import os
import pickle
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL, Popen, TimeoutExpired
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_agents.comparing.tournament import agent_process
from t2r_agents.comparing.tournament.agent_process import ANSWER, REQUEST, SETUP, STATUS, Setup
from t2r_agents.comparing.tournament.confinement import hide_memory
from t2r_agents.playing.failures import LONGEST_REASON, LONGEST_TRACEBACK, NoAnswerError
from t2r_env import Configuration
from t2r_env.agents import Agent, Decisions
from t2r_env.basics.checks import check_integer

SECONDS_TO_START = 180.0
"""The time that an agent has to be imported and made, to act once on trial, and to be made again."""
LEAST_TRIAL_SECONDS = 1.0
"""The least time limit of the trial, which otherwise has that of a decision. Compiling is not counted to it."""
LONGEST_TEXT = 4 * (LONGEST_REASON + LONGEST_TRACEBACK + 1)
"""The most bytes of an answer that says why there are no actions."""
SECONDS_TO_END = 5.0
"""The time that a guard has to end its process before the guard is killed."""
_ON_TRIAL = agent_process.ACTING, agent_process.COMPILING, agent_process.DONE
"""The kinds of answers of an agent on trial."""
_LONGEST_WAIT = 1e6
"""The longest finite time, in seconds, that a socket can wait."""

_VARIABLES = {"PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "XDG_CACHE_HOME"}
_VARIABLES_FROM = ("LC_", "PYTHON", "NUMBA_", "T2R_ENV_", "OMP_", "OPENBLAS_", "MKL_", "CUDA_")
"""The beginnings of the names of further environment variables that an agent gets."""
_ONE_THREAD = {"OMP_NUM_THREADS": "1"}
"""The number of threads unless the variable is set, since a process with threads can't be forked."""


@dataclass(frozen=True)
class Limits:
    """The limits of an isolated agent. Raises ValueError or TypeError for limits that are not allowed."""

    decision: float = math.inf
    """The seconds for a decision."""
    game: float = math.inf
    """The seconds for all decisions of a seat in a game."""
    memory: int | None = None
    """The MiB that each process may take in addition to what it has before the agent is imported."""

    def __post_init__(self) -> None:
        given: tuple[Any, ...] = self.decision, self.game
        for seconds in given:
            if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0:
                raise ValueError(f"seconds must be numbers greater than 0, not {seconds!r}")
        if self.memory is not None:
            check_integer("memory", self.memory, 1, 2**30)
            if sys.platform != "linux":
                raise ValueError("a limit of memory needs Linux")
        if not hasattr(os, "fork"):
            raise ValueError("agents in processes of their own need Linux or another POSIX system")


class IsolatedAgent:
    """An agent that plays each seat of each game in a process of its own, found there by its name.

    `close` ends all of its processes; they also end with the process that started them.
    """

    def __init__(self, name: str, configuration: Configuration, limits: Limits | None = None) -> None:
        self.name, self.limits = name, limits or Limits()
        paths = [str(Path(path).absolute()) for path in sys.path]
        self._setup = Setup(paths, name, pickle.dumps(configuration), self.limits.memory)
        self._idle: list[_Program] = []
        self._hung = ""
        """Why a start has failed that took SECONDS_TO_START, which no further game is to cost."""

    def start(self) -> None:
        """Prepare for a game. Raises ValueError if the agent can't be made in time."""
        if not self._idle:
            program = _Program(self._setup, self.limits)
            try:
                program.make()
            except NoAnswerError as error:
                raise ValueError(str(error)) from None
            with suppress(NoAnswerError), self._noting():  # it is tried again at each game, unless it hangs
                program.prepare()
            self._idle.append(program)

    @contextmanager
    def _noting(self) -> Iterator[None]:
        """Note that the agent hangs while it is made or on trial."""
        began = monotonic()
        try:
            yield
        except NoAnswerError as error:
            if monotonic() - began >= SECONDS_TO_START:
                self._hung = str(error)
            raise

    @contextmanager
    def seat(self) -> Iterator[Agent]:
        """Give the agent for a seat of a game. The process ends with the context. Raises NoAnswerError."""
        if self._hung:
            raise NoAnswerError(self._hung)
        program = self._idle.pop() if self._idle else _Program(self._setup, self.limits)
        try:
            with self._noting():
                program.begin_game()
            yield program
        finally:
            program.end_game()
            self._idle.append(program)

    def close(self) -> None:
        """End all processes that play no game. The next game starts others."""
        while self._idle:
            self._idle.pop().close()


class _EndError(NoAnswerError):
    """The error of a process that can't go on: it has ended, takes too long, or sends an invalid answer."""


class _Program:
    """A program of `agent_process`, which plays a seat of one game after the other. Raises NoAnswerError."""

    def __init__(self, setup: Setup, limits: Limits) -> None:
        self._setup, self._limits = setup, limits
        self._program: tuple[Popen[bytes], socket.socket] | None = None
        """The program and its control connection."""
        self._maker: _Process | None = None
        """The process that makes the agent and then forks players, or plays one game itself."""
        self._player: _Process | None = None
        """The process that plays the present game; or the next one, if it is the maker."""
        self._is_prepared = False
        self._left = math.inf
        """The seconds that the decisions of the present game may still take."""

    def make(self) -> None:
        """Make the agent in a new process."""
        self._program = self._program or _run(self._setup)
        self._maker = _Process(self._program[1])
        with self._stage(f"the agent {self._setup.name!r} can't be started"):
            self._maker.request(b"", 0, SECONDS_TO_START)

    def prepare(self) -> None:
        """Wait until the agent has acted on trial, and was made again."""
        assert self._maker
        with self._stage("at its first decision, on trial"):
            self._try(self._maker)
        with self._stage("made again after its trial"):
            kind, _ = self._maker.request(b"", 0, SECONDS_TO_START, kinds=(agent_process.DONE, agent_process.FORKED))
        self._player = None if kind == agent_process.FORKED else self._maker
        self._is_prepared = True

    def _try(self, maker: "_Process") -> None:
        """Wait until the agent has acted on trial. The time is counted here, but for that in which it compiles."""
        limit = max(LEAST_TRIAL_SECONDS, min(self._limits.decision, self._limits.game))
        left, until, kind = limit, monotonic() + SECONDS_TO_START, agent_process.ACTING
        while kind != agent_process.DONE:
            began, is_counted = monotonic(), kind == agent_process.ACTING
            is_short = is_counted and left < until - began
            late = f"took more than {limit if is_short else SECONDS_TO_START:g} s"
            kind, _ = maker.request(b"", 0, left if is_short else until - began, late, _ON_TRIAL)
            left -= monotonic() - began if is_counted else 0

    @contextmanager
    def _stage(self, name: str) -> Iterator[None]:
        """End the process that makes the agent, and name the stage in the error, if it can't go on."""
        try:
            yield
        except BaseException as error:
            self.close()
            if isinstance(error, _EndError):
                raise NoAnswerError(f"{name}: {error}") from None
            raise

    def begin_game(self) -> None:
        """Get a process ready for a game; the time for that is not counted."""
        if self._program and self._program[0].poll() is not None:  # it was killed
            self.close()
        if not self._maker:
            self.make()
        if not self._is_prepared:
            self.prepare()
        if not self._player:
            assert self._maker
            self._player = _Process(self._maker.connection)
            self._player.request(b"", 0, SECONDS_TO_START)
        self._left = self._limits.game

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return the agent's actions, (k,), legal or not."""
        assert self._player
        arrays = decisions.views, decisions.masks, decisions.observations, decisions.seeds
        sizes = len(decisions), decisions.masks.shape[1], decisions.observations.shape[1]
        content = REQUEST.pack(*sizes) + b"".join(array.tobytes() for array in arrays)
        began, seconds = monotonic(), self._limits.decision * len(decisions)
        late = f"took more than {self._limits.game:g} s for its decisions of the game" if self._left < seconds else ""
        answer = self._player.request(content, len(decisions), min(self._left, seconds), late)
        self._left -= monotonic() - began
        return np.frombuffer(answer[1], np.int64)

    def end_game(self) -> None:
        """End the process of the game, and all that it has started."""
        player, self._player = self._player, None
        if player and player is self._maker:
            self._maker, self._is_prepared = None, False
        if player and player.end() is None:  # its guard does not do its work
            self.close()

    def close(self) -> None:
        """End all processes; they are started again when they are needed."""
        for process in (self._player, self._maker):
            if process:
                process.connection.close()
        if self._program:
            popen, control = self._program
            control.close()
            try:
                popen.wait(SECONDS_TO_END)
            except TimeoutExpired:
                popen.kill()
                popen.wait()
        self._program = self._maker = self._player = None
        self._is_prepared = False


def _run(setup: Setup) -> tuple[Popen[bytes], socket.socket]:
    """Start the program, and return it with the control connection."""
    hide_memory()
    given = {it: value for it, value in os.environ.items() if it in _VARIABLES or it.startswith(_VARIABLES_FROM)}
    control, theirs = socket.socketpair()
    with theirs:
        popen = Popen(
            [sys.executable, "-P", agent_process.__file__, str(theirs.fileno())],
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=DEVNULL,
            pass_fds=[theirs.fileno()],
            start_new_session=True,  # Ctrl-C does not reach it
            env=_ONE_THREAD | given,
        )
    packed = pickle.dumps(tuple(setup))
    control.sendall(SETUP.pack(len(packed)) + packed)
    return popen, control


class _Process:
    """A process of an agent. Its guard, which starts and ends it, is reached by a control connection."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._has_ended, self._status = False, None
        self.connection, theirs = socket.socketpair()
        with theirs, suppress(OSError):  # the guard has ended: so has the connection
            socket.send_fds(control, [agent_process.START], [theirs.fileno()])

    def request(
        self, content: bytes, k: int, seconds: float, late: str = "", kinds: Sequence[int] = (agent_process.DONE,)
    ) -> tuple[int, bytes]:
        """Send the content, and return the kind, one of these, and the content of the next answer, of k actions.

        Raises NoAnswerError, and _EndError after which the process can't go on; `late` is its text if the time is over.
        """
        deadline = monotonic() + seconds
        try:
            self._wait_until(deadline)
            self.connection.sendall(content)
            kind, size = ANSWER.unpack(self._read(ANSWER.size, deadline))
            is_text = kind == agent_process.RAISED and size <= LONGEST_TEXT
            if not is_text and (kind not in kinds or size != 8 * k):
                raise _EndError("its process answered what is no answer")
            answer = self._read(size, deadline)
        except TimeoutError:
            raise _EndError(late or f"took more than {seconds:g} s") from None
        except OSError:  # the other end of the connection is closed
            raise _EndError(self._why_lost()) from None
        if is_text:
            reason, _, traceback = answer.decode(errors="replace").partition("\n")
            raise NoAnswerError(reason, traceback)
        return kind, answer

    def _read(self, size: int, deadline: float) -> bytes:
        received = bytearray()
        while len(received) < size:
            self._wait_until(deadline)
            part = self.connection.recv(size - len(received))
            if not part:
                raise ConnectionResetError
            received += part
        return bytes(received)

    def _wait_until(self, deadline: float) -> None:
        """Set the time limit of the next operation. Raises TimeoutError if it is too late."""
        left = deadline - monotonic()
        if left <= 0:
            raise TimeoutError
        self.connection.settimeout(min(left, _LONGEST_WAIT))

    def end(self, message: bytes = agent_process.END) -> int | None:
        """End the process and all that it has started; return its status, or None if the guard has ended.

        With the guard, all its processes have ended.
        """
        self.connection.close()
        if not self._has_ended:
            self._has_ended = True
            self._control.settimeout(SECONDS_TO_END)
            with suppress(OSError):  # a TimeoutError is one
                self._control.sendall(message)
                received = self._control.recv(STATUS.size, socket.MSG_WAITALL)
                self._status = STATUS.unpack(received)[0] if received else None
        return self._status

    def _why_lost(self) -> str:
        """Return why the process closed its end of the connection."""
        status = self.end(agent_process.WAIT)
        if status is None or status == agent_process.KILLED:
            return "its process closed the connection"
        signals = {-number: number.name for number in signal.Signals}
        by = f"was ended by {signals[status]}" if status in signals else f"ended with status {status}"
        return f"its process {by}"
