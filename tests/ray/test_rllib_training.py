"""RLlib's PPO on the native vector environment, from its games to the policy's file."""

import subprocess
import sys
import traceback
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from ray.rllib.core import DEFAULT_MODULE_ID
from ray.rllib.core.columns import Columns
from ray.rllib.evaluation.postprocessing import Postprocessing

from t2r_agents.policy import Policy
from t2r_env.agents import RandomAgent, find_agent
from t2r_env.commands import main as t2r
from t2r_env.envs.vector import SeatVectorEnvironment
from t2r_train.checkpoint import CheckpointError
from t2r_train.network import Network
from t2r_train.pool import TrainingPool
from t2r_train.rllib.environment import RANK_REWARD, PoolOpponents, RunnerEnvironment
from t2r_train.rllib.module import SETTINGS, NetworkModule
from t2r_train.rllib.ppo import OUTCOME_TARGETS
from t2r_train.rllib.training import RLlibLearner, RLlibTraining, default_runners
from t2r_train.self_play import hidden_columns, samples
from t2r_train.settings import DEFAULTS, Settings
from t2r_train.training import CHECKPOINT, POLICY, Training
from tests.agents import odd_agents
from tests.agents.odd_agents import path_of
from tests.ray.home import at_home, without_compiling
from tests.train.tiny import tiny_settings, train, trained

pytestmark = pytest.mark.filterwarnings("ignore")  # RLlib's own warnings
APPLICABLE: dict[str, Any] = {"expert": "", "kl_reference_decay": 0.0}


def settings_of(variant: str = "new_york", **others: Any) -> Settings:
    return tiny_settings(variant, **APPLICABLE | others)


def network_of(settings: Settings) -> Network:
    torch.manual_seed(0)
    configuration = settings.configuration()
    observations, hidden = samples(configuration, settings, RandomAgent())
    return Network(observations, hidden, configuration.layout.actions.size, settings)


def environment_of(settings: Settings, games: int = 8) -> RunnerEnvironment:
    return RunnerEnvironment({SETTINGS: settings, "num_envs": games})


# The games


@pytest.mark.parametrize(("variant", "players"), [("new_york", 2), ("new_york", 3), ("team_asia", 4)])
def test_the_games_are_those_of_the_vector_environment(variant: str, players: int) -> None:
    """With the same opponents: what is seen, the mask and what is hidden in one vector, and the training's rewards."""
    settings = settings_of(
        variant, num_players=players, latest_policy_share=0.0, fixed_opponents=("random",), fixed_opponents_share=1.0
    )
    configuration = settings.configuration()
    games, latest = environment_of(settings), network_of(settings).export(configuration)
    games.renew(TrainingPool(settings), latest)
    opponents = PoolOpponents(TrainingPool(settings), latest, games._teams)
    native = SeatVectorEnvironment(
        configuration, num_envs=8, opponents=opponents, seat="random", reward=settings.reward
    )
    vectors, _ = games.reset(seed=4)
    seen, _ = native.reset(seed=4)
    columns, ends = hidden_columns(configuration), 0
    rng = np.random.default_rng(0)
    for _ in range(150):
        states, seats = native.games.games.global_state(), native.games.seats
        hidden = np.take_along_axis(states, columns[seats], axis=1)
        np.testing.assert_array_equal(vectors, np.hstack([seen["observation"], seen["action_mask"], hidden]))
        assert vectors in games.observation_space
        actions = [int(rng.choice(np.flatnonzero(mask))) if mask.any() else 0 for mask in seen["action_mask"]]
        vectors, rewards, terminated, truncated, infos = games.step(actions)
        seen, expected, ended, cut, told = native.step(actions)
        ranks = np.zeros(8)
        if ended.any():
            ends += 1
            ranks[ended] = 1 - 2 * (told["rank"][ended] - 1) / (configuration.num_teams - 1)
            np.testing.assert_allclose(infos[RANK_REWARD], ranks)
        np.testing.assert_allclose(rewards, expected / settings.reward_unit + settings.win_reward * ranks)
        np.testing.assert_array_equal(terminated, ended | cut)
        assert not truncated.any()
    assert ends > 3


def test_a_turn_limit_is_an_end_without_a_rank() -> None:
    games = environment_of(settings_of(options={"turn_limit": 4}), games=2)
    vectors, _ = games.reset(seed=0)
    size = games.single_action_space.n
    begin = games._envs.layout.observation.size
    terminated = np.zeros(2, np.bool_)
    infos: dict[str, Any] = {}
    while not terminated.all():
        vectors, _, terminated, truncated, infos = games.step(vectors[:, begin : begin + int(size)].argmax(axis=1))
        assert not truncated.any()
    assert infos[RANK_REWARD].tolist() == [0, 0]
    endings = games.take_endings()
    assert endings
    assert [len(ended.seating) for ended in endings] == [0] * len(endings)
    assert games.take_endings() == []


def pool_opponents(players: int, variant: str = "new_york", **others: Any) -> PoolOpponents:
    settings = settings_of(variant, num_players=players, **others)
    teams = np.array(settings.configuration().rules[0].team[:players], np.int64)
    return PoolOpponents(TrainingPool(settings), network_of(settings).export(settings.configuration()), teams)


def words(games: int, seats: int) -> NDArray[np.uint64]:
    return np.random.default_rng(1).integers(2**64, size=(games, seats), dtype=np.uint64)


def test_the_pool_plays_in_its_share_of_games_and_the_latest_policy_in_the_others() -> None:
    opponents = pool_opponents(3, latest_policy_share=0.6, fixed_opponents_share=0.4)
    assert [type(agent).__name__ for agent in opponents.agents] == ["PolicyAgent", "RandomAgent", "GreedyAgent"]
    drawn = opponents.draw(words(4000, 2), np.zeros(4000, np.int64))
    is_latest = (drawn == 0).all(axis=1)
    assert ((drawn == 0).any(axis=1) == is_latest).all()
    # without snapshots their share is the latest policy's
    assert is_latest.mean() == pytest.approx(0.6, abs=0.03)
    pairs, counts = np.unique(drawn[~is_latest], axis=0, return_counts=True)
    assert pairs.tolist() == [[1, 1], [1, 2], [2, 1], [2, 2]]
    assert counts / counts.sum() == pytest.approx(np.full(4, 0.25), abs=0.05)


def test_the_learners_teammates_are_the_latest_policy() -> None:
    opponents = pool_opponents(4, "team_asia", latest_policy_share=0.0, fixed_opponents_share=1.0)
    seats = np.arange(200) % 4
    drawn = opponents.draw(words(200, 3), seats)
    after = (seats[:, None] + 1 + np.arange(3)) % 4
    is_teammate = opponents._teams[after] == opponents._teams[seats][:, None]
    assert ((drawn == 0) == is_teammate).all()
    assert is_teammate.sum(axis=1).tolist() == [1] * 200


def test_who_plays_is_told_as_the_pool_counts() -> None:
    assert pool_opponents(3).players(np.array([[-1, 0, 2]])).tolist() == [[-1, -1, 1]]


# The network and its targets


def test_the_module_is_the_network_and_exports_the_same_function() -> None:
    settings = settings_of()
    network, games = network_of(settings), environment_of(settings)
    vectors, _ = games.reset(seed=0)
    module = NetworkModule(
        observation_space=games.single_observation_space,
        action_space=games.single_action_space,
        model_config={SETTINGS: settings},
    )
    module.network.load_state_dict(network.state_dict())
    batch = {Columns.OBS: torch.from_numpy(vectors)}
    found = module.forward_exploration(batch)[Columns.ACTION_DIST_INPUTS]
    size, actions = games._envs.layout.observation.size, network.num_actions
    seen, masks = vectors[:, :size], vectors[:, size : size + actions].astype(bool)
    logits = network.export(settings.configuration()).logits(seen)
    assert found.exp().sum(dim=1).numpy() == pytest.approx(np.ones(8))
    assert (found.exp().numpy()[~masks] == 0).all()
    for row, mask in enumerate(masks):
        own = logits[row, mask]
        assert found[row].numpy()[mask] == pytest.approx(own - np.log(np.exp(own).sum()), abs=1e-4)
    inputs, hidden = network.prepare(seen, vectors[:, size + actions :])
    assert module.compute_values(batch).detach().numpy() == pytest.approx(
        network.values(inputs, hidden)[0].detach().numpy(), abs=1e-5
    )


def test_targets_are_all_that_a_seat_earns_and_its_rank(tmp_path: Path) -> None:
    """With gamma and lambda 1, and games that end within the rollout, that is the sum of its rewards."""
    training = RLlibTraining(tmp_path, settings_of(gae_lambda=1.0, n_steps=64), runners=0)
    learner = training.learner
    assert isinstance(learner, RLlibLearner)
    algorithm = learner._start()
    try:
        episodes = [episode for episode in algorithm.env_runner.sample() if episode.is_terminated]
        rewards = [np.asarray(episode.get_rewards(), np.float64) for episode in episodes]
        ranks = [episode.get_infos(-1)[RANK_REWARD] for episode in episodes]
        (batch,) = learner._foreach_learner(
            lambda learner: learner._learner_connector(
                rl_module=learner.module, batch={}, episodes=episodes, shared_data={}
            )
        )
    finally:
        learner.close()
    assert len(episodes) >= 8
    columns = batch[DEFAULT_MODULE_ID]
    returns = np.concatenate([np.cumsum(own[::-1])[::-1] for own in rewards])
    assert columns[Postprocessing.VALUE_TARGETS].numpy() == pytest.approx(returns, abs=1e-4)
    outcomes = np.repeat(ranks, [len(own) for own in rewards])
    assert columns[OUTCOME_TARGETS].numpy() == pytest.approx(outcomes, abs=1e-5)
    advantages = columns[Postprocessing.ADVANTAGES]
    assert (float(advantages.mean()), float(advantages.std())) == pytest.approx((0, 1), abs=1e-2)
    assert {len(column) for column in columns.values()} == {len(returns)}


# Trainings


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the command trains, in `out`. Its home is in `home`."""
    folder = tmp_path_factory.mktemp("rllib")
    (folder / "home").mkdir()
    return folder


@pytest.fixture(scope="module")
def done(folder: Path) -> subprocess.CompletedProcess[str]:
    """The command, after a training of four iterations with a runner of its own, which died in the middle."""
    dying = path_of(odd_agents.DyingOnce, folder / "killed")
    command = command_of(settings_of(fixed_opponents=("random", dying)), "--out", "out", "--runners", "1")
    return subprocess.run(
        [sys.executable, "-m", "t2r_env", *command],
        cwd=folder,
        env=at_home(folder / "home"),
        capture_output=True,
        text=True,
        timeout=600,
    )


def command_of(settings: Settings, *arguments: str) -> list[str]:
    """The command that trains with these settings."""
    own = ["--variant", settings.variant, "--seed", str(settings.seed)]
    own += ["--total-timesteps", str(settings.total_timesteps), "--threads", "1", "--set"]
    for name in DEFAULTS:
        value = getattr(settings, name)
        own.append(f"{name}={','.join(map(str, value)) if isinstance(value, tuple) else value}")
    return ["train", "--rllib", *arguments, *own]


@pytest.fixture(scope="module")
def complete(folder: Path, done: subprocess.CompletedProcess[str]) -> RLlibTraining:
    """That training."""
    assert done.returncode == 0, done.stderr
    return RLlibTraining(folder / "out", runners=0)


def test_the_command_trains_and_leaves_nothing_but_its_folder(
    folder: Path, done: subprocess.CompletedProcess[str]
) -> None:
    """Nothing on the terminal but its own lines, nothing in the home folder."""
    assert all(line.startswith("a runner has failed") for line in without_compiling(done.stderr))
    assert "policy.zip, checkpoint.zip, curves.csv and curves.png are in out" in done.stdout
    assert list((folder / "home").iterdir()) == []


def test_a_runner_that_dies_is_replaced(
    folder: Path, done: subprocess.CompletedProcess[str], complete: RLlibTraining
) -> None:
    assert (folder / "killed").exists()
    assert "a runner has failed; RLlib begins another one: " in done.stderr
    assert complete.is_done
    assert complete.curves.rows[-1]["time/iterations"] == complete.iterations >= 3


def test_a_training_writes_what_the_usual_training_writes(complete: RLlibTraining, tmp_path: Path) -> None:
    usual = trained(tmp_path, **APPLICABLE, fixed_opponents=complete.settings.fixed_opponents)
    usual.curves.plot()
    names = {path.name for path in tmp_path.iterdir()}
    assert {path.name for path in complete.folder.iterdir()} == names
    found, expected = (
        set((folder / "curves.csv").read_text().splitlines()[0].split(",")) for folder in (complete.folder, tmp_path)
    )
    assert found == expected
    policy, other = Policy.load(complete.folder / POLICY), Policy.load(tmp_path / POLICY)
    assert policy.identity == other.identity
    assert policy.training.keys() == other.training.keys()
    assert [weight.shape for weight, _ in policy.layers] == [weight.shape for weight, _ in other.layers]
    assert policy.training["num_timesteps"] == complete.num_timesteps >= complete.settings.total_timesteps


def test_games_against_the_pool_are_recorded_and_snapshots_are_added(complete: RLlibTraining) -> None:
    assert set(complete.pool.win_rates) > set(complete.settings.fixed_opponents)
    assert any(rate != 0.5 for rate in complete.pool.win_rates.values())
    assert sum(row["rollout/episodes"] for row in complete.curves.rows) > 0


def test_the_policy_is_the_mean_of_the_weights_and_has_learned(complete: RLlibTraining) -> None:
    learner = complete.learner
    assert learner.average is not None
    assert int(learner.average.n_averaged) == complete.iterations
    first = RLlibTraining(complete.folder / "again", complete.settings).learner.network
    moved = [
        float((new - old).abs().max())
        for new, old in zip(learner.network.parameters(), first.parameters(), strict=True)
    ]
    assert min(moved) > 0
    assert steps_of(complete) > 0


def test_the_policy_of_the_file_plays(complete: RLlibTraining) -> None:
    agent: Any = find_agent(str(complete.folder / POLICY), complete.configuration)
    envs = gymnasium.make_vec("t2r_env/new_york-v0", num_envs=2, opponents=agent)
    observations, _ = envs.reset(seed=0)
    for _ in range(20):
        observations, *_ = envs.step(observations["action_mask"].argmax(axis=1))


def test_a_training_is_resumed_where_it_was(complete: RLlibTraining, tmp_path: Path) -> None:
    for name in (CHECKPOINT, "curves.csv"):
        (tmp_path / name).write_bytes((complete.folder / name).read_bytes())
    longer = RLlibTraining(tmp_path, changes={"total_timesteps": complete.num_timesteps + 1}, runners=0)
    steps = steps_of(longer)
    train(longer)
    assert longer.is_done
    assert longer.iterations == complete.iterations + 1
    assert steps_of(longer) > steps
    assert len(longer.curves.rows) == len(complete.curves.rows) + 1
    again = RLlibTraining(tmp_path, runners=0)
    assert (again.num_timesteps, again.iterations) == (longer.num_timesteps, longer.iterations)
    assert again.pool.win_rates == longer.pool.win_rates
    assert len(again.curves.rows) == len(longer.curves.rows)
    learned, saved = longer.learner.state(), again.learner.state()
    for found, expected in (
        (saved["network"], learned["network"]),
        (saved["average"], learned["average"]),
        (saved["optimizer"]["state"], learned["optimizer"]["state"]),
    ):
        torch.testing.assert_close(found, expected, rtol=0, atol=0)


def steps_of(training: RLlibTraining) -> int:
    """How many steps its optimiser has taken."""
    return int(training.learner.optimizer.state_dict()["state"][0]["step"])


@pytest.mark.parametrize("runners", [0, 2])
def test_runners_play_against_the_pool_and_the_policy_of_the_learner(
    complete: RLlibTraining, tmp_path: Path, runners: int
) -> None:
    """After an iteration each has the learner's weights and the pool's agents, in whatever process it plays."""
    training = RLlibTraining(tmp_path, complete.settings, runners=runners)
    learner = training.learner
    assert isinstance(learner, RLlibLearner)
    learner.runners = runners

    def inside(runner: Any) -> Any:  # sent to the runners with its code, as it is no function of a module
        if runner.env is None:
            return None
        agents = runner.env.unwrapped._opponents.agents
        return len(agents), agents[0]._policy.layers[0][0], [*runner.module.network.state_dict().values()]

    try:
        learner.iterate(0.0)
        training.pool.add_snapshot(learner.network.export(training.configuration))
        before = learner.network.export(training.configuration)
        learner.iterate(0.5)
        found = [it for it in learner._algorithm.env_runner_group.foreach_env_runner(inside) if it]
        assert len(found) == max(1, runners)
        for opponents, first_layer, weights in found:
            assert opponents == 1 + len(training.pool.agents) == 4
            np.testing.assert_array_equal(first_layer, before.layers[0][0])
            for own, learned in zip(weights, learner.network.state_dict().values(), strict=True):
                assert torch.equal(own, learned)
    finally:
        learner.close()


def test_while_only_the_values_learn_the_actor_stays_as_it_is(tmp_path: Path) -> None:
    training = RLlibTraining(tmp_path, settings_of(kl_coef=0.0), runners=0)
    learner = training.learner
    assert isinstance(learner, RLlibLearner)
    actor, critic = (head.weight.detach().clone() for head in (learner.network.action_head, learner.network.value_head))
    try:
        learner.iterate(0.0, only_values=True)
    finally:
        learner.close()
    assert torch.equal(learner.network.action_head.weight, actor)
    assert not torch.equal(learner.network.value_head.weight, critic)


@pytest.mark.parametrize("runners", [0, 1])
def test_an_error_that_an_opponent_raises_ends_the_training(tmp_path: Path, runners: int) -> None:
    """The traceback tells what was raised, in whatever process."""
    settings = settings_of(fixed_opponents=(path_of(odd_agents.RaisingLate),))
    training = RLlibTraining(tmp_path, settings, runners=runners)
    with pytest.raises(RuntimeError) as caught:
        training.run(lambda line: None, lambda: False)
    assert "ArithmeticError: it is late" in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize(
    ("changes", "runners", "message"),
    [
        ({"expert": "greedy"}, 1, "expert does not apply to --rllib: it must be '', not 'greedy'"),
        ({"target_kl": 0.1}, 1, "target_kl does not apply to --rllib: it must be 0.0, not 0.1"),
        ({"kl_reference_decay": 0.5}, 1, "kl_reference_decay does not apply to --rllib"),
        ({}, 3, "n_envs must be a multiple of the number of runners, 3, not 8"),
        ({"batch_size": 1000}, 1, r"batch_size must be at most n_envs \* n_steps with --rllib, not 1000"),
        ({}, -1, "--runners must be an integer, at least 0, not -1"),
    ],
)
def test_settings_that_do_not_apply_are_refused(
    tmp_path: Path, changes: dict[str, Any], runners: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        RLlibTraining(tmp_path / "out", replace(settings_of(), **changes), runners=runners)
    assert not (tmp_path / "out").exists()


def test_a_training_is_resumed_as_it_was_begun(tmp_path: Path, complete: RLlibTraining) -> None:
    with pytest.raises(CheckpointError, match="it was begun with --rllib, so it is resumed with --rllib"):
        Training(complete.folder)
    trained(tmp_path, 0)
    with pytest.raises(CheckpointError, match="it was begun without --rllib, so it is resumed without --rllib"):
        RLlibTraining(tmp_path)


def test_by_default_as_many_runners_play_as_share_the_games_and_leave_a_cpu_to_the_learner() -> None:
    settings = settings_of(n_envs=12)
    assert [default_runners(settings, cpus) for cpus in (1, 2, 3, 4, 5, 6, 8, 13, 100)] == [1, 1, 2, 3, 4, 4, 6, 12, 12]


def test_where_there_is_no_cluster_the_command_says_so_in_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    command = command_of(settings_of(), "--out", str(tmp_path))
    assert t2r([*command, "--ray-address", "127.0.0.1:9"]) == 1
    (line,) = without_compiling(capfd.readouterr().err)
    assert line == "no connection to a Ray cluster at 127.0.0.1:9: [Errno 111] Connection refused"
    with pytest.raises(SystemExit, match="2"):
        t2r([*command, "--ray-address", "ray://head:10001"])
    assert "the address of a Ray cluster must be HOST:PORT, auto or local, not 'ray" in capfd.readouterr().err
