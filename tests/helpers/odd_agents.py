"""Small agents for tournaments: predictable ones, and some that fail."""

import asyncio
import contextlib
import ctypes
import itertools
import mmap
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numba.core.compiler_lock import global_compiler_lock
from numpy.typing import NDArray

from t2r_agents.comparing.tournament import agent_process
from t2r_agents.comparing.tournament.agent_process import ANSWER, DONE
from t2r_env.agents import Decisions, RandomAgent, UnavailableError

SELDOM = 120
"""The agents that fail sometimes fail at one of so many decisions."""


class First:
    """Always chooses the first legal action."""

    place = 0

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        return np.array([np.flatnonzero(mask)[self.place] for mask in decisions.masks], np.int64)


class Last(First):
    place = -1


class Told(First):
    def __init__(self, word: str) -> None:
        self.word = word


class Alone(First):
    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        if len(decisions) > 1:
            raise RuntimeError("one at a time, please")
        return super().act(decisions)


class Pondering(First):
    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        time.sleep(0.05)
        return super().act(decisions)


class Crashing(RandomAgent):
    """Plays at random, and sometimes raises an exception."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        if (decisions.seeds % SELDOM == 0).any():
            raise RuntimeError("out of\n  ideas")
        return super().act(decisions)


class Quitting(First):
    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        raise SystemExit("enough")


class Unavailable(First):
    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        raise UnavailableError("the server does not answer")


class Illegal(RandomAgent):
    """Plays at random, and sometimes passes, which is seldom legal."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        wanted = decisions.configuration.layout.actions["pass"].start
        return np.where(decisions.seeds % SELDOM == 0, wanted, super().act(decisions))


ANSWERS: dict[str, Callable[[Decisions], NDArray[Any]]] = {
    "beyond": lambda decisions: np.full(len(decisions), decisions.masks.shape[1]),
    "largest": lambda decisions: np.full(len(decisions), 2**64 - 1, np.uint64),
    "halves": lambda decisions: np.full(len(decisions), 0.5),
    "few": lambda decisions: np.zeros(len(decisions) - 1, np.int64),
}


class Answering:
    """Answers what is no action, or one action too few."""

    def __init__(self, kind: str) -> None:
        self.answer = ANSWERS[kind]

    def act(self, decisions: Decisions) -> NDArray[Any]:
        return self.answer(decisions)


class Dying(RandomAgent):
    """Ends the process in which it plays, in the middle of a game."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        if (decisions.views["turn"] > 20).any():
            os._exit(1)
        return super().act(decisions)


class DyingOnce(RandomAgent):
    """Kills the process in which it plays, in the middle of a game, unless there is a file, which it makes first."""

    def __init__(self, file: str) -> None:
        self.file = Path(file)

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        if (decisions.views["turn"] > 20).any() and not self.file.exists():
            self.file.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().act(decisions)


class Lean(RandomAgent):
    """Plays only where nothing is loaded that trains."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        if loaded := {"torch", "ray.rllib", "stable_baselines3"} & {*sys.modules}:
            raise ImportError(f"{loaded} are loaded")
        return super().act(decisions)


class Interrupting(RandomAgent):
    """Is there when a person presses Ctrl-C, at the second deal that it plays."""

    stateless = True  # it says so: one instance counts the decisions of all games

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        self.decisions = getattr(self, "decisions", 0) + 1
        if self.decisions > 400:
            signal.raise_signal(signal.SIGINT)
        return super().act(decisions)


class Unheeding(Interrupting):
    stateless = True

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        try:
            return super().act(decisions)
        except BaseException:
            return RandomAgent.act(self, decisions)


# Agents that fail in half of their games: those in which they sit on seat 1


def is_fatal(decisions: Decisions) -> NDArray[np.bool_]:
    """At which decisions (k,) the agents below fail."""
    fatal: NDArray[np.bool_] = (decisions.views["current"] == 1) & (decisions.views["turn"] >= 20)
    return fatal


class Sound(First):
    """Does not fail: what the agents below do in their other games."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        return self.fail(decisions) if is_fatal(decisions).any() else super().act(decisions)

    def fail(self, decisions: Decisions) -> NDArray[np.int64]:
        return super().act(decisions)


class MutedError(Exception):
    """An exception whose text can't be made."""

    def __str__(self) -> str:
        raise KeyboardInterrupt


class NoisyError(Exception):
    """An exception whose text is long and can't be printed as it is."""

    def __str__(self) -> str:
        return "\ud800\x1b[2J\0 \n" + "noise " * 1_000_000


ERRORS: dict[str, Callable[[], BaseException]] = {
    "muted": MutedError,
    "noisy": NoisyError,
    "cancelled": asyncio.CancelledError,
    "interrupt": KeyboardInterrupt,
    "generator_exit": GeneratorExit,
    "system_exit": lambda: SystemExit(0),
    "base": lambda: BaseException("nothing less"),
}


class Raising(Sound):
    def __init__(self, error: str) -> None:
        self.error = ERRORS[error]

    def fail(self, decisions: Decisions) -> NDArray[np.int64]:
        raise self.error()


def fill(decisions: Decisions, number: int) -> None:
    """Write over all that an agent is given."""
    for array in (decisions.views, decisions.masks, decisions.observations, decisions.seeds):
        array.flags.writeable = True
        array.view(np.uint8)[...] = number


DEEDS: dict[str, Callable[[], object]] = {
    "hang": lambda: threading.Event().wait(),
    "leave": lambda: os._exit(3),
    "kill": lambda: os.kill(0, signal.SIGKILL),  # with all of the process group
    "segfault": lambda: ctypes.string_at(0),
    "devour": lambda: [np.ones(2**24, np.uint8) for _ in itertools.count()],
    "close": lambda: os.closerange(0, 1000),
}


class Doing(Sound):
    def __init__(self, deed: str) -> None:
        self.deed = DEEDS[deed]

    def fail(self, decisions: Decisions) -> NDArray[np.int64]:
        self.deed()
        return super().fail(decisions)


class Printing(Sound):
    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        print("hear, hear\n" * 1000, flush=True)
        os.write(1, b"hear, hear")
        print("hear, hear", file=sys.stderr, flush=True)
        return super().act(decisions)


class Meddling(Sound):
    """Writes an answer of its own to the tournament before it returns one."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def fail(self, decisions: Decisions) -> NDArray[np.int64]:
        actions = super().fail(decisions)
        content = actions.tobytes()
        answers = {
            "long": ANSWER.pack(DONE, 2**32 - 1) + content,
            "short": ANSWER.pack(DONE, 0),
            "kind": ANSWER.pack(77, 0),
            "text": b"I am an agent, and this is no answer at all",
            "half": ANSWER.pack(DONE, len(content))[:3],
        }
        for descriptor in range(3, 100):
            with contextlib.suppress(OSError):  # what is not open
                if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                    socket.socket(fileno=os.dup(descriptor)).sendall(answers[self.kind])
        if self.kind == "half":
            os._exit(0)
        return actions


class Lingering(Doing):
    """Starts processes that live on, in sessions of their own, and tells their numbers and its own to a named pipe."""

    def __init__(self, pipe: str) -> None:
        super().__init__("hang")
        self.pipe = Path(pipe)

    def fail(self, decisions: Decisions) -> NDArray[np.int64]:
        for _ in range(2):
            if os.fork() == 0:
                os.setsid()
                if os.fork():
                    os._exit(0)
                break
        with self.pipe.open("w") as pipe:
            pipe.write(f"{os.getpid()}\n")
        return super().fail(decisions)


class Looking(Sound):
    """Says what its process can see."""

    def fail(self, decisions: Decisions) -> NDArray[np.int64]:
        links = [str(link.readlink()) for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
        seen = {"secret": os.environ.get("SECRET"), "folder": [*Path().iterdir()], "input": sys.stdin.read()}
        seen["open"] = sorted({link.split(":")[0] for link in links} - {f"/proc/{os.getpid()}/fd"})
        raise RuntimeError(seen)


class Spying(Sound):
    """Says to which of the other processes of agents it can do something that it must not."""

    def fail(self, decisions: Decisions) -> NDArray[np.int64]:
        deeds: dict[str, Callable[[int], object]] = {
            "read": lambda process: Path(f"/proc/{process}/mem").open("rb").close(),
            "write": lambda process: Path(f"/proc/{process}/mem").open("r+b").close(),
            "signal": lambda process: os.kill(process, 0),
        }
        done = {name: sum(map(partial(self._can, deed), self._others())) for name, deed in deeds.items()}
        raise RuntimeError(f"of {len(self._others())}: {done}")

    @staticmethod
    def _others() -> list[int]:
        others = []
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # any other process may end meanwhile
                if agent_process.__file__ in (folder / "cmdline").read_text() and int(folder.name) != os.getpid():
                    others.append(int(folder.name))
        return others

    @staticmethod
    def _can(deed: Callable[[int], object], process: int) -> bool:
        try:
            deed(process)
        except (PermissionError, FileNotFoundError, ProcessLookupError):  # refused, or gone
            return False
        return True


FAILING: dict[str, Callable[[], Sound]] = {
    "muted": partial(Raising, "muted"),
    **{deed: partial(Doing, deed) for deed in DEEDS},
    **{kind: partial(Meddling, kind) for kind in ("long", "short", "kind", "text", "half")},
    "look": Looking,
}


class Failing(Sound):
    """Fails in the way of FAILING whose number is the seed of its decision: one agent for all ways, as each is started
    for long.
    """

    def fail(self, decisions: Decisions) -> NDArray[np.int64]:
        return [*FAILING.values()][int(decisions.seeds[0])]().fail(decisions)


class Remembering(First):
    """Raises an error where it can tell what another seat holds, of which it has read or been told elsewhere.

    It keeps what it knows in the instance, in the class, in memory that a fork shares, or in a pipe. Other kinds need a
    thread or a process that was started before.
    """

    known: ClassVar[list[bytes]] = []
    memory: ClassVar[mmap.mmap | None] = None
    pipe: ClassVar[tuple[int, int] | None] = None
    threads: ClassVar[ThreadPoolExecutor | None] = None
    child: ClassVar[subprocess.Popen[bytes] | None] = None

    def __init__(self, kind: str) -> None:
        self.kind, cls = kind, type(self)
        if kind == "instance":
            self.known = []  # type: ignore[misc]  # in place of the class's
        if kind == "memory" and not self.memory:
            cls.memory = mmap.mmap(-1, 1000)
        if kind == "pipe" and not self.pipe:
            cls.pipe = read, _ = os.pipe()
            os.set_blocking(read, False)
        if kind == "child" and not self.child:
            cls.child = subprocess.Popen(["sleep", "600"])

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        if self.kind == "thread":
            type(self).threads = self.threads or ThreadPoolExecutor(1)
            assert self.threads
            self.threads.submit(int).result()
        if self.child:
            os.kill(self.child.pid, 0)
        for view in decisions.views:
            if view["turn"] == 0:
                self._recall(np.array([*view["face_up"], view["current"]]).astype(np.uint8).tobytes())
        return super().act(decisions)

    def _recall(self, deal: bytes) -> None:
        """Note the cards that lie open, by which a deal is known again, and the seat."""
        if deal in self.known:
            return
        if self.memory:
            self.known[:] = [self.memory[start : start + 6] for start in range(0, 600, 6)]
            start = 6 * next(number for number in range(100) if not any(self.known[number]))
            self.memory[start : start + 6] = deal
        if self.pipe:
            with contextlib.suppress(BlockingIOError):
                self.known.append(os.read(self.pipe[0], 6))
            os.write(self.pipe[1], deal)
        if any(known[:-1] == deal[:-1] for known in self.known):
            raise RuntimeError("I have been on another seat")
        self.known.append(deal)


class RememberingVariously(Remembering):
    def __init__(self, file: str) -> None:
        super().__init__(Path(file).read_text())


class Slow(First):
    """Takes its time at the first decision of a process: stops its process, also while it compiles, or compiles."""

    has_acted = False

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        if self.kind.startswith("stops"):
            with global_compiler_lock if self.kind == "stops compiling" else contextlib.nullcontext():
                signal.raise_signal(signal.SIGSTOP)
        if not Slow.has_acted:
            with global_compiler_lock:
                time.sleep(2)
        Slow.has_acted = True
        return super().act(decisions)


class Wandering(First):
    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        os.chdir("/")
        return super().act(decisions)


class Unmakable(Sound):
    def __init__(self) -> None:
        raise KeyboardInterrupt("not me")


class Counting(First):
    """Its actions depend on how many it has taken."""

    def __init__(self) -> None:
        self.taken = 0

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        self.taken += len(decisions)
        return np.array([np.flatnonzero(mask)[self.taken % mask.sum()] for mask in decisions.masks], np.int64)


counting = Counting()
COUNTING = f"{__name__}:counting"
"""The import path of an object."""


def path_of(agent: type, *arguments: object) -> str:
    """The import path by which a tournament finds one of these agents."""
    return ":".join([__name__, agent.__name__, *map(str, arguments)])


HANGING = path_of(Doing, "hang")
