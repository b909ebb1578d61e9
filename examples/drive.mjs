// The engine plays itself: node drive.mjs PATH [FLAGS]
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [path, ...flags] = process.argv.slice(2);
const engine = spawn(path, flags, { stdio: ["pipe", "pipe", "inherit"] });
const answers = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();

/** Sends lines, and returns the first answer that begins with `last`. */
async function ask(lines, last) {
  engine.stdin.write(lines + "\n");
  let answer;
  do answer = (await answers.next()).value ?? process.exit(1);
  while (!answer.startsWith(last));
  return answer;
}

await ask("uci", "uciok");
let [moves, move] = ["", ""];
while (move !== "0000" && moves.length < 60) {
  moves += move;
  move = (await ask(`position startpos moves ${moves}\ngo depth 6`, "bestmove")).split(" ")[1];
}
console.log([moves, await ask("d", "Fen:"), await ask("", "Result:")].join("\n"));
engine.stdin.end("quit\n");
