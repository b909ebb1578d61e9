// Which engines this page talks to: those of the server that it came from.

import { FirstLink } from "./first-link.js";
import { connectWith, post } from "./server.js";
import { SharedServer } from "./shared-server.js";
import { lockOf } from "./tabs.js";
import { accept, accepted, awaitToken, candidates } from "./token.js";

/** The way to the engines where tabs can share nothing. */
class LoneServer {
  /** @param {import("./server.js").Listener} listener */
  constructor(listener) {
    this.listener = listener;
    /** @type {import("./server.js").Server | null} */
    this.server = null;
  }

  get names() {
    return this.server?.names ?? [];
  }

  /** Connects, and returns the first engine, which has these lines. @param {string[]} lines @returns {Promise<import("./engine.js").Link>} */
  async begin(lines) {
    this.server = await connectWith(candidates(), lines, this.listener);
    accept(this.server.token);
    return /** @type {import("./engine.js").Link} */ (this.server.takeFirst());
  }

  /** @param {number} place */
  async open(place) {
    if (!this.server) throw new Error("the server is lost");
    return this.server.open(place);
  }
}

/** @param {{lost: () => void, back: () => void}} listener @param {string} tab the name of this tab @returns {import("./engine.js").Transport & {awaitToken: (come: () => void) => void}} */
export function transport(listener, tab) {
  const server = "SharedWorker" in globalThis && navigator.locks ? new SharedServer(listener, lockOf(tab)) : new LoneServer(listener);
  const first = new FirstLink((lines) => server.begin(lines));
  return {
    first,
    awaitToken,
    connected: first.connected,
    get names() {
      return server.names;
    },
    open: (place) => server.open(place),
  };
}

/** Reads a game file. @param {ArrayBuffer} file @returns {Promise<import("./game-files.js").Games>} */
export const readGames = async (file) => JSON.parse(await post("/games", accepted(), file));

/** Writes a game. @param {import("./game-files.js").Written} game @returns {Promise<{text?: string, error?: string}>} */
export const writeGame = async (game) => JSON.parse(await post("/games/write", accepted(), JSON.stringify(game)));
