"""Map games as a kind of game."""

from t2r_env.rules.map_game import (
    actions,
    check,
    configuration,
    deal,
    describe,
    game,
    information,
    observe,
    rules,
    snapshot,
    state,
    turns,
)
from t2r_env.rules.ruleset import Ruleset

MAP_GAME = Ruleset(
    name="map_game",
    configuration=configuration.MapConfiguration,
    state=state.STATE,
    scratch=state.SCRATCH,
    phases=state.PHASES,
    lay_out_actions=actions.lay_out,
    lay_out_vector=observe.lay_out,
    make_rules=rules.make_rules,
    opening=rules.opening,
    text=describe.Text,
    snapshot=snapshot.Snapshot,
    find_fault=check.find_fault,
    deal=deal.deal,
    apply=game.apply,
    end_turn=turns.end_turn,
    legal=game.legal,
    observe=observe.observe,
    write_global_state=observe.write_global_state,
    blank_unknown=information.blank_unknown,
    determinize_state=information.determinize_state,
)
