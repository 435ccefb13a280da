// What is there to see of every player: the strip, one's own tickets, supplies; in the Card Game the table.
"use strict";

const COLUMNS = [
  ["score", "points"],
  ["trains", "trains"],
  ["cards", "cards"],
  ["tickets", "tickets"],
  ["stations", "stations"],
  ["mountain_routes", "mountains"],
];

const TEAMS = ["▲", "●", "■"];

function nameOf(seat) {
  return table.players[seat].name;
}

// The agent at a seat, if the name does not say it.
function agentOf(seat) {
  const { agent, name } = table.players[seat];
  return agent === name ? null : agent;
}

// The seat's mark, in its colour; seats of a team have a sign in common.
function seatBadge(seat) {
  const paint = table.paints[(table.players[seat].colour ?? seat) % table.paints.length];
  const team = shown?.view?.players[seat].team;
  const badge = make("span", { class: "seat", "aria-hidden": "true" }, team === undefined ? "" : TEAMS[team], String(seat));
  badge.style.background = paint.fill;
  badge.style.color = paint.ink;
  return badge;
}

function cardsInWords(cards) {
  return Object.entries(cards)
    .map(([card, number]) => `${number} ${card}`)
    .join(", ");
}

function showPlayers({ view, seat: own }) {
  const columns = COLUMNS.filter(([key]) => key in view.players[0]);
  const head = [make("th", { scope: "col" }, ""), ...columns.map(([, title]) => make("th", { scope: "col" }, title))];
  $("players").querySelector("thead").replaceChildren(make("tr", {}, ...head));
  $("players").querySelector("tbody").replaceChildren(
    ...view.players.flatMap((player) => playerRows(player, columns, view.players[own])),
  );
}

function playerRows(player, columns, own) {
  const { seat } = player;
  const name = [seatBadge(seat), ` ${nameOf(seat)}`];
  if (player.is_current) name.unshift(make("b", { class: "turn", title: "to move", "aria-label": "to move" }, "▸"));
  if (player === own && !table.is_watching) name.push(make("small", {}, " you"));
  else if (table.is_watching && agentOf(seat)) name.push(make("small", {}, ` ${agentOf(seat)}`));
  else if (player !== own && player.team !== undefined && player.team === own?.team) name.push(make("small", {}, " partner"));
  if (isAway(seat)) name.push(make("small", {}, " not here"));
  const cells = columns.map(([key, title]) => make("td", { "data-key": key, "data-title": title }, String(player[key]).replace("-", "−")));
  const row = make(
    "tr",
    { "data-seat": seat, class: player.is_current ? "current" : null, title: player === own ? null : knownOf(player) },
    make("th", { scope: "row" }, ...name),
    ...cells,
  );
  const { technologies = [], shares = {} } = player;
  const short = technologies.map((name) => name.split(" ")[0]); // all that is told of them has room in a tooltip
  const hand = shown.is_over && player !== own ? knownOf(player) : null;
  const more = [...short, cardsInWords(shares), hand].filter(Boolean).join(", ");
  const title = technologies.join(", ") || null;
  return more ? [row, make("tr", { class: "more" }, make("td", { colspan: columns.length + 1, title }, more))] : [row];
}

// Whether a seat is that of another person whose page is not open.
function isAway(seat) {
  return table.players[seat].agent === null && !table.seats.includes(seat) && !table.present.includes(seat) && !shown.is_over;
}

function knownOf({ hand }) {
  return Object.keys(hand).length ? `In the hand: ${cardsInWords(hand)}` : null;
}

function showTickets({ view, seat, decision }) {
  $("tickets_title").textContent = seat === null ? "Tickets" : table.is_watching ? `Tickets of ${nameOf(seat)}` : "Your tickets";
  if (shown.stages.some(({ ticket }) => ticket)) {
    showCounted(seat);
    return;
  }
  const others = seat === null || shown.is_over ? view.players.filter((player) => player.seat !== seat) : []; // in the end all is open
  const everybodys = others.flatMap(({ seat: holder, held }) => held.map((name) => make("li", { class: "ticket" }, seatBadge(holder), make("span", {}, name))));
  const tickets = view.tickets.filter(({ where }) => where !== "offered" || !decision?.offer);
  $("tickets").querySelector("ul").replaceChildren(...tickets.map(ticketItem), ...everybodys);
  if (!everybodys.length && !tickets.length) $("tickets").querySelector("ul").append(make("li", { class: "quiet" }, "none yet"));
  const { supplies } = view;
  $("supplies").hidden = !supplies.length;
  $("supplies").querySelector("summary").textContent = "Left to take";
  $("supplies").querySelector("ul").replaceChildren(
    ...supplies.map(({ name, left, note }) => make("li", {}, `${left} × ${name} `, make("small", {}, note))),
  );
}

// At the end the tickets of all, one's own first, with what they have brought or cost.
function showCounted(own) {
  const { players } = shown.view;
  const isOwn = ({ seat }) => seat === own || (players[own]?.team !== undefined && players[seat].team === players[own].team);
  const counted = shown.stages.filter(({ ticket }) => ticket);
  const items = [...counted.filter(isOwn), ...counted.filter((stage) => !isOwn(stage))].map((stage) => {
    const isDone = stage.points > 0;
    const item = make(
      "li",
      { class: isDone ? "ticket done" : "ticket failed", tabindex: "0" },
      make("span", { class: "mark", role: "img", "aria-label": isDone ? "completed" : "failed" }, isDone ? "✓" : "✗"),
      seatBadge(stage.seat),
      make("span", {}, stage.ticket),
      make("b", {}, signed(stage.points)),
    );
    return lights(item, stage);
  });
  $("tickets_title").textContent = "Everybody’s tickets";
  $("tickets").querySelector("ul").replaceChildren(...items);
  $("supplies").hidden = true;
}

function ticketItem(ticket) {
  const place = ticket.where ? make("small", {}, `${ticket.where} `) : "";
  const open = shown.is_over ? "" : "○"; // a station may have completed it; the count says so
  const item = make(
    "li",
    { class: ticket.is_done ? "ticket done" : "ticket", tabindex: "0" },
    make("span", { class: "mark", "aria-label": ticket.is_done ? "completed" : "open" }, ticket.is_done ? "✓" : open),
    ticketName(ticket, place),
    make("b", {}, ticket.points),
  );
  return lights(item, ticket);
}

// A ticket's cities, the cards that complete it in the Card Game, and what it still needs.
function ticketName({ name, cards, is_done, needs }, place = "") {
  const asked = Object.entries(cards).flatMap(([card, number]) => Array.from({ length: number }, () => smallCard(card)));
  return make("span", {}, place, name, asked.length ? make("span", { class: "asked" }, ...asked) : "", needs && (is_done || !shown.is_over) ? make("small", { class: "needs" }, is_done ? `completed ${needs}` : needs) : "");
}

// The Card Game

function tableOf({ view, seat: own }) {
  const order = [...view.players].sort((a, b) => (b.seat === own) - (a.seat === own));
  return make("div", { id: "yards" }, ...order.map((player) => yardOf(player, own)));
}

function yardOf(player, own) {
  const rows = Object.entries(player.yard).map(([colour, { cards, locomotives }]) =>
    make(
      "li",
      { "aria-label": `${colour}: ${cards} and ${locomotives} locomotives` },
      ...Array.from({ length: cards }, () => smallCard(colour)),
      ...Array.from({ length: locomotives }, () => smallCard("locomotive")),
    ),
  );
  const stacks = Object.entries(player.on_track).map(([card, number]) => make("li", {}, smallCard(card, number)));
  const empty = (text) => make("li", { class: "quiet" }, text);
  return make(
    "section",
    { class: player.is_current ? "yard current" : "yard", "data-seat": player.seat },
    make("h2", {}, seatBadge(player.seat), ` ${nameOf(player.seat)}${player.seat === own ? " (you)" : ""}`),
    make("div", {}, make("h3", {}, "Rail yard"), make("ul", { class: "plain rows" }, ...(rows.length ? rows : [empty("empty")]))),
    make("div", {}, make("h3", {}, "On the track"), make("ul", { class: "plain stacks" }, ...(stacks.length ? stacks : [empty("nothing yet")]))),
    player.completed.length ? make("p", { class: "quiet" }, `Completed: ${player.completed.join(", ")}`) : "",
  );
}
