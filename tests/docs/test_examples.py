"""The examples run, and the learning code of the PPO example is right.

The examples of tools that are not installed here run elsewhere: `make clients` (tests/helpers/clients.py).
"""

import importlib
import itertools
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch.distributions import Categorical

import t2r_env
from t2r_agents.comparing.tournament import Tournament
from t2r_agents.playing.any_board import tables_of
from t2r_agents.playing.planner import AnyMapPlanner
from t2r_env import Games
from t2r_env.agents import Decisions
from t2r_env.core.layout import Layout
from t2r_env.graph import COLUMNS
from t2r_env.rules.names import BLOCKS
from t2r_train.experience import RETURN, advantages_of
from tests.helpers.acting import decisions_in
from tests.helpers.fixtures import Capture, Patch
from tests.helpers.model_server import serving

EXAMPLES = Path(__file__).parents[2] / "examples"
any_board, ppo = map(importlib.import_module, ("examples.any_board", "examples.ppo"))


@pytest.fixture(autouse=True)
def _path(monkeypatch: Patch) -> None:
    """Examples are imported as if they were run from their folder."""
    monkeypatch.syspath_prepend(str(EXAMPLES))


def run(name: str, *arguments: str) -> Any:
    """What an example's `main` returns."""
    return importlib.import_module(name).main(arguments)


ENDS = r"(end: player_\d has the reward [+-]\d.*'score': .*\n){3}$"


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("random_play", "--variant new_york --num-players 3 --seed 1", rf"claim (.*\n)+{ENDS}"),
        ("random_play", "--variant card_game --num-players 3 --seed 1", ENDS),
        ("own_agent", "--games 30", r"^greedy  .* 20 games.*\nown_agent:Claimer  .* 20 games.*\nrandom  .* 20 games"),
        ("gymnasium_vector", "--num-envs 32 --steps 60", r"([4-9]\d|\d{3,}) games ended, [3-8]\d\.\d% of them won"),
    ],
)
def test_examples_tell_what_came_of_their_games(name: str, arguments: str, told: str, capsys: Capture) -> None:
    run(name, *arguments.split())
    printed = capsys.readouterr().out
    assert re.search(told, printed), printed


@pytest.mark.release
@pytest.mark.parametrize(
    ("name", "arguments", "least"),
    [
        ("ppo", "--total-timesteps 24576 --num-envs 64 --n-steps 64 --batch-size 512 --n-final-episodes 200", 67),
        ("stable_baselines_pettingzoo", "--total-timesteps 8192 --episodes 60", 65),
        ("search", "--games 30 --determinizations 4", 75),
    ],
)
def test_what_is_trained_or_searches_beats_random(name: str, arguments: str, least: float, capsys: Capture) -> None:
    run(name, *arguments.split())
    printed = capsys.readouterr().out
    assert float(re.findall(r"([\d.]+)% of \d+ games won", printed)[-1]) > least, printed


def test_the_wrappers_count_what_the_games_earn(capsys: Capture) -> None:
    one, many = run("gymnasium_wrappers", "--episodes", "2", "--num-envs", "16", "--steps", "80")
    assert len(one) == 2
    assert len(many) > 16
    assert all(margin == round(margin) for margin in [*one, *many])
    assert "has 316 numbers" in capsys.readouterr().out


def test_agents_of_the_examples_enter_tournaments_by_their_import_paths(tmp_path: Path) -> None:
    """A model with tanh, among them."""
    file = tmp_path / "model.zip"
    few = ["--total-timesteps", "64", "--n-steps", "1", "--episodes", "2"]
    shares = run("stable_baselines", *few, "--save", str(file))
    assert all(0 <= share <= 1 for share in shares)
    for name in (f"stable_baselines:ModelAgent:{file}", "search:SearchAgent:2", "own_agent:Claimer"):
        tournament = Tournament(t2r_env.configure("new_york"), [name, "random"], 4, 0)
        entries = [entry for played in tournament.play() for entry in played]
        assert {entry.agent for entry in entries} == {name, "random"}
        assert not any(entry.forfeit for entry in entries)


@pytest.mark.parametrize("variant", ["new_york", "card_game"])
def test_the_harness_plays_whole_games_and_forfeits_after_two_slips(variant: str, capsys: Capture) -> None:
    rewards = run("kaggle_harness", "--variant", variant, "--games", "3", "--slips", "0.05")
    assert set(rewards) <= {-1.0, 0.0, 1.0, None}
    assert set(rewards) - {None}
    assert run("kaggle_harness", "--variant", variant, "--games", "2", "--slips", "1") == [None, None]
    assert "0 of 2 games won, 2 forfeited" in capsys.readouterr().out


def test_the_harness_asks_a_model_and_tells_it_what_was_wrong(monkeypatch: Patch, capsys: Capture) -> None:
    answers = itertools.cycle(["I can fly.", '{"move": "draw deck"}', "I can fly."])
    with serving(lambda messages: next(answers)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        run("kaggle_harness", "--model", "small", "--games", "1")
    assert "0 of 1 games won, 1 forfeited" in capsys.readouterr().out
    first, second = (it["messages"][0]["content"] for it in server.requests)
    assert "You are player_0.\nYour moves so far: none\nEnd" in first
    assert "You have answered: I can fly.\nThat is wrong: 'I can fly.' is not a legal action; the nearest are" in second


def test_the_own_map_is_written_played_and_shown(tmp_path: Path, capsys: Capture) -> None:
    text = run("own_map", "--folder", str(tmp_path / "islands"), "--num-players", "3")
    assert "Ferries of the Islands" in text
    assert text in capsys.readouterr().out
    assert t2r_env.configure(tmp_path / "islands").variant.id == "islands"
    assert run("own_map", "--num-players", "3") == text  # from a temporary folder


# PPO


def test_ppo_trains_prints_a_line_for_each_update_and_evaluates(capsys: Capture) -> None:
    command = "--num-envs 8 --n-steps 32 --total-timesteps 768 --batch-size 64 --hidden-size 8 --n-epochs 1"
    arguments = f"{command} --eval-freq 2 --n-eval-episodes 4 --n-final-episodes 6".split()
    network, share = run("ppo", *arguments)
    printed = capsys.readouterr().out
    assert [f"{number}/3: " in printed for number in (1, 2, 3)] == [True] * 3
    assert printed.count("against random") == 2
    assert "of 6 games won" in printed
    assert 0 <= share <= 1
    again, share_again = run("ppo", *arguments)
    assert share_again == share
    for one, other in zip(network.parameters(), again.parameters(), strict=True):
        assert torch.equal(one, other)  # the same seed trains the same network


class FixedNetwork:
    """Stands for the network: mostly claims and draws from the deck, else chooses by fixed weights."""

    def __init__(self, layout: Layout) -> None:
        self.weights = np.random.default_rng(3).integers(-50, 50, (layout.observation.size, layout.actions.size))
        for name, bonus in (("claim", 300), ("draw_deck", 200), ("refuse_ticket", 200)):  # games end soon
            self.weights[:, layout.actions[name].slice] += bonus

    def choose(self, observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """The legal action with the largest weight; the first of several."""
        weights = observations.astype(np.int64) @ self.weights
        actions: NDArray[np.int64] = np.where(masks == 1, weights, np.iinfo(np.int64).min).argmax(axis=1)
        return actions

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        return self.choose(decisions.observations, decisions.masks)

    def __call__(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        logits = torch.zeros(masks.shape)
        logits[torch.arange(len(masks)), torch.from_numpy(self.choose(observations.numpy(), masks.numpy()))] = 1e6
        return Categorical(logits=logits, validate_args=False), torch.ones(len(masks))


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_ppo_s_advantages_are_those_of_the_library_s_training_whoever_acts_and_earns_when(num_players: int) -> None:
    """Seats here earn before their first decision, too. The last step has the decisions that follow the rollout."""
    rng, steps, nothing = np.random.default_rng(num_players), (41, 6), torch.zeros(0)
    seats, values = rng.integers(num_players, size=steps), rng.normal(size=steps).astype(np.float32)
    rewards, ended = rng.normal(size=(*steps, num_players)).astype(np.float32), rng.random(steps) < 0.1
    ended[-1] = False
    here = values[:-1], seats[:-1], rewards[:-1], ended[:-1], values[-1], seats[-1]
    advantages, known = ppo.compute_gae(ppo.Rollout(nothing, nothing, nothing, nothing, *here), 1.0, 0.8)
    of_values, of_rewards = (torch.from_numpy(np.stack([it] * 2, axis=-1)) for it in (values.ravel(), rewards))
    places = [*torch.from_numpy(np.arange(6) * num_players + seats)]
    expected, is_known = advantages_of(of_values, places, of_rewards, torch.from_numpy(ended), 0.8)
    assert known.ravel().tolist() == is_known[:-6].tolist()
    assert advantages.ravel() == pytest.approx(expected[:-6, RETURN].numpy(), abs=1e-4)


@pytest.mark.parametrize(("num_players", "turn_limit"), [(2, 25), (3, 1000), (4, 60)])
def test_ppo_s_rewards_are_those_of_the_library_s_trajectories(num_players: int, turn_limit: int) -> None:
    """If all is discounted, the advantage of a decision is what its seat earns until its next one, less its value."""
    options: dict[str, Any] = {"reward": "margin", "turn_limit": turn_limit}
    games = Games("new_york", num_players, batch=6, seed=20, **options)
    network = FixedNetwork(games.layout)
    rollout = ppo.collect(games, network, ppo.Args(n_steps=200, reward_scale=1.0))
    assert np.array_equal(rollout.last_seat, games.current)
    advantages, _ = ppo.compute_gae(rollout, 0.0, 0.8)
    played = t2r_env.trajectories("new_york", num_players, agents=network.act, games=6, seed=20, **options)
    for trajectory in played:
        row = trajectory.seed - 20
        assert rollout.ended[:, row].any()
        steps = np.arange(rollout.ended[:, row].argmax() + 1)
        own = steps[rollout.seats[steps, row] == trajectory.seat]
        assert np.array_equal(rollout.actions[own, row], trajectory.actions)
        assert np.array_equal(rollout.observations[own, row], trajectory.observations)
        assert advantages[own, row] == pytest.approx(trajectory.rewards - 1, abs=1e-5)


def test_ppo_s_evaluation_counts_wins_of_the_network_s_seats() -> None:
    """The share of wins is what the ranks of the same games say."""
    args = ppo.Args(variant="new_york", num_players=3)
    network = FixedNetwork(t2r_env.configure("new_york", 3).layout)
    share = ppo.evaluate(network, args, episodes=30, seed=4)
    games = t2r_env.Games("new_york", 3, batch=30, seed=4, autoreset=False)
    rng = np.random.default_rng(4)
    while not (games.terminated | games.truncated).all():
        best = network.choose(games.observations, games.masks)
        randomly = (games.masks * rng.random(games.masks.shape)).argmax(axis=1)
        games.step(np.where(games.current == np.arange(30) % 3, best, randomly))
    first = games.results.ranks == 1
    wins = first[np.arange(30), np.arange(30) % 3] / first.sum(axis=1)
    assert share == pytest.approx(wins.mean())


# A player for any board


@pytest.mark.release
@pytest.mark.parametrize("variant", ["", "new_york"])
def test_any_board_learns_on_many_maps_or_one_and_plays_another(variant: str, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "network.safetensors"
    given = "--total-timesteps 400 --warm-up 100 --num-maps 3 --fewest-cities 15 --most-cities 16"
    more = ["--n-eval-episodes", "4", "--eval-maps", "usa", "--hidden-size", "8", "--variant", variant]
    wins = run("any_board", *given.split(), *more, "--out", str(out))
    assert set(wins) == {"usa against greedy", "usa against planner"}
    assert "decisions  score" in capsys.readouterr().out
    t2r_env.agents.find_agent(f"any_board:{out}")  # raises if it is no network


def test_any_board_begins_by_doing_what_the_planner_would() -> None:
    games = Games("europe", 2, batch=30, seed=4)
    games.play_random(60)
    decisions = decisions_in(games)
    policy, _ = any_board.Network(8, 1)(tables_of(decisions))
    actions = AnyMapPlanner().act(decisions)
    assert policy.logits.argmax(dim=-1).tolist() == actions.tolist()
    assert not np.array_equal(actions, t2r_env.agents.find_agent("planner").act(decisions))  # that one is tuned


def test_any_board_makes_more_probable_what_is_rewarded() -> None:
    """Here each decision to draw from the deck brings a point, and nothing else does."""
    torch.manual_seed(0)
    args = any_board.Args(num_maps=2, games_on_map=2, fewest_cities=15, most_cities=16, gae_lambda=0.0, batch_size=32)
    network = any_board.Network(16, 1, prior_weight=0.0)
    rollout = any_board.play(any_board.new_games(args, iter(range(100))), network)
    decks = COLUMNS["actions"]["kind"].start + BLOCKS.index("draw_deck")
    drawn = rollout.batch["actions"][np.arange(len(rollout.actions)), rollout.actions, decks]
    rollout.rewards[:] = drawn[:, None]
    optimizer = torch.optim.Adam(network.parameters(), lr=3e-3)

    def probability() -> float:
        policy, _ = network(rollout.batch)
        rows, actions = np.nonzero(rollout.batch["actions"][:, :, decks] * rollout.batch["action_mask"])
        return float(policy.probs[rows, actions].detach().mean())

    before = probability()
    any_board.improve(network, optimizer, rollout, args, values_only=True)
    assert probability() == pytest.approx(before, abs=1e-6)
    for _ in range(3):
        any_board.improve(network, optimizer, rollout, args)
    assert probability() > 1.2 * before


def test_any_board_gives_each_seat_what_follows_from_its_own_decisions() -> None:
    """With lambda 1 an advantage is the sum of the seat's rewards from the decision on, less its value.

    A win is rewarded at the last decision: the winner by 3, the loser by -3, nobody at a tie.
    """
    args = any_board.Args(num_maps=4, games_on_map=1, fewest_cities=15, most_cities=16)
    games = any_board.new_games(args, iter(range(50)))
    rollout = any_board.play(games, any_board.Network(8, 1))
    advantages = rollout.advantages(gae_lambda=1.0)
    for index in range(0, len(advantages), 17):
        later = np.arange(len(advantages)) >= index
        own = later & (rollout.games == rollout.games[index])
        expected = rollout.rewards[own, rollout.seats[index]].sum() - rollout.values[index]
        assert advantages[index] == pytest.approx(expected, abs=1e-3)
    rollout.rewards[:] = 0
    rollout.reward_wins(games, 3.0)
    last = [np.flatnonzero(rollout.games == number)[-1] for number in range(4)]
    assert not np.delete(rollout.rewards, last, axis=0).any()
    ranks = np.concatenate([it.results.ranks for it in games]).tolist()
    for (first, second), row in zip(ranks, rollout.rewards[last], strict=True):
        assert row.tolist() == ([3.0, -3.0] if first < second else [-3.0, 3.0] if second < first else [0.0, 0.0])
