// The layout on phones and desks, the motion of seeds, and the end of a game: node tests/browser/looks.mjs KROO CHROMIUM

import assert from "node:assert/strict";
import { begin, checkQuiet, checkSeeds, MOVES, ready, slowDown, STILL, until, withPage } from "./harness.mjs";

/** The place of an element. @param {import("./browser.mjs").Page} page @param {string} selector */
const place = (page, selector) =>
  page.value(`(({ top, bottom, left, right }) => ({ top, bottom, left, right }))
  (document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`);

await withPage(async (server, browser) => {
  const page = await browser.open(server.address, [390, 844], STILL);
  await ready(page);
  await begin(page, "oware", "person", "person");

  // On a phone a whole game needs no scrolling, and an empty game says how to begin.
  await page.shows("#moves", "No moves yet. Choose a pit.");
  for (const size of /** @type {[number, number][]} */ ([
    [390, 844],
    [844, 390],
  ])) {
    await page.resize(size);
    assert((await page.value("document.documentElement.scrollHeight")) <= size[1], `there is something to scroll at ${size}`);
    for (const part of ["#strip-top", "#board", "#strip-bottom", "#moves", "#bar"]) {
      const { top, bottom } = await place(page, part);
      assert(top >= 0 && bottom <= size[1], `${part} at ${size}: ${top} to ${bottom}`);
    }
  }
  await page.resize([390, 844]);
  assert.equal((await place(page, "#bar")).bottom, 844);

  // The settings are in a sheet, which Escape or a click outside closes.
  await page.equals("document.querySelector('#new').checkVisibility()", false);
  for (const close of [() => page.key("Escape"), () => page.click("h1")]) {
    await page.click("#more");
    await page.until("document.querySelector('#new').checkVisibility()");
    assert((await place(page, "#new")).top < 844);
    await close();
    await page.until("!document.querySelector('#new').checkVisibility()");
  }

  // Lines of an analysis do not move what is below them.
  await page.click("#tab-analyse");
  for (const size of /** @type {[number, number][]} */ ([
    [390, 844],
    [844, 390],
    [1280, 900],
  ])) {
    await page.resize(size);
    await page.click("#search");
    await page.until("document.querySelector('#search').getAttribute('aria-pressed') === 'true'");
    await page.drawn();
    await page.value(`document.querySelector("#counts").textContent = ""; globalThis.shift = 0; globalThis.shifts ??= new PerformanceObserver((list) => list.getEntries().forEach((one) => (shift += one.value)))
      .observe({ type: "layout-shift", buffered: false }) ?? true`);
    await page.until("/depth [1-9]\\d/.test(document.querySelector('#counts').textContent) && document.querySelectorAll('#pv li').length === 6");
    await page.equals("[...document.querySelectorAll('#pv li')].every((line) => line.getBoundingClientRect().height === 32)", true);
    await page.drawn();
    const shift = await page.value("shift");
    assert(shift < 0.02, `the layout shifts by ${shift} at ${size}`);
    if (size[0] < 1280) await page.click("#search");
  }
  // The best lines are arrows.
  await page.until("document.querySelectorAll('.arrow.inner').length === 2");
  await page.click("#search");
  await page.click("#tab-play");
  await page.equals("document.querySelectorAll('.arrow').length", 0);

  // The pit in which the last seed would fall is shown.
  const over = async (/** @type {string} */ pit) => {
    const { left, right, top, bottom } = await place(page, `[data-place="${pit}"] .hollow`);
    await page.call("Input.dispatchMouseEvent", { type: "mouseMoved", x: (left + right) / 2, y: (top + bottom) / 2 });
  };
  await over("D");
  await page.until("document.querySelector('.ghost')");
  const ghost = await place(page, ".ghost");
  const landing = await place(page, '[data-place="b"] .hollow');
  assert(ghost.left > landing.left && ghost.right < landing.right, "four seeds from D end in b");
  await over("a");
  await page.until("!document.querySelector('.ghost')");

  // A finger that chooses a pit leaves no mark where the seeds of another would fall.
  await page.call("Emulation.setTouchEmulationEnabled", { enabled: true });
  await page.value(`globalThis.ghosts = 0; new MutationObserver(() => (ghosts += document.querySelectorAll(".ghost").length))
    .observe(document.querySelector("#board"), { childList: true, subtree: true, attributes: true })`);
  await page.tap('[data-place="D"]');
  await page.until("document.querySelectorAll('#moves .move').length === 1 && document.querySelectorAll('.pit.can').length === 6");
  await page.tap('[data-place="d"]');
  await page.until("document.querySelectorAll('#moves .move').length === 2 && document.querySelectorAll('.pit.can').length > 0");
  await page.equals("ghosts", 0);
  await page.call("Emulation.setTouchEmulationEnabled", { enabled: false });

  // Proven values of pits fit next to each other and on the board, on a phone as well.
  await page.resize([390, 844]);
  await page.write("#position", "1-1-1-1-1-1-0-0-0-0-0-2-20-20-S");
  await page.value("document.querySelector('#line').requestSubmit()");
  await page.until("document.querySelectorAll('.pit.can').length === 6");
  await page.value("document.querySelector('#tab-analyse').click()");
  await page.click("#search");
  await page.until(
    "document.querySelectorAll('#pv li').length === 6 && [...document.querySelectorAll('#pv b')].every((one) => /won|lost|drawn/.test(one.textContent))",
  );
  await page.until("[...document.querySelectorAll('.pit.can .value')].every((one) => one.textContent)");
  const edges = await page.value(`[document.querySelector("#board"), ...[..."ABCDEF"].map((pit) => document.querySelector("[data-place=" + pit + "] .value"))]
    .map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left, right])`);
  const [around, ...values] = edges;
  for (const [index, [left, right]] of values.entries()) {
    assert(left >= around[0] && right <= around[1], `a value is cut off: ${edges}`);
    assert(index === 0 || left > values[index - 1][1], `values touch each other: ${edges}`);
  }
  await page.click("#search");
  await page.value("document.querySelector('#tab-play').click()");
  await page.resize([1280, 900]);

  // The board turns for a person playing North, and sides can be swapped.
  const isTurned = async () => (await place(page, '[data-place="a"]')).top > (await place(page, '[data-place="A"]')).top;
  await begin(page, "oware", "person", "level:initiation");
  assert.equal(await isTurned(), false);
  await page.write("#time", "0.01");
  await page.click("#swap");
  await page.until("document.querySelectorAll('#moves .move').length === 1 && document.body.dataset.turn === 'person'");
  assert.equal(await isTurned(), true);
  await page.click("#tab-analyse");
  await page.until("document.body.dataset.mode === 'analyse'");
  assert.equal(await isTurned(), true, "the analysis turns the board of a person who plays North");
  await page.click("#tab-play");

  // The end of a game is a sentence for the player, and mistakes can be tried again.
  await begin(page, "oware", "person", "person");
  await page.write("#position", "startpos moves FfCcFeEbAdAbBfBbFeCdEeBcFdCaBeEbBdCeAcBdCfFc");
  await page.click("#line button");
  await page.until("document.querySelectorAll('#moves .move').length === 44");
  await page.choose("#player-N", "level:initiation");
  await page.click("#resign");
  await until(page, "over");
  await page.shows("#end h2", "You lost");
  // All that can follow a long game is in view on a phone, however it is held.
  for (const size of /** @type {[number, number][]} */ ([
    [390, 844],
    [844, 390],
    [740, 340],
  ])) {
    await page.resize(size);
    assert((await page.value("document.documentElement.scrollHeight")) <= size[1], `there is something to scroll at the end at ${size}`);
    for (const button of ["#rematch", "#swap-end", "#review"]) {
      const { top, bottom, left, right } = await place(page, button);
      assert(top >= 0 && bottom <= size[1] && left >= 0 && right <= size[0], `${button} at ${size}: ${top} to ${bottom}`);
    }
  }
  // On a small phone, too, once the game is over.
  for (const size of /** @type {[number, number][]} */ ([
    [360, 640],
    [390, 664],
  ])) {
    await page.resize(size);
    await page.click("#undo");
    await page.until("!document.querySelector('#end').checkVisibility()");
    await page.value("scrollTo(0, 0)");
    await page.click("#resign");
    await page.until("document.querySelector('#end').checkVisibility()");
    const [end, bar, board] = [await place(page, "#end"), await place(page, "#bar"), await place(page, "#board")];
    assert(end.top >= board.bottom && end.bottom <= bar.top, `the end is from ${end.top} to ${end.bottom} at ${size}`);
  }
  await page.resize([1280, 900]);
  // The button at the end looks for mistakes; another one swaps the sides.
  await page.click("#review");
  await page.until("document.body.dataset.mode === 'analyse' && document.querySelector('#mistakes').getAttribute('aria-pressed') === 'true'");
  await page.click("#mistakes");
  await page.click("#tab-play");
  await page.click("#swap-end");
  await page.until("document.querySelector('#player-S').value === 'level:initiation' && document.querySelector('#player-N').value === 'person'");
  await page.click("#swap");
  await page.until("document.querySelector('#player-N').value === 'level:initiation' && document.querySelectorAll('#moves .move').length === 0");
  await page.click("#resign");
  await until(page, "over");
  await page.click("#rematch");
  await page.until("document.querySelectorAll('#moves .move').length === 0 && !document.querySelector('#end').checkVisibility()");
  await begin(page, "oware", "person", "person");
  // South takes a seed that makes 25.
  await page.write("#position", "0-0-0-0-0-1-2-1-0-0-0-0-22-22-S");
  await page.click("#line button");
  await page.until("document.querySelectorAll('.pit.can').length === 1");
  await page.click('[data-place="F"] .hollow');
  await until(page, "over");
  await page.shows("#end h2", /^South won 25–22$/);
  await page.choose("#player-N", "level:initiation");
  await page.shows("#end h2", /^You won 25–22$/);
  await page.choose("#player-S", "level:initiation");
  await page.choose("#player-N", "person");
  await page.shows("#end h2", /^You lost 22–25$/);

  // Mistakes that are tried again are those of the person. An answer is judged by a search of this length.
  await page.write("#time", "0.05");
  await page.choose("#player-S", "person");
  await page.choose("#player-N", "person");
  await page.write("#position", "2-1-0-0-0-2-1-1-0-5-0-0-17-19-S moves AaBdFaDb");
  await page.value("document.querySelector('#line').requestSubmit()");
  await page.until("document.querySelectorAll('#moves .move').length === 8");
  await page.resize([390, 844]);
  await page.click("#tab-analyse");
  await page.click("#mistakes");
  await page.until("/accurate/.test(document.querySelector('#found').textContent)");
  // The move that is shown stays in view in the strip of a phone, which has grown by the marks.
  await page.passes(
    "['#moves', '#moves [aria-current]'].map((one) => document.querySelector(one).getBoundingClientRect()).map(({ left, right }) => [left, right])",
    ([strip, now]) => assert(now[0] >= strip[0] && now[1] <= strip[1], `${now} in ${strip}`),
  );
  await page.resize([1280, 900]);
  const marked = await page.value("[...document.querySelectorAll('#moves .move:has(.sign)')].map((one) => one.firstChild.textContent)");
  assert(marked.some((/** @type {string} */ move) => move < "a") && marked.some((/** @type {string} */ move) => move >= "a"), marked.join());
  const tried = async () => {
    const names = [];
    for (;;) {
      await page.value("document.querySelector('#said').textContent = ''");
      await page.click("#next-mistake");
      await page.until("/Try again|No more/.test(document.querySelector('#said').textContent)");
      const [, name] = /^(\w+) played/.exec(await page.text("#said")) ?? [];
      if (!name) return names.join();
      await page.equals(
        "document.querySelectorAll('#moves .variation').length > 0 && [...document.querySelectorAll('#moves .variation')].some((one) => one.checkVisibility({ visibilityProperty: true }))",
        false,
        "the list tells the better move",
      );
      // What is hidden leaves no gaps in the list.
      await page.equals(
        "((turns) => turns.slice(1).filter((turn, index) => turn.getBoundingClientRect().top !== turns[index].getBoundingClientRect().bottom).length)([...document.querySelectorAll('#moves .turn')])",
        0,
      );
      names.push(name);
    }
  };
  assert.match(await tried(), /North/);
  // The next action is visible without scrolling on a phone, in either orientation.
  for (const size of /** @type {[number, number][]} */ ([
    [390, 844],
    [844, 390],
  ])) {
    await page.resize(size);
    await page.value("document.querySelector('#next-mistake').click()");
    await page.until("/Try again/.test(document.querySelector('#said').textContent)");
    await page.value("scrollTo(0, 0)");
    const { bottom } = await page.value(`(({ bottom }) => ({ bottom }))((() => { const range = document.createRange();
      range.selectNodeContents(document.querySelector("#said")); return range.getBoundingClientRect(); })())`);
    assert(bottom <= size[1], `the sentence ends at ${bottom} of ${size}`);
    await page.value("document.querySelector('#said').textContent = ''");
  }
  while (!(await page.text("#said")).startsWith("No more")) {
    await page.value("document.querySelector('#said').textContent = ''; document.querySelector('#next-mistake').click()");
    await page.until("document.querySelector('#said').textContent !== ''");
  }
  await page.resize([1280, 900]);
  await page.choose("#player-N", "level:initiation");
  assert.match(await tried(), /^South(,South)*$/);
  // Another pit is judged: the same move is no better, the best one is.
  await page.click("#next-mistake");
  await page.until("/Try again/.test(document.querySelector('#said').textContent)");
  const [, mistake] = /played ([A-F]) here/.exec(await page.text("#said")) ?? [];
  const title = "document.querySelector(`#moves [data-ply='${Number(document.querySelector('#moves [aria-current]')?.dataset.ply ?? 0) + 1}']`).title";
  const [, better] = /^better ([A-F])/.exec(await page.value(title)) ?? [];
  await page.click(`[data-place="${mistake}"] .hollow`);
  await page.shows("#said", `There is better than ${mistake}. Try another pit.`);
  await page.click(`[data-place="${better}"] .hollow`);
  await page.shows("#said", `Yes, ${better} is the best move.`);

  // A link holds the game and the position, and replaces no game that is kept.
  const link = `${server.address}&game=kalah&moves=CFf&at=2`;
  const other = await browser.open(link, [1280, 900], STILL);
  await ready(other);
  await other.equals("location.hash", "");
  await other.equals(MOVES, "CFf");
  await other.equals("document.querySelector('#moves [aria-current]').firstChild.textContent", "F");
  await other.equals("document.body.dataset.mode + document.body.dataset.variant", "analysekalah");
  await other.value("Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => void (globalThis.copied = text) } })");
  await other.click("#link");
  await other.until("globalThis.copied");
  assert.equal(new URL(await other.value("copied")).hash, "#game=kalah&moves=CFf&at=2");
  const wrong = await browser.open(`${server.address}&game=kalah&moves=CX`, [1280, 900], STILL);
  await ready(wrong);
  await wrong.shows("#said", /^Not possible: /);
  await wrong.equals(MOVES, "");
  // A game that the engine plays without listing it has a name as well; one that it does not play is refused.
  const unlisted = await browser.open(`${server.address}&game=kalah2-emptycapture&moves=Aef&at=3`, [1280, 900], STILL);
  await ready(unlisted);
  await unlisted.equals("document.body.dataset.mode + document.body.dataset.variant", "analysekalah2-emptycapture");
  await unlisted.until("document.querySelector('#game-name').textContent === 'Kalah, 2 seeds a pit, empty capture'");
  // The list has it, and shows the game that is played.
  await unlisted.equals("document.querySelector('#variant').value + Boolean(document.querySelector('#variant [value=kalah2-emptycapture]'))", "owaretrue");
  const unknown = await browser.open(`${server.address}&game=owari&moves=A`, [1280, 900], STILL);
  await ready(unknown);
  await unknown.shows("#said", /Kroo does not play: owari\./);
  await unknown.equals(MOVES, "");
  for (const one of [page, other, wrong, unlisted, unknown]) checkQuiet(one, server.address);

  // Seeds are seen on their way; a click ends that, and stepping shows them as well.
  const moving = await browser.open(server.address, [1280, 900]);
  await ready(moving);
  await moving.click("#tab-play");
  await begin(moving, "kalah", "person", "person");
  await moving.choose("#speed", "slow");
  await slowDown(moving);
  await moving.click('[data-place="C"] .hollow');
  await moving.until("document.body.dataset.turn === 'animating' && document.querySelectorAll('.hand .seed').length > 0");
  await moving.click("#said");
  await moving.until("document.body.dataset.turn === 'person' && document.querySelectorAll('.hand .seed').length === 0");
  await moving.equals(MOVES, "C", "a click that ends the motion is no move");
  await moving.key("ArrowLeft");
  await moving.until("document.body.dataset.turn === 'person' && !document.querySelector('#moves [aria-current]')");
  await moving.key("ArrowRight");
  await moving.until("document.querySelectorAll('.hand .seed').length > 0");
  await moving.key("ArrowLeft");
  await moving.until("document.querySelectorAll('.hand .seed').length === 0 && !document.querySelector('#moves [aria-current]')");
  await checkSeeds(moving);
  checkQuiet(moving, server.address);
});
