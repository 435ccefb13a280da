"""A harness in the form of Kaggle's Game Arena: prompts from observations, moves from answers, forfeits.

`Harness` has the methods of `GameHarness` in `kaggle_environments.core_harness`, whose `create_agent_fn` makes an agent
of it. `create_agent` stands in for that: it asks again after an illegal move, and gives up by the action -1.

    python examples/kaggle_harness.py --games 3 --slips 0.1     # a script answers
    python examples/kaggle_harness.py --model gpt-5-mini --opponents planner     # OPENAI_API_KEY, OPENAI_BASE_URL
"""

import argparse
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from t2r_env.text import LegalAction, TextGame, parse_action, rules_text

Observation = Mapping[str, Any]
Model = Callable[[str], str]
"""Answers a prompt."""
FORFEIT = -1  # as in OpenSpiel


@dataclass(frozen=True)
class ParseResult:
    """The move in an answer, with the fields of Kaggle's class of this name."""

    legal_action: str | None = None
    raw_action: str | None = None
    submission: None = None
    thoughts: str | None = None


class Harness:
    """Prompts and moves of one game."""

    def __init__(self, rules: str) -> None:
        self.rules = rules

    def get_legal_moves(self, observation: Observation) -> dict[int, str]:
        """Return the legal actions: their texts by their numbers."""
        return dict(zip(observation["legalActions"], observation["legalActionStrings"], strict=True))

    def make_prompt(
        self,
        observation: Observation,
        move_history: Sequence[str],
        previous_response: str | None = None,
        previous_action: str | None = None,
    ) -> str:
        """Return the prompt for a decision; after a wrong answer it says so."""
        lines = [self.rules, observation["observationString"], f"You are player_{observation['playerId']}."]
        lines += [f"Your moves so far: {', '.join(move_history) or 'none'}"]
        if previous_response is not None:
            lines += [f"You have answered: {previous_response[:500]}", f"That is wrong: {previous_action}"]
        return "\n".join([*lines, 'End your answer with your move: {"move": "draw deck"}'])

    def parse_response(
        self, response: str, legal_action_strings: Sequence[str] | None, *, observation: Observation
    ) -> ParseResult:
        """Return the legal move that an answer names, or what is wrong with it."""
        texts = legal_action_strings or []
        try:
            number = parse_action(response, [LegalAction.of_text(text, number) for number, text in enumerate(texts)])
        except ValueError as error:
            return ParseResult(raw_action=str(error))
        return ParseResult(legal_action=texts[number], raw_action=texts[number])


def create_agent(harness: Harness, model: Model, max_retries: int = 2) -> Callable[[Observation], dict[str, Any]]:
    """Return an agent, which takes an observation and returns its action as `submission`."""
    move_history: list[str] = []

    def agent(observation: Observation) -> dict[str, Any]:
        legal, response, wrong = harness.get_legal_moves(observation), None, None
        for _ in range(max_retries):
            response = model(harness.make_prompt(observation, move_history, response, wrong))
            result = harness.parse_response(response, [*legal.values()], observation=observation)
            if result.legal_action is not None:
                move_history.append(result.legal_action)
                number = next(number for number, text in legal.items() if text == result.legal_action)
                return {"submission": number, "actionString": result.legal_action, "status": "OK"}
            wrong = result.raw_action
        return {"submission": FORFEIT, "actionString": None, "status": wrong}

    return agent


def observe(game: TextGame) -> dict[str, Any]:
    """Return the observation that an agent gets."""
    texts = game.legal_moves()
    return {
        "observationString": game.view(),
        "legalActions": [*range(len(texts))],
        "legalActionStrings": texts,
        "currentPlayer": game.seat,
        "playerId": game.seat,
        "isTerminal": game.over,
    }


def play(game: TextGame, agent: Callable[[Observation], dict[str, Any]], seed: int) -> float | None:
    """Play a game; return its reward, None for a forfeit."""
    game.reset(seed)
    while not game.over:
        action = agent(observe(game))
        if action["submission"] == FORFEIT:
            game.forfeit()
        else:
            game.step(action["actionString"])
    return None if game.forfeited_by is not None else game.reward


def script(game: TextGame, slips: float, rng: random.Random) -> Model:
    """Return what answers at random, as if it knew the legal moves; a share of its answers are slips."""

    def answer(prompt: str) -> str:
        move = "claim Atlantis-El Dorado" if rng.random() < slips else rng.choice(game.legal_moves())
        return f'I have read {len(prompt)} characters, and play this: {{"move": "{move}"}}'

    return answer


def asking(name: str) -> Model:
    """Return a model at the server that the environment variables name (extra `llm`)."""
    from openai import OpenAI

    client = OpenAI()

    def ask(prompt: str) -> str:
        answer = client.chat.completions.create(model=name, messages=[{"role": "user", "content": prompt}])
        return answer.choices[0].message.content or ""

    return ask


def main(command: Sequence[str] | None = None) -> list[float | None]:
    """Play with the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="new_york", help="the name of a variant, or a folder")
    parser.add_argument("--opponents", default="random", help="an agent")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--model", help="the name of a model; a script answers by default")
    parser.add_argument("--slips", type=float, default=0.02, help="the share of the script's answers that are illegal")
    arguments = parser.parse_args(command)
    game = TextGame(arguments.variant, opponents=arguments.opponents)
    harness = Harness(rules_text(game.configuration))
    model = asking(arguments.model) if arguments.model else script(game, arguments.slips, random.Random(0))
    results = [play(game, create_agent(harness, model), seed) for seed in range(arguments.games)]
    print(f"{sum((it or 0) > 0 for it in results)} of {len(results)} games won, {results.count(None)} forfeited")
    return results


if __name__ == "__main__":
    main()
