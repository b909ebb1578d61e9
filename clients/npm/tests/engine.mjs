// The package as its users have it: run in a folder into which it was installed. `run` does that.

import { Engine, EngineError } from "kroo";
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
await assert.rejects(engine.play({}, {}), TypeError);
await assert.rejects(Engine.load({ variant: "chess" }), EngineError);
assert.equal((await engine.play({ fen: "0-0-0-0-0-0-0-0-0-0-0-0-25-23-N" }, { depth: 3 })).move, null);
assert.equal((await engine.look("fen 0-0-0-0-0-0-0-0-0-0-0-0-25-23-N")).result, "1-0");
const two = await Engine.load({ variant: "kalah" });
assert.equal((await two.look({ moves: "C" })).fen.slice(-1), "S");
await engine.newGame();
console.log("all well");
