// Draws the page from its state.

import { byId } from "./dom.js";
import { showEnd } from "./end.js";
import { showSteps } from "./keys.js";
import { showMoves } from "./lines.js";
import { otherSide, parsePosition, sideOf } from "./notation.js";
import { sideName, t } from "./texts.js";

/** The language, the position and the moves that were written last. */
let written = "";
/** The sentences that were said last. */
let last = "";

/** Shows sentences. If they only continue the last ones, only the new part is spoken; repeated sentences are spoken again. @param {string} text */
function say(text) {
  byId("said").textContent = text;
  byId("spoken").textContent = last && text !== last && text.startsWith(last) ? text.slice(last.length).trim() : text;
  last = text;
}

/** @param {import("./app.js").App} app @param {boolean} said whether something new was said */
export function render(app, said) {
  const { game } = app;
  const { phase, view } = app.state;
  if (said) say(view.said);
  if (!game || phase === "loading") return;
  document.body.dataset.ready = app.isReady ? "yes" : "no";
  const node = game.current;
  document.body.dataset.turn = phase;
  document.body.dataset.mode = view.mode;
  document.body.dataset.variant = game.variant;
  byId("game-name").textContent = app.titles.of(game.variant);
  showMode(view.mode);
  const position = parsePosition(node.fen);
  const flip = app.play.isFlipped();
  // A running animation shows the position at its end.
  if (phase !== "animating") {
    const legal = !app.analyses && !app.play.mayMove() ? "" : (node.legal ?? "");
    const marks = view.marks ?? app.analysis.marks(node);
    app.board.show(position, { legal, last: node.move, marks, flip, arrows: app.analysis.arrows(node) });
  }
  // During an animation the strips show the position before it.
  const told = (phase === "animating" && node.parent) || node;
  showStrip(app, told, "bottom", flip ? "N" : "S");
  showStrip(app, told, "top", otherSide(flip ? "N" : "S"));
  // If any move has a comment, its space stays: nothing below moves from one move to the next.
  byId("comment").textContent = commentOf(app, node);
  byId("comment").hidden = !app.analyses || !(node.comment || node.before || game.root.comment || game.main().some(({ comment }) => comment));
  const line = `${game.start ?? game.root.fen}${node.moves() ? ` moves ${node.moves()}` : ""}`;
  const now = `${document.documentElement.lang} ${line}`;
  if (now !== written) {
    written = now;
    // Text typed into the field stays until the position changes.
    byId("position").value = line;
  }
  showEnd(app);
  // Drawn last: the elements above take space from the list.
  showMoves(
    byId("moves"),
    game,
    (to) => app.go(to),
    (score) => app.analysis.scoreText(score),
    app.past.brings ? () => app.past.undo() : null,
  );
  showSteps(app);
  app.play.update();
  app.clock.update();
  app.analysis.update();
  app.trial.update();
  app.past.update();
}

/** The comment on a move; the score in an engine's comment is shown from the chosen side. @param {import("./app.js").App} app @param {import("./game.js").Node} node */
function commentOf({ analysis }, { comment, before, move }) {
  const found = /^([+-]\d+\.\d+)\/(\d+)( [\d.]+s)?$/.exec(comment);
  // Commands for programs, such as the time on a clock, are not shown.
  if (!found || before) return `${before} ${comment}`.replace(/\[%[^\]]*\]/g, "").trim();
  const mover = sideOf(move);
  const score = analysis.scoreText({ cp: Math.round(100 * Number(found[1])), proven: null, bound: false, mate: null }, mover);
  return t("engineComment", { mover: sideName(mover), score, side: sideName(analysis.side), depth: Number(found[2]) });
}

/** @param {"play" | "analyse"} mode */
function showMode(mode) {
  for (const one of ["play", "analyse"]) {
    byId(`tab-${one}`).setAttribute("aria-selected", String(one === mode));
    byId(`tab-${one}`).setAttribute("tabindex", one === mode ? "0" : "-1");
    byId(`panel-${one}`).hidden = one !== mode;
  }
  byId("panel").setAttribute("aria-labelledby", `tab-${mode}`);
  for (const id of ["eval", "graph", "engine"]) byId(id).toggleAttribute("hidden", mode !== "analyse");
}

/** The strip of a player: name, store, and gain of the last move. @param {import("./app.js").App} app @param {import("./game.js").Node} node @param {"top" | "bottom"} place @param {"S" | "N"} side */
function showStrip(app, node, place, side) {
  const { game } = app;
  const stored = (/** @type {string} */ fen) => parsePosition(fen).stores[side === "S" ? 0 : 1];
  const strip = byId(`strip-${place}`);
  const gained = node.parent ? stored(node.fen) - stored(node.parent.fen) : 0;
  byId(`name-${place}`).textContent = app.play.labelOf(side);
  strip.classList.toggle("turn", parsePosition(node.fen).side === side && !game.outcome(node));
  strip.querySelector(".gain").textContent = gained > 0 ? `+${gained}` : "";
  // In an analysis of unnamed players the board tells the same on a phone.
  strip.classList.toggle("bare", app.analyses && app.play.labelOf(side) === sideName(side));
}
