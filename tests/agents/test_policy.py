"""The agent `policy`: what its files hold, what they refuse, and how it answers."""

import io
import json
import re
import zipfile
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from agents.policy import CARD, SHIPPED, WEIGHTS, Policy, PolicyAgent, PolicyError, identity_of
from agents.tournament import Tournament
from t2r_env import Configuration, Games, configure
from t2r_env.agents import decisions_of, find_agent

CONFIGURATION = configure("new_york", 2)


def policy_for(configuration: Configuration = CONFIGURATION, seed: int = 0) -> Policy:
    """A policy with weights of chance."""
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


def decisions_of(batch: int = 50, decisions: int = 30) -> Any:
    games = Games(CONFIGURATION, batch=batch)
    games.play_random(decisions)
    return decisions_of(games, np.arange(batch), np.arange(batch, dtype=np.uint64))


def test_a_policy_is_the_same_from_its_file_but_for_rounding(file: Path) -> None:
    policy, read = policy_for(), Policy.load(file)
    assert (read.identity, read.training) == (policy.identity, {"steps": 7})
    seen = decisions_of().observations
    logits = policy.logits(seen)
    assert np.abs(read.logits(seen) - logits).max() < 0.002 * np.abs(logits).max()
    assert all(matrix.dtype == np.float64 for matrix, _ in read.layers)


def test_layers_have_what_is_negative_cut_off_between_them() -> None:
    first = (np.array([[1.0, -1.0]]), np.array([0.0, 1.0]))
    last = (np.array([[1.0], [10.0]]), np.array([0.5]))
    policy = Policy({}, (first, last))
    assert policy.logits(np.array([[0], [3]], np.uint8)).tolist() == [[10.5], [3.5]]


def test_it_gives_the_answer_that_it_weighs_most(file: Path) -> None:
    decisions = decisions_of()
    logits = np.where(decisions.masks == 1, Policy.load(file).logits(decisions.observations), -np.inf)
    assert PolicyAgent(file).act(decisions).tolist() == logits.argmax(axis=1).tolist()


def test_sampled_answers_are_as_likely_as_they_are_weighed() -> None:
    policy = Policy(identity_of(CONFIGURATION), tuple((m / 8, a / 8) for m, a in policy_for().layers))
    decision = decisions_of(1, 0)
    number = 20_000
    rng = np.random.default_rng(1).integers(2**64, size=number, dtype=np.uint64)
    many = type(decision)(
        decision.configuration,
        np.repeat(decision.views, number),
        np.repeat(decision.masks, number, axis=0),
        np.repeat(decision.observations, number, axis=0),
        rng,
    )
    actions = PolicyAgent(policy, sample=True).act(many)
    logits = np.where(decision.masks[0] == 1, policy.logits(decision.observations)[0], -np.inf)
    likely = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    counted = np.bincount(actions, minlength=len(likely)) / number
    assert np.count_nonzero(likely) > 1
    assert np.abs(counted - likely).max() < 0.015


def test_answers_do_not_hang_on_how_many_decisions_there_are(file: Path) -> None:
    for agent in (PolicyAgent(file), PolicyAgent(file, sample=True)):
        decisions = decisions_of(80)
        together = agent.act(decisions).tolist()
        assert [int(agent.act(decision)[0]) for decision in decisions.split()] == together


@pytest.mark.parametrize("name", ["{file}", "policy:{file}", "agents.policy:PolicyAgent:{file}"])
def test_its_file_names_it_wherever_an_agent_is_named(file: Path, name: str) -> None:
    name = name.format(file=file)
    assert isinstance(find_agent(name), PolicyAgent)
    entries = [it for some in Tournament(CONFIGURATION, [name, "random"], games=2, seed=0).play() for it in some]
    assert {entry.agent for entry in entries} == {name, "random"}
    assert not any(entry.forfeit for entry in entries)
    env = gymnasium.make("t2r_env/new_york-v0", opponents=name)
    env.reset(seed=0)


OTHERS = [
    (configure("usa", 2), "variant 'new_york'; here it is 'usa'"),
    (configure("new_york", 3), "num_players 2; here it is 3"),
    (configure("new_york", 2, turn_limit=50), "'turn_limit': 1000}; here it is"),
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
        ("environment_version", 7, "environment version 7; here it is 0"),
        ("library_version", "99.0", ""),
        ("format", "t2r_env policy 2", "is no policy of the form 't2r_env policy 1'"),
        ("variant", None, "is no policy, or it is damaged: its variant is missing"),
        ("options", "classic", "is no policy, or it is damaged: its options are no object"),
    ],
)
def test_its_card_says_whether_it_fits(file: Path, name: str, value: Any, message: str) -> None:
    """The version of the library is information only."""
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


def test_a_file_cut_short_or_of_another_kind_is_refused(file: Path, tmp_path: Path) -> None:
    content = file.read_bytes()
    for wrong in (b"", b"nothing", content[: len(content) // 2], content[:-1]):
        file.write_bytes(wrong)
        with pytest.raises(PolicyError, match="is no policy, or it is damaged"):
            Policy.load(file)
    with pytest.raises(PolicyError, match="there is no policy"):
        Policy.load(tmp_path / "nowhere.zip")


def test_a_file_with_any_damage_is_refused_or_the_same(file: Path) -> None:
    content, policy = file.read_bytes(), Policy.load(file)
    for place in [*range(100), *range(100, len(content) - 200, 31), *range(len(content) - 200, len(content))]:
        damaged = bytearray(content)
        damaged[place] ^= 1 << place % 8
        file.write_bytes(damaged)
        with suppress(PolicyError):
            assert Policy.load(file).identity == policy.identity


def test_a_file_is_written_whole_or_not_at_all(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    former = file.read_bytes()

    def interrupted(policy: Policy, archive: zipfile.ZipFile) -> None:
        archive.writestr(CARD, "{}")
        raise KeyboardInterrupt

    monkeypatch.setattr(Policy, "write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        policy_for(seed=1).save(file)
    assert file.read_bytes() == former


def with_weights(file: Path, *layers: tuple[Any, Any]) -> None:
    """Put other weights into a file."""
    with zipfile.ZipFile(file) as archive:
        card = archive.read(CARD)
    buffer = io.BytesIO()
    arrays: dict[str, Any] = {}
    for number, (matrix, added) in enumerate(layers):
        arrays |= {f"matrix_{number}": matrix, f"added_{number}": added}
    np.savez(buffer, **arrays)
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(CARD, card)
        archive.writestr(WEIGHTS, buffer.getvalue())


INPUTS, OUTPUTS = CONFIGURATION.layout.observation.size, CONFIGURATION.layout.actions.size


@pytest.mark.parametrize(
    ("shapes", "told"),
    [
        ([], "of the shapes , not"),
        ([((3, 4), (4,))], "of the shapes (3, 4), not"),
        ([((INPUTS, 4), (4,)), ((5, OUTPUTS), (OUTPUTS,))], f"({INPUTS}, 4), (5, {OUTPUTS}), not"),
        ([((INPUTS, OUTPUTS), (1,))], f"({INPUTS}, {OUTPUTS}), not"),
        ([((OUTPUTS,), (OUTPUTS,))], f"({OUTPUTS},), not"),
    ],
)
def test_weights_that_do_not_fit_the_game_are_refused(file: Path, shapes: list[Any], told: str) -> None:
    with_weights(file, *((np.zeros(matrix), np.zeros(added)) for matrix, added in shapes))
    with pytest.raises(PolicyError, match="but its layers are") as error:
        find_agent(str(file), CONFIGURATION)
    assert told in str(error.value)


@pytest.mark.parametrize("weight", [np.inf, np.nan])
def test_weights_that_are_no_numbers_are_refused(file: Path, weight: float) -> None:
    with_weights(file, (np.full((INPUTS, OUTPUTS), weight), np.zeros(OUTPUTS)))
    with pytest.raises(PolicyError, match="not all of its weights are numbers"):
        Policy.load(file)


def test_weights_are_never_unpickled(file: Path) -> None:
    with_weights(file, (np.array([print], object), np.zeros(4)))
    with pytest.raises(PolicyError, match="allow_pickle=False"):
        Policy.load(file)


def test_without_a_file_it_plays_the_policy_that_comes_along() -> None:
    assert {path.stem for path in SHIPPED.glob("*.zip")} == {"new_york_2", "usa_2"}
    for variant, options in (("new_york", {}), ("usa", {"tickets": "classic"})):
        find_agent("policy", configure(variant, 2, **options))
    with pytest.raises(PolicyError, match="no policy for usa with 3 players comes along, only new_york_2, usa_2"):
        find_agent("policy", configure("usa", 3))
    with pytest.raises(PolicyError, match="was trained for usa, 2 players, tickets classic"):
        find_agent("policy", configure("usa", 2, tickets="mega"))


@pytest.mark.parametrize(("variant", "deck"), [("new_york", "classic"), ("usa", "classic")])
def test_a_policy_that_comes_along_answers_by_what_its_seat_may_know(variant: str, deck: str) -> None:
    """C20."""
    games = Games(variant, 2, batch=40, seed=5, tickets=deck)
    rows, seeds, agent = np.arange(40), np.arange(40, dtype=np.uint64), find_agent("policy", games.configuration)
    for seed in range(5):
        actions = agent.act(decisions_of(games, rows, seeds))
        others = games.clone()
        others.set_states(rows, games.determinize(rows, games.current, range(1000, 1040)))
        assert np.array_equal(agent.act(decisions_of(others, rows, seeds)), actions)
        games.step(actions)
        games.play_random(25, seed)
