"""Play one game at random through the PettingZoo API; print the claims and the result.

Agents take turns. `env.last()` gives the acting agent its observation, with the mask of its legal actions, and the
reward since its previous action; `env.describe(action)` describes an action in words.

    python examples/random_play.py
    python examples/random_play.py --variant usa --num-players 4 --seed 3
"""

import argparse
from collections.abc import Sequence

import t2r_env


def play(variant: str, num_players: int | None, seed: int) -> dict[str, float]:
    """Play one game, printing a line for each claim and for each agent's result; return each agent's return."""
    env = t2r_env.env(variant, num_players=num_players)
    env.reset(seed=seed)
    for seat, agent in enumerate(env.agents):
        env.action_space(agent).seed(seed + seat)
    returns = dict.fromkeys(env.possible_agents, 0.0)
    decisions = 0
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        returns[agent] += reward
        if terminated or truncated:
            env.step(None)
            result = {name: value for name, value in info.items() if name != "action_mask"}
            print(f"end: {agent} has the reward {reward:+.1f}, {result}")
            continue
        action = env.action_space(agent).sample(observation["action_mask"])
        description = env.describe(action)
        if description["action"] == "claim":
            print(f"decision {decisions:3}: {agent}: {description}")
        decisions += 1
        env.step(action)
    return returns


def main(command: Sequence[str] | None = None) -> dict[str, float]:
    """Play with the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="new_york", help=f"one of {', '.join(t2r_env.VARIANTS)}, or a folder")
    parser.add_argument("--num-players", type=int, help="the fewest that the variant allows by default")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(command)
    return play(arguments.variant, arguments.num_players, arguments.seed)


if __name__ == "__main__":
    main()
