// The evaluation over a game, with one side's above.

import { described, patch } from "./dom.js";
import { otherSide, southScore } from "./notation.js";
import { scoreText, sideName, t } from "./texts.js";

const [HEIGHT, EDGE] = [150, 10];
/** The width assumed while it is hidden. */
const HIDDEN = 900;
/** The lead in seeds at which the curve is at 76 % of its height. */
const STEEP = 8;

/** A score on a scale from lost (-1) to won (1). @param {import("./notation.js").Score} score */
export function level(score) {
  if (score.proven === "win") return 1;
  if (score.proven === "loss") return -1;
  if (score.proven === "draw") return 0;
  return Math.tanh(score.cp / 100 / STEEP);
}

/**
 * Draws the scores of the nodes that have one.
 * @param {SVGSVGElement} svg
 * @param {import("./game.js").Node[]} nodes the game from its start position on
 * @param {import("./game.js").Node} current
 * @param {"S" | "N"} view the side at the top
 * @param {(node: import("./game.js").Node) => void} go
 */
export function drawGraph(svg, nodes, current, view, go) {
  // In pixels of the screen: text and lines have the same size on a phone.
  const width = svg.clientWidth || HIDDEN;
  const between = (/** @type {number} */ left, /** @type {number} */ right) => ({ x: Math.max(left, 0), width: Math.min(right, width) - Math.max(left, 0) });
  const x = (/** @type {number} */ ply) => EDGE + ((width - 2 * EDGE) * ply) / Math.max(nodes.length - 1, 1);
  const y = (/** @type {number} */ value) => HEIGHT / 2 - value * (HEIGHT / 2 - EDGE);
  const scores = nodes.map(({ score }) => score && southScore(score, view));
  const scored = scores.flatMap((score, ply) => (score ? [{ ply, value: level(score) }] : []));
  const points = scored.map(({ ply, value }) => `${x(ply).toFixed(1)},${y(value).toFixed(1)}`);
  const [first, last] = [scored[0], scored.at(-1)];
  const area = first && last ? [`${x(first.ply)},${y(0)}`, ...points, `${x(last.ply)},${y(0)}`] : [];
  // A position of a variation is shown at the move where the variation begins.
  let at = -1;
  for (let node = /** @type {import("./game.js").Node | null} */ (current); node && at < 0; node = node.parent) at = nodes.indexOf(node);
  const inVariation = nodes[at] !== current;
  const step = (width - 2 * EDGE) / Math.max(nodes.length - 1, 1);
  svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  for (const [name, value] of Object.entries({ min: 0, max: nodes.length - 1, now: at })) svg.setAttribute(`aria-value${name}`, String(value));
  const known = scores[at];
  const place = known ? t("graphPoint", { n: at, score: scoreText(known) }) : String(at);
  const text = inVariation ? t("graphVariation", { place }) : place;
  svg.setAttribute("aria-valuetext", text);
  svg.setAttribute("aria-label", t("graphLabel", { side: sideName(view) }));
  patch(svg, [
    ...[-1, 0, 1].map((value) => described("line", { class: "axis", x1: EDGE, x2: width - EDGE, y1: y(value), y2: y(value) })),
    described("polygon", { class: "area", points: area.join(" ") }),
    described("polyline", { class: "curve", points: points.join(" ") }),
    // Dots show a single score, which makes no line. They are one element: those after it keep their places.
    described("path", { class: "scored", d: points.map((point) => `M${point}h0`).join("") }),
    ...scores.flatMap((score, ply) => (nodes[ply].mark?.sign && score ? [described("circle", { class: "mark", cx: x(ply), cy: y(level(score)), r: 5 })] : [])),
    ...[view, otherSide(view)].map((side, below) => described("text", { x: EDGE + 2, y: below ? HEIGHT - EDGE - 4 : EDGE + 13 }, [sideName(side)])),
    ...(at >= 0 ? [described("line", { class: inVariation ? "now aside" : "now", x1: x(at), x2: x(at), y1: 0, y2: HEIGHT })] : []),
    ...nodes.map((node, ply) =>
      described("rect", { class: "point", ...between(x(ply) - step / 2, x(ply) + step / 2), y: 0, height: HEIGHT, onclick: () => go(node) }, [
        described("title", {}, [scores[ply] ? t("graphPoint", { n: ply, score: scoreText(scores[ply]) }) : String(ply)]),
      ]),
    ),
  ]);
}
