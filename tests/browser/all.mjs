// Several scripts with one browser: node tests/browser/all.mjs KROO CHROMIUM SCRIPT...

import { withBrowser } from "./harness.mjs";

await withBrowser(async () => {
  for (const script of process.argv.slice(4)) {
    console.log(script);
    await import(`./${script}`);
  }
});
