"""The boxes of the games: one folder of data per game, and the loader that reads and checks it."""

from t2r_env.boxes.box import (
    BONUSES,
    COLOURS,
    GRAY,
    LOCOMOTIVE,
    TIE_BREAKS,
    Box,
    City,
    Company,
    Lane,
    Offer,
    Technology,
    Ticket,
    TicketDeck,
)
from t2r_env.boxes.loader import VARIANTS, load_box
from t2r_env.boxes.reading import BoxError

__all__ = [
    "BONUSES",
    "COLOURS",
    "GRAY",
    "LOCOMOTIVE",
    "TIE_BREAKS",
    "VARIANTS",
    "Box",
    "BoxError",
    "City",
    "Company",
    "Lane",
    "Offer",
    "Technology",
    "Ticket",
    "TicketDeck",
    "load_box",
]
