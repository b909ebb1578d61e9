// The texts of the protocol as values. protocol.md defines them all.

/** The pits in the order of a position. */
export const PITS = "ABCDEFabcdef";

/**
 * @typedef {{pits: number[], stores: number[], side: "S" | "N", second: boolean}} Position
 * Seeds in the pits A to F and a to f, in South's and North's store, and the side to move.
 * @typedef {{cp: number, proven: "win" | "draw" | "loss" | null, found?: "win" | "loss" | null, bound: boolean, mate: number | null}} Score
 * For the side to move, in hundredths of a seed.
 * @typedef {{depth?: number, seldepth?: number, multipv?: number, score?: Score, nodes?: number, nps?: number,
 *   time?: number, pv: string}} Info
 * @typedef {{ply: number, lines: Record<string, {score: Score, pv: string}>, best: string, loss: number | null, mark: string}} Judgement
 * A move of a game: its number, the lines of the moves before it, the best one, the expected result that it lost, in per cent, if
 * there was a choice, and the sign of its mark, if it has one.
 * @typedef {{from: string, places: string}} Lap
 * A pit, and the letters of the places where its seeds fall.
 * @typedef {{move: string, laps: Lap[], captures: [string, number][], awarded: [number, number], end: string, fen: string}} Told
 * What a move did.
 * @typedef {{plies: Told[], fen: string, legal: string, result: string}} Telling
 */

/**
 * Reads fifteen fields.
 * @param {string} text
 * @returns {Position}
 */
export function parsePosition(text) {
  const fields = text.trim().split("-");
  const numbers = fields.slice(0, 14).map(Number);
  const side = fields[14] ?? "S";
  return { pits: numbers.slice(0, 12), stores: numbers.slice(12, 14), side: side[0] === "N" ? "N" : "S", second: side[1] === "2" };
}

/**
 * Writes fifteen fields.
 * @param {Position} position
 */
export function writePosition({ pits, stores, side, second }) {
  return [...pits, ...stores, side + (second ? "2" : "")].join("-");
}

/** Whose move a letter is. @param {string} letter @returns {"S" | "N"} */
export const sideOf = (letter) => (letter < "a" ? "S" : "N");

/** @param {"S" | "N"} side @returns {"S" | "N"} */
export const otherSide = (side) => (side === "S" ? "N" : "S");

/**
 * Reads an `info` line of a search; null if it is another one. Words that are not known are skipped.
 * @param {string} line
 * @returns {Info | null}
 */
export function parseInfo(line) {
  const words = line.split(/\s+/);
  if (words[0] !== "info" || words.includes("string")) return null;
  /** @type {any} */
  const info = { pv: "" };
  for (let at = 1; at < words.length; at++) {
    const word = words[at];
    if (["depth", "seldepth", "multipv", "nodes", "nps", "time"].includes(word)) info[word] = Number(words[++at]);
    else if (word === "score") [info.score, at] = parseScore(words, at + 1);
    else if (word === "pv") {
      info.pv = words.slice(at + 1).join("");
      break;
    }
  }
  return info;
}

/** @param {string[]} words @param {number} at @returns {[Score, number]} */
function parseScore(words, at) {
  /** @type {Score} */
  const score = { cp: 0, proven: null, found: null, bound: false, mate: null };
  if (words[at] === "mate") {
    score.mate = Number(words[at + 1]);
    score.cp = score.mate < 0 ? -4800 : 4800;
  } else score.cp = Number(words[at + 1]);
  at += 2;
  while (["lowerbound", "upperbound"].includes(words[at])) {
    score.bound = true;
    at++;
  }
  if (words[at] === "proven") {
    score.proven = /** @type {any} */ (words[at + 1]);
    at += 2;
  }
  if (words[at] === "found") {
    score.found = /** @type {any} */ (words[at + 1]);
    at += 2;
  }
  return [score, at - 1];
}

/**
 * Reads the judgement of a move in a review; null if the line is another one.
 * @param {string} line
 * @returns {Omit<Judgement, "lines"> | null}
 */
export function parseReview(line) {
  const words = line.split(/\s+/);
  if (words[0] !== "review" || words[1] !== "ply") return null;
  const after = (/** @type {string} */ word) => (words.includes(word) ? (words[words.indexOf(word) + 1] ?? "") : "");
  return { ply: Number(words[2]), best: after("best"), loss: words.includes("loss") ? Number(after("loss")) : null, mark: after("mark") };
}

/**
 * Reads the answer to `sow`.
 * @param {string[]} lines
 * @returns {Telling}
 */
export function parseTelling(lines) {
  /** @type {Told[]} */
  const plies = [];
  let [fen, legal, result] = ["", "", "*"];
  for (const line of lines) {
    const space = line.indexOf(" ");
    const [word, rest] = [line.slice(0, space), line.slice(space + 1)];
    const last = plies[plies.length - 1];
    if (word === "Move:") plies.push({ move: rest, laps: [], captures: [], awarded: [0, 0], end: "", fen: "" });
    else if (word === "Lap:") last.laps.push({ from: rest[0], places: rest.slice(2) });
    else if (word === "Capture:") last.captures = rest.split(" ").map((one) => [one[0], Number(one.slice(1))]);
    else if (word === "Award:") last.awarded = /** @type {any} */ (rest.split(" ").map((one) => Number(one.slice(1))));
    else if (word === "End:") last.end = rest;
    else if (word === "Fen:") {
      fen = rest;
      if (last) last.fen = rest;
    } else if (word === "Moves:") legal = rest === "none" ? "" : rest;
    else if (word === "Result:") result = rest;
  }
  return { plies, fen, legal, result };
}

/**
 * A score seen from South's side.
 * @param {Score} score
 * @param {"S" | "N"} side the side to move
 * @returns {Score}
 */
export function southScore(score, side) {
  if (side === "S") return score;
  const turned = /** @type {const} */ ({ win: "loss", draw: "draw", loss: "win" });
  const found = score.found && /** @type {"win" | "loss"} */ (turned[score.found]);
  const mate = score.mate === null ? null : -score.mate;
  return { cp: -score.cp, proven: score.proven && turned[score.proven], found, bound: score.bound, mate };
}

/** The error in lines of an engine, without the words before it, or null. @param {string[]} lines */
export function errorIn(lines) {
  const found = lines.find((line) => line.startsWith("info string error"));
  return found ? found.replace(/^info string error\s*(position: |sow: |go: )?/, "") : null;
}

/** The value of a tag. @param {[string, string][]} tags @param {string} name */
export const tagOf = (tags, name) => tags.find(([one]) => one === name)?.[1];
