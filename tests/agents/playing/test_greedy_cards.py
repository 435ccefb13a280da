"""The greedy agent in the Card Game: what a sensible person would do, and a good set of tickets at a scoring."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from t2r_agents.playing.planner import GreedyAgent
from t2r_env import Games, trajectories
from t2r_env.rules.names import PHASES, phases
from t2r_env.variants.variant import CardVariant, Ticket
from tests.helpers import card_situations
from tests.helpers.acting import actions, blind_actions, decisions_in
from tests.helpers.playing import decisions_of_every_phase
from tests.helpers.situations import CARDS, configuration, count, put, route_name


def situation(
    players: int = 2,
    *,
    deck: int = 40,
    known: Sequence[str] = (),
    holds: Sequence[Sequence[str]] = (),
    ticket_deck: Sequence[str] = (),
    phase: int = phases.TURN,
    **more: Any,
) -> Games:
    """A game in which seat 0 acts, set up as in `tests/helpers/card_situations.py`, by default without face-up cards.

    The deck has `deck` of the cards that are nowhere else, evenly by colour; the rest is discarded. Tickets that are in
    no hand and not in the ticket deck are completed by the last seat.
    """
    elsewhere = {*ticket_deck, *itertools.chain(*holds)}
    others = [name for it in tickets() if (name := route_name(it.a, it.b)) not in elsewhere]
    lying: dict[str, Any] = {"holds": holds, "ticket_deck": ticket_deck, "completed": [*[[]] * (players - 1), others]}
    games = card_situations.situation(players, **{"face_up": card_situations.NO_FACE_UP} | lying | more).games
    state = games.states[0]
    while state.deck.sum() > deck:
        card = np.flatnonzero(state.deck == state.deck.max())[-1]
        state.deck[card], state.discard[card] = state.deck[card] - 1, state.discard[card] + 1
    state.deck_count, state.discard_count = state.deck.sum(), state.discard.sum()
    for seat, cards in enumerate(known):
        state.known[seat] = count(cards)
    state.phase = phase
    put(games)
    return games


def tickets() -> tuple[Ticket, ...]:
    """The variant's tickets, by index."""
    return configuration("card_game", 2).deck.tickets


def play_on(games: Games, decisions: int = 1) -> list[str]:
    """Let the agent play all seats; return its actions as text."""
    return actions(GreedyAgent(), games, decisions, str)


TO_RALEIGH = ["dallas-raleigh"]
"""One green, one red."""


def test_it_draws_the_face_up_cards_that_its_ticket_lacks() -> None:
    games = situation(holds=[TO_RALEIGH], face_up="blue, green, white, red, black")
    play_on(games, 2)
    assert games.states[0].hand[0].tolist() == count("1 green, 1 red").tolist()


def test_it_plays_three_colours_that_its_tickets_need_and_no_more_cards_of_a_set_than_arrive_in_time() -> None:
    """CG7: and not the black cards, of which it has more. CG4, CG9: with 3 cards in the deck there are 2 more turns."""
    games = situation(hands=["1 orange, 1 white, 1 green, 3 black"], holds=[["los_angeles-houston"]], deck=6)
    assert play_on(games) == ["play 1 orange, 1 white and 1 green"]
    games = situation(hands=["7 red"], holds=[["seattle-miami"]], deck=3)
    assert play_on(games, 1) == ["play a set of red cards"]
    play_on(games)
    assert games.states[0].yard_cards.sum() <= 2


def test_it_robs_when_that_gains_more_than_a_card_and_prefers_the_set_that_robs() -> None:
    """CG7: in the last round its own cards arrive too late, but a card of the opponent's row would still arrive."""
    robbing: dict[str, Any] = {"hands": ["4 red", ""], "yards": [{}, {"red": "3 red"}]}
    assert play_on(situation(**robbing, last_turns_left=2)) == ["play a set of red cards"]
    late = situation(**robbing, last_turns_left=1, face_up="blue, -, -, -, -")
    assert play_on(late) != ["play a set of red cards"]
    for colour in ("red", "blue"):
        games = situation(hands=["5 red, 5 blue"], yards=[{}, {colour: f"4 {colour}"}])
        assert play_on(games) == [f"play a set of {colour} cards"]


def test_a_locomotive_keeps_a_row_from_being_robbed() -> None:
    """CG7, C20: a row of as many cards as the opponent is known to hold is safe; it adds one locomotive at most."""
    for theirs, locomotives in (("5 red", 0), ("5 red, 1 locomotive", 1), ("5 red, 3 locomotive", 0)):
        games, red = situation(hands=["5 red, 3 locomotive", theirs], known=["", theirs]), CARDS.index("red")
        games.step([games.layout.actions["play_set"].start + red])
        play_on(games, 2)
        assert (games.states[0].yard_cards[red], games.states[0].yard_locomotives[red]) == (5, locomotives)


def test_in_its_last_turn_it_draws_tickets_for_the_cards_left_on_its_pile_and_keeps_those_it_can_complete() -> None:
    """CG8, CG9."""
    deck = ["seattle-new_york", *TO_RALEIGH, "los_angeles-duluth", "dallas-miami"]
    last: dict[str, Any] = {"holds": [["new_york-chicago"]], "ticket_deck": deck, "last_turns_left": 2}
    black = "black, black, black, black, black"
    assert play_on(situation(on_track=["1 green, 1 red, 1 blue"], face_up=black, **last), 5) == [
        "draw tickets",
        "refuse Seattle-New York (20: 1 purple, 2 blue and 1 black)",
        "refuse Dallas-Raleigh (8: 1 green and 1 red)",
        "refuse Los Angeles-Duluth (14: 1 purple, 1 white and 1 yellow)",
        "keep Dallas-Miami (9: 1 green and 1 red)",
    ]
    assert play_on(situation(on_track=["1 blue"], **last)) != ["draw tickets"]


def test_it_keeps_the_starting_tickets_that_a_whole_game_suffices_for() -> None:
    """CG2."""
    games = Games(configuration("card_game", 2), autoreset=False, seed=3)
    while games.states[0].phase == phases.KEEP_TICKET:
        play_on(games)
    assert all(games.states[0].ticket_count[:2] >= 3)


# A scoring


def scoring(pile: NDArray[np.int64], hand: Sequence[int]) -> Games:
    """A game in whose only scoring the first seat has this pile and these tickets."""
    names = [route_name(it.a, it.b) for it in tickets()]
    cards = ", ".join(f"{number} {card}" for number, card in zip(pile, CARDS, strict=True))
    return situation(on_track=[cards], holds=[[names[number] for number in hand]], deck=0, phase=phases.COMPLETE)


def completed(games: Games) -> list[int]:
    """The indices of the tickets that seat 0 completes."""
    agent, first = GreedyAgent(), games.layout.actions["complete"].start
    chosen = []
    while not games.terminated[0]:
        (action,) = agent.act(decisions_in(games))
        if games.current[0] == 0 and games.layout.actions.name_of(int(action)) == "complete":
            chosen.append(int(action) - first)
        games.step([action])
    return chosen


def worth(number: int) -> int:
    """A ticket at the end, in tenths of a point: its points twice, and a fifth of its Big City cards (CG13)."""
    variant, ticket = configuration("card_game", 2).variant, tickets()[number]
    assert isinstance(variant, CardVariant)
    named = sum(card.points for card in variant.bonus_cards if card.city in (ticket.a, ticket.b))
    return 20 * ticket.points + 2 * named


def test_at_a_scoring_it_completes_a_good_set_of_its_tickets_and_leaves_none_that_fits() -> None:
    """CG10: compared with all subsets of its tickets, for random piles and hands."""
    rng = np.random.default_rng(0)
    subsets = (np.arange(2**13)[:, None] >> np.arange(13)) & 1
    needs = np.array([[ticket.cards.get(colour, 0) for colour in CARDS[:-1]] for ticket in tickets()])
    chosen_values, best_values = [], []
    for _ in range(60):
        hand = sorted(rng.choice(len(tickets()), 13, replace=False).tolist())
        pile = np.append(rng.integers(0, 5, len(CARDS) - 1), rng.integers(0, 8))
        fits = np.maximum(subsets @ needs[hand] - pile[:-1], 0).sum(1) <= pile[-1]
        values = subsets @ [worth(number) for number in hand]
        chosen = completed(scoring(pile, hand))
        chosen_values.append(sum(map(worth, chosen)))
        best_values.append(values[fits].max())
        taken = np.isin(hand, chosen)
        larger = (subsets[:, taken] == 1).all(axis=1) & (subsets.sum(axis=1) == len(chosen) + 1)
        assert not fits[larger].any()
    assert sum(chosen_values) > 0.85 * sum(best_values)


def test_it_completes_tickets_that_name_more_of_the_big_cities_and_first_those_that_take_many_cards() -> None:
    """CG13: Dallas-Washington and Seattle-Denver are worth as much as New York-Miami, for the same cards.

    CG12: nothing is lost at the first scoring, and tickets that take few cards are easily completed at the second.
    """
    holds = [["dallas-washington", "new_york-miami"]]
    games = situation(on_track=["1 blue, 1 red, 1 green"], holds=holds, deck=0, phase=phases.COMPLETE)
    assert play_on(games) == ["complete New York-Miami (10: 1 blue and 1 red)"]


def test_it_completes_the_tickets_that_are_worth_most_for_each_card_first() -> None:
    """CG10: and so not Seattle-Miami, which is worth more, but needs the white and the black card, too."""
    holds = [["seattle-miami", "chicago-new_york", "seattle-los_angeles", "dallas-helena"]]
    pile = ["1 orange, 1 white, 1 black, 2 red, 1 yellow, 1 green"]
    games = situation(4, on_track=pile, holds=holds, deck=0, phase=phases.COMPLETE)
    completed = ["complete Chicago-New York (5: 1 yellow)", "complete Seattle-Los Angeles (9: 1 white and 1 black)"]
    assert play_on(games, 2) == completed


# Whole games


@pytest.mark.parametrize("others", [1, 3])
def test_it_nearly_always_wins_against_random(others: int) -> None:
    agents = ["greedy", *["random"] * others]
    played = trajectories("card_game", 1 + others, agents=agents, games=60, reward="win", seed=7)
    assert sum(it.rewards.sum() for it in played if it.seat == 0) >= 57


def test_its_action_in_each_phase_does_not_depend_on_what_its_seat_cannot_know() -> None:
    """C20."""
    games = Games(configuration("card_game", 4), batch=100, seed=2)
    games.set_states(None, decisions_of_every_phase("card_game", 4, False, 100))
    blind_actions(GreedyAgent(), games)
    assert {PHASES[phase] for phase in games.states["phase"]} == set(games.configuration.phases)
