/** Which sources a preset can reach at run time: what nothing but a test or the list of exports names shows no behaviour. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { projectRoot } from "./listed-tests.ts";

/** Where users come in; the list of exports (src/index.ts) is none: it names things that nobody may call. */
const ENTRANCES = [
  "src/compactor.ts",
  "src/cli/main.ts",
  "src/gateway/worker.ts",
  "src/adapters/*.ts",
  "src/gateway/{worker,inspect-worker}.ts",
  "src/{recall,transcripts,validate}/index.ts",
  "src/archive/{memory,sqlite,postgres}.ts",
];
/** Imports that are there at run time, and files that are started as workers. */
const IMPORT =
  /\b(?:import|export)\s+(?!type\s)[^;"']*?from\s+"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)|new URL\("(\.[^"]+\.ts)"/g;
const DECLARATION = /^export (?:async )?(?:function|const|class) (\w+)/gm;

let reached: ReadonlyMap<string, string> | undefined;

/** Why no preset reaches the place of a text in a file of src/; undefined where one does. */
export function whyUnreached(file: string, find: string): string | undefined {
  if (!file.startsWith("src/")) return undefined;
  reached ??= reachedFiles();
  const text = reached.get(file);
  if (text === undefined) return `nothing that a preset runs imports ${file}`;
  const before = text.slice(0, text.indexOf(find) + 1);
  const lastStart = before.lastIndexOf("\n}");
  const name = [...before.matchAll(DECLARATION)].findLast(({ index }) => index > lastStart)?.[1];
  return name === undefined || isNamed(name, file, reached) ? undefined : `nobody calls ${name} of ${file}`;
}

function isNamed(name: string, file: string, texts: ReadonlyMap<string, string>): boolean {
  const word = new RegExp(`\\b${name}\\b`, "g");
  if (texts.get(file)!.match(word)!.length > 1) return true;
  return [...texts].some(([each, text]) => each !== file && text.search(word) >= 0);
}

function reachedFiles(): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const queue = ENTRANCES.flatMap((pattern) => globSync(pattern, { cwd: projectRoot }));
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    if (texts.has(file) || file.endsWith(".test.ts") || !file.endsWith(".ts")) continue;
    const text = readFileSync(join(projectRoot, file), "utf8");
    texts.set(file, text);
    for (const [, from, called, started] of text.matchAll(IMPORT))
      queue.push(normalize(join(dirname(file), (from ?? called ?? started)!)));
  }
  return texts;
}
