// The list of games, and the form for a new one.
"use strict";

const PERSON = "a person";

let listed = null;

async function load() {
  listed = await ask("games");
  if (!listed) return;
  $("folder").textContent = listed.folder;
  $("agents").replaceChildren(make("option", { value: PERSON }), ...listed.agents.map((name) => make("option", { value: name })));
  $("games").replaceChildren(...listed.games.map(entry));
  if (!$("variant").options.length) {
    $("variant").replaceChildren(...listed.variants.map(({ id, name }) => make("option", { value: id }, name)));
    chooseVariant();
  }
}

function entry(game) {
  const parts = [make("strong", {}, game.name)];
  if (!game.screens) {
    parts.push(make("button", { type: "button", onclick: () => open("open", { name: game.name }) }, "Take up"));
    return make("li", {}, ...parts);
  }
  parts.push(game.title, game.is_over ? "over" : `turn ${game.turn}`);
  for (const { players, path } of game.screens) {
    parts.push(make("a", { href: path, target: "_blank", rel: "noopener" }, `Open as ${players.join(", ")}`));
  }
  return make("li", {}, ...parts);
}

async function open(request, content) {
  say("One moment: the first game of a kind compiles its rules, which may take a minute.");
  const game = await ask(request, content);
  if (!game) return;
  say("");
  await load();
  if (game.screens.length === 1) location.assign(game.screens[0].path);
}

function chooseVariant() {
  const { player_numbers, tickets, default_tickets, switches } = listed.variants.find(({ id }) => id === $("variant").value);
  $("num_players").replaceChildren(...player_numbers.map((number) => make("option", { value: number }, String(number))));
  $("deck").replaceChildren(...tickets.map((name) => make("option", { value: name }, name)));
  $("deck").value = default_tickets;
  $("deck").parentElement.hidden = tickets.length < 2;
  $("switches").replaceChildren(
    ...switches.map((name) => make("label", {}, make("input", { type: "checkbox", name }), ` ${name.replaceAll("_", " ")}`)),
  );
  chooseNumber();
}

function chooseNumber() {
  const fields = $("seats").querySelectorAll("input");
  const names = [...fields].map((field) => field.value);
  for (const label of $("seats").querySelectorAll("label")) label.remove();
  for (let seat = 0; seat < Number($("num_players").value); seat += 1) {
    const value = names[seat] ?? (seat ? "planner" : PERSON);
    $("seats").append(make("label", {}, `player_${seat} `, make("input", { list: "agents", value, spellcheck: "false", autocomplete: "off" })));
  }
  countPeople();
}

function players() {
  return [...$("seats").querySelectorAll("input")].map(({ value }) => ([PERSON, ""].includes(value.trim()) ? null : value.trim()));
}

function countPeople() {
  $("windows").hidden = players().filter((name) => name === null).length < 2;
}

function begin(event) {
  event.preventDefault();
  const options = {};
  if (!$("deck").parentElement.hidden) options.tickets = $("deck").value;
  for (const field of $("switches").querySelectorAll("input")) if (field.checked) options[field.name] = true;
  open("new", { variant: $("variant").value, options, players: players(), own_windows: $("own_windows").checked });
}

$("variant").addEventListener("change", chooseVariant);
$("num_players").addEventListener("change", chooseNumber);
$("seats").addEventListener("input", countPeople);
$("new").addEventListener("submit", begin);
load();
