// All words of the page. Another language is another table; what the engine itself says (rules, errors) is in its own words.

/** @type {Record<string, string | {one: string, other: string}>} */
const ENGLISH = {
  language: "en",
  title: "Kroo",
  play: "Play",
  analyse: "Analyse",
  rules: "Rules",
  close: "Close",
  more: "Whole lines",
  less: "Short lines",
  keys: "Keys",
  keysOn: "Letters and digits choose pits",
  keyPits: "A to F, or 1 to 6: choose a pit of the side to move",
  keyArrows: "Left and right arrow: one move back, one move on",
  keyEnds: "Home and End: to the start, to the end",
  keyUndo: "Ctrl Z and Ctrl Shift Z: undo, redo",
  keySheet: "?: this list",
  boardLabel: "The board",
  movesLabel: "Moves",
  south: "South",
  north: "North",
  store: "Store",
  you: "You",
  seeds: { one: "{n} seed", other: "{n} seeds" },
  pitLabel: "{pit} {count}: pit of {side}, {seeds}",
  pitLabelCan: "{pit} {count}: pit of {side}, {seeds}, can be sown",
  storeLabel: "Store of {side}, {seeds}",
  game: "Game",
  person: "A person",
  level: "Kroo, {name}",
  player: "Kroo as {name}",
  time: "Seconds a move",
  newGame: "New game",
  takeBack: "Take back",
  hint: "Hint",
  resign: "Resign",
  flip: "Turn the board",
  undo: "Undo",
  redo: "Redo",
  undoWhat: "Undo: {what}",
  redoWhat: "Redo: {what}",
  openFile: "Open a file",
  first: "To the start",
  back: "One move back",
  next: "One move on",
  last: "To the end",
  save: "Save",
  open: "Open",
  pause: "Pause",
  goOn: "Continue",
  loading: "One moment …",
  yourTurn: "{side} to move: choose a pit.",
  yourTurnAgain: "{side} moves again: choose a pit.",
  thinks: "{name} thinks.",
  moved: "{who}: {pit}, {seeds}, the last falls into {place}.",
  movedLaps: "{who}: {pit}, {seeds} in {laps} laps, the last falls into {place}.",
  theStore: "the store",
  captured: "{seeds} captured: {list}.",
  capturedFrom: "{n} from {pit}",
  hinted: "Kroo would play {move} ({score} for {side}).",
  paused: "The game is paused.",
  "end majority": "{side} has more than half of the seeds.",
  "end halves": "Each store holds half of the seeds.",
  "end bare": "{side}'s row is empty.",
  "end swept": "All seeds in {side}'s row are captured, which wins at once.",
  "end unfed": "{side} must feed the other row and cannot.",
  "end stuck": "Every sowing of {side}'s would go on for ever.",
  "end repetition": "The position has come back with no capture since.",
  "end setup": "The position is already decided.",
  "end limit": "{n} moves have been made, so the stores decide.",
  "settled resign": "{side} resigns.",
  "settled time": "{side}'s time ran out.",
  "settled agree": "The players agreed to a draw.",
  "settled other": "The game file says: {reason}.",
  winsSettled: "{side} wins.",
  drawSettled: "A draw.",
  awarded: "Seeds left on the board: {south} to South, {north} to North.",
  wins: "{side} wins, {more} to {less}.",
  draw: "A draw, {more} to {less}.",
  narrowRule: "On a narrow screen the stores are drawn above and below the pits: yours is next to your row.",
  limitRule: "A game that is not over after {n} moves ends there: the stores decide, and seeds in the pits count for nobody.",
  illegal: "{name} played {move}, which is not a move here: {error}",
  refusal: "Not possible: {error}",
  refusalMove: "{pit} cannot be sown: {error}",
  gone: "{name} has ended.",
  mute: "{name} does not answer.",
  lost: "The connection to the server is lost. Your game is kept here. If the server has ended, start it again and open the address that it prints.",
  hidden: "The analysis is paused while this page is hidden.",
  noServer: "The server refuses: {error}",
  analyseWith: "Engine",
  lines: "Lines",
  start: "Start",
  stop: "Stop",
  depth: "depth {depth}",
  nodes: "{nodes} nodes, {nps} a second",
  scoresFor: "Scores for",
  evaluation: "Evaluation for {side}: {score}",
  graphLabel: "Evaluation over the game, {side} above",
  graphPoint: "Move {n}: {score}",
  win: "won",
  "draw score": "drawn",
  loss: "lost",
  atLeast: "{seeds} or more",
  isOver: "The game is over here.",
  mistakes: "Find my mistakes",
  searching: "Move {n} of {all} …",
  found: "South {south} %, North {north} % accurate.",
  accuracy: "100 % is a game in which no move gave anything away",
  better: "better {move} ({score})",
  noMistakes: "No mistakes were found.",
  position: "Position and moves",
  setUp: "Set up",
  setUpLabel: "Set up a position",
  toMove: "To move",
  second: "second move of the turn",
  total: "{n} seeds in pits and stores",
  use: "Use this position",
  apply: "Use",
  copy: "Copy",
  copied: "Copied.",
  copyFailed: "Copy it by hand: it is selected.",
  promote: "Make this the game",
  remove: "Remove from here",
  fileBad: "This is not a game file: `{word}` is not understood.",
  fileEmpty: "There is no game in this file.",
  fileGame: "Which game?",
  fileNoVariant: "This file is of a game that Kroo does not play: {name}.",
  saved: "Saved as {name}.",
  unfinished: "unfinished",
  byTheRules: "by the rules",
  resignation: "resignation",
  moveLimit: "move limit",
  tableLabel: "The board as a table",
};

const table = ENGLISH;
const plural = new Intl.PluralRules(String(table.language));

/**
 * The text with this name, with values in place of its braces.
 * @param {string} name
 * @param {Record<string, string | number>} [values]
 */
export function t(name, values = {}) {
  const entry = table[name] ?? name;
  const text = typeof entry === "string" ? entry : plural.select(Number(values.n)) === "one" ? entry.one : entry.other;
  return text.replace(/\{(\w+)\}/g, (whole, key) => String(values[key] ?? whole));
}

/** Fills the texts of the document. */
export function fillTexts() {
  document.documentElement.lang = t("language");
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = t(String(element.getAttribute("data-text")));
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", t(String(element.getAttribute("data-label"))));
    element.setAttribute("title", t(String(element.getAttribute("data-label"))));
  }
}

/** A side's name. @param {"S" | "N"} side */
export const sideName = (side) => t(side === "S" ? "south" : "north");

/** What a move did, in a sentence or two. @param {import("./notation.js").Told} told @param {string} who */
export function moveSentence(told, who) {
  const seeds = told.laps[0]?.places.length ?? 0;
  const at = told.laps.at(-1)?.places.at(-1) ?? "";
  const place = at === "S" || at === "N" ? t("theStore") : at;
  const name = told.laps.length > 1 ? "movedLaps" : "moved";
  const parts = [t(name, { who, pit: told.move, seeds: t("seeds", { n: seeds }), laps: told.laps.length, place })];
  if (told.captures.length) {
    const n = told.captures.reduce((sum, [, count]) => sum + count, 0);
    parts.push(t("captured", { seeds: t("seeds", { n }), list: told.captures.map(([pit, count]) => t("capturedFrom", { pit, n: count })).join(", ") }));
  }
  return parts.join(" ");
}

/** Why a game is over, and how. @param {string} end @param {[number, number]} awarded @param {[number, number]} stores @param {string} result */
export function endSentence(end, awarded, stores, result) {
  const [reason, who] = end.split(" ");
  const parts = [t(`end ${reason}`, { side: who ? sideName(who === "N" ? "N" : "S") : "", n: who ?? "" })];
  if (awarded[0] + awarded[1] > 0) parts.push(t("awarded", { south: awarded[0], north: awarded[1] }));
  const [south, north] = stores;
  if (result === "1-0") parts.push(t("wins", { side: t("south"), more: south, less: north }));
  else if (result === "0-1") parts.push(t("wins", { side: t("north"), more: north, less: south }));
  else parts.push(t("draw", { more: south, less: north }));
  return parts.join(" ");
}

/**
 * How a game is over that the rules let go on. The stores did not decide it, so they are not in the sentence.
 * @param {string} result @param {string | undefined} termination
 */
export function settledSentence(result, termination) {
  const reason = ["resign", "time", "agree"].find((word) => (word === "agree") === (result === "1/2-1/2") && termination?.toLowerCase().includes(word));
  if (reason === "agree") return t("settled agree");
  const [winner, loser] = result === "1-0" ? ["south", "north"] : ["north", "south"];
  const why = reason || termination ? [t(`settled ${reason ?? "other"}`, { side: t(loser), reason: termination ?? "" })] : [];
  return [...why, result === "1/2-1/2" ? t("drawSettled") : t("winsSettled", { side: t(winner) })].join(" ");
}

/** A score in seeds. @param {import("./notation.js").Score} score */
export function scoreText({ cp, proven, found, bound, mate }) {
  if (mate !== null) return `#${mate}`;
  const seeds = `${cp > 0 ? "+" : cp < 0 ? "−" : ""}${proven ? Math.abs(cp) / 100 : (Math.abs(cp) / 100).toFixed(2)}`;
  if (!proven) return found ? `${t(found)}? ${seeds}` : seeds;
  const word = t(proven === "draw" ? "draw score" : proven);
  // Of such a win no margin is known.
  if (bound && Math.abs(cp) <= 100) return word;
  return `${word} ${bound ? t("atLeast", { seeds }) : seeds}`;
}
