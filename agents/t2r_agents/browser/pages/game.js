// The page of one screen. The server sends what its seat may see as events; this page shows them one after the other,
// and asks the server for actions, reasons and hints. board.js has the map, hand.js the cards, players.js what is to see
// of every player, story.js what moves, sounds and is told at the end, past.js the steps before.
"use strict";

const MANY = 12; // more actions than these can be searched
const DRAW = "Draw"; // the headings of the actions that the table has, too
const FOR_TICKETS = "Claims for your tickets"; // and of those that come first
const SETTLED = 400; // milliseconds after which the size of the board is taken to stay
const SENT_ANEW = ["board", "log", "is_whole_log", "isSent", "advice", "planned"]; // of a message that is sent again; all else is the same
const RETRY = 1500; // milliseconds until a server that refuses is asked again

let table = null; // what the page shows all the time
let shown = null; // the message on show
let queue = []; // messages that wait to be shown
let timer = 0; // runs while a message is to stay
let selected = null; // the action to be confirmed
let goOn = null; // what has been chosen together, and is sent one decision after the other
let asked = null; // the number of the last decision that was shown
let judged = null; // the chances to win that were told last, to a watcher
let events = null; // the stream from the server
let settling = 0; // runs while the size of the board may still change
let laidOut = ""; // the sizes of the page that it was told

function listen() {
  events?.close();
  laidOut = sizes();
  events = new EventSource(`${location.pathname}events?${laidOut}`);
  events.onmessage = (event) => receive(JSON.parse(event.data));
  events.onerror = () => {
    if (events.readyState !== EventSource.CLOSED) {
      say("The connection is lost; trying again…");
      return;
    }
    say("The connection is refused: the server does not know this game, or too many pages are open. Trying again…");
    setTimeout(listen, RETRY);
  };
}

// Have the map laid out anew if the page has another size than it was laid out for; moves that wait are shown first.
function layOut() {
  if (isPast()) lookAt(wanted);
  else if (timer || queue.length) settle();
  else if (sizes() !== laidOut) listen();
}

function settle() {
  clearTimeout(settling);
  settling = setTimeout(layOut, SETTLED);
}

function receive(message) {
  if (message.kind === "table") {
    table = message;
    document.body.classList.toggle("tall", table.is_tall);
    queue = [];
    if ($("notice").textContent.startsWith("The connection")) say("");
    $("about").textContent = message.title;
    $("agents").replaceChildren(...message.agents.map((name) => make("option", { value: name })));
    return;
  }
  if (message.kind === "present") {
    table.present = message.present;
    if (shown?.kind === "moment") showPlayers(shown);
    return;
  }
  if (message.kind === "cover") leavePast();
  queue.push(message);
  tellMeanwhile();
  showNext();
}

// One message after the other

function showNext(asked = false) {
  if (timer || !queue.length || isPast()) return;
  const speed = table.is_watching ? "0" : $("speed").value;
  const isMove = queue[0].kind === "moment" && shown?.kind === "moment" && !queue[0].is_whole_log && queue[0].step !== shown.step;
  if (speed === "step" && isMove && shown.waiting && !asked) {
    $("next").hidden = false;
    return;
  }
  $("next").hidden = true;
  const message = queue.shift();
  show(message);
  const pause = message.kind === "moment" && message.waiting ? Number(speed) || 0 : 0;
  timer = setTimeout(() => {
    timer = 0;
    showNext();
  }, pause);
}

function hurry() {
  clearTimeout(timer);
  timer = 0;
  showNext(true);
}

function show(message) {
  const last = shown;
  if (last?.kind === "moment" && contentOf(last) === contentOf(message)) {
    showAgain(message);
    return;
  }
  shown = message;
  selected = null;
  chosen = {};
  $("advised").hidden = true;
  clearTimeout(counting);
  if (message.kind === "cover") {
    goOn = null;
    hideBeside();
    showTip(null);
    showCover(message);
    return;
  }
  $("cover").hidden = true;
  document.querySelector("main").inert = false;
  hideBeside();
  const from = places();
  draw(message);
  showLog(message, last);
  if (message.fault) say(sentence(message.fault));
  showDecision(message);
  showGuide(message);
  animate(last, message, from);
  soundOf(last, message);
  goOnWith(message);
  followLink();
}

// Show all that is to be seen of the game at a moment.
function draw(message) {
  $("headline").textContent = message.headline;
  document.body.classList.toggle("own-turn", Boolean(message.decision));
  showPlayers(message);
  showTickets(message);
  if (message.board) showMap(message.board);
  else showTable(tableOf(message));
  showMarket(message);
  showHand(message);
  markBoard(message);
}

// What a message is about: the same moment is sent again for another size of the map, or after the connection was lost.
function contentOf(message) {
  return JSON.stringify(message, (key, value) => (SENT_ANEW.includes(key) ? undefined : value));
}

// Show another map of the moment on show: what is chosen, asked and advised stays.
function showAgain({ board }) {
  showTip(null);
  showPlayers(shown);
  if (!board) return;
  shown.board = board;
  showMap(board);
  markBoard(shown);
  markPlan(shown.decision?.planned);
  for (const kind of ["selected", "hint"]) mark(kind, document.querySelector(`#actions .${kind}`)?.dataset.action);
}

function showCover(message) {
  for (const id of ["board", "hand", "market", "log", "actions", "cards", "chosen", "offer", "guiding", "advised"]) $(id).replaceChildren();
  for (const list of document.querySelectorAll("#players tbody, #tickets ul")) list.replaceChildren();
  map.svg = null;
  $("find").hidden = true;
  $("hint").disabled = true;
  $("headline").textContent = "The screen is handed over";
  $("question").textContent = "The screen is handed over";
  say("");
  document.querySelector("main").inert = true;
  const name = nameOf(message.seat);
  $("cover_title").textContent = `${name} is to decide`;
  $("look").textContent = `I am ${name}: show my cards`;
  $("look").onclick = () => ask("show", { seat: message.seat });
  $("cover").hidden = false;
  $("look").focus();
  document.title = `${name} · ${table.title}`;
}

// What can be pointed at

// Mark what can be claimed or built: what helps a ticket is to be seen, all of it is under the pointer. The tab key goes
// to each action once, in the list.
function markBoard({ decision, view }) {
  if (!map.svg) return;
  const helps = new Set(view.tickets.filter(({ is_done }) => !is_done).flatMap(({ choices }) => choices.map((it) => it.join(" "))));
  for (const group of $("board").querySelectorAll(TARGETS)) {
    const action = decision && actionAt(targetOf(group));
    const can = { route: "you can claim it", city: "you can build here" }[group.dataset.route ? "route" : "city"];
    group.setAttribute("role", action ? "button" : "img");
    group.setAttribute("aria-label", `${inWords(group)}${action ? `; ${can}` : ""}`);
    if (decision && !action) group.classList.add("why");
    if (!action) continue;
    group.classList.add("can");
    if (helps.has(group.dataset.route)) group.classList.add("helps");
    group.setAttribute("tabindex", "-1");
    group.dataset.action = action.action;
  }
}

function targetOf(group) {
  const { route, city } = group.dataset;
  if (city !== undefined) return { city };
  const [a, b, track] = route.split(" ");
  return { route: [a, b, Number(track)] };
}

function actionAt(target) {
  const wanted = JSON.stringify(target);
  return shown.decision?.actions.find((it) => it.target && JSON.stringify(it.target) === wanted);
}

async function point(target) {
  if (shown?.kind !== "moment" || !shown.decision) {
    if (shown?.waiting) say(`It is the turn of ${shown.waiting}.`);
    return;
  }
  const action = actionAt(target);
  if (action) {
    act(action);
    return;
  }
  const answer = await ask("why", { target });
  if (answer) $("notice").replaceChildren(linked(answer.reason));
}

function touched(action) {
  return { routes: action.target?.route ? [action.target.route] : [], cities: action.target?.city ? [action.target.city] : [] };
}

// The decision

function showDecision(message) {
  const { decision } = message;
  const hadFocus = document.activeElement === document.body || $("decision").contains(document.activeElement);
  $("decision").setAttribute("aria-busy", String(!decision && !message.is_over));
  $("hint").disabled = !decision;
  $("take_back").hidden = !message.can_take_back;
  $("chosen").hidden = true;
  $("filter").value = "";
  $("find").hidden = !decision || decision.actions.length <= MANY;
  $("offer").hidden = true;
  $("watching").hidden = !table.is_watching || message.is_over;
  if (table.is_watching) showWatching(message);
  if (message.is_over) {
    $("cards").hidden = true;
    showEnd(message);
  } else if (!decision) {
    $("actions").replaceChildren();
    $("question").textContent = `${message.waiting ?? nameOf(message.view.current)} is to move…`;
  } else {
    say(message.fault ? sentence(message.fault) : "");
    if (meantNow(decision)) {
      $("actions").replaceChildren(); // answered already, by what was chosen together
    } else {
      $("question").textContent = decision.question;
      showActions(message);
      showAsked(message);
      if (decision.offer?.number > 1) showOffer(message);
      if (decision.actions.filter(({ name }) => name === "complete").length > 1) showCompleteAll();
    }
    showTab("decision");
  }
  if (decision && message.number !== asked) $("decision").scrollTop = 0;
  if (decision) asked = message.number;
  document.title = `${decision ? "Your turn · " : ""}${table.title}`;
  if (decision && hadFocus) $("decision").focus({ preventScroll: true });
}

function showActions(message) {
  const { actions } = message.decision;
  const headings = [...new Set(actions.map(({ heading }) => heading))];
  const needed = neededRoutes(message);
  const groups = headings.map((heading) => {
    const items = actions.flatMap((action, index) => (action.heading === heading ? [actionItem(action, index)] : []));
    const list = make("ul", { class: "plain", "aria-label": heading || null }, ...items);
    if (heading === DRAW) return make("details", { class: "group", open: headings.length === 1 }, make("summary", {}, "Draw: click cards and piles, or choose here"), list);
    return make("div", { class: "group" }, heading ? make("h3", {}, heading) : "", list);
  });
  if (needed.length) groups.splice(headings[0] === FOR_TICKETS ? 1 : 0, 0, make("div", { class: "group" }, make("h3", {}, "Your tickets still need"), make("ul", { class: "plain needed" }, ...needed.map(neededItem))));
  $("actions").replaceChildren(...groups);
}

function actionItem(action, index) {
  const key = index < 9 ? make("kbd", {}, String(index + 1)) : "";
  const [points, note] = gainOf(action);
  const text = action.name === "claim" ? action.text.replace(/^Claim /, "") : action.text; // the heading says it
  const button = make("button", { type: "button", "data-action": action.action, "data-text": action.text, onclick: () => act(action) }, key, points, text, note);
  return make("li", {}, lights(button, touched(action)));
}

// The routes of the shortest ways for one's tickets that can't be claimed yet.
function neededRoutes({ view, decision }) {
  const ways = view.tickets.filter(({ where }) => where !== "offered").flatMap(({ routes }) => routes.map((it) => JSON.stringify(it)));
  return decision.routes.filter(({ route }) => ways.includes(JSON.stringify(route)) && !actionAt({ route }));
}

function neededItem(needed) {
  const [points, note] = gainOf(needed);
  return lights(make("li", { tabindex: "0" }, points, needed.text, note), { routes: [needed.route] });
}

function filter() {
  const wanted = plain($("filter").value);
  for (const item of $("actions").querySelectorAll("li")) {
    const text = `${item.querySelector("[data-text]")?.dataset.text ?? ""} ${item.textContent}`;
    item.hidden = !plain(text).includes(wanted);
  }
  for (const group of $("actions").querySelectorAll(".group")) {
    group.hidden = !group.querySelector("li:not([hidden])");
    if (group.open === false && wanted) group.open = true;
  }
}

function plain(text) {
  const letters = { ø: "o", æ: "ae", œ: "oe", ß: "ss", ł: "l", đ: "d", "–": "-", "−": "-", "’": "'" };
  return text.toLowerCase().normalize("NFD").replace(/\p{Mn}/gu, "").replace(/[øæœßłđ–−’]/g, (letter) => letters[letter]);
}

function select(action) {
  selected = action;
  const bar = $("chosen");
  bar.replaceChildren(
    make("strong", {}, `${action.text}?`),
    ...gainOf(action),
    make("button", { type: "button", class: "main", onclick: () => act(action, true) }, "Yes"),
    make("button", { type: "button", onclick: unselect }, "No (Esc)"),
  );
  bar.hidden = false;
  mark("selected", action.action);
  const { route } = action.target ?? {};
  if (!route || !askBeside(route, bar)) {
    hideBeside();
    showTab("decision");
  }
  bar.querySelector("button").focus({ preventScroll: true });
}

function unselect() {
  selected = null;
  $("chosen").hidden = true;
  hideBeside();
  mark("selected", null);
  $("decision").focus({ preventScroll: true });
}

function mark(kind, action) {
  for (const element of document.querySelectorAll("[data-action]")) {
    element.classList.toggle(kind, element.dataset.action === String(action));
  }
}

// Do an action, once it is confirmed if it can't be taken back.
async function act(action, isConfirmed = false) {
  const { number, decision } = shown;
  if (!decision || decision.isSent) return;
  if (action.is_weighty && $("confirm").checked && !isConfirmed) {
    select(action);
    return;
  }
  decision.isSent = true;
  say("");
  const answer = await ask("act", { number, action: action.action });
  if (!answer) decision.isSent = false;
  if (!answer) goOn = null;
}

// Several decisions, chosen together

function showOffer({ decision, view, number }) {
  const offered = view.tickets.filter(({ where }) => where === "offered");
  const { least } = decision.offer;
  const ticked = tickedAt(number);
  const boxes = offered.map((ticket, index) => make("input", { type: "checkbox", "data-ticket": ticket.ticket, checked: ticked.includes(index) }));
  const button = make("button", { type: "button", class: "main" });
  const count = () => boxes.filter((it) => it.checked).length;
  const update = () => {
    keepTicks(number, boxes);
    button.disabled = count() < least;
    button.textContent = count() < least ? `Keep at least ${least}` : `Keep ${count()} ticket${count() === 1 ? "" : "s"}`;
  };
  const items = offered.map((ticket, index) =>
    lights(
      make(
        "li",
        { "data-offered": ticket.ticket },
        make("label", { class: "ticket" }, boxes[index], ticketName(ticket), make("b", {}, ticket.points)),
      ),
      ticket,
    ),
  );
  button.addEventListener("click", () => {
    goOn = { kind: "tickets", keeps: boxes.map((it) => it.checked) };
    goOnWith(shown);
  });
  for (const box of boxes) box.addEventListener("change", update);
  update();
  $("question").textContent = least ? `Choose tickets: keep at least ${least}` : "Choose tickets to keep";
  $("offer").replaceChildren(make("ul", { class: "plain" }, ...items), button);
  $("offer").hidden = false;
  const single = make("details", { class: "single" }, make("summary", {}, "One by one"));
  single.append(...$("actions").childNodes);
  $("actions").replaceChildren(single);
}

// One button for all tickets that the cards complete: those of the most points first.
function showCompleteAll() {
  const all = () => {
    goOn = { kind: "complete" };
    goOnWith(shown);
  };
  $("actions").prepend(make("div", { class: "buttons" }, make("button", { type: "button", class: "main", onclick: all }, "Complete all that I can")));
}

// The boxes that were ticked at a decision, kept while the page is loaded again: their indices.
function tickedAt(number) {
  try {
    const kept = JSON.parse(sessionStorage.getItem("t2r_ticked"));
    return kept?.path === location.pathname && kept.number === number ? kept.ticked : [];
  } catch {
    return [];
  }
}

function keepTicks(number, boxes) {
  const ticked = boxes.flatMap((box, index) => (box.checked ? [index] : []));
  try {
    sessionStorage.setItem("t2r_ticked", JSON.stringify({ path: location.pathname, number, ticked }));
  } catch {
    // without storage they last as long as the page
  }
}

// Send the next decision of those chosen together, if it is due; otherwise forget them.
function goOnWith({ decision }) {
  if (!goOn || !decision) return;
  const action = meantNow(decision);
  if (action) act(action, true);
  else goOn = null;
}

function meantNow(decision) {
  return goOn && decision.actions.find((it) => isMeant(it, decision));
}

function isMeant({ name, plan }, { phase, actions, offer }) {
  if (goOn.kind === "complete") return phase === "complete" && (name === "complete" || actions.length === 1);
  if (goOn.kind === "tickets") {
    return phase === "keep_ticket" && name === (goOn.keeps.at(-offer.number) ? "keep_ticket" : "refuse_ticket"); // two of them may be equal
  }
  return plan.number !== undefined && plan.number === goOn[phase];
}

// Advice

async function hint() {
  if (!shown?.decision) return;
  const number = shown.number;
  const agent = $("adviser").value.trim();
  say(`${agent} is thinking…`);
  const answer = await ask("hint", { number, agent });
  if (!answer || shown?.number !== number) return;
  $("notice").replaceChildren(`${agent} would: ${answer.text}. `, linked(answer.reason ?? ""));
  for (const group of $("actions").querySelectorAll("details")) group.open = true;
  mark("hint", answer.action);
  markOffer(answer);
  showAdvised(agent, answer);
  document.querySelector("button.hint")?.scrollIntoView({ block: "nearest" });
  showWeights(answer);
}

// The best actions of a hint, with their weights and the chances to win after them; and the plan is lit on the map.
function showAdvised(agent, { best, meaning, measured, routes = [] }) {
  const numbers = (action, rank) => [action.share === null ? "" : inPercent(action.share), chanceAfter(action, rank ? best[0].value : null)].filter(Boolean).join(" ");
  const items = best.map((action, rank) => make("li", {}, make("span", {}, action.text), " ", make("b", {}, numbers(action, rank))));
  const isWeighed = best.some(({ share }) => share !== null);
  const isValued = best.some(({ value }) => value !== null);
  const help = [
    isWeighed ? `In percent: ${meaning}.` : "",
    isValued ? `After the arrow: your chance to win after it (${howSure(measured)}).` : "",
    best[0]?.error === null ? "" : "In brackets: how many points better or worse than the first. ± is a 95 % interval over a few deals of what you can’t know.",
    isValued && !isWeighed ? `${agent} tells its choice alone; after it come the actions with the best chances.` : "",
    routes.length ? `Lit on the map, with dashes: the routes of ${agent}’s plan.` : "",
  ];
  $("advised").replaceChildren(make("strong", {}, `The first choices of ${agent}`), make("ol", {}, ...items), make("p", {}, help.filter(Boolean).join(" ")));
  $("advised").hidden = false;
  shown.decision.planned = routes;
  markPlan(routes);
}

function markPlan(routes = []) {
  for (const old of $("board").querySelectorAll(".planned")) old.classList.remove("planned");
  for (const route of routes) routeGroup(route)?.classList.add("planned");
}

// Mark the tickets on offer that an agent would keep, if it tells of all of them.
function markOffer({ kept }) {
  const left = [...(kept ?? [])]; // an equal one may be refused
  for (const item of $("offer").querySelectorAll("[data-offered]")) {
    const index = left.indexOf(item.dataset.offered);
    item.classList.toggle("hint", index >= 0);
    if (index >= 0) left.splice(index, 1);
  }
}

// Beside each action how much the agent weighs it, in percent.
function showWeights({ meaning, probabilities }) {
  for (const button of $("actions").querySelectorAll("[data-action]")) {
    button.querySelector("small")?.remove();
    const share = probabilities[button.dataset.action];
    if (share) button.append(make("small", { title: meaning }, ` ${Math.round(100 * share)} %`));
  }
}

// Watching agents

function showWatching({ seat, opinion, pace, chances }) {
  const { paused, milliseconds } = pace ?? { paused: false, milliseconds: 900 };
  const speeds = [["2500", "slow"], ["900", "normal"], ["250", "fast"], ["0", "at once"]];
  const speed = make("select", { "aria-label": "Speed" }, ...speeds.map(([value, name]) => make("option", { value }, name)));
  speed.value = String(milliseconds);
  if (speed.selectedIndex === -1) speed.value = "900";
  speed.addEventListener("change", () => ask("pace", { paused, milliseconds: Number(speed.value) }));
  const seats = [["", "everything"], ...table.players.map((player) => [String(player.seat), `what ${player.name} sees`])];
  const eyes = make("select", { "aria-label": "View" }, ...seats.map(([value, name]) => make("option", { value }, name)));
  eyes.value = seat === null ? "" : String(seat);
  eyes.addEventListener("change", () => ask("show", { seat: eyes.value === "" ? null : Number(eyes.value) }));
  const focused = document.activeElement?.id;
  $("watching").replaceChildren(
    make("button", { type: "button", id: "pause", class: "main", onclick: () => ask("pace", { paused: !paused, milliseconds }) }, paused ? "Go on" : "Pause"),
    make("button", { type: "button", id: "one", onclick: () => ask("step", {}) }, "Step"),
    speed,
    eyes,
    chancesOf(seat, chances),
    opinion ? opinionOf(opinion) : "",
  );
  if (["pause", "one"].includes(focused)) $(focused).focus();
}

// A bar of each seat's chance to win, as the one whose view is shown knows it. Until a position is judged, that of the last.
function chancesOf(seat, chances) {
  if (table.why_not_judged) return make("p", { class: "quiet" }, `Chances to win are not known: ${table.why_not_judged}.`);
  if (judged?.seat !== seat) judged = null;
  if (chances) judged = { seat, ...chances };
  if (!judged) return "";
  const { shares, measured } = judged;
  const bar = make("div", { class: "chances" });
  const told = table.players.map((player) => `${player.name} ${inPercent(shares[player.seat])}`).join(", ");
  const paintOf = ({ colour }) => [table.paints[colour].fill, table.paints[colour].ink];
  fillChances(bar, table.players.map((player) => ({ label: player.seat, share: shares[player.seat], paint: paintOf(player) })), told);
  const known = seat === null ? "from everything" : `from what ${nameOf(seat)} knows`;
  return make("div", { id: "chance" }, bar, make("small", {}, `Chance to win, ${known}: ${told} (${howSure(measured)}).`));
}

function opinionOf({ seat, text, meaning, reason, actions }) {
  const weighed = actions.slice(0, 6).map(({ text: what, share }) => make("li", {}, make("b", {}, `${Math.round(100 * share)} %`), ` ${what}`));
  return make("div", { id: "opinion" }, make("p", {}, make("strong", {}, `${nameOf(seat)}${agentOf(seat) ? ` (${agentOf(seat)})` : ""} will ${text}.`), meaning ? make("small", {}, ` ${meaning}`) : ""), reason ? make("p", {}, reason) : "", make("ul", { class: "plain" }, ...weighed));
}

// Settings, tabs and keys

function remember(name) {
  const field = $(name);
  const key = field.type === "checkbox" ? "checked" : "value";
  try {
    const kept = localStorage.getItem(`t2r_${name}`);
    if (kept !== null) field[key] = key === "checked" ? kept === "true" : kept;
    field.addEventListener("change", () => localStorage.setItem(`t2r_${name}`, field[key]));
  } catch {
    // without storage the setting lasts as long as the page
  }
  if (field.selectedIndex === -1) field.selectedIndex = 2;
}

function showTab(name) {
  document.body.dataset.tab = name;
  $("log").scrollTop = $("log").scrollHeight;
  for (const button of $("tabs").children) button.setAttribute("aria-pressed", String(button.dataset.tab === name));
}

function toggleKeys() {
  $("keys").hidden = !$("keys").hidden;
  $("help").setAttribute("aria-expanded", String(!$("keys").hidden));
}

function cancel(target) {
  if (isPast()) {
    backToNow();
  } else if (target === $("filter")) {
    $("filter").value = "";
    filter();
    $("decision").focus();
  } else if (selected) {
    unselect();
  } else if (shown?.is_over && !counted) {
    finish(shown);
  } else if (Object.keys(chosen).length) {
    choose({});
  }
}

function onKey(event) {
  const target = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") {
    cancel(target);
    return;
  }
  if (target === $("filter") && event.key === "Enter") {
    const found = [...$("actions").querySelectorAll("li:not([hidden]) button")];
    if (found.length === 1) found[0].click();
    else if (found.length) found[0].focus();
    return;
  }
  if (target.matches("input:not([type=checkbox]), select, textarea")) return;
  const steps = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (steps && !(target.closest("#picture") && map.zoom > 1)) {
    event.preventDefault();
    stepBy(steps);
  } else if (target.closest("#picture") && onMapKey(event.key)) {
    event.preventDefault();
  } else if (target.matches("#board .can") && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    point(targetOf(target));
  } else if (event.key === "n") {
    hurry();
  } else if (event.key === "h") {
    hint();
  } else if (event.key === "d" || event.key === "t") {
    point({ pile: event.key === "d" ? "deck" : "tickets" });
  } else if (event.key === "?") {
    toggleKeys();
  } else if (event.key === "/" && !$("find").hidden) {
    event.preventDefault();
    $("filter").focus();
  } else if (/^[1-9]$/.test(event.key) && shown?.decision) {
    const action = shown.decision.actions[Number(event.key) - 1];
    if (action) act(action);
  }
}

$("board").addEventListener("click", (event) => {
  const group = aimed(event);
  if (group && !dragged) point(targetOf(group));
});
$("filter").addEventListener("input", filter);
$("hint").addEventListener("click", hint);
$("next").addEventListener("click", hurry);
$("take_back").addEventListener("click", () => ask("take_back", { number: shown.number }));
$("help").addEventListener("click", toggleKeys);
$("set").addEventListener("click", () => {
  $("games").hidden = !gamesPath();
  $("games").href = gamesPath() ?? "";
  $("settings").showModal();
});
$("settled").addEventListener("click", () => $("settings").close());
$("speed").addEventListener("change", hurry);
for (const button of $("tabs").children) button.addEventListener("click", () => showTab(button.dataset.tab));
document.addEventListener("keydown", onKey);
for (const name of ["speed", "adviser", "confirm", "moving", "sound", "guide"]) remember(name);
new ResizeObserver(settle).observe($("board"));
showTab("decision");
listen();
