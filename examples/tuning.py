"""Tuning: Optuna or Ray Tune search for good settings, and Weights & Biases logs each trial.

A trial trains MaskablePPO against random opponents and returns its share of wins in other games. Without `--wandb`
nothing is logged; with it, WANDB_MODE=offline keeps the logs on this machine.

    python examples/tuning.py                     # Optuna
    python examples/tuning.py --by ray            # Ray Tune, one trial for each core at a time
    python examples/tuning.py --trials 30 --total-timesteps 200000 --wandb
"""

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy

from t2r_env.envs.stable_baselines import SeatVecEnv

EVALUATION_SEED = 1_000_000
"""Evaluations play games that training does not."""
EPISODES = 200


def train(settings: Mapping[str, Any], seed: int = 0) -> float:
    """Train with these settings; return the share of games won against random play."""
    torch.set_num_threads(1)
    games = SeatVecEnv("new_york", num_envs=32, seat="random", reward="margin", seed=seed)
    learned = {"learning_rate": settings["learning_rate"], "ent_coef": settings["ent_coef"]}
    log = tempfile.mkdtemp() if settings["wandb"] else None  # TensorBoard's events, which wandb reads
    model = MaskablePPO("MlpPolicy", games, n_steps=64, batch_size=256, seed=seed, tensorboard_log=log, **learned)
    model.learn(settings["total_timesteps"])
    fresh = SeatVecEnv("new_york", num_envs=32, seat="random", reward="win", seed=EVALUATION_SEED)
    wins, _ = evaluate_policy(model, fresh, n_eval_episodes=EPISODES, return_episode_rewards=True)
    return float(np.mean(wins))


def train_and_log(settings: Mapping[str, Any]) -> float:
    """Train, and log the curves and the result to Weights & Biases if it is asked for."""
    if not settings["wandb"]:
        return train(settings)
    import wandb

    with wandb.init(project="t2r_env", config=dict(settings), sync_tensorboard=True, reinit=True) as run:
        share = train(settings)
        run.summary["wins"] = share
    return share


def search_by_optuna(trials: int, fixed: Mapping[str, Any]) -> tuple[dict[str, Any], float]:
    """Return the best settings that Optuna has found, and their share of wins."""
    import optuna

    def objective(trial: optuna.Trial) -> float:
        rate = trial.suggest_float("learning_rate", 1e-4, 1e-2, log=True)
        entropy = trial.suggest_float("ent_coef", 1e-4, 1e-1, log=True)
        return train_and_log({"learning_rate": rate, "ent_coef": entropy, **fixed})

    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=0))
    study.optimize(objective, n_trials=trials)
    return study.best_params, study.best_value


def search_by_ray(trials: int, fixed: Mapping[str, Any]) -> tuple[dict[str, Any], float]:
    """Return the best settings that Ray Tune has found by random search, and their share of wins."""
    from ray import tune

    space = {"learning_rate": tune.loguniform(1e-4, 1e-2), "ent_coef": tune.loguniform(1e-4, 1e-1), **fixed}
    tuner = tune.Tuner(
        lambda settings: {"wins": train_and_log(settings)},
        param_space=space,
        tune_config=tune.TuneConfig(metric="wins", mode="max", num_samples=trials),
    )
    best = tuner.fit().get_best_result()
    return {name: best.config[name] for name in ("learning_rate", "ent_coef")}, best.metrics["wins"]


def main(command: Sequence[str] | None = None) -> float:
    """Search with the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--by", choices=("optuna", "ray"), default="optuna")
    parser.add_argument("--trials", type=int, default=10)
    parser.add_argument("--total-timesteps", type=int, default=32_768, help="decisions of the learner in each trial")
    parser.add_argument("--wandb", action="store_true", help="log each trial to Weights & Biases")
    arguments = parser.parse_args(command)
    search = search_by_ray if arguments.by == "ray" else search_by_optuna
    fixed = {"total_timesteps": arguments.total_timesteps, "wandb": arguments.wandb}
    settings, share = search(arguments.trials, fixed)
    print(f"best of {arguments.trials} trials: {settings}: {share:.1%} of {EPISODES} games won against random play")
    return share


if __name__ == "__main__":
    main()
