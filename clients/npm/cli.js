#!/usr/bin/env node
// The line protocol on standard input and output: `npx kroo [--variant NAME]`.

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Kroo } from "./kroo.js";

const words = process.argv.slice(2);
if (words.length > 0 && !(words.length === 2 && words[0] === "--variant")) {
  console.error("Usage: kroo [--variant NAME]\nThe line protocol on standard input and output; `help` lists its commands.");
  process.exit(words[0] === "--help" ? 0 : 1);
}

/** Whether a line starts a search that nothing but `stop` ends. @param {string} line */
const isEndless = (line) => /^\s*go(\s|$)/.test(line) && (/\b(infinite|ponder)\b/.test(line) || !/\b(depth|nodes|movetime|mate|perft|\w+time)\b/.test(line));

const module = await WebAssembly.compile(await readFile(new URL("./kroo.wasm", import.meta.url)));
const kroo = await Kroo.start(module, (lines) => process.stdout.write(lines.map((line) => `${line}\n`).join("")));
if (words.length === 2) await kroo.hear(`setoption name UCI_Variant value ${words[1]}`);

/** @type {Promise<void>} the end of the last command */
let done = Promise.resolve();
let endless = false;
for await (const line of createInterface({ input: process.stdin })) {
  if (isEndless(line)) endless = true;
  if (/^\s*stop\s*$/.test(line)) endless = false;
  const told = kroo.hear(line);
  done = Promise.all([done, told]).then(() => undefined);
  if (kroo.isOver()) break;
}
if (endless) kroo.hear("stop");
await done;
