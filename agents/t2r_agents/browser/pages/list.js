// The lobby: the games that are kept, a tile for each game that can be played, and the dialog that begins one.
"use strict";

const PERSON = "person";
const OTHER = "other"; // an agent by its name
const FEW = 4; // kept games that are shown at first
const LOOK = 2000; // milliseconds after which a dialog looks again who is there
const TELL = 500; // milliseconds between two looks at what is compiled

let listed = null;
let variant = null; // the game that is set up
let players = []; // of its seats: { kind, name, agent, colour }
let levels = {}; // the agent of each level, for the game, deck and number of players chosen
const timers = new Set(); // those that look at what is compiled

async function load() {
  listed = await ask("games");
  if (!listed) return;
  store("games", location.pathname);
  $("folder").textContent = listed.folder;
  $("agents").replaceChildren(...listed.agents.map((name) => make("option", { value: name })));
  showGames();
  showPositions();
  $("score_open").disabled = false;
  if (!$("tiles").children.length) $("tiles").replaceChildren(...listed.variants.map(tile));
}

// The games that are kept

function showGames(all = !$("more").dataset.few) {
  const rank = (game) => (isOver(game) ? 1 : 0);
  const games = [...listed.games].sort((a, b) => rank(a) - rank(b)); // stable: the latest first among them
  const few = !all && games.length > FEW;
  $("kept").hidden = !games.length;
  $("kept_title").textContent = games.some((game) => !isOver(game)) ? "Go on" : "Games so far";
  $("games").replaceChildren(...(few ? games.slice(0, FEW) : games).map(entry));
  $("more").hidden = !few;
  $("more").textContent = `Show all ${games.length} games`;
}

function isOver(game) {
  return (game.standing?.outcome ?? "running") !== "running";
}

function entry(game) {
  if (!game.players) {
    const button = make("button", { type: "button", onclick: () => takeUp({ name: game.name }) }, "Open");
    return make("li", {}, make("div", { class: "text" }, make("strong", {}, game.name)), make("span", { class: "links" }, button, remover(game)));
  }
  const dots = game.players.map(({ colour }) => paint(make("i", { class: "dot" }), listed.colours[colour]));
  const what = make("div", {}, make("span", { class: "dots", "aria-hidden": "true" }, ...dots), make("strong", {}, game.game), ` ${sides(game.players)}`);
  const how = make("div", { class: "quiet" }, [standing(game), when(game.time)].filter(Boolean).join(" · "));
  const links = game.screens.map(({ players: names, path }) => {
    const one = game.screens.length === 1;
    const text = isOver(game) ? "Look" : names.length ? "Go on" : "Watch";
    const link = make("a", { href: path, class: "button", target: one ? null : "_blank", rel: "noopener" }, one ? text : `${text} as ${join(names)}`);
    if (one) link.addEventListener("click", () => tellOfCompiling());
    return link;
  });
  const asks = !isOver(game) && game.screens[0].players.length && (listed.origin || game.screens.length > 1);
  const inviting = asks ? make("button", { type: "button", onclick: () => invite(game) }, "Addresses") : "";
  return make("li", {}, make("div", { class: "text" }, what, how), make("span", { class: "links" }, ...links, inviting, remover(game)));
}

// Study positions: each is played on from the seat that was to act, against the planner.

function showPositions() {
  $("studied").hidden = !listed.positions.length;
  $("positions").replaceChildren(...listed.positions.map(position));
}

function position({ file, name, game, players: number }) {
  const told = name === undefined ? "" : make("div", { class: "quiet" }, `${game}, ${number} players`);
  const study = make("button", { type: "button", onclick: () => takeUp({ file }, "study") }, "Play on");
  const forget = make("button", { type: "button", "aria-label": `Delete ${name ?? file}` }, "Delete");
  forget.addEventListener("click", async () => {
    if (await ask("forget", { file })) say("");
    await load();
  });
  return make("li", {}, make("div", { class: "text" }, make("strong", {}, name ?? file), told), make("span", { class: "links" }, study, forget));
}

// A button that deletes a game, once that is confirmed.
function remover(game) {
  const what = game.players ? `${game.game}: ${sides(game.players)}` : game.name;
  const button = make("button", { type: "button", "aria-label": `Delete ${what}` }, "Delete");
  button.addEventListener("click", () => {
    const keep = make("button", { type: "button" }, "Keep it");
    const others = [...button.parentElement.childNodes];
    const links = button.parentElement;
    keep.addEventListener("click", () => {
      links.replaceChildren(...others);
      button.focus();
    });
    links.replaceChildren("Delete it for good?", make("button", { type: "button", class: "danger", onclick: () => remove(game.name) }, "Delete"), keep);
    keep.focus();
  });
  return button;
}

async function remove(name) {
  if (await ask("delete", { name })) say("");
  await load();
}

function join(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function sides(all) {
  const people = all.filter(({ agent }) => agent === null).map(({ name }) => name);
  const agents = all.filter(({ agent }) => agent !== null).map(({ name }) => name);
  if (!people.length) return `${join(agents)} play each other`;
  if (!agents.length) return people.length === 2 ? people.join(" against ") : join(people);
  return `${join(people)} against ${join(agents)}`;
}

function standing({ standing: now, players: all }) {
  if (!now) return "";
  if (now.outcome === "running") return now.turn ? `turn ${Math.ceil(now.turn / all.length)}` : "choosing tickets";
  if (now.outcome === "truncated") return "stopped at the turn limit";
  if (now.outcome !== "finished") return "ended early";
  return `won by ${join(now.winners.map((seat) => all[seat].name))} ${now.scores.join(" : ")}`;
}

function when(seconds) {
  const then = new Date(seconds * 1000);
  const midnight = (date) => new Date(date).setHours(0, 0, 0, 0);
  const days = Math.round((midnight(Date.now()) - midnight(then)) / 86_400_000);
  if (days < 1) return `today at ${then.toLocaleTimeString([], { hour: "numeric", minute: "2-digit" })}`;
  if (days < 7) return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-days, "day");
  return then.toLocaleDateString("en", { day: "numeric", month: "long", year: "numeric" });
}

async function takeUp(what, request = "open") {
  const stop = tellOfCompiling();
  const game = await ask(request, what);
  stop();
  if (game) location.assign(game.screens[0].path);
}

// While the server works, say how far it is: what is used for the first time is compiled. Returns what ends that.
function tellOfCompiling() {
  say("One moment…");
  const since = Date.now();
  let first = null;
  const timer = setInterval(async () => {
    try {
      const { functions } = await (await fetch(`${location.pathname}compiling`)).json();
      first ??= functions;
      if (functions === first || !timers.has(timer)) return;
      $("notice").after($("compiling"));
      $("compiling").hidden = false;
      const seconds = Math.round((Date.now() - since) / 1000);
      say(`The rules are being compiled, the first time only: ${functions - first} functions, ${seconds} s. It takes ten to twenty seconds, on a busy machine a minute.`);
    } catch {
      // what was asked for says so
    }
  }, TELL);
  timers.add(timer);
  return () => {
    clearInterval(timer);
    timers.delete(timer);
    $("compiling").hidden = true;
    if ($("notice").textContent.startsWith("The rules are being compiled") || $("notice").textContent === "One moment…") say("");
  };
}

// The addresses of a game for the people who play it

function invite(game) {
  const origin = listed.origin ?? location.origin;
  $("invite_title").textContent = `${game.game}: ${sides(game.players)}`;
  $("invite_line").textContent = listed.origin
    ? "Send each their own address, or let a phone read its code. Who knows an address plays that seat."
    : "Only this machine can open these addresses. To let others in, start the server with --host 0.0.0.0, in a network that you trust.";
  $("invited").replaceChildren(...game.screens.map((screen) => invited(screen, origin)));
  $("invite").showModal();
  lookAround(game);
}

function invited({ players: names, path }, origin) {
  const field = make("input", { value: origin + path, readonly: true, "aria-label": `Address for ${join(names)}` });
  field.addEventListener("focus", () => field.select());
  const button = make("button", { type: "button", class: "main", "aria-label": `Copy the address for ${join(names)}`, onclick: () => copy(field, button) }, "Copy");
  const code = listed.origin ? make("img", { src: `codes/${path.split("/")[2]}.svg`, alt: `Code of the address for ${join(names)}`, width: 164, height: 164 }) : "";
  const line = make("div", { class: "text" }, make("strong", {}, join(names)), make("span", { class: "quiet there" }, ""), make("div", { class: "address" }, field, button));
  return make("li", {}, line, code);
}

async function copy(field, button) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // without encryption browsers have no other way
  }
  button.textContent = "Copied";
}

// As long as the dialog is open, say who has opened their page, and whose turn it is.
async function lookAround(game) {
  const around = await ask("around", { name: game.name });
  if (!around || !$("invite").open) return;
  const turn = around.current === null ? "" : game.players[around.current].name;
  game.screens.forEach(({ players: names }, index) => {
    const here = names.every((name) => around.present.some((seat) => game.players[seat].name === name));
    const theirs = names.includes(turn) ? ` · ${names.length > 1 ? `turn of ${turn}` : "to move"}` : "";
    $("invited").children[index].querySelector(".there").textContent = ` ${here ? "is here" : "is not here"}${theirs}`;
    $("invited").children[index].classList.toggle("here", here);
  });
  setTimeout(() => $("invite").open && lookAround(game), LOOK);
}

// The tiles

function tile(game) {
  const button = make(
    "button",
    { type: "button", class: "tile", "data-variant": game.id, onclick: () => setUp(game) },
    make("img", { src: `pictures/${game.id}.svg`, alt: "", loading: "lazy", width: 300, height: 200 }),
    make("strong", {}, game.short),
    make("span", {}, game.line),
    make("small", {}, `${ranges(game.player_numbers)} players`),
  );
  return make("li", {}, button);
}

function ranges(numbers) {
  const [first, last] = [numbers[0], numbers.at(-1)];
  if (numbers.length === last - first + 1 && numbers.length > 2) return `${first} to ${last}`;
  return numbers.join(" or ");
}

// The dialog of a new game

function setUp(game) {
  variant = game;
  const number = game.player_numbers.includes(Number(stored("number"))) ? Number(stored("number")) : game.player_numbers[0];
  players = [{ kind: PERSON, name: stored("name") ?? "" }];
  $("setup_title").textContent = game.short;
  $("setup_line").textContent = game.line;
  $("numbers").replaceChildren(...game.player_numbers.map((it) => pill("number", it, String(it), it === number, chooseNumber)));
  $("decks").replaceChildren(...game.decks.map(({ id, name }) => pill("deck", id, name, id === game.default_deck, chooseDeck)));
  $("decks_field").hidden = game.decks.length < 2;
  $("switches").replaceChildren(...game.switches.map(({ id, name, line }) => switchOf(id, name, line)));
  $("own_windows").checked = false;
  chooseNumber();
  chooseDeck();
  $("setup").append($("notice"));
  $("setup_notice").replaceWith($("notice"));
  say("");
  $("setup").showModal();
  $("rows").querySelector("input, select").focus({ preventScroll: true });
}

function pill(name, value, text, checked, choose) {
  const input = make("input", { type: "radio", name, value, checked });
  input.addEventListener("change", choose);
  return make("label", { class: "pill" }, input, make("span", {}, text));
}

function switchOf(id, name, line) {
  const input = make("input", { type: "checkbox", name: id });
  input.addEventListener("change", askLevels);
  return make("label", { class: "switch" }, input, make("span", {}, make("b", {}, name), make("small", {}, line)));
}

function chosen(name) {
  return $("new").querySelector(`input[name=${name}]:checked`).value;
}

function chooseDeck() {
  const deck = variant.decks.find(({ id }) => id === chosen("deck"));
  $("deck_line").textContent = deck.line;
  askLevels();
}

function chooseNumber() {
  const number = Number(chosen("number"));
  store("number", number);
  while (players.length < number) players.push({ kind: "medium", name: "" });
  players.length = number;
  const free = listed.colours.map((_, index) => index).filter((index) => !players.some(({ colour }) => colour === index));
  for (const player of players) player.colour ??= free.shift();
  showRows();
  askLevels();
}

async function askLevels() {
  const answer = await ask("levels", { variant: variant.id, num_players: players.length, options: options() });
  levels = answer ?? levels;
  for (const small of $("rows").querySelectorAll("small[data-level]")) small.textContent = levels[small.dataset.level] ?? "";
}

function options() {
  const given = { tickets: chosen("deck") };
  for (const { name, checked } of $("switches").querySelectorAll("input")) if (checked) given[name] = true;
  return given;
}

function showRows() {
  $("rows").replaceChildren(...players.map(row));
  countPeople();
}

function countPeople() {
  const people = players.filter(({ kind }) => kind === PERSON).length;
  $("windows").hidden = people < 2;
  $("begin").textContent = people ? "Begin" : "Watch";
}

function row(player, seat) {
  const title = `Seat ${seat + 1}`;
  const kind = make(
    "select",
    { "aria-label": title },
    make("option", { value: PERSON }, "A person"),
    ...listed.levels.map((level) => make("option", { value: level }, capital(level))),
    make("option", { value: OTHER }, "Other agent…"),
  );
  kind.value = player.kind;
  kind.addEventListener("change", () => {
    player.kind = kind.value;
    kind.nextElementSibling.replaceWith(detail(player, seat));
    countPeople();
  });
  const swatch = make("button", { type: "button", class: "swatch", "aria-label": `Colour of seat ${seat + 1}: ${colourName(player.colour)}`, onclick: () => openPalette(seat) });
  const team = variant.team_size > 1 ? make("small", { class: "team" }, `Team ${Math.floor(seat / variant.team_size) + 1}`) : "";
  return make("li", {}, paint(swatch, listed.colours[player.colour]), kind, detail(player, seat), team);
}

function detail(player, seat) {
  if (player.kind === PERSON) {
    const input = make("input", { "aria-label": `Name at seat ${seat + 1}`, maxlength: 20, placeholder: `Player ${seat + 1}`, autocomplete: "off", spellcheck: "false" });
    input.value = player.name;
    input.addEventListener("input", () => (player.name = input.value));
    return input;
  }
  if (player.kind === OTHER) {
    const input = make("input", { "aria-label": `Agent at seat ${seat + 1}`, list: "agents", placeholder: "planner", required: true, autocomplete: "off", spellcheck: "false" });
    input.value = player.agent ?? "";
    input.addEventListener("input", () => (player.agent = input.value.trim()));
    return input;
  }
  return make("small", { "data-level": player.kind, class: "agent" }, levels[player.kind] ?? "");
}

function openPalette(seat) {
  const item = $("rows").children[seat];
  const open = item.querySelector(".palette");
  for (const palette of $("rows").querySelectorAll(".palette")) palette.remove();
  if (open) return;
  const swatches = listed.colours.map((colour, index) =>
    paint(
      make("button", { type: "button", class: "swatch", "aria-label": colourName(index), "aria-pressed": String(index === players[seat].colour), onclick: () => chooseColour(seat, index) }),
      colour,
    ),
  );
  item.append(make("div", { class: "palette", role: "group", "aria-label": `Colours for seat ${seat + 1}` }, ...swatches));
  swatches[players[seat].colour].focus();
}

// A colour that another seat has is exchanged with it.
function chooseColour(seat, colour) {
  const other = players.find((player) => player.colour === colour);
  if (other) other.colour = players[seat].colour;
  players[seat].colour = colour;
  showRows();
  $("rows").children[seat].querySelector(".swatch").focus();
}

function colourName(index) {
  return listed.colours[index].name;
}

function paint(element, { fill }) {
  element.style.background = fill;
  return element;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function wished({ kind, name, agent, colour }) {
  if (kind === PERSON) return name.trim() ? { name: name.trim(), colour } : { colour };
  return kind === OTHER ? { agent, colour } : { level: kind, colour };
}

async function begin(event) {
  event.preventDefault();
  const person = players.find(({ kind }) => kind === PERSON);
  if (person) store("name", person.name.trim());
  $("begin").disabled = true;
  const stop = tellOfCompiling();
  const game = await ask("new", { variant: variant.id, options: options(), players: players.map(wished), own_windows: $("own_windows").checked && !$("windows").hidden });
  $("begin").disabled = false;
  stop();
  if (!game) return;
  if (game.screens.length === 1) {
    location.assign(game.screens[0].path);
  } else {
    $("setup").close();
    await load();
    invite(game);
  }
}

// A short game against one easy opponent, in which a guide explains each decision.
async function beginFirst() {
  store("guide", "true");
  $("first").disabled = true;
  const stop = tellOfCompiling();
  const game = await ask("new", { variant: "new_york", options: {}, players: [{ colour: 0 }, { level: "easy", colour: 1 }], own_windows: false });
  stop();
  $("first").disabled = false;
  if (game) location.assign(game.screens[0].path);
}

function closed() {
  $("notice").replaceWith(make("div", { id: "setup_notice" }));
  document.querySelector("main").prepend(make("p", { id: "notice", role: "status", "aria-live": "polite" }));
}

$("more").dataset.few = "yes";
$("more").addEventListener("click", () => {
  delete $("more").dataset.few;
  showGames();
});
$("new").addEventListener("submit", begin);
$("first").addEventListener("click", beginFirst);
$("close").addEventListener("click", () => $("setup").close());
$("invite_close").addEventListener("click", () => $("invite").close());
$("invite").addEventListener("click", (event) => event.target === $("invite") && $("invite").close());
$("setup").addEventListener("close", closed);
$("setup").addEventListener("click", (event) => event.target === $("setup") && $("setup").close());
document.addEventListener("visibilitychange", () => document.hidden || document.querySelector("dialog[open]") || load());
load();
