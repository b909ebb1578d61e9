// Rows, strips and columns of the page in all sizes and both languages: node tests/browser/layout.mjs KROO CHROMIUM

import assert from "node:assert/strict";
import { begin, checkQuiet, checkScrollbars, checkWidths, ready, STILL, until, withPage } from "./harness.mjs";

/** Rows of buttons that fit into one line, in English. */
const ROWS = {
  play: ["#new", "#swap", "#resign", "#pause"],
  over: ["#rematch", "#swap-end", "#review"],
  analyse: ["#search", "#mistakes", "#next-mistake"],
  tree: ["#set-up", "#promote", "#remove"],
};

await withPage(async (server, browser) => {
  const page = await browser.open(server.address, [1280, 900], STILL);
  await ready(page);
  await begin(page, "oware", "person", "person");
  const box = (/** @type {string} */ selector) =>
    page.value(
      `(({ x, y, width, height, right, bottom }) => ({ x, y, width, height, right, bottom }))(document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`,
    );
  const oneRow = async (/** @type {keyof typeof ROWS} */ row, /** @type {[number, number]} */ size) => {
    await page.resize(size);
    if (["play", "tree"].includes(row) && size[0] < 900) await page.value("document.querySelector('#sheet').showPopover()");
    const tops = new Set();
    for (const button of ROWS[row]) tops.add((await box(button)).y);
    assert.equal(tops.size, 1, `${ROWS[row]} at ${size}`);
    await page.value("document.querySelector('#sheet').matches(':popover-open') && document.querySelector('#sheet').hidePopover()");
  };
  const SIZES = /** @type {[number, number][]} */ ([
    [360, 740],
    [390, 844],
    [1024, 768],
    [1280, 900],
    [1920, 1080],
  ]);

  // The phases of a game: its buttons are in one row.
  for (const size of SIZES) await oneRow("play", size);
  await page.write("#position", "startpos moves FfCcFeEbAdAb");
  await page.value("document.querySelector('#line').requestSubmit()");
  await page.until("document.querySelectorAll('#moves .move').length === 12");
  await page.click("#tab-analyse");
  // The first line of an iteration that is just beginning may be a short one.
  do {
    await page.click("#search");
    await page.until("document.querySelectorAll('#pv li').length > 2 && document.querySelector('#pv li:first-child .turn-lines')");
    await page.click("#search");
    await page.until("document.querySelector('#search').getAttribute('aria-pressed') === 'false'");
  } while (!(await page.value("document.querySelector('#pv li:first-child .turn-lines')?.matches('*') ?? false")));
  for (const size of /** @type {[number, number][]} */ ([...SIZES, [844, 390]]))
    for (const row of /** @type {const} */ (["analyse", "tree"])) await oneRow(row, size);
  // The curve of the graph hides no name.
  await page.equals("document.querySelector('#graph .curve ~ text') !== null && getComputedStyle(document.querySelector('#graph text')).paintOrder", "stroke");
  // A line shows eight moves, and all of them on request.
  const shown = () => page.value("document.querySelectorAll('#pv li:first-child button:not(.turn-lines)').length");
  await page.resize([1280, 900]);
  assert.equal(await shown(), 8);
  await page.click("#pv .turn-lines");
  assert((await shown()) > 8);
  await page.click("#pv .turn-lines");

  // A desk: moves are a grid of number, South and North; strips are 44 px high; the page takes at most 1,680 px.
  const columns = await page.value(
    `[...document.querySelectorAll("#moves .turn")].map((turn) => [...turn.children].map((part) => Math.round(part.getBoundingClientRect().x)).join())`,
  );
  assert.deepEqual([...new Set(columns)].length, 1, `${columns}`);
  assert.match(await page.value("getComputedStyle(document.querySelector('#moves')).fontVariantNumeric"), /tabular-nums/);
  await page.shows("#moves", /5\.A\+3d\+5/);
  await page.resize([1920, 1080]);
  const body = await box("body");
  assert(body.width === 1680 && body.x > 100, `the page is ${body.width} px wide`);
  await page.click("#tab-play");
  for (const strip of ["#strip-top", "#strip-bottom"]) assert.equal((await box(strip)).height, 44);
  await page.equals("[...document.querySelectorAll('.strip.turn')].map((strip) => strip.id).join()", "strip-bottom");
  await page.equals("document.documentElement.scrollHeight", 1080, "there is something to scroll");
  // The gain of the last move is next to the player's store.
  await page.click('#moves .move[data-ply="10"]');
  await page.until(
    "document.querySelector('#strip-top .gain').textContent === '+5' && document.querySelector('[data-place=\"N\"] .count').textContent === '7'",
  );
  await page.shows("#strip-bottom .gain", "");

  // A phone: the board stays in view while the rest is scrolled; moves are a strip of 40 px, and the buttons a bar of 56 px.
  await page.resize([390, 640]);
  await page.click("#tab-analyse");
  await page.value("scrollTo(0, 200)");
  assert((await page.value("scrollY")) > 150, "there is too little to scroll");
  assert.equal((await box("#board")).y, 0);
  await page.value("scrollTo(0, 0)");
  await page.resize([390, 844]);
  assert.equal((await box("#moves")).height, 40);
  const bar = await box("#bar");
  assert(bar.height === 56 && bar.bottom === 844, JSON.stringify(bar));
  for (const button of ["#back", "#next", "#undo", "#redo", "#hint", "#more"]) assert((await box(button)).width >= 44, button);
  await page.click("#tab-play");

  // The end of a game.
  await page.choose("#player-N", "level:initiation");
  await page.resize([1280, 900]);
  const buttons = await box("#bar");
  await page.click("#resign");
  await until(page, "over");
  assert.deepEqual(await box("#bar"), buttons, "the end of a game moves the buttons");
  const [list, end] = [await box("#moves"), await box("#end")];
  assert(end.bottom < list.y && list.bottom < buttons.y && list.height > 100, JSON.stringify([end, list]));
  for (const size of /** @type {[number, number][]} */ ([...SIZES, [844, 390]])) await oneRow("over", size);

  // The name of the game, which comes after the page can be used, moves no tab from under a click.
  for (const size of SIZES) {
    await page.resize(size);
    const before = await box("[role=tablist]");
    const name = await page.value(
      "(({ textContent }) => ((document.querySelector('#game-name').textContent = ''), textContent))(document.querySelector('#game-name'))",
    );
    assert.notEqual(name, "");
    assert.deepEqual(await box("[role=tablist]"), before, `the name moves the tabs at ${size}`);
    await page.value(`document.querySelector('#game-name').textContent = ${JSON.stringify(name)}`);
  }

  // On a phone the name of each game that is listed is one line, and whole unless it tells the seeds too.
  for (const size of SIZES.slice(0, 2)) {
    await page.resize(size);
    const cut = await page.value(`(() => {
      const [title, name] = [document.querySelector("h1"), document.querySelector("#game-name")], own = name.textContent;
      const names = [...document.querySelectorAll("#variant option")].map((one) => one.textContent);
      const cut = names.filter((text) => ((name.textContent = text), (title.scrollWidth > title.clientWidth && !text.includes(",")) || title.clientHeight > 28));
      name.textContent = own;
      return names.length < 6 ? names : cut;
    })()`);
    assert.deepEqual(cut, [], `names at ${size}`);
  }

  // French needs more room, and everything has its place.
  await page.choose("#language", "fr");
  await page.resize([390, 844]);
  await page.equals("document.querySelector('h1').scrollWidth <= document.querySelector('h1').clientWidth", true, "the name in French");
  await checkWidths(page, "the end of a game in French");
  await page.resize([390, 844]);
  await page.value("document.querySelector('#sheet').showPopover()");
  await checkWidths(page, "the sheet in French");
  await page.value("document.querySelector('#sheet').matches(':popover-open') && document.querySelector('#sheet').hidePopover()");
  await page.value("document.querySelector('#tab-analyse').click()");
  await checkWidths(page, "the analysis in French");
  // No button of a line is cut off on a phone held sideways.
  await page.resize([844, 390]);
  const cut = await page.value(`[...document.querySelectorAll("#pv button")].filter((one) => one.checkVisibility()
    && one.getBoundingClientRect().right > one.parentElement.getBoundingClientRect().right).length`);
  assert.equal(cut, 0);
  // It shows six moves of a line, and the others on request.
  const seen = () => page.value("[...document.querySelectorAll('#pv li:first-child button:not(.turn-lines)')].filter((one) => one.checkVisibility()).length");
  assert.equal(await shown(), 8);
  assert.equal(await seen(), 6);
  await page.click("#pv .turn-lines");
  assert((await seen()) > 8);
  assert.equal(await seen(), await shown());
  await page.click("#pv .turn-lines");
  assert.equal(await seen(), 6);

  // The wood's grain ends within the round corners of the board, and the edge of a store follows its round end.
  await page.resize([1280, 900]);
  const outside = await page.value(`(() => {
    const [wood, grain] = [".wood", ".grain"].map((name) => document.querySelector("#board " + name));
    const points = grain.getAttribute("d").split("M").slice(1).flatMap((line) => {
      const numbers = line.match(/[\\d.]+/g).map(Number);
      return [[numbers[0], numbers[1]], numbers.slice(-2)];
    });
    return points.filter(([x, y]) => !wood.isPointInFill(new DOMPoint(x, y)));
  })()`);
  assert.deepEqual(outside, []);

  // A long list of moves shows its scrollbar only while it is used, and a dialog scrolls without the window.
  await page.click("#tab-play");
  await page.write("#time", "0.01");
  await begin(page, "oware", "player:greedy", "player:random");
  await until(page, "over");
  for (const tab of ["#tab-play", "#tab-analyse"]) {
    await page.click(tab);
    await checkScrollbars(page, tab);
    await page.resize([1024, 600]);
    await page.equals("document.querySelector('#moves').scrollHeight > document.querySelector('#moves').clientHeight", true, "the game is not long");
  }
  await page.value("document.querySelector('#moves button').focus()");
  await page.equals("getComputedStyle(document.querySelector('#moves')).scrollbarColor", "auto");
  await page.click("#rules");
  await page.until("document.querySelector('#dialog').open && document.querySelectorAll('#dialog-body p').length > 4");
  await checkScrollbars(page, "the rules");
  checkQuiet(page, server.address);
});
