// The token of the server: the one in the address, and the one that the server has accepted from any tab of this browser.

/** The key under which this tab keeps an untried token, and all tabs keep the accepted one. */
const TOKEN_NAME = "kroo.token";
/** The token of an address, where the browser keeps nothing. */
let brought = "";

/** @param {"sessionStorage" | "localStorage"} where @param {string | null} [token] the token to keep; null removes it */
function stored(where, token) {
  try {
    if (token) globalThis[where].setItem(TOKEN_NAME, token);
    else if (token === null) globalThis[where].removeItem(TOKEN_NAME);
    return globalThis[where].getItem(TOKEN_NAME) ?? "";
  } catch {
    // A browser that keeps nothing needs the whole address for each tab and each reload.
    return "";
  }
}

/** Takes the token after the `#` out of the address. Returns whether there was one. */
function takeToken() {
  const words = new URLSearchParams(location.hash.slice(1));
  const token = words.get("token");
  if (!token) return false;
  brought = token;
  if (!stored("sessionStorage", token)) return true;
  words.delete("token");
  history.replaceState(null, "", location.pathname + location.search + (String(words) && `#${words}`));
  return true;
}

takeToken();
// A change of the address after `#` does not load the page, which may have failed without the new token: reload it.
addEventListener("hashchange", () => takeToken() && location.reload());

/** The tokens that may be right: the one that was brought, then the one that was accepted last. */
export const candidates = () => [...new Set([brought || stored("sessionStorage"), stored("localStorage")].filter(Boolean))];

/** The server has accepted a token: it is the one of all tabs. @param {string} token */
export function accept(token) {
  stored("sessionStorage", stored("localStorage", token) ? null : token);
  brought = token;
}

/** The token that the server has accepted. */
export const accepted = () => brought;

/** Waits until the server has accepted a token from another tab. @param {() => void} come what is done then */
export function awaitToken(come) {
  addEventListener("storage", ({ key, newValue }) => key === TOKEN_NAME && newValue && come());
}
