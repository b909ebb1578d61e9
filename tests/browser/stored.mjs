// What the browser has kept may be anything: the page drops what does not fit. node tests/browser/stored.mjs KROO CHROMIUM

import assert from "node:assert/strict";
import { gameOf, linkOf, settingsOf, tabsOf } from "../../clients/web/untrusted.js";
import { checkQuiet, MOVES, ready, STILL, withPage } from "./harness.mjs";

/** @type {any} */
const defaults = { mode: "play", players: { S: "person", N: "person" }, time: 1, flip: false };
for (const value of [null, 5, "x", [], { players: null, time: "1", flip: 1 }, { time: 1e9 }, { time: 0.001 }, { mode: "other", players: { S: "person" } }])
  assert.deepEqual(settingsOf(value, defaults), defaults, JSON.stringify(value));
assert.deepEqual(settingsOf({ time: 0.01, flip: true, strange: 1 }, defaults), { ...defaults, time: 0.01, flip: true });
for (const value of [null, {}, "abc", { length: 2 }]) assert.deepEqual(tabsOf(value), []);
assert.deepEqual(tabsOf(["abc1", 5, "a b", null, "x".repeat(100)]), ["abc1"]);
for (const value of [null, [], {}, { variant: "oware" }, { variant: "oware quit", start: null }, { variant: "oware", start: "1\nquit" }])
  assert.equal(gameOf(value), null);
const tree = [["F", { cp: "1" }, { sign: 5 }, [["f", null, null, "x"]], 7], "E", ["FF", null, null, []], ["X"], [null]];
assert.deepEqual(gameOf({ variant: "oware", start: null, tree, tags: [["South", 1], ["7", "seven"], ["North", "Ben"], "x"], end: "won", at: 5 }), {
  ...{
    variant: "oware",
    start: null,
    tags: [
      ["7", "seven"],
      ["North", "Ben"],
    ],
    end: null,
    at: "",
    id: "",
    origin: "",
    seen: "",
  },
  ...{ seats: null, paused: false, practised: 0, clock: null, values: {} },
  before: "",
  tree: [["F", null, null, [["f", null, null, [], "", {}, null, ""]], "", {}, null, ""]],
});
assert.equal(linkOf("#token=1"), null);
assert.deepEqual(linkOf("#game=kalah&moves=CFf&at=x"), { variant: "kalah", start: null, moves: "CFf", line: "", at: 3 });

await withPage(async (server, browser) => {
  const page = await browser.open(server.address, [1280, 900], STILL);
  await ready(page);
  const id = await page.value("sessionStorage.getItem('kroo.tab')");
  for (const [name, text] of [
    ["tabs", '{"0": "a"}'],
    ["tabs", "[5, {}, null]"],
    ["tabs", "{"],
    ["settings", '{"players": null, "elo": 5, "language": {}, "multipv": "x"}'],
    ["settings", "[]"],
    [`tab.${id}`, '{"play": 5, "analyse": {}}'],
    [`tab.${id}`, '{"play": "nowhere", "analyse": "x"}'],
    ["game", "5"],
    ["game", '{"game": {"variant": "oware", "start": null, "tree": 5, "clock": 5, "seats": {}}}'],
    ["game", '{"game": {"id": "GAME", "variant": "oware", "start": null, "tree": [["F", 1, 2, [["f", null, null, null]]]]}, "time": 5}'],
    ["game", '{"game": {"id": "GAME", "variant": "nothing", "start": null, "tree": []}, "time": 5}'],
  ]) {
    const game = await page.value(`JSON.parse(localStorage["kroo.tab.${id}"]).play`);
    const [key, value] = [`kroo.${name === "game" ? `game.${game}` : name}`, text.replace("GAME", game)];
    // What the page keeps when it is left comes before.
    await page.value(`addEventListener("pagehide", () => localStorage.setItem(${JSON.stringify(key)}, ${JSON.stringify(value)}))`);
    await page.reload();
    await ready(page);
    const before = await page.value(MOVES);
    await page.choose("#player-N", "person");
    await page.key("End");
    await page.click(".pit.can .hollow", 80);
    await page.until(`${MOVES}.length === ${before.length + 1}`);
    await page.click("#new", 80);
    await page.equals(MOVES, "", `${name} ${text}`);
  }
  checkQuiet(page, server.address);

  // Earlier games outlive their tab; one of them is found by a word and goes on.
  await page.choose("#player-N", "person");
  await page.choose("#variant", "kalah");
  await page.until(`document.body.dataset.variant === "kalah" && ${MOVES} === ""`);
  await page.click('[data-place="C"] .hollow', 80);
  await page.equals(MOVES, "C");
  await page.click("#new", 80);
  await page.equals(MOVES, "");
  await page.value("localStorage.setItem('kroo.game.x', '5'); localStorage.setItem('kroo.game.y', JSON.stringify({ game: { id: 'y' }, time: 'now' }))");
  await browser.call("Target.closeTarget", { targetId: page.target });
  const other = await browser.open(server.address, [1280, 900], STILL);
  await ready(other);
  await other.until("document.querySelector('#game-name').textContent !== ''");
  await other.click("#earlier", 80);
  await other.write("#list-search", "kalah");
  await other.shows("#list-count", /^1 of \d+ games$/);
  await other.shows(".choices li:not([hidden])", /^A person, here – A person, here, Kalah, 1 move, .*, Continue$/);
  await other.click(".choices li:not([hidden]) button", 80);
  await other.until(`document.body.dataset.variant === "kalah" && ${MOVES} === "C"`);
  await other.click('[data-place="A"] .hollow', 80);
  await other.equals(MOVES, "CA");
  checkQuiet(other, server.address);
});
