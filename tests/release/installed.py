"""`python -m tests.release.installed`: install the wheel in dist/ in an empty environment, and use it there.

First without extras: an environment of every game; what needs an extra says so. Then with all: every subcommand, and
the policies. The environment is build/release, with the Python that runs this; the current folder is an empty one.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.release.build import DIST, ROOT

FOLDER = ROOT / "build" / "release"

BASE = """
import gymnasium, pettingzoo, sys
import t2r_env
assert "site-packages" in t2r_env.__file__, t2r_env.__file__
for variant in t2r_env.VARIANTS:
    name = t2r_env.configure(variant).variant.environment_id
    env = gymnasium.make(name, opponents="random")
    env.reset(seed=1)
    pettingzoo.make("aec", name).reset(seed=1)
    gymnasium.make_vec(name, num_envs=3).reset(seed=1)
    getattr(t2r_env, f"{variant}_v0").env().reset(seed=1)
games = t2r_env.Games("usa", batch=8, seed=1)
assert games.play_random(2000) > 8
heavy = {"rich", "matplotlib", "scipy", "torch", "jinja2"} & set(sys.modules)
assert not heavy, heavy
print("base installation: all environments")
"""
POLICY = """
import t2r_env
from t2r_env.agents import find_agent, step_agents
import numpy as np
for variant, options in (("usa", {"tickets": "classic"}), ("new_york", {})):
    games = t2r_env.Games(variant, batch=50, seed=1, autoreset=False, **options)
    agents = [find_agent("policy", games.configuration), find_agent("random")]
    while (rows := np.flatnonzero(~(games.terminated | games.truncated))).size:
        seeds = np.arange(rows.size, dtype=np.uint64)
        step_agents(games, rows, agents, np.tile([0, 1], (50, 1)), seeds)
    print(variant, "policy wins", (games.results.ranks[:, 0] == 1).mean())
    assert (games.results.ranks[:, 0] == 1).mean() > 0.9
"""
TINY = (
    "--variant new_york --total-timesteps 256 --threads 1 --set"
    " n_envs=8 n_steps=16 batch_size=64 features_dim=16 net_arch=16 eval_opponents=random n_eval_episodes=4"
)
TINY_TRAINING = f"train --out trained {TINY} fixed_opponents=random"
COMMANDS = (
    "--version",
    "games",
    "games pennsylvania",
    "compile --agents greedy planner",
    "completion bash",
    "tournament --variant card_game --agents greedy random --games 4 --out results",
    "tournament --replay results 2",
    "replay results/game_2.json",
    "report results --no-serve",
    "review results/game_2.json",
    "score --template --variant new_york",
    "map 7 --out lakes",
    "rate greedy --variant card_game --max-games 4",
    "rate greedy --variant card_game --out rated",
    "verify rated",
    "export results --out data",
    "export data --replay 2 --out game.json",
    TINY_TRAINING,
    "evaluate trained/policy.safetensors --against random --games 4",
    f"exploit random --out response --games 4 {TINY}",
    "distill trained/policy.safetensors --decisions 500 --units 16",
    "values --variant new_york --games 1 --check-games 1 --out values",
    "beliefs --variant new_york --games 1 --check-games 1 --out beliefs",
)


def main() -> int:
    """Install and use; returns 1 if something fails."""
    parser = argparse.ArgumentParser(prog="python -m tests.release.installed", description=__doc__)
    parser.add_argument("--base", action="store_true", help="stop before the extras are installed")
    arguments = parser.parse_args()
    (wheel,) = DIST.glob("*.whl")
    print(f"Python {sys.version.split()[0]}: {wheel.name} in {FOLDER.relative_to(ROOT)}")
    shutil.rmtree(FOLDER, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", FOLDER], check=True)
    python, constraints = FOLDER / "bin" / "python", ROOT / "constraints.txt"
    install = "-m pip --disable-pip-version-check install --quiet --constraint"
    pip: list[str | Path] = [python, *install.split(), constraints]
    with tempfile.TemporaryDirectory() as folder:
        try:
            subprocess.run([*pip, wheel], check=True)
            use_base(python, Path(folder))
            if not arguments.base:
                subprocess.run([*pip, "torch"], check=True)
                subprocess.run([*pip, f"{wheel}[all]"], check=True)
                use_all(python, Path(folder))
        except (subprocess.CalledProcessError, AssertionError) as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
    return 0


def run(folder: Path, *command: str | Path, typed: str = "", status: int = 0) -> str:
    """What a command in the folder prints, or its error for a status other than 0; no checkout is on its path.

    Raises AssertionError if it ends with another status.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=folder, env=environment, input=typed, capture_output=True, text=True)
    assert done.returncode == status, f"{done.args}\n{done.stdout}{done.stderr}"
    return done.stderr if status else done.stdout


def use_base(python: Path, folder: Path) -> None:
    """Without extras: the environments, and what says that it needs an extra. Raises AssertionError."""
    print(run(folder, python, "-c", BASE), end="")
    t2r = python.with_name("t2r")
    extras = {"tournament": "tournament", "train --out x": "train", "completion bash": "completion"}
    extras |= {"export --out x": "data"}
    for command, extra in extras.items():
        error = run(folder, t2r, *command.split(), status=1)
        assert f"pip install 'FILE.whl[{extra}]' with its wheel" in error, error
        assert error.count("\n") == 1, error
    print("base installation: what needs an extra says which")


def use_all(python: Path, folder: Path) -> None:
    """With all extras: every subcommand, and the policies. Raises AssertionError."""
    t2r = python.with_name("t2r")
    for command in COMMANDS:
        run(folder, t2r, *command.split())
        print(f"t2r {command}")
    play = ["play", "--variant", "new_york", "--seed", "3", "--save", "played.json"]
    run(folder, t2r, *play, typed="1\n" * 1000)  # the first choice, more often than a game asks
    print(f"t2r {' '.join(play)}")
    print(run(folder, python, "-c", POLICY), end="")


if __name__ == "__main__":
    sys.exit(main())
