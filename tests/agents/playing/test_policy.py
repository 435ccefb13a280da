"""The agent `policy`: its files, what it refuses, the actions it chooses, and what is played with it."""

import io
import json
import os
import re
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file, save_file
from scipy.special import softmax

from t2r_agents.comparing.tournament import Tournament
from t2r_agents.playing.configuring import configure_for
from t2r_agents.playing.network import apply_layers
from t2r_agents.playing.policy import SHIPPED, VALUE, Policy, PolicyAgent, PolicyFeatures, Skip, shipped_policy
from t2r_agents.playing.policy_file import CARD, MAX_FILE_BYTES, PolicyError
from t2r_env import VARIANTS, Configuration, Games, configure
from t2r_env.agents import find_agent, opinions
from t2r_env.commands import main as t2r
from t2r_env.core.layout import Segments
from t2r_env.features import compute_features, find_features
from t2r_env.variants import load_variant
from tests.helpers.acting import blind_actions, decisions_in
from tests.helpers.refusing import refusal
from tests.helpers.simulated_player import HIDDEN, policy_for, with_rollout

CONFIGURATION = configure("new_york", 2)
INPUTS, OUTPUTS = CONFIGURATION.layout.observation.size, CONFIGURATION.layout.actions.size


POLICY = replace(policy_for(CONFIGURATION), value_layers=(), training={"steps": 7})
"""A policy with random weights."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "policy.safetensors"
    POLICY.save(path)
    return path


def card_of(file: Path) -> dict[str, Any]:
    with safe_open(file, "numpy") as opened:
        card: dict[str, Any] = json.loads(opened.metadata()[CARD])
    return card


def change(file: Path, card: dict[str, Any], tensors: dict[str, Any] | None = None) -> None:
    """Change entries of a file's card, None removing one; or all of its tensors."""
    changed = {name: value for name, value in (card_of(file) | card).items() if value is not None}
    save_file(load_file(file) if tensors is None else tensors, file, {CARD: json.dumps(changed)})


def identity(**changes: Any) -> dict[str, Any]:
    """The entry of a card that says what the policy plays."""
    return {"identities": [CONFIGURATION.identity | changes]}


def some_decisions(batch: int = 50, decisions: int = 30) -> Any:
    games = Games(CONFIGURATION, batch=batch, seed=0)
    games.play_random(decisions)
    return decisions_in(games)


def test_layers_have_a_relu_between_them_and_a_file_keeps_them_but_for_rounding(file: Path) -> None:
    first = (np.array([[1.0, -1.0]]), np.array([0.0, 1.0]))
    last = (np.array([[1.0], [10.0]]), np.array([0.5]))
    policy = Policy(({},), Segments.of([("only", (1,), "")]), (first, last))
    assert policy.logits(np.array([[0], [3]], np.uint8)).tolist() == [[10.5], [3.5]]
    policy, read = POLICY, Policy.load(file)
    assert (read.identities, read.training) == (policy.identities, {"steps": 7})
    observations = some_decisions().observations
    logits = policy.logits(observations)
    assert np.abs(read.logits(observations) - logits).max() < 0.002 * np.abs(logits).max()
    assert all(weight.dtype == np.float32 for weight, _ in read.layers)


def test_values_skips_and_rollout_networks_are_kept_in_files_which_need_none(file: Path) -> None:
    assert Policy.load(file).rollout_layers == ()
    observations, rng = some_decisions().observations, np.random.default_rng(3)
    value = tuple((rng.normal(size=shape), rng.normal(size=shape[1])) for shape in ((HIDDEN, 4), (4, 1)))
    policy = replace(with_rollout(POLICY), skip=Skip(5, 2.0), value_layers=value)
    weight, bias = policy.layers[0]
    hidden = np.maximum(observations @ weight + bias, 0)
    expected = np.maximum(hidden @ value[0][0] + value[0][1], 0) @ value[1][0] + value[1][1]
    logits, values = policy.logits_and_values(observations)
    assert values == pytest.approx(expected[:, 0])
    assert logits == pytest.approx(POLICY.logits(observations) + 2.0 * observations[:, 5 : 5 + OUTPUTS])
    assert np.array_equal(policy.logits(observations), logits)
    policy.save(file)
    read = Policy.load(file)
    assert (read.skip, read.planner_weight) == (policy.skip, policy.planner_weight)
    rollouts = [apply_layers(it.rollout_layers, observations) for it in (policy, read)]
    assert np.abs(rollouts[0] - rollouts[1]).max() < 0.002 * np.abs(rollouts[1]).max()
    for ours, theirs in zip(read.logits_and_values(observations), (logits, values), strict=True):
        assert np.abs(ours - theirs).max() < 0.01 * np.abs(theirs).max()
    assert card_of(file)["value"] == VALUE
    PolicyAgent(read).check(CONFIGURATION)
    with pytest.raises(PolicyError, match="this policy has no values"):
        POLICY.logits_and_values(observations)
    for layers in (policy.rollout_layers[:1], (policy.layers[0], policy.rollout_layers[1])):
        with pytest.raises(PolicyError, match=r"its rollout"):
            replace(policy, rollout_layers=layers)


def test_sampled_actions_have_the_probabilities_of_the_policy() -> None:
    decision, number = some_decisions(1, 0), 20_000
    seeds = np.random.default_rng(1).integers(2**64, size=number, dtype=np.uint64)
    many = replace(decision.take(np.zeros(number, np.int64)), seeds=seeds)
    actions = (agent := PolicyAgent(POLICY, sample=True)).act(many)
    (probabilities,) = (opinion.probabilities for opinion in opinions(agent, decision))
    assert probabilities is not None
    frequencies = np.bincount(actions, minlength=len(probabilities)) / number
    assert np.count_nonzero(probabilities) > 1
    assert np.abs(frequencies - probabilities).max() < 0.015


def test_what_a_policy_returns_for_a_decision_is_the_same_to_the_bit_alone_and_among_many() -> None:
    policy, decisions = shipped_policy(CONFIGURATION), some_decisions(80)
    inputs = policy.inputs(decisions)
    alone = [policy.logits_and_values(inputs[row : row + 1]) for row in range(len(inputs))]
    for together, parts in zip(policy.logits_and_values(inputs), zip(*alone, strict=True), strict=True):
        assert np.array_equal(np.concatenate(parts), together)
    agent = PolicyAgent(policy, sample=True)
    assert [int(agent.act(decision)[0]) for decision in decisions.split()] == agent.act(decisions).tolist()


@pytest.mark.parametrize(
    ("configuration", "message"),
    [
        (configure("usa", 2), "variant 'new_york', not 'usa'"),
        (configure("new_york", 3), "num_players 2, not 3"),
        (configure("new_york", 2, turn_limit=50), "'turn_limit': 1000}, not"),
    ],
)
def test_it_refuses_games_for_which_it_was_not_trained(file: Path, configuration: Configuration, message: str) -> None:
    title = "the policy was trained for new_york, 2 players, tickets classic, turn_limit 1000, with"
    for use in (
        lambda: PolicyAgent(file).check(configuration),
        lambda: find_agent(str(file), configuration),
        lambda: Tournament(configuration, [str(file), "random"], games=2, seed=0),
        lambda: PolicyAgent(file).act(decisions_in(Games(configuration, seed=0))),
    ):
        with pytest.raises(PolicyError, match=f"{title}.*{message}"):
            use()


(VERSION,) = PolicyFeatures.of("plan", [CONFIGURATION]).versions
FEATURES = {"name": "plan", "versions": [VERSION], "segments": {"planner_action": [OUTPUTS]}}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (identity(rules="0" * 16), "1000, with other tables or actions than this version has; train it again"),
        ({"library_version": "99.0"}, ""),
        ({"format": "t2r_env policy 2"}, "is not a policy of the format 't2r_env policy 4'"),
        ({"skip": {"first": 3, "weight": 2.5}}, ""),
        ({"skip": {"first": INPUTS, "weight": 1}}, f"its skip must begin at 0 to {INPUTS - OUTPUTS}, not at {INPUTS}"),
        ({"identities": []}, "a policy must have an identity"),
        (identity(num_players=True), "or it is damaged: its num_players must be of type int, not True"),
        ({"training": {"x": "y" * 70_000}}, "its card must have at most 65,536 bytes"),
        ({"observation": {"hand": 9}}, "its observation must have shapes, lists of positive integers, not 9"),
        ({"observation": {"moon": [INPUTS]}}, f"observation's segment 'moon' of shape ({INPUTS},), which is missing"),
        ({"observation": {"hand": [INPUTS]}}, f"segment 'hand' of shape ({INPUTS},), which has the shape (1, 9) here"),
        ({"features": FEATURES | {"name": "os:path"}}, "features must have a name, one of plan"),
        ({"features": FEATURES}, ""),
        ({"features": FEATURES | {"versions": [VERSION, 1]}}, "must have a version for each of its identities"),
        ({"features": FEATURES | {"versions": [1]}}, f"the features 'plan' of version 1, not {VERSION}; train"),
        ({"features": FEATURES | {"segments": {"planner_action": [5]}}}, f"which has the shape ({OUTPUTS},)"),
    ],
)
def test_the_card_says_whether_a_policy_fits(file: Path, changes: dict[str, Any], message: str) -> None:
    """The version of the library does not matter."""
    if "features" in changes:  # inputs for them
        size = sum(shape[0] for shape in changes["features"]["segments"].values())
        weights = load_file(file)
        weights["policy.0.weight"] = np.vstack([weights["policy.0.weight"], np.zeros((size, HIDDEN), np.float16)])
        change(file, {}, weights)
    change(file, changes)
    with pytest.raises(ValueError, match=re.escape(message)) if message else nullcontext():
        find_agent(str(file), CONFIGURATION)


@pytest.mark.parametrize("variant", ["new_york", "card_game"])
def test_a_policy_computes_its_features_itself(variant: str, tmp_path: Path) -> None:
    """Tournaments and opponents hand out observations without features. This one does what the planner would."""
    configuration, file = configure(variant, 2), tmp_path / "policy.safetensors"
    layout = Games(configuration, features="plan", seed=0).layout
    weight = np.zeros((layout.observation.size, layout.actions.size))
    weight[layout.observation["planner_action"].slice] = np.eye(weight.shape[1])
    layers, features = ((weight, np.zeros(weight.shape[1])),), PolicyFeatures.of("plan", [configuration])
    Policy((configuration.identity,), configuration.layout.observation, layers, features=features).save(file)
    policy = Policy.load(file)
    games = Games(configuration, batch=60, seed=0)
    for seed in range(6):
        decisions = decisions_in(games)
        actions = PolicyAgent(policy).act(decisions)
        assert np.array_equal(actions, find_agent("planner").act(decisions))
        games.step(actions)
        games.play_random(7, seed)
    computed = compute_features(find_features("plan", configuration), decisions.views, decisions.masks)
    assert np.array_equal(policy.inputs(decisions), np.hstack([decisions.observations, computed]))


def test_a_file_that_is_cut_short_or_not_a_policy_is_refused(file: Path, tmp_path: Path) -> None:
    content = file.read_bytes()
    for wrong in (b"", content[: len(content) // 2], content[:-1], content + b"\0", b"\xff" * 8 + content):
        file.write_bytes(wrong)
        with pytest.raises(PolicyError, match="is not a policy, or it is damaged"):
            Policy.load(file)
    save_file({"a": np.zeros(3)}, file, {"format": "pt"})
    with pytest.raises(PolicyError, match="is not a policy of the format"):
        Policy.load(file)
    os.truncate(file, MAX_FILE_BYTES + 1)
    with pytest.raises(PolicyError, match="bytes, and at most 17,825,792 are allowed"):
        Policy.load(file)
    with pytest.raises(PolicyError, match="there is no file"):
        Policy.load(tmp_path / "nowhere.safetensors")


def two_outputs(part: str, inputs: int) -> dict[str, Any]:
    """The tensors of a part that has one layer, of two outputs."""
    return {f"{part}.0.weight": np.zeros((inputs, 2), np.float16), f"{part}.0.bias": np.zeros(2, np.float16)}


WEIGHTS = {"policy.0.weight": np.zeros((INPUTS, OUTPUTS), np.float16), "policy.0.bias": np.zeros(OUTPUTS, np.float16)}


@pytest.mark.parametrize(
    ("tensors", "message"),
    [
        ({}, "a policy must have 1 to 16 layers and at most 8,388,608 weights, not 0 layers and 0 weights"),
        ({"policy.0.weight": WEIGHTS["policy.0.weight"]}, "its tensors must be the weights and biases of at most 16"),
        ({"policy.0.weight": np.zeros(1), "policy.1.bias": np.zeros(1)}, "policy.0.weight must hold finite numbers of"),
        (WEIGHTS | {"policy.0.bias": np.full(OUTPUTS, np.inf, np.float16)}, "policy.0.bias must hold finite numbers"),
        (WEIGHTS | {"policy.0.bias": np.zeros((OUTPUTS, 1), np.float16)}, f"{OUTPUTS}) and ({OUTPUTS}, 1)"),
        (WEIGHTS | {"policy.0.weight": np.zeros((5, OUTPUTS), np.float16)}, f"for {INPUTS} inputs, not (5, {OUTPUTS})"),
        ({name: array[..., :7].copy() for name, array in WEIGHTS.items()}, f"of 7 actions, not of {OUTPUTS}"),
        (WEIGHTS | two_outputs("value", OUTPUTS), "its last layer of the value must have one output"),
        (WEIGHTS | two_outputs("rollout", INPUTS), f"its rollout must have two layers, the last with {OUTPUTS}"),
    ],
)
def test_weights_that_do_not_fit_are_refused(file: Path, tensors: dict[str, Any], message: str) -> None:
    change(file, {}, tensors)
    with pytest.raises(PolicyError, match=re.escape(message)):
        PolicyAgent(file).check(CONFIGURATION)


SHIPPED_FOR = tuple(
    configure(variant, number, tickets=tickets)
    for variant in map(load_variant, VARIANTS)
    for tickets in (["anniversary", "classic", "mega"] if variant.id == "usa" else [variant.default_ticket_deck])
    for number in variant.player_numbers
)
"""What the library has policies for: every game and number of players; of USA these tickets."""


def test_the_library_has_a_policy_for_every_game_and_plays_it_without_a_file() -> None:
    for configuration in SHIPPED_FOR:
        find_agent("policy", configuration)
    for path in SHIPPED.glob("*.safetensors"):
        trained = Policy.load(path).identities
        numbers = "".join(str(identity["num_players"]) for identity in trained)
        assert path.stem == f"{trained[0]['variant']}_{trained[0]['options']['tickets']}_{numbers}"
    with pytest.raises(PolicyError, match=r"no policy for usa, 3 players, only .*new_york_classic.*, usa_mega_45"):
        find_agent("policy", configure("usa", 3, tickets="1910"))
    policy = Policy.load(SHIPPED / "usa_classic_23.safetensors")
    for configuration, advice in (
        (configure("usa", 2, tickets="mega"), r"--tickets classic \(tickets='classic'\)"),
        (configure("usa", 4, tickets="classic"), r"--num-players 2 \(num_players=2\)"),
        (configure("new_york", 2), r"--variant usa \(variant='usa'\)"),
    ):
        with pytest.raises(PolicyError, match=rf"for usa, 2, 3 players, tickets classic.*; play it with {advice}$"):
            policy.check(configuration)


@pytest.mark.parametrize("configuration", SHIPPED_FOR[::3], ids=str)
def test_the_librarys_policies_use_only_what_their_seat_may_know(configuration: Configuration) -> None:
    """C20."""
    games, agent = Games(configuration, batch=40, seed=5), find_agent("policy", configuration)
    for seed in range(5):
        games.step(blind_actions(agent, games))
        games.play_random(25, seed)


def test_it_plays_the_legal_action_with_the_largest_logit_and_its_opinion_is_their_softmax(file: Path) -> None:
    decisions = some_decisions()
    policy = Policy.load(file)
    logits = np.where(decisions.masks == 1, policy.logits(decisions.observations), -np.inf)
    probabilities = softmax(logits, axis=1)
    assert PolicyAgent(file).act(decisions).tolist() == logits.argmax(axis=1).tolist()
    for sample in (False, True):
        agent = PolicyAgent(policy, sample=sample)
        found = opinions(agent, decisions)
        assert [opinion.action for opinion in found] == agent.act(decisions).tolist()
        shares = [opinion.probabilities for opinion in found if opinion.probabilities is not None]
        assert np.allclose(shares, probabilities)


# What is played is what the policies among the agents were trained for


CLASSIC, MEGA, LONDON = (
    str(SHIPPED / f"{name}.safetensors") for name in ("usa_classic_23", "usa_mega_2", "united_kingdom_main_234")
)
TWO = configure("usa", 2, tickets="classic")


@pytest.mark.parametrize(
    ("agents", "variant", "players", "options", "played"),
    [
        *((["greedy", name.format(CLASSIC)], None, None, {}, TWO) for name in ("{}", "policy:{}", "ismcts:10,{}")),
        ([CLASSIC], None, 3, {}, configure("usa", 3, tickets="classic")),
        ([CLASSIC], "usa", None, {"tickets": "mega"}, configure("usa", 2, tickets="mega")),
        ([CLASSIC], "new_york", None, {}, configure("new_york")),
        ([MEGA], "usa", None, {}, configure("usa", 2, tickets="mega")),
        ([CLASSIC, MEGA], None, None, {}, configure("usa")),
        ([CLASSIC, CLASSIC], None, None, {}, TWO),
        (["greedy", "planner", "policy", "ismcts:5,policy"], None, None, {}, configure("usa")),
    ],
)
def test_policies_that_agree_say_what_is_played_unless_it_is_told(
    agents: list[str], variant: str | None, players: int | None, options: dict[str, Any], played: Configuration
) -> None:
    assert configure_for(agents, variant, players, options) == played


@pytest.mark.parametrize("name", ["my_module:Model:model.zip", "any_board:own.safetensors", "ismcts:200"])
def test_files_of_other_agents_are_no_policies(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is one that is named like a budget."""
    monkeypatch.chdir(tmp_path)
    Path(name.rpartition(":")[2]).touch()
    assert configure_for([name], None, None, {}) == configure("usa")


def test_commands_play_what_policies_were_trained_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert t2r(["tournament", "--agents", LONDON, "random", "--games", "2", "--processes", "1"]) == 0
    assert "united_kingdom, 2 players" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    assert t2r(["play", "--opponents", LONDON, "--seed", "1"]) == 130
    assert capsys.readouterr().out.startswith("united_kingdom, 2 players, seed 1: player_0 is you, player_1 is ")
    told = refusal(capsys, t2r, "tournament", "--agents", CLASSIC, MEGA, "--games", "2")
    assert "the policy was trained for usa, 2, 3 players, tickets classic, turn_limit 1000, with options" in told
    (tmp_path / "own.safetensors").write_text("no policy")
    with pytest.raises(PolicyError, match=r"own\.safetensors is not a policy"):
        configure_for([str(tmp_path / "own.safetensors")], None, None, {})
