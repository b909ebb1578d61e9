// Server-sent events by `fetch`: the browser's own `EventSource` can present no token.

/** The token stands behind the `#` of the address, which no browser sends to anybody. */
const token = new URLSearchParams(location.hash.slice(1)).get("token");
/** What every request to the server has to present. @type {Record<string, string>} */
export const headers = token ? { "X-Kroo-Token": token } : {};

/**
 * Hears events until the connection ends.
 * @param {string} path
 * @param {(name: string, data: string) => void} hear
 */
export async function hearEvents(path, hear) {
  const answer = await fetch(path, { headers });
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
