// Stored in the browser: the game and the choices, so that both survive a reload.

/**
 * What was kept under a name.
 * @template T
 * @param {string} name
 * @param {T} otherwise
 * @returns {T}
 */
export function kept(name, otherwise) {
  try {
    const text = localStorage.getItem(`kroo.${name}`);
    return text ? JSON.parse(text) : otherwise;
  } catch {
    return otherwise;
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
