/**
 * The walk of one compaction, for weight.ts: the functions of the built package that `compact()` calls, in the order in which each
 * is called for the first time. Prints the file of each.
 */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "vite";
import { projectRoot } from "./listed-tests.ts";

const built = join(projectRoot, "dist");
const target = 10_000;
const seen = new Map<string, string>();
let isWalking = false;

Object.assign(globalThis, {
  walked(file: string, at: number): void {
    if (isWalking) seen.set(`${file}:${at}`, file);
  },
});

registerHooks({
  load(url, context, next) {
    const file = url.startsWith("file:") ? relative(built, fileURLToPath(url)) : "..";
    if (file.startsWith("..") || !file.endsWith(".js")) return next(url, context);
    const source = marked(readFileSync(fileURLToPath(url), "utf8"), file);
    return { format: "module", source, shortCircuit: true };
  },
});

const messages = JSON.parse(readFileSync(join(projectRoot, "examples/coding-session.json"), "utf8"));
const { createCompactor } = await import("pith");
const { memoryArchive } = await import("pith/archive/memory");
const compactor = createCompactor({ window: 200_000, archive: memoryArchive(), clock: () => 0 });
isWalking = true;
const { report } = await compactor.compact(messages, { target, conversationId: "walk" });
isWalking = false;
if (!report.compacted) throw new Error(`Nothing was compacted: ${report.reason}`);
process.stdout.write(`${[...seen.values()].join("\n")}\n`);

interface Node {
  readonly type?: string;
  readonly start: number;
  readonly end: number;
  readonly body?: Node;
}

/** The same module, with a call of `walked` at the beginning of every function. */
function marked(source: string, file: string): string {
  const inserts = functionsIn(parseAst(source)).flatMap(({ start, body }) => {
    const call = `walked(${JSON.stringify(file)}, ${start})`;
    return body!.type === "BlockStatement"
      ? [{ at: body!.start + 1, text: `${call};` }]
      : [
          { at: body!.start, text: `(${call}, ` },
          { at: body!.end, text: ")" },
        ];
  });
  let text = "";
  let from = 0;
  for (const { at, text: call } of inserts.toSorted((a, b) => a.at - b.at)) {
    text += source.slice(from, at) + call;
    from = at;
  }
  return text + source.slice(from);
}

function functionsIn(node: unknown): readonly Node[] {
  if (node === null || typeof node !== "object") return [];
  const inner = Object.values(node).flatMap(functionsIn);
  const own = node as Node;
  return own.type?.includes("Function") && own.body ? [own, ...inner] : inner;
}
