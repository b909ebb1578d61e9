// The list of moves with its variations, and the lines of a search.

import { described, patch } from "./dom.js";
import { numbered } from "./game.js";
import { t } from "./texts.js";

/** Moves of a line that are shown at first. */
const SHORT = 8;

/**
 * Shows the moves of a game; each can be chosen.
 * @param {HTMLElement} list
 * @param {import("./game.js").Game} game
 * @param {(node: import("./game.js").Node) => void} go
 * @param {(score: import("./notation.js").Score) => string} scoreText
 */
export function showMoves(list, game, go, scoreText) {
  const button = (/** @type {import("./game.js").Node} */ node) => {
    const mark = node.mark?.sign ? [described("span", { class: "sign" }, [node.mark.sign])] : [];
    const current = node === game.current && "step";
    const title = node.mark?.line && node.mark.score ? t("better", { move: node.mark.line, score: scoreText(node.mark.score) }) : null;
    return described("button", { type: "button", onclick: () => go(node), "aria-current": current, title }, [node.move, ...mark]);
  };
  /** @type {(first: import("./game.js").Node) => import("./dom.js").Described[]} */
  const line = (first) => {
    const nodes = [first];
    while (nodes[nodes.length - 1].children.length) nodes.push(nodes[nodes.length - 1].children[0]);
    const labels = new Map(numbered([...(first.parent?.path() ?? []), ...nodes]).map(({ node, label }) => [node, label]));
    return nodes.flatMap((node) => {
      const others = node === first ? [] : (node.parent?.children.slice(1) ?? []);
      return [
        ...(labels.get(node) ? [described("span", { class: "number" }, [labels.get(node) ?? ""])] : []),
        button(node),
        ...others.map((other) => described("span", { class: "variation" }, ["(", ...line(other), ")"])),
      ];
    });
  };
  const [main, ...others] = game.root.children;
  const shown = main ? [...line(main), ...others.map((other) => described("span", { class: "variation" }, ["(", ...line(other), ")"]))] : [];
  const before = list.querySelector("[aria-current]");
  patch(list, shown);
  const now = list.querySelector("[aria-current]");
  if (now instanceof HTMLElement && now !== before) list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 2;
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
      ...(pv.length > SHORT ? [described("button", { type: "button", onclick: turn, "aria-label": t(whole ? "less" : "more") }, [whole ? "−" : "…"])] : []),
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

/** What a search has reached. @param {import("./notation.js").Info} info */
export function progress(info) {
  return [t("depth", { depth: info.depth ?? 0 }), t("nodes", { nodes: short(info.nodes ?? 0), nps: short(info.nps ?? 0) })].join(", ");
}
