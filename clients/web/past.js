// The undo list: the games that a button or a key has replaced or shortened.

import { byId } from "./dom.js";
import { t } from "./texts.js";

/** Most games that are kept. */
const MOST = 50;

/** @typedef {{game: import("./game.js").Game, what: string}} Change A game before it was changed, and the name of what was done. */

export class Past {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    /** @type {Change[]} */
    this.done = [];
    /** @type {Change[]} */
    this.undone = [];
  }

  /** Keeps the game as it is. @param {string} what what is about to be done, the name of a text */
  remember(what) {
    this.done.push({ game: this.app.game.clone(), what });
    if (this.done.length > MOST) this.done.shift();
    this.undone = [];
  }

  undo() {
    return this.swap(this.done, this.undone);
  }

  redo() {
    return this.swap(this.undone, this.done);
  }

  /** @param {Change[]} from @param {Change[]} to */
  async swap(from, to) {
    const change = from.pop();
    if (!change) return;
    const { app } = this;
    to.push({ game: app.game.clone(), what: change.what });
    app.play.halt();
    await app.take(change.game);
  }

  /** Shows what can be brought back. */
  update() {
    for (const [id, changes] of /** @type {const} */ ([
      ["undo", this.done],
      ["redo", this.undone],
    ])) {
      const change = changes.at(-1);
      byId(id).disabled = !change;
      byId(id).title = change ? t(`${id}What`, { what: t(change.what) }) : "";
    }
  }
}
