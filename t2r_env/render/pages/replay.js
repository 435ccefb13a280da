"use strict";
// A replay: shows the steps of one view, each a picture, what led to it, and what an agent would do there.

const SVG = "http://www.w3.org/2000/svg";
const NARROWEST_WIDE = 700; // pixels: below, the picture is the one laid out as a column
const MOST_LINES = 3; // of what was done last, above the picture; the log has all

const element = (id) => document.getElementById(id);

function finish(made, attributes, inner) {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...inner);
  return made;
}

const make = (tag, attributes = {}, ...inner) => finish(document.createElement(tag), attributes, inner);
const draw = (tag, attributes, ...inner) => finish(document.createElementNS(SVG, tag), attributes, inner);

async function read() {
  const packed = Uint8Array.from(atob(element("content").textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

// The pictures: pieces that are joined again (t2r_env/render/pieces.py)

function textOf(pieces, number) {
  const piece = pieces[number];
  if (typeof piece === "string") return piece;
  const [begin, ...inner] = piece;
  const tag = begin.slice(1).match(/^[^\s>]+/)[0];
  return `${begin}${inner.map((it) => textOf(pieces, it)).join("")}</${tag}>`;
}

function pictureOf(pieces, number) {
  return document.importNode(new DOMParser().parseFromString(textOf(pieces, number), "image/svg+xml").documentElement, true);
}

class Replay {
  constructor(content) {
    this.content = content;
    this.view = content.views[0];
    this.step = 0;
    this.timer = null;
    this.shown = null;
    this.fillHeader();
    this.fillViews();
    this.listen();
    this.choose(0, 0);
  }

  get last() {
    return this.view.turns.length - 1;
  }

  // What does not change

  title(seat) {
    const name = this.content.names[seat];
    return name ? `player_${seat} (${name})` : `player_${seat}`;
  }

  badge(seat) {
    const badge = make("span", { class: "badge", "aria-hidden": "true" }, String(seat));
    [badge.style.background, badge.style.color] = this.content.colours[seat];
    return badge;
  }

  fillHeader() {
    const isTeam = new Set(this.content.teams).size < this.content.teams.length;
    this.content.names.forEach((_, seat) => {
      const team = isTeam ? `, team ${this.content.teams[seat]}` : "";
      element("players").append(make("li", {}, this.badge(seat), ` ${this.title(seat)}${team}`));
    });
  }

  fillViews() {
    const { views } = this.content;
    views.forEach((view, index) => {
      const name = view.seat === null ? "everything" : `what ${this.title(view.seat)} knows`;
      element("view").append(make("option", { value: index }, name));
    });
    element("view-label").hidden = views.length === 1;
    element("contains").textContent =
      views[0].seat !== null
        ? `This file contains what player_${views[0].seat} knew of the game, and nothing else of it.`
        : "This file contains the whole game: all hands and tickets, whichever view is shown.";
  }

  listen() {
    element("view").addEventListener("change", () => this.changeView(Number(element("view").value)));
    element("slider").addEventListener("input", () => this.go(Number(element("slider").value)));
    element("play").addEventListener("click", () => this.toggle());
    element("speed").addEventListener("change", () => this.timer && this.play());
    for (const button of document.querySelectorAll("[data-go]")) {
      button.addEventListener("click", () => this.go(this.targets()[button.dataset.go]));
    }
    element("log").addEventListener("click", (event) => {
      const line = event.target.closest("button");
      if (line) this.go(Number(line.dataset.step));
    });
    document.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.drawPicture()).observe(element("picture"));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select")) return;
    const keys = event.shiftKey
      ? { ArrowLeft: "turnBack", ArrowRight: "turnForward" }
      : { ArrowLeft: "back", ArrowRight: "forward", PageUp: "turnBack", PageDown: "turnForward", Home: "first", End: "last" };
    if (event.key === " " && !event.target.closest("button")) this.toggle();
    else if (event.key in keys) this.go(this.targets()[keys[event.key]]);
    else return;
    event.preventDefault();
  }

  // Where to go

  targets() {
    const { turns } = this.view;
    const start = turns.indexOf(turns[this.step]);
    const back = start < this.step ? start : turns.indexOf(turns[Math.max(0, start - 1)]);
    const next = turns.findIndex((turn) => turn > turns[this.step]);
    return {
      first: 0,
      last: this.last,
      back: this.step - 1,
      forward: this.step + 1,
      turnBack: back,
      turnForward: next < 0 ? this.last : next,
    };
  }

  go(step) {
    this.pause();
    this.show(step);
  }

  toggle() {
    if (this.timer) this.pause();
    else this.play();
  }

  play() {
    this.pause();
    if (this.step === this.last) this.show(0);
    this.timer = setInterval(() => {
      this.show(this.step + 1);
      if (this.step === this.last) this.pause();
    }, Number(element("speed").value));
    this.namePlay();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.namePlay();
  }

  namePlay() {
    const name = this.timer ? "Pause" : "Play";
    element("play").textContent = `${this.timer ? "❚❚" : "▶"} ${name}`;
    element("play").setAttribute("aria-label", name);
    element("status").setAttribute("aria-live", this.timer ? "off" : "polite");
  }

  // Views

  changeView(index) {
    const position = this.view.positions[this.step];
    const { positions } = this.content.views[index];
    const step = positions.findIndex((it) => it >= position); // the first that shows as much
    this.choose(index, step < 0 ? positions.length - 1 : step);
  }

  choose(index, step) {
    this.pause();
    this.view = this.content.views[index];
    this.shown = null;
    element("slider").max = this.last;
    this.fillLog();
    this.drawCurves();
    this.show(step);
  }

  fillLog() {
    const { lines, turns } = this.view;
    this.logLines = lines.map((told, step) => {
      const button = make("button", { type: "button", "data-step": step, tabindex: -1 });
      for (const line of told.length ? told : ["The beginning."]) button.append(this.logLine(line));
      return button;
    });
    const entries = [];
    this.logLines.forEach((button, step) => {
      const turn = turns[Math.max(0, step - 1)]; // that of the decision, not of the position after it
      if (step === 0 || turn !== turns[Math.max(0, step - 2)]) {
        entries.push(make("li", { class: "turn" }, turn ? `Turn ${turn}` : "Before the first turn"));
      }
      entries.push(make("li", {}, button));
    });
    element("log").replaceChildren(...entries);
  }

  logLine(line) {
    const player = line.match(/^player_(\d+) /);
    const told = make("span", { class: "line" });
    if (player && this.content.colours[player[1]]) told.append(this.badge(Number(player[1])), " ");
    told.append(line);
    return told;
  }

  // A step

  show(step) {
    this.step = Math.min(Math.max(step, 0), this.last);
    const isEnd = this.step === this.last;
    element("slider").value = this.step;
    element("slider").setAttribute("aria-valuetext", `step ${this.step} of ${this.last}, turn ${this.view.turns[this.step]}`);
    for (const button of document.querySelectorAll("[data-go]")) {
      const isBack = ["first", "back", "turnBack"].includes(button.dataset.go);
      button.setAttribute("aria-disabled", String(isBack ? this.step === 0 : isEnd));
    }
    this.tellStatus(isEnd);
    this.drawPicture();
    this.markLog();
    this.tellOpinion();
    this.markCurves();
  }

  tellStatus(isEnd) {
    const { view, step } = this;
    const last = this.named(view.lines[step].slice(0, MOST_LINES).join(" ")) + (view.lines[step].length > MOST_LINES ? " …" : "");
    const told = [make("div", {}, this.named(view.heading[step])), make("div", { class: "last" }, last)];
    if (isEnd && view.end) told[0] = make("div", { class: "end" }, this.named(view.end));
    const at = make("span", { class: "quiet" }, ` Step ${step} of ${this.last}.`);
    told[0].append(at);
    element("status").replaceChildren(...told);
  }

  named(text) {
    return text.replace(/player_(\d+)/g, (player, seat) => (this.content.names[seat] ? this.title(seat) : player));
  }

  drawPicture() {
    const isWide = element("picture").clientWidth >= NARROWEST_WIDE;
    const number = (isWide ? this.view.wide : this.view.narrow)[this.step];
    if (number === this.shown) return;
    this.shown = number;
    element("picture").replaceChildren(pictureOf(this.content.pieces, number));
  }

  markLog() {
    const log = element("log");
    for (const line of log.querySelectorAll("[aria-current]")) {
      line.removeAttribute("aria-current");
      line.tabIndex = -1;
    }
    const line = this.logLines[this.step];
    line.setAttribute("aria-current", "step");
    line.tabIndex = 0; // the only line that the tab key stops at
    const top = line.offsetTop - log.offsetTop;
    if (top < log.scrollTop || top + line.offsetHeight > log.scrollTop + log.clientHeight) {
      log.scrollTop = top - log.clientHeight / 2;
    }
  }

  tellOpinion() {
    const { agent } = this.content;
    if (!agent) return;
    const opinion = this.view.opinions[this.step];
    element("opinion").hidden = false;
    element("opinion-title").textContent = `What ${agent} would do`;
    const weights = opinion?.weights ?? [];
    element("opinion-says").textContent = opinion
      ? `${opinion.action}${opinion.agrees ? ", as was done" : `; what was done: ${opinion.played}`}` + (weights.length ? `. Its ${opinion.meaning}:` : ".")
      : this.view.current[this.step] === null
        ? "The game is over."
        : "It is not asked here: the decision is another player's.";
    element("opinion-weights").replaceChildren(
      ...weights.map(([action, share], index) =>
        make(
          "li",
          index === opinion.chosen ? { class: "chosen" } : {},
          make("span", {}, action),
          make("span", { class: "share" }, `${(100 * share).toFixed(1)} %`),
          make("progress", { max: 1, value: share, "aria-hidden": "true" }),
        ),
      ),
    );
  }

  // Curves

  drawCurves() {
    const { scores, completed, points } = this.view;
    this.curves = [
      ["Score", scores],
      ["Completed tickets", completed],
      ["Points of completed tickets", points],
    ].map(([name, values]) => new Curve(name, values, this));
    element("curves").replaceChildren(...this.curves.map((curve) => curve.svg));
  }

  markCurves() {
    for (const curve of this.curves) curve.mark(this.step);
    const { scores, completed, points } = this.view;
    const cell = (value) => make("td", {}, value === null ? "?" : String(value));
    const head = ["at this step", "score", "tickets", "points of these"].map((name) => make("th", { scope: "col" }, name));
    const rows = this.content.names.map((_, seat) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, this.badge(seat), ` ${this.title(seat)}`),
        ...[scores, completed, points].map((values) => cell(values[this.step][seat])),
      ),
    );
    element("numbers").replaceChildren(make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
  }
}

const CURVE = { width: 320, height: 110, left: 28, right: 34, top: 18, bottom: 6 };
const DASHES = ["", "6 2", "2 2", "8 2 2 2", "4 4", "1 3"]; // so that curves differ without colours

class Curve {
  constructor(name, values, replay) {
    this.last = values.length - 1;
    const { width, height, left, right, top, bottom } = CURVE;
    const known = values.flat().filter((value) => value !== null);
    const least = Math.min(0, ...known);
    const most = Math.max(1, ...known);
    this.x = (step) => left + ((width - left - right) * step) / Math.max(1, this.last);
    const y = (value) => height - bottom - ((height - top - bottom) * (value - least)) / (most - least);
    const seats = values[0].map((_, seat) => seat);
    const ends = seats.map((seat) => `player_${seat} ${values[this.last][seat] ?? "unknown"}`).join(", ");
    this.now = draw("line", { class: "now", y1: top, y2: height - bottom });
    this.svg = draw(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${name} over the game; at its end ${ends}` },
      draw("text", { x: 0, y: 12, class: "name" }, name),
      ...[least, most].flatMap((value) => [
        draw("line", { class: "axis", x1: left, x2: width - right, y1: y(value), y2: y(value) }),
        draw("text", { x: left - 4, y: y(value) + 4, "text-anchor": "end" }, String(value)),
      ]),
      this.now,
      ...seats.flatMap((seat) => this.line(values, seat, y, replay.content.colours[seat])),
    );
    this.svg.addEventListener("click", (event) => {
      const box = this.svg.getBoundingClientRect();
      const share = (((event.clientX - box.left) / box.width) * width - left) / (width - left - right);
      replay.go(Math.round(share * this.last));
    });
  }

  line(values, seat, y, [fill, ink]) {
    let path = "";
    let isDrawing = false;
    values.forEach((row, step) => {
      if (row[seat] === null) isDrawing = false;
      else {
        path += `${isDrawing ? "L" : "M"}${this.x(step).toFixed(1)} ${y(row[seat]).toFixed(1)}`;
        isDrawing = true;
      }
    });
    const end = values[this.last][seat];
    if (end === null && !path) return [];
    const drawn = [draw("path", { d: path, fill: "none", stroke: fill, "stroke-width": 1.8, "stroke-dasharray": DASHES[seat % DASHES.length] })];
    if (end !== null) {
      const x = CURVE.width - CURVE.right + 3 + 6 * (seat % 3);
      drawn.push(draw("rect", { x, y: y(end) - 6, width: 11, height: 12, rx: 3, fill }));
      const number = draw("text", { x: x + 5.5, y: y(end) + 4, "text-anchor": "middle" }, String(seat));
      number.style.fill = ink;
      drawn.push(number);
    }
    return drawn;
  }

  mark(step) {
    this.now.setAttribute("x1", this.x(step));
    this.now.setAttribute("x2", this.x(step));
  }
}

read().then(
  (content) => new Replay(content),
  (error) => {
    element("status").textContent = `This page can't be shown: ${error.message}`;
    throw error;
  },
);
