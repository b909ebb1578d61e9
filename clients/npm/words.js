// The words of the protocol, written and read.

import { EngineError } from "./conversation.js";

/** @param {import("./index.js").Place} place */
export function positionWords(place) {
  const words = typeof place === "string" ? place : wordsOf(place);
  oneLine(words);
  return words;
}

/** @param {{fen?: string, moves?: string | readonly string[]}} place */
function wordsOf(place) {
  const moves = [place.moves ?? []].flat().join("");
  return `${place.fen ? `fen ${place.fen}` : "startpos"}${moves ? ` moves ${moves}` : ""}`;
}

/** @param {[string, number | undefined][]} limits */
function limitWords(limits) {
  return limits.flatMap(([word, value]) => {
    if (value === undefined) return [];
    if (!Number.isFinite(value) || value < 0) throw new TypeError(`a limit is a number from 0, not ${value}`);
    return [word, String(word === "movetime" ? Math.max(1, Math.round(value)) : Math.floor(value))];
  });
}

/** The command `go`; without limits it answers once the result is certain. @param {import("./index.js").Limits} [limits] */
export function goWords({ depth, nodes, time, moves } = {}) {
  const words = limitWords([
    ["movetime", time],
    ["depth", depth],
    ["nodes", nodes],
  ]);
  const only = [moves ?? []].flat().join("");
  oneLine(only);
  return ["go", ...words, ...(only ? ["searchmoves", only] : [])];
}

/** @param {import("./index.js").ReviewLimits} limits */
export function reviewWords({ side, depth, nodes, time }) {
  if (side !== undefined && side !== "S" && side !== "N") throw new TypeError(`a side is "S" or "N", not ${side}`);
  const words = limitWords([
    ["depth", depth],
    ["nodes", nodes],
    ["movetime", time],
  ]);
  return ["review", ...(side ? [side === "S" ? "south" : "north"] : []), ...words].join(" ");
}

/** @param {import("./index.js").SolveLimits} limits */
export function solveWords({ moves, bound, nodes, time }) {
  if (bound !== undefined && bound !== "win" && bound !== "draw") throw new TypeError(`a bound is "win" or "draw", not ${bound}`);
  const words = limitWords([
    ["nodes", nodes],
    ["movetime", time],
  ]);
  return ["solve", ...(moves ? ["moves"] : []), ...(bound ? ["bound", bound] : []), ...words].join(" ");
}

/** The lines of a solution. @param {string[]} lines @returns {import("./index.js").Solution} */
export function readSolution(lines) {
  /** @type {import("./index.js").Solution["moves"]} */
  const moves = {};
  /** @type {any} */
  let solution = null;
  for (const line of lines) {
    const [word, about, ...rest] = line.split(" ");
    if (word !== "solve") continue;
    /** What follows a word. @param {string} name */
    const after = (name) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : undefined);
    const [atLeast, atMost] = [Number(after("atleast")), Number(after("atmost"))];
    const value = atLeast === atMost ? atLeast : null;
    const result = atLeast > 0 ? "win" : atMost < 0 ? "loss" : value === 0 ? "draw" : null;
    /** @type {import("./index.js").Bounds} */
    const bounds = { atLeast, atMost, value, result, proven: rest.includes("proven") };
    if (about === "move") moves[rest[0]] = bounds;
    else if (about === "position") {
      const pv = [...(after("pv") ?? "")];
      solution = { ...bounds, best: pv[0] ?? null, pv, moves, nodes: Number(after("nodes")), time: Number(after("time")) };
    }
  }
  if (!solution) throw new EngineError("the engine has not solved the position");
  solution.proven &&= Object.values(moves).every((bounds) => bounds.proven);
  return solution;
}

/** @param {string} line */
export function oneLine(line) {
  if (/[\r\n]/.test(line)) throw new TypeError("a command is one line");
}

/** @param {string} line */
export function bestMove(line) {
  const move = line.split(" ")[1];
  return move === undefined || move === "0000" ? null : move;
}

/** The lines of a review. @param {string[]} lines @returns {import("./index.js").Review} */
export function readReview(lines) {
  /** @type {any} */
  const review = { moves: [], south: null, north: null };
  /** @type {import("./index.js").Info[]} */
  let infos = [];
  for (const line of lines) {
    const info = parseInfo(line);
    if (info) infos.push(info);
    const [word, about, ...rest] = line.split(" ");
    if (word !== "review") continue;
    /** What follows a word. @param {string} name */
    const after = (name) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : undefined);
    if (about === "ply") {
      review.moves.push({ ply: Number(rest[0]), move: after("move"), best: after("best"), mark: after("mark") ?? null, lines: infos });
      infos = [];
    } else {
      const accuracy = after("accuracy");
      review[about] = {
        marks: { "?!": Number(after("?!")), "?": Number(after("?")), "??": Number(after("??")) },
        accuracy: accuracy === undefined ? null : Number(accuracy),
        known: Number(after("known")),
        given: Number(after("given")),
      };
    }
  }
  return review;
}

/** @param {string} line @returns {import("./index.js").Info | null} */
export function parseInfo(line) {
  const words = line.split(" ");
  if (words.shift() !== "info" || words[0] === "string") return null;
  /** @type {any} */
  const info = { pv: [] };
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === "pv") info.pv = [...(words.shift() ?? "")];
    else if (word === "currmove") info.currmove = words.shift();
    else if (word === "score") info.score = score(words);
    else info[word] = Number(words.shift());
  }
  return info;
}

/** @param {string[]} words */
function score(words) {
  /** @type {any} */
  const score = { proven: null, found: null, bound: null, wdl: null };
  for (;;) {
    if (words[0] === "cp") score.centiseeds = Number(words.splice(0, 2)[1]);
    else if (words[0] === "proven" || words[0] === "found") score[words[0]] = words.splice(0, 2)[1];
    else if (words[0] === "lowerbound" || words[0] === "upperbound") score.bound = words.shift()?.slice(0, 5);
    else if (words[0] === "wdl") score.wdl = words.splice(0, 4).slice(1).map(Number);
    else return score;
  }
}
