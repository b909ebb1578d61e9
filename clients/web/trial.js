// The mistakes of a game as puzzles: for each the user looks for a better move. At the end the page tells how many were
// found at the first try.

import { byId } from "./dom.js";
import { parsePosition, sideOf } from "./notation.js";
import { sideName, t } from "./texts.js";

/** The greatest difference to the best move, in hundredths of a seed, at which a move still counts as right. */
const NEAR = 50;

const RANK = { win: 1, draw: 0, loss: -1 };

/** Whether a move is right besides the best one: of proven results only the winner counts. @param {import("./notation.js").Score} score @param {import("./notation.js").Score} best */
export function isRight(score, best) {
  if (score.proven && best.proven) return RANK[score.proven] >= RANK[best.proven];
  return best.cp - score.cp < NEAR;
}

export class Trial {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
  }

  /** The mistakes of the game: those of the person, if it was played here against an engine. */
  all() {
    const own = this.app.ownSide;
    return this.app.game.main().filter(({ mark, move }) => mark?.sign && mark.line && (!own || sideOf(move) === own));
  }

  /** The mistake whose better move the user is looking for. */
  get mistake() {
    const { analyses, game } = this.app;
    const last = analyses && game.practised ? this.all().find(({ ply }) => ply === game.practised) : undefined;
    return last && ["found", "late"].includes(last.mark?.tried ?? "") ? null : (last ?? null);
  }

  /** Goes to the position before the next mistake; after the last one from the first on again. */
  async next() {
    const { app } = this;
    const { game } = app;
    const all = this.all();
    // The last round is over.
    if (game.practised === 0) for (const node of all) node.mark = node.mark && { ...node.mark, tried: undefined };
    const mistake = all.find(({ ply }) => ply > game.practised);
    game.practised = mistake?.ply ?? 0;
    if (!mistake?.parent) {
      app.keep();
      const found = all.filter(({ mark }) => mark?.tried === "found").length;
      app.say(`${t("noMoreMistakes")} ${t("practised", { found, n: all.length })}`);
      return;
    }
    app.analysis.stop();
    await app.go(mistake.parent);
    byId("said").scrollIntoView({ block: "nearest" });
  }

  /** The sentence about the mistake. */
  question() {
    const mistake = /** @type {import("./game.js").Node} */ (this.mistake);
    const { sign, loss } = /** @type {NonNullable<import("./game.js").Node["mark"]>} */ (mistake.mark);
    const all = this.all();
    const seeds = t("seeds", { n: Number(((loss ?? 0) / 100).toFixed(1)) });
    // A file says nothing of the loss.
    const name = loss === undefined ? "tryAgainFile" : sign === "??" && loss < NEAR ? "tryAgainLost" : "tryAgain";
    const asked = t(name, { side: sideName(sideOf(mistake.move)), move: mistake.move, loss: seeds });
    return `${asked} (${t("practisedOf", { n: all.indexOf(mistake) + 1, all: all.length })})`;
  }

  /** Judges a pit that was chosen instead of the mistake. Returns whether that is all to be done. @param {string} pit */
  judges(pit) {
    const { app, mistake } = this;
    if (!mistake?.mark || mistake.parent !== app.game.current) return false;
    const { mark, parent } = mistake;
    if (sideOf(pit) !== parsePosition(parent.fen).side || !parent.legal?.includes(pit)) return false;
    const best = mark.line?.[0] ?? "";
    const [value, most] = [parent.values[pit], parent.values[best]];
    const isGood = pit === best || (value !== undefined && most !== undefined && pit !== mistake.move && isRight(value, most));
    mistake.mark = { ...mark, tried: !isGood ? "missed" : mark.tried ? "late" : "found" };
    app.keep();
    if (isGood) app.update({ view: { marks: { [best]: { ring: "best", value: "" } } } });
    app.say(t(!isGood ? "tryBad" : pit === best ? "tryBest" : "tryGood", { move: pit, best }));
    return true;
  }

  update() {
    const { app, mistake } = this;
    // The better move is in the list, too.
    byId("moves").classList.toggle("trying", mistake !== null && mistake.parent === app.game.current);
    byId("next-mistake").textContent = t(app.game.practised ? "nextMistake" : "practise");
    byId("next-mistake").disabled = app.analysis.reviewing || this.all().length === 0;
  }
}
