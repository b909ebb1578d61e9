// Values from outside the page: kept data and links. They may be anything, so here they become values of known
// types, and what does not fit is dropped.

import { PITS } from "./notation.js";

/** Most characters of a name, of a tag or comment, and of the moves of a game. */
const [NAME, TEXT, MOVES] = [60, 4000, 2000];
/** Most moves from a game's start to a node of its tree. */
const DEEPEST = 1000;
/** Most names of tabs. */
const TABS = 20;
/** The least and the largest time for a move, in seconds. */
export const TIMES = /** @type {const} */ ([0.01, 3600]);

/** The longest time for a game, in minutes, and the largest gain by a move, in seconds. */
export const MINUTES = 180;
export const INCREMENT = 180;

/** @typedef {(value: any) => boolean} Test */
/** @typedef {{variant: string, start: string | null, id: string, tags: Record<string, string>, end: any, tree: any[], at: string, origin: string, seen: string, clock: Record<"S" | "N", number> | null}} KeptGame */

/** @param {any} value @returns {value is Record<string, any>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (/** @type {any} */ value, most = TEXT) => typeof value === "string" && value.length <= most;
const isNumber = (/** @type {any} */ value, least = -Infinity, most = Infinity) => Number.isFinite(value) && value >= least && value <= most;
const isBoolean = (/** @type {any} */ value) => typeof value === "boolean";
const isMoves = (/** @type {any} */ value) => isText(value, MOVES) && [...value].every((move) => PITS.includes(move));
const isVariant = (/** @type {any} */ value) => isText(value, NAME) && /^[\w-]+$/.test(value);
const isStart = (/** @type {any} */ value) => isText(value, 100) && /^[\dSN-]+$/.test(value);
/** For both sides. @param {Test} test @returns {Test} */
const both = (test) => (value) => isObject(value) && test(value.S) && test(value.N);
/** @param {any[]} values @returns {Test} */
const oneOf = (values) => (value) => values.includes(value);

/** What each setting can be. @type {Record<keyof import("./app.js").Settings, Test>} */
const SETTINGS = {
  mode: oneOf(["play", "analyse"]),
  flip: isBoolean,
  time: (value) => isNumber(value, ...TIMES),
  players: both((value) => isText(value, NAME)),
  names: both((value) => isText(value, NAME)),
  elo: both((value) => isNumber(value, 0, 10000)),
  minutes: (value) => isNumber(value, 0, MINUTES),
  increment: (value) => isNumber(value, 0, INCREMENT),
  multipv: (value) => Number.isInteger(value) && isNumber(value, 1, 6),
  analyst: (value) => isText(value, 4) && /^\d+$/.test(value),
  view: oneOf(["S", "N"]),
  letters: isBoolean,
  sound: isBoolean,
  speed: oneOf(["slow", "normal", "fast", "none"]),
  language: (value) => isText(value, 10),
};

/** The settings that were kept; those that do not fit are the default ones. @param {any} value @param {import("./app.js").Settings} defaults */
export function settingsOf(value, defaults) {
  const kept = isObject(value) ? value : {};
  const fits = Object.entries(SETTINGS).filter(([name, test]) => test(kept[name]));
  return { ...defaults, ...Object.fromEntries(fits.map(([name]) => [name, kept[name]])) };
}

/** The names of tabs. @param {any} value @returns {string[]} */
export const tabsOf = (value) => (Array.isArray(value) ? value.filter((id) => isText(id, NAME) && /^\w+$/.test(id)).slice(0, TABS) : []);

/** @param {any} score @returns {import("./notation.js").Score | null} */
function scoreOf(score) {
  if (!isObject(score) || !isNumber(score.cp, -1e6, 1e6)) return null;
  const result = (/** @type {any} */ value) => (["win", "draw", "loss"].includes(value) ? value : null);
  return {
    cp: score.cp,
    proven: result(score.proven),
    found: result(score.found),
    bound: score.bound === true,
    mate: isNumber(score.mate) ? score.mate : null,
  };
}

/** @param {any} mark @returns {import("./game.js").Node["mark"]} */
function markOf(mark) {
  if (!isObject(mark) || !isText(mark.sign, 3) || !/^[!?]+$/.test(mark.sign)) return null;
  const score = scoreOf(mark.score);
  return {
    sign: mark.sign,
    ...(mark.line !== undefined && isMoves(mark.line) && { line: mark.line }),
    ...(score && { score }),
    ...(isNumber(mark.loss) && { loss: mark.loss }),
  };
}

/** The moves of a tree. @param {any} children @returns {any[]} */
function treeOf(children, depth = 0) {
  if (!Array.isArray(children) || depth > DEEPEST) return [];
  return children
    .filter((node) => Array.isArray(node) && isText(node[0], 1) && isMoves(node[0]) && node[0])
    .map(([move, score, mark, more, comment]) => [move, scoreOf(score), markOf(mark), treeOf(more, depth + 1), isText(comment) ? comment : ""]);
}

/** A kept game; null if the value is not one. @param {any} value @returns {KeptGame | null} */
export function gameOf(value) {
  if (!isObject(value) || !isVariant(value.variant) || !(value.start === null || isStart(value.start))) return null;
  const { variant, start, end } = value;
  const tags = Object.entries(isObject(value.tags) ? value.tags : {}).filter(([name, text]) => isText(name, NAME) && isText(text));
  const isEnd = isObject(end) && isText(end.result, 10) && (end.termination === undefined || isText(end.termination)) && isMoves(end.moves);
  const text = (/** @type {any} */ part) => (isText(part, MOVES) ? part : "");
  return {
    variant,
    start,
    tags: Object.fromEntries(tags),
    end: isEnd ? { result: end.result, termination: end.termination, moves: end.moves } : null,
    tree: treeOf(value.tree),
    at: isMoves(value.at) ? value.at : "",
    clock: both((left) => isNumber(left, 0, 1e8))(value.clock) ? { S: value.clock.S, N: value.clock.N } : null,
    ...{ id: text(value.id), origin: text(value.origin), seen: text(value.seen) },
  };
}

/** The games of a tab. @param {any} value @returns {{play: KeptGame | null, analyse: KeptGame | null}} */
export const gamesOf = (value) => (isObject(value) ? { play: gameOf(value.play), analyse: gameOf(value.analyse) } : { play: null, analyse: null });

/**
 * @typedef {{id: string, variant: string, start: string | null, moves: string, end: any, result: string, time: number,
 *   names: Record<"S" | "N", string>, players: Record<"S" | "N", string>, elo: Record<"S" | "N", number>}} Earlier an earlier game
 */

/** The earlier games that were kept. @param {any} value @returns {Earlier[]} */
export function earlierOf(value) {
  if (!Array.isArray(value)) return [];
  return value
    .filter((game) => gameOf(game) && isText(game.id, NAME) && game.id && isMoves(game.moves) && game.moves)
    .filter(({ players, elo, names }) => SETTINGS.players(players) && SETTINGS.elo(elo) && both((name) => isText(name, 2 * NAME))(names))
    .filter(({ result, time }) => ["1-0", "0-1", "1/2-1/2", "*"].includes(result) && isNumber(time, 0, 8e15))
    .map((game) => ({ ...game, end: gameOf(game)?.end }));
}

/** The link behind the `#` of an address, such as `#game=oware&start=…&moves=FfEc&at=2`; null without a link. @param {string} hash */
export function linkOf(hash) {
  const words = new URLSearchParams(hash.slice(1));
  const variant = words.get("game");
  if (!variant) return null;
  const moves = words.get("moves") ?? "";
  const at = Number(words.get("at") ?? moves.length);
  return { variant, start: words.get("start"), moves, at: Number.isInteger(at) ? at : moves.length };
}
