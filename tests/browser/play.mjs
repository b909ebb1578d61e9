// Games in the page: by clicks to their ends, taken back, reloaded, and by engines.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { begin, checkQuiet, checkSeeds, checkWidths, MOVES, moves, ready, serve, STILL, until, withPage } from "./harness.mjs";

const VARIANTS = ["oware", "kalah", "awari", "awari1978", "ayoayo", "avalanche"];
/** The first is played from its beginning, the others from here. */
const late = (/** @type {string} */ variant) => `0-1-0-0-2-0-0-0-1-0-1-2-${variant === "awari1978" ? "14-15" : "20-21"}-S`;
let state = 1;
/** Random numbers that are the same in each run. @param {number} below */
const random = (below) => ((state = (state * 48271) % 2147483647), state % below);

/** Clicks on pits that can be sown until the game is over. @param {import("./browser.mjs").Page} page @param {number} most */
async function clickOn(page, most = 200) {
  for (let count = 0; count < most; count++) {
    await page.until("['person', 'over'].includes(document.body.dataset.turn)");
    if ((await page.value("document.body.dataset.turn")) === "over") return;
    const can = await page.value("[...document.querySelectorAll('.pit.can')].map((pit) => pit.dataset.place)");
    assert(can.length > 0, `nothing can be sown: ${await page.text("#said")}`);
    const before = (await moves(page)).length;
    await page.click(`[data-place="${can[random(can.length)]}"] .hollow`);
    await page.until(`document.querySelectorAll("#moves .move").length > ${before}`);
  }
}

await withPage(async (server, browser) => {
  const page = await browser.open(server.address, [1280, 900], STILL);
  await ready(page);
  await page.equals("location.href", new URL("/", server.address).href, "the token stays in the address");
  await page.write("#time", "0.01");

  for (const variant of VARIANTS) {
    await begin(page, variant, "person", "level:initiation");
    if (variant !== VARIANTS[0]) {
      await page.write("#position", late(variant));
      await page.value("document.querySelector('#line').requestSubmit()");
      await page.equals(`[..."AEc"].map((pit) => document.querySelector('[data-place="' + pit + '"] .count').textContent).join()`, "0,2,1");
    }
    await clickOn(page);
    const said = await page.text("#said");
    assert.match(said, /(wins, \d+ to \d+|A draw, \d+ to \d+)\.$/, variant);
    await page.equals("document.querySelectorAll('.pit.can').length", 0, variant);
    await checkSeeds(page);
    await checkWidths(page, `the end of ${variant}`);
    await page.resize([1280, 900]);
  }

  // Illegal moves are refused with the engine's error; keys; hint; take back; resign; turn the board.
  await begin(page, "kalah", "person", "person");
  await page.click('[data-place="a"] .hollow');
  await page.until("document.querySelector('#said').textContent.includes(\"it is South's turn\")");
  await page.key("3");
  await page.until("document.querySelector('#said').textContent.includes('South moves again')");
  await page.key("f");
  await page.until("document.querySelectorAll('#moves .move').length === 2");
  await page.equals(MOVES, "CF");
  await page.click("#hint");
  await page.until("/Kroo would play [a-f] /.test(document.querySelector('#said').textContent)");
  await page.click("#undo");
  await page.until("document.querySelectorAll('#moves .move').length === 1");
  await page.click("#flip");
  const [top, bottom] = await page.value("['a', 'A'].map((place) => document.querySelector(`[data-place=\"${place}\"]`).getBoundingClientRect().y)");
  assert(top > bottom, "North is below");
  await page.click("#flip");
  await page.click("#rules");
  await page.until("document.querySelector('#dialog').open && document.querySelectorAll('#dialog-body p').length === 5");
  await page.click("#dialog form[method] button");
  // They begin at their beginning, and on a narrow screen say where the stores are.
  await page.resize([360, 400]);
  await page.click("#rules");
  await page.until("document.querySelector('#dialog').open && document.querySelectorAll('#dialog-body p').length === 6");
  await page.equals("document.querySelector('#dialog').scrollTop", 0);
  await page.equals("document.querySelector('#dialog').scrollHeight > document.querySelector('#dialog').clientHeight", true, "there is nothing to scroll");
  await page.shows("#dialog-body p:nth-of-type(2)", /above and below the pits/);
  await page.equals("document.querySelector('#dialog form[method] button').getBoundingClientRect().bottom < innerHeight", true, "Close is out of view");
  await page.click("#dialog form[method] button");
  await page.resize([1280, 900]);
  await page.click("#resign");
  await until(page, "over");
  await page.shows("#said", /South resigns. North wins/);
  const { path: resigned } = await browser.saved(() => page.click("#save"));
  assert.match(readFileSync(resigned, "utf8"), /\[Result "0-1"\]\n\[Termination "resignation"\]/);

  // The same game after a reload, and after a restart of the server.
  await begin(page, "ayoayo", "person", "level:initiation");
  await clickOn(page, 3);
  await until(page, "person");
  const before = await moves(page);
  assert(before.length >= 6);
  await page.reload();
  await ready(page);
  await page.equals(MOVES, before);
  await clickOn(page, 1);
  checkQuiet(page, server.address);
  await until(page, "person");
  const after = await moves(page);
  await server.stop();
  await page.until(
    "document.querySelector('#banner').checkVisibility() && document.querySelector('#banner').textContent.startsWith('The connection to the server is lost')",
  );
  // The saved game is shown, without any action.
  await page.equals("document.querySelector('#variant').value", "ayoayo");
  await page.equals("document.querySelector('main').inert", true);
  await page.key("ArrowLeft");
  await page.click("#variant");
  await page.equals(MOVES, after);
  await page.equals("document.querySelector('#banner').checkVisibility()", true, "the banner does not stay");
  const again = await serve(["--port", server.port]);
  // It has another token, which is in the address that it prints.
  await page.until("document.querySelector('#banner').textContent.includes('Open the address')");
  // It is the same page as before, which loads itself again when it has taken the token.
  await page.loads(() => page.call("Page.navigate", { url: again.address }));
  await ready(page);
  await page.equals("location.href", new URL("/", again.address).href, "the token stays in the address");
  await until(page, "person");
  await page.equals(MOVES, after);
  await clickOn(page, 1);
  await again.stop();
});

// Two engines, one of them any executable; and with the seeds flying.
await withPage(
  async (server, browser) => {
    const page = await browser.open(server.address, [1280, 900]);
    await ready(page);
    await page.write("#time", "0.01");
    await begin(page, "kalah", "person", "person");
    await page.value(`globalThis.mostInHand = 0; new MutationObserver(() => (mostInHand = Math.max(mostInHand, document.querySelectorAll(".hand .seed").length)))
      .observe(document.querySelector("#board"), { childList: true, subtree: true })`);
    await page.click('[data-place="D"] .hollow');
    await page.until("mostInHand === 4");
    await page.until("document.querySelectorAll('.hand .seed').length === 0 && document.querySelectorAll('#moves .move').length === 1");
    await checkSeeds(page);
    checkQuiet(page, server.address);
    const still = await browser.open(server.address, [390, 844], STILL);
    await ready(still);
    await still.write("#time", "0.01");
    await begin(still, "kalah", "engine:1", "player:greedy");
    await until(still, "over");
    await still.shows("#said", /wins|draw/);
    assert((await moves(still)).length > 10);
    await checkSeeds(still);
    // A player that cannot play the game is not offered.
    const offered = "Boolean(document.querySelector('#player-N [value=\"player:classic1978\"]'))";
    await begin(still, "awari1978", "person", "player:classic1978");
    await still.equals(offered, true);
    await still.choose("#variant", "oware");
    await still.until(`document.body.dataset.variant === "oware" && !${offered} && document.querySelector("#player-N").value === "person"`);
    // Any strength, on the scale of the rule set. The choice survives a reload.
    await still.choose("#player-N", "elo");
    await still.until("document.querySelector('#elo-N').max === '1990' && !document.querySelector('#elo-row-N').hidden");
    await still.write("#elo-N", "700");
    await still.shows("#elo-of-N", "700");
    await still.click('[data-place="C"] .hollow');
    await still.until("document.querySelectorAll('#moves .move').length === 2 && document.body.dataset.turn === 'person'");
    await still.shows("body", /Kroo, 700 Elo/);
    await still.reload();
    await ready(still);
    await still.until("document.querySelector('#elo-N').value === '700' && document.querySelector('#player-N').value === 'elo'");
    await still.choose("#player-N", "person");
    // An engine that does not answer is given up after its time, which is made short here.
    await still.value("globalThis.setTimeout = ((late) => (act, time) => late(act, time >= 10000 ? 100 : time))(setTimeout)");
    await still.choose("#player-S", "engine:2");
    await still.until("document.querySelector('#said').textContent === 'mute does not answer. Continue tries it again; or choose another player.'");
    checkQuiet(still, server.address);
  },
  ["--engine", "name=second", `cmd=${process.argv[2]}`, "option.Level=initiation", "--engine", "name=mute", "cmd=sleep", "args=1000"],
);
