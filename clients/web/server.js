// The way to the engines of `kroo web`: lines go by requests and come by events.

import { headersWith, hearEvents, refusalOf, WrongToken } from "./events.js";

/** How long to wait before the server is tried again, in milliseconds: at first, and at most. */
const RETRY = 1000;
const LONGEST_RETRY = 30000;

/** Most lines of a request. */
export const MOST_LINES = 32;

/**
 * @param {string} path
 * @param {string} token
 * @param {string | ArrayBuffer} [body]
 */
export async function post(path, token, body = "") {
  const answer = await fetch(path, { method: "POST", headers: headersWith(token), body });
  if (!answer.ok) throw await refusalOf(answer);
  return (await answer.text()).trim();
}

/** @typedef {{lost: () => void, back: () => void}} Listener called when the server is lost, and when it is back */

/**
 * Connects with the first of these tokens that the server accepts.
 * @param {string[]} tokens @param {string[]} lines for the first engine @param {Listener} listener
 */
export async function connectWith(tokens, lines, listener) {
  let refusal = new WrongToken();
  for (const token of tokens) {
    try {
      return await new Server(listener, token).connect(lines);
    } catch (error) {
      if (!(error instanceof WrongToken)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

/** A conversation with the server. */
export class Server {
  /** @param {Listener} listener @param {string} token */
  constructor(listener, token) {
    this.listener = listener;
    this.token = token;
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
    return hearEvents("/events", this.token, hear, JSON.stringify(lines));
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
      const answer = await fetch("/engines", { headers: headersWith(this.token) }).catch(() => null);
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

  /** @param {string} path @param {string} [body] */
  post(path, body) {
    return post(path, this.token, body);
  }

  /** @param {number} place */
  async open(place) {
    const number = await this.post(`/open?page=${this.page}&engine=${place}`);
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
      await this.server.post(`/say?page=${this.server.page}&engine=${this.number}`, JSON.stringify(lines)).catch(() => this.onEnd());
    }
    this.sending = false;
  }

  close() {
    this.server.links.delete(this.number);
    this.server.post(`/close?page=${this.server.page}&engine=${this.number}`).catch(() => {});
  }
}
