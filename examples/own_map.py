"""A map of your own: write its folder of tables, play a game on it and print the board.

A variant is a folder of tables, which docs/variants.md describes; it needs no code. Its path can be used wherever a
variant's name can: in every environment, for every agent and in tournaments.

    python examples/own_map.py
    python examples/own_map.py --folder maps/islands     # keeps the folder
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

import t2r_env

FILES = {
    "variant.toml": """\
id = "islands"
name = "Ferries of the Islands"
environment_version = 0
aspect = 1.5
min_players = 2
max_players = 3
trains = 12
starting_hand = 3
double_routes_closed_up_to = 2
tie_breaks = ["completed_tickets"]
default_ticket_deck = "main"

[train_cards]
blue = 8
green = 8
red = 8
locomotive = 6

[points]
1 = 1
2 = 2
3 = 4

[ticket_decks.main]
rows = "main"
starting = { offered = 2, keep = 1 }
later = { offered = 2, keep = 1 }
bonuses = { longest_path = 5 }
""",
    # x and y run from 0 to 1, from the left and from the top
    "cities.csv": """\
id,name,x,y
harbour,Harbour,0.1,0.5
lighthouse,Lighthouse,0.4,0.1
market,Market,0.5,0.5
quarry,Quarry,0.4,0.9
village,Village,0.9,0.4
""",
    # track tells parallel routes apart; ferry is the least number of locomotives in the payment
    "routes.csv": """\
a,b,track,length,colour,ferry
harbour,lighthouse,0,3,gray,1
harbour,market,0,2,blue,0
harbour,market,1,2,red,0
harbour,quarry,0,2,green,0
lighthouse,market,0,1,gray,0
lighthouse,village,0,3,red,0
market,quarry,0,2,gray,1
market,village,0,2,green,0
quarry,village,0,3,blue,0
""",
    "tickets.csv": """\
deck,a,b,points
main,harbour,village,5
main,lighthouse,quarry,4
main,harbour,lighthouse,3
main,quarry,village,3
main,lighthouse,village,4
main,harbour,quarry,2
""",
}


def write(folder: Path) -> Path:
    """Write the map's files into a folder, which is created if it is missing; return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in FILES.items():
        (folder / name).write_text(content, encoding="utf-8")
    return folder


def play(folder: Path, num_players: int, seed: int) -> str:
    """Play a game at random on the map of a folder; return its end as text."""
    env = t2r_env.env(folder, num_players=num_players, render_mode="ansi", render_seat="all")
    env.reset(seed=seed)
    for seat, agent in enumerate(env.agents):
        env.action_space(agent).seed(seed + seat)
    for agent in env.agent_iter():
        over = env.terminations[agent] or env.truncations[agent]
        env.step(None if over else env.action_space(agent).sample(env.observe(agent)["action_mask"]))
    text = env.render()
    assert isinstance(text, str)  # in other render modes it is not
    print(text)
    return text


def main(command: Sequence[str] | None = None) -> str:
    """Write the map and play it with the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, help="where the map is written; a temporary folder by default")
    parser.add_argument("--num-players", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(command)
    if arguments.folder:
        return play(write(arguments.folder), arguments.num_players, arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        return play(write(Path(folder)), arguments.num_players, arguments.seed)


if __name__ == "__main__":
    main()
