// The clocks of people. The time left is a function of the game's turns and the time of day; a tab only records which clock runs since when.

import { byId } from "./dom.js";
import { parsePosition } from "./notation.js";

/** The intervals at which a running clock is drawn, and at which its time is saved, in milliseconds. */
const [TICK, BEAT] = [100, 1000];

/**
 * @typedef {import("./state.js").Side} Side
 * @typedef {import("./game.js").Game} Game
 * @typedef {{ply: number, side: Side, used: number}} Turn the time used for a move, in milliseconds
 * @typedef {{ply: number, side: Side, from: number, seen: number}} Running when a clock was started, and when the page was last open
 * @typedef {Readonly<{minutes: number, increment: number, turns: readonly Turn[], running: Readonly<Running> | null}>} Times
 * Minutes for the game, seconds gained by a move, and the time used. Times are those of `Date.now()`.
 */

/** Unused clocks; null without clocks. @param {{minutes: number, increment: number}} terms @returns {Times | null} */
export const fresh = ({ minutes, increment }) => (minutes > 0 ? { minutes, increment, turns: [], running: null } : null);

/** The time that a running clock has used. @param {Running} running @param {number} now */
const usedBy = ({ from, seen }, now) => Math.max(0, Math.max(now, seen) - from);

/** The time that a side has left after `plies` moves of the game, in milliseconds. @param {Times} clock @param {number} plies @param {Side} side @param {number} now */
export function left({ minutes, increment, turns, running }, plies, side, now) {
  const own = turns.filter((turn) => turn.side === side);
  const used = own.reduce((sum, turn) => sum + turn.used, running?.side === side ? usedBy(running, now) : 0);
  return 60000 * minutes + 1000 * increment * own.filter(({ ply }) => ply < plies).length - used;
}

/** Stops the clock that runs. @param {Times} clock @param {number} now @returns {Times} */
export function stopped({ running, ...clock }, now) {
  if (!running) return { ...clock, running };
  const { ply, side } = running;
  const is = (/** @type {Turn} */ turn) => turn.ply === ply && turn.side === side;
  const before = clock.turns.find(is)?.used ?? 0;
  return { ...clock, turns: [...clock.turns.filter((turn) => !is(turn)), { ply, side, used: before + usedBy(running, now) }], running: null };
}

/** Stops it at the time when the page was last open. @param {Times} clock */
export const resumed = (clock) => stopped(clock, clock.running?.seen ?? 0);

/** Starts the clock of a side. @param {Times} clock @param {Side} side @param {number} ply @param {number} now @returns {Times} */
export const started = (clock, side, ply, now) => ({ ...stopped(clock, now), running: { ply, side, from: now, seen: now } });

/** Records that the page is open. @param {Times} clock @param {number} now @returns {Times} */
export const seenAt = (clock, now) => (clock.running ? { ...clock, running: { ...clock.running, seen: Math.max(now, clock.running.seen) } } : clock);

/** The clocks as they were after `plies` moves. @param {Times} clock @param {number} plies @param {number} now @returns {Times} */
export function after(clock, plies, now) {
  const { turns, ...terms } = stopped(clock, now);
  return { ...terms, turns: turns.filter(({ ply }) => ply < plies) };
}

/**
 * The side whose clock must run: a person's, after the first move of the game, from when a move can be made.
 * @param {Game} game @param {import("./state.js").Phase} phase @returns {Side | null}
 */
export function due(game, phase) {
  const leaf = game.root.leaf();
  const { side } = parsePosition(leaf.fen);
  const { clock } = game;
  if (!clock || !leaf.parent || ["loading", "offline"].includes(phase) || game.outcome() || game.isHeld() || !game.isPerson(side)) return null;
  const runs = clock.running?.side === side && clock.running.ply === leaf.ply;
  return runs || phase !== "animating" ? side : null;
}

/** The time as text. @param {number} ms */
export function clockText(ms) {
  const seconds = Math.max(0, ms) / 1000;
  const whole = seconds < 10 ? Math.floor(seconds * 10) / 10 : Math.ceil(seconds);
  const rest = seconds < 10 ? (whole % 60).toFixed(1) : String(whole % 60);
  return `${Math.floor(whole / 60)}:${rest.padStart(seconds < 10 ? 4 : 2, "0")}`;
}

export class Clock {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    setInterval(() => this.tick(), TICK);
    // A page that is hidden may never be told that it ends.
    addEventListener("pagehide", () => app.keep());
    document.addEventListener("freeze", () => app.keep());
    document.addEventListener("visibilitychange", () => app.keep());
  }

  /** Starts or stops the clocks after a change. */
  update() {
    const game = this.app.state.games.play;
    const side = due(game, this.app.state.phase);
    const { clock } = game;
    if (clock) {
      const { running } = clock;
      const { ply } = game.root.leaf();
      if (!side && running) game.clock = stopped(clock, Date.now());
      else if (side && !(running?.side === side && running.ply === ply)) game.clock = started(clock, side, ply, Date.now());
      if (game.clock !== clock) this.app.keep();
    }
    this.draw();
  }

  tick() {
    const { app } = this;
    const game = app.state.games?.play;
    const running = game?.clock?.running;
    if (!running) return;
    if (left(/** @type {Times} */ (game.clock), game.root.leaf().ply, running.side, Date.now()) <= 0) return app.play.flag(running.side);
    if (Date.now() - running.seen >= BEAT) app.keep();
    this.draw();
  }

  /** Shows the times in the strips. */
  draw() {
    const { app } = this;
    const game = app.state.games.play;
    const bottom = app.play.isFlipped() ? "N" : "S";
    for (const [place, side] of /** @type {[string, Side][]} */ ([
      ["bottom", bottom],
      ["top", bottom === "S" ? "N" : "S"],
    ])) {
      const field = byId(`clock-${place}`);
      field.hidden = !game.clock || (app.analyses && app.game.origin !== game.id) || !game.isPerson(side);
      if (game.clock) field.textContent = clockText(left(game.clock, game.root.leaf().ply, side, Date.now()));
      field.classList.toggle("runs", game.clock?.running?.side === side);
    }
  }
}
