// Values from outside the page: kept data and links. They may be anything: here they become values of known types, and
// anything else is dropped.

import { PITS } from "./notation.js";
import { seatsOf } from "./state.js";

/** Most characters of a name, of a tag or comment (more than the server reads of a game), and of the moves of a game. */
const [NAME, TEXT, MOVES] = [60, 1 << 20, 2000];
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
/**
 * @typedef {{variant: string, start: string | null, id: string, tags: [string, string][], end: any, tree: any[], before: string, values: Record<string, import("./notation.js").Score>,
 *   at: string, origin: string, seen: string, practised: number, seats: import("./state.js").Seats | null, paused: boolean, clock: import("./clock.js").Times | null}} KeptGame
 * A whole game, as it is kept.
 * @typedef {{game: KeptGame, tab: string, time: number, result: string}} Kept a game with its tab, and the time and result for the list of games
 */

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

const isSeats = (/** @type {any} */ value) => isObject(value) && SETTINGS.players(value.players) && SETTINGS.names(value.names) && SETTINGS.elo(value.elo);

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
    ...(["missed", "late", "found"].includes(mark.tried) && { tried: mark.tried }),
  };
}

/** The scores of moves. @param {any} values @returns {Record<string, import("./notation.js").Score>} */
function valuesOf(values) {
  const scores = Object.entries(isObject(values) ? values : {}).map(([move, score]) => /** @type {const} */ ([move, scoreOf(score)]));
  return Object.fromEntries(scores.flatMap(([move, score]) => (score && move.length === 1 && isMoves(move) ? [[move, score]] : [])));
}

/** @param {any} judged @returns {import("./game.js").Node["judged"]} */
const judgedOf = (judged) => (isObject(judged) && (judged.loss === null || isNumber(judged.loss, 0, 100)) ? { loss: judged.loss } : null);

/** @param {any} clock @returns {import("./clock.js").Times | null} */
function clockOf(clock) {
  if (!isObject(clock) || !isNumber(clock.minutes, 0, MINUTES) || !isNumber(clock.increment, 0, INCREMENT) || !Array.isArray(clock.turns)) return null;
  const isTurn = (/** @type {any} */ turn) => isObject(turn) && Number.isInteger(turn.ply) && ["S", "N"].includes(turn.side);
  const turns = clock.turns.filter((turn) => isTurn(turn) && isNumber(turn.used, 0)).map(({ ply, side, used }) => ({ ply, side, used }));
  const { running } = clock;
  const runs = isTurn(running) && isNumber(running.from) && isNumber(running.seen, running.from);
  const { minutes, increment } = clock;
  return { minutes, increment, turns, running: runs ? { ply: running.ply, side: running.side, from: running.from, seen: running.seen } : null };
}

/** The moves of a tree. @param {any} children @returns {any[]} */
function treeOf(children, depth = 0) {
  if (!Array.isArray(children) || depth > DEEPEST) return [];
  return children
    .filter((node) => Array.isArray(node) && isText(node[0], 1) && isMoves(node[0]) && node[0])
    .map(([move, score, mark, more, comment, values, judged, before]) => [
      ...[move, scoreOf(score), markOf(mark), treeOf(more, depth + 1)],
      ...[isText(comment) ? comment : "", valuesOf(values), judgedOf(judged), isText(before) ? before : ""],
    ]);
}

/** A kept game; null if the value is not one. @param {any} value @returns {KeptGame | null} */
export function gameOf(value) {
  if (!isObject(value) || !isVariant(value.variant) || !(value.start === null || isStart(value.start))) return null;
  const { variant, start, end } = value;
  const tags = (Array.isArray(value.tags) ? value.tags : []).filter(
    (/** @type {any} */ tag) => Array.isArray(tag) && tag.length === 2 && tag.every((part) => isText(part)),
  );
  const isEnd = isObject(end) && isText(end.result, 10) && (end.termination === undefined || isText(end.termination)) && isMoves(end.moves);
  const text = (/** @type {any} */ part) => (isText(part, MOVES) ? part : "");
  return {
    variant,
    start,
    tags,
    end: isEnd ? { result: end.result, termination: end.termination, moves: end.moves } : null,
    tree: treeOf(value.tree),
    before: isText(value.before) ? value.before : "",
    at: isMoves(value.at) ? value.at : "",
    values: valuesOf(value.values),
    seats: isSeats(value.seats) ? seatsOf(value.seats) : null,
    paused: value.paused === true,
    practised: Number.isInteger(value.practised) ? value.practised : 0,
    clock: clockOf(value.clock),
    ...{ id: text(value.id), origin: text(value.origin), seen: text(value.seen) },
  };
}

/** A kept game with its tab; null if the value is not one. @param {any} value @returns {Kept | null} */
export function keptOf(value) {
  const game = isObject(value) ? gameOf(value.game) : null;
  if (!game || !isText(game.id, NAME) || !game.id || !isNumber(value.time, 0, 8e15)) return null;
  const result = ["1-0", "0-1", "1/2-1/2"].includes(value.result) ? value.result : "*";
  return { game, tab: isText(value.tab, NAME) ? value.tab : "", time: value.time, result };
}

/** The names of a tab's games. @param {any} value @returns {{play: string, analyse: string}} */
export function tabOf(value) {
  const name = (/** @type {any} */ id) => (isText(id, NAME) ? id : "");
  return isObject(value) ? { play: name(value.play), analyse: name(value.analyse) } : { play: "", analyse: "" };
}

/** The link behind the `#` of an address, such as `#game=oware&start=…&moves=FfEc&at=2`; null without a link. @param {string} hash */
export function linkOf(hash) {
  const words = new URLSearchParams(hash.slice(1));
  const variant = words.get("game");
  if (!variant) return null;
  const moves = words.get("moves") ?? "";
  const line = words.get("line") ?? "";
  const length = (line || moves).length;
  const at = Number(words.get("at") ?? length);
  return { variant, start: words.get("start"), moves, line, at: Number.isInteger(at) ? at : length };
}
