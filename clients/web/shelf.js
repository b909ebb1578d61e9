// The shelf: the games that the browser keeps, each whole under a key of its own, with the tab that has it.

import { analysisOf } from "./game.js";
import { keep, kept, namesOf } from "./settings.js";
import { keptOf, tabOf } from "./untrusted.js";

/** Most games that are kept; an analysis belongs to its game. */
const MOST = 200;
const GAME = "game.";

/** @typedef {import("./untrusted.js").Kept} Kept */

/** The game with a name. @param {string} id */
export const gameNamed = (id) => (id ? keptOf(kept(GAME + id)) : null);

/** All games, the one that was changed last first. @returns {Kept[]} */
export const allGames = () =>
  namesOf(GAME)
    .flatMap((id) => gameNamed(id) ?? [])
    .sort((one, two) => two.time - one.time);

/** Forgets a game with its analysis. @param {string} id */
export function forget(id) {
  for (const name of [id, analysisOf(id)]) keep(GAME + name, null);
}

/** Keeps games, and forgets the oldest ones if there is no space. */
export class Shelf {
  constructor() {
    /** The last kept text of each game, by its name. @type {Map<string, string>} */
    this.last = new Map();
  }

  /**
   * Keeps a game. Returns how many others were forgotten for lack of room; -1 if it has none.
   * @param {Kept} one @param {string[]} own the names of games that stay
   */
  put(one, own) {
    const { id } = one.game;
    const text = JSON.stringify([one.game, one.tab, one.result]);
    if (this.last.get(id) === text) return 0;
    const isNew = !this.last.has(id) && !namesOf(GAME).includes(id);
    this.last.set(id, text);
    // Those that a tab goes on with go last.
    const inUse = () => new Set(namesOf("tab.").flatMap((tab) => Object.values(tabOf(kept(`tab.${tab}`)))));
    const oldest = () => {
      const [used, games] = [inUse(), allGames().filter(({ game }) => !own.includes(game.id) && game.id !== id)];
      return [...games.filter(({ game }) => used.has(game.id)), ...games.filter(({ game }) => !used.has(game.id))].at(-1)?.game.id;
    };
    if (isNew && namesOf(GAME).filter((name) => !name.endsWith(analysisOf(""))).length >= MOST) this.drop(oldest() ?? "");
    for (let forgotten = 0; ; forgotten++) {
      if (keep(GAME + id, one)) return forgotten;
      const other = oldest();
      if (!other) return -1;
      this.drop(other);
    }
  }

  /** Forgets a game. @param {string} id */
  drop(id) {
    this.last.delete(id);
    forget(id);
  }
}
