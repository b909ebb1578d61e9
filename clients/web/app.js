// The page: one state, one way to change it, and a view drawn from it.

import { Analysis } from "./analyse.js";
import { Board } from "./board.js";
import { after, Clock } from "./clock.js";
import { byId, isStill, showBanner } from "./dom.js";
import { Dialogs } from "./dialogs.js";
import { Gone } from "./engine.js";
import { EarlierGames } from "./earlier.js";
import { beginAnalysis, Keeper, restoreGames } from "./games.js";
import { GameFiles } from "./game-files.js";
import { listen } from "./keys.js";
import { useLanguage } from "./languages.js";
import { showCurrent } from "./lines.js";
import { gameOf, linkHere, removeLink } from "./link.js";
import { parsePosition, sideOf, tagOf } from "./notation.js";
import { Past } from "./past.js";
import { Play } from "./play.js";
import { render } from "./render.js";
import { showMove } from "./replay.js";
import { Rules } from "./rules.js";
import { keep, kept } from "./settings.js";
import { closeSheet } from "./sheet.js";
import { soundOf } from "./sound.js";
import { next, SETTINGS, shownGame, VIEW } from "./state.js";
import { beginAgain, nameTab } from "./tabs.js";
import { errorText, fillTexts, moveSentence, outcomeSentence, t } from "./texts.js";
import { Titles } from "./titles.js";
import { transport } from "./transport.js";
import { Trial } from "./trial.js";
import { settingsOf } from "./untrusted.js";

/**
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./game.js").Node} Node
 * @typedef {import("./state.js").View} View
 * @typedef {import("./state.js").Lines} Lines
 * @typedef {import("./state.js").Settings} Settings
 * @typedef {import("./state.js").Side} Side
 * @typedef {import("./state.js").State} State
 * @typedef {import("./state.js").Games} Games
 */

export class App {
  /** Frozen: only `update` changes it. @type {State} */
  #state = Object.freeze({ games: { play: /** @type {any} */ (null), analyse: null }, view: VIEW, link: "loading", moving: null, phase: "loading" });

  constructor() {
    this.update({ view: { settings: settingsOf(kept("settings"), SETTINGS) } });
    /** @type {import("./engine.js").Transport & any} */
    this.transport = null;
    /** The name of this tab, and the name under which its games were kept. @type {{id: string, from: string | null}} */
    this.tab = { id: "", from: null };
    /** @type {Rules} */
    this.rules = /** @type {any} */ (null);
    /** Whether a button of the mouse or a finger is down. */
    this.pressed = false;
    /** Whether the current press has ended a motion; such a press chooses no pit. */
    this.skipped = false;
    /** Games that were begun or opened. */
    this.games = 0;
    /** When the last move was shown. */
    this.movedAt = 0;
    useLanguage(this.settings.language);
    fillTexts();
    this.dialogs = new Dialogs(this);
    this.past = new Past(this);
    this.keeper = new Keeper(this);
    this.titles = new Titles(this);
    this.files = new GameFiles(this);
    this.earlier = new EarlierGames(this);
    addEventListener("resize", () => this.game && this.update());
    new ResizeObserver(() => showCurrent(byId("moves"))).observe(byId("moves"));
    this.board = new Board(
      byId("board"),
      (pit) => this.pick(pit),
      undefined,
      (pit) => this.preview(pit),
    );
    this.play = new Play(this);
    this.clock = new Clock(this);
    this.analysis = new Analysis(this);
    this.trial = new Trial(this);
  }

  get state() {
    return this.#state;
  }

  /** The game that is shown. */
  get game() {
    return shownGame(this.state);
  }

  get settings() {
    return this.state.view.settings;
  }

  /** The game that has the players of the one that is shown: an analysis of the game that is played has none of its own. */
  get owner() {
    const { play } = this.state.games;
    return this.game.origin === play.id ? play : this.game;
  }

  /** The players of the game shown; of a position without names, the players chosen here. @returns {import("./state.js").Seats | null} */
  get seats() {
    const { owner, state } = this;
    return owner.seats ?? (tagOf(owner.tags, "South") || tagOf(owner.tags, "North") ? null : state.games.play.seats);
  }

  /** The side of the only person, in the game or in the analysis of it; null if there are two or none. @returns {Side | null} */
  get ownSide() {
    const { seats } = this;
    const [south, north] = /** @type {const} */ (["S", "N"]).map((side) => seats?.players[side] === "person");
    return south === north ? null : south ? "S" : "N";
  }

  /** Whether the page can be used. */
  get isReady() {
    return this.state.link === "here";
  }

  /** Whether the page analyses; else a game is played. */
  get analyses() {
    return this.state.view.mode === "analyse";
  }

  /** Changes the state and draws it. @param {import("./state.js").Change} [change] */
  update(change = {}) {
    this.#state = next(this.state, change);
    render(this, change.view?.said !== undefined);
  }

  /** Changes the user's settings, and keeps them. @param {Partial<Settings>} settings */
  choose(settings) {
    this.update({ view: { settings: Object.freeze({ ...this.settings, ...settings }) } });
    keep("settings", this.settings);
  }

  async begin() {
    const link = linkHere();
    this.tab = await nameTab(link !== null);
    this.transport = await transport({ lost: () => this.lose(), back: () => beginAgain(this.tab?.id ?? "") }, this.tab.id);
    this.rules = new Rules(this.transport);
    addEventListener("unhandledrejection", (event) => this.sayError(event.reason));
    // The request that opens the connection carries everything that the first move needs.
    const [games] = await Promise.all([restoreGames(this), this.rules.introduce(), this.transport.connected]);
    // The link stays until now: if the server refuses the token, the page begins again with it.
    if (link) removeLink();
    let refusal = "";
    const linked = link && (await gameOf(link, this.rules).catch((error) => void (refusal = errorText(error))));
    if (linked) games.analyse = Object.assign(linked, { seen: games.play.stamp });
    this.update({ game: games.play, ...(games.analyse && { analyse: games.analyse }), view: { mode: "play" } });
    this.play.fill();
    this.analysis.fill();
    listen(this);
    this.setMode((link && !refusal) || this.settings.mode === "analyse" ? "analyse" : "play");
    await this.go(this.game.current);
    this.update({ link: "here" });
    if (refusal) this.say(t("refusal", { error: refusal }));
    this.play.step();
    await this.titles.ask();
  }

  /** The page cannot begin: says why and gives advice. @param {Error} error */
  fail(error) {
    // Only a page that has a server has a token.
    if (error.name === "WrongToken") this.transport?.awaitToken(() => beginAgain(this.tab.id));
    this.stopWith(error.name === "WrongToken" ? t("wrongToken") : t("noServer", { error: error.message }));
  }

  /** Nothing can be done any more; a banner says why. @param {string} text */
  stopWith(text) {
    byId("said").textContent = "";
    showBanner(text);
    for (const part of document.querySelectorAll("main, [role=tablist], #rules, #keys")) part.toggleAttribute("inert", true);
  }

  /** The server is gone. When it is back, the page begins again with the game that it has kept. */
  lose() {
    this.update({ link: "offline" });
    this.stopWith(t("lost"));
    this.analysis.stop();
    this.play.halt();
  }

  /** Makes another game the current one. @param {Game} game */
  async take(game) {
    this.board.skip();
    if (this.analyses) game.seen = this.state.games.play.stamp;
    else game.seats ??= this.state.games.play.seats;
    // A search of lines goes on with the other game.
    const search = this.state.view.search === "lines" ? "lines" : "";
    this.update({ game, moving: null, view: { search } });
    this.play.begin();
    await this.go(game.current);
    document.body.dataset.games = String(++this.games);
    closeSheet();
    if (!this.titles.of(game.variant)) await this.titles.ask();
    this.play.step();
  }

  /** Begins another game with the moves to the position that is shown. */
  async playHere() {
    const { play } = this.state.games;
    const { clock } = this.owner;
    const [seats, { current }] = [this.seats ?? play.seats, this.game];
    const game = Object.assign(this.game.upTo(current), { seats, clock: clock && after(clock, current.ply, Date.now()) });
    this.setMode("play");
    this.past.remember("playHere", game.current.ply);
    this.play.halt();
    await this.take(game);
  }

  /** @param {"play" | "analyse"} mode */
  setMode(mode) {
    if (mode === "analyse" && !this.analyses) beginAnalysis(this);
    else this.update({ view: { mode, marks: null } });
    this.keep();
    this.play.offer();
    this.choose({ mode });
    if (mode === "play") this.analysis.stop();
    if (!this.isReady) return;
    this.say(this.sentence(this.game.current));
    if (this.game.current.legal === null) this.go(this.game.current);
    if (mode === "play") this.play.step();
    else this.play.halt();
  }

  /** A pit was chosen. @param {string} pit */
  async pick(pit) {
    const { game } = this;
    if (this.skipped || this.state.phase === "animating" || !this.isReady) return;
    const from = game.current;
    if (!this.analyses && from !== game.root.leaf()) return this.go(game.root.leaf());
    if (!this.analyses && !this.play.mayMove()) return;
    if (this.trial.judges(pit)) return;
    if (!this.analyses) this.past.moved();
    else if (from.legal?.includes(pit) && !from.children.some(({ move }) => move === pit)) this.past.remember("move");
    this.keeper.notice = "";
    this.update({ moving: from });
    try {
      await this.move(from, pit);
    } catch (error) {
      return this.sayError(error);
    } finally {
      if (this.state.moving === from) this.update({ moving: null });
    }
    if (!this.analyses) this.play.step();
  }

  /**
   * Makes a move from a node, unless it is no longer wanted when its steps are known, and shows it if the node is shown. An error says
   * why it is not legal.
   * @param {Node} from
   * @param {string} move
   * @param {() => boolean} [isWanted]
   */
  async move(from, move, isWanted = () => true) {
    const { game } = this;
    const telling = await this.rules.tell(game.variant, game.start, from.moves(), move);
    if (!isWanted()) return from;
    if (game !== this.game) {
      // The move is made even if the user looks at another position.
      if (!Object.values(this.state.games).includes(game)) return from;
      const node = game.add(from, telling);
      if (game.current === from) game.current = node;
      this.keep();
      return node;
    }
    const node = game.add(from, telling);
    if (game.current !== from) {
      // The user has moved to another position, which stays in view.
      this.keep();
      this.update();
      this.say(this.sentence(node));
      return node;
    }
    await this.go(node);
    return node;
  }

  /** Shows a position of the game; a move to it from the position shown is animated. @param {Node} node */
  async go(node) {
    const { game } = this;
    const from = game.current;
    const isStep = node.parent === from && node.told;
    this.update({ node, moving: isStep ? node : null, view: { marks: null } });
    this.keep();
    if (isStep && node.told) {
      if (this.settings.sound) soundOf(node.told);
      if (!isStill()) this.say(moveSentence(node.told, this.play.nameOf(sideOf(node.move))));
      await showMove(this.board, parsePosition(from.fen), node.told, { speed: this.settings.speed, flip: this.play.isFlipped() });
      if (this.game !== game || game.current !== node) return;
    }
    if (node.legal === null) {
      const telling = await this.rules.tell(game.variant, game.start, node.moves(), "");
      game.add(node, telling);
      if (this.game !== game || game.current !== node) return;
    }
    this.movedAt = performance.now();
    this.keep();
    this.update({ moving: null, view: { said: this.sentence(node) } });
    this.analysis.moved();
  }

  /** Shows where the last seed of a move would fall. @param {string} pit empty for none */
  async preview(pit) {
    const { current } = this.game ?? {};
    const place = pit && current ? await this.landing(current, pit) : "";
    if (!pit || (this.game.current === current && this.board.legal.includes(pit))) this.board.preview(place);
  }

  /** The place where the last seed of a move falls; empty for an illegal move. @param {Node} node @param {string} pit */
  async landing(node, pit) {
    const { game } = this;
    const tell = () => this.rules.tell(game.variant, game.start, node.moves(), pit).catch(() => null);
    node.landed[pit] ??= (await tell())?.plies[0]?.laps.at(-1)?.places.at(-1) ?? "";
    return node.landed[pit];
  }

  /** The sentence about a position. @param {Node} node */
  sentence(node) {
    if (this.trial.mistake?.parent === node) return this.trial.question();
    const parts = node.told ? [moveSentence(node.told, this.play.nameOf(sideOf(node.move)))] : [];
    if (!node.parent && this.play.fair.has(this.game)) parts.push(t("fairSaid"));
    const over = outcomeSentence(this.game, node);
    if (over) parts.push(over);
    else if (!this.analyses) parts.push(node === this.game.root.leaf() ? this.play.turnSentence(node) : t("earlier"));
    return [...parts, ...(this.keeper.notice ? [this.keeper.notice] : [])].join(" ");
  }

  /** Shows an error and advice. @param {unknown} error */
  sayError(error) {
    // A banner says that the server is gone.
    if (this.state.phase === "offline") return;
    if (!(error instanceof Gone)) this.say(t("refusal", { error: errorText(error) }));
    else this.say(t(error.mute ? "mute" : "rulesGone", { name: error.message }));
  }

  /** @param {string} text */
  say(text) {
    this.update({ view: { said: text } });
  }

  /** Whether moves are seen at once, one after the other, because nothing may move. */
  isHeld() {
    return isStill() && this.settings.speed !== "none";
  }

  /** Keeps the games as they are now. */
  keep() {
    this.keeper.keep();
  }

  /** Changes the language of all texts. @param {string} language */
  setLanguage(language) {
    this.choose({ language });
    useLanguage(language);
    fillTexts();
    this.play.players.fillLists();
    this.analysis.fillLists();
    this.board.draw();
    this.update();
    this.say(this.sentence(this.game.current));
  }
}
