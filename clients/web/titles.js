// The names of the rule sets for people, which the engine has.

import { titleText } from "./texts.js";

export class Titles {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    /** @type {Record<string, string>} those that the engine has told */
    this.told = {};
  }

  /** The rule sets that the engine lists, and those of the games here. */
  get variants() {
    const { rules, game, state } = this.app;
    return [...new Set([...rules.valuesOf("UCI_Variant"), game.variant, state.games.play.variant])];
  }

  /** The name of a rule set; empty while it is not known. @param {string} variant */
  of(variant) {
    return titleText(this.told[variant] ?? "");
  }

  /** Asks for the names, and shows them. */
  async ask() {
    const { app, variants } = this;
    const said = await Promise.all(variants.map((variant) => app.rules.askAbout(variant, "d").catch(() => [])));
    for (const [index, variant] of variants.entries()) {
      const line = said[index].find((line) => / to move/.test(line)) ?? "";
      this.told[variant] = /^\s*(.+?): /.exec(line)?.[1] ?? variant;
    }
    app.play.players.fillGames();
    app.update();
  }
}
