"""OpenSpiel: its search by ISMCTS against random play, and its rankings of a tournament's agents.

Importing `t2r_env.envs.openspiel` registers every game as `python_t2r`. docs/tools/openspiel.md says what OpenSpiel's
algorithms can do with it.

    python examples/openspiel_games.py
    python examples/openspiel_games.py --variant usa --num-players 3 --games 2
    python examples/openspiel_games.py --rank results     # the folder of a tournament of two agents or more
"""

import argparse
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
from open_spiel.python.algorithms.nash_averaging import nash_averaging
from open_spiel.python.algorithms.outcome_sampling_mccfr import OutcomeSamplingSolver
from open_spiel.python.bots.uniform_random import UniformRandomBot
from open_spiel.python.egt import alpharank

import t2r_env.envs.openspiel  # noqa: F401  # registers the games
from t2r_env.commands import main as t2r

INTENSITY = 10
"""How strongly alpha-rank prefers the better agent, as in the reports of this library."""


def play(game: Any, searching: int, simulations: int, seed: int) -> float:
    """Play one game and return what the seat gets that searches; the others play at random."""
    rng = np.random.RandomState(seed)
    bots = [UniformRandomBot(seat, rng) for seat in range(game.num_players())]
    evaluator = RandomRolloutEvaluator(1, rng)
    bots[searching] = ISMCTSBot(game, evaluator, uct_c=2.0, max_simulations=simulations, random_state=rng)
    state = game.new_initial_state()
    state.apply_action(rng.choice(len(state.chance_outcomes())))  # the deal
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    return float(state.returns()[searching])


def rank(folder: Path) -> Mapping[str, tuple[float, float]]:
    """Return each agent's part in alpha-rank and its value by Nash averaging, from the folder of a tournament."""
    results = json.loads((folder / "tournament.json").read_text(encoding="utf-8"))["results"]
    shares = np.array([[0.5 if it is None else it["value"] for it in row] for row in results["head_to_head"]])
    margins: NDArray[np.float64] = shares - shares.T
    _, _, parts, _, _ = alpharank.compute([margins], alpha=INTENSITY)
    _, values = nash_averaging(pyspiel.create_matrix_game(margins, -margins))
    agents = [it["agent"] for it in results["agents"]]
    return dict(zip(agents, zip(map(float, parts), map(float, np.ravel(values)), strict=True), strict=True))


def check() -> str:
    """Run OpenSpiel's own test of games, a table of regrets and both rankings, and return what came out."""
    for name in ("new_york", "card_game"):
        pyspiel.random_sim_test(pyspiel.load_game(f"python_t2r(variant={name})"), 1, serialize=True, verbose=False)
    solver = OutcomeSamplingSolver(pyspiel.load_game("python_t2r(deals=1)"))
    solver.iteration()
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["--variant", "new_york", "--agents", "greedy", "racer", "random", "--games", "12", "--out", folder]
        t2r(["tournament", *arguments])
        ranked = rank(Path(folder))
    last = min(ranked, key=lambda agent: ranked[agent])
    return f"OpenSpiel's own test passed; outcome sampling met {len(solver._infostates)} states; {last} is ranked last"


def main(command: Sequence[str] | None = None) -> None:
    """Do what the arguments of the command line say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="new_york", help="the name of a variant, or a folder")
    parser.add_argument("--num-players", type=int, default=2)
    parser.add_argument("--games", type=int, default=4, help="in which the search takes each seat in turn")
    parser.add_argument("--simulations", type=int, default=10, help="of each decision")
    parser.add_argument("--rank", type=Path, metavar="FOLDER", help="rank the agents of a tournament instead")
    parser.add_argument("--check", action="store_true", help="first run OpenSpiel's own test, and what else is shown")
    arguments = parser.parse_args(command)
    if arguments.rank:
        for agent, (part, value) in rank(arguments.rank).items():
            print(f"{agent}: alpha-rank {part:.1%}, Nash averaging {value:+.3f}")
        return
    if arguments.check:
        print(check())
    game = pyspiel.load_game("python_t2r", {"variant": arguments.variant, "num_players": arguments.num_players})
    seats = [number % arguments.num_players for number in range(arguments.games)]
    won = [play(game, seat, arguments.simulations, seed) == 1 for seed, seat in enumerate(seats)]
    print(f"{np.mean(won):.1%} of {len(won)} games won against random play")


if __name__ == "__main__":
    main()
