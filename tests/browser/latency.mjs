// How soon the page can be used on a slow line, and what a second visit loads: node tests/browser/latency.mjs KROO CHROMIUM

import assert from "node:assert/strict";
import { checkQuiet, ready, STILL, withPage } from "./harness.mjs";

/** The latency of each request, in milliseconds. */
const LATENCY = 300;

await withPage(async (server, browser) => {
  const page = await browser.open("about:blank", [1280, 900], STILL);
  await page.call("Network.emulateNetworkConditions", { offline: false, latency: LATENCY, downloadThroughput: -1, uploadThroughput: -1 });
  /** @param {string} what @param {() => Promise<any>} load */
  const measure = async (what, load) => {
    page.requests.length = 0;
    await load();
    await ready(page);
    const time = await page.value("readyAt");
    // The page and its parts, one request that opens the engine with its first question, and one for the rest.
    assert(page.requests.length <= 7, `${page.requests}`);
    console.log(`${what}: usable after ${time.toFixed(0)} ms, ${page.requests.length} requests`);
  };
  await page.call("Page.addScriptToEvaluateOnNewDocument", {
    source: `new MutationObserver((_, all) => document.body?.dataset.ready === "yes" && (all.disconnect(), (globalThis.readyAt = performance.now())))
      .observe(document, { attributes: true, subtree: true, childList: true })`,
  });
  await measure("first visit", () => page.call("Page.navigate", { url: server.address }));
  // Before any script has come there is a board, and a text.
  const html = await (await fetch(new URL("/", server.address))).text();
  assert.match(html, /One moment …/);
  assert.match(html, /<link rel="modulepreload"/);
  assert(html.match(/<circle class="hollow"/g)?.length === 12, "there is no board in the page");
  // Files go out compressed, and those that have their contents in their path are kept.
  const [script] = /[0-9a-f]{16}\/main\.js/.exec(html) ?? [];
  const answer = await fetch(new URL(`/${script}`, server.address));
  assert.equal(answer.headers.get("content-encoding"), "gzip");
  assert.match(answer.headers.get("cache-control") ?? "", /immutable/);
  assert.equal((await fetch(new URL("/", server.address))).headers.get("cache-control"), "no-store");
  page.responses.length = 0;
  await measure("second visit", () => page.reload());
  // A request needs no connection of its own.
  assert(
    page.responses.some(({ url, connectionReused }) => url.startsWith(server.address.split("#")[0]) && connectionReused),
    JSON.stringify(page.responses.map(({ url }) => url)),
  );
  checkQuiet(page, server.address);
});
