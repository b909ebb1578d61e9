// Which engines this page talks to: those of the server that it came from.

import { post, Server } from "./server.js";
import { SharedServer } from "./shared-server.js";
import { lockOf } from "./tabs.js";

/** What the first engine is asked as soon as it is open. */
const FIRST = ["uci"];

/** @param {{lost: () => void, back: () => void}} listener @param {string} tab the name of this tab */
export const transport = (listener, tab) =>
  "SharedWorker" in globalThis && navigator.locks ? new SharedServer(listener, lockOf(tab)).connect(FIRST) : new Server(listener).connect(FIRST);

/** Reads a game file. @param {ArrayBuffer} file @returns {Promise<import("./game-files.js").Games>} */
export const readGames = async (file) => JSON.parse(await post("/games", file));

/** Writes a game. @param {import("./game-files.js").Written} game @returns {Promise<{text?: string, error?: string}>} */
export const writeGame = async (game) => JSON.parse(await post("/games/write", JSON.stringify(game)));
