// What needs no browser: lines to an engine from a game file, a server that is lost, the texts of a language: node tests/browser/files.mjs

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { Engine, positionLine } from "../../clients/web/engine.js";
import { ENGLISH } from "../../clients/web/english.js";
import { FRENCH } from "../../clients/web/french.js";
import { FRENCH_RULES } from "../../clients/web/french-rules.js";

const fen = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
assert.equal(positionLine(fen, "Aa"), `position fen ${fen} moves Aa`);
assert.equal(positionLine(null, ""), "position startpos");
for (const sign of ["\n", " ", "\r", "\0", "\x1b", "\x85", "x"]) {
  assert.throws(() => positionLine(`${fen}${sign}setoption name Hash value 65536`, ""), /fourteen numbers/);
  assert.throws(() => positionLine(fen, `A${sign}quit`), /one of the letters/);
}

/** @type {string[]} */
const said = [];
const link = { say: (/** @type {string} */ lines) => void said.push(lines), close() {}, onLine() {}, onEnd() {} };
const engine = new Engine(/** @type {any} */ (link));
await assert.rejects(engine.set("Player", "kroo\nquit"), /one line/);
for (const sign of ["\n", "\r", "\0", "\x1b", "\x85"]) {
  await assert.rejects(engine.ask(`d${sign}quit`), /one line/);
  await assert.rejects(engine.askAbout("kalah", "d", `rules${sign}quit`), /one line/);
}
assert.deepEqual(said, [], "nothing is sent");
engine.askAbout("oware", "d").catch(() => {});
assert.deepEqual(said, ["setoption name UCI_Variant value oware", "d", "isready"]);
engine.close();

// A server that is lost is asked again, ever more seldom, until it is back.
Object.assign(globalThis, { location: { hash: "" }, addEventListener() {} });
const { Server } = await import("../../clients/web/server.js");
/** @type {number[]} */
const waits = [];
let isBack = false;
/** @type {any} */ (globalThis).setTimeout = (/** @type {() => void} */ act, /** @type {number} */ wait) => (waits.push(wait), queueMicrotask(act));
/** @type {any} */ (globalThis).fetch = async () => (waits.length < 8 ? Promise.reject(new Error()) : {});
const server = new Server({ lost: () => assert(!isBack), back: () => (isBack = true) }, "");
server.page = "a page";
await server.lose();
assert(isBack);
assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000]);

// Neither side has chosen the moves of an opening, so they are not judged.
const { findMistakes } = await import("../../clients/web/mistakes.js");
const moves = [..."FfEeDd"].map((move, index) => ({ move, ply: index + 1, judged: null }));
/** @param {[string, string][]} tags */
const reviewed = async (tags) => {
  /** @type {string[]} */
  const words = [];
  const game = { tags, start: null, main: () => moves, root: { leaf: () => ({ moves: () => "FfEeDd" }) } };
  const judge = {
    review: async (/** @type {any} */ _start, /** @type {any} */ _moves, /** @type {string} */ said) => void words.push(said),
    ask: async () => [],
  };
  await findMistakes(/** @type {any} */ ({ game, ownSide: null, update() {} }), /** @type {any} */ (judge), () => true);
  return words;
};
assert.deepEqual(await reviewed([]), ["south from 1 movetime 300", "north from 2 movetime 300"]);
assert.deepEqual(await reviewed([["OpeningPlies", "4"]]), ["south from 5 movetime 300", "north from 6 movetime 300"]);
assert.deepEqual(await reviewed([["OpeningPlies", "5"]]), ["north from 6 movetime 300"]);
assert.deepEqual(await reviewed([["OpeningPlies", "6"]]), []);
assert.deepEqual(await reviewed([["OpeningPlies", "-1"]]), await reviewed([]));

// Each text of a language has the values of the English one.
/** @param {string | {one: string, other: string}} text */
const values = (text) =>
  [...JSON.stringify(text).matchAll(/\{\w+\}/g)]
    .map(([name]) => name)
    .filter((name, index, all) => all.indexOf(name) === index)
    .toSorted();
// The engine's own names are English.
const isEngines = (/** @type {string} */ name) => /^(level|playerName|title) /.test(name) && !(name in ENGLISH);
const names = Object.keys(FRENCH).filter((name) => !isEngines(name));
assert.deepEqual(names.toSorted(), Object.keys(ENGLISH).toSorted());
for (const name of names) assert.deepEqual(values(FRENCH[name]), values(ENGLISH[name]), name);

// All rules are there in French.
const variants = ["oware", "kalah", "kalah-emptycapture", "awari", "awari1978", "ayoayo", "avalanche"];
const input = variants.map((variant) => `setoption name UCI_Variant value ${variant}\nrules\n`).join("");
const rules = execFileSync(process.argv[2], { input, encoding: "utf8" }).trim().split("\n");
assert.equal(rules.length, 5 * variants.length);
for (const rule of rules) assert(rule.startsWith("The rules of ") || rule in FRENCH_RULES, rule);
