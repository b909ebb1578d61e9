// The analysis: a search that goes on while positions are looked at.

import { byId, choices } from "./dom.js";
import { Engine, Gone } from "./engine.js";
import { drawGraph, level } from "./graph.js";
import { progress, showLines } from "./lines.js";
import { accuracyOf, findMistakes, judgedOf } from "./mistakes.js";
import { parsePosition, southScore } from "./notation.js";
import { Setup } from "./setup.js";
import { scoreText, shortScore, sideName, t } from "./texts.js";

/** Most lines that an engine of the protocol shows. */
const MOST_LINES = 6;
/** How often the lines are drawn again, in milliseconds. */
const REDRAW = 200;

export class Analysis {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    /** The number of the search, which identifies lines of an earlier one. */
    this.number = 0;
    /** @type {{place: string, variant: string, engine: Promise<Engine>} | null} */
    this.analyst = null;
    /** The lines received since the last drawing. @type {import("./app.js").Lines | null} */
    this.heard = null;
    this.drawing = 0;
    this.setup = new Setup(app);
  }

  /** Whether the lines of positions are searched. */
  get running() {
    return this.app.state.view.search === "lines";
  }

  /** Whether mistakes are being looked for. */
  get reviewing() {
    return this.app.state.view.search === "review";
  }

  fillLists() {
    const { settings, transport } = this.app;
    choices(
      byId("multipv"),
      Array.from({ length: MOST_LINES }, (_, index) => [String(index + 1), String(index + 1)]),
      String(settings.multipv),
    );
    choices(
      byId("analyst"),
      transport.names.map((/** @type {string} */ name, /** @type {number} */ place) => [String(place), name]),
      settings.analyst,
    );
    const sides = /** @type {[string, string][]} */ ([
      ["S", t("south")],
      ["N", t("north")],
    ]);
    choices(byId("view"), sides, settings.view ?? "S");
  }

  /** Fills what can be chosen, and listens. */
  fill() {
    this.fillLists();
    const changed = () => {
      this.app.choose({ multipv: Number(byId("multipv").value), analyst: byId("analyst").value, view: byId("view").value });
      if (this.running) this.search();
    };
    for (const id of ["multipv", "analyst", "view"]) byId(id).addEventListener("change", changed);
  }

  /** Makes the variation that is shown the game. */
  promote() {
    const { app } = this;
    app.past.remember("promote");
    app.game.promote(app.game.current);
    app.keep();
    app.update();
  }

  /** Forgets the move that is shown, and what follows. */
  remove() {
    const { app } = this;
    const node = app.game.current;
    if (!node.parent) return;
    app.past.remember("remove");
    app.game.cut(node);
    app.go(node.parent);
  }

  /**
   * Uses the engine that analyses, set to the rule set, alone.
   * @param {string} place
   * @param {(engine: Engine, goesOn: () => boolean) => Promise<any>} use
   * @returns {Promise<void>}
   */
  async alone(place, use) {
    const { variant } = this.app.game;
    if (this.analyst?.place !== place) {
      this.analyst?.engine.then((engine) => engine.close()).catch(() => {});
      this.analyst = { place, variant: "", engine: Engine.start(this.app.transport, Number(place)) };
    }
    const analyst = this.analyst;
    try {
      const engine = await analyst.engine;
      if (engine.ended && this.analyst === analyst) {
        // It has ended since it was used last: another one begins.
        this.analyst = null;
        return this.alone(place, use);
      }
      await engine.alone(async (goesOn) => {
        if (!goesOn()) return;
        if (analyst.variant !== variant) {
          if (engine.options.has("uci_variant")) await engine.set("UCI_Variant", variant);
          analyst.variant = variant;
        }
        if (goesOn()) await use(engine, goesOn);
      });
    } catch (error) {
      if (error instanceof Gone && this.analyst === analyst) this.analyst = null;
      throw error;
    }
  }

  /** Stops the engine's search. */
  halt() {
    this.analyst?.engine.then((engine) => engine.stop()).catch(() => {});
  }

  start() {
    this.app.update({ view: { search: "lines" } });
    this.reveal();
    this.search();
  }

  /** Scrolls to the engine's lines, which a phone shows below the board and the sentence. */
  reveal() {
    byId("engine").scrollIntoView({ block: "nearest" });
  }

  stop() {
    this.number++;
    this.halt();
    this.app.update({ view: { ...this.news(), search: "", resumes: false } });
  }

  /** The page is hidden, or visible again. A review ends by itself and continues meanwhile. @param {boolean} seen */
  look(seen) {
    const { app } = this;
    if (!seen && this.running) {
      this.stop();
      app.update({ view: { resumes: true, said: t("hidden") } });
    } else if (seen && app.state.view.resumes) {
      app.update({ view: { resumes: false, said: app.sentence(app.game.current) } });
      this.start();
    }
  }

  /** Another position is current. */
  moved() {
    if (this.running) this.search();
  }

  /** Searches the current position until something else is wanted. */
  async search() {
    const { app } = this;
    const number = ++this.number;
    const { game } = app;
    const node = game.current;
    // The score of a position is kept even if the user leaves it soon.
    app.update({ view: this.news() });
    try {
      await this.alone(app.settings.analyst, async (engine, goesOn) => {
        if (engine.options.has("multipv")) await engine.set("MultiPV", app.settings.multipv);
        if (number !== this.number || !goesOn()) return;
        /** @type {import("./notation.js").Info[]} */
        const lines = [];
        await engine.go(game.start, node.moves(), "infinite", (info) => {
          if (number !== this.number || !info.score || (!info.pv && node.legal)) return;
          const place = (info.multipv ?? 1) - 1;
          // A new iteration begins with its first line; later ones of the last iteration stay until they come again.
          lines[place] = info;
          this.heard = { node, lines };
          this.redraw();
        });
      });
    } catch (error) {
      if (number !== this.number) return;
      app.update({ view: { search: "" } });
      this.sayError(error);
    }
  }

  /** @param {any} error */
  sayError(error) {
    const name = this.app.transport.names[Number(this.app.settings.analyst)];
    if (error instanceof Gone) this.app.say(t(error.mute ? "analystMute" : "analystGone", { name }));
    else this.app.sayError(error);
  }

  /** Changes the view by the lines received; the first one has the score of its position. */
  news() {
    const { heard } = this;
    this.heard = null;
    if (!heard) return {};
    const { node, lines } = heard;
    if (lines[0]?.score) node.score = southScore(lines[0].score, parsePosition(node.fen).side);
    return { lines: { node, lines: [...lines] } };
  }

  /** Draws soon. */
  redraw() {
    if (this.drawing) return;
    this.drawing = window.setTimeout(() => {
      this.drawing = 0;
      // A button keeps its meaning while it is pressed.
      if (this.app.pressed) return this.redraw();
      // The lines replace the marks of a hint or a trial.
      this.app.update({ view: { ...this.news(), ...(this.running && { marks: null }) } });
      this.app.keep();
    }, REDRAW);
  }

  /** The side from which scores are shown. @returns {"S" | "N"} */
  get side() {
    return this.app.settings.view === "N" ? "N" : "S";
  }

  /**
   * A score from the chosen side.
   * @param {import("./notation.js").Score} score
   * @param {"S" | "N"} side whose score it is
   */
  seen(score, side) {
    return southScore(southScore(score, side), this.side);
  }

  /** The same as text. @param {import("./notation.js").Score} score @param {"S" | "N"} [side] */
  scoreText(score, side = "S") {
    return scoreText(this.seen(score, side));
  }

  /** The lines of a position in an analysis, received so far. @param {import("./game.js").Node} node */
  linesOf(node) {
    const { lines } = this.app.state.view;
    return this.app.analyses && lines?.node === node ? lines.lines.filter((line) => line) : [];
  }

  /** The seeds that the move to a node captured from each pit and, in an analysis, the known values of its moves. @param {import("./game.js").Node} node */
  marks(node) {
    /** @type {Record<string, {ring: string, value: string}>} */
    const marks = Object.fromEntries((node.told?.captures ?? []).map(([pit, seeds]) => [pit, { ring: "", value: `−${seeds}` }]));
    const { side } = parsePosition(node.fen);
    const lines = this.linesOf(node).filter((line) => line.pv);
    for (const line of [...lines].reverse()) {
      const score = /** @type {import("./notation.js").Score} */ (line.score);
      const best = line === lines[0];
      const near = score.cp > (lines[0].score?.cp ?? 0) - 50 && score.proven === lines[0].score?.proven;
      marks[line.pv[0]] = { ring: best ? "best" : near ? "good" : "", value: shortScore(this.seen(score, side)) };
    }
    return marks;
  }

  /** Where the first moves of the two best lines end. @param {import("./game.js").Node} node @returns {import("./board.js").Arrow[]} */
  arrows(node) {
    const lines = this.linesOf(node).filter((line) => line.pv);
    return lines.slice(0, 2).flatMap(({ pv }, index) => {
      const to = node.landed[pv[0]];
      if (to === undefined) this.app.landing(node, pv[0]).then(() => this.redraw());
      return to ? [{ from: pv[0], to, second: index > 0 }] : [];
    });
  }

  /** Shows everything of the analysis. */
  update() {
    const { app } = this;
    if (!app.game) return;
    const node = app.game.current;
    const { view } = app.state;
    const search = byId("search");
    search.textContent = t(this.running ? "stop" : "start");
    search.setAttribute("aria-pressed", String(this.running));
    byId("remove").disabled = !node.parent;
    byId("promote").disabled = app.game.main().includes(node) || !node.parent;
    const [accuracy, judged] = [accuracyOf(app.game), judgedOf(app.game)];
    byId("searched").hidden = !this.reviewing;
    byId("progress").max = judged.all;
    byId("progress").value = judged.n;
    byId("searching").textContent = this.reviewing ? t("searching", judged) : "";
    // Screen readers are told only the end of a review.
    const found = accuracy && !this.reviewing && app.analyses ? t("found", accuracy) : "";
    if (byId("found").textContent !== found) byId("found").textContent = found;
    byId("found").title = t("accuracy");
    byId("mistakes").textContent = t(this.reviewing ? "stopMistakes" : "mistakes");
    byId("mistakes").setAttribute("aria-pressed", String(this.reviewing));
    byId("mistakes").disabled = app.game.root.children.length === 0;
    if (!app.analyses) return;
    const lines = this.linesOf(node);
    byId("counts").textContent = lines[0]?.pv ? progress(lines[0]) : node.result !== "*" ? t("isOver") : "";
    const mover = parsePosition(node.fen).side;
    const texts = lines.filter((line) => line.pv).map(({ score, pv }) => ({ text: score ? this.scoreText(score, mover) : "", pv }));
    showLines(
      byId("pv"),
      texts,
      (moves) => this.walk(node, moves),
      view.whole,
      () => app.update({ view: { whole: !view.whole } }),
    );
    // Space is reserved for the lines still to come.
    byId("pv").style.setProperty("--lines", String(this.running ? Math.min(app.settings.multipv, node.legal?.length || 0) : 0));
    const { side } = this;
    const score = node.score && southScore(node.score, side);
    const shown = score ? scoreText(score) : "?";
    byId("eval").setAttribute("aria-label", t("evaluation", { score: shown, side: sideName(side) }));
    byId("eval-score").textContent = `${sideName(side)} ${shown}`;
    byId("eval-part").style.width = `${50 + 50 * (score ? level(score) : 0)}%`;
    drawGraph(byId("graph"), [app.game.root, ...app.game.main()], node, side, (to) => app.go(to));
  }

  /** Plays moves of a line as a variation. @param {import("./game.js").Node} from @param {string} moves */
  async walk(from, moves) {
    const { app } = this;
    const telling = await app.rules.tell(app.game.variant, app.game.start, from.moves(), moves);
    await app.go(app.game.add(from, telling));
  }

  /** Looks for the mistakes of the game. */
  async review() {
    if (this.reviewing) {
      this.stop();
      return;
    }
    this.stop();
    const { app, number } = this;
    app.update({ view: { search: "review" } });
    this.reveal();
    try {
      await this.alone("0", (engine, goesOn) => findMistakes(app, engine, () => number === this.number && goesOn()));
    } catch (error) {
      this.sayError(error);
    }
    if (number !== this.number) return;
    app.keep();
    app.update({ view: { search: "" } });
  }
}
