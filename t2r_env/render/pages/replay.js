// A replay: shows the steps of one view, each a picture, what led to it, and what agents would do there. With a review
// it shows each seat's chance to win, marks mistakes, and leads from one to the next.

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
const points = (chance) => (100 * chance).toFixed(1).replace("-", "−");
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
    this.follow();
  }

  get last() {
    return this.view.turns.length - 1;
  }

  // What does not change

  badge(seat) {
    const badge = make("span", { class: "badge", "aria-hidden": "true" }, String(seat));
    [badge.style.background, badge.style.color] = this.content.colours[seat];
    return badge;
  }

  fillHeader() {
    const isTeam = new Set(this.content.teams).size < this.content.teams.length;
    this.content.names.forEach((name, seat) => {
      const team = isTeam ? `, team ${this.content.teams[seat]}` : "";
      element("players").append(make("li", {}, this.badge(seat), ` ${name}${team}`));
    });
    element("back").hidden = !this.content.back;
    if (this.content.back) element("back").href = this.content.back;
  }

  fillViews() {
    const { views } = this.content;
    views.forEach((view, index) => {
      const name = view.seat === null ? "everything" : `what ${this.content.names[view.seat]} knows`;
      element("view").append(make("option", { value: index }, name));
    });
    element("view-label").hidden = views.length === 1;
    const { review } = this.content;
    element("to-sum").href = "#sum";
    document.body.classList.toggle("reviewed", review !== null);
    for (const id of ["chance", "chance-curve", "judged", "ticks", "ticks-help", "mistake-keys", "sum", "to-sum"]) element(id).hidden = !review;
    for (const button of document.querySelectorAll("[data-go^=mistake]")) button.hidden = !review;
    element("contains").textContent =
      views[0].seat !== null
        ? `This file contains what ${this.content.names[views[0].seat]} knew of the game, and nothing else of it.`
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
    window.addEventListener("hashchange", ({ newURL }) => this.follow(new URL(newURL).hash));
    new ResizeObserver(() => this.drawPicture()).observe(element("picture"));
    new ResizeObserver(() => this.fitCurve()).observe(element("chance-curve"));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select")) return;
    const keys = event.shiftKey
      ? { ArrowLeft: "turnBack", ArrowRight: "turnForward", M: "mistakeBack" }
      : { m: "mistakeForward", ArrowLeft: "back", ArrowRight: "forward", PageUp: "turnBack", PageDown: "turnForward", Home: "first", End: "last" };
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
      mistakeBack: this.mistakes.findLast((step) => step < this.step) ?? this.step,
      mistakeForward: this.mistakes.find((step) => step > this.step) ?? this.step,
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
    this.noteAddress();
  }

  namePlay() {
    const name = this.timer ? "Pause" : "Play";
    element("play").textContent = `${this.timer ? "❚❚" : "▶"} ${name}`;
    element("play").setAttribute("aria-label", name);
    element("status").setAttribute("aria-live", this.timer ? "off" : "polite");
  }

  // The address of a step: #step=41, or #step=41&seat=1 in the view of a seat

  get address() {
    return this.addressOf(this.step);
  }

  addressOf(step) {
    const { seat } = this.view;
    return `#step=${step}${this.content.views.length > 1 && seat !== null ? `&seat=${seat}` : ""}`;
  }

  // Go where an address leads; `noteAddress` may have written another one since.
  follow(hash = location.hash) {
    const asked = new URLSearchParams(hash.slice(1));
    const step = asked.get("step");
    if (!/^\d{1,6}$/.test(step ?? "")) return;
    const index = this.content.views.findIndex((view) => String(view.seat) === asked.get("seat"));
    if (index > 0 || this.view !== this.content.views[0]) this.choose(Math.max(0, index), Number(step));
    else this.go(Number(step));
  }

  // A moment later, so that browsers do not refuse too many changes at once.
  noteAddress() {
    clearTimeout(this.noting);
    if (!this.timer) this.noting = setTimeout(() => history.replaceState(null, "", this.address), 250);
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
    element("view").value = index;
    this.shown = null;
    element("slider").max = this.last;
    this.mistakes = this.view.opinions.flatMap((told, step) => (told?.[0]?.is_mistake ? [step] : []));
    this.fillLog();
    this.fillCount();
    this.drawCurves();
    if (this.content.review) {
      this.fillReview();
      this.fillSum();
    }
    this.show(step);
  }

  fillLog() {
    const { lines, turns } = this.view;
    this.logLines = lines.map((told, step) => {
      const button = make("button", { type: "button", "data-step": step, tabindex: -1 });
      for (const line of told.length ? told : ["The beginning."]) button.append(this.logLine(line));
      for (const kind of ["mouseenter", "focus"]) button.addEventListener(kind, () => this.light(this.routesIn(told)));
      for (const kind of ["mouseleave", "blur"]) button.addEventListener(kind, () => this.light([]));
      return button;
    });
    const entries = [];
    this.logLines.forEach((button, step) => {
      const turn = turns[Math.max(0, step - 1)]; // that of the decision, not of the position after it
      if (step === 0 || turn !== turns[Math.max(0, step - 2)]) {
        entries.push(make("li", { class: "turn" }, turn ? `Turn ${turn}` : "Before the first turn"));
      }
      entries.push(make("li", {}, button));
      if (this.mistakes.includes(step - 1)) entries.push(this.mistakeLine(step - 1));
    });
    element("log").replaceChildren(...entries);
  }

  logLine(line) {
    const told = make("span", { class: "line" });
    const seat = this.seatOf(line);
    if (seat !== null) told.append(this.badge(seat), " ");
    told.append(line);
    return told;
  }

  // Whose name a sentence begins with; of two, the longer.
  seatOf(line) {
    const { names } = this.content;
    const told = line.toLowerCase(); // a sentence may begin with a capital letter that the name has not
    const found = names.filter((name) => told.startsWith(`${name.toLowerCase()} `)).sort((a, b) => b.length - a.length);
    return found.length ? names.indexOf(found[0]) : null;
  }

  // How a finished game is counted: the routes that a line is about are lit while the pointer or the focus is on it.
  fillCount() {
    const lines = this.view.count.map(({ title, seat, points, routes }) => {
      const line = make("li", routes.length ? { tabindex: 0 } : {}, ...(seat === null ? [""] : [this.badge(seat)]), make("span", {}, title));
      if (points !== null) line.append(make("b", {}, points > 0 ? `+${points}` : String(points).replace("-", "−")));
      for (const kind of ["mouseenter", "focus"]) line.addEventListener(kind, () => this.light(routes));
      for (const kind of ["mouseleave", "blur"]) line.addEventListener(kind, () => this.light([]));
      return line;
    });
    element("stages").replaceChildren(...lines);
  }

  // The routes that lines of the log are about.
  routesIn(lines) {
    const name = (city) => document.querySelector(`#picture [data-city="${CSS.escape(city)}"] > title`)?.textContent;
    const routes = [...document.querySelectorAll("#picture [data-route]")].map(({ dataset }) => dataset.route.split(" "));
    return routes.filter(([a, b]) => lines.some((line) => line.includes(`${name(a)}–${name(b)}`)));
  }

  light(routes) {
    const names = new Set(routes.map((route) => route.join(" ")));
    for (const route of document.querySelectorAll("#picture [data-route]")) {
      route.classList.toggle("lit", names.has(route.dataset.route));
    }
  }

  // A step

  show(step) {
    this.step = Math.min(Math.max(step, 0), this.last);
    const isEnd = this.step === this.last;
    element("slider").value = this.step;
    element("slider").setAttribute("aria-valuetext", `step ${this.step} of ${this.last}, turn ${this.view.turns[this.step]}`);
    const targets = this.targets();
    for (const button of document.querySelectorAll("[data-go]")) {
      const target = targets[button.dataset.go];
      button.setAttribute("aria-disabled", String(target < 0 || target > this.last || target === this.step));
    }
    this.tellStatus(isEnd);
    if (this.content.review) this.showChances();
    this.drawPicture();
    this.markLog();
    this.tellOpinion();
    this.tellBelieved();
    element("count").hidden = !isEnd || !this.view.count.length;
    this.markCurves();
    this.noteAddress();
  }

  tellStatus(isEnd) {
    const { view, step } = this;
    const lines = view.lines[step].length ? view.lines[step] : ["The beginning."];
    const shown = isEnd && view.current[step] === null ? lines.slice(-1) : lines.slice(0, MOST_LINES); // who has won
    const told = shown.map((line) => this.logLine(line));
    if (shown.length < lines.length && !isEnd) told.at(-1).append(" …");
    told.push(make("span", { class: "unseen" }, view.heading[step])); // which the picture says, too
    element("status").replaceChildren(...told);
    element("status").classList.toggle("end", isEnd);
    element("here").textContent = `Step ${step} of ${this.last}`;
    element("here").href = this.address;
    const { play_on: page } = this.content;
    element("play-on").hidden = !page || !view.positions || isEnd;
    if (page && view.positions) element("play-on").href = `${page}#position=${view.positions[step]}`;
  }

  drawPicture() {
    const isWide = element("picture").clientWidth >= NARROWEST_WIDE;
    const number = (isWide ? this.view.wide : this.view.narrow)[this.step];
    if (number !== this.shown) element("picture").replaceChildren(pictureOf(this.content.pieces, number));
    this.shown = number;
    this.markPicture();
  }

  // On the picture: how the first agent weighs actions, and where it would do another one, both of them.
  markPicture() {
    const opinion = this.view.opinions[this.step]?.[0];
    const kinds = ["weighed", "played", "better"];
    for (const group of document.querySelectorAll("#picture :is(.weighed, .played, .better)")) group.classList.remove(...kinds);
    const mark = (kind, target) => {
      const group = groupOf(target);
      group?.classList.add(kind);
      return group;
    };
    const told = (opinion?.weights ?? []).map(({ target, share }) => {
      const group = mark("weighed", target);
      group?.style.setProperty("--share", share);
      return group;
    });
    const differs = opinion && !opinion.agrees;
    const marked = {
      weighed: told.some(Boolean) && "the broader, the more weight",
      played: differs && mark("played", opinion.played.target) && `done: ${opinion.played.text}`,
      better: differs && mark("better", opinion.action.target) && `${this.content.agents[0]} would: ${opinion.action.text}`,
    };
    const legend = kinds.filter((kind) => marked[kind]).map((kind) => make("span", {}, make("span", { class: `swatch ${kind}`, "aria-hidden": "true" }), `${marked[kind]}. `));
    element("marks").replaceChildren(...legend);
    element("marks").hidden = !this.content.agents.length;
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
    const { agents } = this.content;
    if (!agents.length) return;
    const opinions = this.view.opinions[this.step] ?? [];
    const [opinion] = opinions;
    element("opinion").hidden = false;
    element("opinion-title").textContent = `What ${agents[0]} would do`;
    const weights = opinion?.weights ?? [];
    const first = weights[opinion?.chosen];
    element("opinion-says").textContent = opinion
      ? `${opinion.action.text}${opinion.agrees ? ", as was done" : `; what was done: ${opinion.played.text}`}` + (weights.length ? `. Its ${opinion.meaning}:` : ".")
      : this.view.current[this.step] === null
        ? "The game is over."
        : "It is not asked here: the decision is another player's.";
    const isJudged = opinion?.loss !== undefined && !opinion.agrees;
    tell("opinion-loss", isJudged && `${opinion.is_mistake ? "✗ A mistake: what was done" : "What was done"} costs ${lossOf(opinion)} points of 100.`);
    element("opinion-loss").classList.toggle("mistake", Boolean(isJudged && opinion.is_mistake));
    tell("opinion-reason", opinion?.reason);
    element("opinion-weights").replaceChildren(
      ...weights.map(({ text, share, value, error }, index) =>
        make(
          "li",
          index === opinion.chosen ? { class: "chosen" } : {},
          make("span", {}, text),
          make("span", { class: "share" }, `${(100 * share).toFixed(1)} % ${chanceAfter({ value, error: first && error }, index === opinion.chosen ? null : first?.value)}`),
          make("progress", { max: 1, value: share, "aria-hidden": "true" }),
        ),
      ),
    );
    const hasValues = weights.some(({ value }) => typeof value === "number");
    const interval = typeof first?.error === "number" ? " In brackets: how many points better or worse than the choice. ± is a 95 % interval over these deals." : "";
    tell("opinion-help", hasValues && `After the arrow: the player's chance to win after this action, estimated in a few deals of what it could not know.${interval}`);
    this.tellAgents(opinions);
  }

  // Several agents side by side; those that would do something else than the first one are marked.
  tellAgents(opinions) {
    const isTold = opinions.length > 1;
    element("agents").hidden = !isTold;
    if (!isTold) return;
    const isJudged = opinions[0].loss !== undefined;
    const head = ["agent", "would", ...(isJudged ? ["played costs"] : [])].map((name) => make("th", { scope: "col" }, name));
    const rows = opinions.map((opinion, number) => {
      const differs = opinion.action.text !== opinions[0].action.text;
      const cells = [make("td", {}, `${differs ? "≠ " : ""}${opinion.action.text}`), ...(isJudged ? [make("td", {}, opinion.agrees ? "as done" : lossOf(opinion))] : [])];
      return make("tr", { class: differs ? "differ" : "same", title: opinion.reason ?? "" }, make("th", { scope: "row" }, this.content.agents[number]), ...cells);
    });
    element("agents").replaceChildren(make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
  }

  // The review

  fillReview() {
    const { agents, names, review } = this.content;
    const { opinions, current } = this.view;
    const told = opinions.filter(Boolean).length;
    const differing = opinions.flatMap((it, step) => (it && new Set(it.map(({ action }) => action.text)).size > 1 ? [step] : []));
    const place = (mark, step, row) => {
      mark.style.left = `calc(8px + (100% - 16px) * ${step / Math.max(1, this.last)})`;
      mark.style.top = `${10 * row}px`;
      return mark;
    };
    const ticks = this.mistakes.map((step) => {
      const seat = current[step];
      const tick = make("button", { type: "button", tabindex: -1, "data-step": step, title: `${names[seat]}: ${this.mistakeAt(step)}` });
      tick.style.background = this.content.colours[seat][0];
      tick.addEventListener("click", () => this.go(step));
      return place(tick, step, seat);
    });
    const dots = differing.map((step) => place(make("span", { class: "differ" }), step, names.length));
    element("ticks").replaceChildren(...ticks, ...dots);
    element("ticks").style.height = `${10 * names.length + (agents.length > 1 ? 5 : 0)}px`;
    const counts = names.map((name, seat) => [name, this.mistakes.filter((step) => current[step] === seat).length, seat]);
    const asked = counts.filter(([, , seat]) => this.view.seat === null || seat === this.view.seat);
    const isJudged = opinions.some((it) => it?.[0]?.loss !== undefined);
    const disagree = agents.length > 1 ? ` Dots: the agents disagree at ${differing.length} of ${told} decisions.` : "";
    const found = isJudged ? `Mistakes by the choices of ${agents[0]}: ${asked.map(([name, number]) => `${name} ${number}`).join(", ")}. ` : "";
    tell("ticks-help", `${isJudged ? "Mistakes, a row for each player." : ""}${disagree}`);
    const truth = this.view.seat === null ? "from everything, hands and tickets of all included" : `from what ${names[this.view.seat]} knew`;
    const measured = review.measured_on ? ` Its estimates were compared with the results of ${review.measured_on}.` : "";
    tell("judged", `${found}Chances to win are estimates of a network of values, ${truth}; at the end they are the result.${measured} A number in the curve: a mistake of that player. ${review.judged_by}`);
  }

  // What made the result, the costliest decisions and the luckiest cards; each sentence leads to its step.
  fillSum() {
    const { names, agents } = this.content;
    const { sum, seat, current, opinions } = this.view;
    const seats = Object.keys(sum.rows).map(Number);
    const about = PARTS[seat === null ? "everything" : "known"];
    const rows = sum.names.map((name, number) => {
      const says = about[name] ? [make("small", {}, about[name].replace("AGENT", agents[0]))] : [];
      const cells = seats.map((it) => {
        const [value, error] = sum.rows[it][number];
        return make("td", {}, points(value), ...(error === undefined ? [] : [` ± ${points(error)}`]));
      });
      return make("tr", {}, make("th", { scope: "row" }, name, ...says), ...cells);
    });
    const head = seats.map((it) => make("th", { scope: "col" }, this.badge(it), ` ${names[it]}`));
    element("parts").replaceChildren(make("thead", {}, make("tr", {}, make("td"), ...head)), make("tbody", {}, ...rows));
    const decisions = sum.costliest.map((step) => {
      const [opinion] = opinions[step];
      const why = opinion.reason ? `. ${opinion.reason.replace(/\.$/, "")}` : "";
      return this.moment(step, `${names[current[step]]}: ${(opinion.played ?? opinion.action).text}; ${agents[0]} would ${opinion.action.text}${why}.`, -opinion.loss, opinion.error);
    });
    element("costliest-title").textContent = decisions.length ? "The costliest decisions" : `No decision was a mistake by the choices of ${agents[0]}`;
    element("costliest").replaceChildren(...decisions);
    const lucky = sum.luckiest.map(({ step, text, change, error }) => this.moment(step, text, change, error));
    element("luckiest").replaceChildren(...(lucky.length ? lucky : [make("li", {}, "Nothing.")]));
  }

  moment(step, text, change, error) {
    const link = make("a", { href: this.addressOf(step) }, text);
    link.addEventListener("click", () => element("status").scrollIntoView({ block: "nearest" }));
    return make("li", {}, make("b", {}, `${pointsMore(change)} ± ${points(error)}`), " ", link);
  }

  mistakeAt(step) {
    const [{ action, ...opinion }] = this.view.opinions[step];
    return `a mistake, ${lossOf(opinion)} points; ${this.content.agents[0]} would ${action.text}`;
  }

  mistakeLine(step) {
    return make("li", { class: "mistake" }, make("button", { type: "button", "data-step": step, tabindex: -1 }, `✗ ${this.mistakeAt(step)}`));
  }

  showChances() {
    const { names, teams, colours, review } = this.content;
    const chances = this.view.chances[this.step];
    const seats = names.map((_, seat) => seat).filter((seat) => teams.indexOf(teams[seat]) === seat); // one of each team
    const titleOf = (seat) => names.filter((_, it) => teams[it] === teams[seat]).join(" and ");
    const numbersOf = (seat) => names.flatMap((_, it) => (teams[it] === teams[seat] ? [it] : [])).join("+");
    const parts = (chances ? seats : []).map((seat) => ({ label: numbersOf(seat), share: chances[seat], paint: colours[seat] }));
    const told = chances ? seats.map((seat) => `${titleOf(seat)} ${inPercent(chances[seat])}`).join(", ") : "unknown";
    fillChances(element("chance-bar"), parts, told);
    const bins = review.reliability[this.view.seat === null ? "everything" : "known"];
    const isResult = this.step === this.last && this.view.current[this.step] === null;
    const first = chances?.[seats[0]];
    const bin = bins?.reduce((best, it) => (Math.abs(it[0] - first) < Math.abs(best[0] - first) ? it : best), bins[0]);
    const how = isResult ? "the result" : howSure(bin);
    element("chance-says").textContent = `Chance to win: ${told} (${chances ? how : "after an action that was not legal"}).`;
  }

  // What a player may think that the others hold; in the view of everything beside what they do hold.
  tellBelieved() {
    const told = this.view.believed?.[this.step];
    element("believed").hidden = !told?.of.length;
    if (!told?.of.length) return;
    const rows = told.of.flatMap(({ seat, tickets }) =>
      tickets.map(([ticket, chance, isHeld], index) =>
        make(
          "tr",
          isHeld ? { class: "held" } : {},
          make("td", {}, ...(index ? [] : [this.badge(seat)])),
          make("td", {}, ticket),
          make("td", {}, inPercent(chance)),
          make("td", {}, isHeld ? make("span", { title: "held" }, "✓") : ""),
        ),
      ),
    );
    element("believed-of").replaceChildren(...rows);
    const everything = this.view.seat === null ? " ✓: the ticket is held." : "";
    element("believed-help").textContent = `Chances of tickets by a network that has watched games, from what ${this.content.names[told.by]} knew.${everything}`;
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
    if (this.content.review) this.drawChances();
  }

  // The curve of chances has the width of the page, so that its letters keep their size.
  drawChances() {
    const { chances, current } = this.view;
    const shares = chances.map((row) => (row ?? this.content.names.map(() => null)).map((share) => (share === null ? null : Math.round(100 * share))));
    const marks = this.mistakes.map((step) => ({ step, seat: current[step], title: this.mistakeAt(step) }));
    const width = Math.max(280, element("chance-curve").clientWidth);
    this.chanceCurve = new Curve("Chance to win, %", shares, this, { size: { ...CURVE, width, height: 190, bottom: 24 }, most: 100, axis: "step", marks });
    element("chance-curve").replaceChildren(this.chanceCurve.svg);
  }

  fitCurve() {
    if (!this.content.review || this.chanceCurve?.size.width === element("chance-curve").clientWidth) return;
    this.drawChances();
    this.chanceCurve.mark(this.step);
  }

  markCurves() {
    for (const curve of [...this.curves, ...(this.chanceCurve ? [this.chanceCurve] : [])]) curve.mark(this.step);
    const { scores, completed, points } = this.view;
    const cell = (value) => make("td", {}, value === null ? "?" : String(value));
    const head = ["at this step", "score", "tickets", "points of these"].map((name) => make("th", { scope: "col" }, name));
    const rows = this.content.names.map((name, seat) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, this.badge(seat), ` ${name}`),
        ...[scores, completed, points].map((values) => cell(values[this.step][seat])),
      ),
    );
    element("numbers").replaceChildren(make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
  }
}

// The parts of a result, in words.
const PARTS = {
  everything: {
    even: "what each has before anything is known",
    deal: "the first cards and tickets, and who begins",
    "own decisions": "against the choices of AGENT",
    "others'": "the decisions of the others",
    luck: "cards, tickets and tunnels against what could have come",
    rest: "what players could not know, and the error of the network",
  },
  known: {
    even: "before anything is known",
    deal: "the first cards and tickets, and who begins",
    "own decisions": "against the choices of AGENT",
    luck: "own draws against what could have come, by what was known",
    rest: "what the others did and drew, and the error of the network",
  },
};

const CURVE = { width: 320, height: 118, left: 28, right: 58, top: 28, bottom: 6 };
const LABEL = 13; // the least distance of the labels at the ends of curves
const DASHES = ["", "6 2", "2 2", "8 2 2 2", "4 4", "1 3"]; // so that curves differ without colours

class Curve {
  constructor(name, values, replay, { size = CURVE, most: whole = 1, axis = "", marks = [] } = {}) {
    this.last = values.length - 1;
    this.size = size;
    const { width, height, left, right, top, bottom } = size;
    const known = values.flat().filter((value) => value !== null);
    const least = Math.min(0, ...known);
    const most = Math.max(whole, ...known);
    this.x = (step) => left + ((width - left - right) * step) / Math.max(1, this.last);
    const y = (value) => height - bottom - ((height - top - bottom) * (value - least)) / (most - least);
    const seats = values[0].map((_, seat) => seat);
    const at = values[this.last];
    const ends = seats.map((seat) => `${replay.content.names[seat]} ${at[seat] ?? "unknown"}`).join(", ");
    const places = apart(at.map((value) => (value === null ? null : y(value))), LABEL, top, height - bottom);
    this.now = draw("line", { class: "now", y1: top, y2: height - bottom });
    this.svg = draw(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${name} over the game; at its end ${ends}` },
      draw("text", { x: 0, y: 12, class: "name" }, name),
      ...[least, ...(axis ? [(least + most) / 2] : []), most].flatMap((value) => [
        draw("line", { class: "axis", x1: left, x2: width - right, y1: y(value), y2: y(value) }),
        draw("text", { x: left - 4, y: y(value) + 4, "text-anchor": "end" }, String(value)),
      ]),
      this.now,
      ...seats.flatMap((seat) => this.line(values, seat, y, places[seat], replay.content.colours[seat])),
      ...marks.map((mark) => this.mistake(mark, y(values[mark.step][mark.seat]), replay.content.colours[mark.seat])),
      ...(axis ? [draw("text", { x: left, y: height - 6 }, `${axis} 0`), draw("text", { x: width - right, y: height - 6, "text-anchor": "end" }, `${axis} ${this.last}`)] : []),
    );
    this.svg.addEventListener("click", (event) => {
      const box = this.svg.getBoundingClientRect();
      const share = (((event.clientX - box.left) / box.width) * width - left) / (width - left - right);
      replay.go(Math.round(share * this.last));
    });
  }

  line(values, seat, y, place, [fill, ink]) {
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
      const x = this.size.width - this.size.right;
      const number = draw("text", { x: x + 14.5, y: place + 4, "text-anchor": "middle" }, String(seat));
      number.style.fill = ink;
      drawn.push(
        draw("path", { d: `M${x} ${y(end).toFixed(1)}L${x + 8} ${place.toFixed(1)}`, stroke: fill }),
        draw("rect", { x: x + 9, y: place - 6, width: 11, height: 12, rx: 3, fill }),
        number,
        draw("text", { x: x + 23, y: place + 4 }, String(end)),
      );
    }
    return drawn;
  }

  mistake({ step, seat, title }, y, [fill, ink]) {
    const x = this.x(step);
    const number = draw("text", { x, y: y + 3.5, "text-anchor": "middle" }, String(seat));
    number.style.fill = ink;
    return draw("g", { class: "mistake" }, draw("title", {}, title), draw("circle", { cx: x, cy: y, r: 7, fill }), number);
  }

  mark(step) {
    this.now.setAttribute("x1", this.x(step));
    this.now.setAttribute("x2", this.x(step));
  }
}

// Say something where there is something to say.
function tell(id, text) {
  element(id).textContent = text || "";
  element(id).hidden = !text;
}

// What the action played costs, with its 95 % interval, in points of 100.
function lossOf({ loss, error }) {
  return `${points(loss)} (${points(loss - error)} to ${points(loss + error)})`;
}

// The group of the picture that an action is about, if there is one.
function groupOf(target) {
  if (!target) return null;
  const [[kind, name]] = Object.entries(target);
  return document.querySelector(`#picture [data-${kind}="${CSS.escape(kind === "route" ? name.join(" ") : name)}"]`);
}

// Places as near to the wanted ones as they can be when they keep their distance, in their order, within bounds.
function apart(wanted, distance, low, high) {
  const order = wanted.map((_, index) => index).filter((index) => wanted[index] !== null);
  order.sort((a, b) => wanted[a] - wanted[b]);
  const places = [...wanted];
  order.forEach((index, rank) => {
    places[index] = Math.max(wanted[index], rank ? places[order[rank - 1]] + distance : low);
  });
  order.reverse().forEach((index, rank) => {
    places[index] = Math.min(places[index], rank ? places[order[rank - 1]] - distance : high);
  });
  return places;
}

read().then(
  (content) => new Replay(content),
  (error) => {
    element("status").textContent = `This page can't be shown: ${error.message}`;
    throw error;
  },
);
