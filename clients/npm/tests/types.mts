import { Engine, type Info, type Variant } from "kroo";
const variant: Variant = "oware";
const engine = await Engine.load({ variant });
for await (const info of engine.analyse({ moves: ["F"] }, { depth: 3 })) {
  const one: Info = info;
  const seeds: number | undefined = one.score?.centiseeds;
  void [seeds, one.pv.join("")];
}
const { move }: { move: string | null } = await engine.play("startpos", { time: 5 });
// @ts-expect-error a limit is a number
await engine.play("startpos", { depth: "3" });
// @ts-expect-error a search needs an end
await engine.play("startpos", {});
// @ts-expect-error the same
await engine.play("startpos", { time: undefined });
// @ts-expect-error the same
await engine.play("startpos", { moves: "A" });
await engine.play("startpos", { moves: "A", nodes: 5, time: undefined });
void move;
const { south, moves } = await engine.review({ moves: "Ff" }, { side: "S", nodes: 5 });
const counts: number = south.marks["??"] + moves.length;
void counts;
await engine.stop();
const solution = await engine.solve({ moves: "Ff" }, { moves: true, nodes: 5, bound: "win" });
const proven: [boolean, number | null] = [solution.proven, solution.moves.A?.value ?? solution.atLeast];
void proven;
// @ts-expect-error no other side
await engine.review({}, { side: "E" });
await engine.quit();
