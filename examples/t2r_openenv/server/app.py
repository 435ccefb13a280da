"""The server.

python -m t2r_openenv.server.app --port 8000     # in examples/, or anywhere after `pip install examples/t2r_openenv`
T2R_VARIANT=usa T2R_OPPONENTS=planner T2R_SECONDS=60 python -m t2r_openenv.server.app
"""

import argparse
import os
from collections.abc import Sequence

import uvicorn
from openenv.core.env_server.http_server import create_app

from t2r_openenv.models import Move, Seen
from t2r_openenv.server.environment import T2REnvironment

MAX_CLIENTS = int(os.environ.get("T2R_MAX_CLIENTS", "64"))
"""The clients that may play at once."""

app = create_app(T2REnvironment, Move, Seen, env_name="t2r_openenv", max_concurrent_envs=MAX_CLIENTS)


def main(command: Sequence[str] | None = None) -> None:
    """Serve with the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    arguments = parser.parse_args(command)
    warm = T2REnvironment()
    warm.reset()
    warm.step(Move(move="keep"))  # compiles, so that no client waits for it
    warm.close()
    uvicorn.run(app, host=arguments.host, port=arguments.port)


if __name__ == "__main__":
    main()
