// The page by the rules of WCAG 2.2 AA, as axe-core checks them, and what axe-core cannot see.
// node tests/browser/accessible.mjs KROO CHROMIUM AXE

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { begin, checkQuiet, moves, ready, STILL, until, withPage } from "./harness.mjs";

const axe = readFileSync(process.argv[4], "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Everything in view keeps the rules. @param {import("./browser.mjs").Page} page @param {string} what */
async function check(page, what) {
  await page.value(`typeof axe === "object" || (${JSON.stringify(axe)}.length, (0, eval)(${JSON.stringify(axe)}), true)`);
  const found = await page.value(`axe.run(document, { runOnly: ${JSON.stringify(TAGS)} }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html.slice(0, 160) + " " + failureSummary).join(" | ")))`);
  assert.deepEqual(found, [], what);
}

/**
 * Colours of the board in their contrast: what tells something apart, against what is round it.
 * @type {[string, string, number][]} two colours, and the least contrast
 */
const PAIRS = [
  ["--on-wood", "--wood-1", 4.5],
  ["--on-wood", "--wood-2", 4.5],
  ["#ffffff", "--pit-1", 4.5],
  ["#ffffff", "--pit-2", 4.5],
  ["--ring-best", "#ffffff", 3],
  ["--ring-good", "#ffffff", 3],
  ["--ring-bad", "#ffffff", 3],
  ["--seed-1", "--pit-2", 3],
  ["--pit-edge", "--wood-2", 3],
  ["--edge", "--card", 3],
  ["--accent", "--card", 3],
  ["--bad", "--card", 4.5],
  ["--best", "--paper", 4.5],
  ["--best", "--card", 4.5],
  ["--soft", "--card", 4.5],
  ["--soft", "--paper", 4.5],
  ["--on-accent", "--accent", 4.5],
];

/** The contrast of two colours by WCAG. @param {string} one @param {string} other */
function contrast(one, other) {
  const light = (/** @type {string} */ colour) => {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const part = parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** @param {import("./browser.mjs").Page} page @param {string} theme */
async function checkColours(page, theme) {
  const names = [...new Set(PAIRS.flatMap(([one, other]) => [one, other]))].filter((name) => name.startsWith("--"));
  const values = await page.value(
    `Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, getComputedStyle(document.documentElement).getPropertyValue(name).trim()]))`,
  );
  const colour = (/** @type {string} */ name) => values[name] ?? name;
  for (const [one, other, least] of PAIRS) {
    const found = contrast(colour(one), colour(other));
    assert(found >= least, `${one} ${colour(one)} on ${other} ${colour(other)}, ${theme}: ${found.toFixed(2)}`);
  }
}

await withPage(async (server, browser) => {
  for (const theme of ["light", "dark"]) {
    const page = await browser.open(server.address, [1280, 900], [...STILL, { name: "prefers-color-scheme", value: theme }]);
    await ready(page);
    await checkColours(page, theme);
    for (const size of /** @type {[number, number][]} */ ([
      [390, 844],
      [1280, 900],
    ])) {
      await page.resize(size);
      const at = `${theme} at ${size}`;
      await begin(page, "oware", "person", "person");
      await check(page, `an empty game, ${at}`);
      await page.write("#position", "startpos moves FfE");
      await page.click("#line button");
      await page.until("document.querySelectorAll('#moves .move').length === 3");
      await page.click("#further summary");
      await check(page, `settings, ${at}`);
      await page.key("Escape");
      await page.click("#resign");
      await until(page, "over");
      await page.value("document.querySelector('#sheet').matches(':popover-open') && document.querySelector('#sheet').hidePopover()");
      await check(page, `the end, ${at}`);
      await page.click("#undo");
      await page.click("#tab-analyse");
      await page.click("#mistakes");
      await page.until("document.querySelector('#found').textContent.includes('accurate')");
      await page.click("#search");
      await page.until("document.querySelectorAll('#pv li').length > 2 && document.querySelectorAll('.pit.best').length === 1");
      await page.click("#search");
      await check(page, `an analysis, ${at}`);
      for (const button of ["#rules", "#keys", "#set-up"]) {
        await page.click(button);
        await page.until("document.querySelector('#dialog').open");
        await page.value("document.querySelector('#sheet').matches(':popover-open') && document.querySelector('#sheet').hidePopover()");
        await check(page, `${button}, ${at}`);
        await page.key("Escape");
        await page.until("!document.querySelector('#dialog').open");
      }
      await page.click("#tab-play");
    }
    checkQuiet(page, server.address);
    await page.call("Page.close").catch(() => {});
  }

  // Where nothing moves, the first of two moves is seen for a moment before the second.
  const page = await browser.open(server.address, [1280, 900], STILL);
  await ready(page);
  await begin(page, "oware", "person", "level:initiation");
  await page.choose("#speed", "normal");
  await page.write("#time", "0.01");
  // The clock of the page has stopped, so that nothing of the moment is spent with thinking.
  await page.value(`(() => {
    const [now, late, count] = [performance.now(), setTimeout, () => document.querySelectorAll("#moves .move").length];
    performance.now = () => now;
    globalThis.waits = [];
    globalThis.setTimeout = (act, time) => (waits.push([count(), time]), late(act, time));
  })()`);
  await page.click('[data-place="F"] .hollow');
  await page.until("document.querySelectorAll('#moves .move').length === 2");
  const waits = await page.value("waits");
  assert(
    waits.some((/** @type {number[]} */ [count, time]) => count === 1 && time === 400),
    JSON.stringify(waits),
  );
  await page.reload();
  await ready(page);

  // A game by the keyboard alone: the pits are reached by Tab, and the focus stays on the board.
  await begin(page, "oware", "person", "person");
  await page.value("document.querySelector('[data-place=\"C\"]').focus()");
  await page.key("Enter");
  await page.until("document.querySelectorAll('#moves .move').length === 1");
  await page.equals("document.activeElement.closest('#board') !== null", true, "the focus has left the board");
  for (let tabs = 0; tabs < 60 && !(await page.value("document.activeElement.matches('.pit.can')")); tabs++) await page.key("Tab");
  await page.key(" ");
  await page.until("document.querySelectorAll('#moves .move').length === 2");

  // In French the whole page is French.
  await page.choose("#language", "fr");
  await page.equals("document.documentElement.lang", "fr");
  await page.shows("#tab-play", "Jouer");
  await page.shows("#said", /graines.*au trait : choisissez un trou\.$/);
  await page.equals("document.querySelector('#back').getAttribute('aria-label')", "Un coup en arrière");
  await check(page, "in French");
  await page.reload();
  await ready(page);
  await page.shows("#tab-play", "Jouer", "the language is not kept");
  checkQuiet(page, server.address);
});
