// A worker with an engine: takes lines, says lines. The first message is the compiled module, the last answer is null.

import { Kroo } from "./kroo.js";

/** @type {any} the global object of a worker */
const worker = self;
/** @type {Promise<Kroo> | null} */
let starting = null;

worker.onmessage = async (/** @type {{data: WebAssembly.Module | ["games" | "write", Uint8Array] | string}} */ { data }) => {
  try {
    if (Array.isArray(data)) {
      const [what, bytes] = data;
      (await starting)?.answer(what, bytes);
      return;
    }
    if (typeof data !== "string") {
      starting = Kroo.start(data, (lines) => worker.postMessage(lines));
      return;
    }
    const kroo = await starting;
    await kroo?.hear(data);
    if (kroo?.isOver()) worker.postMessage(null);
  } catch (error) {
    // An engine that has failed has ended.
    worker.postMessage(null);
    throw error;
  }
};
