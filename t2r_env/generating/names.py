"""Made-up names of cities."""

from t2r_env.generating.dice import Dice

_BEGINNINGS = (
    *("Al", "Bal", "Bor", "Bren", "Cal", "Cor", "Dal", "Dor", "El", "Fal", "Fen", "Gal", "Gor", "Hal", "Hel", "Is"),
    *("Kar", "Kel", "Lan", "Lor", "Mal", "Mer", "Mor", "Nar", "Nor", "Os", "Pel", "Quin", "Ran", "Ros", "Sal", "Sel"),
    *("Tal", "Tor", "Ul", "Val", "Ver", "Vin", "Wen", "Win", "Yor", "Zan"),
)
_MIDDLES = ("", "", "a", "e", "i", "o", "an", "en", "in", "der", "mer", "ver")
_ENDINGS = (
    *("bar", "berg", "bourne", "by", "dale", "den", "dorf", "fell", "field", "ford", "gard", "ham", "haven", "holm"),
    *("keep", "lund", "mar", "mont", "more", "nes", "os", "port", "stad", "stead", "thal", "ton", "vik", "wick"),
)
_COUNTRIES = ("ania", "avia", "eria", "ia", "land", "mark", "onia")
_ENDINGS_OF_A_MAP = 10
"""The towns of one country sound alike."""


def make_names(dice: Dice, number: int) -> list[str]:
    """Return different names, sorted, in the letters a to z."""
    endings = dice.shuffled(_ENDINGS)[:_ENDINGS_OF_A_MAP]
    names = set[str]()
    while len(names) < number:
        parts = (_BEGINNINGS, _MIDDLES, endings)
        names.add("".join(part[dice.below(len(part))] for part in parts))
    return sorted(names)


def make_country(dice: Dice) -> str:
    """Return the name of a country."""
    return _BEGINNINGS[dice.below(len(_BEGINNINGS))] + _COUNTRIES[dice.below(len(_COUNTRIES))]
