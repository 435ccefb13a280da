"""The two rulesets, and the functions that choose one of them by the record of a game."""

from collections.abc import Mapping

from t2r_env.core.compiled import for_record
from t2r_env.core.records import dtype_of
from t2r_env.rules import deal as dealing
from t2r_env.rules.card_game import flow as card_flow
from t2r_env.rules.card_game import information as card_information
from t2r_env.rules.card_game import observe as card_observe
from t2r_env.rules.card_game import records as card_records
from t2r_env.rules.card_game import scoring as card_scoring
from t2r_env.rules.card_game import setup as card_setup
from t2r_env.rules.card_game.configuration import CardConfiguration
from t2r_env.rules.card_game.snapshot import CardSnapshot
from t2r_env.rules.card_game.text import CardText
from t2r_env.rules.configuration import Configuration
from t2r_env.rules.map_game import flow as map_flow
from t2r_env.rules.map_game import information as map_information
from t2r_env.rules.map_game import observe as map_observe
from t2r_env.rules.map_game import records as map_records
from t2r_env.rules.map_game import scoring as map_scoring
from t2r_env.rules.map_game import setup as map_setup
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.snapshot import MapSnapshot
from t2r_env.rules.map_game.text import MapText
from t2r_env.rules.ruleset import Ruleset
from t2r_env.rules.state import ScoringScratch

MAP_GAME = Ruleset(
    state=dtype_of(map_records.MapState),
    rules=dtype_of(map_records.MapRules),
    scoring=dtype_of(map_records.MapScoringScratch),
    vector_parts=map_observe.lay_out,
    blocks=map_setup.lay_out_blocks,
    write_rules=map_setup.write_rules,
    write_opening=map_setup.write_opening,
    text=MapText,
    snapshot=MapSnapshot,
)

CARD_GAME = Ruleset(
    state=dtype_of(card_records.CardState),
    rules=dtype_of(card_records.CardRules),
    scoring=dtype_of(ScoringScratch),
    vector_parts=card_observe.lay_out,
    blocks=card_setup.lay_out_blocks,
    write_rules=card_setup.write_rules,
    write_opening=card_setup.write_opening,
    text=CardText,
    snapshot=CardSnapshot,
)

CONFIGURATIONS: Mapping[str, type[Configuration]] = {"map_game": MapConfiguration, "card_game": CardConfiguration}
"""The class of the configurations of each ruleset."""

RULESETS: Mapping[str, Ruleset] = {"map_game": MAP_GAME, "card_game": CARD_GAME}
"""The rulesets by name (`Variant.ruleset`)."""

_MAP, _CARD = MAP_GAME.state, CARD_GAME.state

deal = for_record({_MAP: dealing.deal, _CARD: card_flow.deal})
"""(state, rules): from an opening state with a seeded generator, shuffle and deal up to the first decision."""
play = for_record({_MAP: map_flow.play, _CARD: card_flow.play})
"""(state, rules, scratch, scoring, action) -> int: take an action and go on to the next decision (flow.py)."""
list_legal = for_record({_MAP: map_flow.list_legal, _CARD: card_flow.list_legal})
"""(state, rules, scratch) -> int: list the legal actions in `scratch.legal`; return how many there are."""
derive = for_record({_MAP: map_scoring.derive, _CARD: card_scoring.derive})
"""(state, rules, opening, scoring, given): write what follows from the rest of a state from outside."""
score_game = for_record({_MAP: map_scoring.score_game, _CARD: card_scoring.score_game})
"""(state, rules, scoring): add what is counted at the end to the points, and rank the teams."""
observe = for_record({_MAP: map_observe.observe, _CARD: card_observe.observe})
"""(state, rules, seat, vector): write what a seat sees into a vector of uint8."""
write_global_state = for_record({_MAP: map_observe.write_global_state, _CARD: card_observe.write_global_state})
"""(state, rules, vector): write all that there is to know into a vector of uint8."""
reduce_to_view = for_record({_MAP: map_information.reduce_to_view, _CARD: card_information.reduce_to_view})
"""(state, rules, seat): blank all that a seat can't know (C20)."""
determinize = for_record({_MAP: map_information.determinize, _CARD: card_information.determinize})
"""(state, rules, scratch, seed): deal again all that the acting seat can't know (C20)."""
