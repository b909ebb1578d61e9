// Which engines this page talks to: those of the server that it came from.

import { Server } from "./server.js";

/** @param {{lost: () => void, back: () => void}} listener */
export const transport = (listener) => new Server(listener).connect();
