"""How the greedy agent plays the Card Game.

At each decision it makes a plan from what its seat may know, and forgets it again: the pile that it may have at the
end (what is on track, its rows as far as they arrive in time, its hand, and the cards that it may yet draw and play),
and the best set of its tickets for that pile (best_set.py).

It values what it can do by the cards that come nearer to its pile, those that the plan lacks most, and does the best:
plays a set or three colours, robs, draws cards, or draws tickets, which it values by what the unseen ones would bring
for the cards that the plan does not take. At a scoring it completes the best set of tickets there is.

Agents of other `TASTES` play by the same functions.
"""

import numpy as np

from agents.greedy import best_set
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.records import Field, Record, record_dtype
from t2r_env.rules import train_cards
from t2r_env.rules.card_game import yard
from t2r_env.rules.card_game.completing import blocks as completing_blocks
from t2r_env.rules.card_game.completing import phases as completing_phases
from t2r_env.rules.card_game.sets import blocks as set_blocks
from t2r_env.rules.card_game.sets import phases as set_phases
from t2r_env.rules.card_game.yard import NOBODY, NUM_COLOURS
from t2r_env.rules.cards import CARD_TYPES, EMPTY, FACE_UP_SLOTS, LOCOMOTIVE
from t2r_env.rules.names import blocks, phases
from t2r_env.sizes import MAX_TICKETS

NEEDED = 40
"""What it is worth to bring a card that the plan needs nearer to the pile; in tenths of a point, as all values here."""
SPARE = 20
"""The same of a card that the plan does not need: there may be tickets for it yet."""
ROBBED = 30
"""What each card is worth that an opponent would have brought to his pile and is robbed of."""
LATE = 5
"""With fewer turns to come there is no more patience, and no locomotive is held back."""
PLAYED_IN_A_TURN = 2
"""How many cards of a hand can be played for each turn to come, roughly."""
DRAWN = 13
"""How many cards leave the deck in ten turns."""
PROSPECT = 20
"""In percent: what a ticket counts of the Big City cards that it names."""
CARD = 30
"""What a ticket counts at the first of two scorings for each card that it takes: the second takes cards again."""
MOST_STEPS = 300
"""Of the search for a plan."""
MOST_STEPS_AT_SCORING = 10_000_000
"""Of the search for what to complete: enough to end it, even with every ticket in hand."""
CHANGES_AT_SCORING = 100
"""Of the prices that shorten that search."""
NO_ACTION = -1
NOTHING = -1_000

TASTES: list[Field] = [
    # How much more a play must be worth than the cards that could be drawn instead: larger sets save turns
    ("patience", "i8"),
    # In percent: cards that the plan counts on for each turn to come
    ("hope", "i8"),
    # In percent: how much of what the tickets drawn would bring singly they bring together
    ("tickets_found", "i8"),
    ("aims", "i8"),  # tickets that it plans at a time, besides those that pile and hand suffice for
    ("likes_length", "i8"),  # 1: a ticket of twice the points is worth four times as much, but for a scoring
]
"""What agents may differ in; the first fields of a plan."""

USUAL = {"patience": 60, "hope": 60, "tickets_found": 40, "aims": MAX_TICKETS, "likes_length": 0}
"""The tastes of the greedy agent."""

PLAN = record_dtype(
    [
        *TASTES,
        *best_set.FIELDS,
        ("turns", "i8"),  # its turns still to come, each with its phase 1 (CG4)
        ("on_track", "i8", (CARD_TYPES,)),  # its pile at the end as things lie
        ("needed", "i8", (NUM_COLOURS,)),  # cards that the tickets aimed at take
        ("lacking", "i8"),  # those for which pile and hand lack coloured cards, less the locomotives there
    ]
)


def new_plan(**tastes: int) -> Array:
    """Room for one plan, made with these tastes and otherwise the usual ones."""
    plans = np.zeros(1, PLAN)
    for name, taste in (USUAL | tastes).items():
        plans[name] = taste
    return plans


@compiled
def act(views: Array, masks: Array, rules: Array, plans: Array, chosen: Array) -> None:
    """Answer each decision; `plans` is room for one plan."""
    for row in range(views.shape[0]):
        chosen[row] = decide(views[row], masks[row], rules[0], plans[0])


@compiled
def decide(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """Answer one decision."""
    if view.phase == phases.TURN:
        return _take_turn(view, mask, rules, plan)
    if view.phase == phases.SECOND_CARD:
        return _draw_second(view, mask, rules, plan)
    if view.phase == phases.KEEP_TICKET:
        return _choose_ticket(view, rules, plan)
    if view.phase == completing_phases.COMPLETE:
        return _complete(view, rules, plan)
    if view.phase == set_phases.SET_CARDS:
        return _set_cards(view, mask, rules, plan)
    return _set_locomotives(view, mask, rules, plan)


# The decisions


@compiled
def _take_turn(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """The best play, if it is worth more than drawing; else tickets or cards."""
    _make_plan(view, rules, plan)
    card = _best_card(view, mask, rules, plan)
    action = card
    best = _value_of_draw(view, rules, plan, card)
    if plan.turns >= LATE:
        best += plan.patience
    for colour in range(NUM_COLOURS):
        if mask[rules.first_action[set_blocks.PLAY_SET] + colour]:
            value = _value_of_set(view, rules, plan, colour)
            if value > best:
                best = value
                action = rules.first_action[set_blocks.PLAY_SET] + colour
    three = _best_three(view, mask, rules, plan)
    if three != NO_ACTION and _value_of_three(view, rules, plan, three) > best:
        best = _value_of_three(view, rules, plan, three)
        action = rules.first_action[set_blocks.PLAY_THREE] + three
    draw_tickets = rules.first_action[blocks.DRAW_TICKETS]
    if mask[draw_tickets] and _may_find_tickets(view, rules) and _value_of_tickets(view, rules, plan) > best:
        action = draw_tickets
    if action == NO_ACTION:
        action = draw_tickets if mask[draw_tickets] else rules.first_action[blocks.PASS]
    return action


@compiled
def _draw_second(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    _make_plan(view, rules, plan)
    return _best_card(view, mask, rules, plan)


@compiled
def _choose_ticket(view: Record, rules: Record, plan: Record) -> int:
    """Keep it if it is one of the best set of the tickets held and offered, for the pile that there may be."""
    seat = view.current
    _foresee_pile(view, rules, plan, True)
    _add_own_tickets(view, rules, plan)
    for place in range(view.offered_count[seat]):
        ticket = view.offered[seat, place]
        if place >= view.offer_index:
            worth = _prospect(rules, ticket) + 10 * rules.ticket_points[ticket]
            best_set.add(rules, plan, ticket, worth * _liking(rules, plan, ticket))
        elif (view.kept[seat] >> place) & 1:
            best_set.add(rules, plan, ticket, _worth(view, rules, ticket) * _liking(rules, plan, ticket))
    best_set.find(rules, plan, 0, MOST_STEPS)
    keeps = bits.contains(plan.chosen, view.offered[seat, view.offer_index])
    return rules.first_action[blocks.KEEP_TICKET if keeps else blocks.REFUSE_TICKET]


@compiled
def _complete(view: Record, rules: Record, plan: Record) -> int:
    """The first ticket of the best set for the cards that those chosen already leave; stop after the last."""
    seat = view.current
    for card in range(CARD_TYPES):
        plan.pile[card] = view.on_track[seat, card]
    best_set.clear(plan)
    for ticket in range(rules.num_tickets):
        if bits.contains(view.completing[seat], ticket):
            for colour in range(NUM_COLOURS):
                used = min(rules.ticket_cards[ticket, colour], plan.pile[colour])
                plan.pile[colour] -= used
                plan.pile[LOCOMOTIVE] -= rules.ticket_cards[ticket, colour] - used
        elif bits.contains(view.tickets[seat], ticket):
            best_set.add(rules, plan, ticket, _worth(view, rules, ticket))
    best_set.find(rules, plan, CHANGES_AT_SCORING, MOST_STEPS_AT_SCORING)
    for ticket in range(rules.num_tickets):
        if bits.contains(plan.chosen, ticket):
            return rules.first_action[completing_blocks.COMPLETE] + ticket
    return rules.first_action[blocks.STOP]


@compiled
def _set_cards(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """As many as arrive in time, and more only where the rule wants them."""
    _make_plan(view, rules, plan)
    first = rules.first_action[set_blocks.SET_CARDS]
    return _nearest_legal(mask, first, _cards_in_set(view, plan, view.set_colour) - 1)


@compiled
def _set_locomotives(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    _make_plan(view, rules, plan)
    first = rules.first_action[set_blocks.SET_LOCOMOTIVES]
    return _nearest_legal(mask, first, _locomotives_in_set(view, rules, plan, view.set_colour, view.set_cards))


@inlined
def _nearest_legal(mask: Array, first: int, number: int) -> int:
    """The least legal answer of a block that is not below the number wanted; there is one."""
    action = first + number
    while not mask[action]:
        action += 1
    return action


# What an action is worth


@compiled
def _best_card(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """The row's card that is worth most, or one from the deck if that is likely to be worth more."""
    chosen = NO_ACTION
    best = NOTHING
    if mask[rules.first_action[blocks.DRAW_DECK]]:
        chosen = rules.first_action[blocks.DRAW_DECK]
        best = _value_of_blind_card(view, rules, plan)
    for slot in range(FACE_UP_SLOTS):
        action = rules.first_action[blocks.DRAW_FACE_UP] + slot
        if mask[action] and view.face_up[slot] != EMPTY:
            value = _value_of_card(view, rules, plan, view.face_up[slot])
            if view.phase == phases.TURN and view.face_up[slot] == LOCOMOTIVE:
                value -= _value_of_blind_card(view, rules, plan)  # it is the only card
            if value > best:
                best = value
                chosen = action
    return chosen


@compiled
def _value_of_draw(view: Record, rules: Record, plan: Record, card: int) -> int:
    """What it is worth to draw this card first, and then another."""
    if card == NO_ACTION:
        return NOTHING
    blind = _value_of_blind_card(view, rules, plan)
    if card == rules.first_action[blocks.DRAW_DECK]:
        return 2 * blind
    drawn = view.face_up[card - rules.first_action[blocks.DRAW_FACE_UP]]
    value = _value_of_card(view, rules, plan, drawn)
    if drawn == LOCOMOTIVE:
        return value
    second = blind
    for slot in range(FACE_UP_SLOTS):
        if (
            card != rules.first_action[blocks.DRAW_FACE_UP] + slot
            and view.face_up[slot] != EMPTY
            and view.face_up[slot] != LOCOMOTIVE
        ):
            second = max(second, _value_of_card(view, rules, plan, view.face_up[slot]))
    return value + second


@compiled
def _value_of_card(view: Record, rules: Record, plan: Record, card: int) -> int:
    """What a card is worth in hand, if it can still be played and arrive."""
    seat = view.current
    is_in_time = plan.turns > 1 and view.hand_count[seat] < PLAYED_IN_A_TURN * plan.turns
    if not is_in_time and view.scoring_round == rules.scorings:
        return 0
    if card == LOCOMOTIVE:
        return NEEDED if plan.lacking > 0 else SPARE
    is_lacking = plan.needed[card] > plan.on_track[card] + view.hand[seat, card]
    return NEEDED if is_lacking else SPARE


@compiled
def _value_of_blind_card(view: Record, rules: Record, plan: Record) -> int:
    value = 0
    cards = 0
    for card in range(CARD_TYPES):
        value += rules.deck[card] * _value_of_card(view, rules, plan, card)
        cards += rules.deck[card]
    return value // cards


@compiled
def _value_of_arrivals(plan: Record, colour: int, cards: int) -> int:
    """What it is worth that so many cards of a colour arrive."""
    needed = max(0, min(cards, plan.needed[colour] - plan.on_track[colour]))
    return NEEDED * needed + SPARE * (cards - needed)


@compiled
def _value_of_set(view: Record, rules: Record, plan: Record, colour: int) -> int:
    """What it is worth to play a set of a colour: its cards that arrive in time, and those that are robbed."""
    cards = _cards_in_set(view, plan, colour)
    locomotives = _locomotives_in_set(view, rules, plan, colour, cards)
    coloured = min(cards, plan.turns)
    wild = min(locomotives, plan.turns - coloured)
    value = _value_of_arrivals(plan, colour, coloured) + (NEEDED if plan.lacking > 0 else SPARE) * wild
    if _is_exposed(view, rules, colour, cards + locomotives):
        value //= 2
    return value + _value_of_robbing(view, rules, plan, colour) - SPARE * (locomotives - wild)


@compiled
def _value_of_robbing(view: Record, rules: Record, plan: Record, colour: int) -> int:
    owner = view.yard_owner[colour]
    if owner == NOBODY:
        return 0
    ahead = owner - view.current
    if ahead < 0:
        ahead += rules.num_seats
    turns = plan.turns
    if view.last_turns_left > 0:
        turns = 1 if ahead < view.last_turns_left else 0
    return ROBBED * min(turns, view.yard_cards[colour] + view.yard_locomotives[colour]) // (rules.num_seats - 1)


@compiled
def _best_three(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """The three colours, by their number, that are worth most."""
    chosen = NO_ACTION
    best = NOTHING
    for three in range(rules.threes.shape[0]):
        if mask[rules.first_action[set_blocks.PLAY_THREE] + three]:
            value = _value_of_three(view, rules, plan, three)
            if value > best:
                best = value
                chosen = three
    return chosen


@compiled
def _value_of_three(view: Record, rules: Record, plan: Record, three: int) -> int:
    value = 0
    for place in range(3):
        colour = rules.threes[three, place]
        arrives = _value_of_arrivals(plan, colour, min(1, plan.turns))
        value += arrives // 2 if _is_exposed(view, rules, colour, 1) else arrives
    return value


@compiled
def _is_exposed(view: Record, rules: Record, colour: int, cards: int) -> bool:
    """Whether an opponent is known to hold cards enough to rob a row of so many."""
    for seat in range(rules.num_seats):
        if seat != view.current and view.known[seat, colour] > 0:
            if view.known[seat, colour] + view.known[seat, LOCOMOTIVE] > cards:
                return True
    return False


@compiled
def _value_of_tickets(view: Record, rules: Record, plan: Record) -> int:
    """What the tickets drawn are likely to bring besides those planned."""
    for card in range(CARD_TYPES):
        plan.left[card] = plan.pile[card]
    for place in range(plan.count):
        if bits.contains(plan.chosen, plan.ticket[place]):
            for colour in range(NUM_COLOURS):
                plan.left[colour] -= rules.ticket_cards[plan.ticket[place], colour]
    for colour in range(NUM_COLOURS):
        plan.left[LOCOMOTIVE] += min(0, plan.left[colour])
    value = 0
    unseen = 0
    for ticket in range(rules.num_tickets):
        if not _is_seen(view, rules, ticket):
            unseen += 1
            missing = 0
            for colour in range(NUM_COLOURS):
                missing += max(0, rules.ticket_cards[ticket, colour] - max(0, plan.left[colour]))
            if missing <= plan.left[LOCOMOTIVE]:
                worth = 10 * rules.ticket_points[ticket] + _prospect(rules, ticket) - NEEDED * missing
                value += max(0, worth)
    if unseen == 0:
        return 0
    return min(rules.later_offer, view.queue_count) * value * plan.tickets_found // (100 * unseen)


@inlined
def _may_find_tickets(view: Record, rules: Record) -> bool:
    """Whether it may pay to draw tickets: if turns go by faster than cards, others do so too, and refuse them all."""
    cards = view.scoring_round * train_cards.count(rules.deck) - view.deck_count
    return view.last_turns_left > 0 or view.turn < cards


@compiled
def _is_seen(view: Record, rules: Record, ticket: int) -> bool:
    """Whether the seat holds the ticket, or has seen it completed."""
    is_seen = bits.contains(view.tickets[view.current], ticket)
    for seat in range(rules.num_seats):
        is_seen = is_seen or bits.contains(view.completed_tickets[seat], ticket)
    return is_seen


# Sets


@inlined
def _cards_in_set(view: Record, plan: Record, colour: int) -> int:
    """The coloured cards to play in a set: those that arrive in time, and as many as the rule wants."""
    seat = view.current
    return min(view.hand[seat, colour], max(plan.turns, yard.least_set(view, seat, colour)))


@compiled
def _locomotives_in_set(view: Record, rules: Record, plan: Record, colour: int, cards: int) -> int:
    """The locomotives to play in a set: those that the plan lacks and that arrive in time, all when it is late; and
    those that the rule wants, or that keep the row from being robbed."""
    seat = view.current
    held = view.hand[seat, LOCOMOTIVE]
    in_time = max(0, min(held, plan.turns - cards))
    number = in_time if plan.turns < LATE else max(0, min(in_time, plan.lacking))
    number = max(number, yard.least_set(view, seat, colour) - cards)
    if number < held and _is_exposed(view, rules, colour, cards + number):
        if not _is_exposed(view, rules, colour, cards + number + 1):
            number += 1
    return min(number, held)


# The plan


@compiled
def _make_plan(view: Record, rules: Record, plan: Record) -> None:
    """Choose the tickets to be completed, and count what they need and lack."""
    _foresee_pile(view, rules, plan, False)
    _add_own_tickets(view, rules, plan)
    best_set.find(rules, plan, 0, MOST_STEPS)
    for colour in range(NUM_COLOURS):
        plan.needed[colour] = 0
    plan.lacking = -plan.on_track[LOCOMOTIVE]
    aims = plan.aims
    for place in range(plan.count):
        if aims > 0 and bits.contains(plan.chosen, plan.ticket[place]):
            lacking = plan.lacking
            _need(view, rules, plan, plan.ticket[place])
            aims -= 1 if plan.lacking > max(0, lacking) else 0


@inlined
def _need(view: Record, rules: Record, plan: Record, ticket: int) -> None:
    """Count what one more ticket needs and lacks."""
    for colour in range(NUM_COLOURS):
        there = plan.on_track[colour] + view.hand[view.current, colour]
        before = max(0, plan.needed[colour] - there)
        plan.needed[colour] += rules.ticket_cards[ticket, colour]
        plan.lacking += max(0, plan.needed[colour] - there) - before


@compiled
def _foresee_pile(view: Record, rules: Record, plan: Record, with_second_deck: bool) -> None:
    """The pile at the end: what arrives in time, the hand as far as it can, and draws, which count as locomotives."""
    seat = view.current
    plan.turns = _turns_to_come(view, rules)
    for card in range(CARD_TYPES):
        plan.on_track[card] = view.on_track[seat, card]
    for colour in range(NUM_COLOURS):
        if view.yard_owner[colour] == seat:
            cards = min(plan.turns, view.yard_cards[colour])
            plan.on_track[colour] += cards
            plan.on_track[LOCOMOTIVE] += min(plan.turns - cards, view.yard_locomotives[colour])
    for card in range(CARD_TYPES):
        plan.pile[card] = plan.on_track[card] + min(plan.turns, view.hand[seat, card])
    draws = max(0, plan.turns - 1)
    if with_second_deck and view.scoring_round < rules.scorings:
        draws += _turns_of_deck(rules, train_cards.count(rules.deck))
    plan.pile[LOCOMOTIVE] += draws * plan.hope // 100


@inlined
def _turns_to_come(view: Record, rules: Record) -> int:
    """How many more turns the seat has, after the one it is taking: none in the last round, else at least one."""
    return 0 if view.last_turns_left > 0 else 1 + _turns_of_deck(rules, view.deck_count)


@inlined
def _turns_of_deck(rules: Record, cards: int) -> int:
    """How many turns each seat has until so many cards have left the deck."""
    return 10 * cards // (DRAWN * rules.num_seats)


@compiled
def _add_own_tickets(view: Record, rules: Record, plan: Record) -> None:
    best_set.clear(plan)
    for ticket in range(rules.num_tickets):
        if bits.contains(view.tickets[view.current], ticket):
            best_set.add(rules, plan, ticket, _worth(view, rules, ticket) * _liking(rules, plan, ticket))


@inlined
def _liking(rules: Record, plan: Record, ticket: int) -> int:
    """How much the agent likes a ticket, besides what it is worth."""
    return rules.ticket_points[ticket] if plan.likes_length else 1


@compiled
def _worth(view: Record, rules: Record, ticket: int) -> int:
    """What it is worth to complete a ticket that is held: its value made and, at the end, not lost."""
    worth = _prospect(rules, ticket) + 10 * rules.ticket_points[ticket]
    if view.scoring_round == rules.scorings:
        return worth + 10 * rules.ticket_points[ticket]
    for colour in range(NUM_COLOURS):
        worth += CARD * rules.ticket_cards[ticket, colour]
    return worth


@compiled
def _prospect(rules: Record, ticket: int) -> int:
    """What a ticket counts of the Big City cards that it names (CG13)."""
    points = 0
    for city in range(rules.num_bonus_cards):
        if bits.contains(rules.naming[city], ticket):
            points += rules.bonus_points[city]
    return 10 * points * PROSPECT // 100
