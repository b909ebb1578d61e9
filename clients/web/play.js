// A game against an engine, of two engines, or of two people.

import { byId } from "./dom.js";
import { fresh } from "./clock.js";
import { Gone, Refused } from "./engine.js";
import { FairStarts } from "./fair.js";
import { Game } from "./game.js";
import { otherSide, parsePosition, sideOf, southScore, tagOf } from "./notation.js";
import { Players } from "./players.js";
import { swapped } from "./state.js";
import { errorText, outcomeSentence, scoreText, shortScore, sideName, t } from "./texts.js";

/** @typedef {"S" | "N"} Side */

/** How long a move is shown before its answer when motion is off, in milliseconds. */
const HOLD = 400;

export class Play {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    /** The number of the step, which identifies answers to earlier questions. */
    this.turn = 0;
    /** When the side to move began to think. */
    this.began = 0;
    /** The position where an engine must play at once. @type {import("./game.js").Node | null} */
    this.hurried = null;
    /** The state of the game when an engine was last restarted. */
    this.restarted = "";
    this.fair = new FairStarts(app);
    this.players = new Players(app, () => {
      // The sentence names the player.
      if (app.isReady && !app.analyses) app.say(app.sentence(app.game.current));
      this.step();
    });
  }

  /** Fills what can be chosen, and listens. */
  fill() {
    this.players.fill();
    this.fair.offer();
    byId("variant").addEventListener("change", () => this.newGame(byId("variant").value));
  }

  /** The game that is played, whether it is shown or not. */
  get game() {
    return this.app.state.games.play;
  }

  /** @param {boolean} paused whether the engines wait */
  pause(paused) {
    this.game.paused = paused;
    this.app.keep();
    this.app.update();
  }

  /** Lets the engines wait, or go on. */
  turnPause() {
    this.pause(!this.game.paused);
    if (this.game.paused) this.halt();
    this.app.say(this.app.sentence(this.app.game.current));
    this.step();
  }

  /** The side of the only person; null if there are two or none, or in an analysis. @returns {Side | null} */
  get person() {
    return this.app.analyses ? null : this.game.person;
  }

  /** How sentences name a side. @param {Side} side */
  nameOf(side) {
    return side === this.person ? t("you") : sideName(side);
  }

  /** A side with its player; two people at one board, and those of an analysis, are named by their own names only. @param {Side} side */
  labelOf(side) {
    const { analyses, owner: game } = this.app;
    const { seats } = game;
    const hasNames = seats && ["S", "N"].some((one) => seats.names[/** @type {Side} */ (one)] && game.isPerson(/** @type {Side} */ (one)));
    const isBare = analyses ? !hasNames : seats && !seats.names[side] && game.isPerson(otherSide(side)) && game.isPerson(side);
    const own = () => (!seats || isBare ? "" : game.isPerson(side) && !seats.names[side] && !analyses ? t("you") : this.players.nameOf(seats, side));
    const name = tagOf(this.app.game.tags, side === "S" ? "South" : "North") ?? own();
    return name ? t("sidePlayer", { side: sideName(side), name }) : sideName(side);
  }

  /** Whether North's row is below: as the user has turned the board, and when the person plays North only. An analysis keeps it so. */
  isFlipped() {
    return this.app.settings.flip !== (this.app.ownSide === "N");
  }

  /** A new game from the start of this one, unless no move is possible there, with its clocks. @param {{swaps?: boolean}} [how] */
  rematch({ swaps = false } = {}) {
    const { variant, start, root } = this.game;
    return this.newGame(variant, { start: root.result === "*" ? start : null, clocks: true, swaps });
  }

  /** Another game has begun. */
  begin() {
    this.turn++;
    this.began = performance.now();
    this.offer();
  }

  /** Offers the players and fair starts of the game shown. */
  offer() {
    this.players.offer();
    this.fair.offer();
  }

  /** No side is to move for now. */
  halt() {
    this.turn++;
    this.hurried = null;
    this.players.each((engine) => engine.stop());
  }

  /**
   * A new game of the same players, who swap sides if asked, with the clocks of this game or with those of the settings.
   * @param {string} variant
   * @param {{start?: string | null, clocks?: boolean, swaps?: boolean}} [how]
   */
  async newGame(variant = this.game.variant, { start = null, clocks = false, swaps = false } = {}) {
    const { app } = this;
    const game = await Game.begin(variant, start, app.rules);
    // Players and clocks may have been changed while the engine was asked.
    const { seats, clock } = this.game;
    Object.assign(game, { seats: swaps && seats ? swapped(seats) : seats, clock: fresh((clocks && clock) || app.settings) });
    app.past.remember("newGame");
    this.halt();
    this.players.each((engine) => engine.alone(() => engine.ask("ucinewgame")));
    await app.take(game);
  }

  isOver() {
    return this.game.outcome() !== null;
  }

  /** Whether a person can move in the position that is shown. */
  mayMove() {
    const { app, game } = this;
    return app.state.phase === "person" && game.current === game.root.leaf();
  }

  /** The engine to move plays at once, even if it has not begun to think. */
  moveNow() {
    this.hurried = this.game.root.leaf();
    return this.players.each((engine) => engine.stop());
  }

  /** The time for a move is another one: so it is for the move that an engine thinks about. */
  timeChanged() {
    if (!this.isThinking) return;
    if (performance.now() - this.began >= 1000 * this.app.settings.time) return this.moveNow();
    this.players.each((engine) => engine.stop());
    return this.step(this.began);
  }

  /** Whether an engine is to move and does not wait. */
  get isThinking() {
    return this.app.state.phase === "thinking";
  }

  /** An engine does not play on: its player can be tried again, or changed. @param {Side} side @param {Gone} error @param {string} name */
  async lose(side, error, name) {
    const { app } = this;
    this.players.forget(side);
    const isNew = !error.mute && this.restarted !== this.game.stamp;
    this.restarted = this.game.stamp;
    if (isNew) return this.step();
    this.pause(true);
    app.say(t(error.mute ? "mute" : "gone", { name }));
  }

  /** Lets the side to move act. @param {number} [began] when it began to think */
  async step(began = performance.now()) {
    const { app } = this;
    const turn = ++this.turn;
    this.began = began;
    const { game } = this;
    const leaf = game.root.leaf();
    const { side } = parsePosition(leaf.fen);
    if (this.isOver()) return this.tellTheEnd(leaf);
    if (app.analyses || game.isPerson(side) || game.isHeld() || !game.seats) return;
    const name = this.players.nameOf(game.seats, side);
    try {
      const engine = await this.players.engineOf(side);
      if (turn !== this.turn) return;
      let last = /** @type {any} */ (null);
      const move = await engine.alone(async () => {
        if (turn !== this.turn) return "";
        const left = this.hurried === leaf ? 0 : app.settings.time * 1000 - (performance.now() - began);
        const limits = `movetime ${Math.max(1, Math.round(left))}`;
        return engine.go(game.start, leaf.moves(), limits, (info) => info.score && (info.multipv ?? 1) === 1 && (last = info));
      });
      if (turn !== this.turn) return;
      const time = performance.now() - began;
      // Where nothing may move, the move before is seen for a moment.
      const hold = app.isHeld() ? HOLD - (performance.now() - app.movedAt) : 0;
      if (hold > 0) await new Promise((done) => setTimeout(done, hold));
      if (turn !== this.turn) return;
      await this.play(leaf, move, name, last, time);
    } catch (error) {
      if (turn !== this.turn) return;
      if (error instanceof Gone) await this.lose(side, error, name);
      else app.sayError(error);
    }
  }

  /**
   * Makes an engine's move.
   * @param {import("./game.js").Node} leaf @param {string} move @param {string} name @param {any} info @param {number} time
   */
  async play(leaf, move, name, info, time) {
    const { app } = this;
    const turn = this.turn;
    let node = leaf;
    try {
      // A pause, or another game, may come while the steps of the move are asked for.
      node = await app.move(leaf, move, () => turn === this.turn);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.pause(true);
      app.say(t("illegal", { name, error: errorText(error) }));
      return;
    }
    if (node === leaf) return;
    const cp = info?.score?.cp;
    if (cp !== undefined) node.comment = `${cp < 0 ? "" : "+"}${(cp / 100).toFixed(2)}/${info.depth ?? 0} ${(time / 1000).toFixed(3)}s`;
    app.keep();
    if (turn === this.turn) await this.step();
  }

  /** Tells learning players how the game ended. @param {import("./game.js").Node} leaf */
  async tellTheEnd(leaf) {
    const { start } = this.game;
    const line = `position ${start ? `fen ${start}` : "startpos"}${leaf.ply ? ` moves ${leaf.moves()}` : ""}`;
    await this.players.each((engine) => engine.alone(() => engine.ask(line)));
  }

  /** The instruction for a person. @param {import("./game.js").Node} node */
  turnSentence(node) {
    const { side } = parsePosition(node.fen);
    if (this.game.isHeld()) return t("paused");
    if (!this.game.isPerson(side)) return t("thinks", { side: sideName(side) });
    const again = node.told !== null && sideOf(node.move) === side;
    if (side === this.person) return t(again ? "yourTurnAgain" : "yourTurn");
    return t(again ? "sideTurnAgain" : "sideTurn", { side: sideName(side) });
  }

  /**
   * The moves that are left when the last turn of a person is taken back, or else the last move, or else an agreed end; null if
   * fewer than these would be left.
   * @param {number} least
   */
  pliesBefore(least) {
    const { game } = this;
    let node = game.root.leaf();
    if (game.settled() && node.ply >= least) return node.ply;
    const people = game.isPerson("S") || game.isPerson("N");
    do {
      if (!node.parent || node.ply <= least) return null;
      node = node.parent;
    } while (people && !game.isPerson(parsePosition(node.fen).side));
    return node.ply;
  }

  /** Shows the best move, with its score for the person, or from the view of the analysis. */
  async hint() {
    const { app, person } = this;
    const node = app.game.current;
    const view = person ?? app.analysis.side;
    app.say(t("hinting"));
    const search = app.analysis.alone("0", async (engine, goesOn) => {
      const { side } = parsePosition(node.fen);
      let [score, short] = ["", ""];
      await engine.set("MultiPV", 1);
      const limits = `movetime ${Math.round(Math.min(app.settings.time, 3) * 1000)}`;
      const move = await engine.go(app.game.start, node.moves(), limits, (info) => {
        const seen = info.score && southScore(southScore(info.score, side), view);
        if (seen) [score, short] = [scoreText(seen), shortScore(seen)];
      });
      if (!goesOn() || app.game.current !== node) return;
      app.update({ view: { marks: { [move]: { ring: "best", value: short } } } });
      app.say(t(person ? "hintedYou" : "hinted", { move, score, side: sideName(view) }));
    });
    await search.catch((/** @type {unknown} */ error) => app.analysis.sayError(error));
    // The search of an analysis, which the hint has ended, begins again.
    app.analysis.moved();
  }

  /** The time of a side has run out, whatever is shown. @param {Side} side */
  flag(side) {
    return this.lost(side, "flag", "time forfeit");
  }

  async resign() {
    if (this.isOver()) return;
    const { game } = this;
    const { side } = parsePosition(game.root.leaf().fen);
    return this.lost(game.isPerson(side) || !game.isPerson(otherSide(side)) ? side : otherSide(side), "resign", "resignation");
  }

  /** A side has lost, though the rules let the game go on. @param {Side} side @param {string} what @param {string} termination */
  async lost(side, what, termination) {
    const { app, game } = this;
    const leaf = game.root.leaf();
    app.past.remember(what, leaf.ply, "play");
    this.halt();
    game.settle(side === "S" ? "0-1" : "1-0", termination);
    if (!app.analyses) await app.go(leaf);
    else app.say(outcomeSentence(game, leaf));
    app.keep();
    this.step();
  }

  /** Shows which buttons do something. */
  update() {
    const { app, game } = this;
    const over = this.isOver();
    byId("variant").value = game.variant;
    byId("fair").hidden = !this.fair.of(game.variant).length;
    byId("hint").disabled = app.analyses ? app.game.current.result !== "*" : !this.mayMove();
    byId("resign").disabled = over;
    byId("now").disabled = !this.isThinking;
    byId("pause").textContent = t(game.paused ? "goOn" : "pause");
    byId("pause").disabled = over || (game.isPerson("S") && game.isPerson("N"));
    this.players.show();
  }
}
