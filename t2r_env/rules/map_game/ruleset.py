"""Map games as a ruleset."""

from t2r_env.rules.map_game import claiming, deriving, paying, scoring, turns
from t2r_env.rules.map_game.board import phases as board_phases
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.modules import MODULES, MapRules, MapScoringScratch, MapScratch, MapState
from t2r_env.rules.map_game.text import MapText
from t2r_env.rules.names import phases
from t2r_env.rules.ruleset import Ruleset
from t2r_env.rules.turns import seat_after_the_last

MAP_GAME = Ruleset(
    name="map_game",
    configuration=MapConfiguration,
    modules=MODULES,
    state_record=MapState,
    rules_record=MapRules,
    scratch_record=MapScratch,
    scoring_record=MapScoringScratch,
    end_turn=turns.end_turn,
    seat_of_next_turn=seat_after_the_last,
    frequent_phases=[phases.TURN, phases.SECOND_CARD, board_phases.PAY, phases.KEEP_TICKET],
    score_game=scoring.score_game,
    derive=deriving.derive,
    outcome_of_tickets=scoring.outcome_of_tickets,
    text=MapText,
    functions=[(paying.complete_claim, claiming.complete)],
)
