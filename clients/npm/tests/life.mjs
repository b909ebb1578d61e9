// Every call in every state of states.md, which is next to this file: node life.mjs

import { Engine, EngineError, EngineTerminated } from "kroo";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

const rows = (await readFile(new URL("./states.md", import.meta.url), "utf8"))
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
const [, ...calls] = rows[0];
const table = rows.slice(2).filter((row) => row.length === rows[0].length);

/** @param {AsyncGenerator<unknown>} search */
async function readAll(search) {
  while (!(await search.next()).done);
}

/** @type {Record<string, (engine: Engine) => Promise<unknown>>} */
const CALLS = {
  ask: (engine) => engine.ask("d"),
  play: (engine) => engine.play({}, { depth: 1 }),
  analysis: (engine) => readAll(engine.analyse({}, { depth: 1 })),
  solve: (engine) => engine.solve({ moves: "Ff" }, { nodes: 1 }),
  stop: (engine) => engine.stop(),
  quit: (engine) => engine.quit(),
};

const LONG = { nodes: 1e12 };
/** Brings an engine into a state. @type {Record<string, (engine: Engine) => Promise<unknown>>} */
const STATES = {
  ready: async () => null,
  busy: async (engine) => ({ first: outcome(engine.play({}, LONG)) }),
  open: async (engine) => {
    const search = engine.analyse({});
    assert.equal((await search.next()).done, false);
    return { search };
  },
  leaving: async (engine) => {
    const control = new AbortController();
    const first = engine.play({}, { ...LONG, signal: control.signal });
    control.abort(new Error("enough"));
    await assert.rejects(first, /enough/);
  },
  ended: (engine) => engine.quit(),
};

/** The word of the table for the outcome of a call. @param {Promise<unknown>} call */
async function outcome(call) {
  try {
    await call;
    return "answers";
  } catch (error) {
    if (error instanceof EngineTerminated) return "terminated";
    if (error instanceof EngineError) return "refused";
    throw error;
  }
}

let walked = 0;
for (const [state, ...answers] of table) {
  if (!(state in STATES)) continue;
  for (const [index, name] of calls.entries()) {
    if (!(name in CALLS)) continue;
    const engine = await Engine.load({ options: { Hash: 1 } });
    const before = /** @type {any} */ (await STATES[state](engine));
    const place = `${name} in ${state}`;
    if (state !== "leaving") assert.equal(engine.state, state, place);
    const wanted = answers[index];
    const called = outcome(CALLS[name](engine));
    if (wanted === "waits") {
      const early = await Promise.race([called, new Promise((done) => setTimeout(done, 30, "waits"))]);
      assert.equal(early, "waits", place);
      await engine.stop();
    }
    assert.equal(await called, wanted === "waits" || wanted === "ends" ? "answers" : wanted, place);
    if (state === "busy") assert.equal(await before.first, wanted === "ends" ? "terminated" : "answers", place);
    if (state === "open" && wanted === "ends") assert.equal(await outcome(readAll(before.search)), "terminated", place);
    if (wanted === "ends" || wanted === "terminated") assert.equal(engine.state, "ended", place);
    else {
      await engine.stop();
      assert.equal((await engine.play({}, { depth: 1 })).info?.depth, 1, place);
    }
    walked += 1;
  }
}
assert.equal(walked, 30);

// An engine that has failed has ended, for all that wait for it.
const { Kroo } = await import("./node_modules/kroo/kroo.js");
const start = Kroo.start;
/** @type {any} */
let broken = null;
Kroo.start = async (...words) => (broken = await start.apply(Kroo, words));
const engine = await Engine.load();
Kroo.start = start;
broken.hear = async () => {
  throw new Error("out of memory");
};
const [one, two] = await Promise.all([outcome(engine.ask("d")), outcome(engine.play({}, { depth: 1 }))]);
assert.deepEqual([one, two, engine.state], ["terminated", "terminated", "ended"]);
console.log("all states");
