/** The lines that a ledger is told in: one fixed form for each kind of fact, and how each is read back. */
import type { CommandFact, ErrorFact, FileFact, SaidFact, TodoFact, ValueFact } from "./ledger.ts";

/** `src/a.ts: created`: what has become of it. How often it was touched tells a reader nothing. */
export function fileLine({ path, edits, created, last }: FileFact): string {
  if (last === "deleted") return `${path}: deleted`;
  return `${path}: ${created ? "created" : edits > 0 ? "edited" : "read"}`;
}

export function readFileLine(told: string): FileFact | undefined {
  const match = /^(.+): (edited|read|created|deleted)$/.exec(told);
  if (match === null) return undefined;
  const [, path, last] = match as unknown as [string, string, FileFact["last"]];
  return {
    path,
    reads: last === "read" ? 1 : 0,
    edits: last === "edited" ? 1 : 0,
    created: last === "created",
    last,
    at: 0,
  };
}

/** `npm test → failed (exit 1), 3 runs: FAIL src/x.test.ts > adds` */
export function commandLine({ command, outcome, exitCode, runs, line, stale }: CommandFact): string {
  const exit = exitCode === undefined || exitCode === 0 ? "" : ` (exit ${exitCode})`;
  const often = runs > 1 ? `, ${runs} runs` : "";
  return `${command.replaceAll(" → ", " -> ")} → ${WORDS[outcome]}${exit}${often}${stale ? STALE : ""}${line === "" ? "" : `: ${line}`}`;
}

const STALE = ", before later edits";
const WORDS = { ok: "ok", failed: "failed", unknown: "ran" } as const;

export function readCommandLine(line: string): CommandFact | undefined {
  const match =
    /^(.+?) → (ok|failed|ran)(?: \(exit (-?\d+)\))?(?:, (\d+) runs)?(, before later edits)?(?:: (.*))?$/.exec(
      line,
    );
  if (match === null) return undefined;
  const [, command, word, exitCode, runs, stale, told] = match;
  return {
    command: command!,
    runs: Number(runs ?? 1),
    outcome: word === "ran" ? "unknown" : (word as "ok" | "failed"),
    ...(exitCode === undefined ? {} : { exitCode: Number(exitCode) }),
    line: told ?? "",
    at: 0,
    ...(stale !== undefined && { stale: true }),
  };
}

/**
 * `open: TypeError: x is not a function (npm test)`, `resolved by Edit src/a.ts: TypeError: … (npm test)`; by `the same
 * again` where nothing was changed in between.
 */
export function errorLine({ text, source, open, resolvedBy }: ErrorFact): string {
  const what = resolvedBy === source ? "the same again" : resolvedBy;
  const by = what === undefined ? "" : ` by ${what.replaceAll(": ", ":")}`;
  const from = isBalanced(source) ? source : source.replace(/[()]/g, "|");
  return `${open ? "open" : `resolved${by}`}: ${text} (${from})`;
}

export function readErrorLine(line: string): ErrorFact | undefined {
  const match = /^(?:open|resolved(?: by (.*?))?): (.*)$/.exec(line);
  const rest = match?.[2] ?? "";
  const from = openingOfLast(rest);
  if (match === null || from < 0) return undefined;
  return {
    text: rest.slice(0, from).trimEnd(),
    source: rest.slice(from + 1, -1),
    open: line.startsWith("open"),
    ...(match[1] === undefined ? {} : { resolvedBy: match[1] }),
    at: 0,
  };
}

/** The bracket that the last character closes; -1 when it closes none. */
function openingOfLast(text: string): number {
  if (!text.endsWith(")")) return -1;
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === ")") depth++;
    else if (text[at] === "(" && --depth === 0) return at;
  }
  return -1;
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === "(") depth++;
    else if (char === ")" && --depth < 0) return false;
  }
  return depth === 0;
}

/** `order id: W2378156` */
export function valueLine({ key, value }: ValueFact): string {
  return `${key}: ${value}`;
}

export function readValueLine(line: string): ValueFact | undefined {
  const at = line.indexOf(": ");
  return at <= 0 ? undefined : { key: line.slice(0, at), value: line.slice(at + 2), at: 0 };
}

/** `[x] done`, `[>] at work on`, `[ ] open`; with the agent's own number where it has one: `[ ] #3 write the docs` */
export function todoLine({ id, text, status }: TodoFact): string {
  return `[${MARKS[status]}] ${id === undefined ? "" : `#${id} `}${text}`;
}

const MARKS = { done: "x", active: ">", open: " " } as const;
const STATUSES: Readonly<Record<string, TodoFact["status"]>> = { x: "done", ">": "active", " ": "open" };

export function readTodoLine(line: string): TodoFact | undefined {
  const match = /^\[([x> ])\] (?:#(\S+) )?(.*)$/.exec(line);
  if (match === null) return undefined;
  const [, mark, id, text] = match;
  return { ...(id === undefined ? {} : { id }), text: text!, status: STATUSES[mark!]! };
}

/** The sentence itself. */
export function saidLine({ text }: SaidFact): string {
  return text;
}

export function readSaidLine(line: string): SaidFact | undefined {
  return line.trim() === "" ? undefined : { text: line, role: "assistant", at: 0 };
}

/** `… 41 more files read`: how many facts of a list are not told. */
export function moreLine(count: number, what: string): string {
  return `… ${count} more ${what}`;
}

/** The count of such a line; 0 for any other. */
export function readMoreLine(line: string): number {
  return Number(
    /^… (\d{1,9}) more (?:files|commands|errors|decisions|values|todos|doubts)\b/.exec(line)?.[1] ?? 0,
  );
}
