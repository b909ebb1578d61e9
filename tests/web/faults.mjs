// What once went wrong under a slow hand and a slow line: node tests/web/faults.mjs KROO CHROMIUM

import assert from "node:assert/strict";
import { begin, checkQuiet, moves, ready, STILL, until, withPage } from "./harness.mjs";

/** How long a hand holds a button of the mouse, and how late a slow server answers, in milliseconds. */
const HELD = 100;
const LATENCY = 240;
const current = "document.querySelector('#moves [aria-current]')?.firstChild.textContent";

await withPage(async (server, browser) => {
  const page = await browser.open(server.address, [1280, 900], STILL);
  await ready(page);
  const slow = (/** @type {number} */ latency) =>
    page.call("Network.emulateNetworkConditions", { offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 });

  // No click is lost, and the focus is kept, while a search draws its lines again and again.
  await page.write("#position", "startpos moves FfEcDdCb");
  await page.click("#line button");
  await page.until("document.querySelectorAll('#moves > button').length === 8");
  await page.click("#tab-analyse");
  await page.click("#search");
  await page.until("document.querySelectorAll('#pv li').length > 2");
  for (const latency of [0, LATENCY]) {
    await slow(latency);
    for (const [index, move] of [..."FfEcDdCb"].entries()) {
      await page.click(`#moves > button:nth-of-type(${index + 1})`, HELD);
      await page.until(`${current} === "${move}"`);
      await page.click(`#graph .point:nth-of-type(${index + 1})`, HELD);
      await page.until(`${current} === ${index ? `"${"FfEcDdCb"[index - 1]}"` : "undefined"}`);
    }
    await page.value("document.querySelector('#moves > button').focus()");
    await page.key("Enter");
    await page.until(`${current} === "F" && document.querySelectorAll('#pv li').length > 2`);
    await page.until("/depth ([89]|1\\d)/.test(document.querySelector('#counts').textContent)");
    assert.equal(await page.value("document.activeElement === document.querySelector('#moves > button')"), true, "the focus is lost");
  }
  await slow(0);
  await page.click("#search");
  checkQuiet(page, server.address);
});
