"""Play a trained policy, or any agent, against agents, each deal from all seats.

For example: t2r evaluate my_policy/policy.safetensors --against greedy planner
             t2r evaluate policy --variant new_york
"""

import argparse

from t2r_env.basics.packages import needs
from t2r_env.commands.options import add_configuration, agents_help


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the subcommand takes."""
    add = parser.add_argument
    add("agent", metavar="AGENT", help="the file of a policy, or an agent as a tournament takes it")
    add_configuration(
        parser,
        "that of the policies' files if they agree, else usa with its defaults",
    )
    add(
        "--against",
        nargs="+",
        default=["random", "greedy", "planner"],
        metavar="AGENT",
        help=f"{agents_help()} (default: random greedy planner)",
    )
    add("--games", type=int, default=2000, help="against each agent, rounded up to whole deals (default: 2000)")
    add("--seed", type=int, default=0, help="of the deals and of the agents (default: 0)")
    add("--sample", action="store_true", help="sample actions from the policy (default: the most probable ones)")


def run(arguments: argparse.Namespace) -> int:
    """Play (`t2r_agents.comparing.evaluate`)."""
    with needs("tournament"):
        from t2r_agents.comparing import evaluate
    return evaluate.run(arguments)
