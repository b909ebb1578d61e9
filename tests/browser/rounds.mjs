// How many round trips there are until a pit can be chosen, whatever the speed of the machine: node tests/browser/rounds.mjs KROO CHROMIUM

import assert from "node:assert/strict";
import { createServer, request as ask } from "node:http";
import { ready, STILL, withPage } from "./harness.mjs";

/** A round ends after this time without a request, in milliseconds. Too short a time makes two rounds of one, none makes one of two. */
const QUIET = [500, 2000, 8000];
/** Most rounds, which are 0.9 s where each takes 300 ms: the page, its parts, and the first engine with all that is asked at first. */
const MOST = 3;

await withPage(async (server, browser) => {
  const origin = new URL(server.address);
  /** The requests of each round. @param {number} quiet */
  const roundsOf = async (quiet) => {
    /** @type {string[][]} */
    const rounds = [];
    /** @type {(() => void)[]} */
    let held = [];
    /** @type {string[]} */
    let names = [];
    let timer = setTimeout(() => {}, 0);
    // Answers come only when all requests that do not depend on them have come.
    const release = () => {
      rounds.push(names);
      const now = held;
      [held, names] = [[], []];
      for (const forward of now) forward();
    };
    const proxy = createServer((request, response) => {
      const headers = { ...request.headers, host: origin.host, ...(request.headers.origin && { origin: origin.origin }) };
      // What is asked later is never answered, as the first move does not need it. The picture of the tab comes when it likes.
      if (request.url?.startsWith("/say")) return;
      const isIcon = request.url?.endsWith("/icon.svg");
      const forward = () => {
        const forwarded = ask({ host: origin.hostname, port: origin.port, path: request.url, method: request.method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        });
        forwarded.on("error", () => response.destroy());
        response.on("close", () => forwarded.destroy());
        request.pipe(forwarded);
      };
      if (isIcon) return forward();
      names.push(`${request.method} ${request.url}`);
      held.push(forward);
      clearTimeout(timer);
      timer = setTimeout(release, quiet);
    });
    await new Promise((done) => proxy.listen(0, "127.0.0.1", () => done(undefined)));
    const address = server.address.replace(origin.host, `127.0.0.1:${/** @type {any} */ (proxy.address()).port}`);
    const page = await browser.open(address, [1280, 900], STILL);
    await ready(page);
    await page.until("document.querySelectorAll('.pit.can').length === 6");
    const now = [...rounds];
    await page.call("Page.close").catch(() => {});
    proxy.close();
    proxy.closeAllConnections();
    return now;
  };

  let rounds = await roundsOf(QUIET[0]);
  for (const quiet of QUIET.slice(1)) if (rounds.length > MOST) rounds = await roundsOf(quiet);
  assert(rounds.length <= MOST, `${rounds.length} rounds until the first move: ${JSON.stringify(rounds)}`);
});
