// The board: a drawing of a position that can be clicked.

import { arrow, gradients, NARROW, seedsAt, WIDE, wood } from "./board-art.js";
import { described, drawn, patch } from "./dom.js";
import { PITS, sideOf } from "./notation.js";
import { inBox, inCircle } from "./seeds.js";
import { t } from "./texts.js";

/** A pit with more seeds is a kroo: sown, it goes round the whole board. */
const KROO = 12;
/** Most seeds that are drawn in a hand. */
const HANDFUL = 24;

/** @typedef {{ring: string, value: string}} Mark */
/** @typedef {{from: string, to: string, second: boolean}} Arrow the way of a move's last seed, and whether a better one is shown */

export class Board {
  /**
   * @param {SVGSVGElement} svg
   * @param {(pit: string) => void} pick is called with the pit that was chosen
   * @param {{matches: boolean, addEventListener: (type: "change", act: () => void) => void}} narrow whether there is little room
   * @param {(pit: string) => void} [point] is called with the pit that the mouse or the focus is on; empty when it leaves
   */
  constructor(svg, pick, narrow = matchMedia("(max-width: 620px)"), point = () => {}) {
    this.svg = svg;
    this.pick = pick;
    this.point = point;
    this.flip = false;
    this.narrow = narrow;
    this.narrow.addEventListener("change", () => this.draw());
    /** @type {import("./notation.js").Position} */
    this.position = { pits: Array(12).fill(0), stores: [0, 0], side: "S", second: false };
    this.legal = "";
    this.last = "";
    /** @type {Record<string, Mark>} */
    this.marks = {};
    /** @type {Arrow[]} */
    this.arrows = [];
    /** The place where the last seed of the pit under the pointer would fall. */
    this.ghost = "";
    /** @type {Record<string, any>} */
    this.parts = {};
    /** The number of the motion or position shown; an earlier motion ends when it changes. */
    this.flight = 0;
    this.isIdle = true;
    /** @type {import("./board-art.js").Layout} */
    this.layout = WIDE;
    this.art = gradients();
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
    this.parts = {};
    const bottom = this.flip ? "N" : "S";
    const stores = ["N", "S"].map((side) => this.drawStore(side, layout.stores[side === bottom ? 1 : 0]));
    const pits = [...PITS].map((pit, index) => {
      const row = sideOf(pit) === bottom ? 1 : 0;
      const column = row === 1 ? index % 6 : 5 - (index % 6);
      return this.drawPit(pit, layout.x(column), row);
    });
    this.over = drawn("g");
    this.hand = drawn("g", { class: "hand" });
    this.svg.replaceChildren(this.art.defs, ...wood(layout, this.art.fill("wood"), this.narrow.matches ? 24 : 52), ...stores, ...pits, this.over, this.hand);
    for (const place of Object.keys(this.parts)) this.update(place);
    this.drawOver();
    if (focused) this.parts[focused]?.group.focus();
  }

  /** @param {string} side @param {[number, number, number, number]} box */
  drawStore(side, [x, y, width, height]) {
    const box = { x: x - width / 2, y: y - height / 2, width, height, rx: Math.min(width, height) / 2.2 };
    const hollow = drawn("rect", { class: "hollow", fill: this.art.fill("pit"), ...box });
    const { rx } = box;
    const [left, right, below] = [box.x + rx, box.x + width - rx, box.y + height + 2];
    const lip = drawn("path", {
      class: "lip",
      d: `M${left - rx * 0.8} ${below - rx * 0.4}A${rx} ${rx} 0 0 0 ${left} ${below}H${right}A${rx} ${rx} 0 0 0 ${right + rx * 0.8} ${below - rx * 0.4}`,
    });
    const seeds = drawn("g", { class: "seeds" });
    const upright = width < height;
    const count = drawn("text", { class: "count big", x: upright ? x : x - width / 2 + 32, y: upright ? y - height / 2 + 42 : y + 9 });
    // A flat store has room for the name of its side.
    const name = drawn("text", { class: "side", x: x + width / 2 - 16, y: y + 5 });
    const group = drawn("g", { class: upright ? "store" : "store inside", "data-place": side, role: "img" }, [
      drawn("g", { class: "well" }, [hollow, lip, ...(upright ? [] : [name]), seeds]),
      count,
    ]);
    const room = upright ? { x, y: y + 22, width: width - 16, height: height - 76 } : { x: x - 2, y, width: width - 128, height: height - 8 };
    this.parts[side] = { group, seeds, count, name, room };
    return group;
  }

  /** @param {string} pit @param {number} x @param {number} row */
  drawPit(pit, x, row) {
    const { rows, radius, counts, values } = this.layout;
    const y = rows[row];
    const circle = (/** @type {string} */ kind, /** @type {number} */ r) => drawn("circle", { class: kind, cx: x, cy: y, r });
    const hollow = circle("hollow", radius);
    hollow.setAttribute("fill", this.art.fill("pit"));
    const lip = drawn("path", {
      class: "lip",
      d: `M${x - radius * 0.8} ${y + radius * 0.6 + 2}A${radius} ${radius} 0 0 0 ${x + radius * 0.8} ${y + radius * 0.6 + 2}`,
    });
    const seeds = drawn("g", { class: "seeds" });
    const inset = this.narrow.matches ? 3 : 5;
    const rings = [circle("casing", radius - inset), circle("ring", radius - inset), circle("focus-edge", radius - 1), circle("focus", radius - 1)];
    const count = drawn("tspan", { class: "count" });
    const label = drawn("text", { x, y: counts[row] }, [drawn("tspan", { class: "letter", text: `${pit} ` }), count]);
    const value = drawn("text", { class: "value", x, y: values[row] });
    const act = () => this.pick(pit);
    // A finger points at nothing before it chooses.
    const point = (/** @type {Event} */ event) => {
      const isPointer = event instanceof PointerEvent;
      const isMouse = isPointer && event.pointerType !== "touch";
      group.classList.toggle("pointed", isMouse);
      if (isMouse || (!isPointer && group.matches(":focus-visible"))) this.point(this.legal.includes(pit) ? pit : "");
    };
    const leave = () => {
      group.classList.remove("pointed");
      this.point("");
    };
    const group = drawn(
      "g",
      {
        class: "pit",
        "data-place": pit,
        role: "button",
        onclick: act,
        onpointerenter: point,
        onpointerleave: leave,
        onfocus: point,
        onblur: leave,
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          act();
        },
      },
      [drawn("g", { class: "well" }, [hollow, lip, ...rings, seeds]), label, value],
    );
    this.parts[pit] = { group, seeds, count, value, room: { x, y, radius } };
    return group;
  }

  /** Draws a place as it is now. @param {string} place */
  update(place) {
    const part = this.parts[place];
    const { room } = part;
    const seeds = this.seedsIn(place);
    const size = this.layout.seed;
    const salt = room.radius ? PITS.indexOf(place) : 13;
    const places = room.radius ? inCircle(seeds, room.radius, size, salt) : inBox(seeds, room.width, room.height, size);
    patch(part.seeds, seedsAt(places, room.x, room.y, size, this.art.fill, salt));
    part.count.textContent = String(seeds);
    if (!room.radius) {
      const side = t(place === "S" ? "south" : "north");
      part.name.textContent = side;
      part.group.setAttribute("aria-label", t("storeLabel", { side, seeds: t("seeds", { n: seeds }) }));
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

  /** Draws the layer above the pits: where a move would end. */
  drawOver() {
    const { radius } = this.layout;
    const at = (/** @type {string} */ place) => /** @type {[number, number]} */ ([this.parts[place].room.x, this.parts[place].room.y]);
    const arrows = this.arrows.flatMap(({ from, to, second }) => arrow(at(from), at(to), radius / (second ? 10 : 7), second ? "second" : "first"));
    const ghost = this.ghost && this.parts[this.ghost] ? at(this.ghost) : null;
    patch(this.over, [...arrows, ...(ghost ? [described("circle", { class: "ghost", cx: ghost[0], cy: ghost[1], r: radius * 0.72 })] : [])]);
  }

  /**
   * Shows a position. Arrows stay as long as the position does.
   * @param {import("./notation.js").Position} position
   * @param {{legal?: string, last?: string, marks?: Record<string, Mark>, flip?: boolean, arrows?: Arrow[]}} how
   */
  show(position, { legal = "", last = "", marks = {}, flip = this.flip, arrows = [] }) {
    this.flight++;
    this.isIdle = true;
    this.hold(0, "S");
    const turned = flip !== this.flip;
    if (legal !== this.legal) this.ghost = "";
    Object.assign(this, { legal, last, marks, flip, arrows, position: structuredClone(position) });
    for (const place of PITS) this.pulse(place, false);
    if (turned) this.draw();
    else for (const place of Object.keys(this.parts)) this.update(place);
    this.drawOver();
  }

  /** Shows where a move's last seed would fall. @param {string} place empty for none */
  preview(place) {
    this.ghost = place;
    this.drawOver();
  }

  /** The middle of a place. @param {string} place @returns {{x: number, y: number}} */
  middle(place) {
    return this.parts[place].room;
  }

  /** Shows seeds in the hand over a place. @param {number} seeds @param {string} place */
  hold(seeds, place) {
    const { x, y } = this.middle(place);
    const { radius, seed } = this.layout;
    this.hand.style.transform = `translate(${x}px, ${y - 6}px)`;
    patch(this.hand, seedsAt(inCircle(Math.min(seeds, HANDFUL), radius * 0.8, seed), 0, 0, seed, this.art.fill));
  }

  /** @param {string} place @param {boolean} on */
  pulse(place, on) {
    this.parts[place].group.classList.toggle("pulse", on);
  }

  /** Ends a motion, and shows the position after it. */
  skip() {
    this.flight++;
    this.isIdle = true;
    this.hand.getAnimations().forEach((/** @type {Animation} */ animation) => animation.finish());
  }
}
