"""The variants of the games: one folder of data per game, and the loader that reads and checks it."""

from t2r_env.variants.loader import VARIANTS, load_variant
from t2r_env.variants.reading import VariantError
from t2r_env.variants.variant import (
    BONUSES,
    COLOURS,
    GRAY,
    LOCOMOTIVE,
    BonusCard,
    CardVariant,
    City,
    MapVariant,
    Offer,
    Route,
    Ticket,
    TicketDeck,
    Variant,
)

__all__ = [
    "BONUSES",
    "COLOURS",
    "GRAY",
    "LOCOMOTIVE",
    "VARIANTS",
    "BonusCard",
    "CardVariant",
    "City",
    "MapVariant",
    "Offer",
    "Route",
    "Ticket",
    "TicketDeck",
    "Variant",
    "VariantError",
    "load_variant",
]
