// Cards: one's own hand, those that can be taken, and the choice of cards to pay with or to play.
"use strict";

const PROMPTS = {
  turn: "To play cards, choose them in your hand.",
  from_rack: "Choose the cards that come from your team’s rack, or a line below.",
};

let chosen = {}; // the cards chosen so far, by colour

function paintCard(element, card) {
  const { fill, ink } = table.signs[card] ?? table.signs.unknown;
  element.style.background = fill;
  element.style.color = ink;
  return element;
}

function smallCard(card, number = 0) {
  const count = number > 1 ? make("span", { class: "count" }, String(number)) : "";
  const element = make("span", { class: "card small", title: card, role: "img", "aria-label": number ? `${number} ${card}` : card }, make("b", {}, table.signs[card].letter), count);
  return paintCard(element, card);
}

// The hand

function showHand(message) {
  const { view, seat } = message;
  if (seat === null) {
    $("cards").hidden = true;
    $("hand").replaceChildren(...view.players.map(openHand));
    return;
  }
  const focused = document.activeElement?.dataset?.card;
  const { hand } = view.players[seat];
  const options = message.decision ? choices(message) : [];
  const piles = [["hand", hand], ...(Object.keys(view.rack).length ? [["rack", view.rack]] : [])];
  $("hand").replaceChildren(
    ...piles.map(([pile, cards]) =>
      make(
        "div",
        { class: "pile", role: "group", "aria-label": pile === "hand" ? "Your cards" : "Your team's rack" },
        pile === "rack" ? make("small", {}, "rack") : "",
        ...kinds(cards).map((card) => handCard(card, cards[card], pile, options, message)),
      ),
    ),
    kinds(hand).length ? "" : make("p", { class: "quiet" }, "No cards in hand"),
  );
  showChoice(options, message);
  if (focused) {
    const again = $("hand").querySelector(`button[data-card="${focused}"]:not([disabled])`) ?? $("cards").querySelector(".main:not([disabled])");
    again?.focus();
  }
}

// A player's hand, for those who see everything.
function openHand({ seat, hand }) {
  return make("div", { class: "pile of", role: "group", "aria-label": `Cards of ${nameOf(seat)}` }, seatBadge(seat), ...kinds(hand).map((card) => smallCard(card, hand[card])));
}

// The kinds of cards, in the order of the signs.
function kinds(cards) {
  return Object.keys(table.signs).filter((card) => cards[card]);
}

function handCard(card, number, pile, options, message) {
  const isFrom = message.decision?.phase === "from_rack" ? pile === "rack" : true;
  const count = isFrom ? (chosen[card] ?? 0) : 0;
  const more = { ...chosen, [card]: (chosen[card] ?? 0) + 1 };
  const next = isFrom && options.find(({ cards }) => (isSingle(options) ? isSame(more, cards) : fits(more, cards)));
  const parts = [
    make("b", {}, table.signs[card].letter),
    make("span", { class: "count" }, count ? `${count} of ${number}` : String(number)),
    make("span", { class: "name" }, card === "locomotive" ? "loco" : card),
  ];
  const label = `${number} ${card}${count ? `, ${count} chosen` : ""}`;
  const attributes = { class: count ? "card big chosen" : "card big", "data-card": card, "data-pile-of": pile, "aria-label": label, title: label };
  const element = options.length && isFrom
    ? make("button", { type: "button", ...attributes, disabled: !next, onclick: () => (isSingle(options) ? act(next.action) : choose(more)) }, ...parts)
    : make("div", { role: "img", ...attributes }, ...parts);
  return paintCard(element, card);
}

// The choice of cards

// Every way to choose cards at a decision: what to pay, or what to play in the Card Game.
function choices({ decision, view, seat }) {
  const options = decision.actions.flatMap((action) => {
    if (action.name === "play_set") return setsOf(action, view.players[seat].hand);
    return action.cards ? [{ cards: action.cards, action, text: action.text }] : [];
  });
  return options.length > 1 || decision.phase === "turn" ? options : [];
}

function setsOf(action, hand) {
  const { colour, least } = action.plan;
  const sets = [];
  for (let cards = 1; cards <= (hand[colour] ?? 0); cards += 1) {
    for (let locomotives = Math.max(0, least - cards); locomotives <= (hand.locomotive ?? 0); locomotives += 1) {
      const all = { [colour]: cards, ...(locomotives ? { locomotive: locomotives } : {}) };
      const then = { set_cards: cards, set_locomotives: locomotives };
      sets.push({ cards: all, action, then, text: `Play ${cardsInWords(all)}` });
    }
  }
  return sets;
}

function fits(cards, option) {
  return Object.entries(cards).every(([card, number]) => number <= (option[card] ?? 0));
}

function isSame(cards, option) {
  return fits(cards, option) && fits(option, cards);
}

function isSingle(options) {
  return options.every(({ cards }) => Object.values(cards).reduce((a, b) => a + b, 0) === 1);
}

function showChoice(options, { decision }) {
  const box = $("cards");
  box.hidden = !options.length;
  if (box.hidden) return;
  if (isSingle(options)) {
    box.replaceChildren(make("p", {}, "Choose a card of your hand."));
    return;
  }
  const ready = options.find(({ cards }) => isSame(chosen, cards));
  const isBegun = Object.keys(chosen).length > 0;
  const parts = [];
  if (!isBegun) parts.push(make("p", {}, PROMPTS[decision.phase] ?? "Choose cards in your hand, or a line below."));
  else {
    parts.push(make("button", { type: "button", class: "main", disabled: !ready, onclick: () => chooseAll(ready) }, ready ? ready.text : "Choose more cards"));
    parts.push(make("button", { type: "button", onclick: () => choose({}) }, "None (Esc)"));
  }
  box.replaceChildren(...parts);
}

function choose(cards) {
  chosen = cards;
  showHand(shown);
}

function chooseAll({ action, then }) {
  if (then) goOn = { kind: "set", ...then };
  act(action, true);
}

// Face-up cards and piles

function showMarket({ view, decision }) {
  const slots = view.face_up.map((card, slot) => {
    const target = { slot };
    const label = card ? `Face-up card: ${card}` : "No card";
    return marketCard(target, { "data-slot": slot, "aria-label": label, title: card ?? "empty" }, card, card ? make("b", {}, table.signs[card].letter) : "", card ? make("span", { class: "name" }, card === "locomotive" ? "loco" : card) : "");
  });
  const pile = (name, title, number) =>
    marketCard({ pile: name }, { "data-pile": name, "aria-label": `${title}: ${number}`, title }, null, make("b", {}, String(number)), make("span", { class: "name" }, title));
  $("market").replaceChildren(...slots, pile("deck", "deck", view.deck), pile("tickets", "tickets", view.ticket_deck));
  if (Object.keys(view.revealed).length) $("market").append(make("div", { class: "revealed" }, make("small", {}, "turned up"), ...Object.entries(view.revealed).flatMap(([card, number]) => Array.from({ length: number }, () => smallCard(card)))));

  function marketCard(target, attributes, card, ...parts) {
    const action = decision && actionAt(target);
    const button = make(
      "button",
      { type: "button", class: `card face ${card ? "" : "slot" in target ? "empty" : "back"} ${action ? "can" : "why"}`, "data-action": action?.action ?? null, ...attributes, "aria-label": action ? action.text : attributes["aria-label"] },
      ...parts,
    );
    button.addEventListener("click", () => point(target));
    return card ? paintCard(button, card) : button;
  }
}
