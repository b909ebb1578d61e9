// Limits of a game that are no rule of any game.

/** After this number of moves the stores decide an unfinished game, as docs/rules.md says. */
export const MOVE_LIMIT = 250;
