// The engine Kroo for programs: loads the WebAssembly module next to this file, and speaks its line protocol.

import { Kroo } from "./kroo.js";

const isNode = typeof process !== "undefined" && process.versions?.node !== undefined;

/** The module next to this file, compiled once. @type {Promise<WebAssembly.Module> | null} */
let compiled = null;

async function compile() {
  const url = new URL("./kroo.wasm", import.meta.url);
  if (isNode) {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(url));
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return WebAssembly.compile(await answer.arrayBuffer());
}

/** A refusal by the engine, in its own words. */
export class EngineError extends Error {
  name = "EngineError";
}

/** An engine. `load` makes it. */
export class Engine {
  /** @type {string[]} */
  #lines = [];
  /** @type {(() => void) | null} wakes the reader that waits for a line */
  #wake = null;
  /** @type {any} */
  #kroo = null;
  /** @type {unknown} why the engine has ended */
  #failure = null;
  /** The end of the last question. @type {Promise<unknown>} */
  #last = Promise.resolve();
  /** Whether a loop of `analyse` is open. Questions within it would wait for its end. */
  #isOpen = false;

  /** @param {import("./index.js").LoadOptions} [options] */
  static async load(options = {}) {
    const engine = new Engine();
    const module = options.module ?? (await (compiled ??= compile()));
    engine.#kroo = await Kroo.start(module, (lines) => engine.#hear(lines));
    const set = { ...(options.variant && { UCI_Variant: options.variant }), ...options.options };
    for (const [name, value] of Object.entries(set)) await engine.setOption(name, value);
    return engine;
  }

  /** @param {string[]} lines */
  #hear(lines) {
    this.#lines.push(...lines);
    this.#wake?.();
  }

  /** Hands the engine a line; what it says comes later. @param {string} line */
  #tell(line) {
    if (this.#failure) throw this.#failure;
    this.#kroo.hear(line).catch((/** @type {unknown} */ error) => {
      this.#failure = error ?? new Error("the engine has failed");
      this.#wake?.();
    });
  }

  async #line() {
    while (this.#lines.length === 0) {
      if (this.#failure) throw this.#failure;
      await new Promise((done) => (this.#wake = () => done(undefined)));
      this.#wake = null;
    }
    return /** @type {string} */ (this.#lines.shift());
  }

  /**
   * Waits for the end of the last question, then asks one.
   * @template T @param {() => Promise<T>} question @returns {Promise<T>}
   */
  #inTurn(question) {
    if (this.#isOpen) return Promise.reject(new EngineError("a search is running: finish or leave its loop first"));
    const answer = this.#last.then(question);
    this.#last = answer.catch(() => {});
    return answer;
  }

  /** @param {string[]} commands */
  async ask(...commands) {
    for (const command of commands) {
      checkLine(command);
      if (/^\s*(go|perft|bench|stop|ponderhit|quit)\b/.test(command)) {
        throw new TypeError(`\`${command}\` is not answered at once; use \`play\` or \`analyse\``);
      }
    }
    return this.#inTurn(() => this.#ask(...commands));
  }

  /** @param {string[]} commands */
  async #ask(...commands) {
    for (const command of commands) this.#tell(command);
    this.#tell("isready");
    const said = [];
    for (let line = await this.#line(); line !== "readyok"; line = await this.#line()) said.push(line);
    const error = said.find((line) => line.startsWith("info string error"));
    if (error) throw new EngineError(error.slice("info string error ".length));
    return said;
  }

  /** @param {string} name @param {string | number | boolean | null} [value] */
  async setOption(name, value = null) {
    await this.ask(`setoption name ${name}${value === null ? "" : ` value ${value}`}`);
  }

  async newGame() {
    await this.ask("ucinewgame");
  }

  /** @param {import("./index.js").Place} place @param {import("./index.js").Limits} [limits] */
  async *analyse(place, limits = {}) {
    const [position, go] = [positionWords(place), goWords(limits).join(" ")];
    let leave = () => {};
    const left = new Promise((done) => (leave = () => done(undefined)));
    await new Promise((begun, failed) => {
      this.#inTurn(() => (begun(undefined), left)).catch(failed);
      this.#isOpen = true;
    });
    try {
      return yield* this.#search(position, go);
    } finally {
      this.#isOpen = false;
      leave();
    }
  }

  /** @param {string} position @param {string} go @returns {AsyncGenerator<import("./index.js").Info, string | null, void>} */
  async *#search(position, go) {
    await this.#ask(`position ${position}`);
    let answered = false;
    try {
      this.#tell(`go ${go}`);
      for (;;) {
        const line = await this.#line();
        answered = line.startsWith("bestmove");
        if (answered) return bestMove(line);
        if (line.startsWith("info string error")) throw new EngineError(line.slice("info string error ".length));
        const info = parseInfo(line);
        if (info) yield info;
      }
    } finally {
      if (!answered && !this.#failure) {
        this.#tell("stop");
        this.#tell("isready");
        // After `readyok` nothing of the search is left.
        while ((await this.#line()) !== "readyok");
      }
    }
  }

  /** @param {import("./index.js").Place} place @param {import("./index.js").Bounded} limits */
  async play(place, limits) {
    const [position, words] = [positionWords(place), goWords(limits)];
    if (words.includes("infinite")) throw new TypeError("a search without depth, nodes or time never answers; `analyse` does without");
    return this.#inTurn(async () => {
      const search = this.#search(position, words.join(" "));
      let info = null;
      for (;;) {
        const { value, done } = await search.next();
        if (done) return { move: value, info };
        if ((value.multipv ?? 1) === 1 && value.score) info = value;
      }
    });
  }

  /** @param {import("./index.js").Place} place */
  async look(place) {
    const position = positionWords(place);
    const said = await this.ask(`position ${position}`, "sow");
    const after = (/** @type {string} */ word) => said.find((line) => line.startsWith(word))?.slice(word.length) ?? "";
    const moves = after("Moves: ");
    const result = after("Result: ");
    return {
      fen: after("Fen: "),
      moves: moves === "none" ? [] : [...moves],
      result: result === "*" ? null : result,
    };
  }
}

/** @param {import("./index.js").Place} place */
function positionWords(place) {
  const words = typeof place === "string" ? place : wordsOf(place);
  checkLine(words);
  return words;
}

/** @param {{fen?: string, moves?: string | readonly string[]}} place */
function wordsOf(place) {
  const moves = [place.moves ?? []].flat().join("");
  return `${place.fen ? `fen ${place.fen}` : "startpos"}${moves ? ` moves ${moves}` : ""}`;
}

/** @param {import("./index.js").Limits} [limits] */
function goWords({ depth, nodes, time, moves } = {}) {
  const words = Object.entries({ movetime: time, depth, nodes }).flatMap(([word, value]) => {
    if (value === undefined) return [];
    if (!Number.isFinite(value) || value < 0) throw new TypeError(`a limit is a number from 0, not ${value}`);
    return [word, String(word === "movetime" ? Math.max(1, Math.round(value)) : Math.floor(value))];
  });
  if (words.length === 0) words.push("infinite");
  const only = [moves ?? []].flat().join("");
  checkLine(only);
  return only ? [...words, "searchmoves", only] : words;
}

/** @param {string} line */
function checkLine(line) {
  if (/[\r\n]/.test(line)) throw new TypeError("a command is one line");
}

/** @param {string} line */
function bestMove(line) {
  const move = line.split(" ")[1];
  return move === "0000" ? null : move;
}

/** @param {string} line @returns {import("./index.js").Info | null} */
export function parseInfo(line) {
  const words = line.split(" ");
  if (words.shift() !== "info" || words[0] === "string") return null;
  /** @type {any} */
  const info = { pv: [] };
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === "pv") info.pv = [...(words.shift() ?? "")];
    else if (word === "currmove") info.currmove = words.shift();
    else if (word === "score") info.score = score(words);
    else info[word] = Number(words.shift());
  }
  return info;
}

/** @param {string[]} words */
function score(words) {
  /** @type {any} */
  const score = { proven: null, found: null, bound: null, wdl: null };
  for (;;) {
    if (words[0] === "cp") score.centiseeds = Number(words.splice(0, 2)[1]);
    else if (words[0] === "proven" || words[0] === "found") score[words[0]] = words.splice(0, 2)[1];
    else if (words[0] === "lowerbound" || words[0] === "upperbound") score.bound = words.shift()?.slice(0, 5);
    else if (words[0] === "wdl") score.wdl = words.splice(0, 4).slice(1).map(Number);
    else return score;
  }
}
