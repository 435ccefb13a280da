"""tickets.csv and the ticket decks of variant.toml: what they may hold, and the errors for wrong ones."""

from pathlib import Path

import pytest

from t2r_env.variants import Offer, Ticket
from t2r_env.variants.variant import REFUSED
from tests.helpers.maps import load_map
from tests.variants.folders import TICKET, change, check_refusal, refusal, refusals


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


@pytest.mark.parametrize("refused", ["under", "shuffled"])
def test_with_long_tickets_refused_starting_tickets_leave_the_game(full_folder: Path, refused: str) -> None:
    change(full_folder / "variant.toml", 'starting_refused = "leave"', f'starting_refused = "{refused}"')
    assert refusal(full_folder) == (
        f"variant.toml: ticket_decks.main.starting_refused must be leave with long tickets,"
        f" as no rule has them in the ticket deck, not {refused!r}"
    )


WRONG_TICKETS = r"""
tickets.csv:1 | deck,a,b,points | a,b,points
    column 'deck' is missing; allowed are deck, a, b, points, confidence
tickets.csv:1 | deck,a,b,points | deck,a,b,points,by
    unknown column 'by'; allowed are deck, a, b, points, confidence
tickets.csv:4 | main,geneva,como,5 | mian,geneva,como,5
    deck must be one that a ticket deck of variant.toml uses (main), not 'mian'
tickets.csv:4 | main,geneva,como,5 | Main,geneva,como,5
    deck must be an id of lowercase letters a-z, digits and _, not 'Main'
tickets.csv:4 | main,geneva,como,5 | main,geneva,rome,5
    b must be the id of a city or a region of cities.csv, not 'rome'
tickets.csv:4 | main,geneva,como,5 | main,como,como,5
    b must be a place apart from a, not 'como'
tickets.csv:4 | main,geneva,como,5 | main,italy,como,5
    b must be a place apart from a, not 'como'
tickets.csv:4 | main,geneva,como,5 | main,geneva,como,0
    points must be an integer from 1 to 100, not '0'
tickets.csv:4 | main,geneva,como,5 | main,geneva,como,5.5
    points must be an integer from 1 to 100, not '5.5'
tickets.csv:4 | main,geneva,como,5 | main,geneva,como,101
    points must be an integer from 1 to 100, not '101'
"""


@refusals(
    WRONG_TICKETS,
    (
        "tickets.csv:74",
        TICKET,
        TICKET + ("\n" + TICKET) * 66,
        "at most 72 tickets of one deck are allowed",
    ),
)
def test_a_wrong_ticket_is_refused(folder: Path, where: str, old: str, new: str, message: str) -> None:
    check_refusal(folder, where, old, new, message)


WRONG_DECKS = r"""
variant.toml | rows = "main" | row = "main"
    unknown key 'ticket_decks.main.row'; allowed are rows, starting, later, bonuses, starting_refused, later_refused,
    long
variant.toml | starting = { offered = 2, keep = 1 } | starting = { offered = 2 }
    key 'ticket_decks.main.starting.keep' is missing; allowed are offered, keep
variant.toml | default_ticket_deck = "main" | default_ticket_deck = "other"
    default_ticket_deck must be one of main, not 'other'
variant.toml | [ticket_decks.main] | [ticket_decks.Main]
    ticket_decks must name its tables by lowercase letters a-z, digits and _, not 'Main'
variant.toml | [ticket_decks.main] | [ticket_decks]
    ticket_decks.rows must be a table, not 'main'
variant.toml | rows = "main" | rows = "other"
    ticket_decks.main.rows must be a deck of tickets.csv (main), not 'other'
variant.toml | starting = { offered = 2, keep = 1 } | starting = { offered = 2, keep = 3 }
    ticket_decks.main.starting.keep must be an integer from 0 to 2, not 3
variant.toml | later = { offered = 2, keep = 1 } | later = { offered = 7, keep = 1 }
    ticket_decks.main.later.offered must be an integer from 1 to 6, not 7
variant.toml | starting = { offered = 2, keep = 1 } | starting = { offered = 3, keep = 1 }
    ticket_decks.main.starting.offered must be at most 2, as 3 players share 7 tickets, not 3
variant.toml | later = { offered = 2, keep = 1 } | later = 2
    ticket_decks.main.later must be a table, not 2
variant.toml | { longest_path = 5 } | { beauty = 5 }
    unknown key 'ticket_decks.main.bonuses.beauty'; allowed are longest_path, globetrotter, explorer, attractions
variant.toml | { longest_path = 5 } | { longest_path = 0 }
    ticket_decks.main.bonuses.longest_path must be an integer from 1 to 100, not 0
"""


@refusals(WRONG_DECKS)
def test_a_wrong_ticket_deck_is_refused(folder: Path, where: str, old: str, new: str, message: str) -> None:
    check_refusal(folder, where, old, new, message)


def test_a_variant_without_ticket_decks_is_refused(folder: Path) -> None:
    text = (folder / "variant.toml").read_text()
    (folder / "variant.toml").write_text(text[: text.index("[ticket_decks.main]")] + "[ticket_decks]\n")
    assert refusal(folder) == "variant.toml: ticket_decks must be at least one table, not {}"


WRONG_LONG_TICKETS = r"""
variant.toml | long = { rows = "long", offered = 1 } | long = "long"
    ticket_decks.main.long must be a table, not 'long'
variant.toml | long = { rows = "long", offered = 1 } | long = { rows = "long" }
    key 'ticket_decks.main.long.offered' is missing; allowed are rows, offered
variant.toml | long = { rows = "long", offered = 1 } | long = { rows = "long", offered = 1, keep = 1 }
    unknown key 'ticket_decks.main.long.keep'; allowed are rows, offered
variant.toml | long = { rows = "long", offered = 1 } | long = { rows = "far", offered = 1 }
    ticket_decks.main.long.rows must be a deck of tickets.csv (main, long), not 'far'
variant.toml | long = { rows = "long", offered = 1 } | long = { rows = "long", offered = 0 }
    ticket_decks.main.long.offered must be an integer from 1 to 5, not 0
variant.toml | long = { rows = "long", offered = 1 } | long = { rows = "long", offered = 6 }
    ticket_decks.main.long.offered must be an integer from 1 to 5, not 6
variant.toml | long = { rows = "long", offered = 1 } | long = { rows = "long", offered = 2 }
    ticket_decks.main.long.offered must be at most 1, as 3 players share 3 tickets, not 2
tickets.csv:9 | long,bern,como,11 | far,bern,como,11
    deck must be one that a ticket deck of variant.toml uses (main, long), not 'far'
variant.toml | starting = { offered = 2, keep = 1 } | starting = { offered = 6, keep = 1 }
    ticket_decks.main.starting.offered must be an integer from 1 to 5, not 6
variant.toml | starting = { offered = 2, keep = 1 } | starting = { offered = 2, keep = 4 }
    ticket_decks.main.starting.keep must be an integer from 0 to 3, not 4
variant.toml | "leave" | "burn"
    ticket_decks.main.starting_refused must be one of under, leave, shuffled, not 'burn'
variant.toml | explorer = 6 | explorer = 0
    ticket_decks.main.bonuses.explorer must be an integer from 1 to 100, not 0
variant.toml | attractions = 2 | attractions = 101
    ticket_decks.main.bonuses.attractions must be an integer from 1 to 100, not 101
"""


@refusals(WRONG_LONG_TICKETS)
def test_a_wrong_deck_of_long_tickets_is_refused(
    full_folder: Path, where: str, old: str, new: str, message: str
) -> None:
    check_refusal(full_folder, where, old, new, message)


def test_long_tickets_are_others_than_the_regular_ones(full_folder: Path) -> None:
    tickets = (full_folder / "tickets.csv").read_text()
    (full_folder / "tickets.csv").write_text(tickets.replace("long,", "main,"))
    text = (full_folder / "variant.toml").read_text()
    (full_folder / "variant.toml").write_text(text.replace('long = { rows = "long"', 'long = { rows = "main"'))
    assert refusal(full_folder) == (
        "variant.toml: ticket_decks.main.long.rows must be others than those of the deck itself, not 'main'"
    )


def test_more_than_72_regular_and_long_tickets_together_are_refused(full_folder: Path) -> None:
    change(full_folder / "tickets.csv", TICKET, "\n".join([TICKET] * 63))
    assert len(load_map(full_folder).ticket_decks["main"].tickets) == 72
    change(full_folder / "tickets.csv", "main,bern,milan,6", "main,bern,milan,6\nmain,bern,milan,6")
    assert refusal(full_folder) == (
        "variant.toml: ticket_decks.main.long.rows must bring the tickets to 72 at most, not 73"
    )
