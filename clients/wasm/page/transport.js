// Which engines this page talks to: Kroo as WebAssembly, a worker for each. There is no server behind it.

/** @typedef {import("../../web/engine.js").Link} Link */

/** The module is compiled once, for all workers. */
const compiled = fetch("kroo.wasm").then(async (answer) => {
  if (!answer.ok) throw new Error(`kroo.wasm: ${answer.status}`);
  return WebAssembly.compile(await answer.arrayBuffer());
});
// Waiting callers are notified.
compiled.catch(() => {});

/** An engine in a worker. @implements {Link} */
class WorkerLink {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    /** @type {(line: string) => void} */
    this.onLine = () => {};
    this.onEnd = () => {};
    this.worker = new Worker("worker.js", { type: "module" });
    this.worker.onmessage = ({ data }) => {
      if (data === null) this.end();
      else for (const line of data) this.onLine(line);
    };
    this.worker.onerror = () => this.end();
    this.worker.postMessage(module);
  }

  /** @param {string | ["games" | "write", Uint8Array]} lines */
  say(lines) {
    this.worker.postMessage(lines);
  }

  end() {
    this.worker.terminate();
    this.onEnd();
  }

  close() {
    this.worker.terminate();
  }
}

/** @returns {Promise<import("../../web/engine.js").Transport>} */
export const transport = async () => {
  const module = await compiled;
  return { first: new WorkerLink(module), connected: Promise.resolve(), names: ["Kroo"], open: async () => new WorkerLink(module) };
};

/** Asks a worker of its own. @param {"games" | "write"} what @param {Uint8Array} bytes */
async function ask(what, bytes) {
  const worker = new WorkerLink(await compiled);
  return new Promise((done, fail) => {
    worker.onLine = (line) => (worker.close(), done(JSON.parse(line)));
    worker.onEnd = () => fail(new Error("kroo.wasm"));
    worker.say([what, bytes]);
  });
}

/** Reads a game file. @param {ArrayBuffer} file @returns {Promise<import("../../web/game-files.js").Games>} */
export const readGames = (file) => ask("games", new Uint8Array(file));

/** Writes a game. @param {import("../../web/game-files.js").Written} game @returns {Promise<{text?: string, error?: string}>} */
export const writeGame = (game) => ask("write", new TextEncoder().encode(JSON.stringify(game)));
