// The clocks of people: each runs while its side is to move, gains its increment with a move, and ends the game at zero.

import { byId } from "./dom.js";
import { parsePosition } from "./notation.js";

/** How often a clock that runs is drawn, in milliseconds. */
const TICK = 100;

/** @typedef {"S" | "N"} Side */
/** @typedef {Record<Side, number>} Times the time that each side has left, in milliseconds */

export class Clock {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    /** The side whose clock runs, since when, and after which moves. @type {{side: Side, since: number, game: import("./game.js").Game, plies: number} | null} */
    this.running = null;
    setInterval(() => this.tick(), TICK);
  }

  /** The times at the beginning of a game; null without clocks. @returns {Times | null} */
  fresh() {
    const { minutes } = this.app.settings;
    return minutes > 0 ? { S: 60000 * minutes, N: 60000 * minutes } : null;
  }

  /** The side whose clock has to run: that of a person, once the game has a move. @returns {Side | null} */
  get due() {
    const { app } = this;
    const game = app.state.games.play;
    const leaf = game.root.leaf();
    const { side } = parsePosition(leaf.fen);
    if (!game.clock || app.analyses || !app.isReady || !leaf.parent || game.outcome() || app.play.paused) return null;
    return app.play.isPerson(side) ? side : null;
  }

  /** The time that a side has left, in milliseconds. @param {Side} side */
  left(side) {
    const { running } = this;
    const { clock } = this.app.state.games.play;
    return (clock?.[side] ?? 0) - (running?.side === side ? performance.now() - running.since : 0);
  }

  /** Lets the clock run that has to, after anything has changed. */
  update() {
    const game = this.app.state.games.play;
    const { due, running } = this;
    const plies = game.root.leaf().ply;
    if (running && running.game === game && running.side === due && running.plies === plies) return this.draw();
    if (running?.game.clock) {
      const { clock } = running.game;
      clock[running.side] = Math.max(0, clock[running.side] - (performance.now() - running.since));
      if (running.game === game && plies > running.plies) clock[running.side] += 1000 * this.app.settings.increment;
    }
    this.running = due && { side: due, since: performance.now(), game, plies };
    this.draw();
  }

  tick() {
    const { running, app } = this;
    if (!running) return;
    if (this.left(running.side) > 0) return this.draw();
    this.update();
    app.play.flag(running.side);
  }

  /** Shows the times in the strips. */
  draw() {
    const { app } = this;
    const isShown = app.state.games.play.clock !== null && !app.analyses;
    const bottom = app.play.isFlipped() ? "N" : "S";
    for (const [place, side] of /** @type {[string, Side][]} */ ([
      ["bottom", bottom],
      ["top", bottom === "S" ? "N" : "S"],
    ])) {
      const field = byId(`clock-${place}`);
      field.hidden = !isShown || !app.play.isPerson(side);
      const seconds = Math.max(0, this.left(side)) / 1000;
      const whole = seconds < 10 ? Math.floor(seconds * 10) / 10 : Math.ceil(seconds);
      const rest = seconds < 10 ? (whole % 60).toFixed(1) : String(whole % 60);
      field.textContent = `${Math.floor(whole / 60)}:${rest.padStart(seconds < 10 ? 4 : 2, "0")}`;
      field.classList.toggle("runs", this.running?.side === side);
    }
  }
}
