// A game owns its players, its clocks and what was found in it. node tests/browser/owner.mjs KROO CHROMIUM

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { begin, checkQuiet, MOVES, moves, ready, STILL, until, withPage } from "./harness.mjs";

/** How long a hand holds a button of the mouse, in milliseconds. */
const HELD = 80;
const SIZE = /** @type {[number, number]} */ ([1280, 900]);

/** What was wrong, a line for each part. @type {string[]} */
const wrong = [];
/** A part of the test; the others go on without it. @param {string} name @param {() => Promise<void>} part */
async function part(name, part) {
  if (process.env.PART && !name.includes(process.env.PART)) return;
  await part().catch((error) => void wrong.push(`${name}: ${String(error.message).split("\n").slice(0, 12).join(" ")}`));
}

/** A clock in seconds. @param {import("./browser.mjs").Page} page @param {"top" | "bottom"} place */
const clock = (page, place) =>
  page.value(`(([minutes, seconds]) => 60 * minutes + Number(seconds))(document.querySelector("#clock-${place}").textContent.split(":"))`);
const player = (/** @type {string} */ side) => `document.querySelector("#player-${side}").value`;
const runs = (/** @type {string} */ place) => `document.querySelector("#clock-${place}").classList.contains("runs")`;
const pick = (/** @type {import("./browser.mjs").Page} */ page, /** @type {string} */ pit) => page.click(`[data-place="${pit}"] .hollow`, HELD);
const count = (/** @type {import("./browser.mjs").Page} */ page, /** @type {number} */ n) =>
  page.until(`document.querySelectorAll('#moves .move').length === ${n}`);
/** Begins an empty game again. @param {import("./browser.mjs").Page} page */
const anew = async (page) => {
  const games = await page.value("Number(document.body.dataset.games ?? 0)");
  await page.value("document.querySelector('#new').click()");
  await page.until(`Number(document.body.dataset.games) > ${games} && ${MOVES} === "" && document.querySelectorAll(".pit.can").length > 0`);
};

await withPage(async (server, browser) => {
  const page = await browser.open(server.address, SIZE, STILL);
  await ready(page);
  await page.write("#time", "0.05");

  await part("players belong to the game", async () => {
    await begin(page, "oware", "person", "level:grandmaster");
    await pick(page, "C");
    await count(page, 2);
    await until(page, "person");
    const other = await browser.open(server.address, SIZE, STILL);
    await ready(other);
    await other.choose("#player-N", "person");
    await other.choose("#player-S", "level:initiation");
    await page.reload();
    await ready(page);
    await page.equals(`${player("S")} + ${player("N")}`, "personlevel:grandmaster");
    await page.shows("#name-top", "North: Kroo, grandmaster");
    await pick(page, await page.value("document.querySelector('.pit.can').dataset.place"));
    await count(page, 4);
    const { path } = await browser.saved(() => page.click("#save"));
    assert.match(readFileSync(path, "utf8"), /\[North "Kroo \(grandmaster\)"\]/);
    await page.click("#earlier", HELD);
    await page.shows(".choices li button", /A person, here – Kroo, grandmaster, Oware Abapa, 4 moves/);
    await page.key("Escape");
    await browser.call("Target.closeTarget", { targetId: other.target });
  });

  await part("undo brings the players back", async () => {
    await page.until("!document.querySelector('#dialog').open");
    await begin(page, "oware", "person", "level:initiation");
    await page.write("#name-S", "Ada");
    await pick(page, "C");
    await count(page, 2);
    await until(page, "person");
    const played = await moves(page);
    await page.click("#swap", HELD);
    // The fields follow.
    await page.equals(`${player("S")} + ${player("N")} + document.querySelector("#name-N").value`, "level:initiationpersonAda");
    await page.until(`${MOVES}.length > 0`);
    await page.key("u");
    await page.equals(`${player("S")} + ${player("N")}`, "personlevel:initiation");
    await page.equals(MOVES, played);
    await until(page, "person");
    await page.equals("document.querySelector('#name-S').value", "Ada");
    // A player that cannot play the next game is there again in this one.
    await page.choose("#variant", "awari1978");
    await page.until(`document.body.dataset.variant === "awari1978" && ${MOVES} === ""`);
    await page.choose("#player-N", "player:classic1978");
    await pick(page, "A");
    await page.until(`${MOVES}.length >= 2`);
    await page.choose("#variant", "kalah");
    await page.until(`document.body.dataset.variant === "kalah" && ${player("N")} !== "player:classic1978"`);
    await page.click("#back-to", HELD);
    await page.equals(`document.body.dataset.variant + ${player("N")}`, "awari1978player:classic1978");
    await page.write("#name-S", "");
  });

  await part("a clock is what was used", async () => {
    await begin(page, "oware", "person", "level:initiation");
    await page.write("#minutes", "5");
    await anew(page);
    await pick(page, "C");
    await count(page, 2);
    await page.until(runs("bottom"));
    await page.until(`document.querySelector("#clock-bottom").textContent <= "4:57"`);
    await page.reload();
    await ready(page);
    const reloaded = await clock(page, "bottom");
    assert(reloaded <= 297 && reloaded > 240, `${reloaded} s after a reload`);
    // It goes on in an analysis.
    await page.click("#tab-analyse", HELD);
    await page.equals("document.body.dataset.mode", "analyse");
    const before = await clock(page, "bottom");
    await page.until(`document.querySelector("#clock-bottom").checkVisibility() && ${runs("bottom")}`, 5000);
    await page.passes("document.querySelector('#clock-bottom').textContent", (text) => assert(Number(String(text).split(":")[1]) < before - 240 - 1));
    // From an earlier position, and from the list of games, there is a clock.
    await page.click("#play-here", HELD);
    await page.equals("document.body.dataset.mode", "play");
    await page.equals("document.querySelector('#clock-bottom').checkVisibility()", true, "played from here");
    await page.click("#earlier", HELD);
    await page.until("document.querySelector('#dialog').open");
    await page.click(".choices li:nth-child(2) button", HELD);
    await page.until("!document.querySelector('#dialog').open");
    await page.equals("document.querySelector('#clock-bottom').checkVisibility()", true, "an earlier game");
    await page.passes("document.querySelector('#clock-bottom').textContent", (text) => assert(String(text) < "4:57", `${text} in an earlier game`));
  });
  await page.write("#minutes", "0");

  await part("a pause stays", async () => {
    await begin(page, "oware", "person", "person");
    await page.choose("#player-S", "level:initiation");
    await page.choose("#player-N", "level:initiation");
    await page.until(`${MOVES}.length >= 4`);
    await page.value("document.querySelector('#pause').click()");
    await until(page, "paused");
    for (let times = 0; times < 2; times++) {
      const played = await moves(page);
      await page.key("u");
      await page.equals(MOVES, played.slice(0, -1));
    }
    const left = await moves(page);
    await new Promise((done) => setTimeout(done, 500));
    assert.equal(await moves(page), left);
    await page.reload();
    await ready(page);
    await page.equals("document.body.dataset.turn", "paused", "a reload ends the pause");
  });

  await part("a list gives the focus back", async () => {
    await begin(page, "oware", "person", "person");
    await page.click("#player-S", HELD);
    await page.key("Escape");
    await page.value(
      "document.querySelector('#player-S').focus(); document.querySelector('#player-S').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))",
    );
    await page.choose("#player-S", "person");
    await page.equals("document.activeElement.id", "");
    await page.key("f");
    await count(page, 1);
    await page.choose("#variant", "avalanche");
    await page.until("document.body.dataset.variant === 'avalanche'");
    await page.shows("#back-to", "Back to the game before");
    await page.click("#back-to", HELD);
    await page.equals(`document.body.dataset.variant + ${MOVES}`, "owareF");
  });

  await part("a game in two tabs is two games", async () => {
    await begin(page, "kalah", "person", "person");
    await page.write("#name-S", "Twin");
    await pick(page, "A");
    await count(page, 1);
    const other = await browser.open(server.address, SIZE, STILL);
    await ready(other);
    await other.click("#earlier", HELD);
    await other.click(".choices li button", HELD);
    await other.equals(MOVES, "A");
    for (const [n, pit] of [..."aB"].entries()) {
      await pick(page, pit);
      await count(page, n + 2);
    }
    await pick(other, "f");
    await count(other, 2);
    await other.click("#earlier", HELD);
    await other.until("document.querySelector('#dialog').open");
    const listed = await other.value(
      "[...document.querySelectorAll('.choices li')].map((one) => one.textContent).filter((text) => text.includes('Twin')).map((text) => /\\d+ moves?/.exec(text)[0]).join()",
    );
    await other.key("Escape");
    assert.equal(listed, "2 moves,3 moves");
    // Where the other tab is closed, its game is the same.
    await browser.call("Target.closeTarget", { targetId: other.target });
    await page.until(
      "navigator.locks.query().then(({ held }) => new Set(held.map(({ name }) => name).filter((name) => name.startsWith('kroo.tab.'))).size === 1)",
    );
    await page.click("#earlier", HELD);
    await page.until("document.querySelector('#dialog').open");
    await page.value("[...document.querySelectorAll('.choices li button')].find((one) => /Twin.* 2 moves/.test(one.textContent)).click()");
    await page.equals(MOVES, "Af");
    await page.click("#earlier", HELD);
    await page.until("document.querySelector('#dialog').open");
    await page.equals("[...document.querySelectorAll('.choices li')].filter((one) => one.textContent.includes('Twin')).length", 2);
    await page.key("Escape");
    await page.until("!document.querySelector('#dialog').open");
    await page.write("#name-S", "");
  });

  await part("a link holds the game and the variation", async () => {
    await begin(page, "oware", "person", "person");
    await pick(page, "F");
    await count(page, 1);
    await pick(page, "f");
    await count(page, 2);
    await page.click("#tab-analyse", HELD);
    await page.key("Home");
    await page.until("!document.querySelector('#moves [aria-current]')");
    await pick(page, "A");
    await page.until("document.querySelector('#moves .variation [aria-current]')");
    await page.value("Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => void (globalThis.copied = text) } })");
    await page.click("#link", HELD);
    await page.until("globalThis.copied");
    const opened = await browser.open(await page.value("copied"), SIZE, STILL);
    await ready(opened);
    await opened.equals(MOVES, "Ff");
    await opened.shows("#moves .variation [aria-current]", "A");
    await browser.call("Target.closeTarget", { targetId: opened.target });
  });

  await part("a game is dropped or pasted", async () => {
    const drop = (/** @type {string} */ type, /** @type {string} */ field, /** @type {string} */ fill) =>
      page.value(`(() => { const data = new DataTransfer(); ${fill};
        const event = new ${type}("${field === "clipboardData" ? "paste" : "drop"}", { bubbles: true, cancelable: true, ${field}: data });
        document.querySelector("#board").dispatchEvent(event); return event.defaultPrevented; })()`);
    const text = (/** @type {string} */ name) => JSON.stringify(`[Variant "Kalah"]\n[South "${name}"]\n\n1. C F a *\n`);
    assert.equal(await drop("DragEvent", "dataTransfer", `data.items.add(new File([${text("Dropped")}], "game.ogn"))`), true, "a file that is dropped");
    await page.until("document.querySelector('#name-bottom').textContent === 'South: Dropped'", 10000);
    assert.equal(await drop("ClipboardEvent", "clipboardData", `data.setData("text/plain", ${text("Pasted")})`), true, "a text that is pasted");
    await page.until("document.querySelector('#name-bottom').textContent === 'South: Pasted'", 10000);
  });

  await part("Tab stops once in the moves", async () => {
    await page.click("#tab-play", HELD);
    await begin(page, "oware", "person", "person");
    await page.click("#tab-analyse", HELD);
    const long = "FfCcFeEbAdAbBfBbFeCdEeBcFdCaBeEbBdCeAcBdCfFc";
    await page.write("#position", `startpos moves ${long}`);
    await page.value("document.querySelector('#line').requestSubmit()");
    await page.until(`${MOVES} === "${long}"`);
    await page.value("document.querySelector('#search').focus()");
    const stops = [];
    for (let presses = 0; presses < 60; presses++) {
      await page.key("Tab");
      const [group, id] = await page.value("[document.activeElement.closest('#moves, #bar')?.id ?? '', document.activeElement.id]");
      if (group) stops.push(group);
      else if (stops.length) break;
      if (id === "rules") break;
    }
    assert.deepEqual(stops, ["moves", "bar"]);
    // Arrows go on inside.
    const stop = (/** @type {string} */ group) => `[...document.querySelectorAll("${group} button")].find((one) => one.tabIndex === 0)`;
    await page.value(`${stop("#moves")}.focus()`);
    await page.key("ArrowUp");
    await page.until(`document.activeElement.dataset.ply === "${long.length - 2}" && document.activeElement.ariaCurrent === "step"`, 5000);
    await page.key("ArrowLeft");
    await page.until(`document.activeElement.dataset.ply === "${long.length - 3}" && document.activeElement.ariaCurrent === "step"`, 5000);
    await page.value(`${stop("#bar")}.focus()`);
    const first = await page.value("document.activeElement.id");
    await page.key("ArrowRight");
    assert.notEqual(await page.value("document.activeElement.id"), first);
    assert.equal(await page.value("Boolean(document.activeElement.closest('#bar'))"), true);
    // From move 100 on a number has one line.
    const lines = await page.value(`(() => { const number = document.querySelector("#moves .number"), before = number.textContent; number.textContent = "115.";
      const height = number.getClientRects().length + number.offsetHeight / parseFloat(getComputedStyle(number).lineHeight); number.textContent = before; return height; })()`);
    assert(lines < 2.5, `${lines} lines`);
  });

  await part("a review stays and goes on", async () => {
    await page.click("#tab-analyse", HELD);
    // A win by two seeds instead of eight is a win.
    await page.choose("#variant", "kalah3");
    await page.click("#tab-play", HELD);
    await begin(page, "kalah3", "person", "person");
    await page.click("#tab-analyse", HELD);
    await page.write("#position", "startpos moves DFaCbdAeE");
    await page.value("document.querySelector('#line').requestSubmit()");
    await page.until(`${MOVES} === "DFaCbdAeE"`);
    // What is spoken meanwhile is its end.
    await page.value(`globalThis.spoken = []; new MutationObserver((all) => all.forEach(({ target }) => {
      const live = (target instanceof Element ? target : target.parentElement)?.closest("[role=status], [aria-live]");
      if (live?.textContent && live.checkVisibility()) spoken.push(live.textContent);
    })).observe(document.body, { childList: true, characterData: true, subtree: true })`);
    await page.click("#mistakes", HELD);
    await page.until("document.querySelector('#progress')?.checkVisibility() && document.querySelector('#progress').value >= 2", 20000);
    // Another tab for a second.
    await page.value(
      "Object.defineProperty(document, 'hidden', { configurable: true, get: () => true }); document.dispatchEvent(new Event('visibilitychange'))",
    );
    await page.value("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))");
    await page.equals("document.querySelector('#mistakes').ariaPressed", "true", "it has stopped");
    await page.until("document.querySelector('#progress').value >= 3", 20000);
    const judged = await page.value("document.querySelector('#progress').value");
    await page.reload();
    await ready(page);
    await page.click("#mistakes", HELD);
    await page.until("document.querySelector('#progress').checkVisibility()", 20000);
    const again = await page.value("document.querySelector('#progress').value");
    assert(again >= judged, `it begins at move ${again} after ${judged}`);
    await page.until("/accurate/.test(document.querySelector('#found').textContent)");
    const found = await page.text("#found");
    // What a longer search would prove of the last move: a win by two is as right as one by eight. It is what was kept that counts.
    await page.value(`(() => {
      const { analyse } = JSON.parse(localStorage["kroo.tab." + sessionStorage["kroo.tab"]]), name = "kroo.game." + analyse, kept = JSON.parse(localStorage[name]);
      const main = []; for (let node = kept.game.tree[0]; node; node = node[3][0]) main.push(node);
      const score = (cp, proven) => ({ cp, proven, found: null, bound: false, mate: null });
      main[7][5] = { F: score(800, "win"), D: score(200, "win"), B: score(0, "draw"), E: score(-600, "loss") };
      main[8][2] = { sign: "??", line: "F", score: score(800, "win"), loss: 1400 };
      globalThis.changed = [name, JSON.stringify(kept)];
      addEventListener("pagehide", () => localStorage.setItem(...changed));
    })()`);
    await page.reload();
    await ready(page);
    await page.shows("#found", found);
    await page.until("!document.querySelector('#next-mistake').disabled");
    for (let puzzles = 0; puzzles < 9; puzzles++) {
      await page.click("#next-mistake", HELD);
      await page.until(`document.querySelector("#said").textContent.includes("(${puzzles + 1} of ")`);
      if (/South played E here/.test(await page.text("#said"))) break;
    }
    await pick(page, "B");
    await page.shows("#said", "There is better than B. Try another pit.");
    await pick(page, "D");
    await page.shows("#said", "D is good as well. The best move is F.");
  });

  await part("a review speaks once", async () => {
    await page.key("End");
    await page.value(`globalThis.spoken = []; new MutationObserver((all) => all.forEach(({ target }) => {
      const live = (target instanceof Element ? target : target.parentElement)?.closest("[role=status], [aria-live]");
      if (live?.textContent) spoken.push(live.textContent);
    })).observe(document.body, { childList: true, characterData: true, subtree: true })`);
    await page.click("#mistakes", HELD);
    await page.until("document.querySelector('#mistakes').ariaPressed === 'true'");
    await page.until("/accurate/.test(document.querySelector('#found').textContent)");
    const spoken = await page.value("spoken");
    assert.equal(spoken.filter((/** @type {string} */ text) => /accurate|Move \d/.test(text)).length, 1, JSON.stringify(spoken));
  });

  await part("French is French", async () => {
    await page.click("#tab-play", HELD);
    await page.choose("#language", "fr");
    await begin(page, "kalah3", "person", "person");
    await page.shows("#game-name", "Kalah, 3 graines par trou");
    await pick(page, "a");
    await page.shows("#said", "Impossible : a ne peut être semé, car Sud est au trait");
    await pick(page, "D");
    await count(page, 1);
    await pick(page, "D");
    await page.shows("#said", "Impossible : D ne peut être semé, car le trou est vide");
    // What is wrong with a position or a file is said in French, too.
    await page.click("#tab-analyse", HELD);
    for (const [line, said] of [
      ["startpos moves DFaCbdAea", "coup 9 : a ne peut être semé, car Sud est au trait"],
      ["startpos moves DX", "un coup est une des lettres A à F et a à f"],
      ["x-4-4", "une position est quatorze nombres et S ou N, joints par « - »"],
      ["4-4-4-S", "une position a 15 champs joints par « - », pas 4"],
      ["4-4-4-4-4-4-4-4-4-4-4-4-0-99-S", "Grenier de Nord prend un nombre de graines de 0 à 72"],
      ["9-9-9-9-9-9-9-9-9-9-9-9-0-1-S", "les trous et greniers ont 109 graines, le jeu en a 72 au plus"],
    ]) {
      await page.write("#position", line);
      await page.value("document.querySelector('#line').requestSubmit()");
      await page.shows("#said", `Impossible : ${said}`);
    }
    await page.value("document.querySelector('#set-up').click()");
    await page.equals("[...document.querySelectorAll('#set-up-form .half')].map((one) => one.textContent).join()", "Grenier de Nord,Grenier de Sud");
    await page.equals("document.querySelectorAll('#set-up-form input[aria-label]').length", 0);
    await page.write("#set-up-form [name=A]", "72");
    await page.value("document.querySelector('#set-up-form').requestSubmit()");
    await page.shows("#set-up-error", /^les trous et greniers ont \d+ graines, le jeu en a 72 au plus$/);
    await page.key("Escape");
    const paste = (/** @type {string} */ text) =>
      page.value(`(() => { const data = new DataTransfer(); data.setData("text/plain", ${JSON.stringify(text)});
        document.querySelector("#board").dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: data })); })()`);
    await paste("1. this is none\n");
    await page.shows("#said", "Ce n’est pas un fichier de partie : ligne 1, colonne 4 : « this » n’est pas un coup");
    await paste('[Variant "Kalah"]\n[Result "*"]\n\n1. F $99 a 2. a *\n');
    await page.shows(
      "#said",
      "Une partie du texte de cette partie est laissée de côté : ligne 4, colonne 6 : l’annotation « $99 »\nligne 4, colonne 15 : tous les coups à partir d’ici : a ne peut être semé, car Sud est au trait",
    );
    await paste('[Variant "Kalah"]\n[FEN "4-4-S"]\n\n1. F *\n');
    await page.shows("#said", "Impossible : une position a 15 champs joints par « - », pas 3");
    await page.click("#tab-play", HELD);
    await page.equals(
      "[...document.querySelectorAll('#player-N option')].map((one) => one.textContent).filter((text) => /greedy|random|careful|evolved/.test(text))",
      [],
    );
    await page.choose("#language", "en");
  });

  await part("forced colours show the turn", async () => {
    await page.click("#tab-play", HELD);
    await begin(page, "oware", "person", "person");
    await pick(page, "F");
    await count(page, 1);
    await page.call("Emulation.setEmulatedMedia", { features: [...STILL, { name: "forced-colors", value: "active" }] });
    const [turn, other, current, move] = await page.value(`(() => {
      const look = (one, names) => { const style = getComputedStyle(one); return names.map((name) => style[name]).join(); };
      const border = ["borderTopWidth", "borderTopStyle", "borderTopColor"];
      return [look(document.querySelector(".strip.turn"), border), look(document.querySelector(".strip:not(.turn)"), border),
        look(document.querySelector("#moves [aria-current]"), border), getComputedStyle(document.querySelector("#eval-part")).forcedColorAdjust]; })()`);
    assert.notEqual(turn, other, "whose turn it is");
    assert.match(current, /^2px,solid,/, "the current move");
    assert.equal(move, "none", "the evaluation");
    await page.call("Emulation.setEmulatedMedia", { features: STILL });
  });

  await part("the oldest games go when the storage is full", async () => {
    await begin(page, "oware", "person", "person");
    const before = await page.value("Object.keys(localStorage).filter((name) => name.startsWith('kroo.game.')).length");
    assert(before >= 4, `${before} games`);
    // The storage takes no more than it has now.
    await page.value(`(() => { const set = Storage.prototype.setItem, size = () => Object.entries(localStorage).reduce((sum, [name, text]) => sum + name.length + text.length, 0);
      const most = size() + 50;
      Storage.prototype.setItem = function (name, text) {
        if (this === localStorage && size() - (localStorage.getItem(name)?.length ?? -name.length) + text.length > most) throw new DOMException("full", "QuotaExceededError");
        set.call(this, name, text);
      }; })()`);
    await page.value(`globalThis.full = ""; new MutationObserver(() => { const { textContent } = document.querySelector("#said"); if (/full/.test(textContent)) full = textContent; })
      .observe(document.querySelector("#said"), { childList: true })`);
    for (const [n, pit] of [..."FfEeDd"].entries()) {
      await pick(page, pit);
      await count(page, n + 1);
    }
    await page.passes("full", (text) => assert.match(String(text), /The browser’s storage was full: the (oldest game was|\d+ oldest games were) forgotten\.$/));
    await page.reload();
    await ready(page);
    await page.equals(MOVES, "FfEeDd");
    assert((await page.value("Object.keys(localStorage).filter((name) => name.startsWith('kroo.game.')).length")) < before);
  });
  checkQuiet(page, server.address);
});

// With seeds that fly.
await withPage(async (server, browser) => {
  const page = await browser.open(server.address, SIZE);
  await ready(page);
  await page.write("#time", "0.05");

  await part("a clock starts when a move can be made", async () => {
    await begin(page, "ayoayo", "person", "level:initiation");
    await page.write("#minutes", "5");
    await anew(page);
    await page.value(`globalThis.early = 0; setInterval(() => {
      if (document.body.dataset.turn === "animating" && document.querySelector("#clock-bottom").classList.contains("runs")) early++; }, 20)`);
    await pick(page, "A");
    await page.until(`${MOVES}.length >= 2 && document.body.dataset.turn === "person"`);
    await page.until(runs("bottom"));
    await page.equals("early", 0);
    await page.write("#minutes", "0");
  });

  await part("a sentence is spoken once", async () => {
    await begin(page, "oware", "person", "level:initiation");
    await page.value(`globalThis.spoken = []; new MutationObserver((all) => all.forEach(({ target }) => {
      const live = (target instanceof Element ? target : target.parentElement)?.closest("[role=status], [aria-live]");
      if (live?.textContent) spoken.push(live.textContent);
    })).observe(document.body, { childList: true, characterData: true, subtree: true })`);
    await pick(page, "C");
    await page.until(`${MOVES}.length === 2 && document.body.dataset.turn === "person"`);
    const sentences = (await page.value("spoken")).flatMap((/** @type {string} */ text) => text.match(/[^.]+\./g) ?? []);
    const twice = sentences.filter((/** @type {string} */ one, /** @type {number} */ at) => sentences.indexOf(one) !== at);
    assert.deepEqual(twice, [], JSON.stringify(sentences));
  });

  await part("a motion ends with the look at something else", async () => {
    await begin(page, "oware", "person", "person");
    await page.choose("#speed", "slow");
    for (const [isFlying, then, tab] of [
      [false, "analysing", "#tab-analyse"],
      [false, "person", "#tab-play"],
      [true, "analysing", "#tab-analyse"],
      [true, "person", "#tab-play"],
    ]) {
      // A move is shown by its key, and the other tab chosen by its own, which ends no motion.
      await page.until("document.querySelectorAll('.pit.can').length > 0");
      await page.key((await page.value("document.querySelector('.pit.can').dataset.place")).toLowerCase());
      await until(page, "animating");
      if (isFlying) await page.until("document.querySelectorAll('.hand .seed').length > 0");
      await page.value(`document.querySelector("${tab}").click()`);
      await until(page, String(then));
      await page.until("document.querySelectorAll('.pit.can').length > 0", 20000);
    }
    await page.choose("#speed", "normal");
  });
  checkQuiet(page, server.address);
});

assert.deepEqual(wrong, []);
