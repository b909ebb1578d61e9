// Limits of a game that are no rule of any game.

/** A game that still goes on after so many moves is decided by the stores, as src/rules/README.md says. */
export const MOVE_LIMIT = 250;
