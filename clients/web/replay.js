// Moves shown one after the other on a board: for the page for players and for the report of a tournament.

import { sow } from "./motion.js";

/** How long a position is seen before the next move, in milliseconds. */
const REST = 450;

/** @typedef {import("./motion.js").Sown} Sown */

/**
 * Shows a move: the position before it, and its seeds in motion. Returns whether nothing else was shown meanwhile.
 * @param {import("./board.js").Board} board
 * @param {import("./notation.js").Position} before
 * @param {Sown} told
 * @param {{speed?: string, flip?: boolean}} [how]
 */
export function showMove(board, before, told, { speed = "normal", flip } = {}) {
  board.show(before, { last: told.move, flip });
  return sow(board, told, speed);
}

/** Steps through moves until there are no more, or it is stopped. */
export class Player {
  /** @param {() => Promise<boolean>} step shows the next move; false after the last one @param {(on: boolean) => void} changed */
  constructor(step, changed) {
    this.step = step;
    this.changed = changed;
    this.on = false;
    /** Grows with each start and stop. */
    this.number = 0;
  }

  async start() {
    const number = ++this.number;
    this.changed((this.on = true));
    while (number === this.number && (await this.step())) await new Promise((done) => setTimeout(done, REST));
    if (number === this.number) this.stop();
  }

  stop() {
    this.number++;
    if (this.on) this.changed((this.on = false));
  }
}
