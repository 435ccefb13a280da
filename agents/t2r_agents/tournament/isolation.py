"""Agents in processes of their own: no common memory, limits of time and memory, and nothing that can spread.

Each seat of each game is played by a process of its own, which gets the arrays of its decisions as bytes and answers
with the bytes of its actions; nothing of what comes back is unpickled. What the processes run is in `agent_process`.
"""

import math
import os
import pickle
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL, Popen, TimeoutExpired
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_agents.failures import LONGEST_REASON, LONGEST_TRACEBACK, NoAnswerError
from t2r_agents.tournament import agent_process
from t2r_agents.tournament.agent_process import (
    ANSWER,
    DONE,
    END,
    FORKED,
    RAISED,
    REQUEST,
    SETUP,
    START,
    START_WITHOUT_TRIAL,
    STATUS,
    Setup,
)
from t2r_env import Configuration
from t2r_env.agents import Agent, Decisions
from t2r_env.checks import check_integer

SECONDS_TO_START = 180.0
"""The time that an agent has to be imported and made, and, to the next answer, to act once on trial."""
LEAST_TRIAL_SECONDS = 1.0
"""The trial may take as long as a decision, or this if that is longer, and what compiling takes."""
LONGEST_TEXT = 4 * (LONGEST_REASON + LONGEST_TRACEBACK + 1)
"""In bytes: of an answer that says why there are no actions."""
SECONDS_TO_END = 5.0
"""The time that a guard has to end its process before it is ended itself."""
_LONGEST_WAIT = 1e6
"""In seconds: what a socket can wait at most, but for ever."""

_VARIABLES = {"PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "XDG_CACHE_HOME"}
_VARIABLES_FROM = ("LC_", "PYTHON", "NUMBA_", "T2R_ENV_", "OMP_", "OPENBLAS_", "MKL_", "CUDA_")
"""The environment variables that an agent gets: these, and those that begin so."""
_ONE_THREAD = {"OMP_NUM_THREADS": "1"}
"""Unless the variable is set: a process with threads can't be forked."""


@dataclass(frozen=True)
class Limits:
    """What an isolated agent may take. Raises ValueError or TypeError for limits that are not allowed."""

    decision: float = math.inf
    """Seconds for a decision."""
    game: float = math.inf
    """Seconds for all decisions of a seat in a game."""
    memory: int | None = None
    """MiB that each of its processes may take beyond what it has before the agent is imported."""

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
        seconds = max(LEAST_TRIAL_SECONDS, min(self.limits.decision, self.limits.game))
        self._setup = Setup(paths, name, pickle.dumps(configuration), self.limits.memory, seconds)
        self._idle: list[_Program] = []

    def start(self) -> None:
        """Be ready for a game. Raises ValueError if the agent can't be made in time."""
        program = self._idle[0] if self._idle else _Program(self._setup)
        try:
            program.start()
        except NoAnswerError as error:
            program.close()
            raise ValueError(str(error)) from None
        self._idle = self._idle or [program]

    @contextmanager
    def seat(self) -> Iterator[Agent]:
        """Give the agent for a seat of a game. The process ends with the context."""
        program = self._idle.pop() if self._idle else _Program(self._setup)
        try:
            yield _Seat(program, self.limits)
        finally:
            program.end_game()
            self._idle.append(program)

    def close(self) -> None:
        """End all processes that play no game. The next game starts others."""
        while self._idle:
            self._idle.pop().close()


class _Seat:
    """What acts for one seat of a game. Raises NoAnswerError if there is no answer."""

    def __init__(self, program: "_Program", limits: Limits) -> None:
        self._program, self._limits, self._left = program, limits, limits.game
        self._fault: NoAnswerError | None = None
        try:
            program.begin_game()
        except NoAnswerError as error:
            self._fault = error

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """The agent's actions, (k,), legal or not."""
        if self._fault:
            raise self._fault
        began, seconds = monotonic(), self._limits.decision * len(decisions)
        try:
            return self._program.ask(decisions, min(seconds, self._left))
        except TimeoutError:
            is_of_game = self._left < seconds
            limit = f"{self._limits.game:g} s for its decisions of the game" if is_of_game else f"{seconds:g} s"
            raise NoAnswerError(f"took more than {limit}") from None
        finally:
            self._left -= monotonic() - began


class _EndError(NoAnswerError):
    """A process has ended, or what it says makes no sense."""


class _Program:
    """The program of `agent_process`, which plays one game after the other for an agent."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._has_trial = True
        self._popen: Popen[bytes] | None = None
        self._guards: list[_Guard] = []
        """The program, and if a process that has made the agent can be forked, this process."""
        self._process: _Process | None = None
        """What plays the present game or, if it can't be forked, the next one."""

    def start(self) -> None:
        """Make the agent, unless it has been made. Raises NoAnswerError."""
        if self._popen and self._popen.poll() is not None:  # it was killed
            self.close()
        if len(self._guards) == 2 or self._process:
            return
        is_made = False
        try:
            if not self._popen:
                self._run()
            process = self._guards[0].start(START if self._has_trial else START_WITHOUT_TRIAL)
            process.request(b"", 0, SECONDS_TO_START)
            is_made = True
            kind, _ = process.request(b"", 0, SECONDS_TO_START)
        except (TimeoutError, _EndError) as error:
            self.close()
            if not is_made or not self._has_trial:
                why = f"took more than {SECONDS_TO_START:g} s" if isinstance(error, TimeoutError) else error
                raise NoAnswerError(f"the agent {self._setup.name!r} can't be started: {why}") from None
            self._has_trial = False  # its process does not survive it
            self.start()
        except BaseException:
            self.close()
            raise
        else:
            if kind == FORKED:
                self._guards.append(_Guard(process.connection))
            else:
                self._process = process

    def _run(self) -> None:
        agent_process.prctl(agent_process.PR_SET_DUMPABLE, 0)  # no process of the same user may read our memory
        control, theirs = socket.socketpair()
        with theirs:
            self._popen = Popen(
                [sys.executable, "-P", agent_process.__file__, str(theirs.fileno())],
                stdin=DEVNULL,
                stdout=DEVNULL,
                stderr=DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C does not reach it
                env=_ONE_THREAD | {name: value for name, value in os.environ.items() if _is_given(name)},
            )
        packed = pickle.dumps(tuple(self._setup))
        control.sendall(SETUP.pack(len(packed)) + packed)
        self._guards = [_Guard(control)]

    def begin_game(self) -> None:
        """Have a process ready for a game. Raises NoAnswerError."""
        self.start()
        if not self._process:
            self._process = self._guards[1].start(START)
            self._process.request(b"", 0, SECONDS_TO_START)

    def ask(self, decisions: Decisions, seconds: float) -> NDArray[np.int64]:
        """The actions that the agent returns, (k,). Raises NoAnswerError and TimeoutError; then the game is over."""
        assert self._process
        arrays = decisions.views, decisions.masks, decisions.observations, decisions.seeds
        header = REQUEST.pack(len(decisions), decisions.masks.shape[1], decisions.observations.shape[1])
        content = header + b"".join(array.tobytes() for array in arrays)
        return np.frombuffer(self._process.request(content, len(decisions), seconds)[1], np.int64)

    def end_game(self) -> None:
        """End the process of the game, and all that it has started."""
        process, self._process = self._process, None
        if process and not process.end():  # the guard does not do its work
            self.close()

    def close(self) -> None:
        """End all processes; they are started again when they are needed."""
        if self._process:
            self._process.close()
        for guard in reversed(self._guards):
            guard.close()
        if self._popen:
            try:
                self._popen.wait(SECONDS_TO_END)
            except TimeoutExpired:
                self._popen.kill()
                self._popen.wait()
        self._process, self._guards, self._popen = None, [], None


class _Guard:
    """A guard, which has one process at a time, by its control connection."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self.close = control.close

    def start(self, message: bytes) -> "_Process":
        """Start a process."""
        connection, theirs = socket.socketpair()
        with theirs, suppress(OSError):  # the guard has ended: so has the connection
            socket.send_fds(self._control, [message], [theirs.fileno()])
        return _Process(connection, self)

    def end(self) -> None:
        """Have the process ended, if it has not ended by itself."""
        with suppress(OSError):
            self._control.sendall(END)

    def status(self) -> int | None:
        """How the process has ended; None if it does not, or if the guard has ended. Then all are ended."""
        self._control.settimeout(SECONDS_TO_END)
        try:
            received = self._control.recv(STATUS.size, socket.MSG_WAITALL)
        except OSError:  # a TimeoutError is one
            received = b""
        finally:
            self._control.settimeout(None)
        return STATUS.unpack(received)[0] if len(received) == STATUS.size else None


class _Process:
    """A process of an agent, by its connection."""

    def __init__(self, connection: socket.socket, guard: _Guard) -> None:
        self.connection, self._guard = connection, guard
        self.close = connection.close
        self._status: int | None = None

    def request(self, content: bytes, k: int, seconds: float) -> tuple[int, bytes]:
        """The kind and the content of the next answer, to a request of k decisions if there is one.

        Raises NoAnswerError, and TimeoutError. After these the process can't go on.
        """
        deadline = monotonic() + seconds
        try:
            self._wait_until(deadline)
            self.connection.sendall(content)
            kind, size = ANSWER.unpack(self._read(ANSWER.size, deadline))
            is_text = kind == RAISED and size <= LONGEST_TEXT
            if not is_text and (kind not in (DONE, FORKED) or size != 8 * k):
                raise _EndError("its process answered what is no answer")
            answer = self._read(size, deadline)
        except TimeoutError:
            raise
        except OSError:  # the other end of the connection is closed
            raise _EndError(self._end_of_process()) from None
        if is_text:
            reason, _, traceback = answer.decode(errors="replace").partition("\n")
            raise NoAnswerError(reason, traceback)
        return kind, answer

    def end(self) -> bool:
        """End the process and all that it has started; return whether the guard has done so."""
        self.close()
        if self._status is None:
            self._guard.end()
            self._status = self._guard.status()
        return self._status is not None

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
        """Let the next operation take until then. Raises TimeoutError if it is too late."""
        left = deadline - monotonic()
        if left <= 0:
            raise TimeoutError
        self.connection.settimeout(min(left, _LONGEST_WAIT))

    def _end_of_process(self) -> str:
        """How the process has ended, whose end of the connection is closed."""
        self._status = status = self._guard.status()
        if status is None:
            return "its process closed the connection"
        signals = {-number: number.name for number in signal.Signals}
        how = f"was ended by {signals[status]}" if status in signals else f"ended with status {status}"
        return f"its process {how}"


def _is_given(variable: str) -> bool:
    return variable in _VARIABLES or variable.startswith(_VARIABLES_FROM)
