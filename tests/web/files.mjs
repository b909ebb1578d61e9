// A game file must not write lines to an engine: node tests/web/files.mjs

import assert from "node:assert/strict";
import { Engine, positionLine } from "../../clients/web/engine.js";
import { readGames } from "../../clients/web/files.js";

const fen = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
assert.equal(readGames(`[FEN "${fen}"]\n\n1. A a 0-0\n`)[0].tags.FEN, fen);
assert.equal(readGames('[South "a \\"b\\" \\\\ c"]\n\n*\n')[0].tags.South, 'a "b" \\ c');
assert.equal(readGames("1.F f 2.E *\n\n1. A a *\n").length, 2);
assert.deepEqual(readGames("1.F {a}{b} (1. A {c}) f! $1 *")[0].tree, [
  ["F", null, null, [["f", null, { sign: "!" }, [], ""]], "a b"],
  ["A", null, null, [], "c"],
]);
for (const text of ["1. F (1. A f *", "1. F ) f *", "1. F x *", "1. F * f"]) assert.throws(() => readGames(text), text);
for (const sign of ["\n", "\r", "\0", "\x1b", "\x85", "\\\n"]) {
  assert.throws(() => readGames(`[FEN "${fen}${sign}quit"]\n\n1. A 0-0\n`), JSON.stringify(sign));
}

assert.equal(positionLine(fen, "Aa"), `position fen ${fen} moves Aa`);
assert.equal(positionLine(null, ""), "position startpos");
for (const sign of ["\n", " ", "\r", "x"]) {
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
