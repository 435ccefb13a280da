"""What shares of companies are worth (PA4)."""

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, lowest_bit
from t2r_env.core.records import Record
from t2r_env.rules.map_game import shares


@compiled
def value_shares(view: Record, rules: Record, workspace: Record) -> None:
    """Write what each company's next share brings the seat, in points."""
    for company in range(rules.num_companies):
        workspace.share_value[company] = 0
        if view.shares_left & rules.company_shares[company] != bits.NONE:
            gain = share_gain(view, rules, workspace, view.current, company)
            workspace.share_value[company] = gain // (rules.num_seats - 1)


@compiled
def share_gain(view: Record, rules: Record, workspace: Record, holder: int, company: int) -> int:
    """By how much the seat's lead in a company's payment grows if the holder gets the company's next share.

    The lead is over the mean of the others' payments, times their number.
    """
    before = _lead(view, rules, workspace, company)
    held = workspace.shares[holder]
    next_share = bits.bit(lowest_bit(view.shares_left & rules.company_shares[company]))
    workspace.shares[holder] = held | next_share
    after = _lead(view, rules, workspace, company)
    workspace.shares[holder] = held
    return after - before


@compiled
def _lead(view: Record, rules: Record, workspace: Record, company: int) -> int:
    lead = 0
    for seat in range(rules.num_seats):
        weight = rules.num_seats - 1 if seat == view.current else -1
        lead += weight * shares.payout(workspace.shares, rules, seat, company)
    return lead
