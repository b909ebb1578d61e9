// The mistakes of a game, as `kroo analyse FILE` finds them.

import { positionLine } from "./engine.js";
import { parsePosition, sideOf, southScore } from "./notation.js";
import { t } from "./texts.js";

/** Hundredths of a seed that a move must give away to be marked, with the mark: those of `kroo analyse`. */
const MARKS = /** @type {const} */ ([
  [300, "??"],
  [150, "?"],
  [50, "?!"],
]);
/** Time for each move, in milliseconds. */
const MOVE_TIME = 300;
/** Hundredths of a seed that cost a move two thirds of its accuracy (chosen, not measured). */
const SLOPE = 150;

/** @typedef {import("./notation.js").Score} Score */

/** How a proven result ranks. @param {Score} score */
const rank = ({ proven }) => (proven === "win" ? 1 : proven === "loss" ? -1 : 0);

/**
 * The mark of a move, from its score and that of the best one; empty if it has none.
 * @param {Score} best
 * @param {Score} played
 */
export function markOf(best, played) {
  const gaveAway = (best.proven && rank(best) > rank(played)) || (played.proven === "loss" && best.proven !== "loss");
  if (gaveAway) return "??";
  // Among won or lost games the margin is no mistake.
  if (best.proven && best.proven === played.proven) return "";
  return MARKS.find(([least]) => best.cp - played.cp >= least)?.[1] ?? "";
}

/**
 * Searches each position of the game and marks its mistakes.
 * @param {import("./app.js").App} app
 * @param {import("./engine.js").Engine} engine
 * @param {() => boolean} goesOn
 * @param {(text: string) => void} tell
 */
export async function findMistakes(app, engine, goesOn, tell) {
  const { game } = app;
  const main = game.main();
  await engine.set("MultiPV", 6);
  /** @type {Record<string, number[]>} */
  const accuracy = { S: [], N: [] };
  for (const [index, node] of main.entries()) {
    const parent = /** @type {import("./game.js").Node} */ (node.parent);
    tell(t("searching", { n: index + 1, all: main.length }));
    /** @type {Record<string, {score: Score, pv: string}>} */
    const lines = {};
    let first = "";
    await engine.go(game.start, parent.moves(), `movetime ${MOVE_TIME}`, ({ score, pv, multipv }) => {
      if (!score || !pv) return;
      lines[pv[0]] = { score, pv };
      if ((multipv ?? 1) === 1) first = pv[0];
    });
    if (!goesOn() || app.game !== game) return;
    const [best, played] = [lines[first], lines[node.move]];
    if (!best) continue;
    for (const [move, { score }] of Object.entries(lines)) parent.values[move] = score.cp;
    parent.score = southScore(best.score, parsePosition(parent.fen).side);
    const sign = played ? markOf(best.score, played.score) : "";
    const decided = best.score.proven && best.score.proven === played?.score.proven;
    const loss = played && !decided ? Math.max(0, best.score.cp - played.score.cp) : 0;
    accuracy[sideOf(node.move)].push(sign === "??" ? Math.min(Math.exp(-loss / SLOPE), Math.exp(-2)) : Math.exp(-loss / SLOPE));
    node.mark = sign ? { sign, line: best.pv.slice(0, 6), score: parent.score, loss } : null;
    if (sign && best.pv[0] !== node.move) game.add(parent, await app.rules.tell(game.variant, game.start, parent.moves(), best.pv.slice(0, 6)));
    app.update();
  }
  // The value of the last position is its result.
  await engine.ask(positionLine(game.start, game.root.leaf().moves()));
  const percent = (/** @type {number[]} */ values) => (values.length ? Math.round((100 * values.reduce((sum, one) => sum + one, 0)) / values.length) : "–");
  tell(t("found", { south: percent(accuracy.S), north: percent(accuracy.N) }));
}
