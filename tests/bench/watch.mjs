// The cost of `--watch`: games a second, and the referee's own processor time for a game, without `--watch`, with it but no
// browser, and with a browser that shows the page.
//
//   node tests/bench/watch.mjs REFEREE CHROMIUM RUNS OPTION...
//
// The options are those of a match, such as `--engine cmd=target/release/examples/instant nodes=1` twice. The three are taken in
// turns, because other programs disturb them, and the medians are shown. Only some seconds in the middle of a match are counted.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Browser } from "../web/browser.mjs";

const [referee, chromium, runs, ...options] = process.argv.slice(2);
/** How long is counted, and how long before that nothing is, in milliseconds. */
const COUNTED = 4000;
const BEFORE = 1500;
const WAYS = ["without", "unwatched", "watched"];

const pause = (/** @type {number} */ time) => new Promise((done) => setTimeout(done, time));

/** The processor time of a process so far, in microseconds: the system counts hundredths of a second. @param {number} pid */
function used(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 1e4;
}

/** Games a second and microseconds a game. @param {string} way @param {import("../web/browser.mjs").Page} page */
async function measure(way, page) {
  const match = spawn(referee, [...options, "--rounds", "10000000", ...(way === "without" ? [] : ["--watch", "0"])], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((done) => match.on("exit", done));
  let games = 0;
  const address = new Promise((done) => {
    match.stdout.setEncoding("utf8").on("data", (text) => {
      games += text.split("Finished game ").length - 1;
      const found = /Watch the match at (\S+)/.exec(text)?.[1];
      if (found) done(found);
    });
  });
  if (way === "watched") {
    await page.call("Page.navigate", { url: await address });
    await page.until("document.querySelector('#state')?.textContent.startsWith('Live')");
  }
  await pause(BEFORE);
  const [pid, first, began, before] = [Number(match.pid), games, performance.now(), used(Number(match.pid))];
  await pause(COUNTED);
  const [count, time, processor] = [games - first, performance.now() - began, used(pid) - before];
  match.kill("SIGTERM");
  await ended;
  if (way === "watched") await page.call("Page.navigate", { url: "about:blank" });
  return [(1000 * count) / time, processor / count];
}

const median = (/** @type {number[]} */ values) => values.sort((one, other) => one - other)[values.length >> 1];

const browser = new Browser(chromium);
const page = await browser.open("about:blank", [1280, 900]);
/** @type {Record<string, number[][]>} */
const found = Object.fromEntries(WAYS.map((way) => [way, []]));
for (let run = 0; run < Number(runs); run++) {
  for (let turn = 0; turn < WAYS.length; turn++) {
    const way = WAYS[(run + turn) % WAYS.length];
    found[way].push(await measure(way, page));
  }
}
await browser.close();
const [games] = WAYS.map((way) => median(found[way].map(([count]) => count)));
for (const way of WAYS) {
  const [count, processor] = [0, 1].map((column) => median(found[way].map((values) => values[column])));
  console.log(
    `${way.padEnd(10)}${count.toFixed(1).padStart(9)} games a second (${((100 * count) / games).toFixed(1)} %)${processor.toFixed(0).padStart(9)} us of the referee's processor time a game`,
  );
}
