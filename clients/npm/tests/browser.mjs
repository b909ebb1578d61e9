// The package in a browser: node browser.mjs FOLDER CHROMIUM, where npm has installed the package in the folder.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { Browser } from "../../../tests/browser/browser.mjs";

const [folder, chromium] = process.argv.slice(2);
const server = createServer(async (request, response) => {
  const path = request.url ?? "/";
  try {
    const kind = path.endsWith(".js") ? "text/javascript" : path === "/" ? "text/html" : "application/octet-stream";
    const body = path === "/" ? "<!doctype html>" : await readFile(join(folder, path));
    response.writeHead(200, { "Content-Type": kind }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", () => done(undefined)));
const address = `http://127.0.0.1:${/** @type {any} */ (server.address()).port}/`;

/** In the page: plays and analyses by the rules of oware. */
const USE = `import("/index.js").then(async ({ Engine }) => {
  const engine = await Engine.load({ variant: "oware" });
  const depths = [];
  for await (const info of engine.analyse({ moves: "Ff" }, { depth: 6 })) if (info.score) depths.push(info.depth);
  const { move } = await engine.play({ moves: "Ff" }, { time: 100 });
  return { depths, move, state: await engine.look({ moves: "Ff" + move }) };
})`;

const browser = new Browser(chromium);
try {
  const page = await browser.open(address, [390, 844]);
  await page.until(`location.href === "${address}" && document.readyState === "complete"`);
  const { depths, move, state } = await page.value(USE);
  assert.deepEqual(depths, [1, 2, 3, 4, 5, 6]);
  assert.match(move, /^[A-F]$/);
  assert.match(state.fen, /-N$/);
  assert.deepEqual(
    page.complaints.filter((text) => !text.includes("favicon")),
    [],
  );
} finally {
  await browser.close();
  server.close();
}
