// The token of the server: what an address has brought, and what the server has accepted from any tab of this browser.

/** Under this name this tab keeps a token that is still to be tried, and all tabs the one that was accepted. */
const TOKEN_NAME = "kroo.token";
/** The token of an address, where the browser keeps nothing. */
let brought = "";

/** @param {"sessionStorage" | "localStorage"} where @param {string | null} [token] what is kept from now on; nothing if it is null */
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

/** Takes the token from behind the `#` of the address, where it does not stay. Returns whether there was one. */
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
// Another address of the same page loads nothing, so what failed without the new token begins again here.
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

/** Begins the page again once the server has accepted a token from another tab. */
export function awaitToken() {
  addEventListener("storage", ({ key, newValue }) => key === TOKEN_NAME && newValue && location.reload());
}
