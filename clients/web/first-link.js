// The link to the first engine, which can be asked before there is a connection.

import { MOST_LINES } from "./server.js";

/** @typedef {import("./engine.js").Link} Link */

/** Its first lines go out with the request that opens the connection. @implements {Link} */
export class FirstLink {
  /** @param {(lines: string[]) => Promise<Link>} begin connects, and opens the engine with these lines */
  constructor(begin) {
    this.begin = begin;
    /** @type {string[]} */
    this.unsent = [];
    /** @type {Link | null} */
    this.link = null;
    /** @type {(line: string) => void} */
    this.onLine = () => {};
    this.onEnd = () => {};
    /** Called by the first line. */
    this.said = () => {};
    /** Settled as the connection is. @type {Promise<void>} */
    this.connected = new Promise((done) => (this.said = () => done(undefined))).then(() => this.open());
  }

  /** @param {string} line */
  say(line) {
    if (this.link) return this.link.say(line);
    this.unsent.push(line);
    this.said();
  }

  async open() {
    const link = await this.begin(this.unsent.splice(0, MOST_LINES));
    link.onLine = (line) => this.onLine(line);
    link.onEnd = () => this.onEnd();
    link.early?.splice(0).forEach(link.onLine);
    this.unsent.forEach((line) => link.say(line));
    this.link = link;
  }

  close() {
    this.link?.close();
  }
}
