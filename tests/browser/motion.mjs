// The motion of seeds: pits lifted by the mouse, pulses of captures, speeds, and motions that are skipped.
// node tests/browser/motion.mjs KROO CHROMIUM

import assert from "node:assert/strict";
import { begin, checkQuiet, checkSeeds, MOVES, ready, slowDown, withPage } from "./harness.mjs";

/** The arguments of `animate` and `setTimeout`, and which pits began and ceased to pulse. */
const WATCH = `(() => {
  globalThis.durations = [];
  globalThis.pulses = [];
  globalThis.waits = [];
  const late = setTimeout;
  globalThis.setTimeout = (act, time) => (waits.push(time), late(act, time));
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    durations.push(Math.round(options.duration));
    return animate.call(this, frames, options);
  };
  const isPulsing = {};
  new MutationObserver(() => {
    for (const pit of document.querySelectorAll(".pit")) {
      const { place } = pit.dataset, is = pit.classList.contains("pulse");
      if (is !== Boolean(isPulsing[place])) pulses.push({ place, is, motion: getComputedStyle(pit.querySelector(".well")).animation });
      isPulsing[place] = is;
    }
  }).observe(document.querySelector("#board"), { subtree: true, attributes: true, attributeFilter: ["class"] });
})()`;

await withPage(async (server, browser) => {
  const page = await browser.open(server.address, [1280, 900]);
  await ready(page);
  await begin(page, "oware", "person", "person");

  // A pit under the mouse is lifted, and the place where its last seed would fall is marked; elsewhere nothing is.
  const rect = (/** @type {string} */ selector) =>
    page.value(`(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))
    (document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`);
  const hollow = (/** @type {string} */ pit) => rect(`[data-place="${pit}"] .hollow`);
  const rest = { D: await hollow("D"), a: await hollow("a") };
  const over = async (/** @type {"D" | "a"} */ pit) => page.call("Input.dispatchMouseEvent", { type: "mouseMoved", ...rest[pit] });
  await over("D");
  await page.until("document.querySelector('.ghost')");
  await page.until(`document.querySelector('[data-place="D"] .well').getAnimations().length === 0`);
  const lifted = rest.D.y - (await hollow("D")).y;
  assert(lifted > 1 && lifted < 4, `lifted by ${lifted} px`);
  const [ghost, landing] = [await rect(".ghost"), await hollow("b")];
  assert(Math.hypot(ghost.x - landing.x, ghost.y - landing.y) < 1, "four seeds from D end in b");
  await over("a");
  await page.until("!document.querySelector('.ghost')");
  await page.until(`document.querySelector('[data-place="D"] .well').getAnimations().length === 0`);
  assert.deepEqual([await hollow("D"), await hollow("a")], [rest.D, rest.a]);

  // Each speed: a lift, drops, a pulse of 200 ms at the normal speed, and the way of the captured seeds to the store.
  await page.value(WATCH);
  const play = async (/** @type {string} */ speed) => {
    await page.choose("#speed", speed);
    await page.write("#position", "0-0-0-0-0-2-4-2-0-0-0-0-20-20-S");
    await page.value("document.querySelector('#line').requestSubmit()");
    await page.until("document.querySelectorAll('#moves .move').length === 0 && document.querySelectorAll('.pit.can').length === 1");
    await page.value("durations.length = pulses.length = waits.length = 0");
    await page.click('[data-place="F"] .hollow');
    await page.until("document.querySelectorAll('#moves .move').length === 1 && document.body.dataset.turn !== 'animating'");
    await checkSeeds(page);
    await page.shows('[data-place="S"] .count', "23");
    return page.value("[durations, pulses, waits]");
  };
  for (const [speed, factor] of /** @type {[string, number][]} */ ([
    ["slow", 2],
    ["normal", 1],
    ["fast", 0.45],
  ])) {
    const [durations, pulses, waits] = await play(speed);
    assert.deepEqual(
      durations,
      [120, 150, 150, 300].map((time) => Math.round(time * factor)),
      speed,
    );
    assert.deepEqual(
      pulses.map(({ place, is }) => [place, is]),
      [
        ["b", true],
        ["b", false],
      ],
      speed,
    );
    assert.match(pulses[0].motion, /pulse/);
    assert.match(pulses[0].motion, /0\.2s/);
    assert(waits.includes(200 * factor), `${speed}: ${waits}`);
  }
  assert.deepEqual((await play("none")).slice(0, 2), [[], []]);

  // A click on a pit ends a motion and is no move; the speed is kept.
  await begin(page, "kalah", "person", "person");
  await page.choose("#speed", "slow");
  await slowDown(page);
  await page.click('[data-place="D"] .hollow');
  await page.until("document.body.dataset.turn === 'animating' && document.querySelectorAll('.hand .seed').length > 0");
  // Seeds have the same size in the hand, and three tints.
  await page.equals("[...new Set([...document.querySelectorAll('.hand .seed, .pit .seed')].map((seed) => seed.getAttribute('r')))].length", 1);
  await page.equals("new Set([...document.querySelectorAll('.pit .seed')].map((seed) => seed.getAttribute('fill'))).size", 3);
  await page.click('[data-place="b"] .hollow');
  await page.until("document.body.dataset.turn === 'person' && document.querySelectorAll('.hand .seed').length === 0");
  await page.equals(MOVES, "D");
  await page.click('[data-place="b"] .hollow');
  await page.until("document.querySelectorAll('#moves .move').length === 2");
  await page.reload();
  await ready(page);
  await page.equals("document.querySelector('#speed').value", "slow");
  checkQuiet(page, server.address);
});
