// Dialogs above the page: the rules, the keys, and questions.

import { byId, element } from "./dom.js";
import { MOVE_LIMIT } from "./limits.js";
import { t } from "./texts.js";

export class Dialogs {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
  }

  /** @param {string} title @param {(Node | string)[]} children */
  open(title, children) {
    byId("dialog-body").replaceChildren(element("h2", { id: "dialog-title", text: title }), ...children);
    byId("dialog").showModal();
    byId("dialog").scrollTop = 0;
  }

  close() {
    byId("dialog").close();
  }

  /** The rules in the engine's words. */
  async showRules() {
    const { rules, game, titles, board } = this.app;
    // The first line names the game, as the heading does.
    const [, places, ...lines] = await rules.askAbout(game.variant, "rules");
    // The first paragraph tells where the stores are, which is elsewhere on a narrow screen.
    const all = [places, ...(board.narrow.matches ? [t("narrowRule")] : []), ...lines, t("limitRule", { n: MOVE_LIMIT })];
    this.open(
      titles[game.variant],
      all.map((text) => element("p", { text })),
    );
  }

  /** Lists the keys; those that are letters can be switched off. */
  showKeys() {
    const { app } = this;
    const onchange = (/** @type {Event} */ event) => {
      app.choose({ letters: /** @type {HTMLInputElement} */ (event.target).checked });
    };
    const box = element("input", { type: "checkbox", checked: app.settings.letters !== false, onchange });
    const names = ["keyPits", "keyArrows", "keyEnds", "keyUndo", "keySheet"];
    this.open(t("keys"), [element("label", { class: "plain" }, [box, t("keysOn")]), ...names.map((name) => element("p", { text: t(name) }))]);
  }
}
