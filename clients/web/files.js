// Game files, `.ogn`: read and written as protocol.md describes them.

import { element } from "./dom.js";
import { numbered } from "./game.js";
import { parsePosition, sideOf } from "./notation.js";

/** Tags that every file has, in their order. */
const TAGS = ["Event", "Site", "Date", "Round", "South", "North", "Result"];
const WIDTH = 79;

/**
 * @typedef {{tags: Record<string, string>, moves: string, comments: string[]}} GameText
 */

/**
 * Reads the games of a file. Whether the moves are legal is for an engine to say.
 * @param {string} text
 * @returns {GameText[]}
 */
export function readGames(text) {
  /** @type {GameText[]} */
  const games = [];
  /** @type {GameText | null} */
  let game = null;
  let begun = false;
  // Brackets of variations that are open; what is in them is skipped.
  let depth = 0;
  // A tag is one line without control characters: its value may become part of a line to an engine.
  const token = /\[(\w+)[ \t]+"((?:[^"\\\x00-\x1f\x7f-\x9f]|\\[^\x00-\x1f\x7f-\x9f])*)"\]|\{([^}]*)\}|;[^\n]*|^%[^\n]*|[()]|\$\d+|[^\s{}()[\];$]+/gm;
  for (const found of text.replace(/^\ufeff/, "").matchAll(token)) {
    const [word, tag, value, comment] = found;
    if (word === "(") depth++;
    else if (word === ")") depth = Math.max(0, depth - 1);
    if (depth > 0 || /^[()$;%]/.test(word)) continue;
    if (tag) {
      const other = game && tag in game.tags && tag === "Variant";
      if (!game || begun || other) games.push((game = { tags: {}, moves: "", comments: [] }));
      begun = false;
      game.tags[tag] ??= value.replace(/\\(.)/g, "$1");
      continue;
    }
    if (!game) games.push((game = { tags: {}, moves: "", comments: [] }));
    if (comment !== undefined) {
      if (game.moves) game.comments[game.moves.length - 1] = comment.replace(/\s+/g, " ").trim();
      continue;
    }
    const rest = word.replace(/^\d+\.+/, "");
    if (/^[A-Fa-f](\+\d+)?[!?]{0,2}$/.test(rest)) {
      begun = true;
      game.moves += rest[0];
    } else if (/^(\*|\d+-\d+|1\/2-1\/2)$/.test(rest)) begun = true;
    else if (rest && !/^(\d+|[!?]{1,2})$/.test(rest)) throw new Error(word);
  }
  return games;
}

/**
 * What a tag Result says: the stores, as some programs write them, tell who has won.
 * @param {string} tag
 */
export function resultOf(tag) {
  if (["1-0", "0-1", "1/2-1/2"].includes(tag)) return tag;
  const [, south, north] = /^(\d+)-(\d+)$/.exec(tag)?.map(Number) ?? [];
  if (south === undefined) return "*";
  return south > north ? "1-0" : south < north ? "0-1" : "1/2-1/2";
}

/**
 * A game as text.
 * @param {import("./game.js").Game} game
 * @param {Record<string, string>} tags
 * @param {string} title the rule set's name for people
 */
export function writeGame(game, tags, title) {
  const clean = (/** @type {string} */ value) => value.replace(/[\x00-\x1f]/g, " ").replace(/[\\"]/g, "\\$&");
  const all = { Event: "Casual game", Site: "?", Date: "?", Round: "?", South: "?", North: "?", Result: "*", ...tags };
  const lines = [["Variant", title], ...TAGS.map((name) => [name, /** @type {any} */ (all)[name]])];
  if (game.start) lines.push(["FEN", game.root.fen]);
  for (const [name, value] of Object.entries(all)) if (!TAGS.includes(name) && !["Variant", "FEN"].includes(name)) lines.push([name, value]);
  const main = game.main();
  const words = numbered(main).flatMap(({ node, label }) => {
    const banked = bankedBy(node);
    const comment = node.comment ? `{${node.comment.replaceAll("{", "(").replaceAll("}", ")")}}`.split(" ") : [];
    return [...(label ? [label.replace("…", "...")] : []), node.move + (banked ? `+${banked}` : ""), ...comment];
  });
  const { stores } = parsePosition(main.at(-1)?.fen ?? game.root.fen);
  return `${lines.map(([name, value]) => `[${name} "${clean(value)}"]`).join("\n")}\n\n${wrapped([...words, stores.join("-")])}\n\n`;
}

/** Seeds that a move brought into the mover's store, without what the end awarded. @param {import("./game.js").Node} node */
function bankedBy({ told, move }) {
  if (!told) return 0;
  const sown = told.laps.reduce((sum, lap) => sum + [...lap.places].filter((place) => place === sideOf(move)).length, 0);
  return sown + told.captures.reduce((sum, [, seeds]) => sum + seeds, 0);
}

/** @param {string[]} words */
function wrapped(words) {
  const lines = [""];
  for (const word of words) {
    const last = lines[lines.length - 1];
    if (last && last.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.join("\n");
}

/** Lets the browser save a text. @param {string} name @param {string} text */
export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
