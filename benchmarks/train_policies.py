"""Train the policies of the library, each from nothing, by the table in benchmarks/policies.toml.

    python -m benchmarks.train_policies
    python -m benchmarks.train_policies --only nordic_main_23 --write

Each is trained in a folder of its own below `--out`, as `t2r train` does it. Those that are complete are left alone,
and one that was interrupted goes on, so the same command continues. `--write` puts those that are complete into the
library. A policy gets a rollout network, as by `t2r distill`; its card has its row of the table and the revision of the
checkout.
"""

import argparse
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from t2r_agents.playing.policy import SHIPPED, Policy
from t2r_env import configure
from t2r_env.agents import POLICY_SUFFIX
from t2r_train.distill import distill
from t2r_train.settings import Settings, settings_for
from t2r_train.terminal import train
from t2r_train.training import CHECKPOINT, DEVICES, POLICY, Training

TABLE = Path(__file__).with_name("policies.toml")


def rows() -> dict[str, dict[str, Any]]:
    """Return the rows of the table, by the name of the policy's file."""
    found: list[dict[str, Any]] = tomllib.loads(TABLE.read_text(encoding="utf-8"))["policies"]
    return {name_of(row): row for row in found}


def name_of(row: Mapping[str, Any]) -> str:
    """Return the name of a row's policy: variant, tickets, and numbers of players."""
    numbers = row["num_players"]
    configuration = configure(row["variant"], numbers[0], **row.get("options", {}))
    return f"{row['variant']}_{configuration.options['tickets']}_{''.join(map(str, numbers))}"


def settings_of(row: Mapping[str, Any]) -> Settings:
    """Return the settings of a row. Raises ValueError or TypeError for those that are not allowed."""
    given = {name: value for name, value in row.items() if name != "settings"} | row.get("settings", {})
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    return settings_for(row["variant"], given)


def train_row(row: Mapping[str, Any], folder: Path, device: str, threads: int | None) -> int:
    """Train a row's policy in a folder, or go on with it; return the exit status of `t2r train`.

    Raises ValueError if the folder has the training run of another row.
    """
    settings = settings_of(row)
    if not (folder / CHECKPOINT).exists():
        return train(Training(folder, settings, device=device, threads=threads))
    training = Training(folder, device=device, threads=threads)
    sizes = {name: getattr(training.settings, name) for name, value in vars(settings).items() if value == 0}
    if training.settings != replace(settings, **sizes):
        raise ValueError(f"{folder} has a training run of other settings: remove it, or name another --out")
    return train(training)


def complete(row: Mapping[str, Any], trained: Path, file: Path) -> None:
    """Write a trained policy with a rollout network, and its row and the revision of the checkout on its card."""
    policy = distill(Policy.load(trained), settings_of(row).configurations())
    git = subprocess.run(["git", "rev-parse", "HEAD"], cwd=TABLE.parent, capture_output=True, text=True, check=False)
    revision = git.stdout.strip() or "unknown"
    replace(policy, training=dict(policy.training) | {"row": dict(row), "revision": revision}).save(file)


def main(command: Sequence[str] | None = None) -> int:
    """Train. Returns 0, 130 if interrupted, or 1 if a file can't be written; exits with 2 for a wrong command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.train_policies", description="Train policies.")
    add, table = parser.add_argument, rows()
    add("--only", nargs="+", choices=table, default=list(table), metavar="NAME", help="their files (default: all)")
    add("--out", type=Path, default=Path("build/policies"), metavar="FOLDER", help="(default: build/policies)")
    add("--device", choices=DEVICES, default="auto", help="a GPU if there is one (default: auto)")
    add("--threads", type=int, help="(default: one for each core)")
    add("--write", action="store_true", help="put complete policies into the library")
    arguments = parser.parse_args(command)
    try:
        for name in arguments.only:
            file = arguments.out / f"{name}{POLICY_SUFFIX}"
            if not file.exists():
                if status := train_row(table[name], arguments.out / name, arguments.device, arguments.threads):
                    return status
                complete(table[name], arguments.out / name / POLICY, file)
            if arguments.write:
                (SHIPPED / file.name).write_bytes(file.read_bytes())
    except (TypeError, ValueError, OSError) as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
