// The board: the map, its size and place, and what is marked on it.
"use strict";

const TARGETS = "[data-route], [data-city]"; // of clicks on the map
const MOST = 8; // times as large as the whole map
const STILL = 6; // pixels that a pointer may move in a click
const REACH = { mouse: 12, touch: 22 }; // pixels from the middle of a route at which it is meant
const NEARER = 0.6; // how far those count that can be chosen
const ROUND = 80; // pixels to which the size of the board is rounded
const PARTS = 16; // of a route, at whose ends distances are measured

const map = { svg: null, text: "", size: "", box: null, zoom: 1, x: 0.5, y: 0.5 }; // x and y: the middle, as a part of the whole
const drawn = new WeakMap(); // the text of each part of the map, without marks
const pointers = new Map(); // those that are down on the board
let dragged = false; // since a pointer went down
let spread = 0; // the distance of two fingers

function showMap(text) {
  if (map.svg) unmark();
  if (map.svg && map.text === text) return;
  const svg = read(text);
  const box = svg.getAttribute("viewBox");
  map.text = text;
  if (map.svg && map.size === box) {
    change(svg);
    return;
  }
  const [x, y, width, height] = box.split(" ").map(Number);
  for (const child of svg.children) drawn.set(child, textOf(child));
  Object.assign(map, { svg: document.adoptNode(svg), size: box, box: { x, y, width, height } });
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", "The map");
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  $("board").replaceChildren(svg);
  $("zoom").hidden = false;
  place();
}

// A map as it is sent. What its routes say is kept as data: a title would lie over the tip.
function read(text) {
  const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  svg.querySelector(":scope > title")?.remove();
  for (const title of svg.querySelectorAll("[data-route] > title")) {
    title.parentNode.dataset.told = title.textContent;
    title.remove();
  }
  return svg;
}

function textOf(part) {
  return new XMLSerializer().serializeToString(part);
}

// Make the map on show the same as another one by changing only the parts that differ.
function change(other) {
  const parts = [...other.children].map((part) => [part, textOf(part)]).map(([part, text]) => [keyOf(part, text), part, text]);
  const keys = new Set(parts.map(([key]) => key));
  let old = map.svg.firstElementChild;
  const isGone = () => old && !keys.has(keyOf(old, drawn.get(old)));
  for (const [key, part, text] of parts) {
    while (isGone()) old = removed(old);
    const isSame = old && keyOf(old, drawn.get(old)) === key;
    const next = isSame ? old.nextElementSibling : old;
    if (!isSame || drawn.get(old) !== text) {
      drawn.set(part, text);
      map.svg.insertBefore(document.adoptNode(part), old);
      if (isSame) old.remove();
    }
    old = next;
  }
  while (old) old = removed(old);
}

function removed(part) {
  const next = part.nextElementSibling;
  part.remove();
  return next;
}

// What a part of the map is: a route, a city, or something that looks like this.
function keyOf({ dataset }, text) {
  return dataset.route ?? dataset.city ?? text;
}

// Take the marks from a map that stays: they are those of the last decision.
function unmark() {
  for (const group of map.svg.querySelectorAll("[data-route], [data-city]")) {
    group.removeAttribute("class");
    for (const name of ["tabindex", "role", "aria-label", "aria-disabled", "data-action"]) group.removeAttribute(name);
  }
}

function showTable(...parts) {
  map.svg = null;
  $("zoom").hidden = true;
  $("board").replaceChildren(...parts);
}

// Size and place

// The sizes that the page has for a broad map and for a tall one, rounded as the server does: maps are laid out for it.
function sizes() {
  const { classList } = document.body;
  const isTall = classList.contains("tall");
  const found = {};
  for (const kind of ["broad", "tall"]) {
    classList.toggle("tall", kind === "tall");
    const { width, height } = room();
    found[kind] = [width, height].map((it) => ROUND * Math.round(it / ROUND)).join("x");
  }
  classList.toggle("tall", isTall);
  return new URLSearchParams(found).toString();
}

function room() {
  const { clientWidth, clientHeight } = $("board");
  return { width: Math.max(1, clientWidth), height: Math.max(1, clientHeight) };
}

function scale() {
  const { width, height } = room();
  return Math.min(width / map.box.width, height / map.box.height) * map.zoom;
}

function place() {
  if (!map.svg) return;
  const { width, height } = room();
  const size = { width: width / scale(), height: height / scale() };
  for (const [axis, side] of [["x", "width"], ["y", "height"]]) {
    const half = size[side] / map.box[side] / 2;
    map[axis] = half >= 0.5 ? 0.5 : Math.min(1 - half, Math.max(half, map[axis]));
  }
  const left = map.box.x + map.x * map.box.width - size.width / 2;
  const top = map.box.y + map.y * map.box.height - size.height / 2;
  map.svg.setAttribute("viewBox", [left, top, size.width, size.height].map((it) => it.toFixed(2)).join(" "));
}

// Make it larger by a factor, so that a point of the page stays where it is; 0 shows the whole map.
function zoomBy(factor, point = null) {
  if (!map.svg) return;
  const before = scale();
  map.zoom = factor ? Math.min(MOST, Math.max(1, map.zoom * factor)) : 1;
  if (point) {
    const frame = $("board").getBoundingClientRect();
    const away = { x: point.x - frame.left - frame.width / 2, y: point.y - frame.top - frame.height / 2 };
    map.x += (away.x * (1 / before - 1 / scale())) / map.box.width;
    map.y += (away.y * (1 / before - 1 / scale())) / map.box.height;
  }
  place();
}

function moveBy(x, y) {
  if (!map.svg) return;
  map.x -= x / scale() / map.box.width;
  map.y -= y / scale() / map.box.height;
  place();
}

function onWheel(event) {
  if (!map.svg) return;
  event.preventDefault();
  zoomBy(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0018)), { x: event.clientX, y: event.clientY });
}

function onDown(event) {
  if (event.target.closest("#zoom") || !map.svg) return;
  if (!pointers.size) dragged = false;
  pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, fromX: event.clientX, fromY: event.clientY });
  spread = 0;
}

function onMove(event) {
  const last = pointers.get(event.pointerId);
  if (!last) return;
  const [x, y] = [event.clientX - last.x, event.clientY - last.y];
  const isFar = Math.hypot(event.clientX - last.fromX, event.clientY - last.fromY) > STILL;
  if (!dragged && !isFar && pointers.size === 1) return;
  if (!dragged) $("picture").setPointerCapture(event.pointerId);
  dragged = true;
  Object.assign(last, { x: event.clientX, y: event.clientY });
  if (pointers.size === 2) {
    const [one, other] = pointers.values();
    const now = Math.hypot(one.x - other.x, one.y - other.y);
    if (spread) zoomBy(now / spread, { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
    spread = now;
    moveBy(x / 2, y / 2);
  } else {
    moveBy(x, y);
  }
}

function onUp(event) {
  pointers.delete(event.pointerId);
  spread = 0;
}

// Keys of the map, if it has the focus. Returns whether it was one of them.
function onMapKey(key) {
  const step = 60;
  const moves = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
  if (!map.svg) return false;
  if (key === "+" || key === "=") zoomBy(1.25);
  else if (key === "-") zoomBy(0.8);
  else if (key === "0") zoomBy(0);
  else if (moves[key]) moveBy(...moves[key]);
  else return false;
  return true;
}

// Words

function cityName(city) {
  return map.svg.querySelector(`[data-city="${CSS.escape(city)}"] > title`).textContent;
}

// What a route or a city says to those who do not see it: its cities, colour, length and owner.
function inWords(group) {
  const { route, city, told } = group.dataset;
  if (city !== undefined) return cityName(city);
  const [a, b] = route.split(" ");
  const [, colour, length, marks, state] = told.match(/\(([^,()]*), (\d+)([^()]*)\): (.*)$/s);
  return `${cityName(a)} to ${cityName(b)}, ${colour}, length ${length}${marks}, ${state}`;
}

// The routes that a line of the log is about, each as [a, b, track].
function routesIn(line) {
  if (!map.svg || !line.includes("–")) return [];
  const routes = [...map.svg.querySelectorAll("[data-route]")].map(({ dataset }) => dataset.route.split(" "));
  return routes.filter(([a, b]) => line.includes(`${cityName(a)}–${cityName(b)}`));
}

// Marks

// The route or city that is meant at a point: the parts of routes lie over each other, so the nearest is.
function aimed({ target, clientX, clientY, pointerType }) {
  const under = target.closest(TARGETS);
  if (!map.svg || under?.matches("[data-city]")) return under;
  let best = under;
  let least = REACH[pointerType] ?? REACH.mouse;
  for (const halo of map.svg.querySelectorAll("[data-route] > .halo")) {
    const group = halo.parentNode;
    const away = distance(halo, clientX, clientY) * (group.matches(".can") ? NEARER : 1);
    if (away < least) [best, least] = [group, away];
  }
  return best;
}

const lines = new WeakMap(); // the points along a route, in its own units

function distance(path, x, y) {
  if (!lines.has(path)) {
    const step = path.getTotalLength() / PARTS;
    lines.set(path, Array.from({ length: PARTS + 1 }, (_, index) => path.getPointAtLength(index * step)));
  }
  const frame = path.getScreenCTM();
  const point = new DOMPoint(x, y).matrixTransform(frame.inverse());
  return frame.a * Math.min(...lines.get(path).map((it) => Math.hypot(it.x - point.x, it.y - point.y)));
}

// Light what a click would mean.
function showAimed(event) {
  const group = event.pointerType === "mouse" && !event.buttons ? aimed(event) : null;
  for (const old of $("board").querySelectorAll(".aimed")) if (old !== group) old.classList.remove("aimed");
  if (group) group.classList.add("aimed");
}

function routeGroup([a, b, track]) {
  return map.svg?.querySelector(`[data-route="${CSS.escape(a)} ${CSS.escape(b)} ${track}"]`);
}

// Light routes, each as [a, b, track], and cities, and nothing else.
function light({ routes = [], cities = [] } = {}) {
  for (const lit of document.querySelectorAll("#board .lit")) lit.classList.remove("lit");
  for (const route of routes) routeGroup(route)?.classList.add("lit");
  for (const city of cities) map.svg?.querySelector(`[data-city="${CSS.escape(city)}"]`)?.classList.add("lit");
}

// Have an element light something while it is pointed at or has the focus.
function lights(element, things) {
  for (const event of ["pointerenter", "focusin"]) element.addEventListener(event, () => light(things));
  for (const event of ["pointerleave", "focusout"]) element.addEventListener(event, () => light(resting()));
  return element;
}

$("picture").addEventListener("wheel", onWheel, { passive: false });
$("picture").addEventListener("pointerdown", onDown);
$("picture").addEventListener("pointermove", onMove);
$("board").addEventListener("pointermove", showAimed);
$("board").addEventListener("pointerleave", showAimed);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, onUp);
$("picture").addEventListener("dblclick", (event) => {
  if (!event.target.closest(".can, #zoom")) zoomBy(1.6, { x: event.clientX, y: event.clientY });
});
const small = matchMedia("(max-width: 599px), (max-width: 899px) and (min-height: 560px)");
const placeZoom = () => (small.matches ? $("picture") : $("tools")).prepend($("zoom"));
small.addEventListener("change", placeZoom);
placeZoom();
for (const button of $("zoom").children) button.addEventListener("click", () => zoomBy(Number(button.dataset.zoom)));
new ResizeObserver(place).observe($("board"));
