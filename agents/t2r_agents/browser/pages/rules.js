// How the game is played: the dialog of its rules, the numbers of rules as links, and the guide of a first game.
"use strict";

const NUMBERS = /\(([A-Z]{1,2}\d+(?:, [A-Z]{1,2}\d+)*)\)/; // "(C9)", "(NO5, SW5)"
const GUIDE = "planner"; // the agent that guides

let numbered = null; // the numbered rules, by page and number
let guided = null; // the number of the decision on which the guide has been asked

// The rules

function linked(text) {
  const found = text.match(NUMBERS);
  if (!found) return text;
  const links = found[1].split(", ").flatMap((number, index) => [index ? ", " : "", ruleLink(number)]);
  const rest = text.slice(found.index + found[0].length);
  return make("span", {}, text.slice(0, found.index), "(", ...links, ")", rest ? linked(rest) : "");
}

function ruleLink(number) {
  const link = make("a", { href: `#rule-${number}`, class: "rule", title: `Rule ${number}` }, number);
  link.addEventListener("click", (event) => {
    event.preventDefault();
    event.stopPropagation();
    openRules(number);
  });
  return link;
}

async function openRules(number = null) {
  const { aim, sentences, points, pages } = table.rules;
  if (!$("rules").open) {
    $("rules_title").textContent = `How to play ${table.title}`;
    $("aim").textContent = aim;
    $("sentences").replaceChildren(...sentences.map((it) => make("li", {}, sentence(it))));
    $("points").replaceChildren(...points.map(([thing, value]) => make("tr", {}, make("th", { scope: "row" }, thing), make("td", {}, value))));
    $("rules").showModal();
  }
  numbered ??= await (await fetch("/files/rules.json")).json();
  const others = Object.keys(numbered).filter((page) => !pages.includes(page) && number in numbered[page]);
  $("numbered").replaceChildren(...[...pages, ...others].flatMap((page) => Object.entries(numbered[page]).map(ruleItem)));
  const item = number && $(`rule-${number}`);
  $("all_rules").open = Boolean(item);
  for (const old of $("numbered").querySelectorAll(".meant")) old.classList.remove("meant");
  if (!item) return;
  item.classList.add("meant");
  item.scrollIntoView({ block: "center" });
  item.focus({ preventScroll: true });
}

function ruleItem([number, text]) {
  return make("li", { id: `rule-${number}`, tabindex: "-1" }, make("b", {}, number), ` ${text}`);
}

// The guide of a first game: what is decided, and what the planner would do, with its reason

function showGuide({ decision, number, is_over }) {
  const isOn = $("guide").checked && !table.is_watching;
  $("guiding").hidden = !isOn || !decision || is_over || Boolean(meantNow(decision));
  if ($("guiding").hidden) return;
  const lesson = table.rules.lessons[decision.phase] ?? "";
  const advice = make("p", { id: "advice", role: "status" }, `${GUIDE} is thinking…`);
  const off = make("button", { type: "button", onclick: () => $("guide").click() }, "Without the guide");
  const rules = make("button", { type: "button", onclick: () => openRules() }, "The rules");
  $("guiding").replaceChildren(lesson ? make("p", {}, lesson) : "", advice, make("div", { class: "buttons" }, rules, off));
  if (guided !== number || !decision.advice) askGuide(decision, number);
  else advise(decision.advice);
}

async function askGuide(decision, number) {
  guided = number;
  decision.advice = await ask("hint", { number, agent: GUIDE });
  if (shown?.decision !== decision) return;
  if (decision.advice) advise(decision.advice);
  else $("guiding").hidden = true;
}

function advise(advice) {
  const { action, text, reason } = advice;
  $("advice").replaceChildren(make("strong", {}, `The ${GUIDE} would ${text}.`), " ", reason ? linked(reason) : "");
  mark("hint", action);
  markOffer(advice);
}

$("rules_open").addEventListener("click", () => openRules());
$("rules_close").addEventListener("click", () => $("rules").close());
$("rules").addEventListener("click", (event) => event.target === $("rules") && $("rules").close());
$("guide").addEventListener("change", () => shown?.kind === "moment" && showGuide(shown));
