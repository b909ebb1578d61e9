// A whole game by keyboard alone: the game and the opponent chosen, played to its end by digits, letters and Enter, with a hint,
// undo, the mistakes, and another game. Nothing here clicks, chooses or writes by other means than keys.

import assert from "node:assert/strict";
import { checkQuiet, MOVES, moves, ready, STILL, until, withPage } from "./harness.mjs";

/** @typedef {import("./browser.mjs").Page} Page */

/** Presses Tab until an element has the focus; it is there in one round through the page. @param {Page} page @param {string} selector */
async function tabTo(page, selector) {
  for (let count = 0; count < 120; count++) {
    if (await page.value(`document.activeElement?.matches(${JSON.stringify(selector)})`)) return;
    await page.key("Tab");
  }
  assert.fail(`Tab does not reach ${selector}`);
}

/** Chooses from a list by the arrows. @param {Page} page @param {string} selector @param {string} value */
async function arrowTo(page, selector, value) {
  await tabTo(page, selector);
  const place = `((list) => [...list.options].findIndex((one) => one.value === ${JSON.stringify(value)}) - list.selectedIndex)(document.querySelector(${JSON.stringify(selector)}))`;
  for (let left = await page.value(place); left !== 0; left = await page.value(place)) await page.key(left > 0 ? "ArrowDown" : "ArrowUp");
}

/** Leaves a list or a button, so that letters and digits are keys of the game. @param {Page} page */
const leave = (page) => tabTo(page, "#tab-play, #tab-analyse");

await withPage(async (server, browser) => {
  const page = await browser.open(server.address, [1280, 900], STILL);
  await ready(page);
  await arrowTo(page, "#variant", "kalah");
  await page.until("document.body.dataset.variant === 'kalah'");
  await arrowTo(page, "#player-N", "level:initiation");
  await page.until("document.querySelector('#player-N').value === 'level:initiation'");
  await leave(page);
  await until(page, "person");
  // A hint, a move by its letter, undo.
  await page.key("h");
  await page.shows("#said", /^Kroo would play [A-F] /);
  await page.key("c");
  await page.until(`${MOVES}.startsWith("C")`);
  await until(page, "person");
  await page.key("u");
  await page.equals(MOVES, "");
  // Pits are reached by Tab, too, and sown by Enter; the rest of the game by digits.
  await tabTo(page, '[data-place="D"]');
  await page.key("Enter");
  await page.until(`${MOVES}.startsWith("D")`);
  await leave(page);
  for (let number = 0; number < 200; number++) {
    await page.until("['person', 'over'].includes(document.body.dataset.turn)");
    if ((await page.value("document.body.dataset.turn")) === "over") break;
    const can = await page.value("[...document.querySelectorAll('.pit.can')].map((pit) => pit.dataset.place)");
    const before = (await moves(page)).length;
    await page.key(String("ABCDEF".indexOf(can[number % can.length]) + 1));
    await page.until(`${MOVES}.length > ${before}`);
  }
  await until(page, "over");
  await page.shows("#end h2", /^(You (won|lost) \d+–\d+|A draw \d+–\d+)$/);
  // What can follow is reached by Tab: the mistakes, then another game.
  await tabTo(page, "#review");
  await page.key("Enter");
  await page.until("document.body.dataset.mode === 'analyse' && document.querySelector('#mistakes').getAttribute('aria-pressed') === 'true'");
  await tabTo(page, "#mistakes");
  await page.key("Enter");
  await page.until("document.querySelector('#mistakes').getAttribute('aria-pressed') === 'false'");
  await tabTo(page, "#tab-analyse");
  await page.key("ArrowLeft");
  await page.until("document.body.dataset.mode === 'play'");
  await page.key("n");
  await page.equals(MOVES, "");
  await until(page, "person");
  // A fair start, too.
  await tabTo(page, "#fair");
  await page.key("Enter");
  await page.shows("#said", /^A fair start: perfect play draws\./);
  await leave(page);
  await page.key("?");
  await page.until("document.querySelector('#dialog').open");
  await page.key("Escape");
  await page.until("!document.querySelector('#dialog').open");
  checkQuiet(page, server.address);
});
