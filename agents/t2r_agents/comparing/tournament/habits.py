"""The habits of a seat in a game: the tickets it keeps, its first claim, and what its turns are.

Decisions are noted while games are played, a few columns for each step of a batch, and read when the games are over.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from t2r_env import Configuration, Games
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import cached, compiled, for_record
from t2r_env.rules.card_game.records import CardRules, CardState
from t2r_env.rules.map_game import country_tickets, routes
from t2r_env.rules.map_game.records import MapRules, MapState
from t2r_env.rules.names import outcomes, phases
from t2r_env.rules.rulesets import RULESETS
from t2r_env.rules.snapshot import members
from t2r_env.rules.state import NO_TICKET, TICKET_WORDS

KINDS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "d": ("draw cards", ("draw_face_up", "draw_deck", "draw_three")),
    "c": ("claim a route", ("claim",)),
    "t": ("draw tickets", ("draw_tickets",)),
    "b": ("build a station", ("build",)),
    "u": ("buy a technology", ("buy",)),
    "r": ("share a ticket", ("share_ticket",)),
    "y": ("play cards", ("play_set", "play_three")),
    "p": ("pass", ("pass",)),
}
"""The kinds of turns by their letters: in words, and the actions that begin it."""
MOST_MOVES = 1000
"""The most letters of a seat's turns that are kept, spaces between turns included."""
NONE = -1
_CARDS = {"draw_face_up": 1, "draw_deck": 1, "draw_three": 3}
"""The train cards that an action draws."""
_SPACE, _CLAIM = map(ord, " c")


@dataclass(frozen=True)
class Habits:
    """The habits of one seat in a game that was played to its end; all empty for other games."""

    kept: str = ""
    """The tickets that it kept, by number, each with the points that it brought or cost, such as `3+12 17-5`."""
    refused: str = ""
    """The numbers of the tickets that it was offered and did not keep."""
    first_claim: str = ""
    """The number of the route that it claimed first, if it claimed one; a tunnel counts, whether it was paid or not."""
    cards_before_claim: int = 0
    """The train cards that it drew before, in all if it claimed none; those of the deal not included."""
    moves: str = ""
    """The kinds of its turns, in their order: letters of KINDS, with a space between turns."""


class Notes:
    """The decisions of a batch of games, noted step by step."""

    def __init__(self, games: Games) -> None:
        """Note decisions of these games, which are played from their deal."""
        self._games = games
        self._columns: list[tuple[Array, ...]] = []

    def before_step(self, rows: Array) -> tuple[Array, ...]:
        """Return what is to be noted of the decisions that these rows (k,) wait for, as new arrays (k,)."""
        states, seats = self._games.states, self._games.current[rows]
        phase, turn = states["phase"][rows], states["turn"][rows]
        return rows, seats, phase, turn, states["offered"][rows, seats], states["offer_index"][rows]

    def after_step(self, before: tuple[Array, ...], actions: Array) -> None:
        """Note these decisions and the actions that were taken, (k,)."""
        self._columns.append((*before, actions))

    def habits(self) -> list[list[Habits]]:
        """Return the habits of each seat of each game."""
        games, configuration = self._games, self._games.configuration
        seats, shape = configuration.num_players, (games.batch, configuration.num_players)
        columns = [np.concatenate(column) for column in zip(*self._columns, strict=True)]
        moves, lengths = np.zeros((*shape, MOST_MOVES), np.uint8), np.zeros(shape, np.int64)
        first_claim, cards = np.full(shape, NONE), np.zeros(shape, np.int64)
        offered, kept, refused = (np.zeros((*shape, TICKET_WORDS), np.uint64) for _ in range(3))
        tickets, claims = (offered, kept, refused), (np.full(shape, NONE), first_claim, cards)
        arguments: Any = (*columns, *_tables(configuration), moves, lengths, *claims, *tickets)
        _read(*arguments)
        points = np.zeros((games.batch, configuration.num_teams, configuration.num_tickets), np.int16)
        _write_tickets(games.states, configuration.rules, *tickets, points)
        size = configuration.variant.team_size

        def of_seat(row: int, seat: int) -> Habits:
            own = members(kept[row, seat])
            return Habits(
                kept=" ".join(f"{ticket}{points[row, seat // size, ticket]:+d}" for ticket in own),
                refused=" ".join(map(str, members(refused[row, seat] & ~kept[row, seat]))),
                first_claim="" if first_claim[row, seat] == NONE else str(first_claim[row, seat]),
                cards_before_claim=int(cards[row, seat]),
                moves=moves[row, seat, : lengths[row, seat]].tobytes().decode(),
            )

        is_finished = games.states["outcome"] == outcomes.FINISHED
        return [
            [of_seat(row, seat) if is_finished[row] else Habits() for seat in range(seats)]
            for row in range(games.batch)
        ]


def _tables(configuration: Configuration) -> tuple[Array, Array, int, int]:
    """Return for each action the letter of the turn that it begins and the cards that it draws, both (actions,); and
    the first action of a claim, NONE if there is none, and that of keeping a ticket."""
    blocks = configuration.layout.actions
    letters, cards = np.zeros(blocks.size, np.uint8), np.zeros(blocks.size, np.int64)
    for letter, (_, names) in KINDS.items():
        for name in names:
            if name in blocks:
                letters[blocks[name].slice] = ord(letter)
                cards[blocks[name].slice] = _CARDS.get(name, 0)
    claim = blocks["claim"].start if "claim" in blocks else NONE
    return letters, cards, claim, blocks["keep_ticket"].start


@cached
def _read(
    rows: Array,
    seats: Array,
    phase: Array,
    turns: Array,
    offers: Array,
    offer_index: Array,
    actions: Array,
    letters: Array,
    cards_drawn: Array,
    claim: int,
    keep: int,
    moves: Array,
    lengths: Array,
    last_turns: Array,
    first_claim: Array,
    cards: Array,
    offered: Array,
    kept: Array,
    refused: Array,
) -> None:
    """Read noted decisions in their order. The arrays from `moves` on are written, one entry for each row and seat."""
    for i in range(rows.shape[0]):
        row, seat, action = rows[i], seats[i], actions[i]
        if action < 0:  # of an agent that gave none
            continue
        if phase[i] == phases.KEEP_TICKET:
            for ticket in offers[i]:
                if ticket != NO_TICKET:
                    bits.add(offered[row, seat], int(ticket))
            chosen = kept if action == keep else refused
            bits.add(chosen[row, seat], int(offers[i, offer_index[i]]))
        if first_claim[row, seat] == NONE:
            cards[row, seat] += cards_drawn[action]
        if phase[i] == phases.TURN and lengths[row, seat] + 2 <= MOST_MOVES:
            if letters[action] == _CLAIM and first_claim[row, seat] == NONE:
                first_claim[row, seat] = action - claim
            if turns[i] != last_turns[row, seat] and lengths[row, seat] > 0:
                moves[row, seat, lengths[row, seat]] = _SPACE
                lengths[row, seat] += 1
            moves[row, seat, lengths[row, seat]] = letters[action]
            lengths[row, seat] += 1
            last_turns[row, seat] = turns[i]


@compiled
def _map_points(state: MapState, rules: MapRules, team: int, ticket: int) -> int:
    """Return the points of a ticket for a team that has kept it, at the end (C16, SW8)."""
    points = int(rules.ticket_points[ticket])
    if not routes.is_completed(state, rules, team, ticket):
        return -points
    if rules.num_destinations[ticket] > 0:
        return int(country_tickets.best_value(state, rules, team, ticket))
    return points


@compiled
def _card_points(state: CardState, rules: CardRules, team: int, ticket: int) -> int:
    """Return the points of a ticket for a player who has kept it, at the end (CG13)."""
    points = int(rules.ticket_points[ticket])
    return points if bits.contains(state.completed_tickets[team], ticket) else -points


@compiled
def _map_tickets(state: MapState, rules: MapRules, seat: int, word: int) -> tuple[np.uint64, np.uint64]:
    """Return a word of the tickets that a seat holds at the end, and of those on its team's rack."""
    on_rack = state.rack_tickets[rules.team[seat], word] if rules.num_racks > 0 else bits.NONE
    return state.tickets[seat, word], on_rack


@compiled
def _card_tickets(state: CardState, rules: CardRules, seat: int, word: int) -> tuple[np.uint64, np.uint64]:
    """Return a word of the tickets that a player holds at the end, completed ones included."""
    return state.tickets[seat, word] | state.completed_tickets[seat, word], bits.NONE


_MAP, _CARD = RULESETS["map_game"].state, RULESETS["card_game"].state
_points = for_record({_MAP: _map_points, _CARD: _card_points})
_tickets = for_record({_MAP: _map_tickets, _CARD: _card_tickets})


@cached
def _write_tickets(states: Array, rules: Array, offered: Array, kept: Array, refused: Array, points: Array) -> None:
    """Add to `kept` the tickets that a seat has kept without a decision, and write the points of each for each team.

    Those are in its hand at the end, or on the rack though the seat has not refused them.
    """
    for row in range(states.shape[0]):
        for seat in range(kept.shape[1]):
            for word in range(TICKET_WORDS):
                held, on_rack = _tickets(states[row], rules[0], np.int64(seat), np.int64(word))
                kept[row, seat, word] |= held | on_rack & offered[row, seat, word] & ~refused[row, seat, word]
        for team in range(points.shape[1]):
            for ticket in range(points.shape[2]):
                points[row, team, ticket] = _points(states[row], rules[0], np.int64(team), np.int64(ticket))
