"""The boxes of the games: one folder of data per game, and the loader that reads and checks it."""

from t2r_env.boxes.box import (
    BONUSES,
    CARD_TIE_BREAKS,
    COLOURS,
    GRAY,
    LOCOMOTIVE,
    TIE_BREAKS,
    BonusCard,
    Box,
    CardBox,
    City,
    Company,
    Lane,
    MapBox,
    Offer,
    Technology,
    Ticket,
    TicketDeck,
)
from t2r_env.boxes.loader import VARIANTS, load_box
from t2r_env.boxes.reading import BoxError

__all__ = [
    "BONUSES",
    "CARD_TIE_BREAKS",
    "COLOURS",
    "GRAY",
    "LOCOMOTIVE",
    "TIE_BREAKS",
    "VARIANTS",
    "BonusCard",
    "Box",
    "BoxError",
    "CardBox",
    "City",
    "Company",
    "Lane",
    "MapBox",
    "Offer",
    "Technology",
    "Ticket",
    "TicketDeck",
    "load_box",
]
