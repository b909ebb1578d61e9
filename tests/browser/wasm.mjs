// The engine as WebAssembly compared with the executable: equal nodes, and nodes a second.
// node tests/browser/wasm.mjs KROO FOLDER [LEAST PERCENT OF THE NODES A SECOND]

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const [program, folder, least = "0"] = process.argv.slice(2);
const VARIANTS = ["awari", "awari1978", "ayoayo", "oware", "kalah", "avalanche"];
/** How long anything may take, in milliseconds. */
const PATIENCE = 120000;
/** Plies of each search. */
const DEPTH = 12;
/** The speed: plies of its searches, and how often it is measured. */
const BENCH_DEPTH = 17;
const ROUNDS = 5;

// Node takes a file of this name for a module only if a package says so.
const { Kroo } = await import(`data:text/javascript,${encodeURIComponent(readFileSync(join(folder, "kroo.js"), "utf8"))}`);
const module = await WebAssembly.compile(readFileSync(join(folder, "kroo.wasm")));

/** The engine's answers. @param {string} lines @param {string} way how it listens meanwhile */
async function inWasm(lines, way = "never") {
  /** @type {string[]} */
  const said = [];
  const kroo = await Kroo.start(module, (/** @type {string[]} */ more) => said.push(...more), way);
  await kroo.hear(lines);
  return said;
}

/** The executable's answers. @param {string} lines */
const native = (lines) => execFileSync(program, [], { input: lines, encoding: "utf8" }).trimEnd().split("\n");

/** Lines without what depends on the time. @param {string[]} lines */
const untimed = (lines) => lines.map((line) => line.replace(/ (nps|time) \d+|^Nodes per second: .*/g, ""));

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

// Without a way to be suspended, a search is ended and begun again: it reports each depth once, accepts commands, and stops.
{
  /** @type {string[]} */
  const said = [];
  const kroo = await Kroo.start(module, (/** @type {string[]} */ more) => said.push(...more), "leave");
  const searching = kroo.hear("go infinite");
  const deadline = Date.now() + PATIENCE;
  while (!said.some((line) => line.startsWith("info depth 11 "))) {
    assert(Date.now() < deadline, said.join("\n"));
    await new Promise((done) => setTimeout(done, 20));
  }
  await kroo.hear("isready");
  assert.equal(said.at(-1), "readyok");
  await kroo.hear("stop");
  await searching;
  assert.match(said.at(-1) ?? "", /^bestmove [A-F]/);
  const depths = said.flatMap((line) => /^info depth (\d+) seldepth/.exec(line)?.[1] ?? []).map(Number);
  assert(depths.length > 10 && depths.every((depth, index) => depth === index + 1), depths.join(" "));
}

/** Processor time in seconds, whatever else the machine does: of this thread, or of the programs that have ended. @param {number[]} fields @param {string} file */
function processorTime(fields, file) {
  const told = readFileSync(file, "utf8").split(") ")[1].split(" ");
  return fields.reduce((sum, field) => sum + Number(told[field]), 0) / 100;
}
const own = () => processorTime([11, 12], "/proc/thread-self/stat");
const others = () => processorTime([13, 14], "/proc/self/stat");
/** @param {number[]} values */
const median = (values) => values.toSorted((one, two) => one - two)[values.length >> 1];

const bench = `bench ${BENCH_DEPTH}`;
/** @type {[number[], number[]]} */
const [times, nativeTimes] = [[], []];
let nodes = 0;
for (let round = 0; round < ROUNDS; round++) {
  let before = own();
  const said = await inWasm(bench);
  times.push(own() - before);
  before = others();
  const wanted = native(bench);
  nativeTimes.push(others() - before);
  assert.deepEqual(untimed(said), untimed(wanted));
  nodes = Number(/Nodes searched: (\d+)/.exec(said.at(-1) ?? "")?.[1]);
}
const [speed, nativeSpeed] = [nodes / median(times), nodes / median(nativeTimes)];
const percent = (100 * speed) / nativeSpeed;
const million = (/** @type {number} */ count) => (count / 1e6).toFixed(2);
console.log(
  `${statSync(join(folder, "kroo.wasm")).size} bytes; ${bench}: the same ${nodes} nodes, ${million(speed)} million a second, ${percent.toFixed(0)} % of ${million(nativeSpeed)}`,
);
assert(percent >= Number(least), `less than ${least} %`);
