// A game and its analysis, undo, times, and engines that end: node tests/browser/games.mjs KROO CHROMIUM

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { begin, checkQuiet, MOVES, moves, ready, STILL, until, withPage } from "./harness.mjs";

/** How long a hand holds a button of the mouse, in milliseconds. */
const HELD = 80;
const all = "document.querySelector('#moves').textContent";

await withPage(async (server, browser) => {
  const page = await browser.open(server.address, [1280, 900], STILL);
  await ready(page);
  const pick = (/** @type {string} */ pit) => page.click(`[data-place="${pit}"] .hollow`, HELD);
  const firstPit = async () => {
    await page.until("document.querySelector('.pit.can')");
    await pick(await page.value("document.querySelector('.pit.can').dataset.place"));
  };
  const count = (/** @type {number} */ moves) => page.until(`document.querySelectorAll('#moves .move').length === ${moves}`);
  await page.write("#time", "0.05");
  await begin(page, "oware", "person", "level:initiation");
  await pick("C");
  await count(2);
  await until(page, "person");
  const played = await moves(page);

  // Exploring changes nothing of the game that is played, whatever is made of the variations.
  await page.click("#tab-analyse", HELD);
  await page.equals(MOVES, played);
  for (let pits = 3; pits <= 5; pits++) {
    await firstPit();
    await count(pits);
  }
  await page.key("Home");
  await page.until("!document.querySelector('#moves [aria-current]')");
  await pick("F");
  await page.until("document.querySelectorAll('#moves .variation button').length === 1");
  await page.click("#promote", HELD);
  await page.equals(MOVES, "F");
  await page.click("#tab-play", HELD);
  await page.equals(MOVES, played);
  await page.until("document.querySelectorAll('.pit.can').length > 0");
  // The analysis is as it was left; a move of the game is its own line then.
  await page.click("#tab-analyse", HELD);
  await page.equals(MOVES, "F");
  await page.click("#tab-play", HELD);
  await page.equals(MOVES, played);
  await firstPit();
  await count(4);
  await until(page, "person");
  const longer = await moves(page);
  await page.click("#tab-analyse", HELD);
  await page.equals(MOVES, longer);
  await page.shows("#moves .variation", /F/);
  // Both survive a reload.
  const explored = await page.value(all);
  await page.reload();
  await ready(page);
  await page.equals(all, explored);
  await page.click("#tab-play", HELD);
  await page.equals(MOVES, longer);

  // Another game begins from a position in one step, and one undo brings the game back.
  await page.click("#tab-analyse", HELD);
  await page.key("Home");
  await page.key("ArrowRight");
  await page.until("document.querySelector('#moves [aria-current]')?.textContent === 'C'");
  await page.choose("#player-N", "person");
  await page.click("#play-here", HELD);
  await page.equals(`document.body.dataset.mode + ${MOVES}`, "playC");
  await until(page, "person");
  await page.click("#undo", HELD);
  await page.equals(MOVES, longer);

  // Undo: moves first, each with the answer to it, then what had replaced the game; each step is done again by one.
  await page.choose("#player-N", "level:initiation");
  await page.click("#new", HELD);
  await page.equals(MOVES, "");
  for (const [index, pit] of ["C", "F"].entries()) {
    await pick(pit);
    await count(2 * index + 2);
    await until(page, "person");
  }
  const game = await moves(page);
  await page.call("Input.dispatchKeyEvent", { type: "keyDown", key: "z", code: "KeyZ", modifiers: 2, windowsVirtualKeyCode: 90 });
  await page.equals(MOVES, game.slice(0, 2), "Ctrl Z");
  await page.key("u");
  await page.equals(MOVES, "");
  await page.click("#undo", HELD);
  await page.equals(MOVES, longer);
  for (const expected of ["", game.slice(0, 2), game]) {
    await page.click("#redo", HELD);
    await page.equals(MOVES, expected);
  }
  await page.equals("document.querySelector('#redo').disabled", true);
  // After a reload moves can still be taken back.
  await page.reload();
  await ready(page);
  await page.key("u");
  await page.equals(MOVES, game.slice(0, 2));
  // In an analysis a move is undone as well.
  await page.click("#tab-analyse", HELD);
  await firstPit();
  await count(3);
  await page.key("u");
  await count(2);
  await page.click("#tab-play", HELD);

  // Keys: a hint, another side below, a new game; in an analysis start and stop. The list of keys has them.
  await page.key("h");
  await page.until("/Kroo would play/.test(document.querySelector('#said').textContent)");
  const top = "document.querySelector('[data-place=A]').getBoundingClientRect().y";
  const below = await page.value(top);
  await page.key("t");
  await page.until(`${top} !== ${below}`);
  await page.key("t");
  await page.equals(top, below);
  await page.key("n");
  await page.equals(MOVES, "");
  await page.click("#tab-analyse", HELD);
  await page.key("s");
  await page.until("document.querySelector('#search').ariaPressed === 'true'");
  await page.key("s");
  await page.until("document.querySelector('#search').ariaPressed === 'false'");
  await page.click("#tab-play", HELD);
  await page.key("?");
  await page.shows("#dialog-body", /U or Ctrl Z.*H: hint\. T: turn the board\. N: new game\..*S: start or stop/);
  await page.key("Escape");
  await page.until("!document.querySelector('#dialog').open");

  // A fair start is offered where there are some; undo brings the game back, and the sentence says what it is, also after a reload.
  const [offered, position] = ["document.querySelector('#fair').checkVisibility()", "document.querySelector('#position').value"];
  await begin(page, "awari", "person", "person");
  await page.equals(offered, false, "awari has no fair starts");
  await begin(page, "kalah", "person", "person");
  await page.equals(offered, true);
  await pick("C");
  await count(1);
  await page.click("#fair", HELD);
  await page.shows("#said", "A fair start: perfect play draws. South to move: choose a pit.");
  const fair = await page.value(position);
  await page.equals(MOVES, "");
  await page.key("u");
  await page.equals(MOVES, "C");
  await page.click("#redo", HELD);
  await page.equals(position, fair);
  const starts = execFileSync(process.argv[2], ["--variant", "kalah", "fairstarts"], { encoding: "utf8" });
  assert(starts.includes(`Fen: ${fair}\n`), fair);
  await page.reload();
  await ready(page);
  await page.shows("#said", /^A fair start: perfect play draws\./);
  await page.equals(position, fair);
  await page.choose("#language", "fr");
  await page.shows("#said", /^Un départ équitable : si les deux jouent parfaitement, la partie est nulle\. Sud au trait/);
  await page.choose("#language", "en");
  await firstPit();
  await count(1);
  await page.shows("#said", /^South: /, "it is said of later positions, too");
  await page.click("#tab-analyse", HELD);
  await page.key("Home");
  await page.shows("#said", /^A fair start: perfect play draws\.$/);
  await page.click("#tab-play", HELD);
  // A rematch begins from the same start.
  for (const again of ["#swap", "#rematch", "#swap-end"]) {
    if (again !== "#swap") await page.click("#resign", HELD);
    await page.click(again, HELD);
    await page.equals(MOVES, "");
    await page.equals(position, fair);
    await firstPit();
    await count(1);
  }
  // Who is chosen while a new game is being asked for plays it.
  await begin(page, "oware", "person", "person");
  for (const [player, sentence] of [
    ["level:initiation", "Your turn: choose a pit."],
    ["person", "South to move: choose a pit."],
  ]) {
    const games = await page.value("Number(document.body.dataset.games)");
    await page.value(`document.querySelector("#new").click(), ((list) => {
      list.value = ${JSON.stringify(player)};
      list.dispatchEvent(new Event("change", { bubbles: true }));
    })(document.querySelector("#player-N"))`);
    await page.until(`Number(document.body.dataset.games) > ${games}`);
    await page.shows("#said", sentence);
    await page.equals("document.querySelector('#player-N').value", player);
  }
  await begin(page, "oware", "person", "level:initiation");

  // A time that is too long or too short is refused.
  for (const wrong of ["1e9", "0.001", "", "x", "-1"]) {
    await page.write("#time", wrong);
    await page.shows("#said", "A move takes 0.01 to 3600 seconds.");
    await page.equals("document.querySelector('#time').value", "0.05");
    await page.value("document.querySelector('#said').textContent = ''");
  }
  // A new one reaches the move that is being thought about; and it can be made at once.
  await page.choose("#player-N", "level:full");
  for (const act of [() => page.write("#time", "0.01"), () => page.click("#now", HELD), () => page.key("m")]) {
    await page.click("#new", HELD);
    await page.equals(MOVES, "");
    await page.write("#time", "3600");
    await page.equals("document.querySelector('#now').disabled", true);
    await pick("C");
    await until(page, "thinking");
    await page.equals("document.querySelector('#now').disabled", false);
    await act();
    await until(page, "person");
    await count(2);
  }
  // Both work before the engine has begun to think, too.
  const acts = ["document.querySelector('#now').click()", "time.value = '0.01'; time.dispatchEvent(new Event('change'))"];
  for (const act of acts) {
    await page.click("#new", HELD);
    await page.equals(MOVES, "");
    await page.write("#time", "3600");
    await page.value(`void new MutationObserver((_, observer) => {
      const time = document.querySelector("#time");
      if (document.body.dataset.turn !== "thinking") return;
      observer.disconnect();
      ${act};
    }).observe(document.body, { attributes: true })`);
    await pick("C");
    await until(page, "person");
    await count(2);
  }

  // All engines end, as by `kill -9`: the page starts them again.
  if (process.platform === "linux") {
    await page.write("#time", "0.05");
    const children = (/** @type {string} */ task) => {
      try {
        return readFileSync(`/proc/${server.pid}/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean);
      } catch {
        // The thread has ended since.
        return [];
      }
    };
    const killAll = () => {
      const engines = readdirSync(`/proc/${server.pid}/task`).flatMap(children).map(Number);
      assert(engines.length >= 2, `${engines}`);
      engines.forEach((engine) => process.kill(engine, "SIGKILL"));
    };
    for (let moves = 4; moves <= 6; moves += 2) {
      killAll();
      await firstPit();
      await count(moves);
      await until(page, "person");
    }
    killAll();
    await page.click("#hint", HELD);
    await page.until("/Kroo would play/.test(document.querySelector('#said').textContent)");
    // What does not start again is said, with what to do.
    await page.value(
      `globalThis.SharedWorker && (MessagePort.prototype.postMessage = ((post) => function (data, ...rest) { post.call(this, data?.kind === "open" ? { ...data, place: 99 } : data, ...rest); })(MessagePort.prototype.postMessage))`,
    );
    killAll();
    await firstPit();
    await page.shows("#said", /^Kroo [\d.]+ has ended and does not start again\. Your game is kept: start `kroo web` again/);
  }
  checkQuiet(page, server.address);
});
