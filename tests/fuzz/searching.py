"""The targets, the corpus, and the search for files that are neither refused nor used to their end."""

import functools
import hashlib
import resource
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import hypothesis
from hypothesis import HealthCheck, Phase
from hypothesis.strategies import SearchStrategy

from tests.fuzz import comparing, games, learned, own_maps, texts
from tests.fuzz.damage import any_changed_json, changed_folder

CORPUS = Path(__file__).parent / "corpus"
MAX_GROWTH = 256 << 20
"""Bytes by which the memory of the process may grow while one file is used."""


@dataclass(frozen=True)
class Target:
    """A format."""

    valid: Callable[[], list[bytes]]
    """Files that must be accepted. A folder is an archive of its files."""
    inputs: Callable[[list[bytes]], SearchStrategy[bytes]]
    """Files to try, made of the valid ones."""
    use: Callable[[bytes], bool]
    """Use a file as far as it goes: True if it was accepted, False if it was refused; all else is raised."""


may_lack = functools.partial(changed_folder, may_lack=True)
TARGETS = {
    "map_folder": Target(own_maps.valid, own_maps.changed, own_maps.use),
    "replay": Target(games.replays, any_changed_json, games.use_replay),
    "state": Target(games.states, games.changed_states, games.use_state),
    "snapshot": Target(games.snapshots, games.changed_snapshots, games.use_snapshot),
    "policy": Target(learned.policies, learned.changed_policies, learned.use_policy),
    "checkpoint": Target(learned.checkpoints, learned.changed_checkpoints, learned.use_checkpoint),
    "tournament_folder": Target(comparing.tournament_folders, changed_folder, comparing.use_tournament_folder),
    "export_folder": Target(comparing.export_folders, changed_folder, comparing.use_export_folder),
    "server_answer": Target(texts.answers, texts.changed_answers, texts.use_answer),
    "rating": Target(comparing.ratings, changed_folder, comparing.use_rating),
    "ladder": Target(comparing.ladders, any_changed_json, comparing.use_ladder),
    "name": Target(texts.names, texts.changed_names, texts.use_name),
    "browser_folder": Target(games.browser_folders, may_lack, games.use_browser_folder),
}


def use_within_memory(target: Target, content: bytes) -> bool:
    """As `Target.use`; raises MemoryError if that takes more than MAX_GROWTH."""
    _warm_up(target)
    with suppress(OSError):  # only Linux can forget the peak; elsewhere only what goes beyond it is seen
        Path("/proc/self/clear_refs").write_text("5")
    before = _peak()
    is_accepted = target.use(content)
    if (growth := _peak() - before) > MAX_GROWTH:
        raise MemoryError(f"{growth:,} more bytes were needed")
    return is_accepted


@functools.cache
def _warm_up(target: Target) -> None:
    """Use what is valid. That compiles the rules, whose memory does not count: some 650 MB without a cache."""
    for content in target.valid():
        target.use(content)


def _peak() -> int:
    """The most memory that the process has taken, in bytes.

    On Linux `getrusage` would also count what the process took that started this one.
    """
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def corpus_of(name: str) -> list[Path]:
    """The files that were once found."""
    return sorted((CORPUS / name).glob("*"))


class Found(Exception):  # noqa: N818  # nothing is wrong with the search
    """A file that was neither refused nor used to its end; the exception that it led to is the cause."""

    def __init__(self, content: bytes) -> None:
        super().__init__(f"a file of {len(content)} bytes")
        self.content = content

    def save(self, name: str) -> Path:
        """Write the file into the corpus of a target."""
        file = CORPUS / name / hashlib.sha256(self.content).hexdigest()[:12]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(self.content)
        return file


def search(target: Target, examples: int, seed: int | None = None) -> Counter[bool]:
    """Try so many files; return how many were accepted and refused. Without a seed they are always the same.

    Raises Found with the smallest such file that hypothesis comes to.
    """
    counts: Counter[bool] = Counter()
    found: list[Found] = []

    @hypothesis.settings(
        max_examples=examples,
        derandomize=seed is None,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        report_multiple_bugs=False,
        print_blob=False,
        verbosity=hypothesis.Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(target.inputs(target.valid()))
    def run(content: bytes) -> None:
        try:
            counts[use_within_memory(target, content)] += 1
        except Exception as error:
            raised = Found(content)
            raised.__cause__ = error
            found.append(raised)
            raise

    try:
        (run if seed is None else hypothesis.seed(seed)(run))()
    except Exception:
        if not found:
            raise
        raise found[-1] from found[-1].__cause__
    return counts
