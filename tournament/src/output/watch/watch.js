// The page of a match that is running: it asks the referee for the state once a second.

/** How long to wait before the referee is asked again, in milliseconds. */
const EVERY = 1000;
/** Most games that the page keeps. */
const KEPT = 3000;
/** The game on the large board: its worker, until another one is chosen, and the next state to show. */
const featured = { worker: -1, board: new Board(byId("featured-board"), () => {}), next: null, isBusy: false };
/** The boards of the workers. @type {Map<number, any>} */
const tiles = new Map();

/** A place for the games of a worker, one after the other. */
function tile(worker) {
  const svg = drawn("svg", { class: "board", role: "img" });
  const [north, south, about] = [element("b"), element("b"), element("small")];
  const before = [...tiles.keys()].filter((other) => other < worker).length;
  const feature = () => {
    featured.worker = worker;
    featured.board.skip();
    for (const [other, { button }] of tiles) button.setAttribute("aria-pressed", String(other === worker));
    if (made.game) drawFeatured({ ...made.game, step: null });
  };
  const button = element("button", { type: "button", class: "tile", "aria-pressed": "false", onclick: feature }, [north, svg, south, about]);
  byId("running").insertBefore(button, byId("running").children[before] ?? null);
  const made = { button, game: null, svg, north, south, about, board: new Board(svg, () => {}, { matches: true, addEventListener: () => {} }), shown: "" };
  tiles.set(worker, made);
  if (featured.worker < 0) feature();
  return made;
}

/** Shows a running game on the large board: its last move, or a newer one as soon as that has been seen. */
async function drawFeatured(game) {
  featured.next = game;
  if (featured.isBusy) return;
  featured.isBusy = true;
  for (let next; (next = featured.next);) {
    featured.next = null;
    nameFeatured(next);
    const { last, step, board, side } = next;
    if (step) await showMove(featured.board, positionOf(step.before, sideOf(last)), toldOf(last, step.falls, step.captures), { speed: "fast" });
    if (!featured.next) featured.board.show(positionOf(board, side), { last: last ?? "" });
  }
  featured.isBusy = false;
}

/** Names the game on the large board. */
function nameFeatured(game) {
  const [south, north] = game.players.map((player) => DATA.engines[player]);
  const [above, svg, below, about] = byId("featured").children;
  above.textContent = north;
  below.textContent = south;
  about.textContent = ` game ${game.number}, move ${game.moves}${game.last ? `: ${game.last}` : ""}`;
  svg.setAttribute("aria-label", labelOf(game));
}

/** A board in words. */
function labelOf(game) {
  const seeds = seedsOf(game.board);
  const [south, north] = game.players.map((player) => DATA.engines[player]);
  return `Game ${game.number}: ${south} is South with ${seeds[12]} seeds in its store, ${north} is North with ${seeds[13]}`;
}

function drawTile(game) {
  const place = tiles.get(game.worker) ?? tile(game.worker),
    key = `${game.number} ${game.moves}`;
  if (place.shown === key) return;
  place.shown = key;
  place.game = game;
  if (featured.worker === game.worker) drawFeatured(game);
  place.board.show(positionOf(game.board, game.side), { last: game.last ?? "" });
  const [south, north] = game.players.map((player) => DATA.engines[player]);
  place.north.textContent = north;
  place.south.textContent = south;
  place.about.textContent = ` game ${game.number}, move ${game.moves}${game.last ? `: ${game.last}` : ""}`;
  place.svg.setAttribute("aria-label", labelOf(game));
}

/** Puts tables and pictures of the referee in their places. It has escaped every text in them. */
function put(id, made) {
  byId(id).innerHTML = made;
}

/** Adds games to the list, the last one first. */
function addGames(games) {
  if (!games.length) return;
  const known = new Set(DATA.games.map((game) => game.number));
  DATA.games.push(...games.filter((game) => !known.has(game.number)));
  DATA.games.sort((one, other) => other.number - one.number);
  DATA.games.length = Math.min(DATA.games.length, KEPT);
  byId("games-card").hidden = DATA.games.length === 0;
  list();
  if (state.game === null && DATA.games.length) open(...fromAddress());
}

function drawBoards({ boards, more }) {
  byId("running-card").hidden = boards.length === 0 && tiles.size === 0;
  boards.forEach(drawTile);
  byId("more").textContent = more ? `and ${more} more` : "";
}

function drawWorkers({ workers, more, at_once, batches, games_per_minute }) {
  byId("workers-card").hidden = false;
  const rate = games_per_minute === null ? "" : `, ${games_per_minute} games a minute`;
  byId("workers-about").textContent = `${at_once} games at once${rate}; batches: ${batches[1]} in play, ${batches[0]} ready`;
  const head = ["Machine", "Worker", "Processor", "Cores", "At once", "Games", "Nodes/s", "Health"].map((title) => element("th", { scope: "col" }, [title]));
  const rows = workers.map((worker) => {
    const silent = worker.health === "there" ? "" : `, silent for ${worker.silent} s`;
    const texts = [worker.host, worker.worker, worker.processor, worker.cores, worker.threads, worker.games, worker.bench.nps, worker.health + silent];
    return element(
      "tr",
      {},
      texts.map((text, place) => element("td", place < 3 ? { class: "name" } : {}, [String(text)])),
    );
  });
  byId("workers").replaceChildren(element("tr", {}, head), ...rows);
  byId("more-workers").textContent = more ? `and ${more} more` : "";
}

function drawTables({ about, games, planned, standings, cards }) {
  byId("state").textContent = `Live: ${games} of ${Math.max(games, planned)} games.`;
  byId("about").textContent = about;
  put("table", standings);
  put("cards", cards);
}

function tellNow(now) {
  const { run, engines, event, variant, start, boards, workers, tables, games, is_over: isOver } = now;
  // Another match at the same address is another page.
  if (DATA.run !== undefined && DATA.run !== run) location.reload();
  Object.assign(DATA, { run, engines, event, variant, start });
  byId("names").textContent = engines.join(" – ");
  document.title = `${engines.join(" – ")} (${variant})`;
  drawBoards(boards);
  if (workers) drawWorkers(workers);
  if (tables) drawTables(tables);
  addGames(games);
  if (!isOver) return;
  byId("running-card").hidden = true;
  byId("workers-card").hidden = true;
  byId("state").textContent = "The match is over. This page stays as long as it is not loaded again; --html keeps it in a file.";
}

const pause = () => new Promise((done) => setTimeout(done, EVERY));

async function watch() {
  for (let [told, isOver] = [0, false]; !isOver; await pause()) {
    try {
      const answer = await fetch(`/now?told=${told}`, { headers: headersWith(candidates()[0] ?? "") });
      if (!answer.ok) throw await refusalOf(answer);
      const now = await answer.json();
      isOver = now.is_over;
      // A hidden page draws nothing but the end.
      if (document.hidden && !isOver) continue;
      told = now.told;
      tellNow(now);
    } catch (error) {
      byId("state").textContent = `The referee does not answer: ${error.message}`;
    }
  }
}
watch();
