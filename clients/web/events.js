// Server-sent events by `fetch`: the browser's own `EventSource` can present no token.

/** The server does not accept the token, or the page has none. */
export class WrongToken extends Error {
  name = "WrongToken";
}

/** The headers of a request. @param {string} token */
export const headersWith = (token) => ({ "X-Kroo-Token": token });

/** The error of an answer. @param {Response} answer */
export async function refusalOf(answer) {
  const text = (await answer.text()).trim();
  return answer.status === 401 ? new WrongToken(text) : new Error(text);
}

/**
 * Hears events until the connection ends.
 * @param {string} path
 * @param {string} token
 * @param {(name: string, data: string) => void} hear
 * @param {string} [body] the posted text
 */
export async function hearEvents(path, token, hear, body) {
  const answer = await fetch(path, { headers: headersWith(token), ...(body !== undefined && { method: "POST", body }) });
  if (!answer.ok || !answer.body) throw await refusalOf(answer);
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
