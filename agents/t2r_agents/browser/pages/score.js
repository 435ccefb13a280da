// The dialog of the lobby that scores a game played at a table. What each player has is chosen from lists.
"use strict";

let scored = null; // the game that is entered
let form = null; // what its players may have, as the server tells it
let asked = 0; // forms so far: only the answer to the last request is shown
let entries = []; // by seat, then one for the neutral player: lists and numbers by key

// What was entered stays while the dialog is closed.
function openScoring() {
  $("scoring").append($("notice"));
  $("score_notice").replaceWith($("notice"));
  say("");
  $("scoring").showModal();
  if (scored) return;
  $("score_variant").replaceChildren(...listed.variants.map((game) => make("option", { value: game.id }, game.short)));
  chooseScored();
}

function scoringClosed() {
  $("notice").replaceWith(make("div", { id: "score_notice" }));
  document.querySelector("main").prepend(make("p", { id: "notice", role: "status", "aria-live": "polite" }));
}

function chooseScored() {
  scored = listed.variants.find(({ id }) => id === $("score_variant").value);
  $("score_number").replaceChildren(...scored.player_numbers.map((number) => make("option", {}, String(number))));
  $("score_deck").replaceChildren(...scored.decks.map(({ id, name }) => make("option", { value: id, selected: id === scored.default_deck }, name)));
  $("score_deck").parentElement.hidden = scored.decks.length < 2;
  $("score_switches").replaceChildren(
    ...scored.switches.map(({ id, name }) => {
      const input = make("input", { type: "checkbox", name: id });
      input.addEventListener("change", askForm);
      return make("label", { class: "switch" }, input, make("span", {}, name));
    }),
  );
  askForm();
}

function scoreOptions() {
  const switches = [...$("score_switches").querySelectorAll("input")].map((input) => [input.name, input.checked]);
  return { tickets: $("score_deck").value, ...Object.fromEntries(switches) };
}

// Another number of players, deck or option changes what there is to enter; what was entered is forgotten.
async function askForm() {
  const wish = { variant: scored.id, num_players: Number($("score_number").value), options: scoreOptions() };
  const number = ++asked;
  const answer = await ask("score_form", wish);
  if (!answer || number !== asked) return;
  say("");
  form = answer;
  entries = Array.from({ length: wish.num_players }, (_, seat) => ({ name: `Player ${seat + 1}` }));
  const sides = entries.map((entry, seat) => playerForm(entry, `player ${seat + 1}`));
  if (form.neutral_shares) {
    entries.push({});
    sides.push(make("fieldset", {}, make("legend", {}, "Neutral player: the shares revealed"), listField(entries.at(-1), "shares", "neutral player")));
  }
  $("score_lists").replaceChildren(...Object.entries(form.keys).filter(([, key]) => key.choices).map(([name, key]) => make("datalist", { id: `score_${name}` }, ...key.choices.map((value) => make("option", { value })))));
  $("score_players").replaceChildren(...sides);
  $("score_result").replaceChildren();
}

function playerForm(entry, whose) {
  const fields = Object.keys(form.keys).map((key) => (form.keys[key].choices ? listField(entry, key, whose) : plainField(entry, key, whose)));
  return make("fieldset", {}, make("legend", {}, capital(whose)), ...fields);
}

function plainField(entry, key, whose) {
  const isName = key === "name";
  const input = make("input", { type: isName ? "text" : "number", min: isName ? null : 0, maxlength: 40, "aria-label": `${key.replace("_", " ")} of ${whose}`, autocomplete: "off" });
  input.value = entry[key] ?? 0;
  input.addEventListener("input", () => (entry[key] = isName ? input.value : Number(input.value)));
  return make("label", { title: form.keys[key].meaning }, make("span", {}, capital(key.replace("_", " "))), input);
}

// A field whose values are added to a list, each with a button that takes it away.
function listField(entry, key, whose) {
  entry[key] = [];
  const label = `${key} of ${whose}`;
  const input = make("input", { list: `score_${key}`, "aria-label": label, placeholder: "type or choose, then Enter", autocomplete: "off", spellcheck: "false" });
  const list = make("ul", { class: "plain chips", "aria-label": `Entered ${label}` });
  const show = () =>
    list.replaceChildren(
      ...entry[key].map((value, index) => {
        const remove = () => {
          entry[key].splice(index, 1);
          show();
          input.focus();
        };
        return make("li", {}, value, make("button", { type: "button", "aria-label": `Remove ${value}`, onclick: remove }, "✕"));
      }),
    );
  const add = () => {
    if (!input.value.trim()) return;
    entry[key].push(input.value.trim());
    input.value = "";
    show();
  };
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    add();
  });
  input.addEventListener("change", add);
  return make("div", { title: form.keys[key].meaning }, make("span", {}, capital(key)), input, list);
}

// "prr 4" and "prr 7" as { prr: [4, 7] }
function shares(chosenShares) {
  const byCompany = {};
  for (const share of chosenShares) {
    const [, company, number] = /^(.*?)\s*(\d*)$/.exec(share);
    (byCompany[company] ??= []).push(number === "" ? null : Number(number));
  }
  return byCompany;
}

async function count(event) {
  event.preventDefault();
  const all = entries.map((entry) => (entry.shares ? { ...entry, shares: shares(entry.shares) } : entry));
  const sheet = { variant: scored.id, ...scoreOptions(), players: form.neutral_shares ? all.slice(0, -1) : all };
  if (form.neutral_shares) sheet.neutral_shares = all.at(-1).shares;
  const stop = tellOfCompiling();
  const report = await ask("score", sheet);
  stop();
  if (!report) return;
  say("");
  $("score_result").replaceChildren(...resultOf(report));
  $("score_result").scrollIntoView({ block: "nearest" });
}

function resultOf({ teams, count: lines, verdict }) {
  const row = (name, values) => make("tr", {}, make("th", { scope: "row" }, name), ...values.map((value) => make("td", {}, String(value))));
  const head = make("tr", {}, make("td", {}), ...teams.map(({ names }) => make("th", { scope: "col" }, join(names))));
  const parts = Object.keys(teams[0].breakdown).map((part) => row(part.replaceAll("_", " "), teams.map(({ breakdown }) => breakdown[part])));
  const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...parts, row("score", teams.map(({ score }) => score)), row("rank", teams.map(({ rank }) => rank))));
  const paths = teams
    .filter((team) => team.longest_path?.length)
    .map(({ names, longest_path: path }) => make("p", {}, `Longest path of ${join(names)}, ${path.length}: ${path.cities.join("–")}`));
  const counted = lines.map(({ text, points }) => make("li", {}, points === null ? text : `${text}: ${points}`));
  return [make("h3", {}, verdict), table, ...paths, make("details", {}, make("summary", {}, "How it was counted"), make("ul", {}, ...counted))];
}

$("score_open").addEventListener("click", openScoring);
$("score_variant").addEventListener("change", chooseScored);
$("score_number").addEventListener("change", askForm);
$("score_deck").addEventListener("change", askForm);
$("score_form").addEventListener("submit", count);
$("score_again").addEventListener("click", askForm);
$("score_close").addEventListener("click", () => $("scoring").close());
$("scoring").addEventListener("close", scoringClosed);
