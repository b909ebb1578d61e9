/** A rule set; there are others, which the option `UCI_Variant` lists. */
export type Variant = "awari" | "awari1978" | "oware" | "ayoayo" | "kalah" | "avalanche" | (string & {});

/** A position: the start or fifteen fields, and moves from there; or the words of the command `position`. */
export type Place = string | { fen?: string; moves?: string | readonly string[] };

/** The limits of a search; the first one reached ends it. Without any it goes on until its loop is left. */
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

/** Limits that end a search: at least one of depth, nodes and time. */
export type Bounded = Limits & ({ depth: number } | { nodes: number } | { time: number });

/** A score from the point of view of the side to move. */
export interface Score {
  /** The final difference of the stores, in hundredths of a seed. */
  centiseeds: number;
  /** What is certain. */
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
  /** Options of the engine by their names, as in protocol.md. */
  options?: Record<string, string | number | boolean>;
  /** The compiled `kroo.wasm`, where it is not next to `index.js`. */
  module?: WebAssembly.Module;
}

/** What the engine refused, in its own words. */
export class EngineError extends Error {}

/**
 * An engine in this thread. It searches a tenth of a second at a time; a page runs it in a worker. Calls wait for each other;
 * within a loop of `analyse` they are refused.
 */
export class Engine {
  private constructor();
  static load(options?: LoadOptions): Promise<Engine>;
  /** Searches, and yields what the engine says. Leaving the loop stops the search. Returns the best move. */
  analyse(place: Place, limits?: Limits): AsyncGenerator<Info, string | null, void>;
  /** Searches to a limit: the move to play, null if the game is over, and the last line of the search. */
  play(place: Place, limits: Bounded): Promise<{ move: string | null; info: Info | null }>;
  /** The position as fifteen fields, its legal moves, and the result of a game that is over. */
  look(place: Place): Promise<{ fen: string; moves: string[]; result: "1-0" | "0-1" | "1/2-1/2" | null }>;
  setOption(name: string, value?: string | number | boolean | null): Promise<void>;
  newGame(): Promise<void>;
  /** Sends lines of the protocol that are answered at once, and returns the answer. A `go` is refused. */
  ask(...commands: string[]): Promise<string[]>;
}

/** A line that begins with `info`, read; null for one without numbers. */
export function parseInfo(line: string): Info | null;
