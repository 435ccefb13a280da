// What is said and asked beside a route on the map: what it brings and lacks, whether it is meant, how it is paid.
"use strict";

const AWAY = 16; // pixels from a route, or from the pointer
const MOST_BESIDE = 6; // actions

let besideRoute = null; // the route with a question beside it, as [a, b, track]
let tipped = null; // the route that the tip is about

// What a route brings, and what is missing for it

function noteOf(route) {
  const key = JSON.stringify(route);
  return shown?.decision?.routes.find((it) => JSON.stringify(it.route) === key);
}

function signed(points) {
  return `${points > 0 ? "+" : ""}${points}`.replace("-", "−");
}

// The points and the use of an action, as parts of a button or a line.
function gainOf({ points, note }) {
  return [
    points === undefined ? "" : make("b", { class: "gain", "aria-label": `${points} points` }, signed(points)),
    note ? make("span", { class: "note" }, linked(note)) : "",
  ];
}

function showTip(group, x, y) {
  if (group !== tipped) {
    tipped = group;
    $("tip").hidden = !group;
    if (group) fillTip(group);
  }
  if (!group) return;
  const { offsetWidth, offsetHeight } = $("tip");
  $("tip").style.left = `${x + AWAY + offsetWidth > innerWidth ? Math.max(0, x - AWAY - offsetWidth) : x + AWAY}px`;
  $("tip").style.top = `${y + AWAY + offsetHeight > innerHeight ? Math.max(0, y - AWAY - offsetHeight) : y + AWAY}px`;
}

// Write the tip of a route: what it is, and if it can still be claimed, what it brings and what is missing.
function fillTip(group) {
  const note = noteOf(targetOf(group).route);
  const use = note && { points: note.points, note: note.note || "You can claim it." };
  $("tip").replaceChildren(make("strong", {}, note ? note.text : inWords(group)), ...(use ? gainOf(use) : []));
}

function onPointer({ pointerType, clientX, clientY }) {
  const group = pointerType === "mouse" && !dragged ? $("board").querySelector("[data-route].aimed") : null;
  showTip(group, clientX, clientY);
}

function onFocus({ target }) {
  const group = target.closest("[data-route]");
  if (!group?.matches(":focus-visible")) return;
  const { right, top, height } = group.getBoundingClientRect();
  showTip(group, right - AWAY, top + height / 2 - AWAY);
}

// Questions beside a route

// Show something beside a route; returns whether there is room for it: on small screens, or with the route out of sight,
// there is none.
function askBeside(route, ...parts) {
  const group = routeGroup(route);
  if (!group || small.matches || !isInSight(group)) return false;
  besideRoute = route;
  showTip(null);
  $("beside").replaceChildren(...parts);
  $("beside").hidden = false;
  placeBeside();
  return true;
}

function isInSight(group) {
  const frame = $("picture").getBoundingClientRect();
  const { left, top, width, height } = group.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  return x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
}

function hideBeside() {
  besideRoute = null;
  $("beside").hidden = true;
  if ($("beside").contains($("chosen"))) $("question").after($("chosen"));
  $("beside").replaceChildren();
}

function placeBeside() {
  const group = besideRoute && routeGroup(besideRoute);
  if (!group) return;
  const frame = $("picture").getBoundingClientRect();
  const at = (group.querySelector(".halo") ?? group).getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = $("beside");
  const isRight = at.right + AWAY + width <= frame.right;
  const isLeft = at.left - AWAY - width >= frame.left;
  const middle = at.top + at.height / 2 - height / 2;
  const x = isRight ? at.right + AWAY : isLeft ? at.left - AWAY - width : at.left + at.width / 2 - width / 2;
  const under = at.bottom + AWAY + height <= frame.bottom ? at.bottom + AWAY : at.top - AWAY - height;
  const y = isRight || isLeft ? middle : under;
  $("beside").style.left = `${within(x - frame.left, frame.width - width)}px`;
  $("beside").style.top = `${within(y - frame.top, frame.height - height)}px`;
}

function within(place, most) {
  return Math.max(4, Math.min(place, most - 4));
}

// Ask beside the route what is asked about it: how it is paid, whether a tunnel is given up, which share is taken.
function showAsked({ decision, view }) {
  const { route } = view.subject ?? {};
  if (!route || !decision) return;
  const buttons = decision.actions.slice(0, MOST_BESIDE).map((action) => {
    const cards = Object.entries(action.cards ?? {}).map(([card, number]) => smallCard(card, number));
    return make("button", { type: "button", "data-action": action.action, onclick: () => act(action) }, ...cards, make("span", {}, action.text));
  });
  const more = decision.actions.length - buttons.length;
  askBeside(route, make("strong", {}, decision.question), ...buttons, more > 0 ? make("p", { class: "quiet" }, `${more} more in the list`) : "");
}

$("board").addEventListener("pointermove", onPointer);
$("board").addEventListener("pointerleave", () => showTip(null));
$("board").addEventListener("focusin", onFocus);
$("board").addEventListener("focusout", () => showTip(null));
for (const name of ["pointerdown", "dblclick", "wheel"]) $("beside").addEventListener(name, (event) => event.stopPropagation());
new MutationObserver(placeBeside).observe($("board"), { attributes: true, attributeFilter: ["viewBox"], subtree: true });
