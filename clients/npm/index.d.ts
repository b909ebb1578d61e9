/** A rule set; there are others, which the option `UCI_Variant` lists. */
export type Variant = "awari" | "awari1978" | "oware" | "ayoayo" | "kalah" | "avalanche" | (string & {});

/** A position: the start or fifteen fields, and moves from there; or the words of the command `position`. */
export type Place = string | { fen?: string; moves?: string | readonly string[] };

/** The limits of a search; the first one reached ends it. Without any it goes on until the result is certain or its loop is left. */
export interface Limits {
  /** Plies. */
  depth?: number;
  /** Positions. */
  nodes?: number;
  /** Milliseconds. */
  time?: number;
  /** The only moves to consider. */
  moves?: string | readonly string[];
}

/** Cancels a call, as the `AbortSignal` of an `AbortController` does. The call fails with its reason, and the engine is free again. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason: any;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

export interface Cancel {
  signal?: Signal;
}

/** Limits that end a search: at least one of depth, nodes and time. */
export type Bounded = Limits & ({ depth: number } | { nodes: number } | { time: number });

/** A score from the point of view of the side to move. */
export interface Score {
  /** The final difference of the stores, in hundredths of a seed. */
  centiseeds: number;
  /** The certain result, if any. */
  proven: "win" | "draw" | "loss" | null;
  /** How the line ends, without a proof that it is best play. */
  found: "win" | "loss" | null;
  bound: "lower" | "upper" | null;
  /** Thousandths of win, draw and loss, with the option `UCI_ShowWDL`. */
  wdl: [number, number, number] | null;
}

/** A line of a search. */
export interface Info {
  depth?: number;
  seldepth?: number;
  multipv?: number;
  score?: Score;
  nodes?: number;
  nps?: number;
  hashfull?: number;
  tbhits?: number;
  /** Milliseconds. */
  time?: number;
  currmove?: string;
  currmovenumber?: number;
  pv: string[];
}

export interface LoadOptions {
  variant?: Variant;
  /** Options of the engine by the names in protocol.md. */
  options?: Record<string, string | number | boolean>;
  /** The compiled `kroo.wasm`, a `WebAssembly.Module`, if it is not next to `index.js`. */
  module?: object;
}

/** The limits of each search of a review, and the side whose moves are judged (default: both). */
export interface ReviewLimits {
  side?: "S" | "N";
  depth?: number;
  nodes?: number;
  /** Milliseconds. */
  time?: number;
}

/** Counts of a side's marked moves, and of its moves whose result is known. */
export interface ReviewCounts {
  marks: { "?!": number; "?": number; "??": number };
  /** Per cent; null if the side never had a choice. */
  accuracy: number | null;
  known: number;
  given: number;
}

/** A game, move by move, with the lines of each position. */
export interface Review {
  moves: { ply: number; move: string; best: string; mark: "?!" | "?" | "??" | null; lines: Info[] }[];
  south: ReviewCounts;
  north: ReviewCounts;
}

/** What to prove, and the limits of each position. */
export interface SolveLimits {
  /** Whether to prove the value of each move too. */
  moves?: boolean;
  /** Prove less than the value: whether the side to move wins; or whether it wins, draws or loses. */
  bound?: "win" | "draw";
  nodes?: number;
  /** Milliseconds. */
  time?: number;
}

/** The proven bounds of a position or a move: the final difference of the stores in seeds, for the side to move. */
export interface Bounds {
  atLeast: number;
  atMost: number;
  /** The exact value; null if only bounds are known. */
  value: number | null;
  result: "win" | "draw" | "loss" | null;
  /** Whether the question is answered. */
  proven: boolean;
}

/** The answer about a position. `proven` says whether everything that was asked is proven, of the moves too. */
export interface Solution extends Bounds {
  best: string | null;
  /** Best play, if the value is exact. */
  pv: string[];
  /** The bounds of each move, the best first, if they were asked for. */
  moves: Record<string, Bounds>;
  nodes: number;
  /** Milliseconds. */
  time: number;
}

/** A refusal by the engine, in its own words. */
export class EngineError extends Error {}

/** The engine has ended: by `quit`, or because it has failed. */
export class EngineTerminated extends EngineError {}

/**
 * An engine in this thread. It searches a tenth of a second at a time; a page runs it in a worker. Calls wait for each other;
 * within a loop of `analyse` all but `stop` and `quit` are refused.
 */
export class Engine {
  private constructor();
  static load(options?: LoadOptions): Promise<Engine>;
  /** The state of the engine. */
  readonly state: "ready" | "busy" | "open" | "leaving" | "ended";
  /** Searches, and yields the engine's `info` lines. Leaving the loop stops the search. Returns the best move. */
  analyse(place: Place, limits?: Limits & Cancel): AsyncGenerator<Info, string | null, void>;
  /** Searches to a limit: the move to play, null if the game is over, and the last line of the search. */
  play(place: Place, limits: Bounded & Cancel): Promise<{ move: string | null; info: Info | null }>;
  /** Judges the moves of a game, as the command `review` does. */
  review(place: Place, limits?: ReviewLimits & Cancel): Promise<Review>;
  /** Proves the exact value of a position; `kalah` and `awari1978` can be solved from any position, given time. */
  solve(place: Place, limits?: SolveLimits & Cancel): Promise<Solution>;
  /** Solves many positions, one after the other, in order. */
  solveAll(places: Iterable<Place>, limits?: SolveLimits & Cancel): AsyncGenerator<Solution, void, void>;
  /** The position as fifteen fields, its legal moves, and the result of a game that is over. */
  look(place: Place): Promise<{ fen: string; moves: string[]; result: "1-0" | "0-1" | "1/2-1/2" | null }>;
  setOption(name: string, value?: string | number | boolean | null): Promise<void>;
  newGame(): Promise<void>;
  /** Sends lines of the protocol that are answered at once, and returns the answer. Those that take time are refused. */
  ask(...commands: string[]): Promise<string[]>;
  /** Stops whatever runs; a caller that waits for a search gets its answer, and a loop its last lines. */
  stop(): Promise<void>;
  /** Ends the engine. A running call fails with `EngineTerminated`. */
  quit(): Promise<void>;
}

/** A line that begins with `info`, read; null for one without numbers. */
export function parseInfo(line: string): Info | null;
