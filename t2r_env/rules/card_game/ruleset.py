"""The Card Game as a ruleset."""

from t2r_env.rules.card_game import completing, scoring, turns
from t2r_env.rules.card_game.base import deal_game
from t2r_env.rules.card_game.configuration import CardConfiguration
from t2r_env.rules.card_game.modules import MODULES, CardRules, CardScratch, CardState
from t2r_env.rules.card_game.sets import phases as set_phases
from t2r_env.rules.card_game.text import CardText
from t2r_env.rules.names import phases
from t2r_env.rules.ruleset import Ruleset
from t2r_env.rules.state import ScoringScratch

CARD_GAME = Ruleset(
    name="card_game",
    configuration=CardConfiguration,
    modules=MODULES,
    state_record=CardState,
    rules_record=CardRules,
    scratch_record=CardScratch,
    scoring_record=ScoringScratch,
    deal=deal_game,
    end_turn=turns.end_turn,
    seat_of_next_turn=turns.seat_of_next_turn,
    frequent_phases=[
        phases.TURN,
        phases.SECOND_CARD,
        set_phases.SET_CARDS,
        set_phases.SET_LOCOMOTIVES,
        phases.KEEP_TICKET,
        completing.phases.COMPLETE,
    ],
    score_game=scoring.score_game,
    derive=scoring.derive,
    outcome_of_tickets=scoring.outcome_of_tickets,
    text=CardText,
    functions=[(completing.end_scoring, turns.end_scoring)],
)
