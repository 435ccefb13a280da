// The past of the game on show: one step after the other by the arrow keys, or by a click on a line of the log. The
// server sends what the seat saw then; what happens meanwhile waits. From a step of a game that is over people play on.
"use strict";

let present = null; // the last message of the game, while a step before is on show
let finishTimer = 0; // of the next look at how far agents have finished a step
let wanted = null; // the step that was asked for last, which may still be on its way

function isPast() {
  return present !== null;
}

// Go some steps back or forward.
function stepBy(steps) {
  if (shown?.kind !== "moment" || goOn) return;
  lookAt((wanted ?? shown.step) + steps);
}

async function lookAt(step) {
  const last = (present ?? shown).step;
  if (shown?.kind !== "moment" || goOn || step < 0) return;
  if (step >= last) {
    backToNow();
    return;
  }
  wanted = step;
  const size = new URLSearchParams(sizes()).get(table.is_tall ? "tall" : "broad");
  const message = await ask("past", { step, size });
  if (!message && wanted === step) wanted = isPast() ? shown.step : null;
  if (!message || wanted !== step || shown?.kind !== "moment" || message.seat !== shown.seat) return;
  if (isPast() && shown.step === step) {
    showAgain(message); // for another size of the page
    light(resting());
    return;
  }
  present ??= shown;
  shown = message;
  clearTimeout(counting);
  hideBeside();
  showTip(null);
  draw(message);
  showPast();
}

// Follow the link of a replay to the step after so many actions, in a game that is over or that nobody plays.
async function followLink() {
  const [, position] = location.hash.match(/^#position=(\d{1,6})$/) ?? [];
  if (!position || !(shown.is_over || table.is_watching)) return;
  history.replaceState(null, "", location.pathname);
  const message = await ask("past", { position: Number(position) });
  if (message) lookAt(message.step);
}

// Say which step is on show, and what can be done there.
function showPast() {
  const { step, log } = shown;
  for (const id of ["take_back", "next", "chosen", "cards", "offer", "find", "watching", "guiding", "advised"]) $(id).hidden = true;
  $("hint").disabled = true;
  $("question").textContent = `Step ${step} of ${present.step}`;
  const told = log.map(({ text }) => make("p", {}, text));
  const buttons = [
    make("button", { type: "button", onclick: () => lookAt(step - 1), disabled: step === 0 }, "◀ Back"),
    make("button", { type: "button", onclick: () => lookAt(step + 1) }, "Forward ▶"),
    make("button", { type: "button", class: "main", id: "now", onclick: backToNow }, "Back to the game (Esc)"),
  ];
  $("actions").replaceChildren(...told, make("div", { class: "buttons" }, ...buttons), playingOn(), make("p", { id: "meanwhile", class: "quiet" }));
  tellMeanwhile();
  markLog(step);
  light(resting());
}

// What is lit while nothing is pointed at: the routes that a step of the past is about.
function resting() {
  return isPast() ? { routes: shown.log.flatMap(({ text }) => routesIn(text)) } : {};
}

// The seats that a person can take at this step of a game that is over, or that nobody plays.
function playingOn() {
  if (!present.is_over && !table.is_watching) return "";
  const buttons = table.players.map(({ seat, name }) => make("button", { type: "button", onclick: () => playOn(seat) }, `as ${name}`));
  const name = make("input", { type: "text", id: "position_name", maxlength: 80, placeholder: "a name", "aria-label": "Name of the position", size: 12 });
  const keep = make("button", { type: "button", onclick: () => keepPosition(name) }, "Keep as a position");
  return make("div", { id: "play_on" }, make("div", { class: "buttons" }, make("strong", {}, "Play on from here: "), ...buttons), make("div", { class: "buttons" }, name, keep), finishing());
}

// Have agents finish the game from here many times, and tell how these games ended.
function finishing() {
  const anew = make("input", { type: "checkbox", id: "from_knowledge" });
  const button = make("button", { type: "button", onclick: () => finishFrom(shown.step, anew.checked) }, "Let agents finish it 100 times");
  return make("div", { id: "finishing" }, button, make("label", {}, anew, " deal again what the player to move can’t know"), make("div", { id: "finished" }));
}

async function finishFrom(step, isAnew) {
  clearTimeout(finishTimer);
  const answer = await ask("finish", { step, from_knowledge: isAnew });
  if (!answer || !isPast() || shown.step !== step) return;
  if (answer.is_ready) $("finished").replaceChildren(...endingsOf(answer));
  else {
    $("finished").replaceChildren(progressOf(answer));
    finishTimer = setTimeout(() => finishFrom(step, isAnew), LOOK);
  }
}

// How the games ended, for each seat.
function endingsOf({ games, quantiles, seats }) {
  const number = (value) => value.toFixed(1).replace("-", "−");
  const told = (interval, show) => (interval ? `${show(interval[0])} (${show(interval[1]).replace(" %", "")} to ${show(interval[2])})` : "unknown");
  const items = seats.map(({ agent, wins, score, scores, lead }, seat) =>
    make(
      "li",
      {},
      make("strong", {}, seatBadge(seat), ` ${agent} wins ${told(wins, inPercent)}`),
      make("progress", { max: 1, value: wins[0], "aria-hidden": "true" }),
      make("span", {}, `Score ${told(score, number)}, lead ${told(lead, number)}`),
      make("small", {}, `Scores: ${quantiles.map((share, index) => `${share} up to ${scores[index] ?? "–"}`).join(", ")}`),
    ),
  );
  const help = `${games} games from here, played on by these agents. In brackets are 95 % intervals; the lead is over the best of the others.`;
  return [make("ul", { class: "plain" }, ...items), make("p", { class: "quiet" }, help)];
}

async function keepPosition({ value }) {
  if (await ask("keep", { step: shown.step, name: value })) say(`${value.trim()} is kept: the list of games has it.`);
}

async function playOn(seat) {
  const answer = await ask("play_on", { step: shown.step, seat });
  if (answer?.path) location.assign(answer.path);
}

// What has happened since the past was opened waits to be shown.
function tellMeanwhile() {
  if (!isPast() || !$("meanwhile")) return;
  const isAsked = present.decision || queue.some(({ decision }) => decision);
  $("meanwhile").textContent = isAsked ? "The game waits for you." : queue.length ? "The game goes on meanwhile." : "";
}

function backToNow() {
  wanted = null;
  if (!isPast()) return;
  leavePast();
  draw(shown);
  showDecision(shown);
  showGuide(shown);
  showNext();
  settle(); // the page may have another size since
}

// Forget the past, so that what comes next is shown as it comes.
function leavePast() {
  wanted = null;
  if (!isPast()) return;
  shown = present;
  present = null;
  wanted = null;
  markLog(null);
  light();
}

function markLog(step) {
  for (const line of $("log").children) {
    const isCurrent = line.dataset.step === String(step);
    if (isCurrent) line.setAttribute("aria-current", "step");
    else line.removeAttribute("aria-current");
    if (isCurrent) line.scrollIntoView({ block: "nearest" });
  }
}

function onLog(event) {
  const line = event.target.closest("[data-step]");
  if (!line || (event.type === "keydown" && event.key !== "Enter")) return;
  lookAt(Number(line.dataset.step));
}

for (const kind of ["click", "keydown"]) $("log").addEventListener(kind, onLog);
