// Saving the current game, and loading one from a file.

import { byId, element } from "./dom.js";
import { Game } from "./game.js";
import { t } from "./texts.js";
import { gameOf } from "./untrusted.js";
import { readGames, writeGame } from "./transport.js";

/** Most bytes of a file that are read, as src/protocol/ogn/json.rs says; one more tells that there is more. */
const MOST_BYTES = (1 << 20) + 1;

/**
 * A move of a file: its letter, judgement, comment, and the variations that are played instead of it.
 * @typedef {[string, string, string, Move[][]]} Move
 * @typedef {{tags: Record<string, string>, variant: string | null, result: string, moves: Move[]}} GameText
 * @typedef {{tags: Record<string, string>, moves: Move[]}} Written a game that is to be written; the tags name its rule set
 * @typedef {{games?: GameText[], error?: string}} Games the games of a file, or what is wrong with it
 */

/**
 * Grows the tree of a kept game by a line of a file.
 * @param {any[]} siblings the moves that are known where the line begins
 * @param {Move[]} line
 */
function grow(siblings, line) {
  for (const [move, sign, comment, variations] of line) {
    let next = siblings.find(([known]) => known === move);
    if (!next) siblings.push((next = [move, null, sign ? { sign } : null, [], comment]));
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
  const line = [first];
  for (let next; (next = line[line.length - 1].children[0]);) line.push(next);
  return line.map((node) => {
    const siblings = node.parent?.children ?? [];
    const others = node === siblings[0] ? siblings.slice(1) : [];
    return [node.move, node.mark?.sign ?? "", node.comment, others.map(lineFrom)];
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
    const { game, play } = this.app;
    const [day, time] = now();
    const outcome = game.outcome();
    const reasons = { rules: "by the rules", limit: "move limit", settled: undefined };
    const reason = outcome ? (outcome.termination ?? reasons[outcome.by]) : (game.settled()?.termination ?? "unfinished");
    const names = { South: play.players.playerOf("S"), North: play.players.playerOf("N"), Date: day.replaceAll("-", ".") };
    const fixed = { Variant: game.variant, Result: outcome?.result ?? "*", ...(game.start && { FEN: game.root.fen }), ...(reason && { Termination: reason }) };
    const tags = { Event: "Casual game", ...names, ...game.tags, ...fixed };
    const [first] = game.root.children;
    const name = `${game.variant}-${day}-${time}.ogn`;
    try {
      const { text, error } = await writeGame({ tags, moves: first ? lineFrom(first) : [] });
      if (text === undefined) throw new Error(error);
      download(name, text);
      this.app.say(t("saved", { name }));
    } catch (error) {
      this.app.say(t("refusal", { error: /** @type {Error} */ (error).message }));
    }
  }

  /** Reads the file that was chosen, and asks for the game if it has several. */
  async open() {
    const file = byId("file").files[0];
    byId("file").value = "";
    if (!file) return;
    /** @type {Games} */
    let read = {};
    try {
      read = await readGames(await file.slice(0, MOST_BYTES).arrayBuffer());
    } catch (error) {
      return this.app.say(t("refusal", { error: /** @type {Error} */ (error).message }));
    }
    const { games = [], error } = read;
    if (error) this.app.say(t("fileBad", { error }));
    else if (games.length === 0) this.app.say(t("fileEmpty"));
    else if (games.length === 1) await this.load(games[0]);
    else {
      const title = (/** @type {GameText} */ { tags }) => [`${tags.South ?? "?"} – ${tags.North ?? "?"}`, tags.Event, tags.Result].filter(Boolean).join(", ");
      const list = games.map((game) =>
        element("li", {}, [element("button", { type: "button", text: title(game), onclick: () => (this.app.dialogs.close(), this.load(game)) })]),
      );
      this.app.dialogs.open(t("fileGame"), [element("ol", { class: "choices" }, list)]);
    }
  }

  /** Makes a game of a file the current one; without a rule set it is of that of the game before. @param {GameText} text */
  async load({ tags, variant, result, moves }) {
    if (variant === null && tags.Variant !== undefined) {
      this.app.say(t("fileNoVariant", { name: tags.Variant }));
      return;
    }
    /** @type {any[]} */
    const tree = [];
    grow(tree, moves);
    try {
      const kept = gameOf({ variant: variant ?? this.app.game.variant, start: null, tags, tree });
      if (!kept) return;
      const game = await Game.unpack({ ...kept, start: tags.FEN ?? null }, this.app.rules);
      game.current = game.root.leaf();
      game.settle(result, tags.Termination);
      this.app.setMode("analyse");
      this.app.past.remember("openFile");
      await this.app.take(game);
    } catch (error) {
      this.app.say(t("refusal", { error: /** @type {Error} */ (error).message }));
    }
  }
}
