// The list of earlier games, which all tabs of the browser share, and which outlives them.

import { lineOf } from "./game.js";
import { openKept } from "./games.js";
import { allGames, gameNamed } from "./shelf.js";
import { isOpen } from "./tabs.js";
import { t } from "./texts.js";

/** @typedef {import("./untrusted.js").Kept} Kept */

export class EarlierGames {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
  }

  /** Lists the games that have a move; one that is chosen goes on in this tab. */
  show() {
    const { app } = this;
    const games = allGames().filter(({ game }) => game.seats && !game.origin && game.tree.length);
    if (games.length === 0) return app.say(t("noEarlier"));
    const items = games.map((kept) => {
      const { variant, seats, tree } = kept.game;
      const day = new Date(kept.time).toLocaleString(t("language"), { dateStyle: "medium", timeStyle: "short" });
      const state = kept.result === "*" ? t("goOn") : kept.result;
      const [south, north] = /** @type {const} */ (["S", "N"]).map((side) => seats && app.play.players.nameOf(seats, side));
      const moves = t("movesCount", { n: lineOf(tree[0]).length });
      return { text: [`${south} – ${north}`, app.titles.of(variant) || variant, moves, day, state].join(", "), act: () => this.open(kept) };
    });
    app.dialogs.list(t("earlierGames"), items);
  }

  /** Opens a game as it is now. @param {Kept} listed */
  async open(listed) {
    const { app } = this;
    const kept = gameNamed(listed.game.id) ?? listed;
    const isElsewhere = kept.tab !== app.tab.id && (await isOpen(kept.tab));
    const games = await openKept(app, kept, isElsewhere);
    if (!games) return;
    const { play, analyse } = games;
    play.current = play.root.leaf();
    app.setMode("play");
    app.past.remember("earlierGames", play.current.ply);
    app.play.halt();
    if (analyse) app.update({ analyse });
    await app.take(play);
  }
}
