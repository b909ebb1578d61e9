// Dialogs above the page: the rules, the keys, and questions.

import { byId, element } from "./dom.js";
import { MOVE_LIMIT } from "./limits.js";
import { ruleText, t } from "./texts.js";

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

  /**
   * Lists choices; a search shows only the items that contain all its words.
   * @param {string} title @param {{text: string, act: () => void}[]} choices @param {Node[]} [before] what is above the list
   */
  list(title, choices, before = []) {
    const items = choices.map(({ text, act }) => {
      const onclick = () => (this.close(), act());
      return { text: text.toLowerCase(), item: element("li", {}, [element("button", { type: "button", text, onclick })]) };
    });
    const count = element("p", { role: "status", id: "list-count" });
    const show = (/** @type {string} */ wanted) => {
      const words = wanted.toLowerCase().split(/\s+/);
      for (const { text, item } of items) item.hidden = !words.every((word) => text.includes(word));
      count.textContent = t("listShown", { n: items.filter(({ item }) => !item.hidden).length, all: items.length });
    };
    const oninput = (/** @type {Event} */ event) => show(/** @type {HTMLInputElement} */ (event.target).value);
    const search = element("label", {}, [t("search"), element("input", { type: "search", id: "list-search", oninput })]);
    show("");
    const all = element(
      "ul",
      { class: "choices" },
      items.map(({ item }) => item),
    );
    this.open(title, [...before, search, count, all]);
  }

  /** The rules. */
  async showRules() {
    const { rules, game, board } = this.app;
    // The first line repeats the heading, the name of the game.
    const [, places, ...lines] = await rules.askAbout(game.variant, "rules");
    // The first paragraph tells where the stores are, which is elsewhere on a narrow screen.
    const own = (/** @type {string} */ name, values = {}) => element("p", { text: t(name, values) });
    const told = [places, ...lines].map((text) => element("p", ruleText(text)));
    told.splice(1, 0, ...(board.narrow.matches ? [own("narrowRule")] : []));
    this.open(this.app.titles.of(game.variant), [...told, own("limitRule", { n: MOVE_LIMIT })]);
  }

  /** Lists the keys; those that are letters can be switched off. */
  showKeys() {
    const { app } = this;
    const onchange = (/** @type {Event} */ event) => {
      app.choose({ letters: /** @type {HTMLInputElement} */ (event.target).checked });
    };
    const box = element("input", { type: "checkbox", checked: app.settings.letters !== false, onchange });
    const names = ["keyPits", "keyArrows", "keyEnds", "keyUndo", "keyButtons", "keyGame", "keySheet"];
    this.open(t("keys"), [element("label", { class: "plain" }, [box, t("keysOn")]), ...names.map((name) => element("p", { text: t(name) }))]);
  }
}
