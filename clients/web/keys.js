// The effects of buttons and keys.

import { byId, choices } from "./dom.js";
import { copyLink, copyText, openLink } from "./link.js";
import { SPEEDS } from "./motion.js";
import { parsePosition, PITS } from "./notation.js";
import { LANGUAGES } from "./languages.js";
import { inNextRow, rove } from "./rove.js";
import { listenToSheet } from "./sheet.js";
import { t } from "./texts.js";

/** @typedef {import("./app.js").App} App */

/** The positions that buttons and keys lead to. @type {Record<string, (app: App) => import("./game.js").Node | null | undefined>} */
const STEPS = {
  first: ({ game }) => game.root,
  back: ({ game }) => game.current.parent,
  next: ({ game }) => game.current.children[0],
  last: ({ game }) => game.current.leaf(),
};

/** Shows which steps lead somewhere. A button that is only marked as disabled keeps the focus. @param {App} app */
export function showSteps(app) {
  for (const [name, to] of Object.entries(STEPS)) byId(name).setAttribute("aria-disabled", String((to(app) ?? app.game.current) === app.game.current));
}

/** @param {App} app @param {string} name a step */
function step(app, name) {
  const node = STEPS[name](app);
  if (!node) return;
  app.board.skip();
  app.go(node);
}

/** Fills the page's own lists of choices. @param {App} app */
export function fillChoices({ settings }) {
  const speeds = Object.keys(SPEEDS).map((name) => /** @type {[string, string]} */ ([name, t(`speed ${name}`)]));
  choices(byId("speed"), speeds, settings.speed ?? "normal");
  choices(byId("language"), LANGUAGES, document.documentElement.lang);
}

/**
 * Keys that press the first of these buttons that is visible and enabled; A to F are pits.
 * @type {Record<string, string[]>}
 */
const BUTTONS = { h: ["hint"], u: ["undo"], t: ["flip"], s: ["search", "pause"], m: ["now"], n: ["new"] };

/** Presses the button of a key. Returns whether the key has one. @param {App} app @param {string} letter */
function press(app, letter) {
  const ids = BUTTONS[letter] ?? [];
  const id = ids.find((id) => !byId(id).disabled && !byId(id).closest("[hidden]"));
  if (id) byId(id).click();
  return ids.length > 0;
}

/** Listens to buttons and keys. @param {App} app */
export function listen(app) {
  for (const mode of /** @type {const} */ (["play", "analyse"])) {
    byId(`tab-${mode}`).addEventListener("click", (/** @type {MouseEvent} */ event) => {
      app.setMode(mode);
      // After the mouse the arrows are for moves.
      if (event.detail) byId(`tab-${mode}`).blur();
    });
  }
  for (const name of Object.keys(STEPS)) byId(name).addEventListener("click", () => step(app, name));
  fillChoices(app);
  byId("speed").addEventListener("change", () => app.choose({ speed: byId("speed").value }));
  byId("sound").checked = app.settings.sound;
  byId("sound").addEventListener("change", () => app.choose({ sound: byId("sound").checked }));
  byId("language").addEventListener("change", () => app.setLanguage(byId("language").value));
  /** @type {Record<string, () => any>} */
  const acts = {
    flip: () => app.choose({ flip: !app.settings.flip }),
    rules: () => app.dialogs.showRules(),
    keys: () => app.dialogs.showKeys(),
    save: () => app.files.save(),
    open: () => byId("file").click(),
    earlier: () => app.earlier.show(),
    copy: () => copyText(app, byId("position").value, "copied"),
    link: () => copyLink(app),
    undo: () => app.past.undo(),
    redo: () => app.past.redo(),
    "next-mistake": () => app.trial.next(),
    "play-here": () => app.playHere(),
    new: () => app.play.newGame(),
    fair: () => app.play.fair.begin(),
    swap: () => app.play.rematch({ swaps: true }),
    hint: () => app.play.hint(),
    resign: () => app.play.resign(),
    now: () => app.play.moveNow(),
    pause: () => app.play.turnPause(),
    search: () => (app.analysis.running ? app.analysis.stop() : app.analysis.start()),
    mistakes: () => app.analysis.review(),
    "set-up": () => app.analysis.setup.open(),
    promote: () => app.analysis.promote(),
    remove: () => app.analysis.remove(),
  };
  for (const [id, act] of Object.entries(acts)) byId(id).addEventListener("click", act);
  byId("file").addEventListener("change", () => {
    const [file] = byId("file").files;
    byId("file").value = "";
    if (file) app.files.open(file);
  });
  listenToFiles(app);
  rove(byId("bar"));
  byId("line").addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    app.analysis.setup.useLine(byId("position").value);
  });
  listenToSheet();
  let isByMouse = false;
  document.addEventListener("pointerdown", () => (isByMouse = true), true);
  document.addEventListener("keydown", () => (isByMouse = false), true);
  // After the mouse letters are pits, and not items of the list.
  document.addEventListener("change", ({ target }) => void (isByMouse && target instanceof HTMLSelectElement && target.blur()));
  document.addEventListener("keydown", (event) => key(app, event));
  document.addEventListener("visibilitychange", () => app.analysis.look(!document.hidden));
  const down = () => {
    app.pressed = true;
    app.skipped = app.state.phase === "animating" && !app.board.isIdle;
    if (app.skipped) app.board.skip();
  };
  document.addEventListener("pointerdown", down, true);
  for (const end of ["pointerup", "pointercancel", "blur"]) addEventListener(end, () => (app.pressed = false), true);
  addEventListener("hashchange", () => openLink(app));
}

/** Takes games that are dropped or pasted. @param {App} app */
function listenToFiles(app) {
  const mayOpen = () => app.isReady && !byId("dialog").open;
  /** @param {DataTransfer | null} data */
  const open = (data) => {
    const found = data?.files[0] ?? (data?.getData("text/plain") ? new Blob([data.getData("text/plain")]) : null);
    if (found && mayOpen()) app.files.open(found);
  };
  // Without this the browser leaves the page for the file.
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    open(event.dataTransfer);
  });
  addEventListener("paste", (event) => {
    if (event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    open(event.clipboardData);
  });
}

/** @param {App} app @param {KeyboardEvent} event */
function key(app, event) {
  const target = event.target instanceof Element ? event.target : null;
  if (event.altKey || ["INPUT", "SELECT", "TEXTAREA"].includes(target?.tagName ?? "") || byId("dialog").open) return;
  if (!app.isReady) return;
  app.skipped = false;
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() !== "z") return;
    event.preventDefault();
    if (event.shiftKey) app.past.redo();
    else app.past.undo();
    return;
  }
  if (target?.getAttribute("role") === "tab" && /^Arrow(Left|Right)$/.test(event.key)) {
    const other = app.analyses ? "play" : "analyse";
    app.setMode(other);
    byId(`tab-${other}`).focus();
    event.preventDefault();
    return;
  }
  if (target?.closest("#moves") && /^Arrow(Up|Down)$/.test(event.key)) {
    event.preventDefault();
    const to = inNextRow(byId("moves"), target, event.key === "ArrowDown" ? 1 : -1);
    to?.focus();
    to?.click();
    return;
  }
  const { side } = parsePosition(app.game.current.fen);
  const letter = /^[1-6]$/.test(event.key) ? PITS[Number(event.key) - 1] : event.key.toUpperCase();
  if (event.key === "?") app.dialogs.showKeys();
  else if (app.settings.letters && press(app, event.key.toLowerCase())) event.preventDefault();
  else if (/^[A-F]$/.test(letter) && app.settings.letters !== false) app.pick(side === "S" ? letter : letter.toLowerCase());
  else if (event.key === "ArrowLeft") step(app, "back");
  else if (event.key === "ArrowRight") step(app, "next");
  else if (event.key === "Home") step(app, "first");
  else if (event.key === "End") step(app, "last");
  else return;
  event.preventDefault();
}
