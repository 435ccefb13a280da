// The story: log and headline, cards and trains that move, sound, and the end, counted in stages.
"use strict";

const FLIGHT = 420; // milliseconds that a card takes to where it goes
const STAGE = 1400; // milliseconds that a stage of the end is shown
const LOOK = 500; // milliseconds between two looks at how far a review is

let counting = 0; // the timer of the stages of the end
let counted = false; // whether the end has been counted on this page
let looking = 0; // the timer of the next look at a review

function isMoving() {
  return $("moving").checked && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function showLog(message, last) {
  if (message.is_whole_log) $("log").replaceChildren();
  if (!message.is_whole_log && last?.step === message.step) return;
  $("log").append(...message.log.map(logItem));
  $("log").scrollTop = $("log").scrollHeight;
}

// A line of the log lights its routes, and a click on it goes to its moment; with the keyboard, too.
function logItem({ step, text }) {
  return lights(make("li", { tabindex: "0", "data-step": step }, text), { routes: routesIn(text) });
}

// Movement

// Where cards and piles are, before a message is shown.
function places() {
  const found = {};
  for (const slot of document.querySelectorAll("#market [data-slot], #market [data-pile]")) {
    found[slot.dataset.slot ?? slot.dataset.pile] = slot.getBoundingClientRect();
  }
  return found;
}

// Let what has changed between two messages move to where it goes.
function animate(last, message, from) {
  if (!isMoving() || last?.kind !== "moment" || last.seat !== message.seat || message.is_whole_log) return;
  const taken = last.view.face_up.flatMap((card, slot) => (card && card !== message.view.face_up[slot] ? [{ card, slot }] : []));
  message.view.players.forEach((player, seat) => {
    const before = last.view.players[seat];
    const isOwn = seat === message.seat;
    let flights = 0;
    for (const card of Object.keys(player.hand)) {
      const more = player.hand[card] - (before.hand[card] ?? 0);
      for (let it = 0; it < more && flights < 4; it += 1, flights += 1) {
        const index = taken.findIndex((slot) => slot.card === card);
        const place = index < 0 ? "deck" : taken.splice(index, 1)[0].slot;
        const goal = isOwn ? $("hand").querySelector(`[data-card="${card}"]`) : $("players").querySelector(`[data-seat="${seat}"]`);
        fly(from[place], goal, isOwn || index >= 0 ? card : null, flights);
      }
    }
  });
  for (const route of message.changed) placeTrains(routeGroup(route));
}

function fly(from, goal, card, rank) {
  if (!from || !goal) return;
  const to = goal.getBoundingClientRect();
  const ghost = make("div", { class: card ? "card face ghost" : "card face back ghost", "aria-hidden": "true" }, make("b", {}, card ? table.signs[card].letter : ""));
  if (card) paintCard(ghost, card);
  Object.assign(ghost.style, { left: `${from.left}px`, top: `${from.top}px`, width: `${from.width}px`, height: `${from.height}px` });
  document.body.append(ghost);
  const by = `translate(${to.left + to.width / 2 - from.left - from.width / 2}px, ${to.top + to.height / 2 - from.top - from.height / 2}px)`;
  const flight = ghost.animate([{ transform: "none" }, { transform: `${by} scale(.9)` }], { duration: FLIGHT, delay: 90 * rank, easing: "ease-in-out", fill: "both" });
  flight.finished.finally(() => ghost.remove());
}

// Let the trains of a route appear one after the other.
function placeTrains(group) {
  if (!group) return;
  group.classList.add("fresh");
  const parts = [...group.children].filter((it) => !it.matches("title, .halo, .stem"));
  parts.forEach((part, index) => {
    const delay = (index / Math.max(1, parts.length)) * 600;
    part.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 220, delay, fill: "backwards" });
  });
}

// Sound

let audio = null;

function tone(pitch, start, length, loudness = 0.06) {
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  const at = audio.currentTime + start;
  oscillator.type = "triangle";
  oscillator.frequency.value = pitch;
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loudness, at + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.0005, at + length);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
}

function play(sound) {
  if (!$("sound").checked) return;
  audio ??= new AudioContext();
  if (sound === "claim") [0, 0.09, 0.18].forEach((start) => tone(196, start, 0.12));
  else if (sound === "turn") [523, 659].forEach((pitch, index) => tone(pitch, 0.12 * index, 0.3));
  else if (sound === "end") [392, 523, 659, 784].forEach((pitch, index) => tone(pitch, 0.15 * index, 0.5));
  else tone(880, 0, 0.07, 0.03);
}

function soundOf(last, message) {
  if (last?.kind !== "moment" || message.is_whole_log) return;
  if (message.is_over) play("end");
  else if (message.changed.length) play("claim");
  else if (message.decision && !last.decision) play("turn");
  else if (message.log.length) play("card");
}

// The end

function showEnd(message) {
  clearTimeout(counting);
  const { stages } = message;
  if (counted || !stages.length || !isMoving()) {
    finish(message);
    return;
  }
  const list = make("ol", { class: "plain stages", "aria-live": "polite" });
  $("question").textContent = "The points are counted";
  $("actions").replaceChildren(list, make("button", { type: "button", id: "skip", onclick: () => finish(message) }, "Skip (Esc)"));
  const next = (number) => {
    if (number === stages.length) {
      finish(message);
      return;
    }
    const stage = stages[number];
    $("headline").textContent = stage.title;
    list.append(stageItem(stage));
    list.lastChild.scrollIntoView({ block: "nearest" });
    showTotals(stage.totals);
    light({ routes: stage.routes });
    play(number === stages.length - 1 ? "end" : "card");
    counting = setTimeout(() => next(number + 1), STAGE);
  };
  next(0);
}

function stageItem(stage) {
  const points = stage.points === null ? "" : make("b", { class: stage.points < 0 ? "minus" : "plus" }, signed(stage.points));
  const item = make("li", {}, stage.seat === null ? "" : seatBadge(stage.seat), make("span", {}, stage.title), points);
  if (stage.routes.length) item.tabIndex = 0;
  return lights(item, { routes: stage.routes });
}

function showTotals(totals) {
  totals.forEach((total, seat) => {
    const cell = $("players").querySelector(`[data-seat="${seat}"] [data-key=score]`);
    if (cell) cell.textContent = String(total).replace("-", "−");
  });
}

function finish(message) {
  clearTimeout(counting);
  counting = 0;
  counted = true;
  light();
  const { stages, view } = message;
  const [, decided] = stages.at(-1)?.title.split(", with ") ?? []; // the tie-break
  $("headline").textContent = decided ? `${message.headline}, with ${decided}` : message.headline;
  $("question").textContent = { finished: "The game is over", truncated: "The game has reached its turn limit" }[message.outcome] ?? "The game has ended early";
  if (stages.length) showTotals(stages[stages.length - 1].totals);
  const hands = view.players.map((player) =>
    make("li", {}, seatBadge(player.seat), ` ${nameOf(player.seat)}: `, cardsInWords(player.hand) || "no cards", make("br"), make("small", {}, player.held.join(", ") || "no tickets")),
  );
  $("actions").replaceChildren(
    make("div", { class: "buttons" }, ...ending(message)),
    make("div", { id: "review" }, table.why_not_judged ? make("p", { class: "quiet" }, `No review: ${table.why_not_judged}.`) : make("button", { type: "button", onclick: review }, "Review this game")),
    ...(stages.length ? [make("details", { open: true }, make("summary", {}, "How the points were counted"), make("ol", { class: "plain stages" }, ...stages.map(stageItem)))] : []),
    make("details", {}, make("summary", {}, "Hands and tickets"), make("ul", { class: "plain" }, ...hands)),
  );
}

function ending(message) {
  const others = table.seats.filter((seat) => seat !== message.seat);
  return [
    make("button", { type: "button", class: "main", onclick: rematch }, "Rematch"),
    make("a", { href: `${location.pathname}replay/`, target: "_blank", rel: "noopener" }, "Watch the replay"),
    make("a", { href: `${location.pathname}replay`, download: `${table.game ?? table.name}.json` }, "Save the replay"),
    gamesPath() ? make("a", { href: gamesPath() }, "Back to the games") : "",
    ...others.map((seat) => make("button", { type: "button", onclick: () => ask("show", { seat }) }, `What ${nameOf(seat)} had`)),
  ];
}

// Have the server review the game, and show how far it is, until its page can be opened.
async function review() {
  clearTimeout(looking);
  const answer = await ask("review", {});
  const place = $("review");
  if (!place) return; // something else is on show: a click on the button goes on
  if (!answer) {
    place.replaceChildren(make("button", { type: "button", onclick: review }, "Review this game"));
  } else if (answer.is_ready) {
    place.replaceChildren(make("a", { class: "main", href: `${location.pathname}review/`, target: "_blank", rel: "noopener" }, "See the review"));
  } else {
    place.replaceChildren(progressOf(answer));
    looking = setTimeout(review, LOOK);
  }
}

// How far work in the background is.
function progressOf({ stage, done, total }) {
  return make("label", {}, `${total ? `${stage}: ${done} of ${total}` : `It ${stage}…`} `, make("progress", total ? { value: done, max: total } : {}));
}

async function rematch() {
  const answer = await ask("rematch", {});
  if (answer?.path) location.assign(answer.path);
}
