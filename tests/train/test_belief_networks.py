"""Beliefs: what others hold, by a network that has learned from games, and by what is certain (C20)."""

from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_agents.playing.beliefs import BeliefNetwork, Beliefs, observe, segment_of, unseen_cards
from t2r_agents.playing.policy_file import PolicyError
from t2r_env import Configuration, Games, configure
from t2r_env.commands import main as t2r
from t2r_env.core.layout import Segments
from t2r_train import fitting
from t2r_train.beliefs import learning, terminal
from t2r_train.beliefs.learning import PHASES, calibrate, dealt_evenly, held, learn_beliefs, measure
from t2r_train.values import terminal as values_terminal
from t2r_train.values.positions import Positions, agents_for, play_positions
from tests.helpers.fixtures import Capture, Patch

CONFIGURATION = configure("new_york", 2)


def acting(positions: Positions) -> NDArray[np.int64]:
    seats: NDArray[np.int64] = positions.states["current"].astype(np.int64)
    return seats


def planned(configuration: Configuration, seed: int, games: int) -> Positions:
    """Positions of games of planners."""
    return play_positions(configuration, agents_for(configuration, ["planner"]), (0.0,), seed, games)


def learned_from(positions: Positions, configuration: Configuration = CONFIGURATION) -> BeliefNetwork:
    return learn_beliefs(configuration, positions, 1, lambda done, total: None, {})


@pytest.fixture(scope="module")
def positions() -> Positions:
    return planned(CONFIGURATION, 5, 64)


@pytest.fixture(scope="module")
def beliefs(positions: Positions) -> Beliefs:
    with Patch.context() as patched:
        patched.setattr(learning, "EPOCHS", 20)
        patched.setattr(fitting, "MINIBATCH", 256)
        return Beliefs(CONFIGURATION, learned_from(positions))


def test_what_the_others_hold_is_told_in_turn_order() -> None:
    games = Games("usa", num_players=3, batch=4, seed=0)
    games.play_random(60)
    seats = np.array([0, 1, 2, 1])
    tickets, cards = held(games.configuration, games.states, seats)
    for row, seat in enumerate(seats):
        for distance in (1, 2):
            player = games.snapshot(row)["players"][(seat + distance) % 3]
            assert tickets[row, distance - 1].sum() == len(player["tickets"])
            assert sorted(cards[row, distance - 1], reverse=True)[0] == max(player["hand"].values())
            assert cards[row, distance - 1].sum() == sum(player["hand"].values())


def test_of_cards_only_those_that_nobody_has_seen_are_learned(positions: Positions, monkeypatch: Patch) -> None:
    monkeypatch.setattr(learning, "belief_loss", loss := Mock(wraps=learning.belief_loss))
    monkeypatch.setattr(learning, "EPOCHS", 1)
    monkeypatch.setattr(fitting, "MINIBATCH", len(positions))
    learned_from(positions)
    others = 1 - np.random.default_rng(1).integers(2, size=len(positions))
    states, rows = positions.states, np.arange(len(positions))
    assert states["known"][rows, others].any()
    hidden = states["hand"][rows, others].astype(int) - states["known"][rows, others]
    assert [float(call.args[3].sum()) for call in loss.call_args_list] == [hidden.sum()]


def test_chances_of_tickets_are_as_sure_as_they_may_be_at_positions(beliefs: Beliefs) -> None:
    fresh = planned(CONFIGURATION, 500, 64)
    network, seats, states = beliefs._network, acting(fresh), fresh.states
    truth = held(CONFIGURATION, states, seats).tickets
    *hidden, (weights, biases) = network.layers
    halves = np.where(np.arange(biases.size) < truth.shape[-1], 0.5, 1).astype(np.float32)
    *hidden_of_tickets, (weight, bias) = network.ticket_layers
    signs = (*hidden_of_tickets, (weight / 2, bias / 2))
    careful = replace(network, layers=(*hidden, (weights * halves, biases * halves)), ticket_layers=signs)
    first, mended = (calibrate(CONFIGURATION, it, fresh) for it in (network, careful))
    assert mended.training["scale"] == pytest.approx(2 * first.training["scale"], abs=0.1)
    told = [Beliefs(CONFIGURATION, it).believe(states, seats) for it in (network, careful, mended)]
    losses = [-np.log(np.where(truth > 0, it.tickets, 1 - it.tickets).clip(1e-4)).sum() for it in told]
    assert losses[2] == min(losses)
    assert all(np.array_equal(it.cards, told[0].cards) for it in told)


def test_chances_and_numbers_add_up_and_respect_what_is_certain(beliefs: Beliefs, positions: Positions) -> None:
    """C20."""
    seats = acting(positions)
    told, truth = beliefs.believe(positions.states, seats), held(CONFIGURATION, positions.states, seats)
    seen = observe(CONFIGURATION, positions.states, seats)
    assert told.tickets.sum(axis=2) == pytest.approx(truth.tickets.sum(axis=2), abs=1e-3)
    assert told.cards.sum(axis=2) == pytest.approx(truth.cards.sum(axis=2), abs=1e-6)
    assert (told.cards >= segment_of(CONFIGURATION, seen, "known")[:, 1:]).all()
    for name in ("tickets", "offered"):
        own = segment_of(CONFIGURATION, seen, name)[:, :1] > 0
        assert own.any()
        assert not told.tickets[own].any()
    states, rows = positions.states, np.arange(len(positions))
    drawn = states["hand"][rows, 1 - seats].astype(int) - states["known"][rows, 1 - seats]
    assert np.array_equal(unseen_cards(CONFIGURATION, seen), states["deck"] + drawn)
    games = Games(CONFIGURATION, batch=len(positions), seed=0, autoreset=False)
    games.set_states(None, states)
    dealt = games.determinize(None, rows.astype(np.uint64))  # what the seat can't know changes nothing
    assert all(np.array_equal(one, other) for one, other in zip(told, beliefs.believe(dealt, seats), strict=True))


def test_who_has_watched_knows_more_than_who_has_not(beliefs: Beliefs, positions: Positions) -> None:
    """More than who deals evenly, and than who reads no signs."""
    found = measure(beliefs, positions, 3)
    assert list(found["tickets"]) == list(found["cards"]) == list(PHASES)
    ours, even, saved, low, high = found["tickets"]["all"]
    assert saved == pytest.approx(1 - ours / even, abs=1e-3)
    assert 0.1 < low < saved < high
    means = dealt_evenly(CONFIGURATION, positions.states, 0)
    told = beliefs.believe(positions.states, acting(positions))
    assert means.tickets.sum() == pytest.approx(told.tickets.sum(), rel=1e-3)
    assert sum(number for _, _, number in found["reliability"]) == told.tickets.size
    blind = Beliefs(CONFIGURATION, replace(beliefs._network, ticket_layers=()))
    assert measure(blind, positions, 3)["tickets"]["second half"][2] < found["tickets"]["second half"][2]


def test_a_network_for_the_card_game_learns_without_signs() -> None:
    """CG1: it has no routes."""
    cards = configure("card_game", 2)
    positions = planned(cards, 5, 8)
    network = learned_from(positions, cards)
    assert not network.ticket_layers
    network = calibrate(cards, network, positions)
    held_by_one = held(cards, positions.states, acting(positions)).tickets.sum(axis=2)
    told = Beliefs(cards, network).believe(positions.states, acting(positions)).tickets
    assert told.sum(axis=2) == pytest.approx(held_by_one, abs=1e-3)


def test_a_file_keeps_a_network_and_fits_nothing_else(beliefs: Beliefs, positions: Positions, tmp_path: Path) -> None:
    file = tmp_path / "beliefs.safetensors"
    beliefs._network.save(file)
    both = (beliefs, Beliefs(CONFIGURATION, BeliefNetwork.load(file)))
    first, again = (it.believe(positions.states[:50], acting(positions)[:50]) for it in both)
    assert again.tickets == pytest.approx(first.tickets, abs=0.02)  # weights are rounded
    with pytest.raises(PolicyError, match="was trained for new_york, 2 players, not for"):
        Beliefs(configure("new_york", 3), BeliefNetwork.load(file))
    with pytest.raises(PolicyError, match="there is no network of beliefs for"):
        Beliefs(configure("new_york", 3))
    alone = replace(beliefs._network, ticket_layers=())
    alone.save(file)  # as files of before there were signs
    assert not BeliefNetwork.load(file).ticket_layers
    with pytest.raises(PolicyError, match="the last layer of ticket must have 1 output, not 64"):
        replace(beliefs._network, ticket_layers=beliefs._network.ticket_layers[:2])
    file.write_bytes(file.read_bytes()[:200])
    with pytest.raises(PolicyError, match="is not a network of beliefs, or it is damaged"):
        BeliefNetwork.load(file)


def test_a_network_finds_the_segments_that_it_reads_wherever_they_lie(beliefs: Beliefs, positions: Positions) -> None:
    """So it stays readable when the observation gains a segment."""
    network, layout = beliefs._network, CONFIGURATION.layout.observation
    names = [name for name in reversed([*layout]) if name != "discard"]
    reads = Segments.of((name, layout[name].shape, "") for name in names)
    columns = np.concatenate([np.arange(layout[it].start, layout[it].start + layout[it].size) for it in names])
    (weight, bias), *others = network.layers
    fewer = replace(network, reads=reads, layers=((weight[columns], bias), *others))
    states = positions.states[:50].copy()
    states["discard"], states["discard_count"] = 0, 0  # what the fewer segments lack
    told, by_fewer = (it.believe(states, acting(positions)[:50]) for it in (beliefs, Beliefs(CONFIGURATION, fewer)))
    assert by_fewer.tickets == pytest.approx(told.tickets, abs=1e-4)
    assert by_fewer.cards == pytest.approx(told.cards, abs=1e-4)
    odd = replace(network, reads=Segments.of((name, (*it.shape, 1), "") for name, it in layout.items()))
    with pytest.raises(PolicyError, match="reads phase, which is missing here; train it again"):
        Beliefs(CONFIGURATION, odd)


def test_the_command_makes_a_network_and_keeps_its_games(tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    monkeypatch.setattr(values_terminal, "GAMES_AT_ONCE", 4)
    monkeypatch.setattr(terminal, "LEARNED_FROM", ("greedy", "planner"))
    monkeypatch.setattr(terminal, "CHECKED_WITH", ("racer", "random"))
    monkeypatch.setattr(learning, "DEALS", 4)
    monkeypatch.setattr(fitting, "MINIBATCH", 32)
    command = ["beliefs", "--variant", "new_york", "--games", "6", "--check-games", "4", "--out", str(tmp_path / "new")]
    assert t2r(command) == 0
    told = capsys.readouterr().out
    assert "from 192 positions of 8 games" in told
    assert "games of racer, random, second half: log-loss of a seat's tickets" in told
    network = BeliefNetwork.load(tmp_path / "new" / "beliefs.safetensors")
    assert network.training["strongest"]["agents"] == ["policy", "planner"]
    assert 0.5 <= network.training["scale"] <= 2.5
    assert len(list((tmp_path / "new").rglob("*.npz"))) == 5
