"""Agents in processes of their own: no common memory, limits of time and memory, and nothing that can spread.

An isolated agent's process gets the arrays of its decisions as bytes and answers with the bytes of its actions; nothing
of what comes back is unpickled. What the process runs is in `agent_process`.
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
from time import monotonic, perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_agents.failures import LONGEST_REASON, LONGEST_TRACEBACK, Failure, one_line, printable_lines
from t2r_agents.tournament import agent_process
from t2r_agents.tournament.agent_process import (
    ACTIONS,
    ANSWER,
    END,
    OUT_OF_MEMORY,
    RAISED,
    REQUEST,
    SETUP,
    START,
    STATUS,
    Setup,
)
from t2r_env import Configuration, Games
from t2r_env.agents import Decisions, decisions_of
from t2r_env.checks import check_integer

SECONDS_TO_START = 180.0
"""The time that an agent has to be imported, made, and to act once on trial, which compiles what it needs."""
LONGEST_TEXT = 4 * (LONGEST_REASON + LONGEST_TRACEBACK + 1)
"""In bytes: of an answer that says why there are no actions."""
SECONDS_TO_END = 5.0
"""The time that the guard of a process has to end it before it is killed itself."""
_LONGEST_WAIT = 1e6
"""In seconds: what a socket can wait at most, but for ever."""

_VARIABLES = {"PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "XDG_CACHE_HOME"}
_VARIABLES_FROM = ("LC_", "PYTHON", "NUMBA_", "T2R_ENV_", "OMP_", "OPENBLAS_", "MKL_", "CUDA_")
"""The environment variables that an agent gets: these, and those that begin so."""


class NoAnswerError(Exception):
    """An isolated agent gave no answer; the text says why, in one line."""

    traceback = ""
    """Lines that say where the agent raised an error, if it did."""

    @property
    def failure(self) -> Failure:
        """The same as a Failure."""
        return Failure(str(self), self.traceback)


class ProcessError(NoAnswerError):
    """The process of an isolated agent can't go on, and has been ended."""


@dataclass(frozen=True)
class Limits:
    """What an isolated agent may take. Raises ValueError or TypeError for limits that are not allowed."""

    decision: float = math.inf
    """Seconds for a decision; k decisions asked together have k times as many."""
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
    """An agent that acts in a process of its own, found there by its name (as for `t2r_env.agents.find_agent`).

    The process is started when it is needed. One that takes too long, ends, or answers what is no answer is ended with
    all that it has started. The next call starts another. Whether a decision fails is found out by asking it alone in a
    new process: a failure follows from that decision, not from what the agent did before.

    `close` ends the process; it also ends with the process that started it.
    """

    def __init__(self, name: str, configuration: Configuration, limits: Limits | None = None) -> None:
        self.name, self.limits = name, limits or Limits()
        self.seconds = 0.0
        """The time that the last call took, without that of starting a process."""
        games = Games(configuration)
        self._trial: Decisions | None = decisions_of(games, np.zeros(1, np.int64), np.zeros(1, np.uint64))
        paths = [str(Path(path).absolute()) for path in sys.path]
        self._setup: Setup = (paths, name, self.limits.memory, pickle.dumps(configuration))
        self._guard: _Guard | None = None
        self._process: _Process | None = None
        self._is_new = True

    def start(self) -> None:
        """Start the process if there is none. Raises ValueError if the agent can't be made in time."""
        if self._process:
            return
        deadline = monotonic() + SECONDS_TO_START
        try:
            if not self._guard or self._guard.has_ended():
                self._guard = _Guard(self._setup)
            self._process, self._is_new = _Process(self._guard), True
            self._process.wait_for_start(SECONDS_TO_START)
        except BaseException as error:
            self.close()
            if isinstance(error, ProcessError | OSError):
                raise ValueError(f"the agent {self.name!r} can't be started: {error}") from None
            if isinstance(error, NoAnswerError):
                raise ValueError(str(error)) from None
            raise
        if self._trial:
            self._act_on_trial(self._trial, deadline - monotonic())

    def _act_on_trial(self, trial: Decisions, seconds: float) -> None:
        """Let the agent act once, so that it has compiled what it needs; not again if its process does not survive."""
        try:
            self._ask(trial, seconds)
        except ProcessError:
            self._trial = None
            self.start()
        except NoAnswerError:
            pass
        self._is_new = True

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """The agent's actions, (k,), legal or not. Raises NoAnswerError if there are none."""
        self.seconds = 0.0
        try:
            self.start()
        except ValueError as error:
            raise ProcessError(one_line(str(error))) from None
        was_new = self._is_new
        try:
            return self._ask(decisions, self.limits.decision * len(decisions))
        except ProcessError:
            if was_new or len(decisions) > 1:
                raise
        return self.act(decisions)

    def _ask(self, decisions: Decisions, seconds: float) -> NDArray[np.int64]:
        """The answer of the process. After any failure but a plain NoAnswerError the process is ended."""
        assert self._process
        self._is_new = False
        began = perf_counter()
        try:
            try:
                return self._process.ask(decisions, seconds)
            finally:
                self.seconds = perf_counter() - began
        except BaseException as error:  # Ctrl-C too
            if type(error) is not NoAnswerError:
                self._end_process()
            raise

    def _end_process(self) -> None:
        process, self._process = self._process, None
        if process and not process.end():  # the guard does not do its work
            self.close()

    def close(self) -> None:
        """End the process and all that it has started. The next call starts another."""
        process, guard = self._process, self._guard
        self._process = self._guard = None
        if process:
            process.disconnect()
        if guard:
            guard.end()


class _Guard:
    """The guard of an agent's processes, which starts and ends them."""

    def __init__(self, setup: Setup) -> None:
        agent_process.prctl(agent_process.PR_SET_DUMPABLE, 0)  # no process of the same user may read our memory
        self._control, theirs = socket.socketpair()
        with theirs:
            self._program = Popen(
                [sys.executable, "-P", agent_process.__file__, str(theirs.fileno())],
                stdin=DEVNULL,
                stdout=DEVNULL,
                stderr=DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C does not reach it
                env={name: value for name, value in os.environ.items() if _is_given(name)},
            )
        packed = pickle.dumps(setup)
        self._control.sendall(SETUP.pack(len(packed)) + packed)

    def has_ended(self) -> bool:
        """Whether the guard itself has ended, for example because it was killed."""
        return self._program.poll() is not None

    def start(self, connection: socket.socket) -> None:
        """Start a process for the agent, with its end of a connection."""
        socket.send_fds(self._control, [START], [connection.fileno()])

    def tell_to_end(self) -> None:
        """Tell the guard to end the process, if it has not ended."""
        with suppress(OSError):
            self._control.sendall(END)

    def status(self) -> int | None:
        """How the process has ended; None if it does not, or if the guard has ended. Then all are ended."""
        self._control.settimeout(SECONDS_TO_END)
        try:
            received = self._control.recv(STATUS.size, socket.MSG_WAITALL)
        except TimeoutError:
            return None
        except OSError:
            received = b""
        finally:
            self._control.settimeout(None)
        return STATUS.unpack(received)[0] if len(received) == STATUS.size else None

    def end(self) -> None:
        """End the guard and all that it guards."""
        self._control.close()
        try:
            self._program.wait(SECONDS_TO_END)
        except TimeoutExpired:
            self._program.kill()
            self._program.wait()


class _Process:
    """A process in which an agent acts, and the connection with it.

    Raises NoAnswerError if the agent gave no answer, and ProcessError if the process can't go on.
    """

    def __init__(self, guard: _Guard) -> None:
        self._guard = guard
        self._connection, theirs = socket.socketpair()
        with theirs:
            guard.start(theirs)
        self._number = 0
        self._status: int | None = None

    def wait_for_start(self, seconds: float) -> None:
        """Wait until the agent has been made."""
        with self._failures(seconds) as deadline:
            kind, content = self._receive(0, deadline)
        if kind != ACTIONS:
            raise NoAnswerError(one_line(content.decode(errors="replace")))

    def ask(self, decisions: Decisions, seconds: float) -> NDArray[np.int64]:
        """The actions that the agent returns, (k,)."""
        arrays = decisions.views, decisions.masks, decisions.observations, decisions.seeds
        sizes = len(decisions), decisions.masks.shape[1], decisions.observations.shape[1]
        with self._failures(seconds) as deadline:
            kind, content = self._request(sizes, b"".join(array.tobytes() for array in arrays), deadline)
            self._request((0, 0, 0), b"", deadline)  # whatever comes before the answer to this was not asked for
        if kind == ACTIONS:
            return np.frombuffer(content, np.int64)
        reason, _, traceback = content.decode(errors="replace").partition("\n")
        error = (ProcessError if kind == OUT_OF_MEMORY else NoAnswerError)(one_line(reason))
        error.traceback = printable_lines(traceback)
        raise error

    def disconnect(self) -> None:
        """Close the connection."""
        self._connection.close()

    def end(self) -> bool:
        """End the process and all that it has started; return whether the guard has done so."""
        self.disconnect()
        if self._status is None:
            self._guard.tell_to_end()
            self._status = self._guard.status()
        return self._status is not None

    @contextmanager
    def _failures(self, seconds: float) -> Iterator[float]:
        """Give the deadline, and say in one line what has gone wrong."""
        try:
            yield monotonic() + seconds
        except TimeoutError:
            raise ProcessError(f"took more than {seconds:g} s") from None
        except OSError:  # the other end of the connection is closed
            raise ProcessError(self._end_of_process()) from None

    def _request(self, sizes: tuple[int, int, int], content: bytes, deadline: float) -> tuple[int, bytes]:
        """Send a request of k decisions; return the kind and the content of the answer."""
        self._number += 1
        self._send(REQUEST.pack(self._number, *sizes) + content, deadline)
        return self._receive(sizes[0], deadline)

    def _send(self, content: bytes, deadline: float) -> None:
        self._wait_until(deadline)
        self._connection.sendall(content)

    def _receive(self, k: int, deadline: float) -> tuple[int, bytes]:
        """The kind and the content of the answer to the last request, of k decisions."""
        number, kind, size = ANSWER.unpack(self._read(ANSWER.size, deadline))
        if number != self._number:
            raise ProcessError("its process answered out of turn")
        is_valid = size == 8 * k if kind == ACTIONS else size <= LONGEST_TEXT and kind in (RAISED, OUT_OF_MEMORY)
        if not is_valid:
            raise ProcessError("its process answered what is no answer")
        return kind, self._read(size, deadline)

    def _read(self, size: int, deadline: float) -> bytes:
        received = bytearray()
        while len(received) < size:
            self._wait_until(deadline)
            part = self._connection.recv(size - len(received))
            if not part:
                raise ConnectionResetError
            received += part
        return bytes(received)

    def _wait_until(self, deadline: float) -> None:
        """Let the next operation take until then. Raises TimeoutError if it is too late."""
        left = deadline - monotonic()
        if left <= 0:
            raise TimeoutError
        self._connection.settimeout(None if left > _LONGEST_WAIT else left)

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
