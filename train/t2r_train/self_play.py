"""The games of a training run: the current policy plays against itself, and in some of them against the pool.

Every seat that the policy plays is training data, with the seat's own delayed rewards.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from t2r_agents.policy import draw_actions
from t2r_env import Configuration, Games
from t2r_env.agents import Agent, Decisions, choose_actions, decisions_of, step_agents
from t2r_env.seeding import agent_keys, decision_seeds, other_seeds
from t2r_train.inputs import Inputs, hidden_part
from t2r_train.network import Network
from t2r_train.pool import LEARNER, TrainingPool
from t2r_train.settings import Settings

SAMPLED_GAMES, SAMPLED_STEPS = 32, 512
"""The games and steps in which mean and standard deviation of the inputs are measured."""


@dataclass(frozen=True)
class Rollout:
    """The M decisions of the learner in T steps of N games, in their order. A step takes one action in each game."""

    inputs: NDArray[np.uint8]
    """(M, size) the observations."""
    hidden: NDArray[np.uint8]
    """(M, size) what the acting seat can't see; no columns if the critic does not see it."""
    masks: NDArray[np.bool_]
    """(M, actions)."""
    actions: NDArray[np.int64]
    """(M,)."""
    is_given: NDArray[np.bool_]
    """(M,) whether the planner chose the action, so that the policy does not learn from it."""
    log_probabilities: NDArray[np.float32]
    """(M, actions) of the network, which drew the actions unless an expert or the planner chose them."""
    values: NDArray[np.float32]
    """(M,) of the critic."""
    outcomes: NDArray[np.float32]
    """(M,) the ranks at the end that the network predicted."""
    steps: NDArray[np.int64]
    """(M,) the step of each decision; not falling."""
    rows: NDArray[np.int64]
    """(M,) its game."""
    seats: NDArray[np.int64]
    """(M,) its acting seat."""
    rewards: NDArray[np.float32]
    """(T, N, seats) of the environment."""
    rank_rewards: NDArray[np.float32]
    """(T, N, seats) for the rank at the end of a game."""
    over: NDArray[np.bool_]
    """(T, N) whether the step ended the game."""

    def __len__(self) -> int:
        return len(self.actions)


def advantages_of(
    rollout: Rollout, rewards: NDArray[np.float32], values: NDArray[np.float32], gamma: float, gae_lambda: float
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Estimate generalised advantages along the decisions of each seat: return them (M,) and whether they are known.

    A decision's reward is all that its seat earns (`rewards`, (T, N, seats)) until its next decision or the end,
    whoever's move it comes from. Where a game goes on behind the rollout, the value of a seat's last decision stands
    for what follows: the advantage of that one decision is not known. A turn limit is an end like any other.
    """
    num_games, num_seats = rewards.shape[1:]
    earned, next_values, next_advantages = (np.zeros((num_games, num_seats), np.float32) for _ in range(3))
    has_next = np.zeros((num_games, num_seats), np.bool_)
    advantages, is_known = np.zeros(len(values), np.float32), np.zeros(len(values), np.bool_)
    bounds = np.searchsorted(rollout.steps, np.arange(len(rewards) + 1))
    for step in reversed(range(len(rewards))):
        over = rollout.over[step]
        next_values[over], next_advantages[over], earned[over], has_next[over] = 0, 0, 0, True
        earned += rewards[step]
        now = slice(bounds[step], bounds[step + 1])
        at = rollout.rows[now], rollout.seats[now]
        errors = earned[at] + gamma * next_values[at] - values[now]
        is_known[now] = has_next[at]
        advantages[now] = np.where(is_known[now], errors + gamma * gae_lambda * next_advantages[at], 0)
        next_values[at], next_advantages[at], earned[at], has_next[at] = values[now], advantages[now], 0, True
    return advantages, is_known


class SelfPlay:
    """The games of a training run, which go on from one rollout to the next, also after pickling.

    A game's seats and the seeds of its agents follow from its seed alone.
    """

    def __init__(
        self,
        configuration: Configuration,
        settings: Settings,
        inputs: Inputs,
        pool: TrainingPool,
        batch: int,
        seed: int,
    ) -> None:
        """Begin a batch of games of one configuration; `seed` is that of the first game."""
        self.settings, self.inputs, self.pool = settings, inputs, pool
        self._ended: list[dict[str, NDArray[Any]]] = []
        options = settings.observation_options()
        self.games = Games(configuration, batch=batch, seed=seed, reward=settings.reward, **options)
        self.teams = np.array(configuration.rules[0].team[: configuration.num_players], np.int64)
        self.seating = np.full((batch, configuration.num_players), LEARNER)
        self._keys = np.zeros((batch, 2), np.uint64)
        self._hidden = hidden_part(configuration)
        self.begin(np.arange(batch))

    def begin(self, rows: NDArray[np.int64]) -> None:
        """Seat the players of new games in these rows."""
        self._keys[rows] = agent_keys(self.games.seeds[rows])
        self.seating[rows] = self.pool.draw(other_seeds(self._keys[rows], 2 + self.games.num_players), self.teams)

    def decisions(self, rows: NDArray[np.int64]) -> Decisions:
        """Return the decisions that these rows (k,) wait for."""
        return decisions_of(self.games, rows, decision_seeds(self.games, rows, self._keys))

    def seen(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.bool_]]:
        """Return the network's inputs for the decisions of games (k,): `inputs`, `hidden` and `masks` of a Rollout."""
        games, inputs = self.games, self.inputs
        observations = inputs.observation.fit(games.observations[rows], games.layout.observation)
        return observations, self._hidden_from(rows), inputs.masks(games.masks[rows])

    def _hidden_from(self, rows: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Return the part of the global state that the acting seats of games (k,) can't see, (k, size)."""
        if not self.inputs.hidden:
            return np.zeros((len(rows), 0), np.uint8)
        segments, columns = self._hidden
        hidden = np.take_along_axis(self.games.global_state(rows), columns[self.games.current[rows]], axis=1)
        return self.inputs.hidden.fit(hidden, segments)

    def _leave_tickets(self, observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Leave tickets to the planner: return where it decides, (k,), and forbid drawing them anywhere else.

        Where nothing else is legal they may be drawn. `masks`, (k, actions), is changed.
        """
        actions, planned = self.games.layout.actions, self.inputs.planned(observations)
        draw, keep = actions["draw_tickets"].start, actions["keep_ticket"].start
        is_given: NDArray[np.bool_] = masks[:, keep] | (planned == draw)
        masks[:, draw] &= is_given | (masks.sum(axis=1) == 1)
        return is_given

    def collect(
        self,
        network: Network,
        rng: np.random.Generator,
        expert: Agent | None = None,
        planner_tickets: bool = False,
        report: Callable[[int], object] = lambda decisions: None,
    ) -> Rollout:
        """Take `n_steps` steps. The learner's actions are drawn from the network's policy, or chosen by an expert.

        With `planner_tickets` the planner decides when to draw tickets and which to keep. `report` is called in each
        step with the number of the learner's decisions.
        """
        games, steps = self.games, self.settings.n_steps
        batch, seats = self.seating.shape
        all_rows = np.arange(batch)
        parts: list[tuple[NDArray[Any], ...]] = []
        rewards, ranks = np.zeros((2, steps, batch, seats), np.float32)
        over = np.zeros((steps, batch), np.bool_)
        with network.constant():
            for step in range(steps):
                is_own = self.seating[all_rows, games.current] == LEARNER
                own, others = np.flatnonzero(is_own), np.flatnonzero(~is_own)
                places = np.full(len(own), step), own, games.current[own].copy()
                seen = self.seen(own)
                is_given = self._leave_tickets(seen[0], seen[2]) if planner_tickets else np.zeros(len(own), np.bool_)
                output = network(*network.tensors(*seen))
                chosen = choose_actions(expert, self.decisions(own)) if expert else draw_from(output[0], rng)
                if is_given.any():
                    chosen[is_given] = self.inputs.planned(seen[0][is_given])
                parts.append((*seen, chosen, is_given, *(it.cpu().numpy() for it in output), *places))
                games.step(chosen, own)
                if others.size:
                    step_agents(
                        games, others, self.pool.agents, self.seating, decision_seeds(games, others, self._keys)
                    )
                rewards[step], over[step] = games.rewards, games.terminated | games.truncated
                if (ended := np.flatnonzero(over[step])).size:
                    ranks[step, ended] = self._end(ended)
                    self.begin(ended)
                report(len(own))
        columns: list[Any] = [np.concatenate(column) for column in zip(*parts, strict=True)]
        return Rollout(*[*columns, rewards, ranks, over])

    def _end(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Record the results of games that have ended; return the rewards for the ranks, (rows, seats)."""
        results, seating = self.games.results_of(rows), self.seating[rows]
        rewards = rank_rewards(results.ranks, int(self.teams.max()) + 1)
        is_scored = results.ranks[:, 0] > 0
        is_own = (seating == LEARNER) & is_scored[:, None]
        self.pool.record(seating[is_scored], rewards[is_scored])
        self._ended.append(
            {
                "ep_len_mean": results.decisions[is_scored] / seating.shape[1],
                "score_mean": results.scores[is_own],
                "tickets_completed_mean": results.completed[is_own],
                "tickets_failed_mean": results.failed[is_own],
            }
        )
        return rewards

    def ended(self) -> list[dict[str, NDArray[Any]]]:
        """Return what is known of the games that have ended since the last call, for `statistics_of`."""
        ended, self._ended = self._ended, []
        return ended


def statistics_of(ended: Sequence[Mapping[str, NDArray[Any]]]) -> dict[str, float]:
    """Return means over games that have ended. Truncated games do not count. Lengths are in decisions of a seat."""
    values = {name: np.concatenate([part[name] for part in ended]) for name in ended[0]} if ended else {}
    means = {f"rollout/{name}": float(value.mean()) for name, value in values.items() if value.size}
    return {"rollout/episodes": float(len(values["ep_len_mean"])) if values else 0.0} | means


def samples(settings: Settings, inputs: Inputs, agent: Agent) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the network's inputs (k, size), seen and hidden, in games of an agent against itself."""
    alone = replace(settings, latest_policy_share=1.0, fixed_opponents_share=0.0)
    rows = np.arange(SAMPLED_GAMES)
    found = []
    for configuration in settings.configurations():
        play = SelfPlay(configuration, alone, inputs, TrainingPool(alone), SAMPLED_GAMES, settings.seed)
        for _ in range(SAMPLED_STEPS):
            found.append(play.seen(rows)[:2])
            play.games.step(choose_actions(agent, play.decisions(rows)))
            play.begin(np.flatnonzero(play.games.terminated | play.games.truncated))
    observations, hidden = zip(*found, strict=True)
    return np.concatenate(observations), np.concatenate(hidden)


def rank_rewards(ranks: NDArray[np.int64], num_teams: int) -> NDArray[np.float32]:
    """Return 1 for the first rank, -1 for the last, linear in between, and 0 for rank 0 (truncated games)."""
    return np.where(ranks > 0, 1 - 2 * (ranks - 1) / (num_teams - 1), 0).astype(np.float32)


def win_rewards(rewards: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return 1 for the first rank and -1 for all others, given the rewards for ranks (..., seats); 0 where all are."""
    is_scored = rewards.any(axis=-1, keepdims=True)
    return np.where(is_scored, np.where(rewards == 1, 1, -1), 0).astype(np.float32)


def draw_from(log_probabilities: Tensor, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return an action for each row of log-probabilities (k, actions), drawn from them; (k,)."""
    # in float64, as in float32 a sum times the largest random number may be the sum again: an illegal action
    return draw_actions(log_probabilities.softmax(dim=1).double().cpu().numpy(), rng.random(len(log_probabilities)))
