// The mistakes of a game, as the engine's `review` finds them.

import { positionLine } from "./engine.js";
import { parsePosition, sideOf, southScore } from "./notation.js";
import { t } from "./texts.js";

/** Time of a first search, in milliseconds; a mistake is searched again, longer. */
const MOVE_TIME = 300;

/**
 * Lets the engine judge each move of the game, and shows its marks.
 * @param {import("./app.js").App} app
 * @param {import("./engine.js").Engine} engine
 * @param {() => boolean} goesOn
 * @param {(text: string) => void} tell
 */
export async function findMistakes(app, engine, goesOn, tell) {
  const { game, ownSide } = app;
  const main = game.main();
  // Neither side has chosen the moves of an opening.
  const opening = /^\d+$/.test(game.tags.OpeningPlies ?? "") ? Number(game.tags.OpeningPlies) : 0;
  const chosen = main.slice(opening);
  let count = 0;
  /** @type {Record<string, string>} */
  const accuracy = { south: "–", north: "–" };
  /** @type {Promise<void>} */
  let drawn = Promise.resolve();
  tell(t("searching", { n: 1, all: chosen.length }));
  // The moves of the person come first.
  const sides = ownSide === "N" ? ["north", "south"] : ["south", "north"];
  for (const side of sides.filter((one) => chosen.some(({ move }) => one === (sideOf(move) === "S" ? "south" : "north")))) {
    await engine.review(game.start, game.root.leaf().moves(), `${side} from ${opening + 1} movetime ${MOVE_TIME}`, {
      judged: (judgement) => {
        const node = main[judgement.ply - 1];
        if (!node || !goesOn() || app.game !== game) return;
        count += 1;
        tell(t("searching", { n: Math.min(count + 1, chosen.length), all: chosen.length }));
        drawn = drawn.then(() => show(app, node, judgement));
      },
      counted: (of, percent) => {
        if (of === side) accuracy[side] = percent;
      },
    });
    await drawn;
    if (!goesOn() || app.game !== game) return;
  }
  // The value of the last position is its result.
  await engine.ask(positionLine(game.start, game.root.leaf().moves()));
  tell(t("found", accuracy));
}

/**
 * Shows the judgement of a move, with the better line as a variation.
 * @param {import("./app.js").App} app
 * @param {import("./game.js").Node} node
 * @param {import("./notation.js").Judgement} judgement
 */
async function show(app, node, { lines, best, mark: sign }) {
  const { game } = app;
  const parent = /** @type {import("./game.js").Node} */ (node.parent);
  for (const [move, { score }] of Object.entries(lines)) parent.values[move] = score.cp;
  const [{ score, pv }, played] = [lines[best], lines[node.move]];
  parent.score = southScore(score, parsePosition(parent.fen).side);
  const decided = score.proven && score.proven === played?.score.proven;
  const loss = played && !decided ? Math.max(0, score.cp - played.score.cp) : 0;
  node.mark = sign ? { sign, line: pv.slice(0, 6), score: parent.score, loss } : null;
  if (sign) game.add(parent, await app.rules.tell(game.variant, game.start, parent.moves(), pv.slice(0, 6)));
  app.update();
}
