// The conversation with an engine, without input and output: lines go in, and lines to send come out.
//
// Only one exchange runs at a time; the others wait until the engine has finished it. Each line of the engine therefore belongs to a
// known command, even if its caller has given up. clients/states.md says what a call answers in each state. The Python package
// has the same machine (clients/python/src/kroo/conversation.py).

/** A refusal by the engine, in its own words, or by the conversation. */
export class EngineError extends Error {
  name = "EngineError";
}

/** The engine has ended. */
export class EngineTerminated extends EngineError {
  name = "EngineTerminated";
}

const REFUSAL = "info string error ";

/** A command and its answer. Only the conversation changes it. */
export class Exchange {
  /** Whether it has an answer or an error. */
  hasOutcome = false;
  /** @type {unknown} */
  error = null;
  /** Whether the engine has finished with it. */
  isOver = false;
  isStopped = false;
  /** @type {Set<() => void>} */
  #wakers = new Set();

  /** @param {string} asked @param {boolean} isOpen whether it runs until its caller stops it: others are refused meanwhile */
  constructor(asked, isOpen = false) {
    this.asked = asked;
    this.isOpen = isOpen;
  }

  /** The first lines to send. @returns {string[]} */
  begin() {
    return [];
  }

  /** Takes a line of the engine, and returns lines to send. @param {string} _line @returns {string[]} */
  take(_line) {
    return [];
  }

  /** Asks the engine to answer now. @returns {string[]} */
  stop() {
    return [];
  }

  /** @param {unknown} [error] */
  conclude(error = null) {
    if (this.hasOutcome) return;
    this.isOpen = false;
    this.error = error;
    this.hasOutcome = true;
  }

  wake() {
    const wakers = [...this.#wakers];
    this.#wakers.clear();
    for (const waker of wakers) waker();
  }

  /** Waits for a state of the exchange. @param {() => boolean} isDone */
  async until(isDone) {
    while (!isDone()) await new Promise((done) => this.#wakers.add(() => done(undefined)));
  }
}

/** Lines that are answered at once. */
export class Ask extends Exchange {
  /** The answer. @type {string[]} */
  said = [];
  #readies;

  /** @param {string[]} commands */
  constructor(commands) {
    super(commands[0] ?? "isready");
    this.commands = commands;
    // Its own questions are counted.
    this.#readies = 1 + commands.filter((command) => /^\s*isready\s*$/.test(command)).length;
  }

  begin() {
    return [...this.commands, "isready"];
  }

  /** @param {string} line */
  take(line) {
    if (line === "readyok") this.#readies -= 1;
    if (this.#readies > 0) {
      this.said.push(line);
      return [];
    }
    const error = this.said.find((said) => said.startsWith(REFUSAL));
    this.conclude(error === undefined ? null : new EngineError(error.slice(REFUSAL.length)));
    this.isOver = true;
    return [];
  }
}

/**
 * A command that takes time. The position is sent before the command: after a refused position no search starts.
 * The engine answers `isready` at once, even while it works, so a refusal of the command is known by then.
 */
export class Work extends Exchange {
  /** What its caller has not read. @type {string[]} */
  unread = [];
  /** The line that ends it, once it has come. @type {string | null} */
  last = null;
  /** @type {string | null} */
  #refusal = null;
  #isSent = false;
  /** Awaited lines `readyok`. */
  #readies = 1;

  /** @param {string} position @param {string} command @param {string} ends the first word of its last line @param {boolean} [isOpen] */
  constructor(position, command, ends, isOpen) {
    super(command, isOpen);
    this.position = position;
    this.ends = ends;
  }

  begin() {
    return [`position ${this.position}`, "isready"];
  }

  /** @param {string} line */
  take(line) {
    if (line === "readyok" && this.#readies > 0) return this.#ready();
    if (line.startsWith(REFUSAL)) this.#refusal ??= line.slice(REFUSAL.length);
    else if (!this.#isSent) return [];
    else if (line.split(" ", 1)[0] === this.ends) {
      this.last = line;
      this.conclude();
    } else if (!this.hasOutcome) this.unread.push(line);
    this.#look();
    return [];
  }

  #ready() {
    this.#readies -= 1;
    if (this.#refusal !== null) this.conclude(new EngineError(this.#refusal));
    if (!this.#isSent && !this.hasOutcome) {
      this.#isSent = true;
      this.#readies = 1;
      return [this.asked, "isready", ...(this.isStopped ? ["stop"] : [])];
    }
    this.#look();
    return [];
  }

  /** It is over if it was refused or never begun, or has ended. */
  #look() {
    this.isOver = this.#readies === 0 && (!this.#isSent || this.#refusal !== null || this.last !== null);
  }

  stop() {
    if (this.isStopped || this.isOver) return [];
    this.isStopped = true;
    this.isOpen = false;
    return this.#isSent ? ["stop"] : [];
  }
}

/** All exchanges with an engine, one after the other. */
export class Conversation {
  /** @type {Exchange | null} */
  #current = null;
  /** @type {Exchange[]} */
  #waiting = [];
  /** Why the engine takes no more commands. @type {EngineTerminated | null} */
  #closed = null;

  /** The state of the engine, in the words of clients/states.md. @returns {"ready" | "busy" | "open" | "leaving" | "ended"} */
  get state() {
    if (this.#closed) return "ended";
    const all = this.#all();
    if (all.some((exchange) => exchange.isOpen)) return "open";
    if (all.some((exchange) => !exchange.hasOutcome)) return "busy";
    return all.length > 0 ? "leaving" : "ready";
  }

  /** Begins an exchange, or lets it wait for its turn. @param {Exchange} exchange @returns {string[]} */
  submit(exchange) {
    const state = this.state;
    if (state === "ended") exchange.conclude(this.#closed);
    else if (state === "open") exchange.conclude(new EngineError("a search is running: finish or leave its loop, or stop it"));
    else {
      this.#waiting.push(exchange);
      return this.#next();
    }
    exchange.wake();
    return [];
  }

  /** Takes a line of the engine. What belongs to no command is skipped. @param {string} line @returns {string[]} */
  receive(line) {
    const exchange = this.#current;
    if (!exchange) return [];
    const lines = exchange.take(line);
    if (exchange.isOver) {
      this.#current = null;
      lines.push(...this.#next());
    }
    exchange.wake();
    return lines;
  }

  /** Stops an exchange, or all. @param {Exchange | null} [exchange] @returns {string[]} */
  stop(exchange = null) {
    return (exchange ? [exchange] : this.#all()).flatMap((one) => {
      const lines = one.stop();
      return one === this.#current ? lines : [];
    });
  }

  /** Stops an exchange, and drops its answer. @param {Exchange} exchange @param {unknown} error @returns {string[]} */
  abandon(exchange, error) {
    if (exchange.isOver) return [];
    const lines = this.stop(exchange);
    this.#waiting = this.#waiting.filter((other) => other !== exchange);
    exchange.conclude(error);
    exchange.wake();
    return lines;
  }

  /** The engine has ended. @param {string} reason @param {unknown} [cause] */
  end(reason, cause) {
    this.#closed ??= new EngineTerminated(`the engine ${reason}`, { cause });
    const all = this.#all();
    this.#current = null;
    this.#waiting = [];
    for (const exchange of all) {
      exchange.isOver = true;
      exchange.conclude(this.#closed);
      exchange.wake();
    }
  }

  #all() {
    return this.#current ? [this.#current, ...this.#waiting] : [...this.#waiting];
  }

  /** Begins the next waiting exchange if the engine is free. @returns {string[]} */
  #next() {
    if (this.#current) return [];
    this.#current = this.#waiting.shift() ?? null;
    return this.#current?.begin() ?? [];
  }
}
