// Fair starts: starts with one or two seeds moved, which perfect play draws. The engine has them.

export class FairStarts {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    /** Fair starts of the games asked about. @type {Map<string, string[]>} */
    this.known = new Map();
  }

  /** The fair starts of a game, none while they are unknown. @param {string} variant */
  of(variant) {
    return this.known.get(variant) ?? [];
  }

  /** Whether a game began from one. @param {import("./game.js").Game} game */
  has({ variant, root }) {
    return this.of(variant).includes(root.fen);
  }

  /** Asks for those of the game that is shown, once. */
  async offer() {
    const { app } = this;
    const { variant } = app.game;
    if (this.known.has(variant)) return;
    this.known.set(variant, []);
    try {
      const lines = await app.rules.askAbout(variant, "fairstarts");
      this.known.set(
        variant,
        lines.filter((line) => line.startsWith("Fen: ")).map((line) => line.slice(5)),
      );
    } catch {
      // The engine is gone, which is reported elsewhere, or refuses: the next one is asked again.
      this.known.delete(variant);
      return;
    }
    app.update();
    const { current } = app.game;
    if (app.isReady && !current.parent && this.has(app.game)) app.say(app.sentence(current));
  }

  /** Begins a game from one, chosen at random. */
  async begin() {
    const { variant } = this.app.game;
    const starts = this.of(variant);
    await this.app.play.newGame(variant, { start: starts[Math.floor(Math.random() * starts.length)] ?? null });
  }
}
