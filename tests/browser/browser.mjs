// A real browser, driven through its debugging pipe.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

/** How long anything may take, and an answer of the browser, in milliseconds: far more than a busy machine needs. */
const PATIENCE = 120000;
const ANSWER = 60000;

/** The codes that the browser itself needs to act on a key. @type {Record<string, number>} */
const CODES = { Tab: 9, Enter: 13, Escape: 27, End: 35, Home: 36, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 };

export class Browser {
  /** @param {string} program */
  constructor(program) {
    this.folder = mkdtempSync(join(tmpdir(), "kroo-browser-"));
    const words = [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--no-first-run",
      "--disable-extensions",
      "--disable-background-networking",
      "--remote-debugging-pipe",
      `--user-data-dir=${join(this.folder, "profile")}`,
    ];
    this.process = spawn(program, words, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.to = this.process.stdio[3];
    /** @type {Map<number, {done: (value: any) => void, fail: (error: Error) => void}>} */
    this.asked = new Map();
    this.count = 0;
    /** @type {Set<(message: any) => void>} */
    this.listeners = new Set();
    /** @type {string | undefined} what its pages keep is apart from that of other tests */
    this.context = undefined;
    let text = "";
    this.process.stdio[4].setEncoding("utf8").on("data", (data) => {
      const messages = (text + data).split("\0");
      text = messages.pop() ?? "";
      messages.forEach((message) => this.hear(JSON.parse(message)));
    });
  }

  /** @param {any} message */
  hear(message) {
    const asked = this.asked.get(message.id);
    if (!asked) {
      this.listeners.forEach((listener) => listener(message));
      return;
    }
    this.asked.delete(message.id);
    if (message.error) asked.fail(new Error(message.error.message));
    else asked.done(message.result);
  }

  /** @param {string} method @param {any} params @param {string} [sessionId] @returns {Promise<any>} */
  call(method, params, sessionId) {
    const id = ++this.count;
    return new Promise((done, fail) => {
      // A page that is being left answers nothing.
      setTimeout(() => this.asked.delete(id) && fail(new Error(`no answer to ${method} ${params?.expression ?? ""}`)), ANSWER).unref();
      this.asked.set(id, { done, fail });
      this.to.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  /**
   * Acts, and returns the first event with this name that passes a test.
   * @param {string} name @param {() => Promise<any>} act @param {(params: any, sessionId: string | undefined) => boolean} passes
   * @returns {Promise<any>}
   */
  async event(name, act, passes) {
    /** @type {(message: any) => void} */
    let listener = () => {};
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const heard = new Promise((done, fail) => {
      listener = ({ method, params, sessionId }) => method === name && passes(params, sessionId) && done(params);
      timer = setTimeout(() => fail(new Error(`no event ${name}`)), PATIENCE);
    });
    heard.catch(() => {});
    this.listeners.add(listener);
    try {
      await act();
      return await heard;
    } finally {
      clearTimeout(timer);
      this.listeners.delete(listener);
    }
  }

  /**
   * Acts, and waits until the browser has completed the file that this saves. The name of an incomplete file is there before its text.
   * @param {() => Promise<any>} act
   * @returns {Promise<{path: string, name: string}>} where it is, and what the page has called it
   */
  async saved(act) {
    const folder = join(this.folder, "saved");
    mkdirSync(folder, { recursive: true });
    const { context: browserContextId } = this;
    await this.call("Browser.setDownloadBehavior", { behavior: "allowAndName", browserContextId, downloadPath: folder, eventsEnabled: true });
    let name = "";
    const { guid, state } = await this.event(
      "Browser.downloadProgress",
      async () => ({ suggestedFilename: name } = await this.event("Browser.downloadWillBegin", act, () => true)),
      ({ state }) => state !== "inProgress",
    );
    if (state !== "completed") throw new Error(`${name} was not saved: ${state}`);
    return { path: join(folder, guid), name };
  }

  /** Begins a test, which meets nothing that another one has kept. */
  async begin() {
    ({ browserContextId: this.context } = await this.call("Target.createBrowserContext", {}));
  }

  /** Ends the test with all its pages. */
  async end() {
    await this.call("Target.disposeBrowserContext", { browserContextId: this.context });
    this.context = undefined;
    this.listeners.clear();
  }

  /**
   * Opens a page in a window of its own: behind another page it would have slow timers and no frames.
   * @param {string} address @param {[number, number]} size @param {any[]} features
   */
  async open(address, size, features = []) {
    const { targetId } = await this.call("Target.createTarget", { url: "about:blank", browserContextId: this.context, newWindow: true });
    const { sessionId } = await this.call("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    this.listeners.add((message) => message.sessionId === sessionId && page.hear(message));
    for (const domain of ["Page", "Runtime", "Log", "Network", "DOM"]) await page.call(`${domain}.enable`);
    await page.size(size);
    if (features.length) await page.call("Emulation.setEmulatedMedia", { features });
    await page.call("Page.navigate", { url: address });
    return page;
  }

  async close() {
    const ended = new Promise((done) => this.process.on("exit", done));
    const patience = setTimeout(() => this.process.kill("SIGKILL"), 10000);
    this.call("Browser.close", {}).catch(() => {});
    await ended;
    clearTimeout(patience);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

export class Page {
  /** @param {Browser} browser @param {string} session @param {string} target */
  constructor(browser, session, target) {
    Object.assign(this, { browser, session, target });
    /** @type {string[]} what the console has shown that is no good news */
    this.complaints = [];
    /** @type {string[]} */
    this.requests = [];
    /** @type {any[]} what the browser tells of the answers */
    this.responses = [];
  }

  /** @param {any} message */
  hear({ method, params }) {
    if (method === "Runtime.exceptionThrown") this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled" && ["error", "warning"].includes(params.type))
      this.complaints.push(params.args.map((/** @type {any} */ arg) => arg.value).join(" "));
    if (method === "Log.entryAdded" && params.entry.level === "error") this.complaints.push(`${params.entry.text} ${params.entry.url ?? ""}`);
    if (method === "Network.responseReceived") this.responses.push(params.response);
    if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
  }

  /** @param {string} method @param {any} [params] */
  call(method, params = {}) {
    return this.browser.call(method, params, this.session);
  }

  /** Acts, and waits until another page is loaded by that: until then the old one answers. @param {() => Promise<any>} act */
  loads(act) {
    return this.browser.event("Page.loadEventFired", act, (_, session) => session === this.session);
  }

  /** Loads the page again. */
  reload() {
    return this.loads(() => this.call("Page.reload"));
  }

  /** Gives the window another size and waits until the page has been drawn in it. @param {[number, number]} size */
  async resize([width, height]) {
    await this.size([width, height]);
    await this.until(`innerWidth === ${width} && innerHeight === ${height}`);
    await this.drawn();
  }

  /** Waits until all that is due is drawn. */
  drawn() {
    return this.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))");
  }

  /** Asks for a size of the window. @param {[number, number]} size */
  size([width, height]) {
    return this.call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 500 });
  }

  /** The value of an expression. @param {string} expression */
  async value(expression) {
    const { result, exceptionDetails } = await this.call("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description}`);
    return result.value;
  }

  /** Waits until an expression is true. @param {string} expression @param {number} [patience] */
  async until(expression, patience = PATIENCE) {
    const deadline = Date.now() + patience;
    while (!(await this.value(expression).catch(() => false))) {
      if (Date.now() > deadline)
        throw new Error(
          `not true in time: ${expression}; the page says: ${await this.text("#said")}; the last press met ${await this.value("JSON.stringify(globalThis.met)")}; ${this.complaints}`,
        );
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  /**
   * Waits until a value passes a check, and fails as the check does if it never passes.
   * @param {string} expression @param {(value: any) => void} check
   */
  async passes(expression, check) {
    const deadline = Date.now() + PATIENCE;
    for (;;) {
      try {
        return check(await this.value(expression));
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  /** Waits until an expression has a value. @param {string} expression @param {any} expected @param {string} [what] */
  equals(expression, expected, what) {
    return this.passes(expression, (value) => isDeepStrictEqual(value, expected) || assert.deepEqual(value, expected, what));
  }

  /** Waits until an element has a text. @param {string} selector @param {string | RegExp} expected @param {string} [what] */
  shows(selector, expected, what) {
    const check = (/** @type {any} */ text) => (typeof expected === "string" ? assert.equal(text, expected, what) : assert.match(String(text), expected, what));
    return this.passes(`document.querySelector(${JSON.stringify(selector)}).textContent`, check);
  }

  /** @param {string} selector */
  text(selector) {
    return this.value(`document.querySelector(${JSON.stringify(selector)}).textContent`);
  }

  /**
   * The centre of an element, once it is seen: a hand presses what has been drawn, and the items of a list get their heights when
   * they are.
   * @param {string} selector @param {string} [prepare] what is done before with \`found\`
   * @returns {Promise<[number, number]>}
   */
  async centre(selector, prepare = "") {
    const where = `new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); setTimeout(done, 50); }).then(() => {
      const found = document.querySelector(${JSON.stringify(selector)});
      if (!found) return null;
      ${prepare}
      const { x, y, width, height } = found.getBoundingClientRect();
      return found.checkVisibility() && width > 0 ? [x + width / 2, y + height / 2] : null; })`;
    let place = null;
    await this.passes(where, (value) => assert(Array.isArray((place = value)), `${selector} is not seen`));
    return /** @type {any} */ (place);
  }

  /**
   * Presses the centre of an element and returns it. If the page has moved it meanwhile, the press is given up and comes again.
   * @param {string} selector @param {string} prepare see `centre` @param {(at: [number, number]) => Promise<any>} press @param {() => Promise<any>} giveUp
   */
  async press(selector, prepare, press, giveUp) {
    const watch = `const { x: left, y: top, width: w, height: h } = found.getBoundingClientRect();
      const seen = document.elementFromPoint(left + w / 2, top + h / 2);
      const met = (globalThis.met = { isHit: undefined, events: [] });
      for (const type of ["pointerdown", "pointerup", "click"]) {
        const meet = ({ target }) => met.events.push(type + " " + target.nodeName + " " + target.textContent?.slice(0, 30));
        addEventListener(type, meet, { capture: true, once: true });
      }
      addEventListener("pointerdown", ({ target }) => (met.isHit = target === seen || found.contains(target)), { capture: true, once: true });`;
    for (;;) {
      const place = await this.centre(selector, prepare + watch);
      await press(place);
      if ((await this.value("globalThis.met?.isHit")) !== false) return place;
      await giveUp();
    }
  }

  /** Clicks the centre of an element; what hides it is opened. @param {string} selector @param {number} [held] milliseconds between press and release */
  async click(selector, held = 0) {
    const event = (/** @type {string} */ type, /** @type {[number, number]} */ [x, y]) =>
      this.call("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 });
    const place = await this.press(
      selector,
      `for (let closed; (closed = found.parentElement.closest("details:not([open])"));) closed.open = true;
      if (!found.checkVisibility()) found.closest("[popover]:not(:popover-open)")?.showPopover();
      found.scrollIntoView({ block: "center", behavior: "instant" });`,
      (at) => event("mousePressed", at),
      // A release elsewhere is no click.
      () => event("mouseReleased", [0, 0]),
    );
    if (held) await new Promise((done) => setTimeout(done, held));
    await event("mouseReleased", place);
  }

  /** Taps on the centre of an element. @param {string} selector */
  async tap(selector) {
    const event = (/** @type {string} */ type, /** @type {any[]} */ touchPoints) => this.call("Input.dispatchTouchEvent", { type, touchPoints });
    await this.press(
      selector,
      "",
      ([x, y]) => event("touchStart", [{ x, y }]),
      () => event("touchCancel", []),
    );
    await event("touchEnd", []);
  }

  /** @param {string} key */
  async key(key) {
    const text = key === "Enter" ? "\r" : key.length === 1 ? key : undefined;
    for (const type of ["keyDown", "keyUp"])
      await this.call("Input.dispatchKeyEvent", { type, key, windowsVirtualKeyCode: CODES[key], text: type === "keyDown" ? text : undefined });
  }

  /** Chooses from a list. @param {string} selector @param {string} value */
  choose(selector, value) {
    return this.value(`(() => { const list = document.querySelector(${JSON.stringify(selector)}); list.value = ${JSON.stringify(value)};
      if (list.value !== ${JSON.stringify(value)}) throw new Error("no such choice"); list.dispatchEvent(new Event("change", { bubbles: true })); })()`);
  }

  /** Writes into a field. @param {string} selector @param {string} text */
  write(selector, text) {
    return this.value(`(() => { const field = document.querySelector(${JSON.stringify(selector)}); field.value = ${JSON.stringify(text)};
      field.dispatchEvent(new Event("input", { bubbles: true })); field.dispatchEvent(new Event("change", { bubbles: true })); })()`);
  }

  /** Chooses a file. @param {string} selector @param {string} path */
  async chooseFile(selector, path) {
    const { root } = await this.call("DOM.getDocument");
    const { nodeId } = await this.call("DOM.querySelector", { nodeId: root.nodeId, selector });
    await this.call("DOM.setFileInputFiles", { nodeId, files: [path] });
  }

  /** A picture of the window, as PNG. */
  async picture() {
    return Buffer.from((await this.call("Page.captureScreenshot", { format: "png" })).data, "base64");
  }
}
