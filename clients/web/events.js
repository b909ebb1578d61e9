// Server-sent events by `fetch`: the browser's own `EventSource` can present no token.

/** The name under which the tab keeps the token. */
const TOKEN_NAME = "kroo.token";
/** Headers of every request to the server. @type {Record<string, string>} */
export const headers = {};

/** Takes the token from behind the `#` of the address, where it does not stay. Returns whether there was one. */
function takeToken() {
  const words = new URLSearchParams(location.hash.slice(1));
  const token = words.get("token");
  if (!token) return false;
  headers["X-Kroo-Token"] = token;
  try {
    sessionStorage.setItem(TOKEN_NAME, token);
  } catch {
    // A browser that keeps nothing needs the whole address for each reload.
    return true;
  }
  words.delete("token");
  history.replaceState(null, "", location.pathname + location.search + (String(words) && `#${words}`));
  return true;
}

function keptToken() {
  try {
    return sessionStorage.getItem(TOKEN_NAME);
  } catch {
    return null;
  }
}

if (!takeToken()) {
  const token = keptToken();
  if (token) headers["X-Kroo-Token"] = token;
}
// Another address of the same page loads nothing, so what failed without the new token begins again here.
addEventListener("hashchange", () => takeToken() && location.reload());

/**
 * Hears events until the connection ends.
 * @param {string} path
 * @param {(name: string, data: string) => void} hear
 * @param {string} [body] what is posted
 */
export async function hearEvents(path, hear, body) {
  const answer = await fetch(path, { headers, ...(body !== undefined && { method: "POST", body }) });
  if (!answer.ok || !answer.body) throw new Error((await answer.text()).trim());
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const found = /^event: (.*)\ndata: ?(.*)$/.exec(event);
      if (found) hear(found[1], found[2]);
    }
  }
}
