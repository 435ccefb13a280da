"""Positions of the Card Game, set up in a few lines and played on in text.

Cards, tickets and actions are written as in `tests/helpers/situations.py`. A rail yard is written row by row, as in
`{"blue": "3 blue, 1 locomotive"}`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from t2r_env.rules.card_game.records import NOBODY
from t2r_env.rules.names import parts
from t2r_env.variants import COLOURS, LOCOMOTIVE
from tests.helpers import situations
from tests.helpers.situations import (
    CARDS,
    Table,
    cards_left,
    cards_text,
    count,
    put,
    put_hands_and_face_up,
    put_tickets,
    ticket_name,
)

NO_FACE_UP = "-, -, -, -, -"


class CardTable(Table):
    """One card game, read and played as text."""

    # Reading

    def yard(self, seat: int) -> dict[str, str]:
        return {
            colour: cards_text({colour: row["cards"], LOCOMOTIVE: row["locomotives"]})
            for colour, row in self.snapshot["players"][seat]["yard"].items()
        }

    def on_track(self, seat: int) -> str:
        return cards_text(self.snapshot["players"][seat]["on_track"])

    def completed(self, seat: int) -> set[str]:
        return set(map(ticket_name, self.snapshot["players"][seat]["completed"]))

    def actions(self, action: str) -> set[str]:
        return {choice.removeprefix(f"{action} ") for choice in self.legal if choice.startswith(action)}

    def sets(self) -> set[str]:
        return {it for colour in self.actions("play_set") for it in self._sets_after(f"play_set {colour}", colour)}

    def _sets_after(self, action: str, colour: str) -> Iterator[str]:
        seat, after = self.to_move, CardTable(self.games.clone())
        after.play(action)
        if after.phase == "set_cards":
            for number in after.actions("set_cards"):
                yield from after._sets_after(f"set_cards {number}", colour)
        elif after.phase == "set_locomotives":
            cards = after.snapshot["subject"]["cards"]
            for number in after.actions("set_locomotives"):
                yield cards_text({colour: cards, LOCOMOTIVE: int(number)})
        else:  # decisions with one legal action were skipped
            yield after.yard(seat)[colour]

    # Playing

    def play_set(self, colour: str, cards: int, locomotives: int = 0) -> None:
        """Play a set. Decisions with one legal action are taken by the game."""
        self.play(f"play_set {colour}")
        if self.phase == "set_cards":
            self.play(f"set_cards {cards}")
        if self.phase == "set_locomotives":
            self.play(f"set_locomotives {locomotives}")


def deal(players: int = 2, **more: Any) -> CardTable:
    """A card game just dealt: the first seat decides on its starting tickets."""
    return CardTable(situations.deal(players, **{"variant": "card_game"} | more).games)


def situation(
    players: int = 2,
    *,
    hands: Sequence[str] = (),
    face_up: str = ", ".join(COLOURS[:5]),
    deck: str | None = None,
    discard: str | None = None,
    yards: Sequence[Mapping[str, str]] = (),
    on_track: Sequence[str] = (),
    holds: Sequence[Sequence[str]] = (),
    completed: Sequence[Sequence[str]] = (),
    ticket_deck: Sequence[str] | None = None,
    points: Sequence[int] = (),
    to_move: int = 0,
    turn: int = 1,
    last_turns_left: int = 0,
    scoring_round: int = 1,
    **more: Any,
) -> CardTable:
    """A game in a turn of the seat `to_move`, after its first phase.

    `hands`, `yards`, `on_track`, `holds` (tickets in hand), `completed` (tickets of earlier scorings) and `points`
    are lists by seat; what is left out is empty. Train cards that lie nowhere else are the deck, or the discard if a
    `deck` is given. By default the ticket deck holds the tickets that lie nowhere else, in the variant's order.
    """
    table = deal(players, **more)
    table.play_all("keep_ticket")
    state, chosen = table.games.states[0], table.games.configuration
    put_hands_and_face_up(state, hands, face_up)
    _put_yards(state, yards)
    state.on_track[:] = 0
    for seat, pile in enumerate(on_track):
        state.on_track[seat] = count(pile)
    left = cards_left(state, chosen, _cards_of_yards(state), state.on_track.sum(axis=0))
    state.deck[:] = left - count(discard or "") if deck is None else count(deck)
    state.discard[:] = left - state.deck
    state.deck_count, state.discard_count = state.deck.sum(), state.discard.sum()
    put_tickets(state, chosen, ticket_deck, tickets=holds, completed_tickets=completed)
    state.score[: len(points)] = state.breakdown[: len(points), parts.TICKETS] = points
    state.current = to_move
    state.turn = turn
    state.last_turns_left = last_turns_left
    state.scoring_round = scoring_round
    put(table.games)
    return table


def scoring(players: int = 2, **more: Any) -> CardTable:
    """A game whose last turn is just over, with nothing left to draw.

    The last player has passed, and must have nothing to play. Each seat that has a choice now decides which tickets it
    completes.
    """
    nothing_left: dict[str, Any] = {"face_up": NO_FACE_UP, "deck": "", "ticket_deck": [], "to_move": players - 1}
    table = situation(players, **nothing_left | {"last_turns_left": 1} | more)
    table.play("pass")
    return table


def _put_yards(state: Any, yards: Sequence[Mapping[str, str]]) -> None:
    state.yard_owner[:] = NOBODY
    state.yard_cards[:] = state.yard_locomotives[:] = 0
    for seat, yard in enumerate(yards):
        for colour, row in yard.items():
            number = COLOURS.index(colour)
            assert state.yard_owner[number] == NOBODY, "a colour lies in one rail yard only"
            state.yard_owner[number] = seat
            state.yard_cards[number] = count(row)[number]
            state.yard_locomotives[number] = count(row)[CARDS.index(LOCOMOTIVE)]


def _cards_of_yards(state: Any) -> np.ndarray[Any, Any]:
    return np.array([*state.yard_cards, state.yard_locomotives.sum()])
