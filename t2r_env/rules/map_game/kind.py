"""Map games as a kind of game."""

from t2r_env.rules.kind import Kind
from t2r_env.rules.map_game import (
    actions,
    check,
    deal,
    describe,
    game,
    hidden,
    observe,
    rules,
    setup,
    snapshot,
    state,
    turns,
)

MAP_GAME = Kind(
    setup=setup.MapSetup,
    state=state.STATE,
    scratch=state.SCRATCH,
    phases=state.PHASES,
    lay_out_actions=actions.lay_out,
    lay_out_vector=observe.lay_out,
    make_rules=rules.make_rules,
    opening=rules.opening,
    words=describe.Words,
    snapshot=snapshot.Snapshot,
    find_fault=check.find_fault,
    deal=deal.deal,
    apply=game.apply,
    end_turn=turns.end_turn,
    legal=game.legal,
    observe=observe.observe,
    tell_truth=observe.tell_truth,
    hide=hidden.hide,
    deal_anew=hidden.deal_anew,
)
