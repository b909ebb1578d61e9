// A game on a phone: taps outside the sheet, the sentences below the board, and all that needs no scrolling.
// node tests/browser/phone.mjs KROO CHROMIUM

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { begin, checkQuiet, MOVES, ready, STILL, until, withPage } from "./harness.mjs";

/** @param {import("./browser.mjs").Page} page @param {string} selector */
const box = (page, selector) =>
  page.value(`(({ top, bottom, left, right, height }) => ({ top, bottom, left, right, height }))
  (document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`);
/** @param {import("./browser.mjs").Page} page @param {string} sentence */
const said = (page, sentence) => page.until(`document.querySelector("#said").textContent.endsWith(${JSON.stringify(sentence)})`);
const isOpen = "document.querySelector('#sheet').matches(':popover-open')";

/** Takes a position and moves. @param {import("./browser.mjs").Page} page @param {string} line @param {number} count */
async function take(page, line, count) {
  await page.write("#position", line);
  await page.value("document.querySelector('#line').requestSubmit()");
  await page.until(`document.querySelectorAll('#moves .move').length === ${count} && ['person', 'over', 'analysing'].includes(document.body.dataset.turn)`);
}

await withPage(async (server, browser) => {
  const page = await browser.open(server.address, [390, 844], STILL);
  await page.call("Emulation.setTouchEmulationEnabled", { enabled: true });
  await ready(page);
  await page.write("#time", "0.01");
  await begin(page, "oware", "person", "person");
  await page.shows("#game-name", "Oware Abapa");

  // A tap outside the sheet only closes it; a button in it closes it too, so that its effect is seen.
  const openSheet = async () => {
    await page.tap("#more");
    await page.until(isOpen);
  };
  for (const below of ["#tab-analyse", '[data-place="f"]']) {
    await openSheet();
    await page.tap(below);
    await page.until(`!${isOpen}`);
    await page.equals("document.body.dataset.mode", "play", `a tap outside the sheet reaches ${below}`);
    await page.shows("#said", "South to move: choose a pit.");
  }
  // The next tap counts again, and leaves no hover.
  await page.tap('[data-place="C"]');
  await page.until("document.querySelectorAll('#moves .move').length === 1");
  await page.equals("getComputedStyle(document.querySelector('[data-place=C] .hollow')).filter", "none");
  await openSheet();
  await page.tap("#further summary");
  await page.until("document.querySelector('#save').checkVisibility()");
  const { name } = await browser.saved(() => page.tap("#save"));
  await said(page, `Saved as ${name}.`);
  await page.equals(isOpen, false, "the sheet hides the message");
  // So does another game.
  await openSheet();
  await page.choose("#variant", "kalah");
  await page.until(`!${isOpen} && document.body.dataset.variant === "kalah"`);
  await openSheet();
  await page.choose("#variant", "oware");
  await page.until(`!${isOpen} && document.body.dataset.variant === "oware"`);
  await openSheet();
  await page.tap("#new");
  await page.until(`!${isOpen} && document.querySelectorAll('#moves .move').length === 0`);
  // A tap leaves no square on the board.
  await page.equals("getComputedStyle(document.querySelector('.pit')).webkitTapHighlightColor", "rgba(0, 0, 0, 0)");

  // The sentence is of the players that are chosen.
  await page.choose("#player-N", "level:beginner");
  await said(page, "Your turn: choose a pit.");
  await page.choose("#player-N", "person");
  await said(page, "South to move: choose a pit.");

  // Steps that lead nowhere are marked, and keep the focus.
  const off = "['back', 'next'].filter((id) => document.querySelector('#' + id).ariaDisabled === 'true').join()";
  await page.equals(off, "back,next");
  await take(page, "startpos moves FfCcFeEbAdAb", 12);
  await page.equals(off, "next");
  await page.value("document.querySelector('#back').focus()");
  for (let count = 0; count < 12; count++) await page.key("Enter");
  await page.until("!document.querySelector('#moves [aria-current]')");
  await page.equals(off, "back");
  await page.equals("document.activeElement.id", "back");

  // The board shows what was captured.
  await page.value("document.querySelector('#moves .move[data-ply=\"10\"]').click()");
  const taken = "[...document.querySelectorAll('.pit .value')].map((one) => one.textContent.trim()).filter((text) => text[0] === '−')";
  await page.until(`${taken}.length > 0`);
  await page.equals(`${taken}.reduce((sum, text) => sum + Number(text.slice(1)), 0)`, 5);
  await page.shows("#said", /Captured: \d from [A-F](, \d from [A-F])*\. This is an earlier position\. Choose any pit to return to the game\.$/);
  await page.equals("document.querySelector('#hint').disabled", true, "a hint for an earlier position");

  // The strip of moves keeps its place, however long the sentence is.
  const strip = await box(page, "#moves");
  await page.value("document.querySelector('#said').textContent = 'a long sentence '.repeat(20)");
  assert.deepEqual(await box(page, "#moves"), strip);

  // All of a sentence of three lines is above the bar of a small phone.
  for (const size of /** @type {[number, number][]} */ ([
    [360, 640],
    [390, 664],
  ])) {
    await page.resize(size);
    const room = await page.value(`(() => { const said = document.querySelector("#said"), text = said.textContent, range = document.createRange();
      said.innerHTML = "one<br>two<br>three";
      range.selectNodeContents(said);
      const { bottom } = range.getBoundingClientRect();
      said.textContent = text;
      return document.querySelector("#bar").getBoundingClientRect().top - bottom; })()`);
    assert(room >= 0, `${room} px of room at ${size}`);
  }
  await page.resize([390, 844]);

  // A message shows the search for a hint, from the side of the person, North.
  await begin(page, "oware", "level:initiation", "person");
  await until(page, "person");
  await said(page, "Your turn: choose a pit.");
  await page.equals("document.querySelector('#undo').title", "Undo: New game", "there is no move of the person's");
  await page.value(`globalThis.sentences = []; new MutationObserver(() => sentences.push(document.querySelector("#said").textContent))
    .observe(document.querySelector("#said"), { childList: true })`);
  await page.tap("#hint");
  await page.until("sentences.includes('Looking for the best move …')");
  await page.until("/^Kroo would play [a-f] \\(.+ for you\\)\\.$/.test(document.querySelector('#said').textContent)");
  await page.tap('[data-place="f"]');
  await page.until("document.querySelectorAll('#moves .move').length >= 3 && document.body.dataset.turn === 'person'");
  await page.equals("document.querySelector('#undo').title", "Undo: move");

  // In French a name of a side and of a player are in French.
  await page.choose("#language", "fr");
  await page.shows("#name-top", "Sud : Kroo, initiation");
  await page.choose("#language", "en");

  await page.choose("#player-S", "person");

  // The search for mistakes says how far it is, between the board and the bar, and can be stopped; so do the lines of an engine.
  await take(page, "startpos moves FfCcFeEbAdAbBfBbFeCdEeBcFdCaBeEbBdCeAcBdCfFc", 44);
  await page.tap("#tab-analyse");
  // The strips of an analysis without players give their room away, as the board names the sides.
  const strips = "[...document.querySelectorAll('.strip')].map((strip) => strip.checkVisibility()).join()";
  const sides = "[...document.querySelectorAll('#board .side')].filter((name) => name.checkVisibility()).map((name) => name.textContent).join()";
  await page.equals(`${strips} + ${sides}`, "false,falseNorth,South");
  await page.tap("#tab-play");
  await page.equals(`${strips} + ${sides}`, "true,true");
  await page.tap("#tab-analyse");
  /** @param {string[]} parts */
  const between = (parts) => `${JSON.stringify(parts)}.every((one) => { const [part, board, bar] = [one, "#board", "#bar"].map((name) =>
    document.querySelector(name).getBoundingClientRect()); return part.top >= board.bottom && part.bottom <= bar.top; })`;
  for (const size of /** @type {[number, number][]} */ ([
    [390, 844],
    [360, 640],
  ])) {
    await page.resize(size);
    await page.value("scrollTo(0, 0); document.querySelector('#mistakes').click()");
    await page.until(`/^Move \\d+ of 44 …$/.test(document.querySelector('#searching').textContent) && ${between(["#mistakes", "#searching"])}`);
    await page.shows("#mistakes", "Stop looking");
    await page.tap("#mistakes");
    await page.until("document.querySelector('#mistakes').textContent === 'Find my mistakes'");
  }
  await page.resize([390, 844]);
  await page.value("scrollTo(0, 0); document.querySelector('#search').click()");
  await page.until(`document.querySelectorAll('#pv li').length > 0 && ${between(["#search", "#pv", "#counts"])}`);
  // The board and the strip of moves stay while the rest is scrolled.
  await page.value("scrollTo(0, 9999)");
  await page.drawn();
  const stay = "[document.querySelector('#board'), document.querySelector('#moves')].map((one) => one.getBoundingClientRect())";
  await page.equals(`scrollY > 50 && ${stay}.map(({ top, height }) => [top, height].map(Math.round).join()).join(";")`, "0,366;366,40");
  await page.value("document.querySelector('#search').click()");
  await page.until("document.querySelector('#search').textContent === 'Start'");
  await page.value("scrollTo(0, 0)");

  // An engine's comment is a sentence with a score of the side that scores are for; variations are in the strip.
  const file = join(browser.folder, "comments.ogn");
  writeFileSync(file, '[Variant "Oware Abapa"]\n[South "Ama"]\n[North "Kofi"]\n\n1. F {+0.50/3} f {+1.25/7 0.200s} 2. C?! (2. E {mine} d) c *\n');
  await page.chooseFile("#file", file);
  await page.until("document.querySelectorAll('#moves .move').length === 4");
  await page.equals(`${strips} + document.querySelector("#name-top").textContent`, "true,trueNorth: Kofi");
  const commentAt = async (/** @type {number} */ ply, /** @type {string} */ comment) => {
    await page.value(`document.querySelector('#moves .move[data-ply="${ply}"]').click()`);
    await page.until(`document.querySelector('#moves [aria-current]')?.dataset.ply === "${ply}"`);
    await page.shows("#comment", comment);
  };
  await commentAt(1, "South's engine: South +0.50, depth 3.");
  await commentAt(2, "North's engine: South −1.25, depth 7.");
  await page.choose("#view", "N");
  await page.shows("#comment", "North's engine: North +1.25, depth 7.");
  await page.choose("#view", "S");
  await commentAt(4, "");
  await page.tap("#moves .variation button");
  await page.until("document.querySelector('#moves [aria-current]').textContent === 'E'");
  await page.shows("#comment", "mine");
  const { path: written } = await browser.saved(() => page.click("#save"));
  assert.match(readFileSync(written, "utf8"), /1\. F \{\+0\.50\/3\} f \{\+1\.25\/7 0\.200s\} 2\. C\?! \(2\. E \{mine\} d\) c/);

  // The value of a position that the rules have ended is known without a search.
  await take(page, "0-0-0-0-0-1-2-1-0-0-0-0-22-22-S moves F", 1);
  await page.shows("#eval-score", "South won +3");

  // A phone held sideways: the board and the buttons stay in view when lines are below the window, and where the page is scrolled.
  await take(page, "startpos moves FfCcFeEbAdAb", 12);
  await page.resize([844, 390]);
  const stays = `["#board", "#eval", "#bar"].map((one) => document.querySelector(one).getBoundingClientRect()).every(({ top, bottom }) => top >= 0 && bottom <= 390)`;
  await page.tap("#search");
  await page.until("document.querySelectorAll('#pv li').length > 1");
  assert.equal(await page.value(stays), true, "after the start of a search");
  await page.value("scrollTo(0, 9999)");
  await page.drawn();
  assert((await page.value("scrollY")) > 50, "there is too little to scroll");
  assert.equal(await page.value(stays), true, "at the end of the page");
  await page.value("document.querySelector('#search').click(); scrollTo(0, 0)");

  // The end of a game is in view, and the labels of the pits can be read.
  await page.tap("#tab-play");
  await page.until("document.body.dataset.mode === 'play'");
  await page.resize([844, 390]);
  await page.value(
    "document.querySelector('#said').textContent = 'North: f, 13 seeds, the last falls into B. Captured: 2 from A, 3 from B. North has more than half of the seeds. Seeds left.'",
  );
  const end = await page.value(`(() => { const range = document.createRange();
    range.selectNodeContents(document.querySelector("#said")); return range.getBoundingClientRect().bottom; })()`);
  assert(end <= 390, `the sentence ends at ${end}`);
  const size = await page.value(
    "parseFloat(getComputedStyle(document.querySelector('.pit text')).fontSize) * document.querySelector('#board').getBoundingClientRect().width / 1000",
  );
  assert(size >= 12, `labels of ${size} px`);

  // A desk: the list of moves does not push what is below it.
  await page.resize([1280, 900]);
  await take(page, "startpos", 0);
  const few = await box(page, "#bar");
  await take(page, "startpos moves FfCcFeEbAdAbBfBbFeCdEeBcFdCaBeEbBdCeAcBdCfFc", 44);
  assert.deepEqual(await box(page, "#bar"), few);
  checkQuiet(page, server.address);
  await page.equals(`${MOVES}.length`, 44);
});
