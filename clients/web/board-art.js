// The parts of a drawn board: its layouts, wood, and the gradients of pits and seeds.

import { described, drawn } from "./dom.js";

/** Tints of seeds. */
export const TINTS = 3;

/**
 * The places of a board's parts. Rows are counted from the top.
 * @typedef {{size: [number, number], x: (column: number) => number, rows: [number, number], radius: number, seed: number,
 *   counts: [number, number], values: [number, number], stores: [number, number, number, number][]}} Layout
 */
/** @type {Layout} */
export const WIDE = {
  size: [1000, 420],
  x: (column) => 190 + 124 * column,
  rows: [138, 282],
  radius: 57,
  seed: 11,
  counts: [66, 368],
  values: [40, 394],
  stores: [
    [71, 210, 100, 330],
    [929, 210, 100, 330],
  ],
};
/** @type {Layout} */
export const NARROW = {
  size: [360, 352],
  x: (column) => 35 + 58 * column,
  rows: [134, 218],
  radius: 27,
  seed: 5.3,
  counts: [99, 263],
  values: [81, 281],
  stores: [
    [180, 37, 336, 50],
    [180, 315, 336, 50],
  ],
};

/** The number of boards drawn, which makes the names of their gradients unique. */
let boards = 0;

/** The gradients of a board, and how its parts refer to them. */
export function gradients() {
  const number = ++boards;
  const name = (/** @type {string} */ part) => `board-${number}-${part}`;
  const stops = (/** @type {[string, string][]} */ list) => list.map(([offset, kind]) => drawn("stop", { offset, class: kind }));
  const defs = drawn("defs", {}, [
    drawn(
      "linearGradient",
      { id: name("wood"), x1: 0, y1: 0, x2: 0.25, y2: 1 },
      stops([
        ["0", "wood-a"],
        ["1", "wood-b"],
      ]),
    ),
    drawn(
      "radialGradient",
      { id: name("pit"), cx: 0.5, cy: 0.36, r: 0.68 },
      stops([
        ["0.35", "pit-a"],
        ["1", "pit-b"],
      ]),
    ),
    ...Array.from({ length: TINTS }, (_, tint) =>
      drawn(
        "radialGradient",
        { id: name(`seed-${tint}`), cx: 0.36, cy: 0.3, r: 0.75 },
        stops([
          ["0", "seed-a"],
          ["0.6", `seed-b${tint}`],
        ]),
      ),
    ),
  ]);
  return { defs, fill: (/** @type {string} */ part) => `url(#${name(part)})` };
}

/** The wood with its grain. @param {Layout} layout @param {string} fill @param {number} round */
export function wood({ size: [width, height] }, fill, round) {
  const lines = Array.from({ length: Math.round(height / 15) }, (_, index) => {
    const [y, bend] = [(index + 0.5) * 15 + 4 * Math.sin(index * 2.3), 5 + 4 * Math.sin(index * 1.7)];
    // Lines end within the round corners.
    const far = Math.max(0, round - Math.min(y, height - y) + 4);
    const edge = 8 + round - Math.sqrt(Math.max(0, round ** 2 - far ** 2));
    const [left, right] = [edge.toFixed(1), (width - edge).toFixed(1)];
    return `M${left} ${y.toFixed(1)}C${width * 0.3} ${(y - bend).toFixed(1)} ${width * 0.6} ${(y + bend).toFixed(1)} ${right} ${(y - bend / 3).toFixed(1)}`;
  });
  return [
    drawn("rect", { class: "wood", fill, x: 2, y: 2, width: width - 4, height: height - 4, rx: round }),
    drawn("path", { class: "grain", d: lines.join("") }),
    drawn("rect", { class: "bevel", x: 5, y: 5, width: width - 10, height: height - 10, rx: round - 3 }),
  ];
}

/**
 * Seeds at these places, for `patch`.
 * @param {[number, number][]} places @param {number} x @param {number} y @param {number} size
 * @param {(part: string) => string} fill @param {number} [salt]
 */
export const seedsAt = (places, x, y, size, fill, salt = 0) =>
  places.map(([dx, dy], index) =>
    described("circle", { class: "seed", fill: fill(`seed-${(index * 7 + salt) % TINTS}`), cx: (x + dx).toFixed(1), cy: (y + dy).toFixed(1), r: size }),
  );

/**
 * An arrow between two places.
 * @param {[number, number]} from @param {[number, number]} to @param {number} width @param {string} kind
 */
export function arrow([x1, y1], [x2, y2], width, kind) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = Math.hypot(dx, dy) || 1;
  // Curved, because a straight arrow along a row would hide the pits.
  const bow = Math.min(length * 0.22, 46);
  const [cx, cy] = [(x1 + x2) / 2 + (dy / length) * bow, (y1 + y2) / 2 - (dx / length) * bow];
  const along = Math.hypot(x2 - cx, y2 - cy) || 1;
  const [ux, uy] = [(x2 - cx) / along, (y2 - cy) / along];
  const head = width * 3.2;
  const [bx, by] = [x2 - ux * head, y2 - uy * head];
  const d = `M${x1.toFixed(1)} ${y1.toFixed(1)}Q${cx.toFixed(1)} ${cy.toFixed(1)} ${bx.toFixed(1)} ${by.toFixed(1)}`;
  const side = width * 1.7;
  const points = [
    [x2, y2],
    [bx - uy * side, by + ux * side],
    [bx + uy * side, by - ux * side],
  ];
  return [
    described("path", { class: "arrow", d, "stroke-width": width + 3 }),
    described("path", { class: `arrow inner ${kind}`, d, "stroke-width": width }),
    described("polygon", { class: `arrow-head ${kind}`, points: points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ") }),
  ];
}
