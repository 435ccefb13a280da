"""Runs what needs tools that .venv does not have, in environments of their own: `make clients`.

Each environment is made in build/clients on top of .venv, whose packages it has unless examples/requirements pins other
versions: PyTorch is not installed once more, nor the package of this checkout compiled again. With `--alone` it has
what is pinned there and a wheel of this checkout, and nothing of .venv, so that it shows whether that is enough.
Each example runs by itself in a folder that has nothing else but what it names, and must end by telling its result.

    python -m tests.helpers.clients
    python -m tests.helpers.clients --alone           # before a release
    python -m tests.helpers.clients torchrl agilerl
    python -m tests.helpers.clients multi_agent ray   # the tests in tests/multi_agent and tests/ray
    python -m tests.helpers.clients --pin agilerl  # pins versions of what examples/requirements/agilerl.in names
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
REQUIREMENTS = EXAMPLES / "requirements"
BUILD = ROOT / "build" / "clients"

ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",  # two examples run at once, and tiny models are slower with more
    "RAY_AUTH_MODE": "disabled",  # otherwise Ray writes a token into the home folder
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_worker_niceness": "0",  # the machine may have other work to do
    "RAY_raylet_start_wait_time_s": "300",
    "RAY_agent_register_timeout_ms": "300000",
    "WANDB_MODE": "disabled",
}
TIMEOUT = 1200
"""Seconds that an example may take, the first compilation of the rules included."""
GAMES_WON = r"[\d.]+% of [\d,]+ games won against random play"
TUNED = rf"best of 2 trials: .*: {GAMES_WON}"


@dataclass(frozen=True)
class Client:
    """An example and what is expected of it."""

    example: str
    """Its file in examples/; a file of a package is run as a module of it."""
    environment: str
    """The requirements in examples/requirements that it runs with."""
    result: str = GAMES_WON
    """What it must print once, as a regular expression."""
    arguments: tuple[str, ...] = ()
    """The arguments that it is run with: training that is long enough to run every line."""
    beside: tuple[str, ...] = ()
    """Other files and packages in examples/ that it needs."""


CLIENTS = {
    "agilerl": Client("agilerl_ppo.py", "agilerl", arguments=("--updates", "2")),
    "mcp": Client(
        "mcp_server.py",
        "mcp",
        r"MCP: \d+ moves by tools new_game, view, act\. The game is over\. player_0: .* points, rank \d\.",
        ("--check",),
    ),
    "openenv": Client(
        "t2r_openenv/check.py",
        "openenv",
        r"OpenEnv: The game is over\. player_0: .*\. Three clients at a table: The game is over\. player_0: .*",
    ),
    "openspiel": Client("openspiel_games.py", "openspiel", arguments=("--check", "--games", "2", "--simulations", "4")),
    "optuna": Client("tuning.py", "tuning", TUNED, ("--trials", "2", "--total-timesteps", "2048", "--wandb")),
    "ray_tune": Client("tuning.py", "tuning", TUNED, ("--by", "ray", "--trials", "2", "--total-timesteps", "2048")),
    "rllib": Client("rllib_ppo.py", "torchrl_tianshou_rllib", arguments=("--iterations", "1")),
    "text": Client(
        "text_hubs.py", "text", r"a game in each of 5: GEM .*, Inspect [+-]\d\.\d", beside=("scripted_model.py",)
    ),
    "tianshou": Client("tianshou_dqn.py", "torchrl_tianshou_rllib", arguments=("--steps", "4000")),
    "torchrl": Client("torchrl_ppo.py", "torchrl_tianshou_rllib", arguments=("--updates", "2", "--episodes", "20")),
    "trl": Client(
        "trl_grpo.py",
        "text",
        r"TRL: 3 steps, \d+ calls a game, rewards differ in [1-3] groups, gradients up to (?!0\.000)\d\.\d+",
    ),
    "verifiers": Client(
        "t2r_verifiers/check.py",
        "verifiers",
        r"verifiers: The game is over\. .*\n(?:.*\n)*verifiers' taskset of OpenEnv: reward [+-]\d\.\d",
        beside=("t2r_openenv", "scripted_model.py"),
    ),
    "video": Client("record_video.py", "video", r"2 videos recorded", ("--num-envs", "2", "--steps", "4")),
}
TESTS = {"multi_agent": "torchrl_tianshou_rllib", "ray": "torchrl_tianshou_rllib"}
"""Folders in tests/ that need such tools, and the requirements that they run with. pytest by itself leaves them out."""


def build_wheel() -> Path:
    """A wheel whose files are those of this checkout."""
    folder = BUILD / "wheel"
    shutil.rmtree(folder, ignore_errors=True)
    _run([sys.executable, "-m", "hatchling", "build", "--target", "wheel:editable", "--directory", str(folder)])
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(environment: str, wheel: Path | None) -> Path:
    """An environment's Python, with its pins and the wheel, or without a wheel on top of .venv.

    Nothing is done again that has not changed.
    """
    folder, pins, begun = BUILD / environment, REQUIREMENTS / f"{environment}.txt", time.monotonic()
    python = folder / "bin" / "python"
    below = b"alone" if wheel else (ROOT / "constraints.txt").read_bytes()
    with _if_new(folder / ".pins", sys.version.encode() + str(folder).encode() + pins.read_bytes() + below) as is_new:
        if is_new:
            _run([sys.executable, "-m", "venv", "--clear", *([] if wheel else ["--without-pip"]), str(folder)])
            if not wheel:  # it finds the packages of the Python that runs this, after its own
                where = ["-c", "import sysconfig; print(sysconfig.get_path('purelib'), end='')"]
                ours, theirs = (_run([str(it), *where]) for it in (sys.executable, python))
                (Path(theirs) / "below.pth").write_text(f"import site; site.addsitedir({ours!r})\n", encoding="utf-8")
            _pip(python, "install", "--no-deps", "--no-compile", "--requirement", str(pins))
            _pip(python, "check")
    with _if_new(folder / ".wheel", wheel.read_bytes() if wheel else b"") as is_new:
        if wheel and is_new:
            _pip(python, "install", "--no-deps", "--force-reinstall", str(wheel))
            _pip(python, "check")
    print(f"{environment}: installed in {time.monotonic() - begun:.0f} s", flush=True)
    return python


@contextmanager
def _if_new(stamp: Path, content: bytes) -> Iterator[bool]:
    """Tell whether a file names no other content; afterwards it names this one."""
    digest = hashlib.sha256(content).hexdigest()
    yield not stamp.exists() or stamp.read_text() != digest
    stamp.write_text(digest)


def run(name: str, python: Path) -> bool:
    """Run an example in an empty folder; returns whether it ended well and told its result, and says so."""
    client = CLIENTS[name]
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        package, _, module = client.example.rpartition("/")
        for needed in (package or client.example, *client.beside):
            source = EXAMPLES / needed
            (shutil.copytree if source.is_dir() else shutil.copy)(source, Path(folder) / needed)
        program = ["-m", f"{package}.{module.removesuffix('.py')}"] if package else [module]
        command, environment = [str(python), *program, *client.arguments], _environment() | ENVIRONMENT
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        ended = subprocess.run(command, cwd=folder, env=environment, timeout=TIMEOUT, **pipes)
    results = re.findall(client.result, ended.stdout)
    is_well = ended.returncode == 0 and len(results) == 1
    if not is_well:
        print(ended.stdout)
    verdict = results[0] if is_well else f"FAILED with exit status {ended.returncode}"
    print(f"{name}: {verdict}, {time.monotonic() - begun:.0f} s", flush=True)
    return is_well


def run_tests(name: str, python: Path) -> bool:
    """Run the tests in a folder of tests/ with this Python; return whether they passed."""
    folder = f"tests/{name}"
    # the settings of the other tests, in tests/conftest.py, are of tools that this environment has not
    options = ["--confcutdir", folder, "-p", "no:cacheprovider"]
    options += ["-W", "ignore::pytest.PytestUnraisableExceptionWarning"]  # of what Ray leaves to the garbage collector
    command = [str(python), "-m", "pytest", *options, folder]
    return subprocess.run(command, cwd=ROOT, env=_environment() | ENVIRONMENT).returncode == 0


def pin(environment: str) -> None:
    """Write the versions that pip chooses today for a requirements file and this package."""
    if sys.version_info[:2] != (3, 11):
        raise SystemExit("Pins are made with Python 3.11")
    constraints = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    torch = next(line for line in constraints.splitlines() if line.startswith("torch=="))
    wanted = REQUIREMENTS / f"{environment}.in"
    alone = [torch] if "torch" in wanted.read_text(encoding="utf-8").splitlines() else []
    with tempfile.TemporaryDirectory() as folder:
        python = Path(folder) / "bin" / "python"
        _run([sys.executable, "-m", "venv", folder])
        _pip(python, "uninstall", "--yes", "setuptools")  # unless something needs it
        if alone:  # so that its CPU build is taken where pip is told of one
            _pip(python, "install", *alone)
        _pip(python, "install", "--requirement", str(wanted), *alone, str(build_wheel()))
        frozen = _pip(python, "freeze", "--all")
    pins = [line.replace("+cpu", "") for line in frozen.splitlines() if not re.match("(pip|t2r-env)[= ]", line)]
    head = f"# Made by `python -m tests.helpers.clients --pin {environment}`; do not edit."
    (REQUIREMENTS / f"{environment}.txt").write_text("\n".join([head, *pins]) + "\n", encoding="utf-8")


def _pip(python: Path, *arguments: str) -> str:
    return _run([str(python), "-m", "pip", "--disable-pip-version-check", *arguments])


def _run(command: list[str]) -> str:
    """What a command prints. Raises SystemExit with its output if it fails."""
    ended = subprocess.run(command, cwd=ROOT, env=_environment(), capture_output=True, text=True)
    if ended.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def _environment() -> dict[str, str]:
    """This process's environment without the paths of this checkout."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def main(command: Sequence[str] | None = None) -> None:
    """Run, or pin, what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wanted = {name: client.environment for name, client in CLIENTS.items()} | TESTS
    parser.add_argument("clients", nargs="*", metavar="client", help=f"one of {', '.join(wanted)}; all by default")
    parser.add_argument("--alone", action="store_true", help="make environments that have nothing of .venv")
    parser.add_argument("--pin", metavar="environment", help="the name of a file in examples/requirements")
    arguments = parser.parse_args(command)
    if unknown := set(arguments.clients) - wanted.keys():
        parser.error(f"client must be one of {', '.join(wanted)}, not {', '.join(sorted(unknown))}")
    if arguments.pin:
        pin(arguments.pin)
        return
    names = arguments.clients or list(wanted)
    wheel = build_wheel() if arguments.alone else None

    def run_together(environment: str) -> list[str]:
        """Run what needs one environment; returns what failed."""
        python = install(environment, wheel)
        own = [name for name in names if wanted[name] == environment]
        return [name for name in own if not (run_tests if name in TESTS else run)(name, python)]

    environments = sorted({wanted[name] for name in names})
    with ThreadPoolExecutor(2) as pool:
        failed = [name for group in pool.map(run_together, environments) for name in group]
    if failed:
        raise SystemExit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
