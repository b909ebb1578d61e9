// The engine plays itself: node drive.mjs PATH [VARIANT]
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [path, variant = "awari"] = process.argv.slice(2);
const engine = spawn(path, { stdio: ["pipe", "pipe", "inherit"] });
const answers = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();

/** Sends lines, and returns the first answer that begins with `last`. */
async function ask(lines, last) {
  engine.stdin.write(lines + "\n");
  for (;;) {
    const { value: answer = "the engine has gone", done } = await answers.next();
    if (answer.startsWith(last)) return answer;
    if (done || answer.startsWith("info string error")) throw new Error(answer);
  }
}

await ask("uci", "uciok");
await ask(`setoption name UCI_Variant value ${variant}\nisready`, "readyok");
let [moves, move] = ["", ""];
while (move !== "0000" && moves.length < 60) {
  moves += move;
  move = (await ask(`position startpos moves ${moves}\ngo depth 6`, "bestmove")).split(" ")[1];
}
console.log([moves, await ask("d", "Fen:"), await ask("", "Result:")].join("\n"));
engine.stdin.end("quit\n");
