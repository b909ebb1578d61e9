// Draws the pictures of the page for README.md: node tests/web/picture.mjs KROO CHROMIUM DESK.png PHONE.png

import { writeFileSync } from "node:fs";
import { ready, STILL, withPage } from "./harness.mjs";

const [desk, phone] = process.argv.slice(4);
/** How long the search shown has lasted, in milliseconds. */
const SEARCH = 3000;

await withPage(async (server, browser) => {
  const page = await browser.open(server.address, [1160, 720], STILL);
  await ready(page);
  await page.click("#tab-analyse");
  await page.write("#position", "startpos moves FfEcBaBeAbFbBc");
  await page.click("#line button");
  await page.until("document.querySelectorAll('#moves .move').length === 14");
  await page.click("#mistakes");
  await page.until("document.querySelector('#found').textContent.includes('accurate')");
  await page.choose("#multipv", "4");
  await page.click("#search");
  await new Promise((done) => setTimeout(done, SEARCH));
  await page.click("#search");
  await page.value("scrollTo(0, 0)");
  writeFileSync(desk, await page.picture());
  await page.resize([390, 720]);
  await page.click("#tab-play");
  await page.value("scrollTo(0, 0)");
  await new Promise((done) => setTimeout(done, 300));
  writeFileSync(phone, await page.picture());
});
