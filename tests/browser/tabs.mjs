// Several tabs of a browser: tokens that are wrong, missing or new, links, and bookmarks. node tests/browser/tabs.mjs KROO CHROMIUM

import assert from "node:assert/strict";
import { checkQuiet, MOVES, ready, serve, STILL, withPage } from "./harness.mjs";

/** How long a hand holds a button of the mouse, in milliseconds. */
const HELD = 80;
const SIZE = /** @type {[number, number]} */ ([1280, 900]);
const banner = "document.querySelector('#banner').checkVisibility() && document.querySelector('#banner').textContent";

/** Plays a move by a held click. @param {import("./browser.mjs").Page} page @param {string} pit @param {string} moves those of the game then */
async function play(page, pit, moves) {
  await page.click(`[data-place="${pit}"] .hollow`, HELD);
  await page.equals(MOVES, moves);
}

/** Lets two people play. @param {import("./browser.mjs").Page} page */
async function people(page) {
  await ready(page);
  await page.choose("#player-N", "person");
  await page.choose("#player-S", "person");
}

await withPage(async (server, browser) => {
  const bare = new URL("/", server.address).href;
  const page = await browser.open(server.address, SIZE, STILL);
  await people(page);
  await play(page, "F", "F");

  // A tab that brings no token, a wrong one, or a link without one, works, and stops no other tab.
  for (const [address, moves, mode] of [
    [bare, "", "play"],
    [`${bare}#token=00000000000000000000000000000000`, "", "play"],
    [`${bare}#game=kalah&moves=CFf&at=2`, "CFf", "analyse"],
  ]) {
    const tab = await browser.open(address, SIZE, STILL);
    await people(tab);
    await tab.equals(MOVES, moves, address);
    await tab.equals("document.body.dataset.mode + location.hash", mode, address);
    if (mode === "play") await play(tab, "C", "C");
    checkQuiet(tab, server.address);
  }
  await play(page, "f", "Ff");
  await page.click("#new", HELD);
  await page.equals(MOVES, "");
  await play(page, "A", "A");
  checkQuiet(page, server.address);

  // A tab whose name another page has goes on with a copy of its game, and not with that of the last tab, which is closed.
  const holder = await browser.open(bare, SIZE, STILL);
  await ready(holder);
  const last = await browser.open(bare, SIZE, STILL);
  await ready(last);
  await browser.call("Target.closeTarget", { targetId: last.target });
  const name = await page.value("sessionStorage.getItem('kroo.tab')");
  await holder.value(`void navigator.locks.request("kroo.tab.${name}", () => new Promise(() => {}))`);
  await page.reload();
  await ready(page);
  await page.equals(MOVES, "A");
  await browser.call("Target.closeTarget", { targetId: holder.target });

  // A tab that is about to begin again keeps its game: also if it says so while another tab asks for the name.
  const quick = await browser.open("about:blank", SIZE, STILL);
  await quick.call("Page.addScriptToEvaluateOnNewDocument", {
    source: `const { request } = LockManager.prototype, [last] = JSON.parse(localStorage.getItem("kroo.tabs"));
      LockManager.prototype.request = function (...asked) {
        localStorage.setItem("kroo.again." + last, Date.now());
        return request.apply(this, asked);
      };`,
  });
  await page.value("localStorage.setItem('kroo.tabs', JSON.stringify(['closed']))");
  await page.value("localStorage.setItem('kroo.tab.closed', localStorage.getItem('kroo.tab.' + sessionStorage.getItem('kroo.tab')))");
  await quick.call("Page.navigate", { url: bare });
  await ready(quick);
  await quick.equals(MOVES, "");
  await browser.call("Target.closeTarget", { targetId: quick.target });

  // The link that the page copies opens in another tab.
  await page.value("Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => void (globalThis.copied = text) } })");
  await page.click("#link", HELD);
  await page.until("globalThis.copied");
  const link = await page.value("copied");
  assert.doesNotMatch(link, /token/);
  const opened = await browser.open(link, SIZE, STILL);
  await ready(opened);
  await opened.equals(MOVES, "A");

  // In another browser it says what is missing. The address that the server has printed, opened in another tab, is enough then.
  const own = browser.context;
  await browser.begin();
  const elsewhere = await browser.open(link, SIZE, STILL);
  await elsewhere.passes(banner, (text) => assert.match(String(text), /^This browser has no valid token .* Open the address that `kroo web` has printed/));
  await elsewhere.equals("document.querySelector('main').inert", true);
  const other = await browser.open(server.address, SIZE, STILL);
  await ready(other);
  await ready(elsewhere);
  await elsewhere.equals(MOVES, "A");
  await elsewhere.equals("document.body.dataset.mode", "analyse");
  await browser.call("Target.disposeBrowserContext", { browserContextId: browser.context });
  browser.context = own;

  // The server is started again and has another token: its address in a new tab brings all tabs back.
  await server.stop();
  for (const tab of [page, opened]) await tab.passes(banner, (text) => assert.match(String(text), /^The connection to the server is lost/));
  const again = await serve(["--port", server.port]);
  const newcomer = await browser.open(again.address, SIZE, STILL);
  await people(newcomer);
  await play(newcomer, "B", "B");
  await ready(page);
  await page.equals(MOVES, "A");
  await play(page, "a", "Aa");
  await ready(opened);
  for (const tab of [page, opened, newcomer]) await tab.equals("document.querySelector('#banner').checkVisibility()", false);

  // A chosen port keeps its token: after another start the tabs go on by themselves, and a bookmark opens.
  await again.stop();
  await page.passes(banner, (text) => assert.match(String(text), /^The connection to the server is lost/));
  const third = await serve(["--port", server.port]);
  assert.equal(third.address, again.address);
  for (const tab of [page, newcomer]) await tab.until("document.body.dataset.ready === 'yes' && !document.querySelector('#banner').checkVisibility()");
  await play(page, "C", "AaC");
  const bookmark = await browser.open(bare, SIZE, STILL);
  await people(bookmark);
  await play(bookmark, "D", "D");
  await third.stop();
});
