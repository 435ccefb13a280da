// The page of one screen. The server sends what its seat may see as events; this page shows them one after the other,
// and asks the server for actions, reasons and hints.
"use strict";

const TARGETS = "[data-route], [data-city], [data-slot], [data-pile]"; // of clicks on the picture
const NARROW = 600;
const MANY = 12; // more actions than these can be searched

let table = null; // what the page shows all the time
let shown = null; // the message on show
let queue = []; // messages that wait to be shown
let timer = 0; // runs while a message is to stay
let selected = null; // the action to be confirmed
let chosen = {}; // the cards chosen so far, by colour

function listen() {
  const width = innerWidth < 900 ? NARROW : 1200;
  const events = new EventSource(`${location.pathname}events?width=${width}`);
  events.onmessage = (event) => receive(JSON.parse(event.data));
  events.onerror = () =>
    say(
      events.readyState === EventSource.CLOSED
        ? "The server refuses this page: too many are open, or its address is an old one. Open the game from the list."
        : "The connection is lost; trying again…",
    );
  let narrow = width === NARROW;
  const onResize = () => {
    if (innerWidth < 900 === narrow) return;
    removeEventListener("resize", onResize);
    events.close();
    queue = [];
    listen();
  };
  addEventListener("resize", onResize);
}

function receive(message) {
  if (message.kind === "table") {
    table = message;
    if ($("notice").textContent.startsWith("The connection")) say("");
    $("title").textContent = message.title;
    $("players").replaceChildren(
      ...message.players.map(({ seat, name, agent }) =>
        make("li", { class: message.seats.includes(seat) ? "you" : null }, `${name}: ${agent ?? (message.seats.includes(seat) ? "here" : "a person")}`),
      ),
    );
    $("agents").replaceChildren(...message.agents.map((name) => make("option", { value: name })));
    return;
  }
  queue.push(message);
  showNext();
}

// One message after the other

function showNext(asked = false) {
  if (timer || !queue.length) return;
  const speed = $("speed").value;
  const isMove = queue[0].kind === "moment" && shown?.kind === "moment" && !queue[0].is_whole_log;
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
  shown = message;
  selected = null;
  chosen = {};
  if (message.kind === "cover") {
    showCover(message);
    return;
  }
  $("cover").hidden = true;
  document.querySelector("main").inert = false;
  showPicture(message);
  if (message.is_whole_log) $("log").replaceChildren();
  if (message.is_whole_log || last?.step !== message.step) {
    $("log").append(...message.log.map((line) => make("li", {}, line)));
    $("log").scrollTop = $("log").scrollHeight;
  }
  if (message.fault) say(sentence(message.fault));
  showDecision(message);
}

function showCover(message) {
  for (const id of ["picture", "log", "actions", "cards", "chosen"]) $(id).replaceChildren();
  $("tickets").hidden = true;
  $("find").hidden = true;
  $("hint").disabled = true;
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

function nameOf(seat) {
  return table.players[seat].name;
}

// The picture

function showPicture(message) {
  const svg = new DOMParser().parseFromString(message.svg, "image/svg+xml").documentElement;
  svg.setAttribute("role", "group");
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  $("picture").replaceChildren(document.importNode(svg, true));
  if (!message.decision) return;
  for (const group of $("picture").querySelectorAll(TARGETS)) {
    const action = actionAt(targetOf(group));
    if (!action) {
      group.classList.add("why");
      continue;
    }
    group.classList.add("can");
    group.setAttribute("tabindex", "0");
    group.setAttribute("role", "button");
    group.setAttribute("aria-label", action.text);
    group.dataset.action = action.action;
  }
}

function targetOf(group) {
  const { route, city, slot, pile } = group.dataset;
  if (route !== undefined) {
    const [a, b, track] = route.split(" ");
    return { route: [a, b, Number(track)] };
  }
  if (city !== undefined) return { city };
  return slot !== undefined ? { slot: Number(slot) } : { pile };
}

function actionAt(target) {
  const wanted = JSON.stringify(target);
  return shown.decision.actions.find((it) => it.target && JSON.stringify(it.target) === wanted);
}

async function point(group) {
  if (shown?.kind !== "moment" || !shown.decision) {
    if (shown?.waiting) say(`It is the turn of ${shown.waiting}.`);
    return;
  }
  const action = actionAt(targetOf(group));
  if (!action) {
    const answer = await ask("why", { target: targetOf(group) });
    if (answer) say(answer.reason);
  } else if (action.is_weighty && selected !== action) {
    select(action);
  } else {
    act(action);
  }
}

// The decision

function showDecision(message) {
  const { decision } = message;
  const hadFocus = document.activeElement === document.body || $("decision").contains(document.activeElement);
  $("decision").setAttribute("aria-busy", String(!decision && !message.is_over));
  $("hint").disabled = !decision;
  $("chosen").hidden = true;
  $("filter").value = "";
  $("find").hidden = !decision || decision.actions.length <= MANY;
  showTickets(decision);
  if (!decision) {
    $("cards").hidden = true;
    $("actions").replaceChildren(...(message.is_over ? ending(message) : []));
    $("question").textContent = message.is_over
      ? { finished: "The game is over", truncated: "The game has reached its turn limit" }[message.outcome] ??
        "The game has ended early"
      : `${message.waiting} is to act…`;
  } else {
    say(message.fault ? sentence(message.fault) : "");
    $("question").textContent = `${nameOf(message.seat)}: ${decision.question}`;
    showActions();
    showCards();
  }
  document.title = `${decision ? "Your decision · " : ""}${table.title}`;
  if (decision && hadFocus) $("decision").focus({ preventScroll: true });
}

function ending(message) {
  const others = table.seats.filter((seat) => seat !== message.seat);
  const parts = others.map((seat) =>
    make("button", { type: "button", onclick: () => ask("show", { seat }) }, `What ${nameOf(seat)} had`),
  );
  parts.push(make("a", { href: `${location.pathname}replay/`, target: "_blank", rel: "noopener" }, "Watch the replay"));
  parts.push(make("a", { href: `${location.pathname}replay`, download: `${table.name}.json` }, "Save the replay"));
  return parts;
}

function showTickets(decision) {
  const tickets = decision?.tickets ?? [];
  $("tickets").hidden = !tickets.length;
  $("tickets").querySelector("ul").replaceChildren(
    ...tickets.map(({ where, text, state }) =>
      make("li", {}, where ? `${where}: ` : "", text, state ? make("small", {}, ` ${state}`) : ""),
    ),
  );
}

function showActions() {
  const lists = [];
  let heading = null;
  let list = null;
  shown.decision.actions.forEach((action, index) => {
    if (list === null || action.heading !== heading) {
      heading = action.heading;
      list = make("ul", { class: "plain", "aria-label": heading || null });
      if (heading) lists.push(make("h3", {}, heading));
      lists.push(list);
    }
    const key = index < 9 ? make("kbd", {}, String(index + 1)) : "";
    const button = make("button", { type: "button", "data-action": action.action, onclick: () => act(action) }, key, action.text);
    list.append(make("li", {}, button));
  });
  $("actions").replaceChildren(...lists);
}

function filter() {
  const wanted = plain($("filter").value);
  for (const item of $("actions").querySelectorAll("li")) item.hidden = !plain(item.textContent).includes(wanted);
}

function plain(text) {
  return text.toLowerCase().normalize("NFD").replace(/\p{Mn}/gu, "");
}

function select(action) {
  selected = action;
  const bar = $("chosen");
  bar.replaceChildren(
    make("strong", {}, `${action.text}?`),
    make("button", { type: "button", class: "main", onclick: () => act(action) }, "Yes"),
    make("button", { type: "button", onclick: unselect }, "No (Esc)"),
  );
  bar.hidden = false;
  mark("selected", action.action);
  bar.querySelector("button").focus({ preventScroll: true });
}

function unselect() {
  selected = null;
  $("chosen").hidden = true;
  mark("selected", null);
}

function mark(kind, action) {
  for (const element of document.querySelectorAll("[data-action]")) {
    element.classList.toggle(kind, element.dataset.action === String(action));
  }
}

async function act(action) {
  const number = shown.number;
  const decision = shown.decision;
  if (!decision || decision.isSent) return;
  decision.isSent = true;
  say("");
  const answer = await ask("act", { number, action: action.action });
  if (!answer) decision.isSent = false;
}

// Cards, chosen one by one

function fits(cards, option) {
  return Object.entries(cards).every(([card, number]) => number <= (option[card] ?? 0));
}

function isSame(cards, option) {
  return fits(cards, option) && fits(option, cards);
}

function showCards() {
  const options = shown.decision.actions.filter((it) => it.cards);
  const box = $("cards");
  box.hidden = options.length < 2;
  if (box.hidden) return;
  const focused = document.activeElement?.dataset?.card;
  const single = options.every(({ cards }) => Object.values(cards).reduce((a, b) => a + b, 0) === 1);
  const named = [...new Set(options.flatMap(({ cards }) => Object.keys(cards)))];
  const cardButtons = named.map((card) => {
    const more = { ...chosen, [card]: (chosen[card] ?? 0) + 1 };
    const next = options.find(({ cards }) => (single ? isSame(more, cards) : fits(more, cards)));
    const held = Object.entries(shown.decision.hand).map(([pile, cards]) => `${cards[card] ?? 0} in the ${pile}`);
    const count = chosen[card] ?? 0;
    const button = make(
      "button",
      {
        type: "button",
        class: "card",
        "data-card": card,
        disabled: !next,
        title: held.join(", "),
        "aria-label": `${card} card, ${count} chosen, ${held.join(", ")}`,
        onclick: () => (single ? act(next) : choose(more)),
      },
      make("b", {}, table.signs[card].letter),
      make("span", {}, single ? held[0].split(" ")[0] : `${count}`),
    );
    button.style.background = table.signs[card].fill;
    button.style.color = table.signs[card].ink;
    return button;
  });
  const parts = [make("p", {}, single ? "Choose a card:" : "Choose the cards one by one:"), make("div", { role: "group", "aria-label": "Cards" }, ...cardButtons)];
  if (!single) {
    const ready = options.find(({ cards }) => isSame(chosen, cards));
    parts.push(
      make("button", { type: "button", class: "main", disabled: !ready, onclick: () => act(ready) }, ready ? ready.text : "Choose more cards"),
      make("button", { type: "button", disabled: !Object.keys(chosen).length, onclick: () => choose({}) }, "None (Esc)"),
    );
  }
  box.replaceChildren(...parts);
  if (focused) {
    const again = box.querySelector(`[data-card="${focused}"]:not([disabled])`) ?? box.querySelector(".main:not([disabled])");
    again?.focus();
  }
}

function choose(cards) {
  chosen = cards;
  showCards();
}

// Advice

async function hint() {
  if (!shown?.decision) return;
  const number = shown.number;
  const agent = $("adviser").value.trim();
  say(`${agent} is thinking…`);
  const answer = await ask("hint", { number, agent });
  if (!answer || shown?.number !== number) return;
  say(`${agent} would: ${answer.text}.`);
  mark("hint", answer.action);
  document.querySelector("button.hint")?.scrollIntoView({ block: "nearest" });
  showWeights(answer);
}

// Beside each action how much the agent weighs it, in percent.
function showWeights({ meaning, probabilities }) {
  for (const button of $("actions").querySelectorAll("[data-action]")) {
    button.querySelector("small")?.remove();
    const share = probabilities[button.dataset.action];
    if (share) button.append(make("small", { title: meaning }, ` ${Math.round(100 * share)} %`));
  }
}

// Settings and keys

function remember(name) {
  const field = $(name);
  try {
    field.value = localStorage.getItem(`t2r_${name}`) ?? field.value;
    field.addEventListener("change", () => localStorage.setItem(`t2r_${name}`, field.value));
  } catch {
    // without storage the setting lasts as long as the page
  }
  if (field.selectedIndex === -1) field.selectedIndex = 2;
}

function toggleKeys() {
  $("keys").hidden = !$("keys").hidden;
  $("help").setAttribute("aria-expanded", String(!$("keys").hidden));
}

function onKey(event) {
  const target = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    if (target === $("filter")) {
      $("filter").value = "";
      filter();
      $("decision").focus();
    } else if (selected) {
      unselect();
    } else if (!$("cards").hidden) {
      choose({});
    }
    return;
  }
  if (target === $("filter") && event.key === "Enter") {
    const found = [...$("actions").querySelectorAll("li:not([hidden]) button")];
    if (found.length === 1) found[0].click();
    else if (found.length) found[0].focus();
    return;
  }
  if (target.matches("input, select, textarea")) return;
  if (target.matches(".can") && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    point(target);
  } else if (event.key === "n") {
    hurry();
  } else if (event.key === "h") {
    hint();
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

$("picture").addEventListener("click", (event) => {
  const group = event.target.closest(TARGETS);
  if (group) point(group);
});
$("filter").addEventListener("input", filter);
$("hint").addEventListener("click", hint);
$("next").addEventListener("click", hurry);
$("help").addEventListener("click", toggleKeys);
$("speed").addEventListener("change", hurry);
$("tools").addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("keydown", onKey);
remember("speed");
remember("adviser");
listen();
