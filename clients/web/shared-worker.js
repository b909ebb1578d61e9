// Shared by the tabs of a browser: one conversation with the server, because a browser limits the connections of all tabs together.

import { WrongToken } from "./events.js";
import { connectWith } from "./server.js";

/** @type {any} the global object of a shared worker */
const worker = self;
/** The tabs of the connection, and those that wait for another one. @type {Set<MessagePort>} */
const ports = new Set();
/** @type {Set<MessagePort>} */
const waiting = new Set();
/** @type {Promise<import("./server.js").Server> | null} */
let connection = null;

function lost() {
  connection = null;
  for (const port of ports) {
    waiting.add(port);
    port.postMessage({ kind: "lost" });
  }
  ports.clear();
}

/** The server is back: the tabs that wait for it begin again. */
function back() {
  waiting.forEach((port) => port.postMessage({ kind: "back" }));
  waiting.clear();
}

/**
 * The conversation, begun with these lines for its first engine if need be. A token that the server refuses changes nothing for
 * other tabs.
 * @param {string[]} tokens @param {string[]} lines
 */
async function connect(tokens, lines) {
  while (connection) {
    const server = await connection.catch(() => null);
    if (server) return server;
  }
  const own = connectWith(tokens, lines, { lost, back });
  connection = own;
  own.then(back, () => (connection = null));
  return own;
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
  const open = async (/** @type {number} */ id, /** @type {number} */ place) => {
    const server = await connection;
    if (!server) throw new Error("the server is lost");
    use(id, await server.open(place));
  };
  const close = (/** @type {number} */ id) => {
    links.get(id)?.close();
    links.delete(id);
  };
  const say = (/** @type {{id: number, lines: string[]}} */ { id, lines }) => lines.forEach((line) => links.get(id)?.say(line));
  const leave = () => {
    ports.delete(port);
    waiting.delete(port);
    [...links.keys()].forEach(close);
    port.close();
  };
  /** @type {Record<string, (data: any) => any>} */
  const acts = {
    begin: async ({ tokens, lock, id, lines }) => {
      const server = await connect(tokens, lines);
      ports.add(port);
      // The lock comes free when the tab ends, however that happens.
      navigator.locks.request(lock, leave);
      const first = server.takeFirst();
      use(id, first ?? (await server.open(0)));
      if (!first) say({ id, lines });
      return { names: server.names, token: server.token };
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
      const { message } = /** @type {Error} */ (error);
      port.postMessage({ kind: "failed", answer: data.answer, error: message, isToken: error instanceof WrongToken });
    }
  };
};
