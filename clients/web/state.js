// The state of a tab: its games, the view of them, and one phase. A table lists the allowed changes of phase.

import { parsePosition } from "./notation.js";

/**
 * @typedef {"loading" | "person" | "thinking" | "paused" | "over" | "analysing" | "animating" | "offline"} Phase
 * What the page waits for: a person's move, an engine's, someone who goes on, nothing, a look at the analysis, the end of a motion,
 * or the server.
 * @typedef {import("./game.js").Node} Node
 * @typedef {import("./game.js").Game} Game
 * @typedef {{
 *   mode: "play" | "analyse", said: string, marks: Record<string, import("./board.js").Mark> | null,
 *   search: Search, resumes: boolean, lines: Lines | null, whole: boolean, settings: Settings,
 * }} View
 * What is shown besides the game: the sentence below the board; marks that a hint has made; what the analysis searches, and whether
 * it goes on with lines when the page is seen again; the lines that it has found; whether lines are shown to their ends; and what the
 * user has chosen.
 * @typedef {"" | "lines" | "review"} Search
 * @typedef {{node: Node, lines: import("./notation.js").Info[]}} Lines of a position
 * @typedef {"S" | "N"} Side
 * @typedef {Readonly<{players: Readonly<Record<Side, string>>, names: Readonly<Record<Side, string>>, elo: Readonly<Record<Side, number>>}>} Seats
 * Who plays each side: the key of a player, the name of a person, and the Elo of one who plays by it.
 * @typedef {Seats & Readonly<{
 *   mode: "play" | "analyse", flip: boolean, time: number, minutes: number, increment: number, multipv: number, analyst: string,
 *   view: string, letters: boolean, sound: boolean, speed: string, language: string,
 * }>} Settings How the next game begins, and how things look.
 * @typedef {Readonly<{play: Game, analyse: Game | null}>} Games the one that is played, and the analysis, if there is one
 * @typedef {"loading" | "here" | "offline"} Link
 * @typedef {Readonly<{games: Games, view: Readonly<View>, link: Link, moving: Node | null, phase: Phase}>} State
 * The node `moving` is shown in motion, or is about to be: another node that is shown ends that.
 * @typedef {{game?: Game, analyse?: Game, node?: Node, view?: Partial<View>, link?: Link, moving?: Node | null}} Change
 */

/** @type {Phase[]} */
const HERE = ["person", "thinking", "paused", "over", "analysing", "animating", "offline"];

/** What may follow what, besides the phase itself: a page that was there is never loading, and one that is offline stays so until it begins again. @type {Readonly<Record<Phase, readonly Phase[]>>} */
export const FOLLOWS = Object.freeze({
  loading: HERE.filter((phase) => phase !== "animating"),
  person: HERE,
  thinking: HERE,
  paused: HERE,
  over: HERE,
  analysing: HERE,
  animating: HERE,
  offline: [],
});

/** The game that is shown. @param {{games: Games, view: Pick<View, "mode">}} state */
export const shownGame = ({ games, view }) => games[view.mode] ?? games.play;

/** The phase of a state, whatever was before. @param {Omit<State, "phase">} state @param {Node} [node] the one that is shown @returns {Phase} */
export function phaseOf(state, node) {
  const { link, moving, view } = state;
  if (link !== "here") return link;
  const game = shownGame(state);
  if (moving && moving === (node ?? game.current)) return "animating";
  if (view.mode === "analyse") return "analysing";
  if (game.outcome()) return "over";
  if (game.isHeld()) return "paused";
  return game.isPerson(parsePosition(game.root.leaf().fen).side) ? "person" : "thinking";
}

/** The state after a change; where its phase may not follow, the state before. @param {State} before @param {Change} change @returns {State} */
export function next(before, { game, analyse, node, view, link, moving = before.moving }) {
  const mode = view?.mode ?? before.view.mode;
  const games = Object.freeze({ ...before.games, ...(analyse && { analyse }), ...(game && { [mode]: game }) });
  const state = { games, view: Object.freeze({ ...before.view, ...view }), link: before.link === "offline" ? before.link : (link ?? before.link), moving };
  const phase = phaseOf(state, node);
  if (phase !== before.phase && !FOLLOWS[before.phase].includes(phase)) return before;
  if (node) shownGame(state).current = node;
  return Object.freeze({ ...state, moving: phase === "animating" ? moving : null, phase });
}

/** The default settings. @type {Settings} */
export const SETTINGS = Object.freeze({
  mode: "play",
  flip: false,
  time: 1,
  players: { S: "person", N: "level:beginner" },
  names: { S: "", N: "" },
  elo: { S: 800, N: 800 },
  minutes: 0,
  increment: 0,
  multipv: 6,
  analyst: "0",
  view: "S",
  letters: true,
  sound: true,
  speed: "normal",
  language: "",
});

/** Who plays the next game. @param {Seats} settings @returns {Seats} */
export const seatsOf = ({ players, names, elo }) => ({ players, names, elo });

/** The same people and engines, each at the other side. @param {Seats} seats @returns {Seats} */
export const swapped = ({ players, names, elo }) => ({
  players: { S: players.N, N: players.S },
  names: { S: names.N, N: names.S },
  elo: { S: elo.N, N: elo.S },
});

/** The first view. @type {Readonly<View>} */
export const VIEW = Object.freeze({
  mode: "play",
  said: "",
  marks: null,
  search: "",
  resumes: false,
  lines: null,
  whole: false,
  settings: SETTINGS,
});
