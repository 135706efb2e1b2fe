/**
 * Checks that src/ is built in layers: an import points to its own folder or to one further down the list, types included.
 * No chain of imports at run time comes back to where it started.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { projectRoot } from "./listed-tests.ts";

/** From the bottom up; a row of several holds folders that do not know each other. */
const layers: readonly (readonly string[])[] = [
  ["needed-node.ts"],
  ["package-version.ts", "redact", "text", "threads"],
  ["errors", "sources"],
  ["conversation", "http", "keys"],
  ["json"],
  ["reading/agents"],
  ["providers", "tokens", "salience"],
  ["shapes"],
  ["reading"],
  ["ledger"],
  ["archive"],
  ["weights"],
  ["state"],
  ["policy"],
  ["engine"],
  ["handoff"],
  ["summarizer"],
  ["plan"],
  ["engine/planner.ts"],
  ["report"],
  ["recall"],
  ["agent-control"],
  ["run"],
  ["compactor.ts"],
  ["index.ts", "transcripts", "replay"],
  ["inspect"],
  ["adapters", "gateway", "mcp", "testing"],
  ["cli"],
];
/** What the engine replaces it does not stand on. */
const replaced: ReadonlySet<string> = new Set([
  "salience",
  "shapes",
  "reading",
  "ledger",
  "weights",
  "handoff",
  "plan",
]);
/** What a statement `import … from "./x.ts"`, `import "./x.ts"` or a call `import("./x.ts")` names; `import type` is marked. */
const importPattern =
  /\bimport\s+(type\s)?[^;"']*?from\s+"(\.[^"]+)"|\bexport\s+(type\s)?[^;"']*?from\s+"(\.[^"]+)"|\bimport(?:\(|\s+)"(\.[^"]+)"/g;

interface Import {
  readonly to: string;
  readonly typeOnly: boolean;
}

const heights = new Map(layers.flatMap((row, height) => row.map((name) => [name, height])));
const files = globSync("src/**/*.ts", { cwd: projectRoot }).filter((file) => !file.endsWith(".test.ts"));
const graph = new Map(files.map((file) => [file, importsOf(file)]));
const faults = [...graph].flatMap(([file, imports]) => imports.flatMap(({ to }) => faultsOf(file, to)));
faults.push(...cycles());

for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stderr.write(
  `${files.length} files in ${heights.size} folders and ${layers.length} layers, ${faults.length} imports that point the wrong way\n`,
);
if (process.argv.includes("--layers"))
  process.stdout.write(`${layers.map((row) => row.join(", ")).join("\n")}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;

function importsOf(file: string): readonly Import[] {
  const text = readFileSync(join(projectRoot, file), "utf8");
  return [...text.matchAll(importPattern)].map((match) => ({
    to: normalize(join(dirname(file), (match[2] ?? match[4] ?? match[5])!)),
    typeOnly: Boolean(match[1] ?? match[3]),
  }));
}

function faultsOf(from: string, to: string): readonly string[] {
  if (!graph.has(to) && !to.endsWith(".json")) return [`${from} imports ${to}: there is no such file`];
  const [source, target] = [folderOf(from), folderOf(to)];
  const [high, low] = [heights.get(source), heights.get(target)];
  if (high === undefined) return [`${from}: ${source} stands in no layer`];
  if (source === "engine" && replaced.has(target))
    return [`${from} imports ${to}, which the engine replaces`];
  if (source === target || low === undefined || low < high) return [];
  return [`${from} imports ${to}: ${target} stands ${low === high ? "beside" : "above"} ${source}`];
}

/** `src/plan/stages/stage.ts` → `plan`; a file at the root stands for itself, and so does the engine's planner, which makes a Plan. */
function folderOf(file: string): string {
  if (file === "src/engine/planner.ts") return "engine/planner.ts";
  return file.startsWith("src/reading/agents/") ? "reading/agents" : file.split("/")[1]!;
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
