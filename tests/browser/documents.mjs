// Game files are opened, a move more is made where the name of the file has one, and they are saved. node tests/browser/documents.mjs
// KROO CHROMIUM FOLDER

import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { checkQuiet, ready, STILL, withPage } from "./harness.mjs";

const folder = process.argv[4];

await withPage(async (server, browser) => {
  const page = await browser.open(server.address, [1280, 900], STILL);
  await ready(page);
  await page.choose("#speed", "none");
  for (const name of readdirSync(folder).sort()) {
    const [, number, move] = /^(\d+)-(.)\.ogn$/.exec(name) ?? [];
    const games = await page.value("Number(document.body.dataset.games ?? 0)");
    await page.chooseFile("#file", join(folder, name));
    await page.until(`Number(document.body.dataset.games) > ${games}`, 20000);
    if (move !== "-") {
      const count = await page.value("document.querySelectorAll('#moves .move').length");
      await page.until(`document.querySelector('[data-place="${move}"]').classList.contains("can")`);
      await page.key(move.toLowerCase());
      await page.until(`document.querySelectorAll('#moves .move').length === ${count + 1}`);
    }
    const { path } = await browser.saved(() => page.click("#save"));
    copyFileSync(path, join(folder, `${number}.saved`));
  }
  checkQuiet(page, server.address);
});
