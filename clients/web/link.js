// Links that hold a game, a position of it, and the variation round that: `#game=oware&start=…&moves=FfEc&line=FfD&at=3`.

import { element } from "./dom.js";
import { Refused } from "./engine.js";
import { Game } from "./game.js";
import { t } from "./texts.js";
import { linkOf } from "./untrusted.js";

/** @typedef {{variant: string, start: string | null, moves: string, line: string, at: number}} Link */

/** The link in the address; null without one. @returns {Link | null} */
export const linkHere = () => linkOf(location.hash);

/** Removes the link from the address. */
export const removeLink = () => history.replaceState(null, "", location.pathname + location.search);

/** Builds the game of a link. The engine checks it. @param {Link} link @param {import("./engine.js").Engine} rules */
export async function gameOf({ variant, start, moves, line, at }, rules) {
  // Both go out at once.
  const known = rules.askAbout(variant).catch((error) => {
    rules.variant = "";
    throw error instanceof Refused ? new Error(t("linkNoVariant", { name: variant })) : error;
  });
  const [, game] = await Promise.all([known, Game.begin(variant, start, rules)]);
  let leaf = game.root;
  for (const one of [moves, line]) if (one) leaf = game.add(game.root, await rules.tell(variant, start, "", one));
  game.current = [game.root, ...leaf.path()][Math.max(0, Math.min(at, leaf.ply))];
  return game;
}

/** Opens the game of the link in the address. @param {import("./app.js").App} app */
export async function openLink(app) {
  const link = linkHere();
  if (!link) return;
  removeLink();
  try {
    const game = await gameOf(link, app.rules);
    app.setMode("analyse");
    app.past.remember("openLink");
    await app.take(game);
  } catch (error) {
    app.sayError(error);
  }
}

/** The address of the position that is shown, with the game round it. @param {Game} game */
export function linkTo(game) {
  const { current, root, variant, start } = game;
  const isMain = current === root || game.main().includes(current);
  const moves = root.leaf().moves();
  const line = isMain ? "" : current.leaf().moves();
  const words = new URLSearchParams({
    game: variant,
    ...(start && { start }),
    ...(moves && { moves }),
    ...(line && { line }),
    ...(moves && { at: String(current.ply) }),
  });
  return `${location.origin}${location.pathname}#${words}`;
}

/** Copies the link. @param {import("./app.js").App} app */
export const copyLink = (app) => copyText(app, linkTo(app.game), "linked");

/**
 * Copies a text, or shows it where copying is not allowed.
 * @param {import("./app.js").App} app @param {string} text @param {string} done the name of the confirmation
 */
export async function copyText(app, text, done) {
  try {
    await navigator.clipboard.writeText(text);
    app.say(t(done));
  } catch {
    const field = element("input", { value: text, readonly: true, "aria-label": t("position") });
    app.dialogs.open(t("copyFailed"), [field]);
    field.select();
  }
}
