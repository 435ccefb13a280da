"""What runs in the processes of an isolated agent: a guard, and under it one process after the other for the agent.

`isolation` runs this file as a program. It starts as the guard, which imports the library but never an agent, so that
its forks are ready at once. The guard ends an agent's process, with all that this one has started, when it is told to,
when the tournament ends in whatever way, and when the agent's process ends by itself. The agent's process answers
requests on a connection of its own; see `REQUEST` and `ANSWER`.

At the top this file imports the standard library only: the paths to all else come with the first message.
"""

import contextlib
import ctypes
import math
import os
import pickle
import select
import shutil
import signal
import socket
import struct
import sys
import tempfile
import time
import warnings
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from t2r_env import Configuration
    from t2r_env.agents import Agent

SETUP = struct.Struct("<Q")
"""The first message to the guard: the size of a pickled `Setup`, which follows."""
Setup = tuple[list[str], str, int | None, bytes]
"""The paths of Python, the agent's name, the limit of its memory in MiB, and the pickled configuration."""
START, END = b"s", b"e"
"""To the guard: start a process, whose connection comes along as a file descriptor; end the process."""
STATUS = struct.Struct("<i")
"""From the guard, once for each process when it and all that it had started have ended: how it ended, negative for a
signal."""

REQUEST = struct.Struct("<QIII")
"""Number of the request, number k of decisions, sizes of a mask and of an observation. The bytes of the arrays follow:
views, masks, observations, seeds. A request for no decisions asks whether the process has said all it had to say."""

ANSWER = struct.Struct("<QBI")
"""Number of the request (0: the process has started), kind, and the number of bytes that follow."""
ACTIONS, RAISED, OUT_OF_MEMORY = range(3)
"""Kinds of answers: k int64, or a text in UTF-8, the reason in its first line and then a traceback. Out of memory, a
process may fail at all that follows."""

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
PR_SET_DUMPABLE = 4


def main(descriptor: int) -> None:
    """Guard an agent's processes, one at a time, until the tournament closes the control connection."""
    prctl(_PR_SET_CHILD_SUBREAPER, 1)  # all that the agent starts becomes a child of the guard in the end
    control = socket.socket(fileno=descriptor)
    (size,) = SETUP.unpack(_receive(control, SETUP.size))
    paths, name, memory, packed = pickle.loads(_receive(control, size))
    sys.path[:] = paths
    configuration = pickle.loads(packed)
    import_module("t2r_agents.failures")
    import_module("t2r_env.agents")
    bell, ring = os.pipe()
    os.set_blocking(bell, False)
    os.set_blocking(ring, False)
    signal.set_wakeup_fd(ring, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    while True:
        message, connections, _, _ = socket.recv_fds(control, 1, 1)
        if not message:
            return
        if message == START:
            folder, guard = tempfile.mkdtemp(prefix="agent_"), os.getpid()
            agent = _fork()
            if agent == 0:
                try:
                    _leave_guard(guard, descriptor, bell, ring)
                    _run_agent(socket.socket(fileno=connections[0]), folder, name, memory, configuration)
                finally:
                    os._exit(1)
            os.close(connections[0])
            status = _watch(agent, control, bell)
            _end_all(agent)
            shutil.rmtree(folder, ignore_errors=True)
            with contextlib.suppress(OSError):  # nobody is there to be told
                control.sendall(STATUS.pack(status))


# The guard


def _fork() -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the guard has no thread that matters: those of NumPy's library wait
        return os.fork()


def _watch(agent: int, control: socket.socket, bell: int) -> int:
    """Wait until the agent's process ends or the tournament wants its end; return the status."""
    while True:
        ready, _, _ = select.select([control.fileno(), bell], [], [])
        with contextlib.suppress(BlockingIOError):
            os.read(bell, 1024)
        while ended := _reap():
            if ended[0] == agent:
                return os.waitstatus_to_exitcode(ended[1])
        if control.fileno() in ready:
            control.recv(len(END))
            return 0


def _reap() -> tuple[int, int] | None:
    """The number and the wait status of a process that has ended; None if there is none now."""
    try:
        ended = os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return None
    return ended if ended[0] else None


def _end_all(agent: int) -> None:
    """Kill the agent's process and all that it has started, and wait for their end.

    Outside Linux only the agent's process group is killed.
    """
    if sys.platform != "linux":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(agent, signal.SIGKILL)
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
    """The processes whose parent is this one; none where they can't be listed."""
    children = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended
            parent = status.read_text(errors="replace").rpartition(")")[2].split()[1]
            if int(parent) == os.getpid():
                children.append(int(status.parent.name))
    return children


def prctl(option: int, value: int) -> None:
    """Set an attribute of this process, where there is Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


# The agent's process


def _leave_guard(guard: int, *descriptors: int) -> None:
    """Become a process of one's own, which ends with the guard."""
    os.setsid()
    prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != guard:
        os._exit(1)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for descriptor in descriptors:
        os.close(descriptor)


def _run_agent(
    connection: socket.socket, folder: str, name: str, memory: int | None, configuration: "Configuration"
) -> None:
    """Make the agent and answer requests until the connection is closed."""
    from t2r_agents.failures import describe_error
    from t2r_env.agents import find_agent

    _limit(memory)
    try:
        agent = find_agent(name, configuration)
        if getattr(agent, "asks_person", False):
            raise ValueError(f"the agent {name!r} asks a person on the terminal: it can't play in a process of its own")
    except BaseException as error:
        text = str(error) if isinstance(error, ValueError | TypeError) else describe_error(error)
        _answer(connection, 0, RAISED, text.encode(errors="replace"))
        return
    os.chdir(folder)
    _answer(connection, 0, ACTIONS, b"")
    while request := _receive(connection, REQUEST.size):
        _serve(connection, agent, configuration, *REQUEST.unpack(request))


def _serve(
    connection: socket.socket,
    agent: "Agent",
    configuration: "Configuration",
    number: int,
    k: int,
    actions: int,
    observed: int,
) -> None:
    """Answer a request."""
    import numpy as np

    from t2r_agents.failures import failure_of
    from t2r_env.agents import Decisions, act

    def read(dtype: Any, *shape: int) -> Any:
        size = np.dtype(dtype).itemsize * math.prod(shape)
        return np.ndarray(shape, dtype, _receive(connection, size))

    if k == 0:
        _answer(connection, number, ACTIONS, b"")
        return
    decisions = Decisions(
        configuration,
        read(configuration.ruleset.state, k),
        read(np.int8, k, actions),
        read(np.uint8, k, observed),
        read(np.uint64, k),
    )
    try:
        kind, content = ACTIONS, act(agent, decisions).astype(np.int64).tobytes()
    except BaseException as error:
        kind = OUT_OF_MEMORY if isinstance(error, MemoryError) else RAISED
        failure = failure_of(error)
        content = f"{failure.reason}\n{failure.traceback}".encode(errors="replace")
    _answer(connection, number, kind, content)


def _limit(memory: int | None) -> None:
    """Let the process take so many MiB more than it has taken, and leave no dump of its memory."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory is not None:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + memory * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _receive(connection: socket.socket, size: int) -> bytes:
    """So many bytes, or none at the end of the connection."""
    received = bytearray()
    while len(received) < size:
        part = connection.recv(size - len(received))
        if not part:
            return b""
        received += part
    return bytes(received)


def _answer(connection: socket.socket, number: int, kind: int, content: bytes) -> None:
    connection.sendall(ANSWER.pack(number, kind, len(content)) + content)


if __name__ == "__main__":
    main(int(sys.argv[1]))
