// The mistakes of a game as puzzles, one after the other: at each the user looks for a better move, and is told at the end how many
// were found at the first try.

import { byId } from "./dom.js";
import { parsePosition, sideOf } from "./notation.js";
import { sideName, t } from "./texts.js";

/** Hundredths of a seed by which a move may be worse than the best one and still be right. */
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
    /** The ply of the last one; 0 before the first. */
    this.ply = 0;
    /** How many were found at the first try, and whether the current one can still be. */
    this.found = 0;
    this.isFirstTry = false;
  }

  /** The mistakes of the game: those of the person, if it was played here against an engine. */
  all() {
    const own = this.app.ownSide;
    return this.app.game.main().filter(({ mark, move }) => mark?.sign && mark.line && (!own || sideOf(move) === own));
  }

  /** Goes to the position before the next mistake; after the last one from the first on again. */
  async next() {
    const { app } = this;
    const all = this.all();
    const mistake = all.find(({ ply }) => ply > this.ply);
    if (this.ply === 0) this.found = 0;
    this.ply = mistake?.ply ?? 0;
    app.update({ view: { mistake: null } });
    if (!mistake?.parent) {
      app.say(`${t("noMoreMistakes")} ${t("practised", { found: this.found, n: all.length })}`);
      return;
    }
    this.isFirstTry = true;
    app.analysis.stop();
    await app.go(mistake.parent);
    app.update({ view: { mistake } });
    const loss = t("seeds", { n: Number(((mistake.mark?.loss ?? 0) / 100).toFixed(1)) });
    const values = { side: sideName(sideOf(mistake.move)), move: mistake.move, loss };
    const { sign, loss: lost } = /** @type {NonNullable<import("./game.js").Node["mark"]>} */ (mistake.mark);
    // A file says nothing of the loss.
    const asked = t(lost === undefined ? "tryAgainFile" : sign === "??" && lost < NEAR ? "tryAgainLost" : "tryAgain", values);
    app.say(`${asked} (${t("practisedOf", { n: all.indexOf(mistake) + 1, all: all.length })})`);
    byId("said").scrollIntoView({ block: "nearest" });
  }

  /** Judges a pit that was chosen instead of the mistake. Returns whether that is all to be done. @param {string} pit */
  judges(pit) {
    const { app } = this;
    const { mistake } = app.state.view;
    if (!mistake || mistake.parent !== app.game.current) return false;
    const best = mistake.mark?.line?.[0] ?? "";
    if (sideOf(pit) !== parsePosition(app.game.current.fen).side || !app.game.current.legal?.includes(pit)) return false;
    const [value, most] = [mistake.parent.values[pit], mistake.parent.values[best]];
    const isGood = pit === best || (value !== undefined && most !== undefined && pit !== mistake.move && isRight(value, most));
    if (isGood && this.isFirstTry) this.found++;
    this.isFirstTry = false;
    if (!isGood) {
      app.say(t("tryBad", { move: pit }));
      return true;
    }
    app.update({ view: { mistake: null, marks: { [best]: { ring: "best", value: "" } } } });
    app.say(t(pit === best ? "tryBest" : "tryGood", { move: pit, best }));
    return true;
  }

  /** Another game is shown, or the page does something else. */
  end() {
    this.ply = 0;
  }

  update() {
    // The better move is in the list, too.
    const { mistake } = this.app.state.view;
    byId("moves").classList.toggle("trying", mistake !== null && mistake.parent === this.app.game.current);
    byId("next-mistake").textContent = t(this.ply ? "nextMistake" : "practise");
    byId("next-mistake").disabled = this.app.analysis.reviewing || this.all().length === 0;
  }
}
