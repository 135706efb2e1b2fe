/**
 * Compiles every TypeScript snippet of the README and docs/ as a user would: against the built package, under `strict` and
 * `exactOptionalPropertyTypes`. A snippet has the imports of those above it on its page, and the names that
 * docs/snippets/ declares for what is the reader's own.
 */
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./listed-tests.ts";

interface Snippet {
  readonly page: string;
  /** Of its first line of code in the page, counted from 1. */
  readonly line: number;
  readonly code: string;
}

const importStatement = /^import [^;]*;/gm;

const { exports } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
  exports: Readonly<Record<string, string | { readonly types: string }>>;
};
const compilerOptions = {
  target: "es2023",
  lib: ["es2024"],
  module: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  types: ["node"],
  paths: Object.fromEntries(
    Object.entries(exports).flatMap(([subpath, target]) =>
      typeof target === "string" ? [] : [[join("pith", subpath), [join(projectRoot, target.types)]]],
    ),
  ),
};

const pages = globSync(["*.md", "docs/**/*.md", "examples/*.md"], { cwd: projectRoot }).sort();
const texts = pages.map((page) => ({ page, text: readFileSync(join(projectRoot, page), "utf8") }));
const snippets = texts.flatMap(({ page, text }) => snippetsOf(page, text));
const faults = texts.flatMap(({ page, text }) => unfenced(page, text));
if (snippets.length === 0) faults.push("There is no snippet at all.");

// Inside of node_modules, so that what a snippet imports is found as in a project that has it installed.
const folder = mkdtempSync(join(projectRoot, "node_modules/.snippets-"));
try {
  faults.push(...compile());
} finally {
  rmSync(folder, { recursive: true });
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stderr.write(`${snippets.length} snippets, ${faults.length} faults\n`);
process.exitCode = faults.length > 0 ? 1 : 0;

function snippetsOf(page: string, text: string): readonly Snippet[] {
  return [...text.matchAll(/^```(?:ts|js|tsx|typescript|javascript)\n([\s\S]*?)^```/gm)].map((match) => ({
    page,
    line: text.slice(0, match.index).split("\n").length + 1,
    code: match[1]!,
  }));
}

/** Code that no fence says to be TypeScript would not be compiled. */
function unfenced(page: string, text: string): readonly string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, (fence) => fence.replace(/[^\n]/g, ""));
  return prose.split("\n").flatMap((line, at) => {
    const looksLikeCode = /^ {4}(?:import |(?:const|let) .*= |await )/.test(line);
    return looksLikeCode ? [`${page}:${at + 1}: code without a fence that says ts: ${line.trim()}`] : [];
  });
}

function compile(): readonly string[] {
  cpSync(join(projectRoot, "docs/snippets"), folder, { recursive: true });
  const named = new Map(snippets.map((snippet, at) => [`snippet-${at}.ts`, snippet]));
  for (const [name, snippet] of named) writeFileSync(join(folder, name), moduleOf(snippet));
  const files = [...named.keys(), ...globSync("*.ts", { cwd: join(projectRoot, "docs/snippets") })];
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const compiler = join(projectRoot, "node_modules/typescript/bin/tsc");
  const { stdout, status } = spawnSync(process.execPath, [compiler, "-p", folder, "--pretty", "false"], {
    cwd: folder,
    encoding: "utf8",
  });
  const said = stdout.split("\n").filter(Boolean);
  const told = said.map((line) =>
    line.replace(/^(snippet-\d+\.ts)\(/, (_, name: string) => `${named.get(name)!.page}(`),
  );
  return status === 0 || told.length > 0 ? told : ["The compiler failed and said nothing."];
}

/** Its lines have the numbers that they have in the page, so that errors name them. */
function moduleOf({ page, line, code }: Snippet): string {
  const above = snippets.filter((other) => other.page === page && other.line < line);
  const own = new Set(code.match(importStatement));
  const imports = above.flatMap((other) => other.code.match(importStatement) ?? []);
  const taken = [...new Set(imports)].filter((statement) => !own.has(statement));
  return `${[...taken, "export {};"].join(" ")}${"\n".repeat(line - 1)}${code}`;
}
