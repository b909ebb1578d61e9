// The way to the engines of `kroo web`: lines go by requests and come by events.

import { headers, hearEvents } from "./events.js";

/** How long to wait before the server is tried again, in milliseconds: at first, and at most. */
const RETRY = 1000;
const LONGEST_RETRY = 30000;

/**
 * @param {string} path
 * @param {string} [body]
 */
async function post(path, body = "") {
  const answer = await fetch(path, { method: "POST", headers, body });
  const text = (await answer.text()).trim();
  if (!answer.ok) throw new Error(text);
  return text;
}

/** The names of the server's engines. @returns {Promise<string[]>} */
export async function enginesOf() {
  const answer = await fetch("/engines", { headers });
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer.json();
}

/** A conversation with the server. */
export class Server {
  /** @param {{lost: () => void, back: () => void}} listener */
  constructor(listener) {
    this.listener = listener;
    /** @type {string[]} */
    this.names = [];
    this.page = "";
    /** @type {Map<string, ServerLink>} */
    this.links = new Map();
  }

  /** Connects, and returns when engines can be opened. */
  async connect() {
    this.names = await enginesOf();
    await new Promise((done, fail) => {
      this.listen(done)
        .catch(fail)
        .finally(() => this.lose());
    });
    return this;
  }

  /** Hears events until the connection ends. @param {(value?: any) => void} connected */
  listen(connected) {
    return hearEvents("/events", (name, data) => {
      if (name !== "page") return this.hear(name, data);
      this.page = data;
      connected();
    });
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

  /** @param {number} place */
  async open(place) {
    const number = await post(`/open?page=${this.page}&engine=${place}`);
    const link = new ServerLink(this, number);
    this.links.set(number, link);
    return link;
  }
}

/** An engine of the server. What is said to it arrives in order: one request at a time. */
class ServerLink {
  /** @param {Server} server @param {string} number */
  constructor(server, number) {
    this.server = server;
    this.number = number;
    /** @type {string[]} */
    this.unsent = [];
    this.sending = false;
    /** @type {(line: string) => void} */
    this.onLine = () => {};
    this.onEnd = () => {};
  }

  /** @param {string} line */
  say(line) {
    this.unsent.push(line);
    if (!this.sending) this.send();
  }

  async send() {
    this.sending = true;
    for (let line; (line = this.unsent.shift()) !== undefined;) {
      // If this fails the engine is gone.
      await post(`/say?page=${this.server.page}&engine=${this.number}`, line).catch(() => this.onEnd());
    }
    this.sending = false;
  }

  close() {
    this.server.links.delete(this.number);
    post(`/close?page=${this.server.page}&engine=${this.number}`).catch(() => {});
  }
}
