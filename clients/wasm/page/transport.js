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

  /** @param {string | ArrayBuffer} lines */
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

export const transport = async () => {
  const module = await compiled;
  return { names: ["Kroo"], open: async () => new WorkerLink(module) };
};

/** Reads a game file. @param {ArrayBuffer} file @returns {Promise<import("../../web/game-files.js").Games>} */
export async function readGames(file) {
  const reader = new WorkerLink(await compiled);
  return new Promise((done, fail) => {
    reader.onLine = (line) => (reader.close(), done(JSON.parse(line)));
    reader.onEnd = () => fail(new Error("kroo.wasm"));
    reader.say(file);
  });
}
