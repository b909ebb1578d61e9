// How seeds move on a board: lifted, dropped one by one, captured.

import { isStill } from "./dom.js";
import { sideOf } from "./notation.js";

/** Milliseconds: a lift, a drop, a capture's pulse, and all drops of a move at the most. */
const LIFT = 120;
const DROP = 150;
const PULSE = 200;
const LONGEST = 3200;
/** How much longer than normal a move takes; 0 for no motion. @type {Record<string, number>} */
export const SPEEDS = { slow: 2, normal: 1, fast: 0.45, none: 0 };

/** @typedef {import("./board.js").Board} Board */
/** @typedef {Pick<import("./notation.js").Told, "move" | "laps" | "captures">} Sown the seeds that a move has moved */

/** The end of an animation. A timer also ends it, because a page in the background has no frames. @param {Animation} animation @param {number} ms */
async function finished(animation, ms) {
  await Promise.race([animation.finished, new Promise((done) => setTimeout(done, ms + 60))]).catch(() => {});
}

/**
 * Moves the seeds in the hand from one place to another on an arc. Returns whether the move is still shown.
 * @param {Board} board @param {number} flight @param {string} from @param {string} to @param {number} ms
 */
async function carry(board, flight, from, to, ms) {
  const [start, end] = [board.middle(from), board.middle(to)];
  const rise = Math.min(28, 8 + Math.hypot(end.x - start.x, end.y - start.y) * 0.12);
  const at = (/** @type {number} */ x, /** @type {number} */ y) => ({ transform: `translate(${x}px, ${y}px)` });
  const frames = [at(start.x, start.y - 6), at((start.x + end.x) / 2, (start.y + end.y) / 2 - rise), at(end.x, end.y - 6)];
  const animation = board.hand.animate(frames, { duration: ms, easing: "ease-in-out", fill: "forwards" });
  await finished(animation, ms);
  const goesOn = flight === board.flight;
  // The next flight begins where this one ended.
  if (goesOn) board.hand.style.transform = `translate(${end.x}px, ${end.y - 6}px)`;
  animation.cancel();
  return goesOn;
}

/**
 * Lets the seeds of a move fly, lap by lap, and then its captures. Ends early if something else is shown, or by `board.skip()`.
 * @param {Board} board
 * Returns whether nothing else was shown meanwhile.
 * @param {Sown} told
 * @param {string} speed a name in `SPEEDS`
 */
export async function sow(board, told, speed) {
  const factor = SPEEDS[speed] ?? 1;
  if (isStill() || factor === 0) return true;
  const flight = ++board.flight;
  board.isIdle = false;
  const steps = told.laps.reduce((sum, lap) => sum + lap.places.length, 0);
  const drop = factor * Math.max(4, Math.min(DROP, LONGEST / Math.max(steps, 1)));
  for (const { from, places } of told.laps) {
    board.put(from, 0);
    board.hold(places.length, from);
    const lift = board.hand.animate([{ opacity: 0.6 }, { opacity: 1 }], { duration: LIFT * factor, easing: "ease-out" });
    await finished(lift, LIFT * factor);
    if (flight !== board.flight) return false;
    let at = from;
    for (let left = places.length; left > 0; left--) {
      const to = places[places.length - left];
      board.hold(left, at);
      if (!(await carry(board, flight, at, to, drop))) return false;
      board.put(to, board.seedsIn(to) + 1);
      at = to;
    }
  }
  const store = sideOf(told.move);
  for (const [pit, seeds] of told.captures) {
    board.hold(0, pit);
    board.pulse(pit, true);
    await new Promise((done) => setTimeout(done, PULSE * factor));
    if (flight !== board.flight) return false;
    board.pulse(pit, false);
    board.put(pit, board.seedsIn(pit) - seeds);
    board.hold(seeds, pit);
    if (!(await carry(board, flight, pit, store, 2 * DROP * factor))) return false;
    board.put(store, board.seedsIn(store) + seeds);
  }
  board.hold(0, store);
  board.isIdle = true;
  return true;
}
