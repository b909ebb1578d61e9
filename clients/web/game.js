// A whole game: its rules and start, a tree of moves and variations with the results of a review, its players, clocks and end.

import { after, resumed, stopped } from "./clock.js";
import { parsePosition, sideOf } from "./notation.js";

/**
 * @typedef {import("./state.js").Side} Side
 * @typedef {import("./notation.js").Told} Told
 * @typedef {import("./notation.js").Score} Score
 * @typedef {"missed" | "late" | "found"} Tried how a mistake was answered: not yet rightly, at a later try, at the first one
 */

/** A position in the tree, and the move that led to it. */
export class Node {
  /** @param {Node | null} parent @param {string} move @param {string} fen */
  constructor(parent, move, fen) {
    this.parent = parent;
    this.move = move;
    this.fen = fen;
    /** @type {Node[]} The first child is the game, others are variations. */
    this.children = [];
    /** @type {string | null} The legal moves, once they are known. */
    this.legal = null;
    this.result = "*";
    /** @type {Told | null} */
    this.told = null;
    /** @type {Score | null} Seen from South's side. */
    this.score = null;
    /** @type {{sign: string, line?: string, score?: Score, loss?: number, tried?: Tried} | null} */
    this.mark = null;
    /** A review's result for the move: the expected result that it lost, in per cent; null if it was the only move. @type {{loss: number | null} | null} */
    this.judged = null;
    /** The comment on the move; of the root that before the first move. */
    this.comment = "";
    /** The comment before the first move of a variation. */
    this.before = "";
    /** The known places where the last seeds of moves fall. @type {Record<string, string>} */
    this.landed = {};
    /** The scores of moves from here, for the mover, once mistakes were looked for. @type {Record<string, Score>} */
    this.values = {};
  }

  /** Moves from the start. */
  get ply() {
    let ply = 0;
    for (let node = this.parent; node; node = node.parent) ply++;
    return ply;
  }

  /** The nodes from the first move to this one. @returns {Node[]} */
  path() {
    const path = [];
    for (let node = /** @type {Node} */ (this); node.parent; node = node.parent) path.unshift(node);
    return path;
  }

  /** The moves from the start, as one word. */
  moves() {
    return this.path()
      .map((node) => node.move)
      .join("");
  }

  /** This node, and the first of those after it. @returns {Node[]} */
  line() {
    const line = [/** @type {Node} */ (this)];
    for (let next; (next = line[line.length - 1].children[0]);) line.push(next);
    return line;
  }

  /** The last position of the line that goes on from here. @returns {Node} */
  leaf() {
    return /** @type {Node} */ (this.line().at(-1));
  }
}

/** A new name. */
const newId = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;

/** A copy of a node, without its children. @param {Node} node @param {Node | null} parent */
const copyOf = (node, parent) => Object.assign(new Node(parent, node.move, node.fen), node, { parent, children: /** @type {Node[]} */ ([]) });

/** Everything in a game except its moves. @param {Game | import("./untrusted.js").KeptGame} game */
const factsOf = ({ variant, start, tags, end, seats, paused, practised, id, origin, seen, clock }) => {
  return { variant, start, tags, end, seats, paused, practised, id, origin, seen, clock };
};

export class Game {
  /** @param {string} variant @param {string | null} start @param {string} fen the start as fifteen fields */
  constructor(variant, start, fen) {
    this.variant = variant;
    this.start = start;
    this.root = new Node(null, "", fen);
    this.current = this.root;
    /** Names and values, in order. @type {[string, string][]} */
    this.tags = [];
    /** @type {{result: string, termination: string | undefined, moves: string} | null} an end besides the rules, after these moves */
    this.end = null;
    /** The players; null if unknown, as for a file. @type {import("./state.js").Seats | null} */
    this.seats = null;
    /** The clocks of people; null without. @type {import("./clock.js").Times | null} */
    this.clock = null;
    /** Whether the engines wait. */
    this.paused = false;
    /** Its name, and for an analysis the name of the analysed game; empty if that game is not played here. */
    this.id = newId();
    this.origin = "";
    /** The ply of the mistake that was practised last; 0 before the first. */
    this.practised = 0;
    /** Of an analysis: the state of the played game when both were seen last. */
    this.seen = "";
  }

  /** A game that begins. The error of a position that is refused is thrown. @param {string} variant @param {string | null} start @param {import("./engine.js").Engine} engine */
  static async begin(variant, start, engine) {
    const telling = await engine.tell(variant, start, "", "");
    const game = new Game(variant, start, telling.fen);
    game.add(game.root, telling);
    return game;
  }

  /** Its name and its moves. */
  get stamp() {
    return `${this.id} ${this.root.leaf().moves()}`;
  }

  /**
   * Sets how the game ended where its moves do not tell: by a resignation, or as its file says.
   * @param {string} result
   * @param {string | undefined} termination
   */
  settle(result, termination) {
    this.end = { result, termination, moves: this.root.leaf().moves() };
  }

  /** The settled end of the game, if the moves are still the same. */
  settled() {
    return this.end?.moves === this.root.leaf().moves() ? this.end : null;
  }

  /**
   * How the game is over at a node; null if it goes on.
   * @param {Node} [node]
   * @returns {{by: "rules" | "settled" | "limit", result: string, termination: string | undefined} | null}
   */
  outcome(node = this.root.leaf()) {
    const settled = this.settled();
    const by = node.told?.end === "limit" ? "limit" : "rules";
    if (node.result !== "*") return { by, result: node.result, termination: settled?.termination };
    if (node !== this.root.leaf() || !settled || settled.result === "*") return null;
    return { by: "settled", result: settled.result, termination: settled.termination };
  }

  /** Whether a person plays a side. @param {Side} side */
  isPerson(side) {
    return this.seats?.players[side] === "person";
  }

  /** The side of the only person; null if there are two or none. @returns {Side | null} */
  get person() {
    const [south, north] = [this.isPerson("S"), this.isPerson("N")];
    return south === north ? null : south ? "S" : "N";
  }

  /** Whether it waits: two people need no pause. */
  isHeld() {
    return this.paused && !(this.isPerson("S") && this.isPerson("N"));
  }

  /** A copy that changes on its own. Its clocks stand. */
  clone() {
    const copy = new Game(this.variant, this.start, this.root.fen);
    /** @type {(node: Node, parent: Node | null) => Node} */
    const copied = (node, parent) => {
      const made = copyOf(node, parent);
      if (node === this.current) copy.current = made;
      made.children = node.children.map((child) => copied(child, made));
      return made;
    };
    const { tags, clock } = this;
    Object.assign(copy, factsOf(this), { tags: [...tags], clock: clock && stopped(clock, Date.now()) });
    return Object.assign(copy, { root: copied(this.root, null) });
  }

  /** The same as another game: what happens to one is not seen in the other. */
  copy() {
    return Object.assign(this.clone(), { id: newId() });
  }

  /** A copy that has only the first moves, and ends with the last of them. @param {number} plies */
  shortened(plies) {
    const copy = this.clone();
    const last = [copy.root, ...copy.main()][plies];
    last.children = [];
    return Object.assign(copy, { current: last, end: null });
  }

  /** Another game, which has the moves to a node, and the clocks as they were then. @param {Node} node */
  upTo(node) {
    const { variant, start, seats, clock } = this;
    const other = new Game(variant, start, this.root.fen);
    Object.assign(other.root, { legal: this.root.legal, result: this.root.result });
    for (const { move, fen, told, legal, result } of node.path()) {
      const next = Object.assign(new Node(other.current, move, fen), { told, legal, result });
      other.current.children.push(next);
      other.current = next;
    }
    return Object.assign(other, { seats, clock: clock && after(clock, node.ply, Date.now()) });
  }

  /** An analysis of this game: a game of its own. */
  analysis() {
    return Object.assign(this.clone(), { id: analysisOf(this.id), origin: this.id, seen: this.stamp });
  }

  /**
   * Makes the moves of the analysed game the main line; other lines stay as variations.
   * @param {Game} played
   */
  follow(played) {
    let node = this.root;
    for (const one of played.main()) {
      let next = node.children.find(({ move }) => move === one.move);
      if (!next) node.children.push((next = copyOf(one, node)));
      node = next;
    }
    this.promote(node);
    const { end, seats, stamp, clock } = played;
    Object.assign(this, { current: node, end, seats, seen: stamp, clock: clock && stopped(clock, Date.now()) });
  }

  /** The positions of the game itself. */
  main() {
    return this.root.line().slice(1);
  }

  /**
   * Adds what `sow` told, from a node on. Moves that are there already are not added again.
   * @param {Node} from
   * @param {import("./notation.js").Telling} telling
   */
  add(from, telling) {
    let node = from;
    for (const told of telling.plies) {
      let next = node.children.find((child) => child.move === told.move);
      if (!next) node.children.push((next = new Node(node, told.move, told.fen)));
      next.told = told;
      node = next;
    }
    [node.legal, node.result, node.fen] = [telling.legal, telling.result, telling.fen];
    if (node.result !== "*") node.score = scoreAtEnd(node);
    return node;
  }

  /** Forgets a node and what follows. @param {Node} node */
  cut(node) {
    const parent = node.parent;
    if (!parent) return;
    parent.children = parent.children.filter((child) => child !== node);
    for (let at = /** @type {Node | null} */ (this.current); at; at = at.parent) if (at === node) this.current = parent;
  }

  /** Makes a variation the game. @param {Node} node */
  promote(node) {
    for (let at = node; at.parent; at = at.parent) at.parent.children.sort((one, two) => Number(two === at) - Number(one === at));
  }

  /** The whole game, as a value that can be kept. @returns {import("./untrusted.js").KeptGame} */
  pack() {
    /** @type {(node: Node) => any} */
    const packed = (node) => [node.move, node.score, node.mark, node.children.map(packed), node.comment, node.values, node.judged, node.before];
    const [tree, before] = [this.root.children.map(packed), this.root.comment];
    return { ...factsOf(this), tree, before, values: this.root.values, at: this.current.moves() };
  }

  /**
   * Builds a kept game again; an engine says what its moves do. A variation that it refuses is left out.
   * @param {import("./untrusted.js").KeptGame} kept
   * @param {import("./engine.js").Engine} engine
   */
  static async unpack(kept, engine) {
    const { variant, start, id, clock } = kept;
    // Both go out at once.
    const first = lineOf(kept.tree[0]);
    const [game, told] = await Promise.all([Game.begin(variant, start, engine), first && engine.tell(variant, start, "", first)]);
    Object.assign(game, factsOf(kept), { clock: clock && resumed(clock), id: id || game.id });
    Object.assign(game.root, { values: kept.values, comment: kept.before });
    const grow = async (/** @type {Node} */ node, /** @type {any[]} */ children) => {
      for (const child of children) {
        // The line of first children, told at once.
        const line = [];
        for (let at = child; at; at = at[3][0]) line.push(at);
        const isFirst = node === game.root && child === children[0];
        const known = isFirst ? told : await engine.tell(variant, start, node.moves(), lineOf(child)).catch(() => null);
        if (!known) continue;
        const leaf = game.add(node, known);
        const path = leaf.path().slice(node.ply);
        for (const [index, packed] of line.entries()) {
          const [, score, mark, , comment = "", values = {}, judged = null, before = ""] = packed;
          Object.assign(path[index], { score: score ?? path[index].score, mark, comment, values, judged, before });
          if (packed[3].length > 1) await grow(path[index], packed[3].slice(1));
        }
      }
    };
    await grow(game.root, kept.tree);
    let node = game.root;
    for (const move of kept.at) node = node.children.find((child) => child.move === move) ?? node;
    game.current = node;
    return game;
  }
}

/** The name of the analysis of a game, which is kept with it. @param {string} id */
export const analysisOf = (id) => `${id}~`;

/** The moves of a kept line of first children. @param {any} node */
export function lineOf(node) {
  let moves = "";
  for (let at = node; at; at = at[3][0]) moves += at[0];
  return moves;
}

/** The score of a position that the rules have ended, seen from South's side. @param {Node} node @returns {Score} */
function scoreAtEnd({ fen, result }) {
  const [south, north] = parsePosition(fen).stores;
  const proven = result === "1-0" ? "win" : result === "0-1" ? "loss" : "draw";
  return { cp: 100 * (south - north), proven, found: null, bound: false, mate: null };
}

/** Moves in turns: each with its number, and the moves of both sides. @param {Node[]} nodes @param {number} first plies before */
export function numbered(nodes, first = 0) {
  let number = 0;
  let last = "";
  return nodes.map((node, index) => {
    const side = sideOf(node.move);
    const begins = (side === "S" && last !== "S") || last === "";
    if (begins) number++;
    last = side;
    return { node, label: begins ? `${number}${side === "S" ? "." : "…"}` : "", index: first + index };
  });
}

/** The number of the turn that a move belongs to. @param {Map<Node, string>} labels those of its line @param {Node} node */
export function turnOf(labels, node) {
  let number = "1";
  for (const [other, label] of labels) {
    number = /\d+/.exec(label)?.[0] ?? number;
    if (other === node) break;
  }
  return number;
}
