"""The processes of an isolated agent. `isolation` runs this file as a program.

The program is a guard: it imports the library but never an agent. It forks a process that makes the agent and lets it
act once on trial. If a fork copies all of that process, it becomes a guard itself, and forks a process for each game:
it is ready at once, and shares nothing with the processes of other games. If not, it plays one game itself, and
the next game gets another process.

A guard has one process at a time. It ends that process, and all that it has started, when it is told to, and when the
tournament ends in whatever way.

At the top this file imports the standard library only: the paths of other modules come with the first message.
"""

import contextlib
import math
import os
import pickle
import shutil
import signal
import socket
import struct
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from t2r_env import Configuration
    from t2r_env.agents import Agent

SETUP = struct.Struct("<Q")
"""The first message to the program: the size of a pickled `Setup`, which follows."""
START, END, WAIT = b"s", b"e", b"w"
"""The messages to a guard: start a process, whose connection comes along as a file descriptor; end it; wait a moment
for its own end, since it has closed its connection, and then end it."""
STATUS = struct.Struct("<i")
"""The message from a guard when a process and all that it had started have ended: its status, negative for a signal."""
KILLED = 1000
"""The status of a process that had not ended by itself."""
SECONDS_TO_WAIT = 1.0

REQUEST = struct.Struct("<III")
"""A request: the number k of decisions, the sizes of a mask and of an observation. The bytes of the arrays follow:
views, masks, observations, seeds."""
ANSWER = struct.Struct("<BI")
"""An answer: its kind, and the number of bytes that follow."""
DONE, FORKED, RAISED, ACTING, COMPILING = range(5)
"""The kinds of answers: k actions as int64, or the next stage is reached; the process is a guard now; a text in UTF-8
with the reason in its first line and then a traceback; on trial, what the agent begins to do, which is to act at first.
A process that makes its agent answers when the agent is made, after the trial, and when the agent is made again; one
that was forked for a game answers once at its start."""

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36


class Setup(NamedTuple):
    """The program's arguments."""

    paths: list[str]  # Python's
    name: str  # the agent's
    configuration: bytes  # pickled
    memory: int | None  # the limit in MiB


Run = Callable[[socket.socket, str], None]
"""The main function of a guard's process, with its connection and a folder of its own."""


def main(descriptor: int) -> None:
    """Guard processes that make an agent."""
    control = socket.socket(fileno=descriptor)
    (size,) = SETUP.unpack(_receive(control, SETUP.size))
    setup = Setup(*pickle.loads(_receive(control, size)))
    sys.path[:] = setup.paths
    for module in ("t2r_agents.playing.failures", "t2r_env.agents"):
        import_module(module)
    from t2r_agents.comparing.tournament.confinement import hide_memory

    hide_memory()
    _guard(control, partial(_make_and_play, setup))


# A guard


def _guard(control: socket.socket, run: Run) -> None:
    """Start and end processes, until the tournament closes the control connection."""
    from t2r_agents.comparing.tournament.confinement import prctl

    prctl(_PR_SET_CHILD_SUBREAPER, 1)  # all that the process starts becomes a child of the guard in the end
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    while True:
        message, connections, _, _ = socket.recv_fds(control, 1, 1)
        if not message:
            return
        folder, guard = tempfile.mkdtemp(prefix="agent_"), os.getpid()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a guard has no thread that matters: those of NumPy's library wait
            process = os.fork()
        if process == 0:
            try:
                _leave_guard(guard, control)
                run(socket.socket(fileno=connections[0]), folder)
            finally:
                os._exit(1)
        os.close(connections[0])
        message = control.recv(1)
        status = _status(process, SECONDS_TO_WAIT if message == WAIT else 0.0)
        _end_all(process)
        shutil.rmtree(folder, ignore_errors=True)
        with contextlib.suppress(OSError):  # nobody is there to be told
            control.sendall(STATUS.pack(status))


def _leave_guard(guard: int, control: socket.socket) -> None:
    """Become an independent process, which ends with the guard and has no way to the others."""
    from t2r_agents.comparing.tournament.confinement import enter_domain, prctl

    os.setsid()
    prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != guard:
        os._exit(1)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.close(control.fileno())
    enter_domain()


def _status(process: int, seconds: float) -> int:
    """Return the status of a process that has ended, or ends within these seconds."""
    until = time.monotonic() + seconds
    while not (ended := os.waitpid(process, os.WNOHANG))[0] and time.monotonic() < until:
        time.sleep(0.001)
    return os.waitstatus_to_exitcode(ended[1]) if ended[0] else KILLED


def _end_all(process: int) -> None:
    """Kill the process and all that it has started, and wait for their end."""
    if sys.platform != "linux":  # here only its process group is killed
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process, signal.SIGKILL)
    while True:
        for child in _children():
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:  # none is left
            return
        time.sleep(0.001)


def _children() -> list[int]:
    """Return the processes whose parent is this one; none where they can't be listed."""
    children = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended
            parent = status.read_text(errors="replace").rpartition(")")[2].split()[1]
            if int(parent) == os.getpid():
                children.append(int(status.parent.name))
    return children


# The agent's process


def _make_and_play(setup: Setup, connection: socket.socket, folder: str) -> None:
    """Make the agent, let it act on trial, and be the guard of the processes that play; or play a game here."""
    from t2r_agents.playing.failures import describe_error

    configuration = pickle.loads(setup.configuration)
    here = Path.cwd()
    try:
        _limit(setup.memory)
        agent = _make(setup.name, configuration)
        _answer(connection, DONE)
        os.chdir(folder)
        with _telling(connection):
            _act_on_trial(agent, configuration)
        _answer(connection, DONE)
        os.chdir(here)
        agent = _make(setup.name, configuration)  # what plays has not seen the trial
    except BaseException as error:
        text = str(error) if isinstance(error, ValueError | TypeError) else describe_error(error)
        _answer(connection, RAISED, text.encode(errors="replace"))
        return
    if _can_be_forked(connection.fileno()):
        _answer(connection, FORKED)
        _guard(connection, partial(_play, agent, configuration))
    else:
        _play(agent, configuration, connection, folder)


def _make(name: str, configuration: "Configuration") -> "Agent":
    from t2r_env.agents import find_agent

    agent = find_agent(name, configuration)
    if getattr(agent, "asks_person", False):
        raise ValueError(f"the agent {name!r} asks a person on the terminal: it can't play in a process of its own")
    if getattr(agent, "asks_server", False):
        raise ValueError(f"the agent {name!r} asks a server, and isolated agents get no key: leave out --isolate")
    return agent


def _act_on_trial(agent: "Agent", configuration: "Configuration") -> None:
    """Let the agent act once, whatever it raises, so that it compiles what it needs."""
    import numpy as np

    from t2r_env import Games
    from t2r_env.agents import act, decisions_of

    decisions = decisions_of(Games(configuration, seed=0), np.zeros(1, np.int64), np.zeros(1, np.uint64))
    with contextlib.suppress(BaseException):
        act(agent, decisions)


@contextlib.contextmanager
def _telling(connection: socket.socket) -> Iterator[None]:
    """Tell when Numba begins and ends to compile or load code; the tournament keeps the time."""
    from numba.core import event

    process, depth = os.getpid(), 0

    class Telling(event.Listener):  # type: ignore[misc]  # Numba has no types
        def on_start(self, _: event.Event) -> None:
            nonlocal depth
            depth += 1
            if depth == 1 and os.getpid() == process:  # and no process that the agent has forked
                _answer(connection, COMPILING)

        def on_end(self, _: event.Event) -> None:
            nonlocal depth
            depth -= 1
            if depth == 0 and os.getpid() == process:
                _answer(connection, ACTING)

    with event.install_listener("numba:compiler_lock", Telling()):
        yield


def _can_be_forked(connection: int) -> bool:
    """Return whether a fork copies all of this process: no threads, children, open files or shared memory."""
    if sys.platform != "linux":
        return False
    files = {int(link.name) for link in [*Path("/proc/self/fd").iterdir()] if link.is_symlink()}
    areas = [line.split()[1] for line in Path("/proc/self/maps").read_text().splitlines()]
    return (
        files <= {0, 1, 2, connection}
        and not any(area[1] == "w" and area[3] == "s" for area in areas)
        and len([*Path("/proc/self/task").iterdir()]) == 1
        and not _children()
    )


def _play(agent: "Agent", configuration: "Configuration", connection: socket.socket, folder: str) -> None:
    """Answer the requests of one seat of a game, until the connection is closed."""
    import numpy as np

    from t2r_agents.playing.failures import failure_of
    from t2r_env.agents import Decisions, act

    def read(dtype: Any, *shape: int) -> Any:
        return np.ndarray(shape, dtype, _receive(connection, np.dtype(dtype).itemsize * math.prod(shape)))

    os.chdir(folder)
    _answer(connection, DONE)
    while request := _receive(connection, REQUEST.size):
        k, actions, observed = REQUEST.unpack(request)
        views, masks = read(configuration.ruleset.state, k), read(np.int8, k, actions)
        decisions = Decisions(configuration, views, masks, read(np.uint8, k, observed), read(np.uint64, k))
        try:
            kind, content = DONE, act(agent, decisions).astype(np.int64).tobytes()
        except BaseException as error:
            failure = failure_of(error)
            kind, content = RAISED, f"{failure.reason}\n{failure.traceback}".encode(errors="replace")
        _answer(connection, kind, content)


def _limit(memory: int | None) -> None:
    """Let the process take at most these MiB more than it has taken, and leave no dump of its memory."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory is not None:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + memory * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _receive(connection: socket.socket, size: int) -> bytes:
    received = bytearray()
    while len(received) < size:
        part = connection.recv(size - len(received))
        if not part:
            return b""
        received += part
    return bytes(received)


def _answer(connection: socket.socket, kind: int, content: bytes = b"") -> None:
    connection.sendall(ANSWER.pack(kind, len(content)) + content)


if __name__ == "__main__":
    main(int(sys.argv[1]))
