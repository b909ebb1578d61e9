// Stored in the browser: the choices, and all that has a name there.

/** The value kept under a name, of any type (`untrusted.js`); null without one. @param {string} name @returns {unknown} */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(`kroo.${name}`) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Keeps a value; nothing if it is null. A browser that keeps nothing has no reload to survive. Returns whether there was room.
 * @param {string} name @param {any} value
 */
export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(`kroo.${name}`);
    else localStorage.setItem(`kroo.${name}`, JSON.stringify(value));
    return true;
  } catch (error) {
    // Private windows may refuse everything.
    return !(error instanceof DOMException && error.name === "QuotaExceededError");
  }
}

/** The names that begin like this, without that beginning. @param {string} beginning */
export function namesOf(beginning) {
  try {
    return Object.keys(localStorage).flatMap((name) => (name.startsWith(`kroo.${beginning}`) ? [name.slice(5 + beginning.length)] : []));
  } catch {
    return [];
  }
}
