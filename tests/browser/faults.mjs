// Former faults with slow users and slow connections: node tests/browser/faults.mjs KROO CHROMIUM

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { begin, checkQuiet, MOVES, moves, ready, STILL, until, withPage } from "./harness.mjs";

/** How long a hand holds a button of the mouse, and how late a slow server answers, in milliseconds. */
const HELD = 100;
const LATENCY = 240;
const current = "document.querySelector('#moves [aria-current]')?.firstChild.textContent";

/** The pits that look as if they could be sown. */
const CAN = "[...document.querySelectorAll('.pit.can')].map((pit) => pit.dataset.place).join('')";

await withPage(async (server, browser) => {
  const page = await browser.open(server.address, [1280, 900], STILL);
  await ready(page);
  const slow = (/** @type {number} */ latency) =>
    page.call("Network.emulateNetworkConditions", { offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 });

  // No click is lost, and the focus is kept, while a search draws its lines again and again.
  await page.write("#position", "startpos moves FfEcDdCb");
  // It is not written over when something else is drawn.
  await page.click("#flip");
  await page.click("#flip");
  await page.click("#line button");
  await page.until("document.querySelectorAll('#moves .move').length === 8");
  await page.click("#tab-analyse");
  await page.click("#search");
  await page.until("document.querySelectorAll('#pv li').length > 2");
  for (const latency of [0, LATENCY]) {
    await slow(latency);
    for (const [index, move] of [..."FfE"].entries()) {
      await page.click(`#moves .move[data-ply="${index + 1}"]`, HELD);
      await page.until(`${current} === "${move}"`);
      await page.click(`#graph .point:nth-of-type(${index + 1})`, HELD);
      await page.until(`${current} === ${index ? `"${"FfEcDdCb"[index - 1]}"` : "undefined"}`);
    }
    await page.value("document.querySelector('#moves .move').focus()");
    // A search that draws does not take the focus to the move that is shown.
    const drawn = await page.text("#counts");
    await page.until(`document.querySelector('#counts').textContent !== ${JSON.stringify(drawn)}`);
    assert.equal(await page.value("document.activeElement === document.querySelector('#moves .move')"), true, "the focus is taken");
    await page.key("Enter");
    await page.until(`${current} === "F" && document.querySelectorAll('#pv li').length > 2`);
    await page.until("/depth ([89]|\\d\\d)/.test(document.querySelector('#counts').textContent)");
    await page.equals("document.activeElement === document.querySelector('#moves .move')", true, "the focus is lost");
  }
  await page.click("#search");

  // Start during "Find my mistakes", and the other way round: the engine does one after the other.
  await page.click("#mistakes");
  await page.until("/Move \\d/.test(document.querySelector('#searching').textContent)");
  await page.click("#search");
  await page.click("#mistakes");
  await page.until("document.querySelector('#search').getAttribute('aria-pressed') === 'false'");
  await page.click("#search");
  await page.click("#search");
  await page.click("#search");
  await page.until("/depth/.test(document.querySelector('#counts').textContent) && document.querySelectorAll('#pv li').length > 2");
  assert.doesNotMatch(await page.text("#said"), /running|Not possible/);

  // Scores are those of one side, everywhere, and say of which; the other side's have the other sign.
  const calm = await browser.open(server.address, [1280, 900], STILL);
  await ready(calm);
  await calm.click("#tab-analyse");
  await calm.click("#search");
  await calm.until("document.querySelectorAll('#pv li').length > 2 && document.querySelector('.pit.best .value')");
  await calm.until("/depth ([89]|\\d\\d)/.test(document.querySelector('#counts').textContent)");
  await calm.click("#search");
  await calm.until("document.querySelector('#search').getAttribute('aria-pressed') === 'false'");
  const scores = async () => {
    let score = "";
    await calm.passes(
      `[document.querySelector("#eval-score"), document.querySelector("#pv b"), document.querySelector(".pit.best .value")].map((one) => one.textContent)`,
      ([bar, line, pit]) => {
        assert.equal(bar.replace(/^(South|North) /, ""), line);
        assert.equal(pit, ` ✓ ${line}`);
        score = bar;
      },
    );
    return score;
  };
  const south = await scores();
  assert.match(south, /^South [+−]?\d/);
  await calm.choose("#view", "N");
  assert.equal(
    await scores(),
    south.replace("South", "North").replace(/[+−]/, (/** @type {string} */ sign) => (sign === "+" ? "−" : "+")),
  );
  await calm.passes("document.querySelector('#graph').getAttribute('aria-label')", (label) => assert.match(label, /North above/));
  await calm.equals("[...document.querySelectorAll('#graph text')].map((one) => one.textContent).join()", "North,South");
  await calm.choose("#view", "S");
  // A search that is stopped before its first line leaves the lines of the one before.
  for (let clicks = 0; clicks < 4; clicks++) await calm.click("#search");
  await calm.choose("#multipv", "3");
  await calm.click("#search");
  await calm.until("document.querySelectorAll('#pv li').length === 3");
  await calm.click("#search");
  await calm.until("document.querySelector('#search').getAttribute('aria-pressed') === 'false'");
  await calm.equals("document.querySelectorAll('#pv li').length", 3);

  // A hidden page does not search.
  await page.value("Object.defineProperty(document, 'hidden', { get: () => globalThis.isHidden ?? false, configurable: true })");
  const hide = (/** @type {boolean} */ hidden) => page.value(`globalThis.isHidden = ${hidden}; document.dispatchEvent(new Event("visibilitychange"))`);
  await hide(true);
  await page.until("document.querySelector('#said').textContent.includes('paused while this page is hidden')");
  await page.equals("document.querySelector('#search').getAttribute('aria-pressed')", "false");
  await hide(false);
  await page.until("document.querySelector('#search').getAttribute('aria-pressed') === 'true'");
  await page.click("#search");

  // In a game, a click on an old position only returns to the last one.
  await page.write("#time", "0.01");
  await page.click("#tab-play");
  await page.key("Home");
  await page.until(`${current} === undefined`);
  await page.equals(CAN, "", "a pit of an old position looks as if it could be sown");
  await page.click('[data-place="A"] .hollow', HELD);
  await page.until(`${current} === "b"`);
  await page.equals(MOVES, "FfEcDdCb");

  // Two quick clicks are one move.
  await page.choose("#player-N", "person");
  await begin(page, "oware", "person", "person");
  await page.click('[data-place="A"] .hollow');
  await page.click('[data-place="B"] .hollow');
  await page.until("document.querySelectorAll('#moves button').length > 0");
  await page.until("document.querySelectorAll('.pit.can').length === 6");
  await page.click('[data-place="c"] .hollow', HELD);
  await page.until("document.querySelectorAll('#moves .move').length === 2");
  await page.shows("#moves", /^1\.Ac$/);
  await slow(0);

  // Letters can be switched off; a tab is left by an arrow; the graph can be reached; targets are large enough.
  await page.key("?");
  await page.until("document.querySelector('#dialog').open");
  await page.click("#dialog [type=checkbox]");
  await page.key("Escape");
  await page.until("!document.querySelector('#dialog').open");
  await page.key("b");
  await page.equals(MOVES, "Ac");
  await page.value("document.querySelector('#tab-play').focus()");
  await page.key("ArrowRight");
  await page.equals("document.activeElement.id + document.body.querySelector('[aria-selected=true]').id", "tab-analysetab-analyse");
  await page.equals("document.querySelector('#graph').tabIndex + document.querySelector('#graph').getAttribute('aria-valuenow')", "02");
  await page.value("document.querySelector('#graph').focus()");
  await page.key("ArrowLeft");
  await page.until(`${current} === "A" && document.querySelector('#graph').getAttribute('aria-valuenow') === "1"`);
  await page.key("End");
  await page.until(`${current} === "c"`);
  for (const size of /** @type {[number, number][]} */ ([
    [390, 844],
    [1280, 900],
  ])) {
    await page.resize(size);
    await page.equals(
      `[...document.querySelectorAll("button, [role=button], select, [type=checkbox]")].filter((one) => one.checkVisibility())
        .filter((one) => one.getBoundingClientRect().width < 24 || one.getBoundingClientRect().height < 24).map((one) => one.outerHTML)`,
      [],
      `small targets at ${size}`,
    );
  }
  await page.value("document.querySelector('#tab-analyse').focus()");
  await page.key("ArrowLeft");
  await page.click("#keys");
  await page.click("#dialog [type=checkbox]");
  await page.key("Escape");
  await page.until("!document.querySelector('#dialog').open");
  await page.passes("document.querySelector('[data-place=A]').getAttribute('aria-label')", (label) => assert.match(label, /^A \d+: pit of South/));
  const unnamed = "[...document.querySelectorAll('.pit')].filter((pit) => !pit.getAttribute('aria-label').startsWith(`${pit.textContent.trim()}:`))";
  await page.equals(`${unnamed}.map((pit) => pit.dataset.place)`, []);

  // Actions that replace or shorten a game can be undone: another game by a key, New game, Resign, Take back, Remove from here.
  const played = await moves(page);
  const undone = async () => {
    await page.click("#undo");
    await page.until(`${MOVES} === "${played}" && document.body.dataset.variant === "oware" && document.body.dataset.turn === "person"`);
  };
  await page.value("document.querySelector('#variant').focus()");
  await page.key("ArrowDown");
  await page.until(`${MOVES} === "" && document.body.dataset.variant === "kalah"`);
  await undone();
  await page.equals("document.querySelector('#variant').value", "oware");
  await page.click("#redo");
  await page.until(`${MOVES} === "" && document.body.dataset.variant === "kalah"`);
  await undone();
  await page.click("#new");
  await page.until(`${MOVES} === ""`);
  await undone();
  await page.click("#undo");
  await page.until(`${MOVES} === "${played[0]}"`);
  await page.click("#redo");
  await page.equals(MOVES, played);
  await page.click("#resign");
  await until(page, "over");
  await page.equals(CAN, "", "a pit looks as if it could be sown after resigning");
  await page.shows("#said", /South resigns\. North wins\.$/);
  await undone();
  // The resignation is taken back first.
  await page.click("#resign");
  await until(page, "over");
  await page.click("#undo");
  await until(page, "person");
  await page.equals(MOVES, played);
  await page.click("#tab-analyse");
  await page.key("ArrowLeft");
  await page.until(`${current} === "${played[0]}"`);
  await page.click("#remove");
  await page.until(`${MOVES} === ""`);
  await page.click("#undo");
  await page.until(`${MOVES} === "${played}"`);
  await page.click("#tab-play");

  // An engine's move does not pull the view away; and where it is to move, or paused, nothing looks as if it could be sown.
  await begin(page, "oware", "person", "person");
  await page.write("#time", "3600");
  await page.choose("#player-N", "level:full");
  await page.click('[data-place="F"] .hollow');
  await until(page, "thinking");
  await page.until(`${MOVES} === "F"`);
  await page.equals(CAN, "", "an engine is to move");
  await page.key("Home");
  await page.click("#pause");
  await page.write("#time", "0.01");
  await page.click("#pause");
  await page.until(`document.querySelectorAll('#moves .move').length === 2`);
  await page.equals(current, undefined, "the view has changed");
  await page.key("End");
  await until(page, "person");
  await page.until("document.querySelectorAll('.pit.can').length > 0");
  await page.click("#pause");
  await page.equals(CAN, "", "the game is paused");
  await page.click("#pause");
  await page.until("document.querySelectorAll('.pit.can').length > 0");
  checkQuiet(page, server.address);

  // Each tab has a game of its own, and many share one connection.
  const mine = await moves(page);
  assert(mine.length > 0);
  const others = [];
  for (const pit of "ABCDEF") {
    const tab = await browser.open(server.address, [1280, 900], STILL);
    others.push(tab);
    await ready(tab);
    await tab.equals(MOVES, "", "another tab's game");
    await tab.choose("#player-S", "person");
    await tab.choose("#player-N", "person");
    await tab.click(`[data-place="${pit}"] .hollow`);
    await tab.until(`${MOVES} === "${pit}"`);
  }
  await page.reload();
  await ready(page);
  await page.equals(MOVES, mine);
  for (const [index, tab] of others.entries()) {
    await tab.reload();
    await ready(tab);
    await tab.equals(MOVES, "ABCDEF"[index]);
    checkQuiet(tab, server.address);
  }
  // Engines end with their tab.
  const children = (/** @type {string} */ task) => {
    try {
      return readFileSync(`/proc/${server.pid}/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean);
    } catch {
      // The thread has ended since.
      return [];
    }
  };
  const engines = () => readdirSync(`/proc/${server.pid}/task`).flatMap(children).length;
  if (process.platform === "linux") {
    const before = engines();
    assert(before >= 7, `${before} engines`);
    for (const tab of others) await browser.call("Target.closeTarget", { targetId: tab.target });
    const deadline = Date.now() + 120000;
    while (engines() > before - others.length) {
      assert(Date.now() < deadline, `${engines()} of ${before} engines go on without their tabs`);
      await new Promise((done) => setTimeout(done, 20));
    }
  }
});
