// Saving the current game, and loading one from a file.

import { byId, element } from "./dom.js";
import { download, readGames, resultOf, writeGame } from "./files.js";
import { Game } from "./game.js";
import { t } from "./texts.js";

export class GameFiles {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
  }

  /** Downloads the current game. */
  save() {
    const outcome = this.app.game.outcome();
    const result = outcome?.result ?? "*";
    const reasons = { rules: "by the rules", limit: "move limit", settled: undefined };
    const reason = outcome ? (outcome.termination ?? reasons[outcome.by]) : (this.app.game.settled()?.termination ?? "unfinished");
    const names = { South: this.app.play.playerOf("S"), North: this.app.play.playerOf("N"), Date: new Date().toISOString().slice(0, 10).replaceAll("-", ".") };
    const tags = { ...names, ...this.app.game.tags, Result: result, ...(reason && { Termination: reason }) };
    const name = `${this.app.game.variant}-${Date.now()}.ogn`;
    download(name, writeGame(this.app.game, tags, this.app.titles[this.app.game.variant]));
    this.app.say(t("saved", { name }));
  }

  /** Reads the file that was chosen, and asks for the game if it has several. */
  async open() {
    const file = byId("file").files[0];
    byId("file").value = "";
    if (!file) return;
    /** @type {import("./files.js").GameText[]} */
    let games = [];
    try {
      games = readGames(await file.text());
    } catch (error) {
      this.app.say(t("fileBad", { word: /** @type {Error} */ (error).message }));
      return;
    }
    if (games.length === 0) this.app.say(t("fileEmpty"));
    else if (games.length === 1) await this.load(games[0]);
    else {
      const title = (/** @type {import("./files.js").GameText} */ { tags }) => `${tags.South ?? "?"} – ${tags.North ?? "?"} ${tags.Result ?? ""}`;
      const list = games
        .slice(0, 500)
        .map((game, index) =>
          element("li", {}, [
            element("button", { type: "button", text: `${index + 1}. ${title(game)}`, onclick: () => (this.app.dialogs.close(), this.load(game)) }),
          ]),
        );
      this.app.dialogs.open(t("fileGame"), [element("ul", {}, list)]);
    }
  }

  /** Makes a game of a file the current one. @param {import("./files.js").GameText} text */
  async load({ tags, tree }) {
    const wanted = (tags.Variant ?? this.app.game.variant).toLowerCase();
    const found = Object.entries(this.app.titles).find(([name, title]) => [name, title.toLowerCase()].includes(wanted));
    if (!found) {
      this.app.say(t("fileNoVariant", { name: tags.Variant }));
      return;
    }
    try {
      const game = await Game.unpack({ variant: found[0], start: tags.FEN ?? null, tags, tree }, this.app.rules);
      game.current = game.root.leaf();
      game.settle(resultOf(tags.Result ?? "*"), tags.Termination);
      this.app.past.remember("openFile");
      this.app.setMode("analyse");
      await this.app.take(game);
    } catch (error) {
      this.app.say(t("refusal", { error: /** @type {Error} */ (error).message }));
    }
  }
}
