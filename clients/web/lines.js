// The list of moves with its variations, and the lines of a search.

import { described, patch } from "./dom.js";
import { settle } from "./rove.js";
import { numbered, turnOf } from "./game.js";
import { parsePosition, sideOf } from "./notation.js";
import { t } from "./texts.js";

/** The sizes of the list and of its content when it was last scrolled. */
let sizes = "";
/** Moves of a line that are shown at first. */
const SHORT = 8;

/** @typedef {import("./game.js").Node} Node */
/** @typedef {import("./dom.js").Described} Described */
/** @typedef {{label: string, S: Node[], N: Node[], others: Node[]}} Turn the moves of both sides, and the first moves of variations */

/** The line of first children from a node on. @param {Node} first */
function lineFrom(first) {
  const nodes = first.line();
  const labels = new Map(numbered([...(first.parent?.path() ?? []), ...nodes]).map(({ node, label }) => [node, label]));
  return { nodes, labels };
}

/** Seeds that a move brought into the mover's store. @param {Node} node */
function taken({ parent, fen, move }) {
  const stored = (/** @type {string} */ text) => parsePosition(text).stores[move < "a" ? 0 : 1];
  return parent ? stored(fen) - stored(parent.fen) : 0;
}

/** The main line in turns. @param {Node} first */
function turnsOf(first) {
  const { nodes, labels } = lineFrom(first);
  /** @type {Turn[]} */
  const turns = [];
  for (const node of nodes) {
    const label = labels.get(node);
    if (label || turns.length === 0) turns.push({ label: label ?? "", S: [], N: [], others: [] });
    const turn = turns[turns.length - 1];
    turn[sideOf(node.move)].push(node);
    turn.others.push(...(node.parent?.children.slice(1) ?? []));
  }
  return turns;
}

/**
 * Shows the moves of a game; each can be chosen.
 * @param {HTMLElement} list
 * @param {import("./game.js").Game} game
 * @param {(node: Node) => void} go
 * @param {(score: import("./notation.js").Score) => string} scoreText
 * @param {(() => void) | null} undo brings back the game that this one has replaced
 */
export function showMoves(list, game, go, scoreText, undo) {
  const button = (/** @type {Node} */ node, isMain = true) => {
    const sign = node.mark?.sign ? [described("span", { class: "sign" }, [node.mark.sign])] : [];
    const took = isMain && taken(node) > 0 ? [described("span", { class: "took" }, [`+${taken(node)}`])] : [];
    const title = node.mark?.line && node.mark.score ? t("better", { move: node.mark.line, score: scoreText(node.mark.score) }) : null;
    const current = node === game.current && "step";
    const properties = { type: "button", class: isMain ? "move" : null, "data-ply": isMain ? node.ply : null, "aria-current": current, title };
    return described("button", { ...properties, onclick: () => go(node) }, [node.move, ...took, ...sign]);
  };
  /** @type {(first: Node) => (Described | string)[]} */
  const variation = (first) => {
    const { nodes, labels } = lineFrom(first);
    return nodes.flatMap((node) => {
      const others = node === first ? [] : (node.parent?.children.slice(1) ?? []);
      const label = labels.get(node) || (node === first ? `${turnOf(labels, node)}…` : "");
      return [
        ...(label ? [described("span", { class: "number" }, [label])] : []),
        button(node, false),
        ...others.flatMap((other) => ["(", ...variation(other), ")"]),
      ];
    });
  };
  const [first] = game.root.children;
  const rows = first ? turnsOf(first) : [];
  const shown = rows.flatMap(({ label, S, N, others }) => [
    described("div", { class: "turn" }, [
      described("span", { class: "number" }, [label]),
      described(
        "span",
        {},
        S.map((node) => button(node)),
      ),
      described(
        "span",
        {},
        N.map((node) => button(node)),
      ),
    ]),
    ...others.map((other) => described("div", { class: "variation" }, variation(other))),
  ]);
  const before = list.querySelector("[aria-current]");
  const none = undo ? described("button", { type: "button", id: "back-to", onclick: undo }, [t("backTo")]) : described("p", { class: "none" }, [t("noMoves")]);
  patch(list, shown.length ? shown : [none]);
  const current = list.querySelector("[aria-current]");
  settle(list, current, current !== before);
  if (current !== before || sizes !== sizesOf(list)) showCurrent(list);
}

/** @param {HTMLElement} list */
const sizesOf = (list) => [list.clientWidth, list.clientHeight, list.scrollWidth, list.scrollHeight].join();

/** Scrolls the list to the move that is shown. @param {HTMLElement} list */
export function showCurrent(list) {
  sizes = sizesOf(list);
  const now = list.querySelector("[aria-current]");
  if (!now) return list.scrollTo(0, 0);
  // The list is a column on a desk, and a strip on a phone.
  const [box, place] = [list.getBoundingClientRect(), now.getBoundingClientRect()];
  list.scrollTop += place.top - box.top - (box.height - place.height) / 2;
  list.scrollLeft += place.left - box.left - (box.width - place.width) / 2;
}

/**
 * Shows the best lines; a click on a move walks to it.
 * @param {HTMLElement} list
 * @param {{text: string, pv: string}[]} lines
 * @param {(moves: string) => void} walk
 * @param {boolean} whole whether lines are shown to their ends
 * @param {() => void} turn shows more, or less
 */
export function showLines(list, lines, walk, whole, turn) {
  list.classList.toggle("whole", whole);
  const items = lines.map(({ text, pv }) =>
    described("li", {}, [
      described("b", {}, [text]),
      " ",
      ...[...(whole ? pv : pv.slice(0, SHORT))].map((move, index) =>
        described("button", { type: "button", onclick: () => walk(pv.slice(0, index + 1)) }, [move]),
      ),
      ...(pv.length > SHORT
        ? [described("button", { type: "button", class: "turn-lines", onclick: turn, "aria-label": t(whole ? "less" : "more") }, [whole ? "−" : "…"])]
        : []),
    ]),
  );
  patch(list, items);
}

/** A count, short. @param {number} count */
export function short(count) {
  if (count >= 1e9) return `${(count / 1e9).toFixed(2)} G`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
  return count >= 1e3 ? `${(count / 1e3).toFixed(0)} k` : String(count);
}

/** The progress of a search. @param {import("./notation.js").Info} info */
export function progress(info) {
  return [t("depth", { depth: info.depth ?? 0 }), t("nodes", { nodes: short(info.nodes ?? 0), nps: short(info.nps ?? 0) })].join(", ");
}
