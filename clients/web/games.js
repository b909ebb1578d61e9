// The two games of a tab: the one that is played, and the analysis, which never changes it.

import { Refused } from "./engine.js";
import { Game } from "./game.js";
import { kept } from "./settings.js";
import { gamesOf } from "./untrusted.js";

/** @typedef {import("./app.js").App} App */

/** The games that were kept; a new one if no game was kept, or if it cannot be rebuilt. @param {App} app @returns {Promise<{play: Game, analyse: Game | null}>} */
export async function restoreGames(app) {
  const { play, analyse } = gamesOf(app.tab.from ? kept(`game.${app.tab.from}`) : null);
  const built = (/** @type {import("./untrusted.js").KeptGame} */ game) =>
    Game.unpack(game, app.rules).catch((error) => {
      if (!(error instanceof Refused)) throw error;
      return null;
    });
  const fresh = () => app.newGame("oware", null);
  // The first lines go out with the request that connects, so nothing is awaited before them.
  const played = play ? built(play).then((game) => game ?? fresh()) : fresh();
  const [first, analysed] = await Promise.all([played, analyse && built(analyse)]);
  return { play: first, analyse: analysed };
}

/**
 * Shows the analysis. What was played since it was seen is its own line now, if it is of this game; or this game is analysed, and
 * undo brings the other analysis back.
 * @param {App} app
 */
export function beginAnalysis(app) {
  const { play, analyse } = app.state.games;
  const isOld = analyse?.seen !== play.stamp;
  const isOther = analyse?.origin !== play.id;
  if (isOld && !isOther) analyse?.follow(play);
  app.update({ view: { mode: "analyse", marks: null, mistake: null } });
  if (!isOld || !isOther) return;
  if (analyse) app.past.remember("analyseGame");
  const analysis = play.analysis();
  // Names that people have entered are those of the analysis, too.
  const { players } = app.play;
  const named = /** @type {const} */ (["S", "N"]).filter((side) => app.settings.names[side] && app.play.isPerson(side));
  if (named.length) Object.assign(analysis.tags, { South: players.playerOf("S"), North: players.playerOf("N") });
  app.update({ game: analysis });
}
