// The two games of a tab: the one that is played, and the analysis, which never changes it.

import { fresh, seenAt } from "./clock.js";
import { Refused } from "./engine.js";
import { analysisOf, Game } from "./game.js";
import { keep, kept } from "./settings.js";
import { gameNamed, Shelf } from "./shelf.js";
import { seatsOf } from "./state.js";
import { t } from "./texts.js";
import { tabOf } from "./untrusted.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./untrusted.js").Kept} Kept
 */

/** A kept game; null without one, or if the engine refuses it. @param {App} app @param {Kept | null} kept */
async function built(app, kept) {
  if (!kept) return null;
  return Game.unpack(kept.game, app.rules).catch((error) => {
    if (!(error instanceof Refused)) throw error;
    return null;
  });
}

/** Gives both games new names, because another tab continues the old ones. @param {Game} play @param {Game | null} analyse */
function renamed(play, analyse) {
  const copy = play.copy();
  const isOf = analyse?.origin === play.id;
  const seen = analyse?.seen === play.stamp ? copy.stamp : "";
  return { play: copy, analyse: isOf ? Object.assign(analyse.clone(), { id: analysisOf(copy.id), origin: copy.id, seen }) : (analyse?.copy() ?? null) };
}

/** The games of this tab; a new one if none was kept. @param {App} app @returns {Promise<{play: Game, analyse: Game | null}>} */
export async function restoreGames(app) {
  const { id, from } = app.tab;
  const names = tabOf(from ? kept(`tab.${from}`) : null);
  const [play, analyse] = [gameNamed(names.play), gameNamed(names.analyse)];
  const begun = async () => {
    const game = await Game.begin("oware", null, app.rules);
    return Object.assign(game, { seats: seatsOf(app.settings), clock: fresh(app.settings) });
  };
  // Nothing is awaited before the first lines, because the request that connects carries them.
  const played = play ? built(app, play).then((game) => game ?? begun()) : begun();
  const [first, analysed] = await Promise.all([played, built(app, analyse)]);
  first.seats ??= seatsOf(app.settings);
  return play && play.tab !== id ? renamed(first, analysed) : { play: first, analyse: analysed };
}

/** A kept game with its analysis. @param {App} app @param {Kept} kept @param {boolean} isElsewhere whether another tab goes on with it */
export async function openKept(app, kept, isElsewhere) {
  const [play, analyse] = await Promise.all([built(app, kept), built(app, gameNamed(analysisOf(kept.game.id)))]);
  return play && (isElsewhere ? renamed(play, analyse) : { play, analyse });
}

/**
 * Shows the analysis. If the game played has changed since it was last seen, its moves become the main line of its analysis;
 * the analysis of another game is replaced, and undo brings that back.
 * @param {App} app
 */
export function beginAnalysis(app) {
  const { play, analyse } = app.state.games;
  const isOld = analyse?.seen !== play.stamp;
  const isOther = analyse?.origin !== play.id;
  if (isOld && !isOther) analyse?.follow(play);
  app.update({ view: { mode: "analyse", marks: null } });
  if (!isOld || !isOther) return;
  if (analyse) app.past.remember("analyseGame");
  app.update({ game: play.analysis() });
}

/** Keeps the games of this tab, whole, at every change. */
export class Keeper {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.shelf = new Shelf();
    /** The names of the games that were kept last. */
    this.names = { play: "", analyse: "" };
    /** The message about the space for games. */
    this.notice = "";
  }

  /** Keeps the games as they are now. A game that had no move when the tab left it is forgotten. */
  keep() {
    const { shelf, names, app } = this;
    const { play, analyse } = app.state.games;
    if (!play) return;
    if (play.clock) play.clock = seenAt(play.clock, Date.now());
    this.names = { play: play.id, analyse: analyse?.id ?? "" };
    for (const game of [play, ...(analyse ? [analyse] : [])]) {
      const kept = { game: game.pack(), tab: app.tab.id, time: Date.now(), result: game.outcome()?.result ?? "*" };
      const forgotten = shelf.put(kept, Object.values(this.names));
      if (forgotten) this.notice = t(forgotten < 0 ? "shelfRefuses" : "shelfFull", { n: forgotten });
    }
    if (names.play !== this.names.play && !gameNamed(names.play)?.game.tree.length) shelf.drop(names.play);
    if (names.analyse !== this.names.analyse && !names.analyse.endsWith(analysisOf(""))) shelf.drop(names.analyse);
    keep(`tab.${app.tab.id}`, this.names);
  }
}
