"""The folder of a card game: what it may hold, and the errors for a wrong one."""

from pathlib import Path

import pytest

from t2r_env.variants import BonusCard, City, Ticket
from tests.variants.folders import change, load_card_variant, refusal

TICKET_OF_CARDS = "main,geneva,milan,5,2,0,0"


def test_the_second_example_of_the_documentation_is_a_complete_card_game(card_folder: Path) -> None:
    variant = load_card_variant(card_folder)
    assert (variant.id, variant.name, variant.ruleset) == ("lakes_cards", "Cards of the Alps", "card_game")
    assert (variant.colours, variant.locomotives) == ({"blue": 8, "green": 8, "red": 8}, 6)
    assert (variant.second_deck_players, variant.second_deck_hand) == (3, 2)
    assert variant.ticket_decks["main"].starting_refused == "shuffled"
    assert variant.cities[1] == City("geneva", "Genève", 0.05, 0.6)
    assert variant.ticket_decks["main"].tickets[0] == Ticket("bern", "milan", 6, {"blue": 1, "red": 1})
    assert variant.bonus_cards == (BonusCard("milan", 8), BonusCard("zurich", 5))


def test_a_key_left_out_of_a_card_game_has_its_default(card_folder: Path) -> None:
    change(card_folder / "variant.toml", 'starting_refused = "shuffled"\n', "")
    variant = load_card_variant(card_folder)
    assert (variant.starting_locomotives, variant.turn_limit, variant.team_size) == (0, 1000, 1)
    deck = variant.ticket_decks["main"]
    assert (deck.starting_refused, deck.bonuses, deck.long) == ("under", {}, ())


def test_a_card_game_must_name_its_ruleset(card_folder: Path) -> None:
    change(card_folder / "variant.toml", 'ruleset = "card_game"\n', "")
    assert refusal(card_folder).startswith("variant.toml: unknown key 'second_deck_players'; allowed are id, name,")


def test_only_tickets_that_take_the_same_cards_are_one_in_a_set() -> None:
    cards: tuple[dict[str, int], ...] = ({"blue": 1}, {"blue": 1}, {"red": 1}, {})
    assert len({Ticket("bern", "milan", 6, it) for it in cards}) == 3


@pytest.mark.parametrize("players", [2, 7])
def test_cg12_a_second_deck_may_always_be_played_or_never(card_folder: Path, players: int) -> None:
    change(card_folder / "variant.toml", "second_deck_players = 3", f"second_deck_players = {players}")
    assert load_card_variant(card_folder).second_deck_players == players


def test_the_most_bonus_cards_and_cards_of_a_ticket_are_allowed(card_folder: Path) -> None:
    cities = [f"c{number},City {number},0.5,0.5" for number in range(16)]
    with (card_folder / "cities.csv").open("a", encoding="utf-8") as file:
        file.write("\n".join([*cities, ""]))
    rows = [f"c{number},100" for number in range(16)]
    (card_folder / "bonus_cards.csv").write_text("\n".join(["city,points", *rows]))
    change(card_folder / "tickets.csv", TICKET_OF_CARDS, "main,geneva,milan,5,0,0,127")
    variant = load_card_variant(card_folder)
    assert (len(variant.bonus_cards), variant.ticket_decks["main"].tickets[3].cards) == (16, {"red": 127})
