"""How to play: the sentences, the table of points, and the numbered rules that the reasons cite."""

import re
from pathlib import Path

import pytest

import t2r_agents.browser
from t2r_agents.browser.how_to_play import how_to_play, numbered_rules
from t2r_agents.browser.lobby import describe_game
from t2r_env import VARIANTS, configure
from t2r_env.text import rules_text
from t2r_env.variants import BONUSES
from tests.helpers.example_map import write_example_map
from tests.variants.folders import change

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_game_has_its_rules_in_sentences_its_points_its_pages_and_its_lessons(variant: str) -> None:
    """Lessons say only what holds in a game: SW4, SW5, NO4."""
    configuration = configure(variant)
    told = how_to_play(configuration)
    text = " ".join(rules_text(configuration).split())
    assert told["aim"]
    assert all(sentence in text for sentence in told["sentences"])
    assert told["pages"] == ["common", variant]
    points = dict(told["points"])
    lengths = {it.length for it in getattr(configuration.variant, "routes", ())}
    assert lengths == {int(it.removeprefix("a route of ")) for it in points if it.startswith("a route of ")}
    assert {"a completed ticket", "any other ticket"} <= set(points)
    assert len(points) > len(lengths) + 2 or not configuration.deck.bonuses
    lessons = told["lessons"]
    assert ("counted as both" in lessons["second_card"]) == (variant not in ("switzerland", "nordic"))
    assert ("route" in lessons["turn"]) == (variant != "card_game")
    assert "pay" not in lessons or ("any colour" in lessons["pay"]) == (variant not in ("switzerland", "nordic"))


def test_every_bonus_that_a_map_may_give_is_told_in_words(tmp_path: Path) -> None:
    folder = write_example_map(tmp_path)
    bonuses = ", ".join(f"{bonus} = {number}" for number, bonus in enumerate(BONUSES, 21))
    change(folder / "variant.toml", "{ longest_path = 5 }", f"{{ {bonuses} }}")
    configuration = configure(folder)
    sentences = " ".join(rules_text(configuration).split())
    points = dict(how_to_play(configuration)["points"])
    (deck,) = describe_game(configuration.variant)["decks"]
    for number in range(21, 21 + len(BONUSES)):
        assert f"At the end {number} points for " in sentences
        assert str(number) in points.values()
        assert f"{number} points for " in deck["line"]


def test_the_numbered_rules_are_those_of_the_pages_and_all_that_pages_of_games_cite() -> None:
    rules = numbered_rules()
    listed = {number for page in rules.values() for number in page}
    written = [page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "rules").glob("*.md")]
    assert listed == {number for page in written for number in re.findall(r"^- \*\*([A-Z]+\d+)", page, re.MULTILINE)}
    source = "".join(path.read_text(encoding="utf-8") for path in Path(*t2r_agents.browser.__path__).glob("*.py"))
    cited = set(re.findall(r"\b(?:C|EU|UK|NO|SW|CG|TA|PA|LA|US|NY|IN)\d+\b", source))
    assert len(cited) > 10
    assert cited <= listed
    assert rules["common"]["C9"].startswith("Claim a route. Any free route")
    assert "\nclassic · the 30 of the 2004 box · 3 keep 2" in rules["usa"]["US5"]
    assert not re.search(r"\*\*|`", str(rules))
