// Small former faults: the move that is shown is in view, the graph in a variation, rings, doubled parts, French rules.
// node tests/browser/small.mjs KROO CHROMIUM

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkQuiet, ready, STILL, until, withPage } from "./harness.mjs";

const LONG = "FfCcFeEbAdAbBfBbFeCdEeBcFdCaBeEbBdCeAcBdCfFc";
/** How far the move that is shown is out of the list's view, in pixels. */
const outside = `((list, now) => Math.max(0, list.top - now.top, now.bottom - list.bottom, list.left - now.left, now.right - list.right))
  (...["#moves", "#moves [aria-current]"].map((one) => document.querySelector(one).getBoundingClientRect()))`;

await withPage(async (server, browser) => {
  const page = await browser.open(server.address, [1280, 900], STILL);
  await ready(page);
  await page.choose("#player-N", "person");
  await page.write("#position", `startpos moves ${LONG}`);
  await page.click("#line button");
  await page.until(`document.querySelectorAll('#moves .move').length === ${LONG.length}`);
  await page.equals(outside, 0);

  // The end of the game takes room from the list, windows change, and the last move stays in view.
  await page.click("#resign", 80);
  await until(page, "over");
  await page.equals(outside, 0, "the end hides the last move");
  // Nothing is offered twice then.
  const offered = (/** @type {string} */ text) =>
    `[...document.querySelectorAll("button")].filter((one) => one.checkVisibility() && one.textContent === "${text}").length`;
  await page.equals(offered("Swap sides"), 1);
  await page.equals(`${offered("Rematch")} + ${offered("New game")}`, 1);
  for (const size of /** @type {[number, number][]} */ ([
    [1280, 600],
    [1280, 900],
    [390, 844],
    [844, 390],
    [1280, 720],
  ])) {
    await page.resize(size);
    await page.equals(outside, 0, `${size}`);
  }
  await page.resize([1280, 900]);

  // The number of seeds in a store is on the board only.
  await page.equals("document.querySelectorAll('.strip .stored, #as-table').length", 0);

  // The graph shows the place at which a variation leaves the game.
  await page.click("#tab-analyse");
  for (const key of ["Home", "ArrowRight", "ArrowRight"]) await page.key(key);
  await page.equals("document.querySelector('#graph').getAttribute('aria-valuenow')", "2");
  await page.until("document.body.dataset.turn !== 'animating' && document.querySelectorAll('.pit.can').length > 0");
  await page.key("a");
  await page.until("document.querySelector('#moves .variation [aria-current]')");
  await page.equals("document.querySelector('#graph').getAttribute('aria-valuenow')", "2");
  await page.passes("document.querySelector('#graph').getAttribute('aria-valuetext')", (text) => assert.match(text, /in a variation from there$/));
  await page.equals("document.querySelectorAll('#graph .now').length", 1);

  // The focus is one ring.
  await page.value("document.querySelector('.pit.can').focus()");
  await page.key("Tab");
  await page.equals("document.activeElement.matches('.pit.can:focus-visible')", true);
  await page.equals("getComputedStyle(document.activeElement).outlineStyle", "none");

  // The error of a set-up goes when it is edited.
  await page.click("#set-up");
  await page.until("document.querySelector('#set-up-form')");
  await page.write('#set-up-form [name="A"]', "9");
  await page.click("#set-up-form button");
  await page.until("document.querySelector('#set-up-error').textContent !== ''");
  await page.write('#set-up-form [name="A"]', "8");
  await page.equals("document.querySelector('#set-up-error').textContent", "");
  await page.key("Escape");
  await page.until("!document.querySelector('#dialog').open");

  // All games of a long file are listed and can be searched; what is left out is said.
  const file = join(browser.folder, "long.ogn");
  const games = Array.from(
    { length: 2000 },
    (_, n) =>
      `[Variant "Oware Abapa"]\n[Event "Cup"]\n[Round "${n + 1}"]\n[Date "2026.01.02"]\n[South "Ama"]\n[North "Kofi ${n}"]\n\n1. F f {${"a comment ".repeat(n % 20)}} *\n\n`,
  );
  writeFileSync(file, games.join(""));
  await page.chooseFile("#file", file);
  await page.shows("#list-count", "2000 of 2000 games");
  await page.equals("document.querySelectorAll('.choices li').length", 2000);
  await page.write("#list-search", "1999. cup");
  await page.shows("#list-count", "1 of 2000 games");
  await page.shows(".choices li:not([hidden])", "1999. Ama – Kofi 1998, Cup, round 1999, 2026.01.02, *");
  await page.click(".choices li:not([hidden]) button", 80);
  await page.shows("#name-top", "North: Kofi 1998");
  writeFileSync(file, `${games[0]}${games[1]}1. F x *\n`);
  await page.chooseFile("#file", file);
  await page.shows("#dialog .error", /^The rest of the file is left out: line 19, column 6: “x” is not a move/);
  await page.shows("#list-count", "2 of 2 games");
  await page.key("Escape");
  await page.until("!document.querySelector('#dialog').open");
  writeFileSync(file, `1. F {${"word ".repeat(250000)}} *\n`);
  await page.chooseFile("#file", file);
  await page.shows("#said", "This is not a game file: line 1, column 1: a line or a game is too long, or has no end");

  // Names of players are on the page and in files.
  await page.click("#tab-play");
  await page.write("#name-S", "Ada");
  await page.shows("#name-bottom", "South: Ada");
  const { path } = await browser.saved(() => page.click("#save"));
  assert.match(readFileSync(path, "utf8"), /\[South "Ada"\]/);
  await page.reload();
  await ready(page);
  await page.shows("#name-bottom", "South: Ada");

  // Clocks of people: one runs, a move adds the increment, and a flag that falls ends the game.
  await page.choose("#player-N", "person");
  await page.write("#minutes", "500");
  await page.shows("#said", "A clock takes 0 to 180.");
  await page.write("#minutes", "10");
  await page.write("#increment", "60");
  await page.key("n");
  await page.until("document.querySelectorAll('#moves .move').length === 0 && document.querySelectorAll('.pit.can').length === 6");
  await page.equals("['top', 'bottom'].map((place) => document.querySelector('#clock-' + place).textContent).join()", "10:00,10:00");
  await page.click('[data-place="F"] .hollow', 80);
  await page.until("document.querySelector('#clock-top').classList.contains('runs') && document.querySelector('#clock-top').textContent !== '10:00'");
  await page.click('[data-place="f"] .hollow', 80);
  await page.shows("#clock-top", /^1[01]:/);
  await page.until("document.querySelector('#clock-bottom').classList.contains('runs')");
  await page.reload();
  await ready(page);
  await page.shows("#clock-top", /^10:[1-5]/);
  await page.write("#minutes", "0.01");
  await page.write("#increment", "0");
  await page.click("#new", 80);
  await page.until("document.querySelectorAll('#moves .move').length === 0 && document.querySelectorAll('.pit.can').length === 6");
  await page.click('[data-place="F"] .hollow', 80);
  await page.shows("#said", /North's time ran out\. South wins\.$/);
  await until(page, "over");
  await page.write("#minutes", "0");

  // Moves are heard until the sound is switched off.
  await page.value(
    "globalThis.heard = 0; AudioContext.prototype.createOscillator = ((make) => function () { heard++; return make.call(this); })(AudioContext.prototype.createOscillator)",
  );
  await page.key("n");
  await page.until("document.querySelectorAll('#moves .move').length === 0 && document.querySelectorAll('.pit.can').length === 6");
  await page.click('[data-place="F"] .hollow', 80);
  await page.until("document.querySelectorAll('#moves .move').length === 1 && heard === 1");
  await page.click("#sound");
  await page.until("document.querySelectorAll('.pit.can').length > 0");
  await page.click('[data-place="f"] .hollow', 80);
  await page.until("document.querySelectorAll('#moves .move').length === 2");
  await page.equals("heard", 1);

  // A link of a game that is unknown is called a link.
  const bad = await browser.open(`${server.address}&game=owari&moves=A`, [1280, 900], STILL);
  await ready(bad);
  await bad.shows("#said", /This link is of a game that Kroo does not play: owari\./);

  // In French all rules are French.
  await page.choose("#language", "fr");
  for (const variant of ["oware", "kalah", "awari", "awari1978", "ayoayo", "avalanche"]) {
    await page.choose("#variant", variant);
    await page.until(`document.body.dataset.variant === "${variant}"`);
    await page.click("#rules");
    await page.until("document.querySelector('#dialog').open && document.querySelectorAll('#dialog-body p').length === 5");
    await page.equals("document.querySelectorAll('#dialog-body [lang]').length", 0, variant);
    await page.shows("#dialog-body p", /^Le plateau a deux rangées/);
    await page.key("Escape");
    await page.until("!document.querySelector('#dialog').open");
  }
  checkQuiet(page, server.address);
});
