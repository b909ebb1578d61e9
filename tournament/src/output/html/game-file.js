// A game as a file, `.ogn` (docs/formats.md). A report writes its games itself, because it works without a server.

/** Most letters of a line. */
const WIDTH = 79;

/** A game as a file: its moves, each with its score, its depth and its time. */
function asFile(game) {
  const start = startOf(game);
  const tags = {
    Variant: DATA.variant,
    Event: DATA.event,
    Site: "?",
    Date: game.date,
    Round: String(game.round),
    South: nameOf(game, "S"),
    North: nameOf(game, "N"),
    Result: game.result,
    ...(start === DATA.start ? {} : { FEN: start }),
    Termination: game.reason,
    OpeningPlies: String(game.opening),
  };
  const clean = (value) => value.replace(/[\x00-\x1f]/g, " ").replace(/[\\"]/g, "\\$&");
  const head = Object.entries(tags).map(([name, value]) => `[${name} "${clean(value)}"]\n`);
  const words = numbered([...game.moves].map((move) => ({ move }))).flatMap(({ node, label, index }) => {
    const number = label ? [label.replace("…", "...")] : [];
    return [...number, node.move, ...(index < game.opening ? [] : `{${thoughtOf(game, index)}}`.split(" "))];
  });
  const stores = positionAt(game, game.moves.length).stores.join("-");
  return `${head.join("")}\n${wrapped([...words, stores])}\n\n`;
}

/** The known values of a move among score, depth and time. */
function thoughtOf(game, index) {
  const [score, depth] = [game.scores[index], game.depths[index]];
  const thought = score === null ? "" : `${score}${depth ? `/${depth}` : ""} `;
  return `${thought}${(game.times[index] / 1e6).toFixed(3)}s`;
}

/** Words in lines. */
function wrapped(words) {
  const lines = [""];
  for (const word of words) {
    const last = lines[lines.length - 1];
    if (last && last.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.join("\n");
}

/** Lets the browser save a text. */
function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
