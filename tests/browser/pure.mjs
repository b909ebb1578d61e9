// What needs no browser: the phases of a tab, the clocks, and the game as a value. node tests/browser/pure.mjs

import assert from "node:assert/strict";
import * as clocks from "../../clients/web/clock.js";
import { analysisOf, Game } from "../../clients/web/game.js";
import { linkTo } from "../../clients/web/link.js";
import { accuracyOf } from "../../clients/web/mistakes.js";
import { parseReview } from "../../clients/web/notation.js";
import { FOLLOWS, next, phaseOf, SETTINGS, seatsOf, swapped, VIEW } from "../../clients/web/state.js";
import { isRight } from "../../clients/web/trial.js";
import { gameOf, keptOf, linkOf } from "../../clients/web/untrusted.js";

const START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
const seats = seatsOf({ ...SETTINGS, players: { S: "person", N: "level:beginner" } });

/** A game by these moves, whose positions have only the side to move. @param {string} moves */
function gameBy(moves) {
  const game = Object.assign(new Game("oware", null, START), { seats });
  const plies = [...moves].map((move) => ({ move, fen: START.replace("S", move < "a" ? "N" : "S"), laps: [], captures: [], awarded: [0, 0], end: "" }));
  const told = { plies, fen: plies.at(-1)?.fen ?? START, legal: "ABCDEFabcdef", result: "*" };
  game.current = game.add(game.root, /** @type {any} */ (told));
  return game;
}

// Every pair of phases: the table says which may follow which, and nothing else does.
/** A change that leads to each phase, from whatever was before. @type {Record<string, () => import("../../clients/web/state.js").Change>} */
const CHANGES = {
  loading: () => ({ link: "loading" }),
  offline: () => ({ link: "offline" }),
  person: () => ({ link: "here", game: gameBy("Ff"), moving: null, view: { mode: "play" } }),
  thinking: () => ({ link: "here", game: gameBy("F"), moving: null, view: { mode: "play" } }),
  paused: () => ({ link: "here", game: Object.assign(gameBy("F"), { paused: true }), moving: null, view: { mode: "play" } }),
  over: () => {
    const game = gameBy("F");
    game.settle("0-1", "resignation");
    return { link: "here", game, moving: null, view: { mode: "play" } };
  },
  analysing: () => ({ link: "here", game: gameBy("F"), moving: null, view: { mode: "analyse" } }),
  animating: () => {
    const game = gameBy("F");
    return { link: "here", game, moving: game.current, view: { mode: "play" } };
  },
};
/** The first state, and the one in a phase. @param {string} phase */
const begun = (phase) => {
  const first = { games: { play: gameBy(""), analyse: gameBy("") }, view: VIEW, link: "loading", moving: null, phase: "loading" };
  const here = phase === "animating" ? next(/** @type {any} */ (first), CHANGES.person()) : first;
  return phase === "loading" ? first : next(/** @type {any} */ (here), CHANGES[phase]());
};
const PHASES = Object.keys(FOLLOWS);
assert.deepEqual(PHASES.sort(), Object.keys(CHANGES).sort());
for (const from of PHASES) {
  for (const to of PHASES) {
    const before = /** @type {any} */ (begun(from));
    assert.equal(before.phase, from);
    const after = next(before, CHANGES[to]());
    const may = from === to || FOLLOWS[/** @type {keyof typeof FOLLOWS} */ (from)].includes(/** @type {any} */ (to));
    // A page that was there never loads again: the change is that of the rest.
    const wanted = to === "loading" && from !== "offline" ? from : may ? to : from;
    assert.equal(after.phase, wanted, `${from}, then ${to}`);
  }
}
// A motion ends when anything else is shown, whoever forgets to say so.
{
  const moving = /** @type {any} */ (begun("animating"));
  assert.equal(next(moving, { view: { mode: "analyse" } }).phase, "analysing");
  assert.equal(next(next(moving, { view: { mode: "analyse" } }), { view: { mode: "play" } }).phase, "thinking");
  assert.equal(next(moving, { view: { said: "x" } }).phase, "animating");
  assert.equal(next(moving, { node: moving.games.play.root }).phase, "thinking");
  assert.equal(phaseOf({ ...moving, link: "offline" }), "offline");
}

// A clock is a function of the turns and the time.
{
  let clock = /** @type {clocks.Times} */ (clocks.fresh({ minutes: 5, increment: 10 }));
  const left = (/** @type {"S" | "N"} */ side, /** @type {number} */ plies, /** @type {number} */ now) => clocks.left(clock, plies, side, now) / 1000;
  assert.equal(clocks.fresh({ minutes: 0, increment: 10 }), null);
  clock = clocks.started(clock, "N", 1, 1000);
  assert.deepEqual([left("S", 1, 61000), left("N", 1, 61000)], [300, 240]);
  // The page was seen after a minute; then it was closed for a day.
  clock = clocks.resumed(clocks.seenAt(clock, 61000));
  assert.deepEqual([left("N", 1, 9e7), clock.running], [240, null]);
  clock = clocks.started(clock, "N", 1, 9e7);
  clock = clocks.stopped(clock, 9e7 + 30000);
  // A move gains the increment once, however often it is undone and made again.
  assert.deepEqual([left("N", 1, 0), left("N", 2, 0), left("N", 1, 0), left("N", 2, 0)], [210, 220, 210, 220]);
  assert.deepEqual(clock.turns, [{ ply: 1, side: "N", used: 90000 }]);
  // From an earlier position the clocks are those of then.
  clock = clocks.started(clock, "S", 2, 1e8);
  assert.deepEqual(clocks.after(clock, 1, 1e8 + 5000).turns, []);
  assert.deepEqual(clocks.after(clock, 3, 1e8 + 5000).turns.length, 2);
  // A clock that is put back gives nothing back.
  assert.equal(left("S", 2, 9e7), 300);
  assert.deepEqual(["9:59", "0:09.9", "0:00.0"], [598100, 9990, -5].map(clocks.clockText));
  // It runs for people, once the game has a move, from when a move can be made, in an analysis too.
  const timed = (/** @type {string} */ moves) => Object.assign(gameBy(moves), { clock: clocks.fresh({ minutes: 1, increment: 0 }) });
  const runs = [timed(""), timed("F"), timed("Ff"), Object.assign(timed("Ff"), { paused: true })].map((game) => clocks.due(game, "person"));
  assert.deepEqual(runs, [null, null, "S", null]);
  for (const [phase, side] of Object.entries({ animating: null, person: "S", analysing: "S", offline: null, loading: null }))
    assert.equal(clocks.due(timed("Ff"), /** @type {any} */ (phase)), side, phase);
  const running = Object.assign(timed("Ff"), { clock: clocks.started(/** @type {any} */ (timed("Ff").clock), "S", 2, 5) });
  assert.equal(clocks.due(running, "animating"), "S", "a look back stops the clock");
}

// A game is one value: what is kept of it is all of it.
{
  const game = gameBy("FfE");
  game.add(
    game.root,
    /** @type {any} */ ({ plies: [{ move: "A", fen: START.replace("S", "N"), laps: [], captures: [] }], fen: START, legal: "", result: "*" }),
  );
  const score = { cp: 120, proven: "win", found: null, bound: true, mate: null };
  game.root.values = /** @type {any} */ ({ F: score });
  Object.assign(game.main()[0], { judged: { loss: 12.5 }, values: { f: score }, score, mark: { sign: "?", line: "A", score, loss: 70 }, comment: "so" });
  game.main()[1].judged = { loss: null };
  const clock = clocks.started(/** @type {any} */ (clocks.fresh({ minutes: 3, increment: 2 })), "N", 1, 50);
  Object.assign(game, { paused: true, clock, seats: swapped(seats), origin: "x", seen: "y" });
  game.settle("1-0", "resignation");
  const text = JSON.stringify(game.pack());
  assert.deepEqual(gameOf(JSON.parse(text)), JSON.parse(text));
  /** An engine that knows the moves of this game. */
  const engine = {
    tell: async (/** @type {any} */ _, /** @type {any} */ __, /** @type {string} */ before, /** @type {string} */ moves) => {
      const plies = gameBy(before + moves)
        .main()
        .slice(before.length)
        .map((node) => node.told);
      return { plies, fen: plies.at(-1)?.fen ?? START, legal: "", result: "*" };
    },
  };
  const again = await Game.unpack(/** @type {any} */ (gameOf(JSON.parse(text))), /** @type {any} */ (engine));
  assert.equal(again.clock?.running, null, "a clock runs on in a page that was closed");
  const same = (/** @type {Game} */ one) => JSON.stringify({ ...one.pack(), clock: null });
  assert.equal(same(again), same(game));
  assert.equal(JSON.stringify(again.pack().clock), JSON.stringify(clocks.resumed(clock)));
  // A clone is the same game; a copy is another one.
  assert.equal(same(game.clone()), same(game));
  assert.notEqual(game.copy().id, game.id);
  assert.equal(game.analysis().id, analysisOf(game.id));
  const shorter = game.upTo(game.main()[0]);
  assert.deepEqual([shorter.seats, shorter.clock?.minutes, shorter.root.leaf().moves()], [game.seats, 3, "F"]);
  assert.equal(keptOf({ game: game.pack(), tab: "t", time: 5, result: "won" })?.result, "*");
  assert.equal(keptOf({ game: { ...game.pack(), id: "" }, tab: "t", time: 5 }), null);

  // A link in a variation holds the game as well.
  globalThis.location = /** @type {any} */ ({ origin: "http://x", pathname: "/" });
  game.current = game.root.children[1];
  const link = linkOf(new URL(linkTo(game)).hash);
  assert.deepEqual(link, { variant: "oware", start: null, moves: "FfE", line: "A", at: 1 });

  // The accuracy is that of the moves with a choice, once all are judged.
  assert.equal(accuracyOf(game), null);
  game.main()[2].judged = { loss: 2.5 };
  assert.deepEqual(accuracyOf(game), { south: "93", north: "–" });
  assert.deepEqual(parseReview("review ply 2 move f best a loss 100.0 mark ??"), { ply: 2, best: "a", loss: 100, mark: "??" });
  assert.deepEqual(parseReview("review ply 1 move E best E"), { ply: 1, best: "E", loss: null, mark: "" });
}

// A better move keeps the best result, or is nearly as good.
{
  const score = (/** @type {number} */ cp, /** @type {any} */ proven = null) => ({ cp, proven, found: null, bound: false, mate: null });
  assert(isRight(score(200, "win"), score(800, "win")), "a smaller win is a win");
  assert(!isRight(score(0, "draw"), score(100, "win")));
  assert(isRight(score(0, "draw"), score(0, "draw")) && isRight(score(60), score(100)) && !isRight(score(40), score(100)));
}
