// Which engines this page talks to: those of the server that it came from.

import { FirstLink } from "./first-link.js";
import { post, Server } from "./server.js";
import { SharedServer } from "./shared-server.js";
import { lockOf } from "./tabs.js";

/** @param {{lost: () => void, back: () => void}} listener @param {string} tab the name of this tab @returns {import("./engine.js").Transport} */
export function transport(listener, tab) {
  const server = "SharedWorker" in globalThis && navigator.locks ? new SharedServer(listener, lockOf(tab)) : new Server(listener);
  const first = new FirstLink((lines) => server.begin(lines));
  return {
    first,
    connected: first.connected,
    get names() {
      return server.names;
    },
    open: (place) => server.open(place),
  };
}

/** Reads a game file. @param {ArrayBuffer} file @returns {Promise<import("./game-files.js").Games>} */
export const readGames = async (file) => JSON.parse(await post("/games", file));

/** Writes a game. @param {import("./game-files.js").Written} game @returns {Promise<{text?: string, error?: string}>} */
export const writeGame = async (game) => JSON.parse(await post("/games/write", JSON.stringify(game)));
