// The engine Kroo for programs: speaks the line protocol of the WebAssembly module. This is the entry for browsers; that for Node
// is `node.js`.

import { Ask, Conversation, EngineError, Work } from "./conversation.js";
import { Kroo } from "./kroo.js";
import { bestMove, goWords, oneLine, parseInfo, positionWords, readReview, readSolution, reviewWords, solveWords } from "./words.js";

export { EngineError, EngineTerminated } from "./conversation.js";
export { parseInfo } from "./words.js";

/** The module next to this file, compiled once. @type {Promise<WebAssembly.Module> | null} */
let compiled = null;
/** Gets the bytes of the module. */
let getBytes = async () => {
  const answer = await fetch(new URL("./kroo.wasm", import.meta.url));
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
  return answer.arrayBuffer();
};

/** Sets how the bytes of the module are got. @param {() => Promise<any>} get */
export function useBytes(get) {
  getBytes = get;
}

/** An engine. `load` makes it. */
export class Engine {
  #talk = new Conversation();
  /** @type {any} */
  #kroo = null;

  /** @param {import("./index.js").LoadOptions} [options] */
  static async load(options = {}) {
    const engine = new Engine();
    const module = options.module ?? (await (compiled ??= getBytes().then((bytes) => WebAssembly.compile(bytes))));
    // The engine is not spoken to while it speaks.
    engine.#kroo = await Kroo.start(module, (lines) => queueMicrotask(() => engine.#hear(lines)));
    const set = { ...(options.variant && { UCI_Variant: options.variant }), ...options.options };
    for (const [name, value] of Object.entries(set)) await engine.setOption(name, value);
    return engine;
  }

  /** @param {string[]} lines */
  #hear(lines) {
    for (const line of lines) this.#say(this.#talk.receive(line));
  }

  /** @param {string[]} lines */
  #say(lines) {
    for (const line of lines) {
      this.#kroo?.hear(line).catch((/** @type {unknown} */ error) => {
        this.#kroo = null;
        this.#talk.end(`has failed: ${error}`, error);
      });
    }
  }

  /**
   * Begins an exchange, and waits for its answer.
   * @template {import("./conversation.js").Exchange} T
   * @param {T} exchange @param {import("./index.js").Signal} [signal] @returns {Promise<T>}
   */
  async #do(exchange, signal) {
    const release = this.#begin(exchange, signal);
    await exchange.until(() => exchange.hasOutcome);
    release();
    if (exchange.error) throw exchange.error;
    return exchange;
  }

  /**
   * Begins an exchange, which a signal abandons. Returns what lets the signal go.
   * @param {import("./conversation.js").Exchange} exchange @param {import("./index.js").Signal} [signal]
   */
  #begin(exchange, signal) {
    if (signal?.aborted) throw signal.reason;
    const abort = () => this.#say(this.#talk.abandon(exchange, signal?.reason));
    signal?.addEventListener("abort", abort);
    this.#say(this.#talk.submit(exchange));
    return () => signal?.removeEventListener("abort", abort);
  }

  /** The state of the engine. */
  get state() {
    return this.#talk.state;
  }

  /** @param {string[]} commands */
  async ask(...commands) {
    for (const command of commands) {
      oneLine(command);
      const word = /^\s*(go|perft|bench|review|solve|stop|ponderhit|quit)\b/.exec(command)?.[1];
      if (word) throw new TypeError(`\`${word}\` is not answered at once: use \`play\`, \`analyse\`, \`review\`, \`solve\`, \`stop\` or \`quit\``);
    }
    return (await this.#do(new Ask(commands))).said;
  }

  /** @param {string} name @param {string | number | boolean | null} [value] */
  async setOption(name, value = null) {
    await this.ask(`setoption name ${name}${value === null ? "" : ` value ${value}`}`);
  }

  async newGame() {
    await this.ask("ucinewgame");
  }

  /** @param {import("./index.js").Place} place @param {import("./index.js").Limits & import("./index.js").Cancel} [limits] */
  async *analyse(place, limits = {}) {
    const search = new Work(positionWords(place), goWords(limits).join(" "), "bestmove", true);
    const release = this.#begin(search, limits.signal);
    try {
      for (;;) {
        await search.until(() => search.unread.length > 0 || search.hasOutcome);
        const line = search.unread.shift();
        const info = line === undefined ? null : parseInfo(line);
        if (info) yield info;
        else if (line === undefined) break;
      }
      if (search.error) throw search.error;
      return bestMove(search.last ?? "");
    } finally {
      release();
      this.#say(this.#talk.abandon(search, new EngineError("its loop was left")));
    }
  }

  /** @param {import("./index.js").Place} place @param {import("./index.js").Bounded & import("./index.js").Cancel} limits */
  async play(place, limits) {
    const [position, words] = [positionWords(place), goWords(limits)];
    if (!words.some((word) => ["depth", "nodes", "movetime"].includes(word))) {
      throw new TypeError("a search without depth, nodes or time may never answer; `analyse` does without");
    }
    const search = await this.#do(new Work(position, words.join(" "), "bestmove"), limits.signal);
    const infos = search.unread.map(parseInfo).filter((info) => info?.score && (info.multipv ?? 1) === 1);
    return { move: bestMove(search.last ?? ""), info: infos.at(-1) ?? null };
  }

  /** @param {import("./index.js").Place} place @param {import("./index.js").ReviewLimits & import("./index.js").Cancel} [limits] */
  async review(place, limits = {}) {
    const review = await this.#do(new Work(positionWords(place), reviewWords(limits), "reviewok"), limits.signal);
    return readReview(review.unread);
  }

  /** @param {import("./index.js").Place} place @param {import("./index.js").SolveLimits & import("./index.js").Cancel} [limits] */
  async solve(place, limits = {}) {
    const solve = await this.#do(new Work(positionWords(place), solveWords(limits), "solveok"), limits.signal);
    return readSolution(solve.unread);
  }

  /** @param {Iterable<import("./index.js").Place>} places @param {import("./index.js").SolveLimits & import("./index.js").Cancel} [limits] */
  async *solveAll(places, limits = {}) {
    for (const place of places) yield await this.solve(place, limits);
  }

  /** @param {import("./index.js").Place} place */
  async look(place) {
    const said = await this.ask(`position ${positionWords(place)}`, "sow");
    const after = (/** @type {string} */ word) => said.find((line) => line.startsWith(word))?.slice(word.length) ?? "";
    const moves = after("Moves: ");
    const result = after("Result: ");
    return {
      fen: after("Fen: "),
      moves: moves === "none" ? [] : [...moves],
      result: result === "*" ? null : result,
    };
  }

  async stop() {
    this.#say(this.#talk.stop());
    await this.ask();
  }

  async quit() {
    this.#say(["quit"]);
    this.#kroo = null;
    this.#talk.end("was told to quit");
  }
}
