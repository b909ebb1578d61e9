// The way to the engines of `kroo web`: lines go by requests and come by events.

import { headers, hearEvents } from "./events.js";

/** How long to wait before the server is tried again, in milliseconds: at first, and at most. */
const RETRY = 1000;
const LONGEST_RETRY = 30000;

/** Most lines of a request. */
export const MOST_LINES = 32;

/**
 * @param {string} path
 * @param {string | ArrayBuffer} [body]
 */
export async function post(path, body = "") {
  const answer = await fetch(path, { method: "POST", headers, body });
  const text = (await answer.text()).trim();
  if (!answer.ok) throw new Error(text);
  return text;
}

/** A conversation with the server. */
export class Server {
  /** @param {{lost: () => void, back: () => void}} listener */
  constructor(listener) {
    this.listener = listener;
    /** @type {string[]} */
    this.names = [];
    this.page = "";
    /** The first engine, opened with the conversation. @type {ServerLink | null} */
    this.first = null;
    /** @type {Map<string, ServerLink>} */
    this.links = new Map();
  }

  /** Connects, and returns when the first engine is open and has these lines. @param {string[]} lines */
  async connect(lines) {
    await new Promise((done, fail) => {
      this.listen(lines, done)
        .catch(fail)
        .finally(() => this.lose());
    });
    return this;
  }

  /** Connects, and returns the first engine, which has these lines. @param {string[]} lines @returns {Promise<ServerLink>} */
  async begin(lines) {
    return /** @type {ServerLink} */ ((await this.connect(lines)).takeFirst());
  }

  /** Hears events until the connection ends. @param {string[]} lines @param {(value?: any) => void} connected */
  listen(lines, connected) {
    /** @type {Record<string, (data: string) => void>} */
    const begin = {
      page: (data) => void (this.page = data),
      engines: (data) => void (this.names = JSON.parse(data)),
      open: (data) => {
        this.links.set(data, (this.first = new ServerLink(this, data)));
        connected();
      },
    };
    const hear = (/** @type {string} */ name, /** @type {string} */ data) => (begin[name] ? begin[name](data) : this.hear(name, data));
    return hearEvents("/events", hear, JSON.stringify(lines));
  }

  /** @param {string} name @param {string} data */
  hear(name, data) {
    if (name === "ended") this.links.get(data)?.onEnd();
    else this.links.get(name)?.onLine(data);
  }

  /** The connection is gone: says so, and tries until the server is back. */
  async lose() {
    if (!this.page) return;
    this.page = "";
    this.listener.lost();
    for (const link of this.links.values()) link.onEnd();
    for (let wait = RETRY; ; wait = Math.min(2 * wait, LONGEST_RETRY)) {
      await new Promise((done) => setTimeout(done, wait));
      const answer = await fetch("/engines", { headers }).catch(() => null);
      if (answer) {
        this.listener.back();
        return;
      }
    }
  }

  /** The first engine, for its one user. */
  takeFirst() {
    const { first } = this;
    this.first = null;
    return first;
  }

  /** @param {number} place */
  async open(place) {
    const number = await post(`/open?page=${this.page}&engine=${place}`);
    const link = new ServerLink(this, number);
    this.links.set(number, link);
    return link;
  }
}

/** An engine of the server. Lines arrive in order: one request at a time, with all waiting lines. */
class ServerLink {
  /** @param {Server} server @param {string} number */
  constructor(server, number) {
    this.server = server;
    this.number = number;
    /** @type {string[]} */
    this.unsent = [];
    this.sending = false;
    /** Lines received before there was a listener. @type {string[]} */
    this.early = [];
    /** @type {(line: string) => void} */
    this.onLine = (line) => void this.early.push(line);
    this.onEnd = () => {};
  }

  /** @param {string} line */
  say(line) {
    this.unsent.push(line);
    // Simultaneous lines are sent together.
    if (!this.sending) queueMicrotask(() => this.send());
    this.sending = true;
  }

  async send() {
    while (this.unsent.length) {
      const lines = this.unsent.splice(0, MOST_LINES);
      // If this fails the engine is gone.
      await post(`/say?page=${this.server.page}&engine=${this.number}`, JSON.stringify(lines)).catch(() => this.onEnd());
    }
    this.sending = false;
  }

  close() {
    this.server.links.delete(this.number);
    post(`/close?page=${this.server.page}&engine=${this.number}`).catch(() => {});
  }
}
