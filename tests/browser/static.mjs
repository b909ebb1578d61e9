// The page without a server behind it: a folder of files, and the engine in workers. node tests/browser/static.mjs FOLDER CHROMIUM

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { Browser } from "./browser.mjs";
import { begin, checkQuiet, checkSeeds, checkWidths, MOVES, moves, ready, STILL, until } from "./harness.mjs";

const [folder, chromium] = process.argv.slice(2);
/** A plain server knows these; what it does not know, such as WebAssembly, it calls bytes. */
const KINDS = /** @type {Record<string, string>} */ ({ ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" });

const server = createServer(async (request, response) => {
  const path = new URL(request.url ?? "/", "http://x").pathname;
  const name = path === "/kroo/" ? "index.html" : path.replace(/^\/kroo\//, "");
  try {
    const body = await readFile(join(folder, name));
    response.writeHead(200, { "Content-Type": KINDS[extname(name)] ?? "application/octet-stream" }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", () => done(undefined)));
const address = `http://127.0.0.1:${/** @type {any} */ (server.address()).port}/kroo/`;

/** Clicks on the first pit that can be sown. @param {import("./browser.mjs").Page} page */
async function clickOn(page) {
  const before = (await moves(page)).length;
  await page.click(`[data-place="${await page.value("document.querySelector('.pit.can').dataset.place")}"] .hollow`);
  await page.until(`document.querySelectorAll("#moves .move").length > ${before}`);
}

const browser = new Browser(chromium);
try {
  const page = await browser.open(address, [390, 844], STILL);
  await ready(page);
  await clickOn(page);
  await page.until("document.querySelectorAll('#moves .move').length >= 2");
  const time = await page.value("performance.now()");
  console.log(`from the first request to the first answer: ${time.toFixed(0)} ms`);

  // A game to its end, by clicks, against the whole engine.
  await page.write("#time", "0.05");
  await begin(page, "kalah", "person", "level:full");
  for (let count = 0; count < 200; count++) {
    await page.until("['person', 'over'].includes(document.body.dataset.turn)");
    if ((await page.value("document.body.dataset.turn")) === "over") break;
    await clickOn(page);
  }
  await until(page, "over");
  await page.shows("#said", /(wins, \d+ to \d+|A draw, \d+ to \d+)\.$/);
  await checkSeeds(page);
  await checkWidths(page, "the end of a game");

  // A fair start, which the engine has.
  await page.click("#fair");
  await page.shows("#said", /^A fair start: perfect play draws\./);

  // Two engines, each in a worker of its own.
  await begin(page, "awari", "player:greedy", "level:full");
  await until(page, "over");
  assert((await moves(page)).length > 10);

  // An analysis begins, deepens, follows the board, and stops at once.
  await begin(page, "oware", "person", "person");
  await page.click("#tab-analyse");
  await page.click("#search");
  const depth = "Number(/depth (\\d+)/.exec(document.querySelector('#counts').textContent)?.[1] ?? 0)";
  await page.until(`${depth} >= 8 && document.querySelectorAll('#pv li').length === 6`);
  await page.key("c");
  await page.until("document.querySelectorAll('#moves .move').length === 1");
  await page.until("/^[a-f]/.test(document.querySelector('#pv li button')?.textContent)");
  await page.until(`${depth} >= 12`);
  await page.click("#search");
  const began = Date.now();
  await page.until("document.querySelector('#search').getAttribute('aria-pressed') === 'false'");
  // The engine has stopped when it takes the next search.
  await page.click("#search");
  await page.until(`${depth} >= 1 && document.querySelector('#search').getAttribute('aria-pressed') === 'true'`);
  console.log(`an analysis is stopped and begun again within ${Date.now() - began} ms`);
  await page.click("#search");
  const shown = await page.text("#counts");
  // All that a search has found before it ends comes before what the same engine says of a hint.
  await page.write("#time", "0.01");
  await page.click("#hint");
  await page.until("document.querySelector('#said').textContent.startsWith('Kroo would play')");
  assert.equal(await page.text("#counts"), shown, "the search goes on");

  // A game file is read by the engine, and what is wrong with another one is said.
  const saved = join(browser.folder, "game.ogn");
  await writeFile(saved, '[Variant "Kalah"]\n[South "Ada"]\n\n1.C {the usual} F?! (1. A b) a *\n');
  await page.chooseFile("#file", saved);
  await page.until("document.body.dataset.variant === 'kalah' && document.querySelectorAll('#moves .move').length === 3");
  await page.equals(MOVES, "CFa");
  await page.shows("#name-bottom", /Ada/);
  await page.equals("document.querySelectorAll('#moves .variation button').length", 2);
  // It is written by the engine too.
  const { path: written } = await browser.saved(() => page.click("#save"));
  assert.match(await readFile(written, "utf8"), /\n\n1\. C\+1 \{the usual\} F\+1\?! \(1\. A b\) a 2-0\n\n$/);
  await writeFile(saved, "this is no game");
  await page.chooseFile("#file", saved);
  await page.until("/^This is not a game file: line 1, column 1: “this” is not a move/.test(document.querySelector('#said').textContent)");

  // The game survives a reload here too.
  const before = await moves(page);
  await page.reload();
  await ready(page);
  await page.equals(MOVES, before);
  checkQuiet(page, address);
} finally {
  await browser.close();
  server.close();
}
