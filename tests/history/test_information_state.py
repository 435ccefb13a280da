"""`Replay.information_state`: what a seat has seen and done, in its order, and nothing that it can't know (C20)."""

import copy
import re
from typing import Any

import numpy as np
import pytest

import t2r_env
from t2r_env import Games, Replay
from t2r_env.history.information_state import Recall
from tests.helpers.playing import Options, some_configurations
from tests.helpers.situations import NOTHING, Table, deal, route_name, situation


def recorded(table: Table) -> Table:
    """The same position in a game that is recorded from here on."""
    games = Games(table.games.configuration, autoreset=False, record=True, seed=0)
    games.set_state(table.games.get_state())
    return Table(games)


def keys(games: Games, row: int = 0) -> list[str]:
    """The information states of all seats."""
    replay = Replay.of(games, row)
    return [replay.information_state(seat) for seat in range(games.num_players)]


def test_the_order_of_turns_counts_even_where_observations_are_the_same() -> None:
    """Route 16 and then two cards, or two cards and then route 16: both seats see the same in the end.

    At first the payment is the only one that the hand allows.
    """
    claim = "claim chinatown-greenwich_village"
    both, ends = ["draw_deck"] * 2, []
    for first, second in (([claim], both), (both, [claim, "pay 1 blue, 1 locomotive"])):
        table = Table(Games("new_york", 2, seed=0, autoreset=False, record=True))
        table.play(*["keep_ticket"] * 4, *first)
        table.play("draw_tickets", "keep_ticket", "keep_ticket", *second)
        ends.append(table.games)
    one, other = ends
    for seat in (0, 1):
        assert np.array_equal(one.observe(seats=seat), other.observe(seats=seat))
        assert keys(one)[seat] != keys(other)[seat]


def test_a_payment_counts_even_if_it_becomes_the_deck_at_once() -> None:
    """One of its two cards fills the last slot, and nobody sees afterwards what lies in the deck."""
    found = 0
    for seed in range(12):
        opening = situation(variant="new_york", hands=["", "2 blue, 1 locomotive"], to_move=1, seed=seed)
        state = opening.games.states[0]
        state["hand"][0] += state["deck"]
        state["hand"][0, state["face_up"][4]] += 1
        state["hand_count"][0] = state["hand"][0].sum()
        state["deck"], state["deck_count"], state["face_up"][4] = 0, 0, NOTHING
        one, other = recorded(opening), recorded(opening)
        one.play("claim chelsea-midtown_west", "pay 2 blue")
        other.play("claim chelsea-midtown_west", "pay 1 blue, 1 locomotive")
        if one.games.views([0], [0]) == other.games.views([0], [0]):
            found += 1
            assert keys(one.games)[0] != keys(other.games)[0]
    assert found


@pytest.mark.parametrize(
    ("is_start", "choices"),
    [
        (True, ["keep_ticket keep_ticket refuse_ticket", "keep_ticket refuse_ticket", "refuse_ticket"]),  # keep two
        (False, ["refuse_ticket refuse_ticket", "keep_ticket refuse_ticket refuse_ticket"]),  # keep one
    ],
)
def test_which_tickets_others_keep_and_in_how_many_decisions_is_not_told(is_start: bool, choices: list[str]) -> None:
    """The last decisions are forced in some cases."""
    ends = []
    for choice in choices:
        table = recorded(deal(seed=3, tickets="classic") if is_start else situation(to_move=1))
        table.play(*["keep_ticket"] * 3 if is_start else ["draw_tickets"], *choice.split())
        assert (table.to_move, table.phase) == (0, "turn")
        ends.append(keys(table.games))
    assert len({own for own, _ in ends}) == 1
    assert len({other for _, other in ends}) == len(choices)


def test_whether_others_had_a_choice_of_payments_is_not_told() -> None:
    """The same payment from two hands: in the one it is forced."""
    ends = []
    for hand, payment in (("1 blue, 1 red", []), ("1 blue, 1 locomotive", ["pay 1 blue"])):
        table = recorded(situation(variant="new_york", hands=["", hand], to_move=1))
        table.play("claim chinatown-lower_east_side", *payment)
        assert table.to_move == 0
        ends.append(keys(table.games))
    assert ends[0][0] == ends[1][0]
    assert ends[0][1] != ends[1][1]


def test_which_ticket_an_opponent_puts_on_its_rack_is_not_told() -> None:
    """Its teammate sees it (TA8)."""
    table = situation(4, variant="team_asia")
    tickets = [route_name(a, b) for a, b, _ in table.snapshot["ticket_deck"][:2]]
    ends = []
    for shared in tickets:
        table = recorded(situation(4, variant="team_asia", holds=[tickets]))
        table.play(f"share_ticket {shared}", "stop")
        ends.append(keys(table.games))
    assert [one == other for one, other in zip(*ends, strict=True)] == [False, False, True, True]


@some_configurations
def test_equal_keys_mean_the_same_information_and_the_same_own_actions(
    variant: str, players: int, options: Options
) -> None:
    """In games of one deal, whose beginnings are often the same."""
    rng = np.random.default_rng(1)
    known: dict[tuple[int, str], Any] = {}
    games = Games(variant, players, batch=12, autoreset=False, record=True, seed=0, **options)
    games.reset(seeds=[9] * 12)
    own: list[list[list[int]]] = [[[] for _ in range(players)] for _ in range(12)]
    for _ in range(9):
        for row, seat in enumerate(games.current.tolist()):
            key = seat, Replay.of(games, row).information_state(seat)
            view = games.views([row], [seat]).tobytes()
            told = view, games.observations[row].tobytes(), games.masks[row].tobytes(), tuple(own[row][seat])
            assert known.setdefault(key, told) == told
        actions = np.array([rng.choice(np.flatnonzero(mask)[:2]) for mask in games.masks])
        for row, seat in enumerate(games.current.tolist()):
            own[row][seat].append(int(actions[row]))
        games.step(actions)
    assert 9 < len(known) < 9 * 12


def test_a_key_follows_from_the_replay_alone_and_goes_on_with_it() -> None:
    env = t2r_env.env("new_york")
    env.reset(seed=4)
    key = env.replay().information_state(0)
    assert key == env.replay().information_state(np.int64(0)) == env.clone().replay().information_state(0)
    assert re.fullmatch("[0-9a-f]{32}", key)
    env.step(np.flatnonzero(env.games.masks[0])[0])
    assert env.replay().information_state(0) != key
    for seat in (-1, 2, "0"):
        with pytest.raises(ValueError, match="seat must be an integer from 0 to 1"):
            env.replay().information_state(seat)  # type: ignore[arg-type]  # wrong ones are the test


def test_a_key_stays_the_same_when_hidden_cards_are_dealt_again() -> None:
    """So it depends on nothing hidden. Also right after a payment, of which only the cards left are dealt again."""
    games, rng = Games("new_york", 2, seed=3, autoreset=False), np.random.default_rng(0)
    recalls, followed = [Recall(0), Recall(1)], 0
    while games.masks.any():
        seat, dealt = int(games.current[0]), games.clone()
        dealt.set_states([0], games.determinize([0], [followed]))
        again = copy.deepcopy(recalls[seat])
        again.follow(games, dealt)
        assert again.key(dealt) == recalls[seat].key(games)
        followed += 1
        action = int(rng.choice(np.flatnonzero(games.masks[0])))
        for recall in recalls:
            recall.note(games, action)
        games.step([action])
    assert followed > 20
