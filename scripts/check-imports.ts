/**
 * Checks which way the imports of src/ point: doors → engine → contracts. A door imports no other door but the one
 * that a command of the command line starts, the engine no door and nothing of testing/, what reads conversations nothing
 * that decides about them, and no chain of imports comes back to where it started.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { projectRoot } from "./listed-tests.ts";

const doors = ["cli", "gateway", "mcp"];
const contractFolders = ["conversation", "errors"];
/** What only reads a conversation, and what decides about one. */
const readers = ["reading", "ledger", "salience", "shapes"];
const deciders = ["plan", "stages", "policy"];
/** What a statement `import … from "./x.ts"` or a call `import("./x.ts")` names; `import type` is marked. */
const importPattern =
  /\bimport\s+(type\s)?[^;"']*?from\s+"(\.[^"]+)"|\bexport\s+(type\s)?[^;"']*?from\s+"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/g;

interface Import {
  readonly to: string;
  readonly typeOnly: boolean;
}

const files = globSync("src/**/*.ts", { cwd: projectRoot }).filter((file) => !file.endsWith(".test.ts"));
const graph = new Map(files.map((file) => [file, importsOf(file)]));
const faults = [...graph].flatMap(([file, imports]) => imports.flatMap(({ to }) => faultsOf(file, to)));
faults.push(...cycles());

for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stderr.write(`${files.length} files, ${faults.length} imports that point the wrong way\n`);
process.exitCode = faults.length > 0 ? 1 : 0;

function importsOf(file: string): readonly Import[] {
  const text = readFileSync(join(projectRoot, file), "utf8");
  return [...text.matchAll(importPattern)].map((match) => ({
    to: normalize(join(dirname(file), (match[2] ?? match[4] ?? match[5])!)),
    typeOnly: Boolean(match[1] ?? match[3]),
  }));
}

function faultsOf(from: string, to: string): readonly string[] {
  const [source, target] = [folderOf(from), folderOf(to)];
  const say = (why: string): string => `${from} imports ${to}: ${why}`;
  if (!graph.has(to) && !to.endsWith(".json")) return [say("there is no such file")];
  if (source === target) return [];
  if (doors.includes(source)) {
    const isStarted = from === `src/cli/${target}-command.ts`;
    return doors.includes(target) && !isStarted ? [say("a door imports no other door")] : [];
  }
  if (doors.includes(target)) return [say("the engine imports no door")];
  if (target === "testing") return [say("nothing but tests imports testing/")];
  if (contractFolders.includes(source) && !contractFolders.includes(target)) {
    return [say("contracts import only contracts")];
  }
  if (readers.includes(source) && deciders.includes(target)) {
    return [say("what reads conversations imports nothing that decides about them")];
  }
  return to === "src/index.ts" && source !== "testing" ? [say("the front door is for users")] : [];
}

function folderOf(file: string): string {
  return file.split("/").length > 2 ? file.split("/")[1]! : "";
}

/** Types are gone at run time, so only the imports that stay can form a cycle. */
function cycles(): readonly string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    if (path.includes(file)) {
      found.push(`These import each other: ${[...path.slice(path.indexOf(file)), file].join(" → ")}`);
      return;
    }
    if (done.has(file)) return;
    done.add(file);
    path.push(file);
    for (const { to, typeOnly } of graph.get(file) ?? []) if (!typeOnly) visit(to);
    path.pop();
  };
  for (const file of files) visit(file);
  return found;
}
