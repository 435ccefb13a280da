"""Observations, masks, views and determinizations show nothing that the seat may not know (C20)."""

import functools
import itertools
import pickle
from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chisquare

from t2r_env import Games
from t2r_env.agents import decisions_of
from t2r_env.core.records import fields_of
from t2r_env.envs.aec import AECEnvironment
from t2r_env.rules.batch import RESUME
from t2r_env.rules.state import FROM_DECK
from tests.games.test_invariants import check_situation
from tests.helpers.card_situations import scoring
from tests.helpers.hidden import with_other_secrets
from tests.helpers.playing import (
    Options,
    check_same,
    decisions_of_every_phase,
    each_kind_once,
    every_variant_once,
    fewest_and_most,
)
from tests.helpers.situations import configuration, count, deal, differing_fields, route_name, situation

GAMES = 60

PUBLIC = """
discard face_up known discard_count score phase current turn reshuffled breakdown last_turns_left drawn drawn_slot
outcome completed failed rank deck_count hand_count ticket_count queue_count offered_count open claimed component
trains route passes payment company shares shares_left rack_count rack_known rack_ticket_count set_aside revealed
placed due extra stations station_routes city technologies technologies_left technology bought claims moved
to_share_count yard_owner yard_cards yard_locomotives on_track set_colour set_cards completed_tickets scoring_round
resuming revealed_shares
"""
"""The fields of states, of both rulesets, that all may know (C20)."""

HIDDEN = {"rng", "decisions", "offer_index", "deck", "hand", "tickets", "ticket_queue", "queue_head", "offered", "kept"}
HIDDEN |= {"rack", "rack_tickets", "to_share", "sharing", "unplaced", "completing"}
"""The fields that some or all may not know."""


@functools.cache
def states_of_play(variant: str, players: int, advanced: bool = False) -> list[Games]:
    """Copies of games at stages of random play: the starting choice, turns, decisions within turns, the last round.

    The last ones stand at decisions of every kind, rare ones too. Tests must not play on with these games.
    """
    options = {"advanced_technologies": True} if advanced else {}
    games = Games(configuration(variant, players, **options), batch=GAMES, seed=20)
    met = []
    for number, decisions in enumerate((0, 1, 2, 3, 5, 10, 25, 50, 50)):
        games.play_random(decisions, seed=number)
        met.append(games.clone())
    games.set_states(None, decisions_of_every_phase(variant, players, advanced, GAMES))
    met.append(games)
    seen = {phase for games in met for phase in games.states["phase"].tolist()}
    assert seen == set(np.flatnonzero(games.configuration.rules[0].phase_slot >= 0))
    return met


def determinized(games: Games, first_seed: int = 0) -> NDArray[Any]:
    """Determinizations of the games."""
    return games.determinize(None, range(first_seed, first_seed + GAMES))


def standing_at(games: Games, states: NDArray[Any]) -> Games:
    """Copies of the games at these states, with the masks and observations that follow from them."""
    others = games.clone()
    others.set_states(None, states)
    return others


def showing(games: Games, states: NDArray[Any]) -> Games:
    """Copies of the games that hold these states; masks are not computed, so views may stand in for states."""
    others = games.clone()
    others.states[:] = states
    return others


@fewest_and_most
def test_a_view_has_all_that_the_seat_knows_and_nothing_else(variant: str, players: int, options: Options) -> None:
    """C20: what is public, the counts, and its own cards and tickets; what it sees and may do follows from that."""
    for games in states_of_play(variant, players, bool(options)):
        for seat in range(players):
            seats = np.full(GAMES, seat)
            views = games.views(None, seats)
            assert {*fields_of(views.dtype)} <= {*PUBLIC.split()} | HIDDEN
            assert set(differing_fields(views, games.states)).isdisjoint(PUBLIC.split())
            check_own(games, views, seat)
            if games.configuration.variant.ruleset == "map_game":
                is_seen = games.states["drawn_slot"] != FROM_DECK
                assert np.array_equal(views["unplaced"][is_seen], games.states["unplaced"][is_seen])
            assert np.array_equal(showing(games, views).observe(None, seats), games.observe(None, seats))
            others = showing(games, with_other_secrets(games, seat)).views(None, seats)
            assert differing_fields(views, others) == []
            assert views.tobytes() == others.tobytes()  # nothing is left between the fields either
        acting = showing(games, games.views())
        acting._run(RESUME, np.arange(GAMES))
        assert np.array_equal(acting.masks, games.masks)


def check_own(games: Games, states: NDArray[Any], seat: int, rows: Any = slice(None)) -> None:
    """Check that what a seat sees, alone or with its team, is the same in these states as in the games."""
    is_there = set(states.dtype.names or ())
    for name in is_there & {"hand", "tickets", "offered", "kept", "sharing", "completing"}:
        assert np.array_equal(states[name][rows, seat], games.states[name][rows, seat])
    team, acts = seat // games.configuration.variant.team_size, games.current == seat
    for name in ("rack", "rack_tickets") if games.configuration.variant.team_size > 1 else ():
        assert np.array_equal(states[name][rows, team], games.states[name][rows, team])
    for name in is_there & {"to_share", "unplaced", "offer_index"}:
        assert np.array_equal(states[name][acts], games.states[name][acts])


@each_kind_once
def test_what_an_environment_shows_an_agent_is_the_same_whatever_the_hidden_things_are(
    variant: str, players: int
) -> None:
    """C20: observation, mask, reward, ends and info of the PettingZoo environment, for every agent."""
    env, other = AECEnvironment(variant, players), AECEnvironment(variant, players)
    for stage, games in enumerate(states_of_play(variant, players)):
        row = 7 * stage % GAMES
        env.set_state(games.get_state(row))
        for seat, agent in enumerate(env.possible_agents):
            others = standing_at(games, determinized(games)) if seat == games.current[row] else games
            other.set_state(others.get_state(row))
            if others is games:
                other.games.states[:] = with_other_secrets(games, seat)[row]
                other.games.masks[:] = other.games.observations[:] = 1
            shown, expected = (
                [
                    *(it.agent_selection, it.observe(agent), it.infos[agent]),
                    [kind[agent] for kind in (it.rewards, it._cumulative_rewards, it.terminations, it.truncations)],
                    it.last() if it.agent_selection == agent else None,
                ]
                for it in (env, other)
            )
            check_same(shown, expected)


@fewest_and_most
def test_a_determinization_keeps_what_the_seat_knows_and_is_a_game_of_the_same_variant(
    variant: str, players: int, options: Options
) -> None:
    """C20: all counts, its own cards and tickets, and the cards known to be in others' hands.

    An agent is handed the same in both, to the byte, as it is sent to another process. It can determinize what it gets,
    and the seed does not let it compute what is hidden: of a view the deck is made of the cards that are seen nowhere.
    Every card and every ticket lies in one place, also after the game is played on.
    """
    rows, seeds = np.arange(GAMES), np.arange(GAMES, dtype=np.uint64)
    for stage, games in enumerate(states_of_play(variant, players, bool(options))):
        copies, views = determinized(games), showing(games, games.views())
        others = standing_at(games, copies)
        assert set(differing_fields(copies, games.states)) <= HIDDEN
        for seat in range(players):
            check_own(games, copies, seat, games.current == seat)
        handed = [pickle.dumps(decisions_of(it, rows, seeds)) for it in (games, others)]
        assert handed[0] == handed[1]
        assert not views.states["deck"].any()
        assert not differing_fields(determinized(views), copies)
        for _ in range(2 if stage % 3 == 0 else 0):
            for row in range(0, GAMES, 20):
                check_situation(others, others.snapshot(row), row)
            others.play_random(20)


@every_variant_once
def test_the_same_seed_gives_the_same_determinization_and_another_seed_another(variant: str, players: int) -> None:
    """C20."""
    for games in states_of_play(variant, players):
        one, same, other = (determinized(games, first) for first in (7, 7, 1007))
        assert differing_fields(one, same) == []
        assert np.all(one["rng"] != other["rng"])
        for name, left in (("hand", "deck_count"), ("ticket_queue", "queue_count")):
            differ = np.any((one[name] != other[name]).reshape(GAMES, -1), axis=1)
            assert np.mean(differ[games.states[left] > 1]) > 0.5


def test_unknown_cards_are_dealt_in_proportion_to_the_unseen_ones() -> None:
    """C20: one unknown card of an opponent, of whose hand two cards are known, over 3,000 deals.

    A chi-square of 8 degrees of freedom exceeds 40 once in 300,000 times.
    """
    table = situation(hands=["6 red", "2 blue, 1 red"], discard="9 green")
    table.games.states["known"][0, 1] = count("2 blue")
    copies = table.games.determinize(np.zeros(3000, int), range(3000))
    drawn = copies["hand"][:, 1] - count("2 blue")
    assert np.all(drawn >= 0)
    pool = table.games.states["deck"][0] + count("1 red")
    assert chisquare(drawn.sum(axis=0), 3000 * pool / pool.sum()).statistic < 40


def test_tickets_of_others_are_dealt_from_all_unseen_ones() -> None:
    """C20: over 3,000 deals each ticket that the seat does not hold is the other's, or on top, equally often.

    A chi-square of 66 degrees of freedom exceeds 130 once in 200,000 times.
    """
    table = situation(holds=[["boston-miami", "denver-el_paso"], ["dallas-new_york"]])
    copies = table.games.determinize(np.zeros(3000, int), range(3000))
    held = Counter(map(as_number, copies["tickets"][:, 1]))
    top = Counter(copies["ticket_queue"][np.arange(3000), copies["queue_head"]].tolist())
    for times in (held, top):
        assert len(times) == 67
        assert chisquare([*times.values()]).statistic < 130


@every_variant_once
def test_choices_kept_aside_are_determinized(variant: str, players: int) -> None:
    """C6, C20: for the second seat all choices of the first that keep enough tickets are possible."""
    table = deal(players, variant=variant)
    chosen = table.games.configuration
    deck = chosen.variant.ticket_decks[chosen.options["tickets"]]
    while table.to_move == 0:
        table.play("keep_ticket")
    copies = table.games.determinize(np.zeros(1000, int), range(1000))
    offered = deck.long_offered + deck.starting.count
    possible = {kept for kept in range(1 << offered) if kept.bit_count() >= deck.starting.keep}
    assert set(copies["kept"][:, 0].tolist()) == possible


REGULAR = 30
"""The number of regular tickets of Legendary Asia; the six long ones have the numbers after them."""


def as_number(tickets: NDArray[Any]) -> int:
    """A set of tickets as one integer, a bit for each."""
    return int(tickets[0]) | int(tickets[1]) << 64


def test_all_deals_to_two_others_are_equally_likely() -> None:
    """C20, LA2: even if so few tickets have left the game that many hands must have a long one.

    The first seat has the first long ticket and all but the first four regular ones. Of n deals the chi-square has a
    mean of n - 1 and a variance of twice that: six times its root is never exceeded.
    """
    deck = configuration("legendary_asia", 3).variant.ticket_decks["regular"].tickets
    name = [route_name(it.a, it.b) for it in deck]
    hands = [name[4 : REGULAR + 1], [name[0], name[REGULAR + 1]], [name[REGULAR + 2]]]
    table = situation(3, holds=hands, ticket_deck=[name[2]], variant="legendary_asia")
    deals = itertools.permutations([0, 1, 2, 3, *range(REGULAR + 1, REGULAR + 6)], 4)
    expected = {(top, 1 << a | 1 << b, 1 << c) for top, a, b, c in deals if top < REGULAR and min(a, b) < REGULAR}
    copies = table.games.determinize(np.zeros(20 * len(expected), int), range(20 * len(expected)))
    dealt = Counter((it["ticket_queue"].max().item(), *map(as_number, it["tickets"][1:3])) for it in copies)
    assert dealt.keys() == expected
    freedom = len(expected) - 1
    assert chisquare([*dealt.values()]).statistic < freedom + 6 * (2 * freedom) ** 0.5


def test_starting_tickets_of_others_are_dealt_from_all_unseen_ones() -> None:
    """C20, LA2: over 3,000 deals all long tickets are the other's first equally often, all regular ones its second.

    A chi-square of 4 degrees of freedom exceeds 40, and one of 26 exceeds 80, once in millions of times.
    """
    table = deal(2, variant="legendary_asia")
    copies = table.games.determinize(np.zeros(3000, int), range(3000))
    for index, possible, limit in ((0, 5, 40), (1, 27, 80)):
        times = Counter(copies["offered"][:, 1, index].tolist())
        assert len(times) == possible
        assert chisquare([*times.values()]).statistic < limit


@pytest.mark.parametrize(("seat", "determinized"), [(0, [False, True]), (1, [False, True]), (2, [True, False])])
def test_only_the_unknown_cards_of_opposing_racks_are_determinized(seat: int, determinized: list[bool]) -> None:
    """TA2, C20: the own rack is seen; of the others the known cards stay."""
    table = situation(4, variant="team_asia", racks=["3 red, 1 blue", "3 green, 1 white"], to_move=seat)
    table.games.states["rack_known"][0, :2] = [count("1 blue"), count("1 white")]
    copies = table.games.determinize(np.zeros(100, int), range(100))
    for team, known in enumerate(("1 blue", "1 white")):
        racks = copies["rack"][:, team]
        assert np.all(racks.sum(axis=1) == 4)
        assert np.all(racks >= count(known))
        assert bool(np.any(racks != racks[0])) == determinized[team]


@pytest.mark.parametrize("seat", [1, 2])
def test_tickets_chosen_for_the_rack_at_the_start_are_determinized(seat: int) -> None:
    """TA4, C6, C20: until all have chosen, nobody else knows what the first seat chose, not even the teammate."""
    table = deal(4, variant="team_asia")
    table.play_all("keep_ticket")
    table.play(min(table.legal))
    while table.to_move != seat:
        table.play(min(table.legal))
    copies = table.games.determinize(np.zeros(200, int), range(200))
    chosen = copies["sharing"][:, 0]
    is_held = copies["tickets"][np.arange(200), 0, chosen >> 6] >> (chosen & 63).astype(np.uint64)
    assert np.all(is_held & np.uint64(1) == 1)
    assert len(set(chosen.tolist())) > 30


@pytest.mark.parametrize("other", [0, 1])
def test_tickets_chosen_to_be_completed_are_determinized(other: int) -> None:
    """CG10, C6, C20: any choice that the pile allows is possible, with locomotives, too.

    One seat has tickets for blue, for yellow, for both, and for green and red. The third, who acts, holds all others.
    """
    names = [route_name(it.a, it.b) for it in configuration("card_game", 3).deck.tickets]
    own = ["new_york-chicago", "chicago-new_york", "new_york-sault_st_marie", "dallas-miami"]
    holds: list[list[str]] = [[], [], [name for name in names if name not in own]]
    holds[other], piles = own, ["1 blue, 1 locomotive"] * 3
    table = scoring(3, holds=holds, on_track=piles)
    table.play("complete new_york-chicago", "stop")
    deals = table.games.determinize(np.zeros(400, int), range(400))
    assert np.all(deals["tickets"] == table.games.states["tickets"])
    blue, yellow, both, _ = (1 << names.index(name) for name in own)
    assert {*map(as_number, deals["completing"][:, other])} == {0, blue, yellow, both, blue | yellow}
