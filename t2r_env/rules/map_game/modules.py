"""The rules of map games: the one list of their modules, and the records that these make up together.

The order of the list is that of actions, segments, and whatever else is listed. A new rule module is added here.
"""

from t2r_env.rules.map_game.attractions import ATTRACTIONS, AttractionRules
from t2r_env.rules.map_game.base import BASE
from t2r_env.rules.map_game.board import BoardScratch
from t2r_env.rules.map_game.exchange import EXCHANGE
from t2r_env.rules.map_game.ferries import FERRIES
from t2r_env.rules.map_game.mountains import MOUNTAINS
from t2r_env.rules.map_game.paying import PAYING
from t2r_env.rules.map_game.prices import PriceRules
from t2r_env.rules.map_game.purchases import PURCHASES
from t2r_env.rules.map_game.racks import RACKS
from t2r_env.rules.map_game.right_of_way import RIGHT_OF_WAY
from t2r_env.rules.map_game.scoring import ScoringRules
from t2r_env.rules.map_game.second_claim import SECOND_CLAIM, SecondClaimState
from t2r_env.rules.map_game.shares import SHARES, ShareRules, ShareScratch, ShareState
from t2r_env.rules.map_game.sharing import SHARING, SharingState
from t2r_env.rules.map_game.stations import STATIONS, StationRules, StationScratch, StationState
from t2r_env.rules.map_game.technologies import TECHNOLOGIES
from t2r_env.rules.map_game.tunnels import TUNNELS, TunnelRules

MODULES = (
    BASE,
    ATTRACTIONS,
    FERRIES,
    MOUNTAINS,
    RACKS,
    PAYING,
    TUNNELS,
    SHARING,
    TECHNOLOGIES,
    PURCHASES,
    EXCHANGE,
    RIGHT_OF_WAY,
    SECOND_CLAIM,
    SHARES,
    STATIONS,
)


class MapState(SharingState, SecondClaimState, ShareState, StationState):
    """What changes during a map game."""


class MapRules(TunnelRules, PriceRules, ScoringRules, AttractionRules, ShareRules, StationRules):
    """What stays fixed during a map game."""


class MapScratch(BoardScratch):
    """What a function may scribble on."""


class MapScoringScratch(ShareScratch, StationScratch):
    """What the scoring of a map game may scribble on."""
