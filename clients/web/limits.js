// Limits of a game that are no rule of any game.

/** After this number of moves the stores decide an unfinished game (docs/rules.md). */
export const MOVE_LIMIT = 250;
