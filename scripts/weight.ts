/**
 * npm run weight: how much there is to know before one can change something. Counts only, no limits.
 * Patterns, tables and numbers are read from the syntax tree of every file of src/ that is no test:
 * - a pattern is a regular expression literal or a `new RegExp(…)`;
 * - a memo table is a constant of a module that is begun as an empty Map, Set, WeakMap or WeakSet;
 * - a number of taste is a constant of a module that is one number, with or without a sign.
 */
import { execFileSync } from "node:child_process";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseAst } from "vite";
import { projectRoot } from "./listed-tests.ts";

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

const sources = textsOf("src/**/*.ts").filter(({ file }) => !file.endsWith(".test.ts"));
const tests = [...textsOf("src/**/*.test.ts"), ...textsOf("test/**/*.ts")];
const pages = textsOf("docs/**/*.md").filter(({ file }) => !/^docs\/(?:spec\.md|decisions\/)/.test(file));
const trees = sources.map(({ text }) => parseAst(text, { lang: "ts" }) as unknown as Node);
const nodes = trees.flatMap(nodesIn);
const constants = trees.flatMap(constantsOf);
const walk = execFileSync(process.execPath, [join(import.meta.dirname, "walk.ts")], { encoding: "utf8" });
const called = walk.trim().split("\n");

const rooms = [...Map.groupBy(sources, ({ file }) => file.split("/")[1]!)];
const figures: readonly (readonly [string, number])[] = [
  ...rooms.map(([room, files]) => [`src/${room}`, linesOf(files)] as const).toSorted((a, b) => b[1] - a[1]),
  ["src, lines without tests", linesOf(sources)],
  ["tests, lines", linesOf(tests)],
  ["docs, words", pages.reduce((sum, { text }) => sum + text.split(/\s+/).filter(Boolean).length, 0)],
  [
    "entries of src",
    readdirSync(join(projectRoot, "src")).filter((name) => !name.endsWith(".test.ts")).length,
  ],
  ["patterns", nodes.filter(isPattern).length],
  ["memo tables", constants.filter(isEmptyTable).length],
  ["numbers of taste", constants.filter(isNumber).length],
  ["one compact(), functions called", called.length],
  ["one compact(), files with them", new Set(called).size],
  ["one compact(), changes of folder", called.filter(isElsewhere).length],
];
for (const [name, count] of figures) process.stdout.write(`${name.padEnd(34)}${String(count).padStart(8)}\n`);

interface Text {
  readonly file: string;
  readonly text: string;
}

function textsOf(pattern: string): readonly Text[] {
  return globSync(pattern, { cwd: projectRoot, exclude: ["**/node_modules/**"] })
    .toSorted()
    .map((file) => ({ file, text: readFileSync(join(projectRoot, file), "utf8") }));
}

function linesOf(texts: readonly Text[]): number {
  return texts.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0);
}

function nodesIn(value: unknown): readonly Node[] {
  if (value === null || typeof value !== "object") return [];
  const inner = Object.values(value).flatMap(nodesIn);
  return "type" in value ? [value as Node, ...inner] : inner;
}

function isPattern({ type, regex, callee }: Node): boolean {
  return regex !== undefined || (type === "NewExpression" && nameOf(callee) === "RegExp");
}

/** What the constants at the top of a module are begun as. */
function constantsOf({ body }: Node): readonly Node[] {
  const statements = (body as readonly Node[]).map((each) => (each.declaration ?? each) as Node);
  const declared = statements.flatMap(({ type, declarations }) =>
    type === "VariableDeclaration" ? (declarations as readonly Node[]) : [],
  );
  return declared.flatMap(({ init }) => (init as Node | null) ?? []);
}

function isEmptyTable({ type, callee, arguments: given }: Node): boolean {
  const isTable = type === "NewExpression" && /^(?:Weak)?(?:Map|Set)$/.test(nameOf(callee));
  return isTable && (given as readonly Node[]).length === 0;
}

function isNumber({ type, value, argument }: Node): boolean {
  return type === "UnaryExpression"
    ? isNumber(argument as Node)
    : type === "Literal" && typeof value === "number";
}

function nameOf(callee: unknown): string {
  return String((callee as { readonly name?: string }).name ?? "");
}

/** In another folder than the function that was called for the first time before it. */
function isElsewhere(file: string, at: number, files: readonly string[]): boolean {
  return at > 0 && dirname(file) !== dirname(files[at - 1]!);
}
