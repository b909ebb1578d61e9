// A game with clocks, interrupted at each of its steps: the tab is loaded again or closed, another tab is opened, the server is started
// again. What is kept of the game is the same before and after. node tests/browser/steps.mjs KROO CHROMIUM

import assert from "node:assert/strict";
import { MOVES, ready, serve, STILL, until, withPage } from "./harness.mjs";

/** @typedef {import("./browser.mjs").Page} Page */

const SIZE = /** @type {[number, number]} */ ([1280, 900]);
/** How much of a clock may be used by loading a page, in milliseconds, on a busy machine. */
const SLACK = 60000;

/** The game of a tab as it is kept, and its clock apart. @param {Page} page */
async function keptGame(page) {
  const text = await page.value(
    `(() => { const { play } = JSON.parse(localStorage["kroo.tab." + sessionStorage["kroo.tab"]]); return localStorage["kroo.game." + play]; })()`,
  );
  const { game, tab, result } = JSON.parse(text);
  const { clock, ...rest } = game;
  return { tab, result, clock, game: rest };
}

/** What a side has used until the page was seen last, in milliseconds. @param {any} clock @param {string} side */
function usedBy({ turns, running }, side) {
  const own = turns.filter((/** @type {any} */ turn) => turn.side === side).reduce((/** @type {number} */ sum, /** @type {any} */ turn) => sum + turn.used, 0);
  return own + (running?.side === side ? running.seen - running.from : 0);
}

await withPage(async (first, browser) => {
  let server = first;
  let page = await browser.open(server.address, SIZE, STILL);
  await ready(page);
  await page.write("#time", "0.05");
  await page.choose("#speed", "none");
  await page.choose("#player-N", "level:amateur");
  await page.write("#name-S", "Ada");
  await page.write("#minutes", "30");
  await page.write("#increment", "3");
  await page.click("#new");
  await page.until(`document.body.dataset.games === "1" && document.querySelector("#clock-bottom").textContent === "30:00"`);

  /** Each interrupts the game, and shows it again. @type {Record<string, () => Promise<void>>} */
  const interruptions = {
    "loaded again": () => page.reload(),
    "closed, and opened": async () => {
      await browser.call("Target.closeTarget", { targetId: page.target });
      // A tab that is opened once the other one is gone has its name.
      const picture = await browser.open(new URL("/icon.svg", server.address).href, SIZE);
      await picture.until("navigator.locks.query().then(({ held }) => !held.length)");
      await browser.call("Target.closeTarget", { targetId: picture.target });
      page = await browser.open(server.address, SIZE, STILL);
    },
    "loaded again before the page is gone": async () => {
      const name = "kroo.tab." + (await page.value("sessionStorage['kroo.tab']"));
      // The lock goes from the page to the picture, and to the page again.
      const picture = await browser.open(new URL("/icon.svg", server.address).href, SIZE);
      const hold = "new Promise((gone) => setTimeout(gone, 300))";
      await picture.until(`globalThis.waits = navigator.locks.request("${name}", () => ${hold}), true`);
      await page.reload();
      await ready(page);
      await picture.value("waits");
      await browser.call("Target.closeTarget", { targetId: picture.target });
    },
    "next to another tab": async () => {
      const other = await browser.open(server.address, SIZE, STILL);
      await ready(other);
      await other.click("#tab-play");
      await other.choose("#player-N", "person");
      await other.choose("#player-S", "level:grandmaster");
      await other.write("#minutes", "1");
      await other.value("document.querySelector('#new').click()");
      await other.until(`${MOVES}.length > 0`);
      await browser.call("Target.closeTarget", { targetId: other.target });
      await page.reload();
    },
    "the server started again": async () => {
      await server.stop();
      await page.until("document.querySelector('#banner').checkVisibility()");
      server = await serve(["--port", server.port]);
      await page.loads(() => page.call("Page.navigate", { url: server.address }));
    },
  };

  /** Interrupts the game in each way, and compares. @param {string} step */
  const check = async (step) => {
    for (const [name, interrupt] of Object.entries(interruptions)) {
      const what = `${step}: ${name}`;
      const before = await keptGame(page);
      await interrupt();
      await ready(page);
      const after = await keptGame(page);
      const isCopy = before.tab !== after.tab;
      assert(!isCopy, `${what}: the game has another tab`);
      assert.deepEqual(after.game, before.game, what);
      assert.equal(after.result, before.result, what);
      assert.deepEqual([after.clock.minutes, after.clock.increment], [30, 3], what);
      for (const side of ["S", "N"]) {
        const [used, now] = [usedBy(before.clock, side), usedBy(after.clock, side)];
        assert(now >= used && now - used < SLACK, `${what}: ${side} has used ${now} ms, ${used} ms before`);
      }
      await page.shows("#name-bottom", "South: Ada");
      await page.shows("#name-top", "North: Kroo, amateur");
    }
  };

  await check("at the start");
  for (const plies of [2, 4]) {
    await until(page, "person");
    await page.click(`[data-place="${await page.value("document.querySelector('.pit.can').dataset.place")}"] .hollow`);
    await page.until(`${MOVES}.length === ${plies}`);
    await until(page, "person");
    await page.until("document.querySelector('#clock-bottom').classList.contains('runs')");
    // Settings of the next game change nothing of one that has begun.
    await page.write("#minutes", "7");
    await page.write("#increment", "1");
    await check(`after ${plies} moves`);
  }
  await page.key("ArrowLeft");
  await page.shows("#said", /^.*This is an earlier position/);
  await check("at an earlier position");
  await page.key("End");
  await page.key("u");
  await page.until(`${MOVES}.length === 2`);
  await check("after undo");
  await page.click("#tab-analyse");
  await page.equals("document.body.dataset.mode", "analyse");
  await check("in the analysis");
  await page.click("#tab-play");
  await page.click("#resign");
  await until(page, "over");
  await check("at the end");
  if (server !== first) await server.stop();
});
