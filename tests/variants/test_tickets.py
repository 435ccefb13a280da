"""tickets.csv and the ticket decks of variant.toml: what they may hold, and the errors for wrong ones."""

from pathlib import Path

import pytest

from t2r_env.variants import Offer, Ticket
from t2r_env.variants.variant import REFUSED
from tests.helpers.maps import load_map
from tests.variants.folders import TICKET, change, refusal


def test_la2_long_tickets_come_after_the_regular_ones(full_folder: Path) -> None:
    deck = load_map(full_folder).ticket_decks["main"]
    assert deck.long == (Ticket("bern", "como", 11), Ticket("geneva", "italy", 12), Ticket("zurich", "milan", 13))
    assert (len(deck.regular), deck.tickets) == (7, deck.regular + deck.long)
    assert (deck.long_offered, deck.starting_refused) == (1, "leave")


def test_la2_as_many_starting_tickets_may_have_to_be_kept_as_are_offered_of_both_kinds(full_folder: Path) -> None:
    change(full_folder / "variant.toml", "starting = { offered = 2, keep = 1 }", "starting = { offered = 2, keep = 3 }")
    assert load_map(full_folder).ticket_decks["main"].starting == Offer(2, 3)


@pytest.mark.parametrize("refused", REFUSED)
def test_a_map_game_may_say_where_refused_starting_tickets_go(folder: Path, refused: str) -> None:
    change(folder / "variant.toml", 'rows = "main"', f'rows = "main"\nstarting_refused = "{refused}"')
    assert load_map(folder).ticket_decks["main"].starting_refused == refused


def test_a_variant_without_ticket_decks_is_refused(folder: Path) -> None:
    text = (folder / "variant.toml").read_text()
    (folder / "variant.toml").write_text(text.partition("[ticket_decks.main]")[0] + "[ticket_decks]\n")
    assert refusal(folder) == "variant.toml: ticket_decks must be at least one table, not {}"


def test_long_tickets_are_others_than_the_regular_ones(full_folder: Path) -> None:
    tickets = (full_folder / "tickets.csv").read_text()
    (full_folder / "tickets.csv").write_text(tickets.replace("long,", "main,"))
    change(full_folder / "variant.toml", 'long = { rows = "long"', 'long = { rows = "main"')
    message = "variant.toml: ticket_decks.main.long.rows must be others than those of the deck itself, not 'main'"
    assert refusal(full_folder) == message


def test_more_than_72_regular_and_long_tickets_together_are_refused(full_folder: Path) -> None:
    change(full_folder / "tickets.csv", TICKET, "\n".join([TICKET] * 63))
    assert len(load_map(full_folder).ticket_decks["main"].tickets) == 72
    change(full_folder / "tickets.csv", "main,bern,milan,6", "main,bern,milan,6\nmain,bern,milan,6")
    message = "variant.toml: ticket_decks.main.long.rows must bring the tickets to 72 at most, not 73"
    assert refusal(full_folder) == message
