// The analysis in the page: searched, walked, set up, saved and opened.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkQuiet, checkWidths, MOVES, moves, ready, STILL, withPage } from "./harness.mjs";

const said = (/** @type {import("./browser.mjs").Page} */ page, /** @type {string} */ text) =>
  page.until(`document.querySelector("#said").textContent.includes(${JSON.stringify(text)})`);
const folder = mkdtempSync(join(tmpdir(), "kroo-web-"));

await withPage(async (server, browser) => {
  const page = await browser.open(server.address, [1280, 900], STILL);
  await ready(page);
  const paint = await page.value("performance.getEntriesByName('first-paint')[0]?.startTime ?? performance.now()");
  console.log(`first paint after ${paint.toFixed(0)} ms`);
  await page.click("#tab-analyse");

  // A search is started, shows each pit's value instead of the mark of a hint, follows the board, and is stopped.
  await page.click("#hint");
  await page.until("document.querySelectorAll('.pit.best').length === 1");
  await page.click("#search");
  await page.until("document.querySelectorAll('#pv li').length === 6 && /depth \\d+/.test(document.querySelector('#counts').textContent)");
  await page.until("[...document.querySelectorAll('.pit .value')].filter((value) => value.textContent).length === 6");
  await page.until("document.querySelectorAll('.pit.best').length === 1");
  // The ring and its white edge are inside the dark pit.
  const inside = `[...document.querySelectorAll(".pit.best")].every((pit) => { const [casing, hollow] = [".casing", ".hollow"].map((kind) => pit.querySelector(kind));
    return casing.r.baseVal.value + parseFloat(getComputedStyle(casing).strokeWidth) / 2 <= hollow.r.baseVal.value; })`;
  await page.equals(inside, true);
  const drawnAnew = "(dispatchEvent(new Event('resize')), [...document.querySelectorAll('.pit .value')].filter((value) => value.textContent).length)";
  await page.equals(drawnAnew, 6);
  // A single score is a dot in the graph.
  await page.equals("document.querySelector('#graph .scored').getAttribute('d').match(/M/g).length", 1);
  await page.choose("#multipv", "2");
  await page.until("document.querySelectorAll('#pv li').length === 2");
  await page.key("c");
  await page.until("document.querySelectorAll('#moves .move').length === 1");
  await page.until("/^[a-f]/.test(document.querySelector('#pv li button')?.textContent)");
  await page.click("#search");
  await page.until("document.querySelector('#search').getAttribute('aria-pressed') === 'false'");
  const depth = await page.text("#counts");
  // All that a search has found before it ends comes before what the same engine says of a hint.
  await page.write("#time", "0.01");
  await page.click("#hint");
  await said(page, "Kroo would play");
  await page.shows("#counts", depth, "the search goes on");

  // A line is walked, and stays as a variation when another move is played.
  await page.click("#pv li button:nth-of-type(2)");
  await page.until("document.querySelectorAll('#moves .move').length === 3");
  await page.key("ArrowLeft");
  await page.key("ArrowLeft");
  await page.until("document.querySelector('#moves [aria-current]').textContent === 'C'");
  const other = await page.value(
    "[...document.querySelectorAll('.pit.can')].map((pit) => pit.dataset.place).find((pit) => pit !== document.querySelectorAll('#moves .move')[1].textContent)",
  );
  await page.click(`[data-place="${other}"] .hollow`);
  await page.until("document.querySelectorAll('#moves .variation button').length === 1");
  await page.click("#promote");
  await page.until(`document.querySelectorAll('#moves .move')[1].textContent === "${other}"`);
  await page.reload();
  await ready(page);
  await page.equals("document.querySelectorAll('#moves .variation button').length", 2, "variations survive a reload");
  await checkWidths(page, "the analysis");
  await page.resize([1280, 900]);

  // An invalid set-up is refused with its reason, and the state is unchanged.
  const before = await moves(page);
  await page.write("#position", "4-4-4-4-4-4-4-4-4-4-4-4-0-1-S");
  await page.click("#line button");
  await said(page, "Not possible: pits and stores have 49 seeds, the game has 48");
  await page.write("#position", "startpos moves FfX");
  await page.click("#line button");
  await said(page, "Not possible: a move is one of the letters A to F and a to f");
  await page.equals(MOVES, before);
  await page.click("#set-up");
  await page.shows("#set-up-form", /48 seeds in pits and stores/);
  await page.shows("#set-up-form", /Store of North.*Store of South/);
  // A turn of oware has no second move.
  const marksSecond = "document.querySelector('#set-up-form [name=second]').checkVisibility()";
  await page.equals(marksSecond, false);
  await page.write('#set-up-form [name="A"]', "9");
  await page.click("#set-up-form button");
  await page.until("document.querySelector('#set-up-error').textContent.includes('the game has 48')");
  await checkWidths(page, "the set-up");
  await page.resize([1280, 900]);
  for (const [name, value] of Object.entries({ A: 0, B: 0, C: 0, D: 0, E: 0, F: 2, a: 1, b: 2, c: 0, d: 0, e: 0, f: 3, south: 20, north: 20 }))
    await page.write(`#set-up-form [name="${name}"]`, String(value));
  await page.click("#set-up-form button");
  await page.until("!document.querySelector('#dialog').open && document.querySelectorAll('#moves .move').length === 0");
  await page.click("#search");
  await page.until("/won|lost|drawn/.test(document.querySelector('#pv b')?.textContent)");
  await page.click("#search");

  // One of awari1978 has.
  await page.choose("#variant", "awari1978");
  await page.until("document.body.dataset.variant === 'awari1978'");
  await page.click("#set-up");
  await page.equals(marksSecond, true);
  await page.key("Escape");
  await page.choose("#variant", "oware");
  await page.until("document.body.dataset.variant === 'oware'");

  // A game is searched for mistakes, saved, read by the engine, and opened again.
  await page.write("#position", "startpos moves FfEdBb");
  await page.click("#line button");
  await page.until("document.querySelectorAll('#moves .move').length === 6");
  await page.click("#mistakes");
  await page.until("/South \\d+ %, North \\d+ % accurate/.test(document.querySelector('#found').textContent)");
  await page.equals("document.querySelector('#graph').checkVisibility() && document.querySelector('#eval').checkVisibility()", true);
  await page.until("document.querySelectorAll('#graph .curve')[0].getAttribute('points').split(' ').length >= 6");
  const { path: file, name } = await browser.saved(() => page.click("#save"));
  assert.match(name, /^oware-\d{4}-\d\d-\d\d-\d{4}\.ogn$/);
  await said(page, `Saved as ${name}`);
  const text = readFileSync(file, "utf8");
  assert.match(text, /^\[Variant "Oware Abapa"\]\n\[Event "Casual game"\]/);
  const read = JSON.parse(execFileSync(process.argv[2], ["analyse", file, "--nodes", "500", "--json"], { encoding: "utf8" }));
  assert.equal(read.moves.map((/** @type {any} */ one) => one.move).join(""), "FfEdBb");
  const second = join(folder, "second.ogn");
  writeFileSync(second, `[Variant "Kalah"]\n[South "one"]\n[FEN "0-0-0-0-2-1-0-0-0-0-1-1-22-21-S"]\n\n1. F+1 {+2.00/3} E *\n`);
  const open = (/** @type {string} */ path) => page.chooseFile("#file", path);
  const bad = join(folder, "bad.ogn");
  writeFileSync(bad, "this is no game");
  await open(bad);
  await said(page, "not a game file");
  await page.equals(MOVES, "FfEdBb");
  const illegal = join(folder, "illegal.ogn");
  writeFileSync(illegal, '[Variant "Oware Abapa"]\n\n1. F F *\n');
  await open(illegal);
  // It is opened up to there, and the rest is said.
  await said(page, "left out: line 3, column 6: all moves from here on: F cannot be sown, as it is North's turn");
  await page.equals(MOVES, "F");
  await page.key("Home");
  await page.until("!document.querySelector('#moves [aria-current]')");
  await open(file);
  await page.until("document.querySelector('#moves [aria-current]')?.firstChild.textContent === 'b'");
  await page.equals(MOVES, "FfEdBb");
  await page.until("/South \\d+ %, North \\d+ % accurate/.test(document.querySelector('#found').textContent)");
  const titles = await page.value("[...document.querySelectorAll('#variant option')].map((option) => option.value + ' ' + option.textContent)");
  const kalah = titles.find((/** @type {string} */ title) => title.startsWith("kalah ")).slice(6);
  writeFileSync(second, readFileSync(second, "utf8").replace("Kalah", kalah));
  await open(second);
  await page.until("document.body.dataset.variant === 'kalah' && document.querySelectorAll('#moves .move').length === 2");
  await page.equals(MOVES, "FE");

  // Names, comments, judgements and variations of a file are shown, survive a reload, and are written again; every program reads them.
  writeFileSync(second, `[Variant "${kalah}"]\n[South "Ada"]\n[North "Ben"]\n\n1.C {the usual} F?! $2 (1. A {quiet} b (1... c) 2. B) (1. E X) a 2. A *\n`);
  await open(second);
  await page.until("document.querySelector('#moves [aria-current]')?.textContent === 'A'");
  const shown = "document.querySelector('#moves').textContent";
  await page.equals(shown, "1.C+1F+1?!a1…Ab(1…c)2.B1…E2.A");
  const indent = "document.querySelector('#moves .variation').getBoundingClientRect().x - document.querySelector('#moves .turn').getBoundingClientRect().x";
  await page.equals(`${indent} > 30`, true, "variations are not indented");
  await page.equals("document.querySelector('#next-mistake').disabled", false, "a better line of a file is practised");
  await page.click("#moves .move");
  await page.until("document.querySelector('#comment').textContent === 'the usual'");
  // Rows below a comment have the same place at moves without a comment.
  const graphTop = "document.querySelector('#graph').getBoundingClientRect().top";
  const top = await page.value(graphTop);
  await page.key("ArrowRight");
  await page.until("document.querySelector('#comment').textContent === ''");
  await page.equals(graphTop, top);
  await page.key("ArrowLeft");
  await page.until("document.querySelector('#comment').textContent === 'the usual'");
  await page.reload();
  await ready(page);
  await page.shows("#comment", "the usual");
  await page.shows("#name-bottom", /Ada/);
  await page.shows("#name-top", /Ben/);
  const written = await page.value(shown);
  const { path: third } = await browser.saved(() => page.click("#save"));
  const again = JSON.parse(execFileSync(process.argv[2], ["analyse", third, "--nodes", "500", "--json"], { encoding: "utf8" }));
  assert.equal(again.moves.map((/** @type {any} */ one) => one.move).join(""), "CFaA");
  await page.click("#tab-play");
  await page.choose("#variant", "kalah");
  await page.until("document.querySelectorAll('#moves .move').length === 0");
  await page.click("#tab-analyse");
  await open(third);
  await page.until("document.querySelectorAll('#moves .move').length === 4");
  await page.equals(shown, written);
  assert.match(
    readFileSync(third, "utf8"),
    /\n\n1\. C\+1 \{the usual\} F\+1\?! \(1\. A \{quiet\} b \(1\.\.\. c\+1\) 2\. B\+1\) \(1\. E\+1\) a 2\. A\s2-0\n\n$/,
  );

  // Tags in any order, and comments of any length and with any character, go out as they came in.
  const kept = `[Event "?"]\n[Variant "${kalah}"]\n[Result "*"]\n[Anna "x"]\n\n; before } it\n1. C+1 {${"word ".repeat(1000).trim()}} 1-0\n\n`;
  writeFileSync(second, kept);
  await open(second);
  await page.until("document.querySelectorAll('#moves .move').length === 1");
  const words = (/** @type {string} */ all) => all.split(/\s+/).join(" ");
  assert.equal(words(readFileSync((await browser.saved(() => page.click("#save"))).path, "utf8")), words(kept));

  // The end in a file is kept until a move is played.
  const saved = async () => {
    const text = readFileSync((await browser.saved(() => page.click("#save"))).path, "utf8");
    return ["Result", "Termination"].map((tag) => new RegExp(`\\[${tag} "(.*)"\\]`).exec(text)?.[1]);
  };
  for (const [result, termination, sentence] of [
    ["0-1", "time forfeit", "South's time ran out. North wins."],
    ["1-0", "resignation", "North resigns. South wins."],
    ["1/2-1/2", "agreed draw", "The players agreed to a draw."],
    ["1-0", "illegal move", "The game file says: illegal move. South wins."],
  ]) {
    writeFileSync(second, `[Variant "${kalah}"]\n[Result "${result}"]\n[Termination "${termination}"]\n\n1. A b 0-0\n`);
    await open(second);
    await said(page, sentence);
    assert.deepEqual(await saved(), [result, termination]);
    await page.click('[data-place="C"] .hollow');
    await page.until("document.querySelectorAll('#moves .move').length === 3");
    assert.deepEqual(await saved(), ["*", "unfinished"]);
  }

  // At move 250 the stores decide.
  const round = [..."AaBbCcDdEeFf".repeat(21).slice(0, 250)].join(" ");
  writeFileSync(second, `[Variant "Awari"]\n[FEN "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S"]\n[Result "*"]\n\n${round} *\n`);
  await open(second);
  await said(page, "250 moves have been made, so the stores decide.");
  checkQuiet(page, server.address);
}).finally(() => rmSync(folder, { recursive: true, force: true }));
