// The list of earlier games, which all tabs of the browser share, and which outlives them.

import { Game } from "./game.js";
import { keep, kept } from "./settings.js";
import { t } from "./texts.js";
import { earlierOf, gameOf } from "./untrusted.js";

/** Most games that are kept. */
const MOST = 200;

/** @typedef {import("./untrusted.js").Earlier} Earlier */

export class EarlierGames {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    /** The game that was kept last, with its moves and end. */
    this.last = "";
  }

  /** Keeps the game that is played, once it has a move; it replaces what was kept of it before. */
  keep() {
    const { games, view } = this.app.state;
    const game = games.play;
    const moves = game.root.leaf().moves();
    const result = game.outcome()?.result ?? "*";
    const now = `${game.stamp} ${result}`;
    if (!moves || now === this.last) return;
    this.last = now;
    const { id, variant, start, end } = game;
    const { players, elo } = view.settings;
    const names = { S: this.app.play.players.playerOf("S"), N: this.app.play.players.playerOf("N") };
    const others = earlierOf(kept("earlier")).filter((other) => other.id !== id);
    keep("earlier", [{ id, variant, start, moves, end, result, names, players, elo, time: Date.now() }, ...others].slice(0, MOST));
  }

  /** Lists the games; one that is chosen goes on in this tab. */
  show() {
    const { app } = this;
    const games = earlierOf(kept("earlier"));
    if (games.length === 0) return app.say(t("noEarlier"));
    const items = games.map((game) => {
      const day = new Date(game.time).toLocaleString(t("language"), { dateStyle: "medium", timeStyle: "short" });
      const state = game.result === "*" ? t("goOn") : game.result;
      const text = [`${game.names.S} – ${game.names.N}`, app.titles[game.variant] ?? game.variant, t("movesCount", { n: game.moves.length }), day, state].join(
        ", ",
      );
      return { text, act: () => this.open(game) };
    });
    app.dialogs.list(t("earlierGames"), items);
  }

  /** @param {Earlier} earlier */
  async open({ id, variant, start, moves, end, players, elo }) {
    const { app } = this;
    // Its moves are a tree without variations.
    const tree = [...moves].reduceRight((/** @type {any[]} */ next, move) => [[move, null, null, next, ""]], []);
    const game = gameOf({ id, variant, start, end, tree, at: moves });
    if (!game) return;
    app.setMode("play");
    const made = await Game.unpack(game, app.rules);
    app.past.remember("earlierGames", moves.length);
    app.play.halt();
    app.choose({ players, elo });
    await app.take(made);
  }
}
