"""Videos of games by Gymnasium's RecordVideo: one whole game, and the beginning of several in a grid.

Needs moviepy, which contains ffmpeg, and the extra `render`. Each frame is a position in which the learner's seat is to
act, two per second (`fps`); the opponents' changes since the last one are highlighted. It shows everything; without
`render_seat="all"` it would show what the learner knows.

    pip install moviepy '.[render]'
    python examples/record_video.py
    python examples/record_video.py --variant usa --opponents planner --num-envs 9 --out videos
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import gymnasium
from gymnasium.wrappers import RecordVideo, vector

import t2r_env


def record_one(game: str, opponents: str, folder: str, seed: int) -> None:
    """Record a game in which the learner's seat plays at random."""
    played = gymnasium.make(game, opponents=opponents, render_mode="rgb_array", render_seat="all")
    with RecordVideo(played, folder, name_prefix="one") as env:  # closing it writes the file
        env.action_space.seed(seed)
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            _, _, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
            over = terminated or truncated


def record_many(game: str, opponents: str, num_envs: int, steps: int, folder: str, seed: int) -> None:
    """Record the beginning of several games at once: their pictures, 1200 x 800 each, form a grid."""
    games = gymnasium.make_vec(game, num_envs=num_envs, opponents=opponents, render_mode="rgb_array", render_seat="all")
    envs = vector.RecordVideo(games, folder, (3, 2), video_length=steps, name_prefix="many")
    envs.action_space.seed(seed)
    _, infos = envs.reset(seed=seed)
    for _ in range(steps):
        _, _, _, _, infos = envs.step(envs.action_space.sample(tuple(infos["action_mask"])))
    envs.close()


def main(command: Sequence[str] | None = None) -> list[Path]:
    """Record with the arguments of the command line; return the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="new_york", help=f"one of {', '.join(t2r_env.VARIANTS)}")
    parser.add_argument("--opponents", default="greedy", help="an agent")
    parser.add_argument("--num-envs", type=int, default=4, help="games that are recorded at once")
    parser.add_argument("--steps", type=int, default=20, help="decisions in each of these")
    parser.add_argument("--out", default="videos", help="a folder")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(command)
    game = t2r_env.configure(arguments.variant).variant.environment_id
    record_one(game, arguments.opponents, f"{arguments.out}/one", arguments.seed)
    record_many(game, arguments.opponents, arguments.num_envs, arguments.steps, f"{arguments.out}/many", arguments.seed)
    videos = sorted(Path(arguments.out).rglob("*.mp4"))
    for video in videos:
        print(f"{video}: {video.stat().st_size:,} bytes")
    print(f"{len(videos)} videos recorded")
    return videos


if __name__ == "__main__":
    main()
