#!/usr/bin/env node
// The line protocol on standard input and output: `npx kroo [--variant NAME]`.

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Kroo } from "./kroo.js";

const words = process.argv.slice(2);
if (words.length > 0 && !(words.length === 2 && words[0] === "--variant")) {
  console.error("Usage: kroo [--variant NAME]\nThe line protocol on standard input and output; `help` lists its commands.");
  process.exit(words[0] === "--help" ? 0 : 2);
}
// Its reader has gone, which is no error.
process.stdout.on("error", (error) => process.exit(/** @type {any} */ (error).code === "EPIPE" ? 0 : 1));

/** Whether a line starts a search that nothing but `stop` ends. @param {string} line */
const isEndless = (line) => /^\s*go(\s|$)/.test(line) && (/\b(infinite|ponder)\b/.test(line) || !/\b(depth|nodes|movetime|mate|perft|\w+time)\b/.test(line));

/** The engine's refusal of a flag, if any. @type {string | null} */
let refused = null;
let hasBegun = false;
const module = await WebAssembly.compile(await readFile(new URL("./kroo.wasm", import.meta.url)));
const kroo = await Kroo.start(module, (lines) => {
  if (hasBegun) process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  else refused ??= lines.find((line) => line.startsWith("info string error ")) ?? null;
});
if (words.length === 2) await kroo.hear(`setoption name UCI_Variant value ${words[1]}`);
if (refused !== null) {
  console.error(`kroo: ${/** @type {string} */ (refused).slice("info string error ".length)}`);
  process.exit(2);
}
hasBegun = true;

/** @type {Promise<void>} the end of the last command */
let done = Promise.resolve();
let endless = false;
const input = createInterface({ input: process.stdin });
for await (const line of input) {
  if (isEndless(line)) endless = true;
  if (/^\s*stop\s*$/.test(line)) endless = false;
  const told = kroo.hear(line);
  done = Promise.all([done, told]).then(() => undefined);
  if (kroo.isOver()) break;
}
if (endless) kroo.hear("stop");
await done;
// The input may stay open.
process.stdin.destroy();
