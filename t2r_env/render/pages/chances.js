"use strict";
// A bar of chances to win: on the pages of replays and of games, which have a function `make`.

const LEAST_NAMED = 0.07; // the least chance that has room for its numbers

// Fill a bar with a part for each player or team, {label, share, paint: [fill, ink]}; `told` says the same in words.
function fillChances(bar, parts, told) {
  const drawn = parts.map(({ label, share, paint }) => {
    const part = make("span", {}, share < LEAST_NAMED ? "" : `${label}: ${inPercent(share)}`);
    [part.style.background, part.style.color] = paint;
    part.style.width = `${100 * share}%`;
    if (share < LEAST_NAMED) part.style.padding = "0";
    return part;
  });
  bar.replaceChildren(...drawn);
  bar.setAttribute("role", "img");
  bar.setAttribute("aria-label", `Chances to win: ${told}`);
}

// A chance with its 95 % interval; beside `first`, that of the action that is chosen, by how many points it differs.
function chanceAfter({ value, error }, first) {
  if (typeof value !== "number") return "";
  const known = typeof error === "number";
  if (first === null || first === undefined) return known ? `→ ${Math.round(100 * value)} ± ${Math.round(100 * error)} %` : `→ ${inPercent(value)}`;
  return `→ ${inPercent(value)}${known ? ` (${pointsMore(value - first)} ± ${(100 * error).toFixed(1)})` : ""}`;
}

// Points of 100 more or less.
function pointsMore(change) {
  const told = (100 * change).toFixed(1).replace("-", "−");
  return change > 0 ? `+${told}` : told;
}

function inPercent(share) {
  return `${Math.round(100 * share)} %`;
}

// How sure an estimate is: the mean of such chances, and the share of them that won, where that was measured.
function howSure(measured) {
  if (!measured) return "estimated; how well is not measured";
  return `estimated; where such a network told about ${inPercent(measured[0])}, ${inPercent(measured[1])} won`;
}

