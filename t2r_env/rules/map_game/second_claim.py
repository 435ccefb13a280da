"""The Thermocompressor: a second route may be claimed in a turn (UK12)."""

from typing import Any, NamedTuple

import numpy as np

from t2r_env.core.compiled import inlined
from t2r_env.core.game import PHASES, outcomes
from t2r_env.core.layout import Part
from t2r_env.core.records import Array, int64
from t2r_env.rules import hooks
from t2r_env.rules.check import of_current
from t2r_env.rules.map_game import open_routes, technologies
from t2r_env.rules.map_game.board import NO_ROUTE, BoardScratch, claim_phases, enter_claim
from t2r_env.rules.map_game.board import blocks as board_blocks
from t2r_env.rules.map_game.choices import pick_claim
from t2r_env.rules.map_game.configuration import MapConfiguration
from t2r_env.rules.map_game.flow import depends_on_cards, end_claim, forget_claim, pick_payment
from t2r_env.rules.map_game.prices import PriceRules, PriceState
from t2r_env.rules.map_game.technologies import NO_TECHNOLOGY, effects
from t2r_env.rules.module import Limits, Phase, RuleModule, States
from t2r_env.rules.names import SEGMENTS
from t2r_env.rules.names import blocks as shared_blocks
from t2r_env.rules.observe import write_number
from t2r_env.rules.state import SharedScratch
from t2r_env.rules.turns import finish_turn


class _Phases(NamedTuple):
    SECOND_CLAIM: int


class _Segments(NamedTuple):
    CLAIMS: int


phases = PHASES.add(_Phases)
segments = SEGMENTS.add(_Segments)


class SecondClaimState(PriceState):
    """How many routes a turn has claimed."""

    claims: int = int64()  # routes claimed this turn


# Phase `second_claim`: claim a second route?


@inlined
def enter_second_claim(state: SecondClaimState) -> None:
    """Decide on a second claim; the first is done with."""
    state.phase = phases.SECOND_CLAIM


@inlined
def _extend_turn(state: SecondClaimState, rules: PriceRules) -> bool:
    """A turn goes on when its first claim is complete, and the card was bought before."""
    is_bought = technologies.was_bought(state, rules.technology_with[effects.THERMOCOMPRESSOR])
    if not is_bought or state.claims != 1 or state.route == NO_ROUTE:
        return False
    forget_claim(state, rules)
    enter_second_claim(state)
    return True


@inlined
def _list_legal(state: SecondClaimState, rules: PriceRules, scratch: SharedScratch) -> int:
    """Any claim by all the rules, or none."""
    scratch.legal[0] = rules.first_action[shared_blocks.STOP]
    return open_routes.list_claims(state, rules, scratch, state.claims)  # after one action, as after one claim


@inlined
def _apply(state: SecondClaimState, rules: PriceRules, scratch: SharedScratch, action: int) -> None:
    """Go on to the payment, or end the turn."""
    if action == rules.first_action[shared_blocks.STOP]:
        finish_turn(state)
    else:
        enter_claim(state, action - rules.first_action[board_blocks.CLAIM])


@inlined
def _end_claim(state: SecondClaimState, rules: PriceRules, seat: int) -> None:
    state.claims += 1


@inlined
def _forget_turn(state: SecondClaimState, rules: PriceRules) -> None:
    """The card goes back into the supply."""
    technologies.give_back(state, state.current, rules.technology_with[effects.THERMOCOMPRESSOR])
    state.claims = 0


@inlined
def _depends_on_cards(state: SecondClaimState, rules: PriceRules) -> bool:
    return state.phase == phases.SECOND_CLAIM


@inlined
def _pick_payment(state: SecondClaimState, rules: PriceRules, scratch: BoardScratch) -> bool:
    if state.phase != phases.SECOND_CLAIM:
        return False
    pick_claim(state, rules, scratch)
    return True


@inlined
def _write_public(state: SecondClaimState, rules: PriceRules, at: Array, viewer: int, vector: Array) -> None:
    write_number(state.claims, at[segments.CLAIMS], vector)


# What is declared


def _is_used(configuration: MapConfiguration) -> bool:
    return configuration.has_effect("thermocompressor")


def _lay_out_blocks(configuration: MapConfiguration) -> list[Part]:
    return [(shared_blocks.STOP, (1,), "claim no second route (UK12)")]


def _public_segments(configuration: MapConfiguration) -> list[Part]:
    return [(segments.CLAIMS, (1,), "routes claimed this turn")]


def _limits(rules: Any) -> Limits:
    return {"claims": (0, 2)}


def _find_fault(states: States, rules: Any) -> str:
    if np.any((states["claims"] > 0) & (states["outcome"] != outcomes.RUNNING)):
        return "claims must be 0 in an ended game"
    return ""


def _find_fault_of_decision(states: States, rules: Any) -> str:
    """Who has bought the Thermocompressor may be at the second claim; else a claim that is paid is the first."""
    phase, claims = states["phase"], states["claims"].astype(np.int64)
    technology = int(rules.technology_with[effects.THERMOCOMPRESSOR])
    if technology == NO_TECHNOLOGY:
        return ""
    is_bought = states["bought"] == technology
    is_paid = np.isin(phase, [number for number, is_due in claim_phases.items() if not is_due])
    is_claim = is_paid | (states["route"] != NO_ROUTE)
    claims_before = claims - is_paid
    is_second = (phase == phases.SECOND_CLAIM) | (is_claim & (claims_before == 1))
    if np.any((phase == phases.SECOND_CLAIM) & (claims != 1)):
        return "claims must be 1 in phase second_claim"
    number = np.bitwise_count(of_current(states, "claimed")).sum(-1)
    if np.any(is_second & ~is_bought) or np.any(claims_before != is_second) or np.any(claims > number):
        return "claims must be the routes claimed in this turn"
    return ""


SECOND_CLAIM = RuleModule(
    is_used=_is_used,
    phases=[Phase(phases.SECOND_CLAIM, _list_legal, _apply)],
    hooks={
        hooks.extend_turn: _extend_turn,
        end_claim: _end_claim,
        depends_on_cards: _depends_on_cards,
        pick_payment: _pick_payment,
        hooks.forget_turn: _forget_turn,
        hooks.write_public: _write_public,
    },
    blocks=_lay_out_blocks,
    public_segments=_public_segments,
    state=SecondClaimState,
    limits=_limits,
    find_fault=_find_fault,
    find_fault_of_decision=_find_fault_of_decision,
)
"""Second claims."""
