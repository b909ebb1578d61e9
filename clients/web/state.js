// The state of the page: what it waits for, its games, what is shown of them, and what the user has chosen.

/**
 * @typedef {"loading" | "person" | "engine" | "animating" | "over" | "offline"} Phase
 * What the page waits for: a person's move, an engine's, the end of a motion, or nothing.
 * @typedef {import("./game.js").Node} Node
 * @typedef {{
 *   mode: "play" | "analyse", said: string, marks: Record<string, import("./board.js").Mark> | null, paused: boolean,
 *   search: Search, resumes: Search, lines: Lines | null, found: string, whole: boolean, mistake: Node | null, settings: Settings,
 * }} View
 * What is shown besides the game: the sentence below the board; marks that a hint has made; whether the engines that play wait; what
 * the analysis searches, and what it goes on with when the page is seen again; the lines that it has found; what the search for
 * mistakes says; whether lines are shown to their ends; the mistake for which a better move is looked for; and what the user has chosen.
 * @typedef {"" | "lines" | "review"} Search
 * @typedef {{node: Node, lines: import("./notation.js").Info[]}} Lines of a position
 * @typedef {Readonly<{
 *   mode: "play" | "analyse", flip: boolean, time: number, players: Readonly<Record<Side, string>>, names: Readonly<Record<Side, string>>, elo: Readonly<Record<Side, number>>,
 *   minutes: number, increment: number, multipv: number, analyst: string, view: string, letters: boolean, sound: boolean, speed: string, language: string,
 * }>} Settings
 * @typedef {"S" | "N"} Side
 * @typedef {Readonly<{games: Games, view: Readonly<View>, phase: Phase}>} State
 */

/** Phases that only a change with another phase ends. */
export const LASTING = ["loading", "animating", "offline"];

/** Its games: the one that is played, and the analysis, which is another one once there is one. @typedef {Readonly<{play: import("./game.js").Game, analyse: import("./game.js").Game | null}>} Games */

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

/** The first view. @type {Readonly<View>} */
export const VIEW = Object.freeze({
  mode: "play",
  said: "",
  marks: null,
  paused: false,
  search: "",
  resumes: "",
  lines: null,
  found: "",
  whole: false,
  mistake: null,
  settings: SETTINGS,
});
