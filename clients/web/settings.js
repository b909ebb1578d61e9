// Stored in the browser: the game and the choices, so that both survive a reload.

/** What was kept under a name, which may be anything (`untrusted.js`); null if nothing was. @param {string} name @returns {unknown} */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(`kroo.${name}`) ?? "null");
  } catch {
    return null;
  }
}

/** Keeps a value. A browser that keeps nothing has no reload to survive. @param {string} name @param {any} value */
export function keep(name, value) {
  try {
    localStorage.setItem(`kroo.${name}`, JSON.stringify(value));
  } catch {
    // Private windows may refuse.
  }
}
