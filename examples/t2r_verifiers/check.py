"""Two models play each other by this package, and one plays by verifiers' own taskset of OpenEnv servers.

A script stands for the models, and the server runs next to it.

    python -m t2r_verifiers.check     # in examples/
"""

import os
import subprocess
import sys
from pathlib import Path

import verifiers.v1 as vf
from scripted_model import serving
from t2r_openenv.check import serving as serving_openenv
from verifiers.v1.utils.trace_store import TRACES_FILE

PACKAGE = """
[env]
taskset = {id = "t2r_verifiers"}
variant = "new_york"
list_moves = "all"
"""
OPENENV = """
[env]
taskset = {id = "openenv", base_url = "SERVER", resets = [{seed = 1, opponents = "random", legal_moves = true}]}
player = {harness = {id = "null"}, runtime = {type = "subprocess"}}
"""


def evaluate(url: str, name: str, config: str) -> list[vf.WireEpisode]:
    """Return the episodes that verifiers' own command has played."""
    Path(f"{name}.toml").write_text(config, encoding="utf-8")
    command = [str(Path(sys.executable).with_name("vf-eval")), "@", f"{name}.toml", "--run.dir", name]
    command += ["--client.base-url", url, "--client.api-key-var", "KEY", "--model", "scripted", "--push", "False"]
    command += ["--clean", "True", "--select.limit", "1"]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # uv is there
    environment = os.environ | {"KEY": "none", "PATH": path, "PYTHONPATH": "."}
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    lines = Path("outputs", name, TRACES_FILE).read_text(encoding="utf-8").splitlines()
    return [vf.WireEpisode.model_validate_json(line) for line in lines]


def main() -> None:
    """Check both, and say so."""
    with serving() as url:
        (episode,) = evaluate(url, "package", PACKAGE)
        seats = {trace.agent.name: trace for trace in episode.traces}
        assert episode.ok, episode.errors
        assert set(seats) == {"player_0", "player_1"}, seats
        earned = [trace.rewards["rank"].score for trace in seats.values()]
        assert sorted(earned) in ([-1, 1], [0, 0]), earned
        texts = [trace.model_dump_json() for trace in seats.values()]
        assert all("How to answer" in text and "Since your last decision" in text for text in texts)
        print(f"verifiers: {next(iter(seats.values())).info['t2r']['result']}", flush=True)
        with serving_openenv() as server:
            (episode,) = evaluate(url, "openenv", OPENENV.replace("SERVER", server))
    assert episode.ok, episode.errors
    print(f"verifiers' taskset of OpenEnv: reward {episode.traces[0].rewards['openenv_reward'].score:+.1f}")


if __name__ == "__main__":
    main()
