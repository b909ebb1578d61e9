// An engine at the other end of a link: questions and answers of the protocol.

import { errorIn, parseInfo, parseReview, parseTelling } from "./notation.js";

/**
 * @typedef {{say: (line: string) => void, close: () => void, onLine: (line: string) => void, onEnd: () => void, early?: string[]}} Link
 * The way to an engine; `early` has the lines that came before `onLine` was set.
 * @typedef {{first: Link, connected: Promise<void>, names: string[], open: (place: number) => Promise<Link>}} Transport
 * The way to all engines: one of the first kind, links to others, and their names once it is connected.
 * @typedef {{name: string, values: string[]}} Combo
 */

/** How long an engine may take to answer `uci` and `isready`, in milliseconds. */
const PATIENCE = 15000;

const CONTROL = /[\x00-\x1f\x7f-\x9f]/;

/** The engine is gone, or does not answer; the message is its name. */
export class Gone extends Error {
  /** @param {string} name @param {boolean} [mute] */
  constructor(name, mute = false) {
    super(name);
    this.mute = mute;
  }
}

/** An engine refused a line; the message is its own, the reason a word of the protocol, if it gave one. */
export class Refused extends Error {
  /** @param {string} message @param {string} [reason] */
  constructor(message, reason = "") {
    super(message);
    this.reason = reason;
  }
}

export class Engine {
  /** @param {Link} link */
  constructor(link) {
    this.link = link;
    this.name = "";
    /** The rule set that was asked about last. */
    this.variant = "";
    /** @type {Combo[]} */
    this.combos = [];
    /** @type {Set<string>} */
    this.options = new Set();
    /** @type {{lines: string[], end: string, done: (lines: string[]) => void, fail: (error: Error) => void}[]} */
    this.waiting = [];
    /** @type {{info: (info: any) => void, review?: (line: string) => void, done: (move: string) => void, fail: (error: Error) => void} | null} */
    this.search = null;
    /** The last exclusive use of the engine in the queue. @type {Promise<any>} */
    this.last = Promise.resolve();
    /** How many have wanted it, and which of them has it. */
    this.users = 0;
    this.user = 0;
    this.closed = false;
    /** How long an answer may take. */
    this.patience = PATIENCE;
    /** Whether the process at the other end has ended. */
    this.ended = false;
    this.use(link);
  }

  /** Talks to a process from now on. @param {Link} link */
  use(link) {
    this.link = link;
    this.ended = false;
    link.onLine = (line) => this.hear(line);
    link.onEnd = () => this.end();
    link.early?.splice(0).forEach(link.onLine);
  }

  /**
   * Starts an engine and waits until it has introduced itself.
   * @param {Transport} transport
   * @param {number} place
   */
  static async start(transport, place) {
    const engine = new Engine(await transport.open(place));
    await engine.introduce().catch((error) => {
      engine.close();
      throw error;
    });
    return engine;
  }

  /** Asks for the engine's name and options. */
  async introduce() {
    for (const line of await this.until(["uci"], "uciok")) {
      if (line.startsWith("id name ")) this.name = line.slice(8);
      const option = /^option name (.+?) type (\S+)(.*)$/.exec(line);
      if (!option) continue;
      this.options.add(option[1].toLowerCase());
      const values = [...option[3].matchAll(/ var (.+?)(?= var |$)/g)].map((found) => found[1]);
      if (option[2] === "combo") this.combos.push({ name: option[1], values });
    }
  }

  /** The values that an option can take. @param {string} name */
  valuesOf(name) {
    return this.combos.find((combo) => combo.name.toLowerCase() === name.toLowerCase())?.values ?? [];
  }

  /** @param {string} line */
  hear(line) {
    if (line.startsWith("bestmove") || line === "reviewok") {
      const search = this.search;
      this.search = null;
      search?.done(line.split(/\s+/)[1] ?? "0000");
      return;
    }
    if (this.search && line.startsWith("review ")) {
      this.search.review?.(line);
      return;
    }
    const info = this.search && parseInfo(line);
    if (info) {
      this.search?.info(info);
      return;
    }
    const first = this.waiting[0];
    if (!first) return;
    if (line.split(/\s+/)[0] === first.end) {
      this.waiting.shift();
      first.done(first.lines);
    } else first.lines.push(line);
  }

  /** @param {boolean} [mute] whether it ends because it does not answer */
  end(mute = false) {
    this.ended = true;
    const [waiting, search] = [this.waiting, this.search];
    [this.waiting, this.search] = [[], null];
    for (const one of waiting) one.fail(new Gone(this.name, mute));
    search?.fail(new Gone(this.name, mute));
    if (mute) this.close();
  }

  /**
   * Sends lines and collects the answer up to a line that begins with a word.
   * @param {string[]} lines without control characters: none can contain a second command
   * @param {string} end
   * @returns {Promise<string[]>}
   */
  until(lines, end) {
    return new Promise((done, fail) => {
      if (lines.some((line) => CONTROL.test(line))) throw new Refused("a message is one line without control characters");
      if (this.ended) throw new Gone(this.name);
      const mute = Number.isFinite(this.patience) ? setTimeout(() => this.end(true), this.patience) : undefined;
      const ended = (/** @type {(value: any) => void} */ act) => (/** @type {any} */ value) => (clearTimeout(mute), act(value));
      this.waiting.push({ lines: [], end, done: ended(done), fail: ended(fail) });
      for (const line of lines) this.link.say(line);
    });
  }

  /**
   * Sends lines and returns the answer. An error in it is thrown.
   * @param {string[]} lines
   * @returns {Promise<string[]>}
   */
  async ask(...lines) {
    const answer = await this.until([...lines, "isready"], "readyok");
    const error = errorIn(answer);
    if (error) throw new Refused(error, answer.find((line) => line.startsWith("Reason: "))?.slice(8));
    return answer;
  }

  /** Sets an option. @param {string} name @param {string | number | boolean} value */
  async set(name, value) {
    if (CONTROL.test(`${name}${value}`)) throw new Refused(`${name}: a value is one line without control characters`);
    return this.ask(`setoption name ${name} value ${value}`);
  }

  /**
   * Asks something about a rule set. Simultaneous questions about other rule sets wait.
   * @param {string} variant
   * @param {string[]} lines
   */
  async askAbout(variant, ...lines) {
    const all = this.variant === variant ? lines : [`setoption name UCI_Variant value ${variant}`, ...lines];
    if (!all.some((line) => CONTROL.test(line))) this.variant = variant;
    return this.ask(...all);
  }

  /**
   * Tries a value of an option in a rule set, and leaves another one. An error says why it is refused.
   * @param {string} variant @param {string} name @param {string} value @param {string} left
   */
  tries(variant, name, value, left) {
    const set = (/** @type {string} */ chosen) => `setoption name ${name} value ${chosen}`;
    return this.askAbout(variant, set(value), set(left));
  }

  /**
   * What moves do, from a position in a game.
   * @param {string} variant
   * @param {string | null} start fifteen fields, or null for the start position
   * @param {string} before the moves before
   * @param {string} moves
   */
  async tell(variant, start, before, moves) {
    checkMoves(moves);
    return parseTelling(await this.askAbout(variant, positionLine(start, before), `sow ${moves}`));
  }

  /**
   * Searches.
   * @param {string | null} start
   * @param {string} moves
   * @param {string} limits the words after `go`
   * @param {(info: import("./notation.js").Info) => void} [info] receives the lines that come meanwhile
   * @returns {Promise<string>} the best move, or `0000`
   */
  go(start, moves, limits, info = () => {}) {
    return this.run(positionLine(start, moves), `go ${limits}`, info);
  }

  /**
   * Judges the moves of a game.
   * @param {string | null} start
   * @param {string} moves
   * @param {string} words the words after `review`
   * @param {(judgement: import("./notation.js").Judgement) => void} judged
   */
  async review(start, moves, words, judged) {
    /** @type {import("./notation.js").Judgement["lines"]} */
    let lines = {};
    const info = (/** @type {import("./notation.js").Info} */ { score, pv }) => {
      if (score && pv) lines[pv[0]] = { score, pv };
    };
    await this.run(positionLine(start, moves), `review ${words}`, info, (line) => {
      const told = parseReview(line);
      if (told && lines[told.best]) judged({ ...told, lines });
      lines = {};
    });
  }

  /**
   * Sends a line that starts a search of a game, and waits for its end.
   * @param {string} position
   * @param {string} line
   * @param {(info: import("./notation.js").Info) => void} info
   * @param {(line: string) => void} [review]
   * @returns {Promise<string>}
   */
  async run(position, line, info, review) {
    await this.stop();
    /** @type {Promise<string>} */
    const found = new Promise((done, fail) => (this.search = { info, review, done, fail }));
    found.catch(() => {});
    try {
      await this.ask(position, line);
    } catch (error) {
      this.search = null;
      throw error;
    }
    // Another request may have come just before the search could be stopped.
    if (this.user !== this.users) await this.stop();
    return found;
  }

  /**
   * Uses the engine alone, after what used it before: that is stopped, and told so.
   * @template T
   * @param {(goesOn: () => boolean) => Promise<T>} use gets a test: false once another request waits
   * @returns {Promise<T>}
   */
  alone(use) {
    const number = ++this.users;
    const goesOn = () => number === this.users;
    const before = this.last;
    const run = async () => {
      await this.stop();
      await before;
      this.user = number;
      return use(goesOn);
    };
    const used = run();
    this.last = used.catch(() => {});
    return used;
  }

  /** Stops a search, and waits until it has answered. */
  async stop() {
    if (!this.search) return;
    [this.search.info, this.search.review] = [() => {}, () => {}];
    await this.ask("stop");
  }

  close() {
    if (this.closed) return;
    this.closed = true;
    this.end();
    this.link.close();
  }
}

/** @param {string} moves */
function checkMoves(moves) {
  if (/[^A-Fa-f]/.test(moves)) throw new Refused("a move is one of the letters A to F and a to f", "letters");
}

/**
 * The line that sets up a game. A position from a file is checked here: it must not contain another command.
 * @param {string | null} start
 * @param {string} moves
 */
export function positionLine(start, moves) {
  if (start && /[^\dSN-]/.test(start)) throw new Refused("a position is fourteen numbers and S or N, joined by `-`", "notation");
  checkMoves(moves);
  return `position ${start ? `fen ${start}` : "startpos"}${moves ? ` moves ${moves}` : ""}`;
}
