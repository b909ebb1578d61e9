// The engine as WebAssembly, with its side of the interface of clients/wasm/src/lib.rs.

/** @type {any} not every browser has all of it */
const wasm = WebAssembly;

/**
 * How the engine receives lines while it works: it is suspended, if the browser can do that; or it leaves its work and
 * begins again; or it never does.
 * @typedef {"suspend" | "leave" | "never"} Way
 */

/** @type {Way} */
const BEST_WAY = "Suspending" in wasm && "promising" in wasm ? "suspend" : "leave";

/** How long the engine works before it listens, in milliseconds: if it can be suspended, and if it must start again. */
const SLICE = 10;
const LONG_SLICE = 100;

/** Lets waiting messages be handled. Timers would wait for some milliseconds. */
function turn() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((done) => {
    port1.onmessage = () => (port1.close(), done(undefined));
    port2.postMessage(null);
  });
}

export class Kroo {
  /** @param {any} exports @param {() => Promise<void>} work */
  constructor(exports, work) {
    this.exports = exports;
    this.work = work;
    /** Whether the engine is at work. */
    this.working = false;
  }

  /**
   * Starts an engine.
   * @param {WebAssembly.Module} module
   * @param {(lines: string[]) => void} say
   * @param {Way} [way]
   */
  static async start(module, say, way = BEST_WAY) {
    const decoder = new TextDecoder();
    /** @type {any} */
    let exports = null;
    const imports = {
      now: () => performance.now(),
      say: (/** @type {number} */ start, /** @type {number} */ length) => {
        const text = decoder.decode(new Uint8Array(exports.memory.buffer, start, length));
        say(text.split("\n").slice(0, -1));
      },
      pause: way === "suspend" ? new wasm.Suspending(async () => (await turn(), 0)) : () => (way === "leave" ? 1 : 0),
    };
    exports = (await WebAssembly.instantiate(module, { kroo: imports })).exports;
    if (exports.start() !== 0) throw new Error("there is not enough memory");
    if (way === "suspend") {
      const work = wasm.promising(exports.work);
      return new Kroo(exports, () => work(SLICE));
    }
    return new Kroo(exports, async () => {
      while (exports.work(LONG_SLICE) !== 0) await turn();
    });
  }

  /** Puts bytes where the engine reads them. @param {Uint8Array} bytes */
  put(bytes) {
    const start = this.exports.room(bytes.length);
    new Uint8Array(this.exports.memory.buffer, start, bytes.length).set(bytes);
  }

  /** Answers bytes with a line of JSON: the games of a file, or a game as text. @param {"games" | "write"} what @param {Uint8Array} bytes */
  answer(what, bytes) {
    this.put(bytes);
    this.exports[what](bytes.length);
  }

  /** Answers lines, and does what they ask for. @param {string} lines */
  async hear(lines) {
    for (const line of lines.split("\n")) {
      const bytes = new TextEncoder().encode(line);
      this.put(bytes);
      this.exports.line(bytes.length);
    }
    // If the engine is at work already, it was paused, and continues with the new line.
    if (this.working) return;
    this.working = true;
    await this.work();
    this.working = false;
  }

  /** Whether `quit` has ended the conversation. */
  isOver() {
    return this.exports.is_over() === 1;
  }
}
