"""The cores that this process may use."""

import os


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def count_threads() -> int:
    """Return how many threads this process may use: OMP_NUM_THREADS, which Ray sets for its workers, or the cores."""
    given = os.environ.get("OMP_NUM_THREADS", "")
    return int(given) if given.isdecimal() and int(given) else count_cores()
