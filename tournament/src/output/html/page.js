// The replayer of the report. The board comes from the page for players (`kroo::web`).

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/";
/** Most games that are listed at once. */
const LISTED = 500;
/** Seeds at the edges of the plot of scores. */
const HIGHEST = 24;
const state = { game: null, ply: 0, shown: null };
const board = new Board(byId("board"), () => {});

/** A number as it is printed. @param {number | string} number */
const withMinus = (number) => String(number).replace("-", "−");

/** Seeds as they are written: a digit each, pits and then stores. */
const seedsOf = (digits) => [...digits].map((digit) => DIGITS.indexOf(digit));

/** A position from its digits. */
function positionOf(digits, side) {
  const seeds = seedsOf(digits);
  return { pits: seeds.slice(0, 12), stores: seeds.slice(12), side, second: false };
}

/** The position after `ply` moves. The next move gives the side to move; after the last one the side does not matter. */
const positionAt = (game, ply) => positionOf(game.boards.slice(14 * ply, 14 * ply + 14), sideOf(game.moves[ply] ?? "A"));
const nameOf = (game, side) => DATA.engines[game.players[side === "S" ? 0 : 1]];
const startOf = (game) => writePosition(positionAt(game, 0));

/** The effects of a move in the form of `sow`, from the data's `falls` and `captures`. */
function toldOf(move, falls = "", captures = "") {
  let from = move;
  const laps = falls.split(",").map((places) => {
    const lap = { from, places };
    from = places.at(-1);
    return lap;
  });
  return { move, laps, captures: [...captures.matchAll(/([A-Fa-f])(\d+)/g)].map(([, pit, seeds]) => [pit, Number(seeds)]) };
}
const toldAt = (game, ply) => toldOf(game.moves[ply - 1], game.falls[ply - 1], game.captures[ply - 1]);

function drawBoard(game, ply) {
  const marks = Object.fromEntries(toldAt(game, ply).captures.map(([pit, taken]) => [pit, { ring: "bad", value: `−${taken}` }]));
  board.show(positionAt(game, ply), { last: game.moves[ply - 1] ?? "", marks });
}

/** The score of a move, as a number from South's side; null without one. */
function scoreOf(game, ply) {
  const text = game.scores[ply]?.replace(/^[<>]=/, "");
  if (text === undefined) return null;
  const sign = sideOf(game.moves[ply]) === "N" ? -1 : 1;
  const value = text.includes("M") ? (text[0] === "-" ? -HIGHEST : HIGHEST) : Number(text);
  return sign * Math.max(-HIGHEST, Math.min(HIGHEST, value));
}

/** Where the plot of scores has its moves, in its own pixels. */
function scale(game) {
  const width = byId("scores").clientWidth || 860;
  const plies = Math.max(game.moves.length, 1);
  return { width, x: (ply) => 34 + ((width - 46) * ply) / plies, ply: (x) => Math.round(((x - 34) * plies) / (width - 46)) };
}

function drawScores(game, ply) {
  const { width, x } = scale(game),
    y = (value) => 70 - 2.6 * value,
    parts = [];
  for (const value of [-HIGHEST, -HIGHEST / 2, 0, HIGHEST / 2, HIGHEST]) {
    parts.push(drawn("line", { class: "axis", x1: 34, x2: width - 12, y1: y(value), y2: y(value) }));
    parts.push(drawn("text", { class: "soft", x: 28, y: y(value) + 4, "text-anchor": "end", text: withMinus(value) }));
  }
  for (const side of ["S", "N"]) {
    const scores = [...game.moves].map((move, index) => (sideOf(move) === side ? scoreOf(game, index) : null));
    const points = scores.flatMap((score, index) => (score === null ? [] : [`${x(index + 1).toFixed(1)},${y(score).toFixed(1)}`]));
    parts.push(drawn("polyline", { class: side === "S" ? "south" : "north", points: points.join(" ") }));
  }
  parts.push(drawn("line", { class: "now", x1: x(ply), x2: x(ply), y1: 5, y2: 135 }));
  byId("scores").setAttribute("viewBox", `0 0 ${width} 140`);
  byId("scores").replaceChildren(...parts);
}

function say(game, ply) {
  if (ply === 0) return t("reportStart", { n: game.opening });
  const letter = game.moves[ply - 1],
    side = sideOf(letter),
    score = game.scores[ply - 1];
  const who = t("reportMove", { ply, all: game.moves.length, letter, side: sideName(side), name: nameOf(game, side) });
  if (ply <= game.opening) return `${who} ${t("reportOpening")}`;
  const depth = game.depths[ply - 1];
  const info = (score ?? null) === null ? "" : `, ${t(depth ? "reportScoreAt" : "reportScore", { score: withMinus(score), depth })}`;
  return `${who}${info}, ${(game.times[ply - 1] / 1e6).toFixed(3)} s`;
}

/** Shows a position of the game; one move on, the seeds are seen. Returns whether nothing else was shown meanwhile. */
async function show(ply) {
  const game = state.game;
  const before = state.ply;
  const now = (state.ply = Math.max(0, Math.min(game.moves.length, ply)));
  tell(game);
  // The first position of another game is shown without a motion.
  const isStep = now === before + 1 && state.shown === game;
  state.shown = game;
  if (isStep && !(await showMove(board, positionAt(game, before), toldAt(game, now)))) return false;
  if (state.game !== game || state.ply !== now) return false;
  drawBoard(game, now);
  return true;
}

/** Tells which position is shown, in words, in the plot, in the list and in the address. */
function tell(game) {
  drawScores(game, state.ply);
  byId("said").textContent =
    say(game, state.ply) + (state.ply === game.moves.length ? `. ${t("reportResult", { result: game.result, reason: game.reason })}` : "");
  byId("slider").value = state.ply;
  byId("moves").querySelector("[aria-current]")?.removeAttribute("aria-current");
  byId("moves").querySelector(`[data-ply="${state.ply}"]`)?.setAttribute("aria-current", "step");
  const moves = game.moves.slice(0, state.ply);
  byId("position").value = `${startOf(game)}${moves ? ` moves ${moves}` : ""}`;
  // Other words of the address are kept.
  const words = new URLSearchParams(location.hash.slice(1));
  words.set("game", game.number);
  words.set("ply", state.ply);
  history.replaceState(null, "", `#${words}`);
}

/** The moves with their numbers; each can be chosen. */
function listMoves(game) {
  const parts = numbered([...game.moves].map((move) => ({ move }))).flatMap(({ node, label, index }) => {
    const button = element("button", { type: "button", "data-ply": index + 1, class: index < game.opening ? "opening" : null, text: node.move });
    // No line ends between a number and its move.
    return label ? [" ", element("span", { class: "together" }, [element("span", { class: "number", text: label }), button])] : [button];
  });
  byId("moves").replaceChildren(...parts);
}

function open(game, ply) {
  player.stop();
  state.game = game;
  const names = { south: nameOf(game, "S"), north: nameOf(game, "N") };
  byId("title").textContent = t("reportGame", { n: game.number, ...names, result: game.result, stores: game.stores.join("–") });
  byId("slider").max = game.moves.length;
  listMoves(game);
  for (const button of document.querySelectorAll("#games button")) button.classList.toggle("on", Number(button.dataset.game) === game.number);
  show(ply);
}

/** The entries of the list: a game keeps its own. @type {WeakMap<object, HTMLElement>} */
const entries = new WeakMap();

/** The entry of a game, marked if it is shown. */
function listed(game) {
  const text = () => [
    `${game.number}. ${nameOf(game, "S")} – ${nameOf(game, "N")} `,
    element("b", { text: game.result }),
    element("br"),
    element("small", { text: t("reportListed", { reason: game.reason, n: game.moves.length }) }),
  ];
  const entry = entries.get(game) ?? element("button", { type: "button", "data-game": game.number }, text());
  entries.set(game, entry);
  entry.classList.toggle("on", game === state.game);
  return entry;
}

/** Gives an element its children. Those it has already are not taken out: they keep the focus and a press of the mouse. */
function place(parent, children) {
  const wanted = new Set(children);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  children.forEach((child, index) => {
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
  });
}

function list() {
  const wanted = byId("search").value.trim().toLowerCase();
  const text = (game) => `${game.number} ${nameOf(game, "S")} – ${nameOf(game, "N")} ${game.result} ${game.reason}`;
  const found = wanted ? DATA.games.filter((game) => text(game).toLowerCase().includes(wanted)) : DATA.games;
  const games = byId("games");
  const seen = games.querySelector("button:hover, button:focus") ?? (games.scrollTop > 0 ? games.firstElementChild : null);
  const top = () => seen.getBoundingClientRect().top;
  const before = seen && top();
  place(games, found.slice(0, LISTED).map(listed));
  // New games come above what the user looks at.
  if (seen?.isConnected) games.scrollTop += top() - before;
  byId("found").textContent = t(found.length > LISTED ? "reportFirst" : "reportGames", { n: found.length, first: LISTED });
}

/** Plays the game from the position that is shown on. */
const player = new Player(
  async () => state.ply < state.game.moves.length && show(state.ply + 1),
  (on) => (byId("play").textContent = t(on ? "pause" : "play")),
);

/** Copies a text. If copying is not allowed, the text is selected. */
async function copy(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    byId("copied").textContent = t("copied");
  } catch {
    field?.select();
    byId("copied").textContent = field ? t("copyFailed") : "";
  }
}

function fromAddress() {
  const words = new URLSearchParams(location.hash.slice(1)),
    number = Number(words.get("game"));
  return [DATA.games.find((game) => game.number === number) ?? DATA.games[0], Math.trunc(Number(words.get("ply"))) || 0];
}

function begin() {
  list();
  byId("search").addEventListener("input", list);
  byId("games").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button)
      open(
        DATA.games.find((game) => game.number === Number(button.dataset.game)),
        0,
      );
  });
  byId("moves").addEventListener("click", (event) => {
    const ply = event.target.closest("button")?.dataset.ply;
    if (ply) show(Number(ply));
  });
  byId("scores").addEventListener("click", (event) => show(scale(state.game).ply(event.clientX - byId("scores").getBoundingClientRect().left)));
  byId("view").addEventListener(
    "click",
    (event) => {
      if (!state.game) event.stopImmediatePropagation();
    },
    true,
  );
  const steps = { first: () => 0, back: () => state.ply - 1, next: () => state.ply + 1, last: () => Infinity };
  for (const [id, step] of Object.entries(steps))
    byId(id).addEventListener("click", () => {
      player.stop();
      show(step());
    });
  byId("play").addEventListener("click", () => (player.on ? player.stop() : player.start()));
  byId("board").addEventListener("click", () => board.skip());
  byId("slider").addEventListener("input", () => show(Number(byId("slider").value)));
  byId("copy").addEventListener("click", () => copy(byId("position").value, byId("position")));
  byId("copy-game").addEventListener("click", () => {
    byId("game-file").textContent = asFile(state.game);
    byId("game-file").hidden = false;
    copy(byId("game-file").textContent);
  });
  byId("save").addEventListener("click", () => download(`game-${state.game.number}.ogn`, asFile(state.game)));
  document.addEventListener("keydown", (event) => {
    if (event.target.tagName === "INPUT" || !state.game) return;
    if (event.key === "ArrowRight") show(state.ply + 1);
    if (event.key === "ArrowLeft") show(state.ply - 1);
  });
  addEventListener("hashchange", () => state.game && open(...fromAddress()));
  addEventListener("resize", () => state.game && drawScores(state.game, state.ply));
  if (DATA.games.length) open(...fromAddress());
  // Without games the replayer is hidden.
  else byId("replayer").closest(".card").hidden = true;
}
begin();
