"""The command lines that benchmarks refuse."""

from collections.abc import Callable

import pytest

from benchmarks import any_board, compare, maps, policies, search, throughput, tune
from tests.helpers.refusing import refusal

TUNE = "--variant card_game --against racer --out build/none.json"


@pytest.mark.parametrize(
    ("main", "arguments", "message"),
    [
        (compare.main, "no-such-revision", "there is no revision 'no-such-revision' to compare with"),
        (compare.main, "HEAD --rounds 0", "--rounds must be at least 1, not 0"),
        (compare.main, "HEAD --runs 0", "--runs must be at least 1, not 0"),
        (compare.main, "HEAD --layers speed", "invalid choice: 'speed'"),
        (throughput.main, "--num-players 9", "num_players of usa must be an integer from 2 to 5, not 9"),
        (throughput.main, "--variant mars", "unknown variant 'mars'"),
        (throughput.main, "--batch 0", "batch must be an integer, at least 1, not 0"),
        (maps.main, "--maps 0", "--maps must be an integer, at least 1, not 0"),
        (policies.main, "--games 0", "--games must be an integer, at least 1, not 0"),
        (policies.main, "--seed=-1", "a seed must be"),
        (search.main, "--simulations 0", "--simulations must be an integer, at least 1, not 0"),
        (search.main, "--games 1", "--games must be an integer, at least 2, not 1"),
        (any_board.main, "--games 0", "--games must be an integer, at least 1, not 0"),
        (any_board.main, "--agents nobody", "there is no agent 'nobody'"),
        (tune.main, f"{TUNE} --generated-maps 20", "is for the agent planner and two players: name no game beside it"),
        (tune.main, f"{TUNE} --generated-maps 1", "--generated-maps must be an integer, at least 2"),
        (tune.main, f"{TUNE} --agent random", "'random' has no parameters to tune"),
        (tune.main, f"{TUNE} --against nobody", "there is no agent 'nobody'"),
        (tune.main, f"{TUNE} --sigma 0", "--sigma must be above 0"),
        (tune.main, f"{TUNE} --population 2", "--population must be an integer, at least 3"),
        (tune.main, f"{TUNE} --games 0", "--games must be an integer, at least 1"),
        (tune.main, f"{TUNE} --margin-weight nan", "--margin-weight a number"),
        (tune.main, f"{TUNE} --num-players 7", "num_players of card_game"),
        (tune.main, f"{TUNE} --agent racer --write", "--write is for the agent planner"),
    ],
)
def test_a_wrong_command_line_is_refused_with_a_message(
    main: Callable[[list[str]], int], arguments: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refusal(capsys, main, *arguments.split())
