// The engine as WebAssembly beside the executable: the same nodes, and how many a second.
// node tests/web/wasm.mjs KROO FOLDER [LEAST PERCENT OF THE NODES A SECOND]

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const [program, folder, least = "0"] = process.argv.slice(2);
const VARIANTS = ["awari", "awari1978", "ayoayo", "oware", "kalah"];
/** Plies of each search. */
const DEPTH = 12;
/** How often each speed is measured. The best counts: others may have had the processor meanwhile. */
const ROUNDS = 5;

// Node takes a file of this name for a module only if a package says so.
const { Kroo } = await import(`data:text/javascript,${encodeURIComponent(readFileSync(join(folder, "kroo.js"), "utf8"))}`);
const module = await WebAssembly.compile(readFileSync(join(folder, "kroo.wasm")));

/** What the engine answers. @param {string} lines @param {string} way how it listens meanwhile */
async function inWasm(lines, way = "never") {
  /** @type {string[]} */
  const said = [];
  const kroo = await Kroo.start(module, (/** @type {string[]} */ more) => said.push(...more), way);
  await kroo.hear(lines);
  return said;
}

/** What the executable answers. @param {string} lines */
const native = (lines) => execFileSync(program, [], { input: lines, encoding: "utf8" }).trimEnd().split("\n");

/** Lines without what depends on the time. @param {string[]} lines */
const untimed = (lines) => lines.map((line) => line.replace(/ (nps|time) \d+/g, ""));

/** Whole searches say the same, line by line. */
for (const variant of VARIANTS) {
  for (const moves of ["", " moves F"]) {
    const lines = `setoption name UCI_Variant value ${variant}\nposition startpos${moves}\ngo depth ${DEPTH}`;
    const said = untimed(await inWasm(lines));
    assert.match(said.at(-1) ?? "", /^bestmove [A-Fa-f]/, variant);
    assert.deepEqual(said, untimed(native(lines)), variant);
  }
}
assert.deepEqual(untimed(await inWasm("uci")), untimed(native("uci")));
const perft = "setoption name UCI_Variant value ayoayo\nperft 8";
assert.deepEqual(untimed(await inWasm(perft)), untimed(native(perft)));

// Without a way to be suspended a search is left and begun again: it says each depth once, hears what it is told, and stops.
{
  /** @type {string[]} */
  const said = [];
  const kroo = await Kroo.start(module, (/** @type {string[]} */ more) => said.push(...more), "leave");
  const searching = kroo.hear("go infinite");
  await new Promise((done) => setTimeout(done, 1500));
  await kroo.hear("isready");
  assert.equal(said.at(-1), "readyok");
  await kroo.hear("stop");
  await searching;
  assert.match(said.at(-1) ?? "", /^bestmove [A-F]/);
  const depths = said.flatMap((line) => /^info depth (\d+) seldepth/.exec(line)?.[1] ?? []).map(Number);
  assert(depths.length > 10 && depths.every((depth, index) => depth === index + 1), depths.join(" "));
}

/** The nodes a second of a bench. @param {string[]} lines */
const speed = (lines) => Number(/ nps (\d+)/.exec(lines.find((line) => / nps /.test(line)) ?? "")?.[1]);
let [best, bestNative] = [0, 0];
for (let round = 0; round < ROUNDS; round++) {
  const [said, wanted] = [await inWasm("bench"), native("bench")];
  assert.deepEqual(untimed(said), untimed(wanted));
  [best, bestNative] = [Math.max(best, speed(said)), Math.max(bestNative, speed(wanted))];
}
const percent = (100 * best) / bestNative;
console.log(`${statSync(join(folder, "kroo.wasm")).size} bytes; bench: the same nodes, ${best} a second, ${percent.toFixed(0)} % of ${bestNative}`);
assert(percent >= Number(least), `less than ${least} %`);
