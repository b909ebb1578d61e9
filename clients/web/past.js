// Undo and redo of moves and, before the first move, of the change that replaced the game.

import { byId } from "./dom.js";
import { t } from "./texts.js";

/** Most changes that are kept. */
const MOST = 100;

/**
 * @typedef {import("./game.js").Game} Game
 * @typedef {{game: Game, what: string, plies: number}} Change
 * A game before a change, the name of the change, and the number of moves after it.
 * @typedef {{game: Game, what: string, plies: number | null}} Undone the same after it was undone; a move taken back has no plies
 */

export class Past {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    /** A game and its analysis have a past of their own. @type {Record<"play" | "analyse", {done: Change[], undone: Undone[]}>} */
    this.lists = { play: { done: [], undone: [] }, analyse: { done: [], undone: [] } };
  }

  get list() {
    return this.lists[this.app.state.view.mode];
  }

  /** Keeps the game as it is. @param {string} what the name of the change, which is that of a text @param {number} [plies] the number of moves after it @param {"play" | "analyse"} [mode] */
  remember(what, plies = 0, mode = this.app.state.view.mode) {
    const list = this.lists[mode];
    const { games } = this.app.state;
    list.done.push({ game: (games[mode] ?? games.play).clone(), what, plies });
    if (list.done.length > MOST) list.done.shift();
    list.undone = [];
  }

  /** Whether undo brings a game with moves back that another one has just replaced. */
  get brings() {
    const { app, list } = this;
    const last = list.done.at(-1);
    return !app.analyses && !app.game.root.children.length && last !== undefined && last.game.id !== app.game.id && last.game.root.children.length > 0;
  }

  /** A move was made: nothing is left to redo. */
  moved() {
    this.list.undone = [];
  }

  /** The number of moves left after taking back the last turn; null in an analysis, or if no turn followed the last change. */
  get shorter() {
    const last = this.list.done.at(-1);
    if (this.app.analyses || ["resign", "flag"].includes(last?.what ?? "")) return null;
    return this.app.play.pliesBefore(last?.plies ?? 0);
  }

  async undo() {
    const { app, list } = this;
    const { shorter } = this;
    const change = shorter === null ? list.done.pop() : { game: app.game.shortened(shorter), what: "move", plies: null };
    if (!change) return;
    list.undone.push({ game: app.game.clone(), what: change.what, plies: change.plies });
    await this.take(change.game);
  }

  async redo() {
    const { app, list } = this;
    const change = list.undone.pop();
    if (!change) return;
    if (change.plies !== null) list.done.push({ game: app.game.clone(), what: change.what, plies: change.plies });
    await this.take(change.game);
  }

  /** @param {Game} game */
  async take(game) {
    const { app } = this;
    app.play.halt();
    await app.take(game);
  }

  /** Shows what can be undone, and done again. */
  update() {
    const { list } = this;
    const { shorter } = this;
    for (const [id, what] of /** @type {const} */ ([
      ["undo", shorter !== null ? "move" : list.done.at(-1)?.what],
      ["redo", list.undone.at(-1)?.what],
    ])) {
      byId(id).disabled = !what;
      byId(id).title = what ? t(`${id}What`, { what: t(what) }) : t(id);
    }
  }
}
