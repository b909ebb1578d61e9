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
  #searching = false;

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
    if (/[\r\n]/.test(line)) throw new TypeError("a command is one line");
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

  /** @param {string[]} commands */
  async ask(...commands) {
    if (this.#searching) throw new EngineError("a search is running: finish or leave its loop first");
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
    await this.ask(`position ${positionWords(place)}`);
    this.#searching = true;
    let answered = false;
    try {
      this.#tell(`go ${goWords(limits)}`);
      while (!answered) {
        const line = await this.#line();
        answered = line.startsWith("bestmove");
        if (line.startsWith("info string error")) throw new EngineError(line.slice("info string error ".length));
        const info = answered ? null : parseInfo(line);
        if (info) yield info;
        if (answered) return bestMove(line);
      }
    } finally {
      if (!answered && !this.#failure) {
        this.#tell("stop");
        this.#tell("isready");
        // After `readyok` nothing of the search is left.
        while ((await this.#line()) !== "readyok");
      }
      this.#searching = false;
    }
    return null;
  }

  /** @param {import("./index.js").Place} place @param {import("./index.js").Limits} limits */
  async play(place, limits) {
    if (Object.keys(limits ?? {}).length === 0) throw new TypeError("a search without a limit never answers");
    const search = this.analyse(place, limits);
    let info = null;
    for (;;) {
      const { value, done } = await search.next();
      if (done) return { move: value ?? null, info };
      if ((value.multipv ?? 1) === 1 && value.score) info = value;
    }
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
}

/** @param {import("./index.js").Place} place */
function positionWords(place) {
  if (typeof place === "string") return place;
  const moves = [place.moves ?? []].flat().join("");
  return `${place.fen ? `fen ${place.fen}` : "startpos"}${moves ? ` moves ${moves}` : ""}`;
}

/** @param {import("./index.js").Limits} limits */
function goWords({ depth, nodes, time, moves }) {
  const words = [
    time === undefined ? "" : `movetime ${Math.max(1, Math.round(time))}`,
    depth === undefined ? "" : `depth ${depth}`,
    nodes === undefined ? "" : `nodes ${nodes}`,
    moves === undefined ? "" : `searchmoves ${[moves].flat().join("")}`,
  ];
  const limited = time !== undefined || depth !== undefined || nodes !== undefined;
  return [...words, limited ? "" : "infinite"].filter(Boolean).join(" ");
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
