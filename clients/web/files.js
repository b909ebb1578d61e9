// Game files, `.ogn`, written as src/formats.md describes them. Their one reader is src/protocol/ogn.

import { element } from "./dom.js";
import { numbered, turnOf } from "./game.js";
import { parsePosition, sideOf } from "./notation.js";

/** Tags that every file has, in their order. */
const TAGS = ["Event", "Site", "Date", "Round", "South", "North", "Result"];
const WIDTH = 79;

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
