// The page: one game, one board, and two ways to use them.

import { Analysis } from "./analyse.js";
import { asTable, Board } from "./board.js";
import { byId, element } from "./dom.js";
import { Engine, Gone, Refused } from "./engine.js";
import { Game } from "./game.js";
import { GameFiles } from "./game-files.js";
import { MOVE_LIMIT } from "./limits.js";
import { Past } from "./past.js";
import { showMoves } from "./lines.js";
import { parsePosition, PITS, sideOf } from "./notation.js";
import { Play } from "./play.js";
import { keep, kept } from "./settings.js";
import { nameTab } from "./tabs.js";
import { endSentence, fillTexts, moveSentence, settledSentence, t } from "./texts.js";
import { transport } from "./transport.js";

/** The engine that shows moves and knows the rules: Kroo itself. */
const KROO = 0;

export class App {
  constructor() {
    this.settings = kept("settings", {
      mode: "play",
      flip: false,
      time: 1,
      players: { S: "person", N: "level:beginner" },
      multipv: 6,
      analyst: "0",
      view: "S",
      letters: true,
    });
    /** @type {import("./engine.js").Transport & any} */
    this.transport = null;
    /** The name of this tab, and that under which its game was kept. @type {{id: string, from: string | null}} */
    this.tab = { id: "", from: null };
    /** @type {Engine} */
    this.rules = /** @type {any} */ (null);
    /** @type {Game} */
    this.game = /** @type {any} */ (null);
    /** @type {Record<string, string>} the rule sets' names for people */
    this.titles = {};
    /** Whether a button of the mouse or a finger is down. */
    this.pressed = false;
    /** The position and moves that are shown. */
    this.line = "";
    /** Whether a move is on its way, so that no other one begins. */
    this.moving = false;
    this.past = new Past(this);
    this.files = new GameFiles(this);
    this.board = new Board(byId("board"), (pit) => this.pick(pit));
    this.play = new Play(this);
    this.analysis = new Analysis(this);
  }

  async begin() {
    fillTexts();
    this.say(t("loading"));
    this.tab = await nameTab();
    this.transport = await transport({ lost: () => this.lose(), back: () => location.reload() }, this.tab.id);
    this.rules = await Engine.start(this.transport, KROO);
    // Without it there is no page, and whether it is there the connection tells.
    this.rules.patience = Infinity;
    for (const variant of this.rules.valuesOf("UCI_Variant")) {
      const lines = await this.rules.askAbout(variant, "d");
      this.titles[variant] = /^\s*(.+?): /.exec(lines.find((line) => / to move/.test(line)) ?? "")?.[1] ?? variant;
    }
    this.game = await this.restore();
    this.play.fill();
    this.analysis.fill();
    this.listen();
    this.setMode(this.settings.mode === "analyse" ? "analyse" : "play");
    await this.go(this.game.current);
    document.body.dataset.ready = "yes";
    this.play.step();
  }

  /** The server is gone. When it is back, the page begins again with the game that it has kept. */
  lose() {
    document.body.dataset.ready = "no";
    this.analysis.stop();
    this.play.halt();
    byId("variant").value = this.game?.variant ?? "";
    byId("banner").textContent = t("lost");
    byId("banner").hidden = false;
    for (const part of document.querySelectorAll("main, [role=tablist], #rules")) part.toggleAttribute("inert", true);
  }

  /** The game that was kept; a new one if there is none, or if it cannot be built again. */
  async restore() {
    const game = this.tab.from ? kept(`game.${this.tab.from}`, /** @type {any} */ (null)) : null;
    try {
      if (game) {
        return await Game.unpack(game, this.rules);
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
    return this.newGame("oware", null);
  }

  /** A game that begins. The error of a position that is refused is thrown. @param {string} variant @param {string | null} start */
  async newGame(variant, start) {
    const telling = await this.rules.tell(variant, start, "", "");
    const game = new Game(variant, start, telling.fen);
    game.add(game.root, telling);
    return game;
  }

  /** Makes another game the current one. @param {Game} game */
  async take(game) {
    this.game = game;
    this.play.begin();
    this.analysis.begin();
    await this.go(game.current);
    this.play.step();
  }

  listen() {
    for (const mode of ["play", "analyse"]) {
      byId(`tab-${mode}`).addEventListener("click", (/** @type {MouseEvent} */ event) => {
        this.setMode(mode);
        // After the mouse the arrows are for moves.
        if (event.detail) byId(`tab-${mode}`).blur();
      });
    }
    /** @type {Record<string, () => import("./game.js").Node | undefined>} */
    const steps = {
      first: () => this.game.root,
      back: () => this.game.current.parent ?? undefined,
      next: () => this.game.current.children[0],
      last: () => this.game.current.leaf(),
    };
    const walk = (/** @type {string} */ id) => {
      const node = steps[id]();
      if (node) this.go(node);
    };
    for (const id of Object.keys(steps)) byId(id).addEventListener("click", () => walk(id));
    byId("flip").addEventListener("click", () => {
      this.settings.flip = !this.settings.flip;
      this.keep();
      this.draw();
    });
    byId("rules").addEventListener("click", () => this.showRules());
    byId("keys").addEventListener("click", () => this.showKeys());
    byId("save").addEventListener("click", () => this.files.save());
    byId("open").addEventListener("click", () => byId("file").click());
    byId("file").addEventListener("change", () => this.files.open());
    byId("line").addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      this.analysis.setup.useLine(byId("position").value);
    });
    byId("copy").addEventListener("click", () => this.copy());
    byId("undo").addEventListener("click", () => this.past.undo());
    byId("redo").addEventListener("click", () => this.past.redo());
    document.addEventListener("keydown", (event) => this.key(event, walk));
    document.addEventListener("visibilitychange", () => this.analysis.look(!document.hidden));
    document.addEventListener("pointerdown", () => (this.pressed = true), true);
    for (const end of ["pointerup", "pointercancel", "blur"]) addEventListener(end, () => (this.pressed = false), true);
  }

  /** @param {KeyboardEvent} event @param {(id: string) => void} walk */
  key(event, walk) {
    const target = event.target instanceof Element ? event.target.tagName : "";
    if (event.altKey || ["INPUT", "SELECT", "TEXTAREA"].includes(target) || byId("dialog").open) return;
    if (document.body.dataset.ready !== "yes") return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== "z") return;
      event.preventDefault();
      if (event.shiftKey) this.past.redo();
      else this.past.undo();
      return;
    }
    if (event.target instanceof Element && event.target.getAttribute("role") === "tab" && /^Arrow(Left|Right)$/.test(event.key)) {
      const other = this.settings.mode === "play" ? "analyse" : "play";
      this.setMode(other);
      byId(`tab-${other}`).focus();
      event.preventDefault();
      return;
    }
    const side = parsePosition(this.game.current.fen).side;
    const letter = /^[1-6]$/.test(event.key) ? PITS[Number(event.key) - 1] : event.key.toUpperCase();
    if (event.key === "?") this.showKeys();
    else if (/^[A-F]$/.test(letter) && this.settings.letters !== false) this.pick(side === "S" ? letter : letter.toLowerCase());
    else if (event.key === "ArrowLeft") walk("back");
    else if (event.key === "ArrowRight") walk("next");
    else if (event.key === "Home") walk("first");
    else if (event.key === "End") walk("last");
    else return;
    event.preventDefault();
  }

  /** @param {string} mode */
  setMode(mode) {
    this.settings.mode = mode;
    for (const one of ["play", "analyse"]) {
      byId(`tab-${one}`).setAttribute("aria-selected", String(one === mode));
      byId(`tab-${one}`).setAttribute("tabindex", one === mode ? "0" : "-1");
      byId(`panel-${one}`).hidden = one !== mode;
    }
    for (const id of ["eval", "graph"]) byId(id).toggleAttribute("hidden", mode !== "analyse");
    this.keep();
    this.analysis.setMode(mode === "analyse");
    this.draw();
    if (document.body.dataset.ready) this.say(this.sentence(this.game.current));
    if (mode === "play" && document.body.dataset.ready) this.play.step();
    else this.play.halt();
  }

  /** A pit was chosen. @param {string} pit */
  async pick(pit) {
    if (this.moving || document.body.dataset.ready !== "yes") return;
    const from = this.game.current;
    if (this.settings.mode === "play" && from !== this.game.root.leaf()) return this.go(this.game.root.leaf());
    if (this.settings.mode === "play" && !this.play.mayMove()) return;
    this.moving = true;
    try {
      await this.move(from, pit);
    } catch (error) {
      // If the server is gone, that is said already.
      if (error instanceof Gone) return;
      if (!(error instanceof Refused)) throw error;
      this.say(t("refusalMove", { pit, error: error.message.replace(/^move 1 \(`.`\): /, "") }));
      return;
    } finally {
      this.moving = false;
    }
    if (this.settings.mode === "play") this.play.step();
  }

  /**
   * Makes a move from a node, and shows it if the node is shown. An error says why it is not legal.
   * @param {import("./game.js").Node} from
   * @param {string} move
   */
  async move(from, move) {
    const game = this.game;
    const telling = await this.rules.tell(game.variant, game.start, from.moves(), move);
    if (game !== this.game) return from;
    const node = game.add(from, telling);
    if (game.current !== from) {
      // The user has moved to another position, which stays in view.
      this.keep();
      this.draw();
      this.say(this.sentence(node));
      return node;
    }
    this.board.show(parsePosition(from.fen), { last: move, flip: this.settings.flip });
    game.current = node;
    this.keep();
    if (node.told) await this.board.sow(node.told);
    if (this.game === game && game.current === node) await this.go(node);
    return node;
  }

  /** Shows a position of the game. @param {import("./game.js").Node} node */
  async go(node) {
    const game = this.game;
    game.current = node;
    if (node.legal === null) {
      const telling = await this.rules.tell(game.variant, game.start, node.moves(), "");
      [node.legal, node.result] = [telling.legal, telling.result];
      if (this.game !== game || game.current !== node) return;
    }
    this.keep();
    this.draw();
    this.say(this.sentence(node));
    this.analysis.moved();
  }

  /** What there is to say about a position. @param {import("./game.js").Node} node */
  sentence(node) {
    const parts = [];
    if (node.told) parts.push(moveSentence(node.told, this.play.nameOf(sideOf(node.move))));
    const over = this.over(node);
    if (over) parts.push(over);
    else if (this.settings.mode === "play") parts.push(this.play.turnSentence(node));
    return parts.join(" ");
  }

  /** How the game is over at a node; empty if it is not. @param {import("./game.js").Node} node */
  over(node) {
    const outcome = this.game.outcome(node);
    if (!outcome) return "";
    const stores = /** @type {[number, number]} */ (parsePosition(node.fen).stores);
    if (outcome.by === "settled") return settledSentence(outcome.result, outcome.termination);
    if (outcome.by === "limit") return endSentence(`limit ${MOVE_LIMIT}`, [0, 0], stores, outcome.result);
    return endSentence(node.told?.end || "setup", node.told?.awarded ?? [0, 0], stores, outcome.result);
  }

  /** Draws what is current. */
  draw() {
    if (!this.game) return;
    const node = this.game.current;
    const position = parsePosition(node.fen);
    const { flip } = this.settings;
    const legal = this.settings.mode === "play" && !this.play.mayMove() ? "" : (node.legal ?? "");
    this.board.show(position, { legal, last: node.move, marks: this.analysis.marks(node), flip });
    showMoves(
      byId("moves"),
      this.game,
      (to) => this.go(to),
      (score) => this.analysis.scoreText(score),
    );
    for (const [id, side] of /** @type {const} */ ([
      ["name-bottom", flip ? "N" : "S"],
      ["name-top", flip ? "S" : "N"],
    ])) {
      byId(id).textContent = this.play.labelOf(side);
      byId(id).classList.toggle("turn", position.side === side && !this.game.outcome(node));
    }
    const comment = this.settings.mode === "analyse" ? node.comment : "";
    byId("comment").textContent = comment;
    byId("comment").hidden = !comment;
    byId("as-table").replaceChildren(...asTable(position));
    const line = `${this.game.start ?? this.game.root.fen}${node.moves() ? ` moves ${node.moves()}` : ""}`;
    // Text typed into the field stays until the position changes.
    if (line !== this.line) byId("position").value = this.line = line;
    document.body.dataset.variant = this.game.variant;
    this.play.update();
    this.analysis.update();
    this.past.update();
  }

  /** @param {string} text */
  say(text) {
    byId("said").textContent = text;
  }

  keep() {
    keep("settings", this.settings);
    if (this.game) keep(`game.${this.tab.id}`, this.game.pack());
  }

  /** @param {(Node | string)[]} children */
  openDialog(children) {
    byId("dialog-body").replaceChildren(...children);
    byId("dialog").showModal();
    byId("dialog").scrollTop = 0;
  }

  async showRules() {
    // The first line names the game, as the heading does.
    const [, ...lines] = await this.rules.askAbout(this.game.variant, "rules");
    this.openDialog([
      element("h2", { text: this.titles[this.game.variant] }),
      ...[...lines, t("limitRule", { n: MOVE_LIMIT }), ...(this.board.narrow.matches ? [t("narrowRule")] : [])].map((text) => element("p", { text })),
    ]);
  }

  /** Lists the keys; those that are letters can be switched off. */
  showKeys() {
    const onchange = (/** @type {Event} */ event) => {
      this.settings.letters = /** @type {HTMLInputElement} */ (event.target).checked;
      this.keep();
    };
    const box = element("input", { type: "checkbox", checked: this.settings.letters !== false, onchange });
    this.openDialog([
      element("h2", { text: t("keys") }),
      element("label", { class: "plain" }, [box, t("keysOn")]),
      ...["keyPits", "keyArrows", "keyEnds", "keyUndo", "keySheet"].map((name) => element("p", { text: t(name) })),
    ]);
  }

  async copy() {
    const input = byId("position");
    try {
      await navigator.clipboard.writeText(input.value);
      this.say(t("copied"));
    } catch {
      input.select();
      this.say(t("copyFailed"));
    }
  }
}

const app = new App();
app.begin().catch((error) => {
  byId("banner").textContent = t("noServer", { error: error.message });
  byId("banner").hidden = false;
});
