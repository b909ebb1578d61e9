// The mistakes of a game, found by the engine's `review`. Results stay with their moves, so an interrupted review can be continued.

import { positionLine } from "./engine.js";
import { parsePosition, sideOf, southScore, tagOf } from "./notation.js";

/** Time of a first search, in milliseconds; a mistake is searched again, longer. */
const MOVE_TIME = 300;

/** @typedef {import("./game.js").Game} Game */

/** The moves that the sides have chosen: all but those of an opening. @param {Game} game */
function chosen(game) {
  const plies = tagOf(game.tags, "OpeningPlies") ?? "";
  return game.main().slice(/^\d+$/.test(plies) ? Number(plies) : 0);
}

/** How many moves of a game are judged, and how many it has. @param {Game} game */
export function judgedOf(game) {
  const main = chosen(game);
  return { n: main.filter(({ judged }) => judged).length, all: main.length };
}

/** The accuracy of both sides in per cent, once all moves of the game are judged; a dash for a side that had no choice. @param {Game} game @returns {{south: string, north: string} | null} */
export function accuracyOf(game) {
  const main = chosen(game);
  if (!main.length || main.some(({ judged }) => !judged)) {
    // A file may have them, of the moves that it has.
    const [south, north] = ["South", "North"].map((side) => tagOf(game.tags, `${side}Accuracy`));
    return south && north && game.settled() ? { south, north } : null;
  }
  const [south, north] = ["S", "N"].map((side) => {
    const losses = main.flatMap(({ judged, move }) => (sideOf(move) === side && judged && judged.loss !== null ? [judged.loss] : []));
    return losses.length ? String(Math.round(100 - losses.reduce((sum, loss) => sum + loss, 0) / losses.length)) : "–";
  });
  return { south, north };
}

/**
 * Lets the engine judge each move of the game that is not judged yet, and shows its marks; once all are, it begins anew.
 * @param {import("./app.js").App} app
 * @param {import("./engine.js").Engine} engine
 * @param {() => boolean} goesOn
 */
export async function findMistakes(app, engine, goesOn) {
  const { game, ownSide } = app;
  const main = chosen(game);
  if (main.every(({ judged }) => judged)) {
    game.practised = 0;
    for (const node of main) node.judged = null;
  }
  /** @type {Promise<void>} */
  let drawn = Promise.resolve();
  app.update();
  // The moves of the person come first.
  for (const side of ownSide === "N" ? ["N", "S"] : ["S", "N"]) {
    const first = main.find(({ judged, move }) => !judged && sideOf(move) === side);
    if (!first) continue;
    await engine.review(game.start, game.root.leaf().moves(), `${side === "S" ? "south" : "north"} from ${first.ply} movetime ${MOVE_TIME}`, (judgement) => {
      const node = main.find(({ ply }) => ply === judgement.ply);
      if (!node || !goesOn() || app.game !== game) return;
      drawn = drawn.then(() => show(app, node, judgement));
    });
    await drawn;
    if (!goesOn() || app.game !== game) return;
  }
  // The value of the last position is its result.
  await engine.ask(positionLine(game.start, game.root.leaf().moves()));
}

/**
 * Shows the judgement of a move, with the better line as a variation.
 * @param {import("./app.js").App} app
 * @param {import("./game.js").Node} node
 * @param {import("./notation.js").Judgement} judgement
 */
async function show(app, node, { lines, best, loss: lost, mark: sign }) {
  const { game } = app;
  const parent = /** @type {import("./game.js").Node} */ (node.parent);
  const better = sign ? await app.rules.tell(game.variant, game.start, parent.moves(), lines[best].pv.slice(0, 6)) : null;
  // Nothing is awaited below: a kept game has either all of it or nothing.
  for (const [move, { score }] of Object.entries(lines)) parent.values[move] = score;
  node.judged = { loss: lost };
  const [{ score, pv }, played] = [lines[best], lines[node.move]];
  parent.score = southScore(score, parsePosition(parent.fen).side);
  const decided = score.proven && score.proven === played?.score.proven;
  const loss = played && !decided ? Math.max(0, score.cp - played.score.cp) : 0;
  node.mark = sign ? { sign, line: pv.slice(0, 6), score: parent.score, loss } : null;
  if (better) game.add(parent, better);
  app.keep();
  app.update();
}
