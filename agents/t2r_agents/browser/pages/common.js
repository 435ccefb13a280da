// What the page of a screen and the list of games share: elements, notices, and requests to the server.
"use strict";

const $ = (id) => document.getElementById(id);

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") element.addEventListener("click", value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function say(text) {
  $("notice").textContent = text;
}

function sentence(text) {
  const start = text.startsWith("player_") ? "p" : text.charAt(0).toUpperCase();
  return start + text.slice(1) + (/[.?!]$/.test(text) ? "" : ".");
}

async function ask(request, content) {
  try {
    const response = await fetch(
      location.pathname + request,
      content && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(content) },
    );
    const answer = await response.json();
    if (response.ok) return answer;
    say(sentence(answer.error));
  } catch {
    say("The server does not answer. Nothing is lost: start it again, and this page goes on by itself.");
  }
  return null;
}

// The list of games, where this browser has opened it: only who started the server knows its address.
function gamesPath() {
  return stored("games");
}

function stored(name) {
  try {
    return localStorage.getItem(`t2r_${name}`);
  } catch {
    return null;
  }
}

function store(name, value) {
  try {
    localStorage.setItem(`t2r_${name}`, value);
  } catch {
    // without storage it lasts as long as the page
  }
}
