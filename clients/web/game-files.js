// Saving the current game, and loading one from a file.

import { element } from "./dom.js";
import { Game } from "./game.js";
import { accuracyOf } from "./mistakes.js";
import { tagOf } from "./notation.js";
import { faultText, t } from "./texts.js";
import { gameOf } from "./untrusted.js";
import { readGames, writeGame } from "./transport.js";

/** Bytes read at once: one more than the limit in src/protocol/ogn/json.rs shows that there is more. */
const PART = (1 << 20) + 1;
/** Most bytes of a file that are read. */
const MOST_BYTES = 64 << 20;

/**
 * A move of a file: its letter, judgement, comment, the variations that are played instead of it, and the comment before a variation.
 * @typedef {[string, string, string, Move[][], string]} Move
 * @typedef {{tags: [string, string][], variant: string | null, result: string, before?: string, moves: Move[], omitted?: Fault[], more?: number}} GameText
 * @typedef {{tags: [string, string][], before: string, moves: Move[]}} Written a game to write; the tags name its rule set
 * @typedef {[number, number, string]} Fault an error: its line and column, and the reason in the engine's words
 * @typedef {{games?: GameText[], error?: Fault, rest?: number}} Games
 * The games of a file or a part of it, the error after them, and where the rest of the file begins.
 */

/**
 * Grows the tree of a kept game by a line of a file.
 * @param {any[]} siblings the moves that are known where the line begins
 * @param {Move[]} line
 */
function grow(siblings, line) {
  for (const [move, sign, comment, variations, before] of line) {
    const joined = (/** @type {string} */ one, /** @type {string} */ other) => [one, other].filter(Boolean).join(" ");
    let next = siblings.find(([known]) => known === move);
    if (!next) siblings.push((next = [move, null, null, [], "", {}, null, ""]));
    [next[4], next[7]] = [joined(next[4], comment), joined(next[7], before)];
    // The better line is the one used to practise the mistake.
    const better =
      sign.includes("?") &&
      variations[0]
        ?.map(([letter]) => letter)
        .join("")
        .slice(0, 6);
    if (sign && !next[2]) next[2] = { sign, ...(better && { line: better }) };
    for (const variation of variations) grow(siblings, variation);
    siblings = next[3];
  }
}

/**
 * The line from a node on: the reverse of `grow`.
 * @param {import("./game.js").Node} first
 * @returns {Move[]}
 */
function lineFrom(first) {
  return first.line().map((node) => {
    const siblings = node.parent?.children ?? [];
    const others = node === siblings[0] ? siblings.slice(1) : [];
    return [node.move, node.mark?.sign ?? "", node.comment, others.map(lineFrom), node.before];
  });
}

/** The day and the time of day here, such as `2026-11-26` and `0514`. */
function now() {
  const date = new Date();
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return [`${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`, two(date.getHours()) + two(date.getMinutes())];
}

/** Lets the browser save a text. @param {string} name @param {string} text */
function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

export class GameFiles {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
  }

  /** Downloads the current game. */
  async save() {
    const { game, owner, play } = this.app;
    const [day, time] = now();
    const outcome = game.outcome();
    const reasons = { rules: "by the rules", limit: "move limit", settled: undefined };
    const Termination = outcome ? (outcome.termination ?? reasons[outcome.by]) : (game.settled()?.termination ?? "unfinished");
    const Result = outcome?.result ?? "*";
    const isRead = tagOf(game.tags, "Variant") !== undefined;
    const isSaid = Termination && (!isRead || outcome || tagOf(game.tags, "Termination") !== undefined);
    const end = { Result, ...(isSaid && { Termination }) };
    const [South, SouthPlayer] = play.players.writtenOf(owner.seats, "S");
    const [North, NorthPlayer] = play.players.writtenOf(owner.seats, "N");
    const head = {
      Variant: this.app.titles.told[game.variant] ?? game.variant,
      Event: "Casual game",
      Site: "?",
      Date: day.replaceAll("-", "."),
      Round: "?",
      South,
      North,
      Result,
    };
    const own = { ...head, ...(game.start && { FEN: game.root.fen }), ...end, ...(SouthPlayer && { SouthPlayer, NorthPlayer }) };
    const accuracy = accuracyOf(game);
    const found = accuracy && { SouthAccuracy: accuracy.south, NorthAccuracy: accuracy.north };
    // The tags of a file are kept, except for an end that was added or removed.
    const added = Object.entries({ ...(isRead && !game.settled() && end), ...found });
    const tags = [...new Map([...(isRead ? [] : Object.entries(own)), ...game.tags, ...added])];
    const [first] = game.root.children;
    const name = `${game.variant}-${day}-${time}.ogn`;
    try {
      const { text, error } = await writeGame({ tags, before: game.root.comment, moves: first ? lineFrom(first) : [] });
      if (text === undefined) throw new Error(error);
      download(name, text);
      this.app.say(t("saved", { name }));
    } catch (error) {
      this.app.sayError(error);
    }
  }

  /** Reads a file or a text, and asks for the game if it has several. @param {Blob} file */
  async open(file) {
    try {
      const { games, error } = await this.read(file);
      if (games.length === 0) this.app.say(error ? t("fileBad", { error }) : t("fileEmpty"));
      else if (games.length === 1 && !error) await this.load(games[0]);
      else this.list(games, error);
    } catch (error) {
      this.app.sayError(error);
    }
  }

  /** Reads all games of a file, part by part. @param {Blob} file */
  async read(file) {
    /** @type {GameText[]} */
    let games = [];
    let lines = 0;
    for (let at = 0; ;) {
      const bytes = await file.slice(at, at + PART).arrayBuffer();
      const part = await readGames(bytes);
      games = games.concat(part.games ?? []);
      // Its lines are counted from the beginning of the file.
      const error = part.error && faultText(part.error, lines);
      if (error || !part.rest) return { games, error };
      lines += new Uint8Array(bytes, 0, part.rest).reduce((sum, byte) => sum + Number(byte === 10), 0);
      at += part.rest;
      if (at >= MOST_BYTES) return { games, error: t("fileLarge", { n: MOST_BYTES >> 20 }) };
      this.app.say(t("fileReading", { n: games.length }));
    }
  }

  /** Lists games, with a search. @param {GameText[]} games @param {string | undefined} error why the list ends */
  list(games, error) {
    const title = (/** @type {GameText} */ { tags, result }, /** @type {number} */ index) => {
      const { South = "?", North = "?", Event, Round, Date, Result = result } = Object.fromEntries(tags);
      const parts = [`${South} – ${North}`, Event, Round && Round !== "?" && t("fileRound", { round: Round }), Date, Result];
      return `${index + 1}. ${parts.filter((part) => part && part !== "?").join(", ")}`;
    };
    const choices = games.map((game, index) => ({ text: title(game, index), act: () => this.load(game) }));
    const why = error ? [element("p", { class: "error", text: t("fileLeftOut", { error }) })] : [];
    this.app.dialogs.list(t("fileGame"), choices, why);
  }

  /** Makes a game of a file the current one; without a rule set it is of that of the game before. @param {GameText} text */
  async load({ tags, variant, result, before, moves, omitted, more }) {
    const { Variant, FEN = null, Termination } = Object.fromEntries(tags);
    if (variant === null && Variant !== undefined) {
      this.app.say(t("fileNoVariant", { name: Variant }));
      return;
    }
    /** @type {any[]} */
    const tree = [];
    grow(tree, moves);
    try {
      const kept = gameOf({ variant: variant ?? this.app.game.variant, start: null, tags, tree, before });
      if (!kept) return;
      const game = await Game.unpack({ ...kept, start: FEN }, this.app.rules);
      game.current = game.root.leaf();
      game.settle(result, Termination);
      this.app.setMode("analyse");
      this.app.past.remember("openFile");
      await this.app.take(game);
      const parts = [...(omitted ?? []).map((part) => faultText(part)), ...(more ? [t("fileMore", { n: more })] : [])];
      if (parts.length) this.app.say(t("fileLost", { parts: parts.join("\n") }));
    } catch (error) {
      this.app.sayError(error);
    }
  }
}
