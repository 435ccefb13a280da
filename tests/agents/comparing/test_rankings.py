"""Rankings that do not depend on who else takes part, compared with a linear program and with what is known."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog

from t2r_agents.comparing.tournament.rankings import Margins, alpha_rank, find_cycle, margins_of, maximal_lottery, rank
from t2r_agents.comparing.tournament.ratings import head_to_head, strengths

ROCK_PAPER_SCISSORS = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0.0]])
ONE_AFTER_THE_OTHER = np.array([[0, 0.2, 0.3], [-0.2, 0, 0.1], [-0.3, -0.1, 0]])


def by_linear_program(margins: Margins) -> NDArray[np.float64]:
    """An optimal strategy of the game of the margins."""
    agents = len(margins)
    found = linprog(
        np.append(np.zeros(agents), -1),
        A_ub=np.hstack([-margins.T, np.ones((agents, 1))]),
        b_ub=np.zeros(agents),
        A_eq=[[1] * agents + [0]],
        b_eq=[1],
        bounds=[(0, None)] * agents + [(None, None)],
    )
    return np.asarray(found.x[:agents])


@pytest.mark.parametrize("agents", [3, 6, 15])
def test_a_maximal_lottery_loses_to_no_agent_and_is_what_a_linear_program_finds(agents: int) -> None:
    rng = np.random.default_rng(agents)
    for _ in range(20):
        given = rng.uniform(-1, 1, (agents, agents))
        margins = (given - given.T) / 2
        lottery = maximal_lottery(margins)
        assert lottery.sum() == pytest.approx(1)
        assert (lottery >= 0).all()
        assert (lottery @ margins >= -1e-6).all()
        assert np.allclose(lottery, by_linear_program(margins), atol=1e-3)


def test_who_beats_all_others_has_all_of_both_rankings_and_equals_have_equal_parts() -> None:
    assert np.allclose(maximal_lottery(ONE_AFTER_THE_OTHER), [1, 0, 0], atol=1e-6)
    assert np.allclose(alpha_rank(ONE_AFTER_THE_OTHER), [1, 0, 0], atol=1e-6)
    for margins in (ROCK_PAPER_SCISSORS, 0.1 * ROCK_PAPER_SCISSORS, np.zeros((3, 3))):
        assert np.allclose(maximal_lottery(margins), 1 / 3)
        assert np.allclose(alpha_rank(margins), 1 / 3)


def test_alpha_rank_is_the_stationary_distribution_of_spreading_agents() -> None:
    """Two agents alone: the flows between them are equal, and each is a probability of fixation."""
    margin, intensity, population = 0.004, 10.0, 50
    x = margin * intensity
    up, down = ((1 - np.exp(-it)) / (1 - np.exp(-population * it)) for it in (x, -x))
    better, worse = alpha_rank(np.array([[0, margin], [-margin, 0]]))
    assert better + worse == pytest.approx(1)
    assert worse * up == pytest.approx(better * down)


def test_copies_of_an_agent_share_its_part_and_weak_agents_change_nothing_but_elo_moves() -> None:
    """Elo asks how weak the others are; a lottery and alpha-rank do not."""
    points = np.array([[[0, 12, 6, 20], [8, 0, 13, 20], [14, 7, 0, 11], [0, 0, 9, 0.0]]])
    three, four = (margins_of(points[0, :agents, :agents]) for agents in (3, 4))
    for ranking in (maximal_lottery, alpha_rank):
        assert np.allclose(ranking(four)[:3], ranking(three), atol=1e-6)
        assert ranking(four)[3] == pytest.approx(0, abs=1e-6)
    order = [
        sorted(range(3), key=lambda index: -fitted[index].value)
        for fitted in (strengths(points[:, :3, :3]), strengths(points))
    ]
    assert order[0] != order[1]
    copied = np.array([0, 1, 2, 2])
    assert np.allclose(maximal_lottery(three[copied][:, copied])[2:], maximal_lottery(three)[2] / 2, atol=1e-6)


def test_rankings_need_three_agents_that_have_all_met_and_have_intervals_over_deals() -> None:
    deals = np.zeros((40, 3, 3))
    for deal in range(40):  # 0 beats 1 always, 1 beats 2 always, 2 beats 0 in three of four
        deals[deal, 0, 1] = deals[deal, 1, 2] = 2
        deals[deal, *((2, 0) if deal % 4 else (0, 2))] = 2
    found = rank(deals, head_to_head(deals))
    assert found is not None
    assert [round(share.value, 3) for share in found.lottery] == [0.4, 0.2, 0.4]
    for share in (*found.lottery, *found.alpha_rank):
        assert 0 <= share.low <= share.value <= share.high <= 1
    assert found.lottery[1].high > found.lottery[1].low
    assert found.cycle == [0, 1, 2]
    assert rank(deals[:, :2, :2], head_to_head(deals[:, :2, :2])) is None
    deals[:, 0, 2] = deals[:, 2, 0] = 0
    assert rank(deals, head_to_head(deals)) is None


def test_a_cycle_that_noise_explains_is_not_marked() -> None:
    deals = np.zeros((6, 3, 3))
    for deal in range(6):
        for one, other in ((0, 1), (1, 2), (2, 0)):
            deals[deal, *((one, other) if deal % 3 else (other, one))] = 1
    found = rank(deals, head_to_head(deals))
    assert found is not None
    assert found.cycle == []


def test_the_shortest_cycle_is_found_and_none_where_there_is_none() -> None:
    beats = [[False] * 5 for _ in range(5)]
    for one, other in ((0, 1), (1, 2), (2, 3), (3, 0), (1, 4), (4, 3), (3, 1)):
        beats[one][other] = True
    assert find_cycle(beats) == [1, 2, 3]
    beats[3] = [False] * 5
    assert find_cycle(beats) == []
