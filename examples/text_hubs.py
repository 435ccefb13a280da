"""A game in text in the forms of GEM, SkyRL-gym, reasoning-gym, TextArena and Inspect, each in some ten lines.

python examples/text_hubs.py     # a script plays a game in each of them
"""

import argparse
import os
import random
from collections.abc import Sequence
from typing import Any

import gem
import skyrl_gym
import textarena
from gem.core import Env
from inspect_ai import Task, task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import Score, mean, scorer, stderr
from inspect_ai.solver import solver
from reasoning_gym.dataset import ProceduralDataset
from scripted_model import answer, serving
from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput

from t2r_env.text import TextGame


class GemEnv(Env):
    """GEM: the rules are in the first observation."""

    def __init__(self, **options: Any) -> None:
        self.game = TextGame(**options)

    def reset(self, seed: int | None = None) -> tuple[str, dict[str, Any]]:
        return self.game.reset(seed), {}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        text = self.game.step(action)
        return text, self.game.reward, self.game.over, False, {"fault": self.game.fault}


class SkyEnv(BaseTextEnv):
    """SkyRL-gym: `extras` is a row of the data set, with the column `seed`."""

    def __init__(self, env_config: Any = None, extras: Any = None) -> None:
        super().__init__()
        self.game, self.seed = TextGame(**env_config or {}), (extras or {}).get("seed")

    def init(self, prompt: list[dict[str, str]]) -> tuple[list[dict[str, str]], dict[str, Any]]:
        return [*prompt, {"role": "user", "content": self.game.reset(self.seed)}], {}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        said = [{"role": "user", "content": self.game.step(action)}]
        return BaseTextEnvStepOutput(
            observations=said, reward=self.game.reward, done=self.game.over, metadata={"fault": self.game.fault}
        )


class Puzzles(ProceduralDataset):
    """reasoning-gym, which knows single answers: find a good move; agents play on, and the score is 1 for a win."""

    def position(self, idx: int) -> tuple[TextGame, str]:
        game = TextGame("new_york", opponents="greedy", tries=1, changes=False, list_moves="all")
        game.reset(self.seed + idx)
        return game, game.play_on("greedy", moves=4 + idx % 16)

    def __getitem__(self, idx: int) -> dict[str, Any]:
        game, text = self.position(idx)
        return {"question": f"{game.rules}\n{text}", "answer": game.suggest("planner"), "metadata": {"idx": idx}}

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        game, _ = self.position(entry["metadata"]["idx"])
        game.step(answer or "")
        game.play_on("greedy")
        return (game.reward + 1) / 2


class Arena(textarena.Env):
    """TextArena: all seats are players of its own, in one game."""

    def __init__(self, **options: Any) -> None:
        self.options = options

    def reset(self, num_players: int, seed: int | None = None) -> None:
        self.game = TextGame(num_players=num_players, seats=[*range(num_players)], **self.options)
        self.text = self.game.reset(seed)

    def get_observation(self) -> tuple[int, str]:
        return self.game.seat, self.text

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        self.text = self.game.step(action)
        return self.game.over, {"fault": self.game.fault}

    def close(self) -> tuple[dict[int, float], dict[str, Any]]:
        return dict(enumerate(self.game.rewards)), {"result": self.game.result()}


@solver
def play(**options: Any) -> Any:
    """Inspect: a sample's input is the seed of its game."""

    async def solve(state: Any, generate: Any) -> Any:
        game = TextGame(rules=False, **options)
        text = game.reset(int(state.input_text))
        state.messages = [ChatMessageSystem(content=game.rules)]
        while not game.over:
            state.messages.append(ChatMessageUser(content=text))
            state = await generate(state)
            text = game.step(state.output.completion)
        state.metadata |= {"reward": game.reward, "result": game.result()}
        return state

    return solve


@scorer(metrics=[mean(), stderr()])
def reward() -> Any:
    """Inspect: the reward of the game."""

    async def score(state: Any, target: Any) -> Score:
        return Score(value=state.metadata["reward"], explanation=state.metadata["result"])

    return score


@task
def new_york(games: int = 1) -> Task:
    """Inspect: `inspect eval text_hubs.py --model openai/gpt-5-mini -T games=100`."""
    samples = [Sample(input=str(seed)) for seed in range(games)]
    return Task(dataset=samples, solver=play(variant="new_york", opponents="greedy", list_moves="all"), scorer=reward())


def main(command: Sequence[str] | None = None) -> None:
    """Play a game in each form."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args(
        command
    )
    rng, options = random.Random(0), {"variant": "new_york", "list_moves": "all"}
    played = {}

    gem.register("t2r", GemEnv, **options)
    env, over = gem.make("t2r"), False
    text, _ = env.reset(seed=1)
    while not over:
        text, played["GEM"], over, *_ = env.step(answer(text, rng))

    skyrl_gym.register("t2r", SkyEnv)
    sky = skyrl_gym.make("t2r", env_config=options, extras={"seed": 1})
    said, done = sky.init([])[0], False
    while not done:
        out = sky.step(answer(said[-1]["content"], rng))
        said, done, played["SkyRL-gym"] = out["observations"], out["done"], out["reward"]

    puzzle = Puzzles(None, seed=1)[5]
    played["reasoning-gym"] = Puzzles(None, seed=1).score_answer(puzzle["answer"], puzzle)

    textarena.register("t2r", Arena, **options)
    arena, done = textarena.make("t2r"), False
    arena.reset(num_players=3, seed=1)
    while not done:
        _, text = arena.get_observation()
        done, _ = arena.step(answer(text, rng))
    played["TextArena"] = arena.close()[0][0]

    with serving() as url:
        os.environ |= {"LOCAL_BASE_URL": url, "LOCAL_API_KEY": "none"}
        (log,) = evaluate(new_york(), model="openai-api/local/scripted", max_retries=1, display="none", log_dir="logs")
    assert log.status == "success", log.error
    played["Inspect"] = log.samples[0].scores["reward"].value
    print(f"a game in each of {len(played)}: {', '.join(f'{name} {earned:+.1f}' for name, earned in played.items())}")


if __name__ == "__main__":
    main()
