"""The process in which `benchmarks.compare` measures a checkout. Requests and replies are lines of JSON.

PYTHONPATH names the checkout, so that `benchmarks.throughput` and what it measures are those of that revision. Run this
file with `python -P`, which leaves its own folder out of the path.

A request `{"layer": ..., "arguments": {...}}` prepares a layer and warms it up; `{"seconds": ...}` runs it and is
answered with its decisions per second. With one thread these are seconds of the process's CPU time, which other load of
the machine affects less. `{}` is answered with the layers and variants of the checkout.
"""

import argparse
import json
import sys
import time
from typing import Any

import t2r_env
from benchmarks.throughput import LAYERS

WARM_UP_SECONDS = 0.2


def main() -> None:
    """Serve requests until the input ends."""
    work: Any = None
    clock = time.perf_counter
    for line in sys.stdin:
        request = json.loads(line)
        if "layer" in request:
            work = None  # the games of the last layer
            work = LAYERS[request["layer"]](argparse.Namespace(**request["arguments"]))
            work(WARM_UP_SECONDS)
            clock = time.process_time if request["arguments"]["threads"] == 1 else time.perf_counter
            reply(True)
        elif not request:
            reply({"layers": list(LAYERS), "variants": list(t2r_env.VARIANTS)})
        else:
            start = clock()
            decisions, _ = work(request["seconds"])
            reply(decisions / (clock() - start))


def reply(value: Any) -> None:
    """Write a line of JSON."""
    print(json.dumps(value), flush=True)


if __name__ == "__main__":
    main()
