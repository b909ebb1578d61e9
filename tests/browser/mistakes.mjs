// The mistakes of a game: the person's are marked first, and are puzzles afterwards.

import assert from "node:assert/strict";
import { checkQuiet, ready, STILL, withPage } from "./harness.mjs";

/** The end of a game with mistakes of both sides, which are proven at once. */
const [START, GAME] = ["2-1-0-0-0-2-1-1-0-5-0-0-17-19-S", "AaBdFaDb"];

await withPage(async (server, browser) => {
  const page = await browser.open(server.address, [1280, 900], STILL);
  await ready(page);
  // An answer is judged by a search of this length.
  await page.write("#time", "0.05");
  await page.click("#tab-analyse");
  await page.until("document.body.dataset.mode === 'analyse'");
  /** Looks for the mistakes of the game, which a person plays on a side. @param {"S" | "N"} side */
  const review = async (side) => {
    await page.choose(`#player-${side}`, "person");
    await page.choose(`#player-${side === "S" ? "N" : "S"}`, "level:initiation");
    await page.write("#position", `${START} moves ${GAME}`);
    await page.value("document.querySelector('#line').requestSubmit()");
    await page.until("document.querySelectorAll('#moves .move').length === 8 && document.querySelectorAll('#moves .sign').length === 0");
    await page.value(`globalThis.marked = []; globalThis.observer?.disconnect(); (globalThis.observer = new MutationObserver(() => {
      for (const one of document.querySelectorAll("#moves .move:has(.sign)")) if (!marked.includes(one.dataset.ply)) marked.push(one.dataset.ply);
    })).observe(document.querySelector("#moves"), { childList: true, subtree: true })`);
    await page.click("#mistakes");
    await page.until("/accurate/.test(document.querySelector('#found').textContent)");
    return page.value(`marked.map((ply) => "${GAME}"[ply - 1]).join("")`);
  };
  assert.match(await review("N"), /^[a-f]+[A-F]+$/, "North's are not marked first");
  const marked = await review("S");
  assert.match(marked, /^[A-F]+[a-f]+$/, "South's are not marked first");

  // The puzzles are South's mistakes. Those that are found at the first try are counted, and a second round begins anew.
  const count = marked.replace(/[a-f]/g, "").length;
  const title = "document.querySelector(`#moves [data-ply='${Number(document.querySelector('#moves [aria-current]')?.dataset.ply ?? 0) + 1}']`)";
  /** Goes through the puzzles; of each, how it is answered. @param {("found" | "second" | "left")[]} answers @param {boolean} [isLoaded] whether the page is loaded again at each */
  const practise = async (answers, isLoaded = false) => {
    await page.shows("#next-mistake", "Practise");
    for (const [index, answer] of answers.entries()) {
      await page.click("#next-mistake");
      await page.shows("#said", new RegExp(`^South played [A-F] here.* Try again: choose a better pit\\. \\(${index + 1} of ${count}\\)$`));
      await page.shows("#next-mistake", "Next mistake");
      const mistake = await page.value(`${title}.firstChild.textContent`);
      const [, better] = /^better ([A-F])/.exec(await page.value(`${title}.title`)) ?? [];
      if (answer === "second") {
        await page.click(`[data-place="${mistake}"] .hollow`);
        await page.shows("#said", `There is better than ${mistake}. Try another pit.`);
      }
      if (isLoaded) {
        // The puzzle and what was answered belong to the game.
        const asked = await page.text("#said");
        await page.reload();
        await ready(page);
        await page.shows("#next-mistake", "Next mistake");
        if (answer !== "second") await page.shows("#said", asked);
      }
      if (answer === "left") continue;
      await page.click(`[data-place="${better}"] .hollow`);
      await page.shows("#said", `Yes, ${better} is the best move.`);
    }
    await page.click("#next-mistake");
    const found = answers.filter((answer) => answer === "found").length;
    await page.shows("#said", `No more mistakes in this game. ${found} of ${count} found at the first try.`);
  };
  const all = (/** @type {"found" | "second" | "left"} */ answer) => Array.from({ length: count }, () => answer);
  await practise(all("found"));
  await practise([...all("found").slice(1), "second"]);
  await practise(all("left"));
  await practise([...all("found").slice(1), "second"], true);
  checkQuiet(page, server.address);
});
