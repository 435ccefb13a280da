"""The agent `policy`: its files, what it refuses, and the actions it chooses."""

import io
import json
import re
import tracemalloc
import zipfile
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from t2r_agents.policy import (
    CARD,
    SHIPPED,
    VALUE,
    WEIGHTS,
    Policy,
    PolicyAgent,
    PolicyError,
    Skip,
    features_identity,
    identity_of,
)
from t2r_agents.tournament import Tournament
from t2r_env import VARIANTS, Configuration, Games, configure
from t2r_env.agents import decisions_of, find_agent, opinions
from t2r_env.features import compute_features, find_features

CONFIGURATION = configure("new_york", 2)
INPUTS, OUTPUTS = CONFIGURATION.layout.observation.size, CONFIGURATION.layout.actions.size


def policy_for(configuration: Configuration = CONFIGURATION, seed: int = 0) -> Policy:
    """A policy with random weights."""
    rng = np.random.default_rng(seed)
    sizes = (configuration.layout.observation.size, 12, 7, configuration.layout.actions.size)
    layers = tuple(
        (rng.normal(size=(inputs, outputs)), rng.normal(size=outputs)) for inputs, outputs in pairwise(sizes)
    )
    return Policy(identity_of(configuration), layers, {"steps": 7})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "policy.zip"
    policy_for().save(path)
    return path


def some_decisions(batch: int = 50, decisions: int = 30) -> Any:
    games = Games(CONFIGURATION, batch=batch)
    games.play_random(decisions)
    return decisions_of(games, np.arange(batch), np.arange(batch, dtype=np.uint64))


def test_a_policy_read_from_its_file_differs_only_by_rounding(file: Path) -> None:
    policy, read = policy_for(), Policy.load(file)
    assert (read.identity, read.training) == (policy.identity, {"steps": 7})
    observations = some_decisions().observations
    logits = policy.logits(observations)
    assert np.abs(read.logits(observations) - logits).max() < 0.002 * np.abs(logits).max()
    assert all(weight.dtype == np.float64 for weight, _ in read.layers)


def test_layers_have_a_relu_between_them() -> None:
    first = (np.array([[1.0, -1.0]]), np.array([0.0, 1.0]))
    last = (np.array([[1.0], [10.0]]), np.array([0.5]))
    policy = Policy({}, (first, last))
    assert policy.logits(np.array([[0], [3]], np.uint8)).tolist() == [[10.5], [3.5]]


def with_value(*shapes: tuple[int, int]) -> Policy:
    """A policy with random layers of the value, of these shapes, and a skip."""
    policy, rng = policy_for(), np.random.default_rng(3)
    layers = tuple((rng.normal(size=shape), rng.normal(size=shape[1])) for shape in shapes)
    return replace(policy, skip=Skip(5, 2.0), value_layers=layers)


def test_values_and_skips_are_computed_from_observations_and_kept_in_files(tmp_path: Path) -> None:
    policy, observations = with_value((12, 4), (4, 1)), some_decisions().observations
    (weight, bias), value = policy.layers[0], policy.value_layers
    hidden = np.maximum(observations @ weight + bias, 0)
    expected = np.maximum(hidden @ value[0][0] + value[0][1], 0) @ value[1][0] + value[1][1]
    logits, values = policy.logits_and_values(observations)
    assert values == pytest.approx(expected[:, 0])
    added = 2.0 * observations[:, 5 : 5 + OUTPUTS]
    assert logits == pytest.approx(policy_for().logits(observations) + added)
    assert np.array_equal(policy.logits(observations), logits)
    policy.save(tmp_path / "policy.zip")
    read = Policy.load(tmp_path / "policy.zip")
    assert read.skip == policy.skip
    for ours, theirs in zip(read.logits_and_values(observations), (logits, values), strict=True):
        assert np.abs(ours - theirs).max() < 0.002 * np.abs(theirs).max()
    with zipfile.ZipFile(tmp_path / "policy.zip") as archive:
        assert json.loads(archive.read(CARD))["value"] == VALUE
    PolicyAgent(read).check(CONFIGURATION)
    with pytest.raises(PolicyError, match="this policy has no values"):
        policy_for().logits_and_values(observations)


@pytest.mark.parametrize("shapes", [((11, 1),), ((12, 2),)])
def test_layers_of_a_value_that_do_not_fit_are_refused(shapes: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(PolicyError, match="but its value is not one number computed from 12"):
        with_value(*shapes).check(CONFIGURATION)


def test_it_chooses_the_legal_action_with_the_largest_logit(file: Path) -> None:
    decisions = some_decisions()
    logits = np.where(decisions.masks == 1, Policy.load(file).logits(decisions.observations), -np.inf)
    assert PolicyAgent(file).act(decisions).tolist() == logits.argmax(axis=1).tolist()


def test_sampled_actions_have_the_probabilities_of_the_policy() -> None:
    policy = Policy(identity_of(CONFIGURATION), tuple((weight / 8, bias / 8) for weight, bias in policy_for().layers))
    decision = some_decisions(1, 0)
    number = 20_000
    seeds = np.random.default_rng(1).integers(2**64, size=number, dtype=np.uint64)
    many = type(decision)(
        decision.configuration,
        np.repeat(decision.views, number),
        np.repeat(decision.masks, number, axis=0),
        np.repeat(decision.observations, number, axis=0),
        seeds,
    )
    actions = PolicyAgent(policy, sample=True).act(many)
    logits = np.where(decision.masks[0] == 1, policy.logits(decision.observations)[0], -np.inf)
    probabilities = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    frequencies = np.bincount(actions, minlength=len(probabilities)) / number
    assert np.count_nonzero(probabilities) > 1
    assert np.abs(frequencies - probabilities).max() < 0.015


def test_an_action_does_not_depend_on_the_other_decisions_of_a_call(file: Path) -> None:
    for agent in (PolicyAgent(file), PolicyAgent(file, sample=True)):
        decisions = some_decisions(80)
        together = agent.act(decisions).tolist()
        assert [int(agent.act(decision)[0]) for decision in decisions.split()] == together


@pytest.mark.parametrize("name", ["{file}", "policy:{file}", "t2r_agents.policy:PolicyAgent:{file}"])
def test_its_file_names_it_wherever_an_agent_is_named(file: Path, name: str) -> None:
    name = name.format(file=file)
    assert isinstance(find_agent(name), PolicyAgent)
    batches = Tournament(CONFIGURATION, [name, "random"], games=2, seed=0).play()
    entries = [entry for batch in batches for entry in batch]
    assert {entry.agent for entry in entries} == {name, "random"}
    assert not any(entry.forfeit for entry in entries)
    env = gymnasium.make("t2r_env/new_york-v0", opponents=name)
    env.reset(seed=0)


OTHERS = [
    (configure("usa", 2), "variant 'new_york', not 'usa'"),
    (configure("new_york", 3), "num_players 2, not 3"),
    (configure("new_york", 2, turn_limit=50), "'turn_limit': 1000}, not"),
]


@pytest.mark.parametrize(("configuration", "message"), OTHERS)
def test_it_refuses_games_for_which_it_was_not_trained(file: Path, configuration: Configuration, message: str) -> None:
    title = "the policy was trained for new_york, 2 players, tickets classic, turn_limit 1000, with"
    for use in (
        lambda: PolicyAgent(file).check(configuration),
        lambda: find_agent(str(file), configuration),
        lambda: Tournament(configuration, [str(file), "random"], games=2, seed=0),
        lambda: PolicyAgent(file).act(
            decisions_of(Games(configuration), np.zeros(1, np.int64), np.zeros(1, np.uint64))
        ),
    ):
        with pytest.raises(PolicyError, match=title) as error:
            use()
        assert message in str(error.value)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("digest", "0" * 64, "with other tables or layouts"),
        ("environment_version", 7, "environment version 7, not 0"),
        ("library_version", "99.0", ""),
        ("format", "t2r_env policy 3", "is not a policy of the format 't2r_env policy 2'"),
        ("format", "t2r_env policy 1", ""),
        ("skip", {"first": 3, "weight": 2.5}, ""),
        ("skip", {"first": 3}, "its skip must be an object of an integer `first` and a number `weight`, not"),
        ("skip", {"first": INPUTS - OUTPUTS + 1, "weight": 1}, "but its skip begins at"),
        ("variant", None, "is not a policy, or it is damaged: its variant is missing"),
        ("options", "classic", "is not a policy, or it is damaged: its options must be an object, not 'classic'"),
        ("features", "plan", "its features must be null, or an object of name and digest, strings, not 'plan'"),
        ("features", {"name": "plan"}, "its features must be null, or an object of name and digest, strings, not"),
        ("features", {"name": 1, "digest": ""}, "its features must be null, or an object of name and digest, strings"),
        ("features", {"name": "hopes", "digest": ""}, "the features 'hopes', which are not installed; there are: plan"),
        (
            "features",
            {"name": "t2r_agents.features:PlanFeatures", "digest": ""},
            "the features 't2r_agents.features:PlanFeatures', which are not installed",
        ),
        ("features", {"name": "plan", "digest": "0"}, "which this version computes or lays out otherwise"),
        ("features", features_identity("plan", CONFIGURATION), "its layers have the shapes"),
    ],
)
def test_the_card_says_whether_a_policy_fits(file: Path, name: str, value: Any, message: str) -> None:
    """The version of the library does not matter."""
    with zipfile.ZipFile(file) as archive:
        card, weights = json.loads(archive.read(CARD)), archive.read(WEIGHTS)
    card[name] = value
    if value is None:
        del card[name]
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(CARD, json.dumps(card))
        archive.writestr(WEIGHTS, weights)
    if message:
        with pytest.raises(ValueError, match=re.escape(message)):
            find_agent(str(file), CONFIGURATION)
    else:
        find_agent(str(file), CONFIGURATION)


def policy_like_the_planner(configuration: Configuration) -> Policy:
    """A policy with features that does what the planner would."""
    games = Games(configuration, features="plan")
    weight = np.zeros((games.layout.observation.size, configuration.layout.actions.size))
    weight[games.layout.observation["planner_action"].slice] = np.eye(weight.shape[1])
    layers = ((weight, np.zeros(weight.shape[1])),)
    return Policy(identity_of(configuration), layers, features=features_identity("plan", configuration))


@pytest.mark.parametrize("variant", ["new_york", "card_game"])
def test_a_policy_computes_its_features_itself(variant: str, tmp_path: Path) -> None:
    """Tournaments and opponents hand out observations without features."""
    configuration, file = configure(variant, 2), tmp_path / "policy.zip"
    policy_like_the_planner(configuration).save(file)
    policy = Policy.load(file)
    assert policy.features == features_identity("plan", configuration)
    games = Games(configuration, batch=60)
    for seed in range(6):
        decisions = decisions_of(games, np.arange(60), np.arange(60, dtype=np.uint64))
        actions = PolicyAgent(policy).act(decisions)
        assert np.array_equal(actions, find_agent("planner").act(decisions))
        games.step(actions)
        games.play_random(7, seed)
    features = compute_features(find_features("plan", configuration), decisions.views, decisions.masks)
    assert np.array_equal(policy.inputs(decisions), np.hstack([decisions.observations, features]))
    batches = Tournament(configuration, [str(file), "planner"], games=2, seed=0).play()
    assert not any(entry.forfeit for entries in batches for entry in entries)


def test_a_policy_without_features_has_none_on_its_card(file: Path) -> None:
    with zipfile.ZipFile(file) as archive:
        assert "features" not in json.loads(archive.read(CARD))
    assert Policy.load(file).features is None
    assert all(Policy.load(shipped).features is None for shipped in (SHIPPED / "v1").glob("*.zip"))


def test_features_that_have_no_name_cannot_be_recorded() -> None:
    with pytest.raises(ValueError, match="a policy's features must have a name, one of plan, not 'module:Mine'"):
        features_identity("module:Mine", CONFIGURATION)
    assert features_identity(None, CONFIGURATION) is None


def test_a_file_that_is_cut_short_or_not_a_policy_is_refused(file: Path, tmp_path: Path) -> None:
    content = file.read_bytes()
    for wrong in (b"", b"nothing", content[: len(content) // 2], content[:-1]):
        file.write_bytes(wrong)
        with pytest.raises(PolicyError, match="is not a policy, or it is damaged"):
            Policy.load(file)
    with pytest.raises(PolicyError, match="there is no file"):
        Policy.load(tmp_path / "nowhere.zip")


def test_a_file_with_a_flipped_bit_is_refused_or_gives_the_same_policy(file: Path) -> None:
    content, policy = file.read_bytes(), Policy.load(file)
    for position in [*range(100), *range(100, len(content) - 200, 31), *range(len(content) - 200, len(content))]:
        damaged = bytearray(content)
        damaged[position] ^= 1 << position % 8
        file.write_bytes(damaged)
        with suppress(PolicyError):
            assert Policy.load(file).identity == policy.identity


def test_an_interruption_while_a_file_is_written_leaves_the_old_one(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    former = file.read_bytes()

    def interrupted(policy: Policy, archive: zipfile.ZipFile) -> None:
        archive.writestr(CARD, "{}")
        raise KeyboardInterrupt

    monkeypatch.setattr(Policy, "write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        policy_for(seed=1).save(file)
    assert file.read_bytes() == former


def with_weights(file: Path, *layers: tuple[Any, Any]) -> None:
    """Replace the weights in a file."""
    with zipfile.ZipFile(file) as archive:
        card = archive.read(CARD)
    buffer = io.BytesIO()
    arrays: dict[str, Any] = {}
    for number, (weight, bias) in enumerate(layers):
        arrays |= {f"weight_{number}": weight, f"bias_{number}": bias}
    np.savez(buffer, **arrays)
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(CARD, card)
        archive.writestr(WEIGHTS, buffer.getvalue())


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ([((3, 4), (4,))], "the shapes (3, 4), not"),
        ([((INPUTS, 4), (4,)), ((4, 5), (5,))], f"({INPUTS}, 4), (4, 5), not"),
    ],
)
def test_weights_that_do_not_fit_the_game_are_refused(file: Path, shapes: list[Any], message: str) -> None:
    with_weights(file, *((np.zeros(weight), np.zeros(bias)) for weight, bias in shapes))
    with pytest.raises(PolicyError, match="but its layers have the shapes") as error:
        find_agent(str(file), CONFIGURATION)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ([], "its weights must have 1 to 33,554,432 bytes, not 0"),
        ([((INPUTS, 4), (4,)), ((5, OUTPUTS), (OUTPUTS,))], f"not (5, {OUTPUTS}) and ({OUTPUTS},)"),
        ([((INPUTS, OUTPUTS), (1,))], f"not ({INPUTS}, {OUTPUTS}) and (1,)"),
        ([((OUTPUTS,), (OUTPUTS,))], f"not ({OUTPUTS},) and ({OUTPUTS},)"),
        ([((INPUTS, OUTPUTS), (OUTPUTS, 1))], f"not ({INPUTS}, {OUTPUTS}) and ({OUTPUTS}, 1)"),
        ([((1, 1), (1,))] * 17, "weight_16.npy"),
    ],
)
def test_weights_that_do_not_fit_each_other_are_refused(file: Path, shapes: list[Any], message: str) -> None:
    with_weights(file, *((np.zeros(weight), np.zeros(bias)) for weight, bias in shapes))
    with pytest.raises(PolicyError, match=re.escape(message)):
        Policy.load(file)


@pytest.mark.parametrize("weight", [np.inf, np.nan])
def test_weights_that_are_not_finite_are_refused(file: Path, weight: float) -> None:
    with_weights(file, (np.full((INPUTS, OUTPUTS), weight), np.zeros(OUTPUTS)))
    with pytest.raises(PolicyError, match="its weights are not all finite"):
        Policy.load(file)


def bomb(shape: tuple[int, int], size: int) -> bytes:
    """Weights whose header claims a shape, followed by so many zero bytes, deflated to next to nothing."""
    weights = io.BytesIO()
    with zipfile.ZipFile(weights, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, claimed in {"weight_0": shape, "bias_0": shape[1:]}.items():
            header = io.BytesIO()
            np.lib.format.write_array_header_1_0(header, {"descr": "<f2", "fortran_order": False, "shape": claimed})
            archive.writestr(f"{name}.npy", header.getvalue() + bytes(size))
    return weights.getvalue()


MEBIBYTE = 1 << 20


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (bomb((2 * MEBIBYTE, 30), 60 * MEBIBYTE), "weight_0.npy has 62,914,688 bytes unpacked, and at most"),
        (bomb((3 * MEBIBYTE, 4), 24 * MEBIBYTE), "its weights must have 1 to 33,554,432 bytes, not"),
        (bomb((10**9, 10**9), 20), "which is not the size of an array of shape (1000000000, 1000000000)"),
        (bytes(80 * MEBIBYTE), "policy.npz has 83,886,080 bytes unpacked, and at most 33,554,432 are allowed"),
    ],
)
def test_a_small_file_that_unpacks_to_a_large_one_is_refused_before_it_does(
    file: Path, weights: bytes, message: str
) -> None:
    with zipfile.ZipFile(file) as archive:
        card = archive.read(CARD)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(CARD, card)
        archive.writestr(WEIGHTS, weights)
    assert file.stat().st_size < MEBIBYTE
    tracemalloc.start()
    try:
        with pytest.raises(PolicyError, match=re.escape(message)):
            Policy.load(file)
        assert tracemalloc.get_traced_memory()[1] < 8 * MEBIBYTE
    finally:
        tracemalloc.stop()


def test_weights_are_never_unpickled(file: Path) -> None:
    with_weights(file, (np.array([print], object), np.zeros(4)))
    with pytest.raises(PolicyError, match="allow_pickle=False"):
        Policy.load(file)


SHIPPED_FOR = (
    configure("usa", 2, tickets="classic"),
    configure("usa", 4, tickets="mega"),
    *(configure(variant) for variant in VARIANTS if variant != "usa"),
)
"""What the library has policies for: every game with the fewest players, and what the best people play."""


def test_the_library_has_a_policy_for_every_game() -> None:
    expected = {f"{it.variant.id}_{it.num_players}" for it in SHIPPED_FOR}
    assert {path.stem for path in SHIPPED.glob("*.zip")} == expected
    for configuration in SHIPPED_FOR:
        find_agent("policy", configuration)


def test_without_a_file_it_plays_the_policy_that_comes_with_the_checkout() -> None:
    for configuration in (configure("new_york", 2), configure("usa", 2, tickets="classic")):
        find_agent("policy:v1", configuration)
    with pytest.raises(PolicyError, match=r"there is no policy for usa with 3 players, only .*new_york_2.*, usa_2"):
        find_agent("policy", configure("usa", 3))
    message = (
        r"was trained for usa, 2 players, tickets classic.*; play it with --tickets classic \(tickets='classic'\)$"
    )
    with pytest.raises(PolicyError, match=message):
        find_agent("policy", configure("usa", 2, tickets="mega"))
    with pytest.raises(PolicyError, match=r"; play it with --num-players 2 \(num_players=2\)$"):
        Policy.load(SHIPPED / "usa_2.zip").check(configure("usa", 3, tickets="classic"))
    with pytest.raises(PolicyError, match=r"; play it with --variant usa \(variant='usa'\)$"):
        Policy.load(SHIPPED / "usa_2.zip").check(configure("new_york", 2))


@pytest.mark.parametrize("configuration", SHIPPED_FOR, ids=str)
def test_the_policies_that_come_with_the_checkout_use_only_what_their_seat_may_know(
    configuration: Configuration,
) -> None:
    """C20."""
    games = Games(configuration, batch=40, seed=5)
    rows, seeds, agent = np.arange(40), np.arange(40, dtype=np.uint64), find_agent("policy", configuration)
    for seed in range(5):
        actions = agent.act(decisions_of(games, rows, seeds))
        others = games.clone()
        others.set_states(rows, games.determinize(rows, range(1000, 1040)))
        assert np.array_equal(agent.act(decisions_of(others, rows, seeds)), actions)
        games.step(actions)
        games.play_random(25, seed)


def test_its_opinion_is_the_masked_softmax_of_its_logits(file: Path) -> None:
    decisions = some_decisions()
    policy = Policy.load(file)
    logits = np.where(decisions.masks == 1, policy.logits(decisions.observations), -np.inf)
    logits -= logits.max(axis=1, keepdims=True)
    probabilities = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    for sample in (False, True):
        agent = PolicyAgent(policy, sample=sample)
        found = opinions(agent, decisions)
        assert [opinion.action for opinion in found] == agent.act(decisions).tolist()
        shares = [opinion.probabilities for opinion in found if opinion.probabilities is not None]
        assert np.allclose(shares, probabilities)
