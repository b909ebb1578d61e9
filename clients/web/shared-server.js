// The way to the engines of `kroo web` through the conversation that all tabs share.

import { WrongToken } from "./events.js";
import { accept, candidates } from "./token.js";

export class SharedServer {
  /** @param {{lost: () => void, back: () => void}} listener @param {string} lock held as long as this tab is there */
  constructor(listener, lock) {
    this.listener = listener;
    this.lock = lock;
    /** @type {string[]} */
    this.names = [];
    this.count = 0;
    /** @type {Map<number, {done: (value: any) => void, fail: (error: Error) => void}>} */
    this.asked = new Map();
    /** @type {Map<number, SharedLink>} */
    this.links = new Map();
    this.port = new SharedWorker(new URL("shared-worker.js", import.meta.url), { type: "module" }).port;
    this.port.onmessage = ({ data }) => this.hear(data);
  }

  /** Connects, and returns when the first engine is open and has these lines. @param {string[]} lines */
  async begin(lines) {
    const first = this.link();
    const { names, token } = await this.ask({ kind: "begin", tokens: candidates(), lock: this.lock, id: first.id, lines });
    this.names = names;
    accept(token);
    return first;
  }

  /** An engine to be. */
  link() {
    const link = new SharedLink(this, ++this.count);
    this.links.set(link.id, link);
    return link;
  }

  /** @param {any} data */
  hear({ kind, id, line, answer, error, isToken, value }) {
    const asked = this.asked.get(answer);
    this.asked.delete(answer);
    if (kind === "line") this.links.get(id)?.onLine(line);
    else if (kind === "ended") this.links.get(id)?.onEnd();
    else if (kind === "done") asked?.done(value);
    else if (kind === "failed") asked?.fail(isToken ? new WrongToken(error) : new Error(error));
    else if (kind === "back") this.listener.back();
    else {
      this.listener.lost();
      for (const link of this.links.values()) link.onEnd();
    }
  }

  /** Says something to the worker, and waits for what comes of it. @param {any} message @returns {Promise<any>} */
  ask(message) {
    const answer = ++this.count;
    return new Promise((done, fail) => {
      this.asked.set(answer, { done, fail });
      this.port.postMessage({ ...message, answer });
    });
  }

  /** @param {number} place */
  async open(place) {
    const link = this.link();
    await this.ask({ kind: "open", id: link.id, place });
    return link;
  }
}

/** @typedef {import("./engine.js").Link} Link */

/** An engine of the server. @implements {Link} */
class SharedLink {
  /** @param {SharedServer} server @param {number} id */
  constructor(server, id) {
    this.server = server;
    this.id = id;
    /** @type {string[]} */
    this.unsent = [];
    /** Lines received before there was a listener. @type {string[]} */
    this.early = [];
    /** @type {(line: string) => void} */
    this.onLine = (line) => void this.early.push(line);
    this.onEnd = () => {};
  }

  /** @param {string} line */
  say(line) {
    // Simultaneous lines are sent together.
    if (this.unsent.push(line) === 1) queueMicrotask(() => this.server.port.postMessage({ kind: "say", id: this.id, lines: this.unsent.splice(0) }));
  }

  close() {
    this.server.links.delete(this.id);
    this.server.port.postMessage({ kind: "close", id: this.id });
  }
}
