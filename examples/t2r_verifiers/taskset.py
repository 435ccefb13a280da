"""A task is the seed of a game; the environment lets each seat's model play it in a conversation of its own.

vf-eval t2r_verifiers --env.models 3 --env.variant usa --select.limit 4 --model MODEL
vf-eval t2r_verifiers --env.models 1 --env.opponents planner --model MODEL
"""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from functools import partial
from itertools import count
from typing import Any, Literal

import verifiers.v1 as vf
from pydantic import Field

from t2r_env.text import TextGame


def _seat() -> vf.AgentConfig:
    """Return a seat without tools, which needs no sandbox. Its model is that of the run by default."""
    return vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})


class T2REnvConfig(vf.EnvConfig):
    """The game, and who plays it."""

    variant: str = "new_york"
    """A variant, or a folder of one."""
    num_players: int | None = None
    """The fewest that the variant allows and the models need by default."""
    models: int = Field(2, ge=1, le=5)
    """The seats of language models, `player_0` and on: each has its own reward and trace."""
    opponents: str = "greedy"
    """The agent that plays the other seats."""
    tries: int = Field(3, ge=1)
    """The replies without a legal move that forfeit a game."""
    list_moves: Literal["few", "all", "none"] = "few"
    """The decisions at which the legal moves are listed: all but the first of a turn, all, or none."""
    reward: Literal["rank", "win", "score", "margin"] = "rank"
    """Each seat's reward at the end; a seat that forfeits has -1."""
    player_0: vf.AgentConfig = _seat()
    player_1: vf.AgentConfig = _seat()
    player_2: vf.AgentConfig = _seat()
    player_3: vf.AgentConfig = _seat()
    player_4: vf.AgentConfig = _seat()


class T2RData(vf.TaskData):
    """A game: all of it is dealt from the seed."""

    seed: int


class T2RTask(vf.Task[T2RData]):
    """A game."""


class T2RConfig(vf.TasksetConfig):
    """The first of the seeds."""

    first_seed: int = Field(0, ge=0)
    """The first game's seed; the next ones follow. Train and test with others."""


class T2RTaskset(vf.Taskset[T2RTask, T2RConfig]):
    """Games without end."""

    INFINITE = True

    def load(self) -> Iterator[T2RTask]:
        """Yield one task for each seed."""
        for seed in count(self.config.first_seed):
            yield T2RTask(T2RData(name=f"game {seed}", prompt=None, seed=seed), self.config.task)


class T2REnv(vf.Env[T2REnvConfig]):
    """A game whose seats speak in turn. With each seed the models sit one seat further on."""

    async def run(self, task: vf.Task[T2RData], agents: vf.Agents) -> None:
        """Play the game of a task; record each model's reward, score and forfeit on its own trace."""
        game, seed = _new_game(self.config, task.data.seed), task.data.seed
        text = await asyncio.to_thread(game.reset, seed)
        seat_task = vf.Task(vf.TaskData(idx=task.data.idx, prompt=None, system_prompt=game.rules))
        async with AsyncExitStack() as stack:
            players = {
                seat: await stack.enter_async_context(getattr(agents, f"player_{index}").interaction(seat_task))
                for index, seat in enumerate(game.seats)
            }
            while not game.over:
                player = players[game.seat]
                said = await player.turn(text)
                if said.terminated and player.trace.errors:
                    raise vf.EnvError(f"seat {game.seat} gives no answer: {player.trace.errors[-1]}")
                go_on = game.forfeit if said.terminated else partial(game.step, said.last_reply)
                text = await asyncio.to_thread(go_on)
        for seat, player in players.items():
            _record(player.trace, game, seat, seed)


def _new_game(config: T2REnvConfig, seed: int) -> TextGame:
    """Return a game that has not begun. Raises ValueError."""
    num_players = config.num_players or (config.models if config.models > 2 else None)
    first = TextGame(config.variant, num_players).configuration
    seats = [(seed + index) % first.num_players for index in range(config.models)]
    options = {name: getattr(config, name) for name in ("opponents", "tries", "list_moves", "reward")}
    return TextGame(first, seats=seats, rules=False, **options)


def _record(trace: Any, game: TextGame, seat: int, seed: int) -> None:
    result = game.games.results.of(0, seat)  # empty after a forfeit
    trace.record_reward(game.games.reward, game.rewards[seat])
    trace.record_metric("forfeit", float(game.forfeited_by == seat))
    if result:
        trace.record_metric("score", float(result["score"]))
    trace.info["t2r"] = {"seed": seed, "seat": seat, "result": game.result(), "moves": game.moves} | result
