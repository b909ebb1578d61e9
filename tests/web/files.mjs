// A game file must not write lines to an engine, and a language has all texts: node tests/web/files.mjs

import assert from "node:assert/strict";
import { Engine, positionLine } from "../../clients/web/engine.js";
import { ENGLISH } from "../../clients/web/english.js";
import { FRENCH } from "../../clients/web/french.js";

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

// Each text of a language has the values of the English one.
/** @param {string | {one: string, other: string}} text */
const values = (text) =>
  [...JSON.stringify(text).matchAll(/\{\w+\}/g)]
    .map(([name]) => name)
    .filter((name, index, all) => all.indexOf(name) === index)
    .toSorted();
assert.deepEqual(Object.keys(FRENCH).toSorted(), Object.keys(ENGLISH).toSorted());
for (const [name, text] of Object.entries(FRENCH)) assert.deepEqual(values(text), values(ENGLISH[name]), name);
