"""Time to strength: minutes of one core until a policy that begins from nothing wins enough games against `planner`.

    python -m benchmarks.time_to_strength --variant new_york --minutes 15
    python -m benchmarks.time_to_strength --variant usa --minutes 60 --methods t2r_train

Each method trains with its defaults for 2 players (USA with the classic tickets) and one thread; now and then its
policy plays games against `planner` that it has not seen, each deal from both seats. The time is processor time of the
training alone. Methods are

- `t2r_train`: `t2r train`;
- `maskable_ppo`: MaskablePPO of sb3-contrib on `SeatVecEnv`, against `planner`, with the settings of
  examples/stable_baselines.py;
- `example`: examples/ppo.py.

One line of JSON for each run and evaluation; with `--out` they are appended to a file, and runs that are complete there
are left out.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from benchmarks.machine import describe_machine
from benchmarks.strength import OPTIONS
from examples import ppo
from t2r_agents.comparing.evaluate import match, result_of
from t2r_agents.playing.policy import PolicyAgent
from t2r_env import Games, configure
from t2r_env.agents import Agent, Decisions
from t2r_env.envs.stable_baselines import SeatVecEnv
from t2r_train.settings import settings_for
from t2r_train.training import Training

GAMES = 1000
FIRST_SEED = 1 << 43
"""The deals of evaluations begin here, far from those of training."""
LEVELS = (0.5, 0.6, 0.7, 0.75)
Evaluated = Iterator[tuple[float, Agent]]
"""Minutes of one core so far, and the agent that has been trained in them."""


def by_t2r_train(variant: str, seed: int, minutes: float, every: float, timesteps: int | None) -> Evaluated:
    """Train as the command does, but for its own evaluations, which are short."""
    given = {} if timesteps is None else {"total_timesteps": timesteps}
    options = OPTIONS.get(variant, {})
    settings = settings_for(variant, {"seed": seed, "options": options, "n_eval_episodes": 2, **given})
    spent = 0.0
    with tempfile.TemporaryDirectory() as name:
        training = Training(Path(name), settings, device="cpu", threads=1)
        while spent < minutes and not training.is_done:
            begun = time.process_time()
            training.run(lambda line: None, _until(begun + 60 * every))
            spent += (time.process_time() - begun) / 60
            yield spent, PolicyAgent(training.policy())
            training = Training(Path(name), device="cpu", threads=1)


def _until(end: float) -> Callable[[], bool]:
    """Return whether the processor time of this process has come to an end."""
    return lambda: time.process_time() > end


class Model(Agent):
    """A model of sb3-contrib as an agent."""

    stateless = True

    def __init__(self, model: MaskablePPO) -> None:
        self._model = model

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return the most probable actions."""
        actions, _ = self._model.predict(decisions.observations, action_masks=decisions.masks, deterministic=True)
        return np.asarray(actions, np.int64)


class Stop(BaseCallback):
    """Ends a part of a training run when its time is over."""

    def __init__(self, is_over: Callable[[], bool]) -> None:
        super().__init__()
        self._is_over = is_over

    def _on_step(self) -> bool:
        return not self._is_over()


def by_maskable_ppo(variant: str, seed: int, minutes: float, every: float, _: int | None) -> Evaluated:
    """Train a model of sb3-contrib."""
    options = OPTIONS.get(variant, {})
    env = SeatVecEnv(variant, num_envs=64, opponents="planner", seat="random", reward="margin", seed=seed, **options)
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=512, seed=seed, device="cpu")
    spent = 0.0
    while spent < minutes:
        begun = time.process_time()
        model.learn(10**9, Stop(_until(begun + 60 * every)), reset_num_timesteps=False)
        spent += (time.process_time() - begun) / 60
        yield spent, Model(model)


class Example(Agent):
    """A network of examples/ppo.py as an agent."""

    stateless = True

    def __init__(self, network: ppo.Network) -> None:
        self._network = network

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return the most probable actions."""
        with torch.no_grad():
            policy, _ = self._network(torch.tensor(decisions.observations), torch.tensor(decisions.masks))
        return np.asarray(policy.logits.argmax(dim=-1), np.int64)


def by_example(variant: str, seed: int, minutes: float, every: float, _: int | None) -> Evaluated:
    """Train as examples/ppo.py does; its learning rate falls to 0 in the time that there is."""
    args, options = ppo.Args(variant=variant, seed=seed), OPTIONS.get(variant, {})
    torch.manual_seed(seed)
    games = Games(variant, args.num_players, args.num_envs, seed, reward=args.reward, **options)
    network = ppo.Network(games.observations.shape[1], games.masks.shape[1], args.hidden_size)
    optimizer = torch.optim.Adam(network.parameters(), lr=args.learning_rate, eps=1e-5)
    spent, told = 0.0, 0.0
    while spent < minutes:
        begun = time.process_time()
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - spent / minutes)
        ppo.update(network, optimizer, ppo.collect(games, network, args), args)
        spent += (time.process_time() - begun) / 60
        if spent - told > every or spent >= minutes:
            told = spent
            yield spent, Example(network)


METHODS = {"t2r_train": by_t2r_train, "maskable_ppo": by_maskable_ppo, "example": by_example}


def measure(run: dict[str, Any], every: float) -> Iterator[dict[str, Any]]:
    """Yield the evaluations of one run, and at the end when each level was reached first."""
    method, variant, seed, minutes, timesteps = run.values()
    reached: dict[float, float] = {}
    configuration = configure(variant, **OPTIONS.get(variant, {}))
    for spent, agent in METHODS[method](variant, seed, minutes, every, timesteps):
        batches = match(configuration, agent, "planner", GAMES, FIRST_SEED + seed)
        wins = result_of(configuration, [entry for entries in batches for entry in entries]).wins
        for level in LEVELS:
            if wins.value >= level:
                reached.setdefault(level, spent)
        yield run | {"after": round(spent, 2), "wins": round(wins.value, 4), "of": GAMES}
    first = {f"{level:.0%}": round(spent, 2) for level, spent in reached.items()}
    yield run | {"reached": first}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Minutes of one core until a policy beats the planner.")
    parser.add_argument("--variant", choices=("new_york", "usa"), default="new_york")
    parser.add_argument("--methods", choices=list(METHODS), nargs="+", default=list(METHODS), help="(default: all)")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2], help="(default: 0 1 2)")
    parser.add_argument("--minutes", type=float, default=15.0, help="of each run (default: 15)")
    parser.add_argument("--total-timesteps", type=int, help="of t2r_train, which ends there (default: its own)")
    parser.add_argument("--every", type=float, default=0.5, help="minutes between evaluations (default: 0.5)")
    parser.add_argument("--out", type=Path, help="a file to which the lines are appended")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    known = arguments.out.read_text().splitlines() if arguments.out and arguments.out.exists() else []
    complete = [line for line in map(json.loads, known) if "reached" in line]
    console = Console(stderr=True)
    for method in arguments.methods:
        for seed in arguments.seeds:
            run = {
                "method": method,
                "variant": arguments.variant,
                "seed": seed,
                "minutes": arguments.minutes,
                "timesteps": arguments.total_timesteps if method == "t2r_train" else None,
            }
            if any(run.items() <= line.items() for line in complete):
                continue
            with console.status(f"{method} {arguments.variant} seed {seed}"):
                for line in measure(run, arguments.every):
                    text = json.dumps(line | {"machine": describe_machine()})
                    print(text, flush=True)
                    if arguments.out:
                        with arguments.out.open("a") as file:
                            file.write(text + "\n")


if __name__ == "__main__":
    main()
