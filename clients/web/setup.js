// Setting up a position: numbers in a form, or a line of text. Whether it is a position, the engine says.

import { fresh } from "./clock.js";
import { byId, element } from "./dom.js";
import { Game } from "./game.js";
import { parsePosition, PITS, writePosition } from "./notation.js";
import { errorText, t } from "./texts.js";

export class Setup {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
  }

  /** Whether a position of the game can mark the second move of a turn: the engine then takes one that does. */
  async hasSecond() {
    const { app } = this;
    const { root, variant } = await Game.begin(app.game.variant, null, app.rules);
    const { pits, stores } = parsePosition(root.fen);
    pits[0]--;
    stores[0]++;
    const told = app.rules.tell(variant, writePosition({ pits, stores, side: "S", second: true }), "", "");
    return told.then(
      () => true,
      () => false,
    );
  }

  /** Opens the form, filled with the current position. */
  async open() {
    const hasSecond = await this.hasSecond();
    const position = parsePosition(this.app.game.current.fen);
    const input = (/** @type {string} */ name, /** @type {number} */ value) =>
      element("input", { type: "number", min: 0, max: 72, value, name, inputmode: "numeric" });
    const pits = [...PITS].map((pit, index) => element("label", {}, [pit, input(pit, position.pits[index])]));
    const store = (/** @type {string} */ name, /** @type {number} */ value) =>
      element("label", { class: "half" }, [t("storeOf", { side: t(name) }), input(name, value)]);
    const side = element(
      "select",
      { name: "side" },
      [
        ["S", "south"],
        ["N", "north"],
      ].map(([value, name]) => element("option", { value, text: t(name), selected: position.side === value })),
    );
    const second = element("input", { type: "checkbox", name: "second", checked: position.second });
    const total = element("p");
    const error = element("p", { class: "error", role: "alert", id: "set-up-error" });
    const form = element("form", { id: "set-up-form" }, [
      // North's row is shown as on the board.
      element("div", { class: "setup" }, [
        ...pits.slice(6).reverse(),
        ...pits.slice(0, 6),
        store("north", position.stores[1]),
        store("south", position.stores[0]),
      ]),
      element("div", { class: "row" }, [element("label", {}, [t("toMove"), side]), element("label", { hidden: !hasSecond }, [second, t("second")])]),
      total,
      error,
      element("button", { class: "main", text: t("use") }),
    ]);
    const read = () => {
      const field = (/** @type {string} */ name) => form.elements.namedItem(name).value.trim() || "0";
      const numbers = (/** @type {string[]} */ names) => names.map((name) => field(name));
      return writePosition(/** @type {any} */ ({ pits: numbers([...PITS]), stores: numbers(["south", "north"]), side: side.value, second: second.checked }));
    };
    const count = () =>
      (total.textContent = t("total", {
        n: read()
          .split("-")
          .slice(0, 14)
          .reduce((sum, field) => sum + Number(field), 0),
      }));
    form.addEventListener("input", () => {
      error.textContent = "";
      count();
    });
    form.addEventListener("submit", async (/** @type {Event} */ event) => {
      event.preventDefault();
      const wrong = await this.use(read(), "");
      error.textContent = wrong ? errorText(wrong) : "";
      if (!wrong) this.app.dialogs.close();
    });
    count();
    this.app.dialogs.open(t("setUpLabel"), [form]);
  }

  /** Takes a position and moves in the protocol's notation. @param {string} line */
  async useLine(line) {
    const words = line
      .trim()
      .replace(/^position\s+/, "")
      .replace(/^fen\s+/, "")
      .split(/\s+/);
    const at = words.indexOf("moves");
    const [start, moves] = at < 0 ? [words.join(" "), ""] : [words.slice(0, at).join(" "), words.slice(at + 1).join("")];
    const error = await this.use(start, moves);
    if (error) this.app.sayError(error);
  }

  /**
   * Makes this the game. Returns the error if it is refused; then nothing has changed.
   * @param {string} start
   * @param {string} moves
   * @returns {Promise<unknown>}
   */
  async use(start, moves) {
    const { app } = this;
    try {
      const game = await Game.begin(app.game.variant, null, app.rules);
      if (start && start !== "startpos" && start !== game.root.fen) {
        game.start = start;
        const telling = await app.rules.tell(game.variant, start, "", "");
        game.add(game.root, telling);
      }
      if (moves) game.current = game.add(game.root, await app.rules.tell(game.variant, game.start, "", moves));
      if (!app.analyses) game.clock = fresh(app.settings);
      app.analysis.stop();
      app.past.remember("setUp", game.root.leaf().ply);
      await app.take(game);
      return null;
    } catch (error) {
      return error;
    }
  }
}
