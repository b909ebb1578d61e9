// The board: a drawing of a position that can be clicked, and seeds that fly along a sowing.

import { described, drawn, element, isStill, patch } from "./dom.js";
import { PITS, sideOf } from "./notation.js";
import { inBox, inCircle } from "./seeds.js";
import { t } from "./texts.js";

/** How long a seed flies, and a whole move at the most, in milliseconds. */
const FLIGHT = 150;
const LONGEST = 3200;
/** A pit with more seeds is a kroo: sown, it goes round the whole board. */
const KROO = 12;

/**
 * Where everything is. Rows are counted from the top.
 * @typedef {{size: [number, number], x: (column: number) => number, rows: [number, number], radius: number,
 *   counts: [number, number], values: [number, number], stores: [number, number, number, number][]}} Layout
 */
/** @type {Layout} */
const WIDE = {
  size: [900, 352],
  x: (column) => 170 + 112 * column,
  rows: [116, 236],
  radius: 52,
  counts: [56, 310],
  values: [30, 336],
  stores: [
    [62, 176, 92, 250],
    [838, 176, 92, 250],
  ],
};
/** @type {Layout} */
const NARROW = {
  size: [360, 336],
  x: (column) => 34 + 58.4 * column,
  rows: [124, 208],
  radius: 27,
  counts: [90, 254],
  values: [72, 272],
  stores: [
    [180, 32, 344, 46],
    [180, 304, 344, 46],
  ],
};

export class Board {
  /**
   * @param {SVGSVGElement} svg
   * @param {(pit: string) => void} pick is told which pit was chosen
   * @param {{matches: boolean, addEventListener: (type: "change", act: () => void) => void}} narrow whether there is little room
   */
  constructor(svg, pick, narrow = matchMedia("(max-width: 620px)")) {
    this.svg = svg;
    this.pick = pick;
    this.flip = false;
    this.narrow = narrow;
    this.narrow.addEventListener("change", () => this.draw());
    /** @type {import("./notation.js").Position} */
    this.position = { pits: Array(12).fill(0), stores: [0, 0], side: "S", second: false };
    this.legal = "";
    this.last = "";
    /** @type {Record<string, {ring: string, value: string}>} */
    this.marks = {};
    /** @type {Record<string, any>} */
    this.parts = {};
    this.flight = 0;
    /** @type {Layout} */
    this.layout = WIDE;
    this.draw();
  }

  /** The seeds in a place. @param {string} place */
  seedsIn(place) {
    return place === "S" || place === "N" ? this.position.stores[place === "S" ? 0 : 1] : this.position.pits[PITS.indexOf(place)];
  }

  /** @param {string} place @param {number} seeds */
  put(place, seeds) {
    if (place === "S" || place === "N") this.position.stores[place === "S" ? 0 : 1] = seeds;
    else this.position.pits[PITS.indexOf(place)] = seeds;
    this.update(place);
  }

  /** Draws everything from nothing. */
  draw() {
    const layout = (this.layout = this.narrow.matches ? NARROW : WIDE);
    const focused = document.activeElement?.getAttribute("data-place");
    const [width, height] = layout.size;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.classList.toggle("narrow", this.narrow.matches);
    const wood = drawn("rect", { class: "wood", x: 2, y: 2, width: width - 4, height: height - 4, rx: this.narrow.matches ? 22 : 44 });
    this.parts = {};
    const bottom = this.flip ? "N" : "S";
    const stores = ["N", "S"].map((side) => this.drawStore(side, layout.stores[side === bottom ? 1 : 0]));
    const pits = [...PITS].map((pit, index) => {
      const row = sideOf(pit) === bottom ? 1 : 0;
      const column = row === 1 ? index % 6 : 5 - (index % 6);
      return this.drawPit(pit, layout.x(column), row);
    });
    this.hand = drawn("g", { class: "hand" });
    this.svg.replaceChildren(wood, ...stores, ...pits, this.hand);
    for (const place of Object.keys(this.parts)) this.update(place);
    if (focused) this.parts[focused]?.group.focus();
  }

  /** @param {string} side @param {[number, number, number, number]} box */
  drawStore(side, [x, y, width, height]) {
    const hollow = drawn("rect", { class: "hollow", x: x - width / 2, y: y - height / 2, width, height, rx: Math.min(width, height) / 2.4 });
    const seeds = drawn("g", { class: "seeds" });
    const wide = width < height;
    const count = drawn("text", { class: "count big", x: wide ? x : x - width / 2 + 30, y: wide ? y - height / 2 + 36 : y + 8 });
    const name = drawn("text", {
      class: "letter",
      x: wide ? x : x - width / 2 + 84,
      y: wide ? y + height / 2 + 24 : y + 5,
      text: t(side === "S" ? "south" : "north"),
    });
    const group = drawn("g", { class: wide ? "store" : "store inside", "data-place": side, role: "img" }, [hollow, seeds, count, name]);
    const room = wide ? { x, y: y + 22, width: width - 14, height: height - 76 } : { x: x + 56, y, width: width - 150, height: height - 6 };
    this.parts[side] = { group, seeds, count, room };
    return group;
  }

  /** @param {string} pit @param {number} x @param {number} row */
  drawPit(pit, x, row) {
    const { rows, radius, counts, values } = this.layout;
    const y = rows[row];
    const ring = drawn("circle", { class: "ring", cx: x, cy: y, r: radius + 3 });
    const hollow = drawn("circle", { class: "hollow", cx: x, cy: y, r: radius });
    const seeds = drawn("g", { class: "seeds" });
    const count = drawn("tspan", { class: "count" });
    const label = drawn("text", { x, y: counts[row] }, [drawn("tspan", { class: "letter", text: `${pit} ` }), count]);
    const value = drawn("text", { class: "value", x, y: values[row] });
    const act = () => this.pick(pit);
    const group = drawn(
      "g",
      {
        class: "pit",
        "data-place": pit,
        role: "button",
        onclick: act,
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          act();
        },
      },
      [ring, hollow, seeds, label, value],
    );
    this.parts[pit] = { group, seeds, count, value, room: { x, y, radius } };
    return group;
  }

  /** Draws a place as it is now. @param {string} place */
  update(place) {
    const part = this.parts[place];
    const { room } = part;
    const seeds = this.seedsIn(place);
    const { size, places } = room.radius ? inCircle(seeds, room.radius) : inBox(seeds, room.width, room.height);
    patch(
      part.seeds,
      places.map(([x, y]) => described("circle", { class: "seed", cx: (room.x + x).toFixed(1), cy: (room.y + y).toFixed(1), r: size.toFixed(1) })),
    );
    part.count.textContent = String(seeds);
    if (!room.radius) {
      part.group.setAttribute("aria-label", t("storeLabel", { side: t(place === "S" ? "south" : "north"), seeds: t("seeds", { n: seeds }) }));
      return;
    }
    const [can, mark] = [this.legal.includes(place), this.marks[place]];
    const names = { can, last: place === this.last, kroo: seeds > KROO, best: mark?.ring === "best", good: mark?.ring === "good", bad: mark?.ring === "bad" };
    for (const [name, is] of Object.entries(names)) part.group.classList.toggle(name, is);
    // A tick marks the best pit without relying on colour. The space separates it for screen readers.
    const value = `${mark?.ring === "best" ? "✓ " : ""}${mark?.value ?? ""}`;
    part.value.textContent = value && ` ${value}`;
    part.group.setAttribute("tabindex", can ? "0" : "-1");
    part.group.setAttribute("aria-disabled", String(!can));
    const side = t(sideOf(place) === "S" ? "south" : "north");
    const label = t(can ? "pitLabelCan" : "pitLabel", { side, pit: place, count: value ? `${seeds} ${value}` : seeds, seeds: t("seeds", { n: seeds }) });
    part.group.setAttribute("aria-label", label);
  }

  /**
   * Shows a position.
   * @param {import("./notation.js").Position} position
   * @param {{legal?: string, last?: string, marks?: Record<string, {ring: string, value: string}>, flip?: boolean}} how
   */
  show(position, { legal = "", last = "", marks = {}, flip = this.flip }) {
    this.flight++;
    this.hand.replaceChildren();
    const turned = flip !== this.flip;
    Object.assign(this, { legal, last, marks, flip, position: structuredClone(position) });
    if (turned) this.draw();
    else for (const place of Object.keys(this.parts)) this.update(place);
  }

  /** Marks the pits with what they are worth. @param {Record<string, {ring: string, value: string}>} marks */
  mark(marks) {
    this.marks = marks;
    for (const place of PITS) this.update(place);
  }

  /** The middle of a place. @param {string} place */
  middle(place) {
    const { x, y } = this.parts[place].room;
    return `translate(${x}px, ${y}px)`;
  }

  /**
   * Lets the seeds of a move fly, lap by lap, and then what it captures. Ends early if something else is shown.
   * @param {import("./notation.js").Told} told
   */
  async sow(told) {
    if (isStill()) return;
    const flight = ++this.flight;
    const steps = told.laps.reduce((sum, lap) => sum + lap.places.length, 0);
    const time = Math.max(4, Math.min(FLIGHT, LONGEST / Math.max(steps, 1)));
    const fly = async (/** @type {number} */ seeds, /** @type {string} */ from, /** @type {string} */ to, /** @type {number} */ ms) => {
      const { size, places } = inCircle(Math.min(seeds, 24), this.layout.radius * 0.62);
      this.hand.replaceChildren(...places.map(([x, y]) => drawn("circle", { class: "seed", cx: x.toFixed(1), cy: y.toFixed(1), r: size.toFixed(1) })));
      const frames = [{ transform: this.middle(from) }, { transform: this.middle(to) }];
      const animation = this.hand.animate(frames, { duration: ms, easing: "ease-in-out", fill: "forwards" });
      // A page in the background has no frames.
      await Promise.race([animation.finished, new Promise((done) => setTimeout(done, ms + 60))]).catch(() => {});
      animation.cancel();
      return flight === this.flight;
    };
    for (const { from, places } of told.laps) {
      this.put(from, 0);
      let at = from;
      for (let left = places.length; left > 0; left--) {
        const to = places[places.length - left];
        if (!(await fly(left, at, to, time))) return;
        this.put(to, this.seedsIn(to) + 1);
        at = to;
      }
    }
    const store = sideOf(told.move);
    for (const [pit, seeds] of told.captures) {
      this.put(pit, this.seedsIn(pit) - seeds);
      if (!(await fly(seeds, pit, store, 2.2 * FLIGHT))) return;
      this.put(store, this.seedsIn(store) + seeds);
    }
    this.hand.replaceChildren();
  }
}

/** The seeds of all places as a table, for whoever cannot see the board. @param {import("./notation.js").Position} position */
export function asTable(position) {
  const row = (/** @type {string} */ name, /** @type {number[]} */ seeds, /** @type {number} */ store) =>
    element("tr", {}, [element("th", { text: name, scope: "row" }), ...seeds.map((n) => element("td", { text: n })), element("td", { text: store })]);
  const head = element("tr", {}, [
    element("td"),
    ...[..."ABCDEF"].map((pit) => element("th", { text: pit, scope: "col" })),
    element("th", { text: t("store"), scope: "col" }),
  ]);
  return [head, row(t("south"), position.pits.slice(0, 6), position.stores[0]), row(t("north"), position.pits.slice(6), position.stores[1])];
}
