"""Compile what most tests use, before several processes would each compile it: `python -m tests.helpers.compiling`."""

from collections.abc import Iterator

from t2r_env.commands.compile import compile_all

AGENTS = ("planner", "one_step", "ismcts:1", "ismcts:2,policy", "tests.helpers.simulated_player:SimulatedPlayer")


def compile_for_tests() -> Iterator[str]:
    """Yield a line about each part when it is compiled."""
    return compile_all(AGENTS, ())


if __name__ == "__main__":
    for line in compile_for_tests():
        print(line, flush=True)
