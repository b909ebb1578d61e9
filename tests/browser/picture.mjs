// Draws the pictures of the page for README.md: node tests/browser/picture.mjs KROO CHROMIUM DESK.png PHONE.png

import { writeFileSync } from "node:fs";
import { ready, STILL, withPage } from "./harness.mjs";

const [desk, phone] = process.argv.slice(4);
/** The depth of the search shown. */
const DEPTH = 20;

await withPage(async (server, browser) => {
  const page = await browser.open(server.address, [1280, 800], STILL);
  await ready(page);
  await page.choose("#player-N", "person");
  await page.write("#position", "startpos moves FfCcFeEbAdAbBfBbFeCdEe");
  await page.click("#line button");
  await page.until("document.querySelectorAll('#moves .move').length === 22");
  await page.choose("#player-N", "level:beginner");
  await page.value("document.querySelector('#further').open = false");
  await page.click("#tab-analyse");
  await page.click("#mistakes");
  await page.until("document.querySelector('#found').textContent.includes('accurate')");
  await page.choose("#multipv", "4");
  await page.click("#search");
  await page.until(`Number(/depth (\\d+)/.exec(document.querySelector("#counts").textContent)?.[1]) >= ${DEPTH}`);
  await page.until("document.querySelectorAll('.arrow.inner').length === 2");
  await page.click("#search");
  await page.value("scrollTo(0, 0)");
  writeFileSync(desk, await page.picture());
  await page.resize([390, 800]);
  await page.click("#tab-play");
  await page.value("scrollTo(0, 0)");
  await new Promise((done) => setTimeout(done, 300));
  writeFileSync(phone, await page.picture());
});
