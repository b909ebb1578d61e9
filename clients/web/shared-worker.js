// Shared by the tabs of a browser: one conversation with the server, as a browser has few connections for all of them.

import { headers } from "./events.js";
import { Server } from "./server.js";

/** @type {any} the global object of a shared worker */
const worker = self;
/** @type {Set<MessagePort>} */
const ports = new Set();
/** @type {Promise<Server> | null} */
let connection = null;

/** @param {any} message */
const tellAll = (message) => ports.forEach((port) => port.postMessage(message));

/** The conversation, begun with these lines for its first engine if need be. @param {string[]} lines */
function connect(lines) {
  const lost = () => {
    connection = null;
    tellAll({ kind: "lost" });
  };
  connection ??= new Server({ lost, back: () => tellAll({ kind: "back" }) }).connect(lines).catch((error) => {
    connection = null;
    throw error;
  });
  return connection;
}

worker.onconnect = (/** @type {MessageEvent} */ { ports: [port] }) => {
  /** @type {Map<number, import("./engine.js").Link>} */
  const links = new Map();
  const use = (/** @type {number} */ id, /** @type {import("./engine.js").Link} */ link) => {
    links.set(id, link);
    link.onLine = (line) => port.postMessage({ kind: "line", id, line });
    link.onEnd = () => port.postMessage({ kind: "ended", id });
    link.early?.splice(0).forEach(link.onLine);
  };
  const open = async (/** @type {number} */ id, /** @type {number} */ place) => use(id, await (await connect([])).open(place));
  const close = (/** @type {number} */ id) => {
    links.get(id)?.close();
    links.delete(id);
  };
  const say = (/** @type {{id: number, lines: string[]}} */ { id, lines }) => lines.forEach((line) => links.get(id)?.say(line));
  const leave = () => {
    ports.delete(port);
    [...links.keys()].forEach(close);
    port.close();
  };
  /** @type {Record<string, (data: any) => any>} */
  const acts = {
    begin: async ({ token, lock, id, lines }) => {
      headers["X-Kroo-Token"] = token;
      const server = await connect(lines);
      ports.add(port);
      // The lock comes free when the tab ends, however that happens.
      navigator.locks.request(lock, leave);
      const first = server.takeFirst();
      use(id, first ?? (await server.open(0)));
      if (!first) say({ id, lines });
      return server.names;
    },
    open: ({ id, place }) => open(id, place),
    say,
    close: ({ id }) => close(id),
  };
  port.onmessage = async ({ data }) => {
    try {
      const value = await acts[data.kind](data);
      if (data.answer) port.postMessage({ kind: "done", answer: data.answer, value });
    } catch (error) {
      port.postMessage({ kind: "failed", answer: data.answer, error: /** @type {Error} */ (error).message });
    }
  };
};
