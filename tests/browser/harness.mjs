// Shared by the tests of the page: a server, a browser, and checks that hold everywhere.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser } from "./browser.mjs";

const [engine, chromium] = process.argv.slice(2);

/** The sizes in which everything has to fit: phones and a desk. */
export const SIZES = /** @type {[number, number][]} */ ([
  [360, 740],
  [390, 844],
  [844, 390],
  [1280, 900],
]);

/** Where servers keep their tokens. */
const data = mkdtempSync(join(tmpdir(), "kroo-data-"));
process.on("exit", () => rmSync(data, { recursive: true, force: true }));

/** A server that runs. Its engines build no endgames, which would take half of their time. @param {string[]} words */
export async function serve(words = []) {
  const server = spawn(engine, ["web", "--endgameseeds", "0", ...words], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, XDG_DATA_HOME: data },
  });
  const address = await new Promise((done, fail) => {
    server.on("error", fail);
    server.on("exit", () => fail(new Error("the server has ended")));
    let text = "";
    server.stdout.on("data", (data) => {
      const found = /Kroo is at (\S+)\n/.exec((text += data));
      if (found) done(found[1]);
    });
  });
  const ended = new Promise((done) => server.on("exit", done));
  const kill = () => server.kill("SIGKILL");
  process.on("exit", kill);
  ended.then(() => process.off("exit", kill));
  const stop = () => (server.kill("SIGINT"), ended);
  return { address, port: new URL(address).port, stop, pid: server.pid };
}

/** @type {Browser | null} */
let shared = null;

/** Runs tests that share a browser, and ends it. @param {() => Promise<void>} tests */
export async function withBrowser(tests) {
  shared = new Browser(chromium);
  try {
    await tests();
  } finally {
    await shared.close();
    shared = null;
  }
}

/** Runs a test with a server and a browser, and ends both; a shared browser goes on. @param {(server: any, browser: Browser) => Promise<void>} test @param {string[]} words */
export async function withPage(test, words = []) {
  if (!shared) return withBrowser(() => withPage(test, words));
  const server = await serve(["--port", "0", ...words]);
  await shared.begin();
  try {
    await test(server, shared);
  } finally {
    await shared.end();
    await server.stop();
  }
}

/** The features of a browser in which nothing moves, so that games are quick. */
export const STILL = [{ name: "prefers-reduced-motion", value: "reduce" }];

/** Waits until the page can be used. @param {import("./browser.mjs").Page} page */
export const ready = (page) => page.until("document.body.dataset.ready === 'yes'");

/** Waits until it is the turn of a side. @param {import("./browser.mjs").Page} page @param {string} turn */
export const until = (page, turn) => page.until(`document.body.dataset.turn === "${turn}"`);

/** The moves of the game as one word. */
export const MOVES = "[...document.querySelectorAll('#moves .move')].map((button) => button.firstChild.textContent).join('')";

/** Those of now. @param {import("./browser.mjs").Page} page */
export const moves = (page) => page.value(MOVES);

/** Lets motions last until something ends them. @param {import("./browser.mjs").Page} page */
export const slowDown = (page) =>
  page.value(`(() => {
    const { animate } = Element.prototype, late = setTimeout;
    Element.prototype.animate = function (frames, options) { return animate.call(this, frames, { ...options, duration: 1e6 }); };
    globalThis.setTimeout = (act, time) => late(act, time >= 100 ? 1e6 : time);
  })()`);

/** Begins a game. @param {import("./browser.mjs").Page} page @param {string} variant @param {string} south @param {string} north */
export async function begin(page, variant, south, north) {
  // A page in which nothing moves waits after each move, if its speed is not none.
  if (await page.value("matchMedia('(prefers-reduced-motion: reduce)').matches")) await page.choose("#speed", "none");
  await page.choose("#player-S", "person");
  await page.choose("#player-N", "person");
  const games = await page.value("Number(document.body.dataset.games ?? 0)");
  await page.choose("#variant", variant);
  await page.until(
    `Number(document.body.dataset.games) > ${games} && document.querySelectorAll("#moves .move").length === 0 && document.body.dataset.turn === "person" && document.body.dataset.variant === "${variant}"`,
  );
  await page.choose("#player-N", north);
  await page.choose("#player-S", south);
}

/** All seeds lie within their pits and stores, and there are as many as the numbers say. @param {import("./browser.mjs").Page} page */
export async function checkSeeds(page) {
  await page.equals(
    `[...document.querySelectorAll("[data-place]")].flatMap((place) => {
    const hollow = place.querySelector(".hollow").getBBox(), seeds = [...place.querySelectorAll(".seed")];
    const round = place.querySelector("circle.hollow");
    const out = seeds.filter((seed) => {
      const [x, y, r] = ["cx", "cy", "r"].map((name) => Number(seed.getAttribute(name)));
      if (round) return Math.hypot(x - hollow.x - hollow.width / 2, y - hollow.y - hollow.height / 2) + r > hollow.width / 2;
      return x - r < hollow.x || y - r < hollow.y || x + r > hollow.x + hollow.width || y + r > hollow.y + hollow.height;
    });
    const count = Number(place.querySelector(".count").textContent);
    return out.length || count !== seeds.length ? [place.dataset.place + " " + out.length + " of " + seeds.length + " seeds lie outside, " + count] : [];
  })`,
    [],
  );
}

/** Nothing is wider than the window, in any size. @param {import("./browser.mjs").Page} page @param {string} what */
export async function checkWidths(page, what) {
  for (const size of SIZES) {
    await page.resize(size);
    await page.equals(
      `[Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth), ...[...document.querySelectorAll("body *")]
      .filter((element) => element.checkVisibility() && !element.parentElement.closest("#moves") && element.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5)
      .map((element) => element.tagName + "#" + element.id)]`,
      [0],
      `${what} at ${size}`,
    );
    await checkSeeds(page);
  }
}

/** At most one scrollbar is seen, in any size. @param {import("./browser.mjs").Page} page @param {string} what */
export async function checkScrollbars(page, what) {
  for (const size of /** @type {[number, number][]} */ ([...SIZES, [1280, 800], [1024, 600]])) {
    await page.resize(size);
    const seen = await page.value(`[document.documentElement, ...document.querySelectorAll("body *")].filter((element) => {
      const isRoot = element === document.documentElement;
      const { overflowY, scrollbarColor, scrollbarWidth } = getComputedStyle(element);
      const scrolls = isRoot ? overflowY !== "hidden" : ["auto", "scroll"].includes(overflowY) && element.checkVisibility();
      return scrolls && element.scrollHeight > element.clientHeight && scrollbarWidth !== "none" && scrollbarColor !== "rgba(0, 0, 0, 0) rgba(0, 0, 0, 0)";
    }).map((element) => element.tagName + "#" + element.id)`);
    assert(seen.length <= 1, `${what} at ${size}: ${seen}`);
  }
}

/** Checks that the console has no errors, and that no other server was asked. @param {import("./browser.mjs").Page} page @param {string} address */
export function checkQuiet(page, address) {
  assert.deepEqual(page.complaints, []);
  const origin = new URL(address).origin;
  assert.deepEqual(
    page.requests.filter((url) => !url.startsWith(origin) && !url.startsWith("blob:")),
    [],
  );
}
