"""The games of a training run: the current policy plays against itself, and in some of them against the pool.

Every seat that the policy plays is training data, with the seat's own delayed rewards. The games are in groups, and
each group is played by a thread of its own: so while the network looks at one, others are stepped.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from t2r_env import Configuration, Games
from t2r_env.agents import decisions_of
from t2r_env.core.randomness import next_seed
from t2r_env.seeding import agent_keys, decision_seeds, other_seeds, uniform_of
from t2r_train.experience import OUTCOME, RETURN, Experience
from t2r_train.inputs import Inputs
from t2r_train.network import Network
from t2r_train.pool import LEARNER, FixedAgents, TrainingPool
from t2r_train.settings import Settings

LENGTH_GAMES, LENGTH_DECISIONS = 64, 1000
"""The games in which the length of a game is measured, and the most decisions that are counted."""


class SelfPlay:
    """A group of games of one configuration, which go on from one rollout to the next.

    A step takes one action in each game: `choose` lets the networks choose those of their seats; `step` lets the fixed
    agents choose theirs, and takes them all.
    """

    def __init__(
        self,
        configuration: Configuration,
        settings: Settings,
        inputs: Inputs,
        pool: TrainingPool,
        experience: Experience,
        seeds: NDArray[np.uint64],
        threads: int = 1,
    ) -> None:
        """Begin games from seeds, (games,). `experience` has room for the decisions of a rollout in them.

        `threads` share what the core and the fixed agents do.
        """
        self.settings, self.inputs, self.pool, self.experience = settings, inputs, pool, experience
        self._agents = FixedAgents(settings.fixed_opponents, threads)
        self.teams = np.array(configuration.rules[0].team[: configuration.num_players], np.int64)
        batch, seats, device = len(seeds), configuration.num_players, experience.actions.device
        self.games = games = Games(
            configuration,
            batch=batch,
            seed=0,
            reward=settings.reward,
            autoreset=False,  # the players of a new game are known before its first decision
            global_state=inputs.hidden.size > 0,
            threads=threads,
            **settings.observation_options(),
        )
        self.count = 0
        """How many decisions of the rollout are in `experience`."""
        self.places: list[NDArray[np.int64]] = []
        """The places of the decisions of each step: game * seats + seat."""
        self.rewards = np.zeros((settings.n_steps, batch, seats, 2), np.float32)
        """The rewards of each step: what the return sums up, and the outcome at the end of a game."""
        self.over = np.zeros((settings.n_steps, batch), np.bool_)
        """Whether each step ended the game."""
        self.ended: list[tuple[NDArray[np.int64], NDArray[np.float32]]] = []
        """Who played each seat, and the rewards for the ranks, in games of the rollout that ended by the rules."""
        self.seating = np.full((batch, seats), LEARNER)
        self._keys = np.zeros((batch, 2), np.uint64)
        self._all_rows = np.arange(batch)
        self._scored: list[dict[str, NDArray[Any]]] = []
        self._device = device
        actions = np.zeros(batch, np.int64)
        self._observations, self._masks, self._global_states, self._actions = (
            page_locked(it, device) for it in (games.observations, games.masks, games.global_states, actions)
        )
        games.write_to(
            observations=self._observations.numpy(),
            masks=self._masks.numpy(),
            global_states=self._global_states.numpy(),
        )
        self._chosen = torch.zeros(batch, dtype=torch.int64, device=device)
        is_gpu = device.type == "cuda"
        self._stream = torch.cuda.Stream(device) if is_gpu else None  # type: ignore[no-untyped-call]  # PyTorch's
        self._is_chosen = torch.cuda.Event() if is_gpu else None  # type: ignore[no-untyped-call]  # PyTorch's
        self._columns = inputs.columns_of(games.layout.observation)
        self._hidden_columns = torch.from_numpy(inputs.hidden_columns_of(configuration)).to(device)
        self._begin(self._all_rows, seeds)

    def _begin(self, rows: NDArray[np.int64], seeds: NDArray[np.uint64]) -> None:
        """Begin new games in these rows. A game's players and the seeds of its agents follow from its seed alone."""
        self._keys[rows] = agent_keys(seeds)
        players = self.pool.draw(other_seeds(self._keys[rows], 2 + self.games.num_players), self.teams)
        self._seat(rows, players)
        self.games.reset(rows, seeds)

    def _seat(self, rows: NDArray[np.int64], players: NDArray[np.int64]) -> None:
        self._agents.begin(rows.tolist())
        self.seating[rows] = players
        self.games.featured_seats[rows] = self.pool.has_network(players)

    def play(
        self,
        network: Network,
        planner_tickets: bool = False,
        report: Callable[[int], object] = lambda decisions: None,
    ) -> None:
        """Take `n_steps` steps, whose decisions are then in `learned`; `report` is called with their number in each.

        With `planner_tickets` the planner decides for the learner when to draw tickets, and which to keep.
        """
        self.count, self.places, self.ended = 0, [], []
        with torch.cuda.stream(self._stream):  # of this group alone; None, without a GPU, changes nothing
            for step in range(self.settings.n_steps):
                report(self.choose(network, planner_tickets))
                self.step(step)

    @property
    def learned(self) -> Experience:
        """The learner's decisions of this rollout, in their order."""
        return self.experience[: self.count]

    # One step

    @torch.inference_mode()
    def choose(self, network: Network, planner_tickets: bool = False) -> int:
        """Let the networks choose actions for their seats; return how many decisions are the learner's.

        The random numbers that actions are drawn by follow from each game's seed, so it does not matter which games are
        played together.
        """
        current, device = self.games.current, self._device
        sitting = self.seating[self._all_rows, current]
        own = np.flatnonzero(sitting == LEARNER)
        rows, seats = (torch.from_numpy(it).to(device, non_blocking=True) for it in (own, current[own]))
        self._seeds = decision_seeds(self.games, self._all_rows, self._keys)
        uniform = torch.from_numpy(uniform_of(self._seeds))
        observations, masks, states, uniform = (
            it.to(device, non_blocking=True) for it in (self._observations, self._masks, self._global_states, uniform)
        )
        here = self.experience[self.count : self.count + len(own)]
        self._look(observations.index_select(0, rows), masks.index_select(0, rows), here)
        columns = self._hidden_columns[seats]
        here.hidden.copy_(functional.pad(states.index_select(0, rows), (0, 1)).gather(1, columns))
        here.is_given.fill_(False)  # the rows are those of an earlier rollout
        if planner_tickets:
            self._leave_tickets(here)
        log_probabilities, values = network(here.inputs, here.hidden, here.masks)
        actions = draw(log_probabilities, uniform[rows])
        if planner_tickets:
            actions = torch.where(here.is_given, self.inputs.planned(here.inputs), actions)
        here.actions.copy_(actions)
        here.values.copy_(values)
        here.log_probabilities.copy_(log_probabilities.gather(1, actions[:, None])[:, 0])
        self._chosen[rows] = actions
        for index, snapshot in self.pool.snapshots_among(sitting):
            rows = torch.from_numpy(np.flatnonzero(sitting == index)).to(device, non_blocking=True)
            theirs = Experience.empty(len(rows), self.inputs, device)
            self._look(observations.index_select(0, rows), masks.index_select(0, rows), theirs)
            self._chosen[rows] = draw(snapshot.log_probabilities(theirs.inputs, theirs.masks), uniform[rows])
        self._actions.copy_(self._chosen, non_blocking=True)
        if self._is_chosen:
            self._is_chosen.record()
        self.places.append(own * self.games.num_players + current[own])
        self.count += len(own)
        return len(own)

    def _look(self, observations: Tensor, masks: Tensor, seen: Experience) -> None:
        """Write observations and masks of this configuration where the network expects them."""
        here, there = self._columns
        seen.inputs[:, here] = observations[:, there]
        seen.masks[:, : masks.shape[1]] = masks

    def _leave_tickets(self, seen: Experience) -> None:
        """Leave tickets to the planner: say where it decides, and forbid drawing them anywhere else.

        Where nothing else is legal they may be drawn.
        """
        actions, masks = self.games.layout.actions, seen.masks
        draw_tickets, keep = actions["draw_tickets"].start, actions["keep_ticket"].start
        seen.is_given.copy_(masks[:, keep] | (self.inputs.planned(seen.inputs) == draw_tickets))
        masks[:, draw_tickets] &= seen.is_given | (masks.sum(dim=1) == 1)

    def step(self, step: int) -> None:
        """Let the fixed agents choose for their seats, and take the actions in all games; `step` is of the rollout."""
        games, pool = self.games, self.pool
        if self._is_chosen:
            self._is_chosen.synchronize()
        actions, sitting = self._actions.numpy(), self.seating[self._all_rows, games.current]
        for index in pool.agents_among(sitting):
            rows = np.flatnonzero(sitting == index)
            actions[rows] = self._agents.choose(index, decisions_of(games, rows, self._seeds[rows]), rows)
        games.step(actions)
        self.rewards[step, ..., RETURN] = games.rewards / np.float32(self.settings.reward_unit)
        self.rewards[step, ..., OUTCOME] = 0
        self.over[step] = games.terminated | games.truncated
        if (ended := np.flatnonzero(self.over[step])).size:
            outcomes = self._end(ended)
            self.rewards[step, ended, :, RETURN] += self.settings.win_reward * win_rewards(outcomes)
            self.rewards[step, ended, :, OUTCOME] = outcomes
            self.restart(ended)

    def restart(self, rows: NDArray[np.int64]) -> None:
        """Begin the next games in these rows."""
        self._begin(rows, np.array([next_seed(seed) for seed in self.games.seeds[rows]], np.uint64))

    def _end(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Record the results of games that have ended; return the rewards for the ranks, (rows, seats)."""
        results, seating = self.games.results_of(rows), self.seating[rows]
        rewards = rank_rewards(results.ranks, int(self.teams.max()) + 1)
        is_scored = results.ranks[:, 0] > 0
        is_own = (seating == LEARNER) & is_scored[:, None]
        self.ended.append((seating[is_scored], rewards[is_scored]))
        self._scored.append(
            {
                "ep_len_mean": results.decisions[is_scored] / seating.shape[1],
                "score_mean": results.scores[is_own],
                "tickets_completed_mean": results.completed[is_own],
                "tickets_failed_mean": results.failed[is_own],
            }
        )
        return rewards

    def take_scores(self) -> list[dict[str, NDArray[Any]]]:
        """Return what is known of the games that have ended since the last call, for `statistics_of`."""
        scored, self._scored = self._scored, []
        return scored

    # Between two rollouts

    def state(self) -> dict[str, Tensor]:
        """Return the games and their players, for `set_state`."""
        states, seeds = self.games.states.view(np.uint8).reshape(len(self.seating), -1), self.games.seeds.view(np.int64)
        return {
            name: torch.from_numpy(it.copy())
            for name, it in (("states", states), ("seeds", seeds), ("seating", self.seating))
        }

    def set_state(self, state: Mapping[str, Tensor]) -> None:
        """Go on from what `state` returned. Raises ValueError for games of other rules, or that can't be played on."""
        seeds = state["seeds"].numpy().view(np.uint64)
        self._keys[:] = agent_keys(seeds)
        self._seat(self._all_rows, state["seating"].numpy())
        self.games.set_states(None, state["states"].numpy().view(self.games.states.dtype)[:, 0])
        self.games.seeds[:] = seeds


def collect(
    plays: Sequence[SelfPlay],
    network: Network,
    planner_tickets: bool = False,
    report: Callable[[int], object] = lambda decisions: None,
    *,
    threads: int = 1,
) -> None:
    """Play a rollout in all groups of games, with a number of threads; see `SelfPlay.play`."""

    def play(group: SelfPlay) -> None:
        group.play(network, planner_tickets, report)

    with network.constant(), ThreadPoolExecutor(threads) as executor:
        wait_for(network.device)  # its weights are those of another stream
        for _ in executor.map(play, plays):
            pass
        wait_for(network.device)
    plays[0].pool.record([it for group in plays for it in group.ended])  # now: its shares change between rollouts only


def spread(plays: Sequence[SelfPlay], network: Network, *, first: int = 0, threads: int = 1) -> None:
    """Play about a game, and begin another share of the games again after each rollout.

    Else all games would be in the same part of a game for many iterations, and the policy would learn one part at the
    cost of the others. `first` is how many games other ranks have before these.
    """
    rollouts = -(-max(random_length(play.games.configuration) for play in plays) // plays[0].settings.n_steps)
    for rollout in range(rollouts):
        collect(plays, network, threads=threads)
        begun = first
        for play in plays:
            play.restart(np.arange((rollout - begun) % rollouts, play.games.batch, rollouts))
            begun += play.games.batch
    for play in plays:
        play.take_scores()  # of games that are no part of the training run


def random_length(configuration: Configuration) -> int:
    """Return how many decisions games of random play have on average, about."""
    games = Games(configuration, batch=LENGTH_GAMES, seed=0, autoreset=False)
    games.play_random(LENGTH_DECISIONS)
    return int(games.results.decisions.mean())


def draw(log_probabilities: Tensor, uniform: Tensor) -> Tensor:
    """Return actions, (k,), for log-probabilities (k, actions), drawn by numbers from 0 to below 1, float64 (k,)."""
    # in float64, as in float32 a sum times the largest random number may be the sum again: an illegal action
    cumulative = log_probabilities.softmax(dim=1).double().cumsum(dim=1)
    return torch.searchsorted(cumulative, uniform[:, None] * cumulative[:, -1:], right=True).squeeze(1)


def wait_for(device: torch.device) -> None:
    """Wait until a GPU has done all that it was told, in all streams."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def page_locked(array: NDArray[Any], device: torch.device) -> Tensor:
    """Return zeros of an array's shape and type on the CPU, in memory that a GPU reads and writes by itself."""
    tensor = torch.from_numpy(np.zeros_like(array))
    return tensor.pin_memory() if device.type == "cuda" else tensor


def statistics_of(ended: Sequence[Mapping[str, NDArray[Any]]]) -> dict[str, float]:
    """Return means over games that have ended. Truncated games do not count. Lengths are in decisions of a seat."""
    values = {name: np.concatenate([part[name] for part in ended]) for name in ended[0]} if ended else {}
    means = {f"rollout/{name}": float(value.mean()) for name, value in values.items() if value.size}
    return {"rollout/episodes": float(len(values["ep_len_mean"])) if values else 0.0} | means


def rank_rewards(ranks: NDArray[np.int64], num_teams: int) -> NDArray[np.float32]:
    """Return 1 for the first rank, -1 for the last, linear in between, and 0 for rank 0 (truncated games)."""
    return np.where(ranks > 0, 1 - 2 * (ranks - 1) / (num_teams - 1), 0).astype(np.float32)


def win_rewards(rewards: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return 1 for the first rank and -1 for all others, given the rewards for ranks (..., seats); 0 where all are."""
    is_scored = rewards.any(axis=-1, keepdims=True)
    return np.where(is_scored, np.where(rewards == 1, 1, -1), 0).astype(np.float32)
