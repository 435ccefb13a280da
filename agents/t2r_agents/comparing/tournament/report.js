// The lists of a report: each is sorted by a click on a heading, and filtered by agents and words.
"use strict";

const FEW = 100; // rows that are shown at first

const { agents, lists } = JSON.parse(document.getElementById("content").textContent);

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// What a cell is sorted by, what it says, and which agent it names, by the kind of its column.
const KINDS = {
  game: { sorted: (cell) => cell, show: (cell) => make("a", { href: `replays/game_${cell}.html` }, `game ${cell}`) },
  agent: { sorted: (cell) => cell, show: (cell) => agents[cell], agent: (cell) => cell },
  seat: {
    sorted: ([, score]) => (typeof score === "number" ? score : null),
    show: ([agent, score, won]) => make(won ? "b" : "span", {}, `${agents[agent]} ${minus(score)}`),
    agent: ([agent]) => agent,
  },
  text: { sorted: (cell) => cell, show: (cell) => cell },
  number: { sorted: (cell) => cell, show: (cell) => (cell === null ? "–" : minus(cell)) },
  share: { sorted: (cell) => cell?.[0] ?? null, show: (cell) => withInterval(cell, (it) => `${Math.round(100 * it)}`, " %") },
  mean: { sorted: (cell) => cell?.[0] ?? null, show: (cell) => withInterval(cell, (it) => minus(it.toFixed(1)), "") },
};
const LEFT = ["game", "agent", "seat", "text"]; // kinds whose cells begin at the left

function minus(value) {
  return String(value).replace("-", "−");
}

function withInterval(cell, write, unit) {
  if (!cell) return "–";
  const [value, low, high] = cell;
  const bounds = low === null ? "" : ` (${write(low)}–${write(high)})`;
  return make("span", {}, `${write(value)}${unit}`, make("small", {}, bounds));
}

class List {
  constructor(place, { columns, filters, rows, unlisted }) {
    Object.assign(this, { columns, filters, rows, unlisted, sorting: null, isDown: false, isWhole: false });
    this.selects = filters.map(([label, at]) => this.select(label, at));
    this.words = make("input", { type: "search", autocomplete: "off", spellcheck: "false", placeholder: "words" });
    this.words.setAttribute("aria-label", "Words in a row");
    this.words.addEventListener("input", () => this.fill());
    this.told = make("span", { role: "status" });
    this.head = make("tr", {}, ...columns.map((column, index) => this.heading(column, index)));
    this.body = make("tbody");
    this.more = make("button", { type: "button" });
    this.more.addEventListener("click", () => {
      this.isWhole = true;
      this.fill();
    });
    const table = make("table", {}, make("thead", {}, this.head), this.body);
    place.replaceChildren(make("p", { class: "filters" }, ...this.selects, this.words, this.told), make("div", { class: "scroll" }, table), this.more);
    this.fill();
  }

  select(label, at) {
    const found = new Set(this.rows.flatMap((row) => at.map((index) => this.kind(index).agent(row[index]))));
    const options = [...found].sort((a, b) => a - b).map((agent) => make("option", { value: agent }, agents[agent]));
    const select = make("select", {}, make("option", { value: "" }, "all"), ...options);
    select.addEventListener("change", () => this.fill());
    return make("label", {}, `${label} `, select);
  }

  kind(index) {
    return KINDS[this.columns[index][1]];
  }

  heading([name, kind], index) {
    const button = make("button", { type: "button" }, name);
    button.addEventListener("click", () => this.sort(index));
    return make("th", { class: LEFT.includes(kind) ? "text" : "" }, button);
  }

  // Sort by a column: numbers from the largest down at first, words from A.
  sort(index) {
    const isDown = !LEFT.includes(this.columns[index][1]) || this.columns[index][1] === "seat";
    this.isDown = this.sorting === index ? !this.isDown : isDown;
    this.sorting = index;
    [...this.head.children].forEach((cell, number) => {
      if (number === index) cell.setAttribute("aria-sort", this.isDown ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    });
    this.fill();
  }

  chosen() {
    const words = this.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = this.filters.flatMap(([, at, isWinner], number) => {
      const { value } = this.selects[number].querySelector("select");
      return value === "" ? [] : [[Number(value), at, isWinner]];
    });
    return this.rows.filter((row) => {
      const fits = ([agent, at, isWinner]) => at.some((index) => this.kind(index).agent(row[index]) === agent && (!isWinner || row[index][2]));
      return wanted.every(fits) && words.every((word) => this.textOf(row).includes(word));
    });
  }

  textOf(row) {
    const said = row.map((cell, index) => this.kind(index).show(cell));
    return said.map((it) => it.textContent ?? it).join(" ").toLowerCase();
  }

  fill() {
    const rows = this.chosen();
    if (this.sorting !== null) {
      const { sorted } = this.kind(this.sorting);
      const at = this.sorting;
      rows.sort((a, b) => compare(sorted(a[at]), sorted(b[at]), this.isDown));
    }
    const shown = this.isWhole ? rows : rows.slice(0, FEW);
    this.body.replaceChildren(...shown.map((row) => this.row(row)));
    this.told.textContent = `${rows.length} of ${this.rows.length}${this.wins(rows)}`;
    this.more.hidden = shown.length === rows.length;
    this.more.textContent = `Show all ${rows.length}`;
  }

  row(row) {
    const cells = row.map((cell, index) => make("td", { class: LEFT.includes(this.columns[index][1]) ? "text" : "" }, this.kind(index).show(cell)));
    return make("tr", {}, ...cells);
  }

  // Of games: how many each agent has won of those that are shown; a shared victory counts for each who shares it.
  wins(rows) {
    const seats = this.columns.flatMap(([, kind], index) => (kind === "seat" ? [index] : []));
    if (!seats.length) return "";
    const won = new Map();
    for (const row of rows) for (const agent of new Set(seats.filter((it) => row[it][2]).map((it) => row[it][0]))) won.set(agent, (won.get(agent) ?? 0) + 1);
    const told = [...won].sort(([a], [b]) => a - b).map(([agent, number]) => `${agents[agent]} ${number}`);
    return told.length ? `; won by ${told.join(", ")}` : "";
  }
}

// What is not known comes last, however it is sorted.
function compare(a, b, isDown) {
  if (a === null || b === null) return (a === null) - (b === null);
  const order = typeof a === "string" ? a.localeCompare(b) : a - b;
  return isDown ? -order : order;
}

for (const place of document.querySelectorAll("[data-list]")) new List(place, lists[place.dataset.list]);
