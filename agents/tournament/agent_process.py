"""What runs in the process of an isolated agent: a guard, and under it the agent.

`isolation` runs this file as a program. It starts as the guard, which never imports an agent: it ends the agent's
process, and all that this one has started, when the tournament closes the guard's standard input or ends, and when the
agent's process ends by itself. The agent's process answers requests on a socket; see `REQUEST` and `ANSWER`.

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
from pathlib import Path
from typing import Any

SETUP = struct.Struct("<Q")
"""The first message to the process: the size of a pickled `Setup`, which follows."""
Setup = tuple[list[str], str, int | None, bytes]
"""The paths of Python, the agent's name, the limit of its memory in MiB, and the pickled configuration."""

REQUEST = struct.Struct("<QIII")
"""Number of the request, number k of decisions, sizes of a mask and of an observation. The bytes of the arrays follow:
views, masks, observations, seeds. A request for no decisions asks whether the process has said all it had to say."""

ANSWER = struct.Struct("<QBI")
"""Number of the request (0: the process has started), kind, and the number of bytes that follow."""
ACTIONS, RAISED, OUT_OF_MEMORY = range(3)
"""Kinds of answers: k int64, or a text in UTF-8. Out of memory, a process may fail at all that follows."""

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
PR_SET_DUMPABLE = 4
SIGNALLED = 128
"""Added to the number of the signal that ended the agent's process: the status of the guard, as in a shell."""


def main(descriptor: int) -> int:
    """Guard an agent's process; return its status. `descriptor` is that of its socket."""
    prctl(_PR_SET_CHILD_SUBREAPER, 1)  # all that the agent starts becomes a child of the guard in the end
    bell, ring = os.pipe()
    os.set_blocking(bell, False)
    os.set_blocking(ring, False)
    signal.set_wakeup_fd(ring, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    folder = tempfile.mkdtemp(prefix="agent_")
    guard, agent = os.getpid(), os.fork()
    if agent == 0:
        try:
            _leave_guard(guard, bell, ring)
            _run_agent(socket.socket(fileno=descriptor), folder)
        finally:
            os._exit(1)
    os.close(descriptor)
    try:
        return _watch(agent, bell)
    finally:
        _end_all(agent)
        shutil.rmtree(folder, ignore_errors=True)


# The guard


def _watch(agent: int, bell: int) -> int:
    """Wait until the agent's process ends or the tournament wants its end; return the status."""
    while True:
        ready, _, _ = select.select([sys.stdin.fileno(), bell], [], [])
        if bell not in ready:
            return 0
        with contextlib.suppress(BlockingIOError):
            os.read(bell, 1024)
        while ended := _reap():
            if ended[0] == agent:
                code = os.waitstatus_to_exitcode(ended[1])
                return code if code >= 0 else SIGNALLED - code


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
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, sys.stdin.fileno())
    os.close(nothing)


def _run_agent(connection: socket.socket, folder: str) -> None:
    """Make the agent and answer requests until the connection is closed."""
    paths, name, memory, packed = _receive_setup(connection)
    sys.path[:] = paths
    from agents.tournament.reasons import describe_error
    from t2r_env.agents import find_agent

    configuration = pickle.loads(packed)
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
    connection: socket.socket, agent: Any, configuration: Any, number: int, k: int, actions: int, observed: int
) -> None:
    """Answer a request."""
    import numpy as np

    from agents.tournament.reasons import describe_error
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
        kind, content = ACTIONS, act(agent, decisions).tobytes()
    except BaseException as error:
        kind = OUT_OF_MEMORY if isinstance(error, MemoryError) else RAISED
        content = describe_error(error).encode(errors="replace")
    _answer(connection, number, kind, content)


def _limit(memory: int | None) -> None:
    """Let the process take so many MiB more than it has taken, and leave no dump of its memory."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory is not None:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + memory * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _receive_setup(connection: socket.socket) -> Setup:
    (size,) = SETUP.unpack(_receive(connection, SETUP.size))
    setup: Setup = pickle.loads(_receive(connection, size))
    return setup


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
    sys.exit(main(int(sys.argv[1])))
