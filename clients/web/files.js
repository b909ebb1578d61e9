// Game files, `.ogn`: read and written as src/formats.md describes them.

import { element } from "./dom.js";
import { numbered } from "./game.js";
import { parsePosition, sideOf } from "./notation.js";

/** Tags that every file has, in their order. */
const TAGS = ["Event", "Site", "Date", "Round", "South", "North", "Result"];
const WIDTH = 79;

/**
 * A move of a file with what follows it, as a kept game has it: its score and mark, the moves after it, and its comment.
 * @typedef {[string, null, {sign: string} | null, MoveTree[], string]} MoveTree
 * @typedef {{tags: Record<string, string>, tree: MoveTree[]}} GameText
 */

/**
 * Reads the games of a file. Whether the moves are legal is for an engine to say.
 * @param {string} text
 * @returns {GameText[]}
 */
export function readGames(text) {
  /** @type {GameText[]} */
  const games = [];
  let game = /** @type {GameText | null} */ (null);
  /** The moves up to here, in the game and in each variation that is open. @type {MoveTree[][]} */
  let lines = [[]];
  let begun = false;
  let ended = false;
  const begin = () => {
    games.push((game = { tags: {}, tree: [] }));
    [lines, begun, ended] = [[[]], false, false];
    return game;
  };
  // A tag is one line without control characters: its value may become part of a line to an engine.
  const token = /\[(\w+)[ \t]+"((?:[^"\\\x00-\x1f\x7f-\x9f]|\\[^\x00-\x1f\x7f-\x9f])*)"\]|\{([^}]*)\}|;[^\n]*|^%[^\n]*|^[ \t\r]*$|[()]|\$\d+|[^\s{}()[\];$]+/gm;
  for (const found of text.replace(/^\ufeff/, "").matchAll(token)) {
    const [word, tag, value, comment] = found;
    const line = lines[lines.length - 1];
    if (tag) {
      const current = game && !begun && !(tag === "Variant" && tag in game.tags) ? game : begin();
      current.tags[tag] ??= value.replace(/\\(.)/g, "$1");
    } else if (comment !== undefined) {
      const last = line.at(-1);
      if (last) last[4] = `${last[4]} ${comment}`.replace(/\s+/g, " ").trim();
    } else if (!word.trim()) {
      if (begun && lines.length === 1) game = null;
    } else if (word === "(") lines.push(line.slice(0, -1));
    else if (word === ")") {
      if (lines.length === 1) throw new Error(word);
      lines.pop();
    } else if (!/^[;%$]/.test(word)) {
      const rest = word.replace(/^\d+\.+/, "");
      const move = /^([A-Fa-f])(?:\+\d+)?([!?]{0,2})$/.exec(rest);
      const end = /^(\*|\d+-\d+|1\/2-1\/2)$/.test(rest);
      const current = game ?? begin();
      const line = lines[lines.length - 1];
      if (move) {
        if (ended && lines.length === 1) throw new Error(word);
        begun = true;
        const siblings = line.at(-1)?.[3] ?? current.tree;
        let next = siblings.find(([letter]) => letter === move[1]);
        if (!next) siblings.push((next = [move[1], null, move[2] ? { sign: move[2] } : null, [], ""]));
        line.push(next);
      } else if (end) {
        begun = true;
        if (lines.length === 1) ended = true;
      } else if (/^[!?]{1,2}$/.test(rest)) {
        const last = line.at(-1);
        if (last) last[2] = { sign: rest };
      } else if (rest && !/^\d+$/.test(rest) && lines.length === 1) throw new Error(word);
    }
  }
  if (lines.length > 1) throw new Error("(");
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
  const words = main[0] ? lineWords(main[0]) : [];
  const { stores } = parsePosition(main.at(-1)?.fen ?? game.root.fen);
  return `${lines.map(([name, value]) => `[${name} "${clean(value)}"]`).join("\n")}\n\n${wrapped([...words, stores.join("-")])}\n\n`;
}

/** The moves from a node on, with their variations. @param {import("./game.js").Node} first @returns {string[]} */
function lineWords(first) {
  const line = [first];
  for (let next; (next = line[line.length - 1].children[0]);) line.push(next);
  const labels = new Map(numbered([...(first.parent?.path() ?? []), ...line]).map(({ node, label }) => [node, label]));
  return line.flatMap((node, index) => {
    const banked = bankedBy(node);
    const label = labels.get(node) || (index === 0 ? `${turnOf(labels, node)}…` : "");
    const comment = node.comment ? `{${node.comment.replaceAll("{", "(").replaceAll("}", ")")}}`.split(" ") : [];
    const others = node === node.parent?.children[0] ? node.parent.children.slice(1) : [];
    const variations = others.flatMap((other) => {
      const words = lineWords(other);
      return [`(${words[0]}`, ...words.slice(1, -1), ...(words.length > 1 ? [`${words[words.length - 1]})`] : [")"])];
    });
    return [...(label ? [label.replace("…", "...")] : []), node.move + (banked ? `+${banked}` : "") + (node.mark?.sign ?? ""), ...comment, ...variations];
  });
}

/** The number of the turn that a move belongs to. @param {Map<import("./game.js").Node, string>} labels @param {import("./game.js").Node} node */
function turnOf(labels, node) {
  let number = "1";
  for (const [other, label] of labels) {
    number = /\d+/.exec(label)?.[0] ?? number;
    if (other === node) break;
  }
  return number;
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
