// Tabs: each has a game of its own.

import { keep, kept } from "./settings.js";
import { tabsOf } from "./untrusted.js";

/** Most tabs that are known. */
const MOST = 20;
/** The key of a tab's own name. */
const OWN = "kroo.tab";

/** The lock that a tab holds as long as it is there. @param {string} id */
export const lockOf = (id) => `kroo.tab.${id}`;

/** Whether a tab is open; true if the browser cannot tell. @param {string} id */
export async function isOpen(id) {
  const held = (await navigator.locks?.query())?.held;
  return held ? held.some(({ name }) => name === lockOf(id)) : true;
}

/** How long a tab may take to begin again, in milliseconds: a busy machine, or a browser that gives a hidden tab little time. */
const AGAIN = 60000;

/** Begins this tab again. Meanwhile no other tab takes its name. @param {string} id */
export function beginAgain(id) {
  keep(`again.${id}`, Date.now());
  location.reload();
}

/** Whether a tab is about to begin again. @param {string} id */
function comesAgain(id) {
  const since = Date.now() - Number(kept(`again.${id}`) ?? 0);
  return since >= 0 && since < AGAIN;
}

/** How long a tab waits for its own name, in milliseconds: until the page that it showed before is gone. */
const GONE = 2000;

/**
 * Whether this tab has a name to itself, for as long as it is there.
 * @param {string} id
 * @param {number} [patience] how long it waits for another page to give the name up, in milliseconds
 * @param {(id: string) => boolean} [isFree] whether it may have the name that it has got
 */
function take(id, patience = 0, isFree = () => true) {
  const options = patience ? { signal: AbortSignal.timeout(patience) } : { ifAvailable: true };
  return new Promise((done) => {
    const taken = (/** @type {Lock | null} */ lock) => {
      const isMine = lock !== null && isFree(id);
      done(isMine);
      return isMine && new Promise(() => {});
    };
    navigator.locks.request(lockOf(id), options, taken).catch(() => done(false));
  });
}

/**
 * Names this tab: its earlier name; or without one the name of the last tab, if that is closed; or a new one. No two open tabs
 * have the same name.
 * @param {boolean} anew whether to take a new name, which keeps all kept games
 * @returns {Promise<{id: string, from: string | null}>} the name, and the name under which its game was kept
 */
export async function nameTab(anew) {
  let own = /** @type {string | null} */ (null);
  try {
    [own = null] = tabsOf([sessionStorage.getItem(OWN)]);
  } catch {
    // A browser that keeps nothing keeps no games.
  }
  const all = tabsOf(kept("tabs"));
  const made = `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;
  if (anew) own = null;
  let named = { id: made, from: own ?? (navigator.locks ? null : (all[0] ?? null)) };
  // Pages from other machines have no locks; there a new tab begins with a copy of the last game.
  if (!navigator.locks && own) named = { id: own, from: own };
  // A tab whose own name another one has goes on with a copy of its own game, never with another game.
  const id = navigator.locks && !anew ? (own ?? all[0]) : undefined;
  // Whether the last tab begins again is certain only when it holds its name no more.
  const isFree = (/** @type {string} */ name) => own !== null || !comesAgain(name);
  if (id && (await take(id, own ? GONE : 0, isFree))) named = { id, from: id };
  if (named.id === made && navigator.locks) await take(made);
  try {
    sessionStorage.setItem(OWN, named.id);
  } catch {
    // See above.
  }
  keep(`again.${named.id}`, null);
  const names = [named.id, ...all.filter((id) => id !== named.id)];
  for (const id of names.splice(MOST)) keep(`tab.${id}`, null);
  keep("tabs", names);
  return named;
}
