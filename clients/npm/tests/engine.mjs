// The package as its users have it: run in a folder into which it was installed. `run` does that.

import { Engine, EngineError, EngineTerminated } from "kroo";
import assert from "node:assert";
const engine = await Engine.load({ variant: "oware", options: { Hash: 4 } });
const start = await engine.look({});
assert.deepEqual(start, { fen: "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", moves: [..."ABCDEF"], result: null });
const depths = [];
for await (const info of engine.analyse({ moves: "Ff" }, { depth: 6 })) if (info.score) depths.push(info.depth);
assert.deepEqual(depths, [1, 2, 3, 4, 5, 6]);
for await (const info of engine.analyse({})) if ((info.depth ?? 0) >= 5) break;
const { move, info } = await engine.play({ moves: "F" }, { nodes: 3000 });
assert.match(move, /^[a-f]$/);
assert.equal(info.pv[0], move);
await assert.rejects(engine.look({ moves: "FF" }), EngineError);
await assert.rejects(engine.setOption("Nothing", 1), EngineError);
for (const limits of [{}, undefined, { time: undefined }, { moves: "A" }, { depth: NaN }, { time: null }, { nodes: -1 }, { depth: "3" }]) {
  await assert.rejects(engine.play({}, /** @type {any} */ (limits)), TypeError);
}
for (const command of ["go infinite", "isready\nquit", "quit", "perft 5", "review nodes 5", "stop"]) await assert.rejects(engine.ask(command), TypeError);
// Questions of its own are counted.
assert.deepEqual(await engine.ask("isready", " isready "), ["readyok", "readyok"]);
assert.deepEqual(await engine.look({}), start);
const reviewed = await (await Engine.load()).review({ fen: "0-0-0-0-2-0-0-0-0-0-0-1-22-23-S", moves: "Ef" }, { depth: 8 });
assert.deepEqual(
  reviewed.moves.map(({ ply, move, mark, lines }) => [ply, move, mark, lines.length > 0]),
  [
    [1, "E", null, true],
    [2, "f", "??", true],
  ],
);
assert.equal(reviewed.north.marks["??"], 1);
await assert.rejects(engine.review({}), EngineError);
// A search whose result is certain ends without a limit, and its loop can be left.
const decided = { fen: "0-0-0-0-1-0-0-0-0-0-0-1-22-24-S" };
let lines = 0;
for await (const info of engine.analyse(decided)) lines += info.pv.length;
assert(lines > 0);
for await (const info of engine.analyse(decided)) if (info) break;
assert.deepEqual(await engine.look({}), start);
// A signal ends a call, and the engine is free.
const control = new AbortController();
setTimeout(() => control.abort(), 50);
await assert.rejects(engine.play({}, { nodes: 1e12, signal: control.signal }), { name: "AbortError" });
await assert.rejects(engine.play({}, { nodes: 1e12, signal: control.signal }), { name: "AbortError" });
await assert.rejects(
  async () => {
    for await (const info of engine.analyse({}, { signal: AbortSignal.timeout(50) })) lines += info.pv.length;
  },
  { name: "TimeoutError" },
);
assert.deepEqual(await engine.look({}), start);
setTimeout(() => engine.stop(), 50);
for await (const info of engine.analyse({})) lines += info.pv.length;
assert.match((await Promise.all([engine.play({}, { nodes: 1e12 }), engine.stop()]))[0].move ?? "", /^[A-F]$/);
// Calls at the same time wait for each other.
const [one, other, played, refused, three] = await Promise.all([
  engine.look({ moves: "F" }),
  engine.look({ moves: "Ff" }),
  engine.play({ moves: "Ff" }, { depth: 5 }),
  engine.look({ moves: "FF" }).catch((error) => error),
  engine.ask("d"),
]);
assert.match(one.fen, /-N$/);
assert.match(other.fen, /-S$/);
assert.match(played.move, /^[A-F]$/);
assert(refused instanceof EngineError);
assert(three.some((line) => line.startsWith("Fen: ")));
const [first, second] = await Promise.all([engine.play({}, { depth: 4 }), engine.play({ moves: "F" }, { depth: 4 })]);
assert.match(first.move + second.move, /^[A-F][a-f]$/);
const read = async (/** @type {any} */ search) => {
  const found = [];
  for await (const info of search) if (info.score) found.push(info.depth);
  return found;
};
const [seen, look] = await Promise.all([read(engine.analyse({}, { depth: 3 })), engine.look({}).catch((error) => error)]);
assert.deepEqual(seen, [1, 2, 3]);
assert(look instanceof EngineError, "a loop is open");
for await (const info of engine.analyse({}, { depth: 30 })) {
  await assert.rejects(engine.look({}), EngineError);
  if (info.score) break;
}
await assert.rejects(read(engine.analyse({ moves: "FF" }, { depth: 3 })), EngineError);
assert.deepEqual(await engine.look({}), start);
await assert.rejects(Engine.load({ variant: "chess" }), EngineError);
assert.equal((await engine.play({ fen: "0-0-0-0-0-0-0-0-0-0-0-0-25-23-N" }, { depth: 3 })).move, null);
assert.equal((await engine.look("fen 0-0-0-0-0-0-0-0-0-0-0-0-25-23-N")).result, "1-0");
const two = await Engine.load({ variant: "kalah" });
assert.equal((await two.look({ moves: "C" })).fen.slice(-1), "S");
await engine.newGame();
// Exact labels.
const late = { fen: "0-1-2-0-1-1-0-2-0-3-1-1-18-18-S" };
const solved = await two.solve(late, { moves: true });
assert.deepEqual([solved.value, solved.result, solved.proven], [0, "draw", true]);
assert.deepEqual(
  Object.entries(solved.moves)
    .map(([move, bounds]) => `${move}${bounds.value}`)
    .sort(),
  ["B-8", "C0", "E-10", "F0"],
);
assert.equal((await two.look({ ...late, moves: solved.pv })).result, "1/2-1/2");
const values = [];
for await (const { value } of two.solveAll([late, { fen: "0-0-0-0-0-0-0-0-0-0-0-0-30-18-N" }, late])) values.push(value);
assert.deepEqual(values, [0, -12, 0]);
const unproven = await engine.solve({}, { time: 300 });
assert.deepEqual([unproven.proven, unproven.value], [false, null]);
const unsolved = new AbortController();
setTimeout(() => unsolved.abort(), 50);
await assert.rejects(engine.solve({}, { signal: unsolved.signal }), { name: "AbortError" });
const [stopped] = await Promise.all([engine.solve({}, { moves: true }), engine.stop()]);
assert.deepEqual([stopped.proven, Object.keys(stopped.moves).length], [false, 6]);
// A position that takes many slices of time.
const hard = await two.solve({ fen: "0-1-6-6-1-6-1-5-0-6-6-5-3-2-S" }, { moves: true, nodes: 200_000 });
assert(hard.nodes > 100_000 && hard.atLeast <= hard.atMost);
await two.quit();
await assert.rejects(two.look({}), EngineTerminated);
console.log("all well");
