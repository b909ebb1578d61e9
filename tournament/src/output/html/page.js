"use strict";
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/";
const LETTERS = "ABCDEFabcdef";
const $ = (id) => document.getElementById(id);
const state = { game: null, ply: 0, timer: null };

/** The seeds after so many moves: South's pits, North's pits, both stores. */
function boardAt(game, ply) {
  return [...game.boards.slice(14 * ply, 14 * ply + 14)].map((digit) => DIGITS.indexOf(digit));
}
const sideOf = (letter) => (letter < "a" ? 0 : 1);
const nameOf = (game, side) => DATA.engines[game.players[side]];
const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** Seeds in a circle, arranged like those of a sunflower. */
function seeds(count, x, y, radius) {
  let dots = "";
  const shown = Math.min(count, 40), size = shown > 20 ? 4.2 : 5.2, step = Math.min(11, (radius - 7) / Math.sqrt(shown || 1));
  for (let i = 0; i < shown; i++) {
    const distance = step * Math.sqrt(i + 0.4), angle = 2.39996 * i;
    dots += `<circle class="seed" r="${size}" cx="${(x + distance * Math.cos(angle)).toFixed(1)}" cy="${(y + distance * Math.sin(angle)).toFixed(1)}"/>`;
  }
  return dots;
}

function drawBoard(game, ply) {
  const now = boardAt(game, ply), before = ply > 0 ? boardAt(game, ply - 1) : now;
  const moved = ply > 0 ? LETTERS.indexOf(game.moves[ply - 1]) : -1;
  let svg = `<rect x="4" y="4" width="852" height="272" rx="40" fill="var(--wood)"/>`;
  for (let pit = 0; pit < 12; pit++) {
    const north = pit > 5, x = north ? 690 - 104 * (pit - 6) : 170 + 104 * pit, y = north ? 88 : 192;
    const kinds = ["pit"];
    if (now[pit] > 12) kinds.push("kroo");
    if (pit === moved) kinds.push("from");
    else if (now[pit] < before[pit]) kinds.push("taken");
    svg += `<circle class="${kinds.join(" ")}" data-pit="${LETTERS[pit]}" data-seeds="${now[pit]}" cx="${x}" cy="${y}" r="46"/>`;
    svg += seeds(now[pit], x, y, 46);
    svg += `<text class="count" x="${x}" y="${north ? 34 : 256}">${LETTERS[pit]}: ${now[pit]}</text>`;
  }
  [[0, 796], [1, 64]].forEach(([side, x]) => {
    svg += `<rect class="store" data-store="${side ? "north" : "south"}" data-seeds="${now[12 + side]}" x="${x - 34}" y="50" width="68" height="180" rx="34"/>`;
    svg += seeds(now[12 + side], x, 160, 46);
    svg += `<text class="big" x="${x}" y="88">${now[12 + side]}</text>`;
    svg += `<text class="letter" x="${x}" y="248">${side ? "North" : "South"}</text>`;
  });
  $("board").innerHTML = svg;
}

/** The score of a move, as a number from South's side; null if there is none. */
function scoreOf(game, ply) {
  const text = game.scores[ply];
  if (text === null || text === undefined) return null;
  const sign = sideOf(game.moves[ply]) ? -1 : 1;
  const value = text.includes("M") ? (text[0] === "-" ? -24 : 24) : Number(text);
  return sign * Math.max(-24, Math.min(24, value));
}

function drawScores(game, ply) {
  const plies = Math.max(game.moves.length, 1), x = (i) => 40 + (800 * i) / plies, y = (v) => 70 - 2.6 * v;
  let svg = "";
  for (const value of [-24, -12, 0, 12, 24]) {
    svg += `<line class="axis" x1="40" x2="840" y1="${y(value)}" y2="${y(value)}"/><text class="soft" x="34" y="${y(value) + 4}" text-anchor="end">${value}</text>`;
  }
  [0, 1].forEach((side) => {
    const points = [];
    for (let i = 0; i < game.moves.length; i++) {
      const value = sideOf(game.moves[i]) === side ? scoreOf(game, i) : null;
      if (value !== null) points.push(`${x(i + 1).toFixed(1)},${y(value).toFixed(1)}`);
    }
    svg += `<polyline fill="none" stroke="var(--${side ? "north" : "south"})" stroke-width="1.6" points="${points.join(" ")}"/>`;
  });
  $("scores").innerHTML = svg + `<line x1="${x(ply)}" x2="${x(ply)}" y1="5" y2="135" stroke="var(--mark)" stroke-width="2"/>`;
}

function say(game, ply) {
  if (ply === 0) return `Start position. The first ${game.opening} moves are the opening.`;
  const letter = game.moves[ply - 1], side = sideOf(letter), score = game.scores[ply - 1];
  const who = `Move ${ply} of ${game.moves.length}: ${letter}, ${side ? "North" : "South"}, ${nameOf(game, side)}`;
  if (ply <= game.opening) return `${who} (opening)`;
  const depth = game.depths[ply - 1];
  const info = (score ?? null) === null ? "" : `, score ${score} seeds${depth ? ` at depth ${depth}` : ""}`;
  return `${who}${info}, ${(game.times[ply - 1] / 1e6).toFixed(3)} s`;
}

function show(ply) {
  const game = state.game;
  state.ply = Math.max(0, Math.min(game.moves.length, ply));
  drawBoard(game, state.ply);
  drawScores(game, state.ply);
  $("said").textContent = say(game, state.ply) + (state.ply === game.moves.length ? `. Result ${game.result}: ${game.reason}` : "");
  $("slider").value = state.ply;
  $("moves").querySelectorAll("span").forEach((span, index) => span.classList.toggle("on", index + 1 === state.ply));
  const on = $("moves").querySelector(".on");
  if (on) $("moves").scrollTop = on.offsetTop - $("moves").offsetTop - 60;
  history.replaceState(null, "", `#game=${game.number}&ply=${state.ply}`);
}

function open(game, ply) {
  state.game = game;
  $("title").textContent = `Game ${game.number}: ${nameOf(game, 0)} (South) against ${nameOf(game, 1)} (North), ${game.result}, stores ${game.stores.join("–")}`;
  $("slider").max = game.moves.length;
  $("moves").innerHTML = [...game.moves].map((letter, i) => `<span class="${i < game.opening ? "opening" : ""}">${letter}</span>`).join(" ");
  document.querySelectorAll("#games button").forEach((button) => button.classList.toggle("on", Number(button.dataset.game) === game.number));
  show(ply);
}

function list() {
  const wanted = $("search").value.trim().toLowerCase();
  const text = (game) => `${game.number} ${nameOf(game, 0)} – ${nameOf(game, 1)} ${game.result} ${game.reason}`;
  const found = DATA.games.filter((game) => text(game).toLowerCase().includes(wanted));
  $("games").innerHTML = found.slice(0, 500).map((game) =>
    `<button data-game="${game.number}">${game.number}. ${escaped(nameOf(game, 0))} – ${escaped(nameOf(game, 1))} <b>${game.result}</b><br><small>${escaped(game.reason)}, ${game.moves.length} moves</small></button>`).join("");
  $("found").textContent = found.length > 500 ? `the first 500 of ${found.length} games` : `${found.length} games`;
}

function play(on) {
  clearInterval(state.timer);
  state.timer = on ? setInterval(() => (state.ply < state.game.moves.length ? show(state.ply + 1) : play(false)), 600) : null;
  $("play").textContent = on ? "Pause" : "Play";
}

function fromAddress() {
  const words = new URLSearchParams(location.hash.slice(1)), number = Number(words.get("game"));
  return [DATA.games.find((game) => game.number === number) ?? DATA.games[0], Number(words.get("ply") ?? 0)];
}

function begin() {
  list();
  if (DATA.games.length === 0) return;
  $("search").addEventListener("input", list);
  $("games").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) open(DATA.games.find((game) => game.number === Number(button.dataset.game)), 0);
  });
  $("moves").addEventListener("click", (event) => {
    const index = [...$("moves").children].indexOf(event.target);
    if (index >= 0) show(index + 1);
  });
  const steps = { first: () => 0, back: () => state.ply - 1, next: () => state.ply + 1, last: () => Infinity };
  for (const [id, step] of Object.entries(steps)) $(id).addEventListener("click", () => { play(false); show(step()); });
  $("play").addEventListener("click", () => play(state.timer === null));
  $("slider").addEventListener("input", () => show(Number($("slider").value)));
  document.addEventListener("keydown", (event) => {
    if (event.target === $("search")) return;
    if (event.key === "ArrowRight") show(state.ply + 1);
    if (event.key === "ArrowLeft") show(state.ply - 1);
  });
  window.addEventListener("hashchange", () => open(...fromAddress()));
  open(...fromAddress());
}
begin();
