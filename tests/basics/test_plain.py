"""Texts of others are shown as one line that can do nothing and hides nothing."""

import pytest

from t2r_env.basics.plain import code, plain
from t2r_env.basics.reading import shown


@pytest.mark.parametrize(
    "text",
    [
        *("planner", "ismcts:0.2s,usa.safetensors", "my module:Any:[/]", "a\\b", ""),
        *("Zürich", "Größe", "Łódź", "Ævar", "Иван", "Ελλάδα", "模型", "ひらがな", "हिन्दी", "한글", "🚂 Tom"),
    ],
)
def test_names_in_ascii_and_in_scripts_that_can_be_told_apart_are_shown_as_they_are(text: str) -> None:
    assert plain(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b[2J\x1b[1;1H", r"\x1b[2J\x1b[1;1H"),
        ("a\r\nb\tc\x7f", r"a\r\nb\tc\x7f"),
        ("a\u2028b\x85c\x9b2Jd", r"a\u2028b\x85c\x9b2Jd"),
        ("\u202egnp", r"\u202egnp"),
        ("a\u200b\ufeff\u00ad\u2060b", r"a\u200b\ufeff\xad\u2060b"),
        ("\u3164\u115f\u2800\ufe0f\u034f", r"\u3164\u115f\u2800\ufe0f\u034f"),
        (" greedy ", r"\x20greedy\x20"),
        ("a  b\u00a0c", r"a \x20b\xa0c"),
        ("pl\u0430nner", r"pl\u0430nner"),
        ("\u0440\u043e\u04cf\u0456\u0441\u0443", r"\u0440\u043e\u04cf\u0456\u0441\u0443"),  # all Cyrillic: policy
        ("gr\u0435\u0435dy", r"gr\u0435\u0435dy"),
        ("\uff50olicy \U0001d429olicy \ufb01x \u212a", r"\uff50olicy \U0001d429olicy \ufb01x \u212a"),
        ("\u0251 \u0131 \u0261", r"\u0251 \u0131 \u0261"),
        ("e\u0301", r"e\u0301"),
        ("│", r"\u2502"),
        ("\udc80", r"\udc80"),
    ],
)
def test_what_controls_hides_or_looks_like_something_else_is_shown_as_an_escape(text: str, expected: str) -> None:
    assert plain(text) == expected
    assert plain(expected) == expected


def test_code_in_markdown_stays_in_its_cell_and_between_its_marks() -> None:
    assert code("a|b`c\nd") == r"`a\x7cb\x60c\nd`"
    assert code("planner") == "`planner`"


def test_error_messages_show_values_of_files_in_the_same_way() -> None:
    assert shown("gr\u0435edy\x1b") == r"'gr\u0435edy\x1b'"
    assert len(shown("x" * 1000)) < 300
