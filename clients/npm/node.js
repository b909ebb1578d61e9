// The package in Node: the same engine, with its module read from the disk.

import { readFile } from "node:fs/promises";
import { useBytes } from "./index.js";

useBytes(() => readFile(new URL("./kroo.wasm", import.meta.url)));

export { Engine, EngineError, EngineTerminated, parseInfo } from "./index.js";
