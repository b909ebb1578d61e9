// Which engines this page talks to: those of the server that it came from.

import { Server } from "./server.js";
import { SharedServer } from "./shared-server.js";
import { lockOf } from "./tabs.js";

/** @param {{lost: () => void, back: () => void}} listener @param {string} tab the name of this tab */
export const transport = (listener, tab) =>
  "SharedWorker" in globalThis && navigator.locks ? new SharedServer(listener, lockOf(tab)).connect() : new Server(listener).connect();
