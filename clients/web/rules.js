// The engine that knows the rules: it is started again when its process has ended.

import { Engine, Gone } from "./engine.js";

/** How often a question is asked again after the engine has ended. */
const TRIES = 2;

export class Rules extends Engine {
  /** @param {import("./engine.js").Transport} transport */
  constructor(transport) {
    super(transport.first);
    this.transport = transport;
    /** The start of another process that is going on. @type {Promise<void> | null} */
    this.starting = null;
    // The page needs this engine, and the connection tells when it ends, so there is no time limit.
    this.patience = Infinity;
    this.name = "Kroo";
  }

  /** @param {string} variant @param {string[]} lines */
  async askAbout(variant, ...lines) {
    for (let tries = 0; ; tries++) {
      try {
        if (this.ended) throw new Gone(this.name);
        return await super.askAbout(variant, ...lines);
      } catch (error) {
        if (!(error instanceof Gone) || tries === TRIES) throw error;
        await this.restart();
      }
    }
  }

  /** Starts another process; questions that come meanwhile wait for the same one. */
  restart() {
    this.starting ??= this.transport
      .open(0)
      .then((link) => {
        this.use(link);
        this.variant = "";
      })
      .catch(() => {
        throw new Gone(this.name);
      })
      .finally(() => (this.starting = null));
    return this.starting;
  }
}
