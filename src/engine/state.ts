// State: what is true now, asked of the readings, each line from evidence: commits as git printed them, files that are
// changed, the last checks, what failed and was not seen to pass, open todos.

import { SKILL_TOOL } from "../conversation/skill-text.ts";
import { type Call, writesFile } from "./calls.ts";
import { BAD } from "./digest.ts";
import { callsOf, DEED, earlier, type Fact, line, positionsOf } from "./facts.ts";
import type { ItemDraft } from "./items.ts";
import { once } from "./once.ts";
import { hasFailed, howItEnded, onlyPrints } from "./outcome.ts";
import type { Reading } from "./reading.ts";
import { COMMITTED, changedFiles, mayCommit } from "./working-tree.ts";

/** A line is a label, what it is about, and how that stands. */
const LABEL = {
  folder: "paths of calls are in ",
  commit: "git: ",
  files: "changed and not committed: ",
  check: "last run: ",
  failed: "failed, not seen to pass: ",
  todo: "open: ",
  loaded: "instructions no longer in view, load again before relying on them: ",
} as const;

/** Of commits, checks and failures the newest so many, the newest first. */
const NEWEST = 4;

/** What is open of it, each by itself and without its label: changed files by their paths, what failed, todos. */
export function openIn(readings: readonly Reading[]): readonly string[] {
  const lines = stateOf(readings).map(({ sections }) => sections[0]!.text);
  const told = (label: string) =>
    lines.filter((text) => text.startsWith(label)).map((text) => text.slice(label.length));
  const [folder = ""] = told(LABEL.folder);
  const files = told(LABEL.files).flatMap((list) => readFiles(list, folder));
  const failed = told(LABEL.check).filter((text) => text.includes(" → failed ("));
  return [
    ...files.map((file) => file.split(" (")[0]!),
    // By which words it is known, and how far a todo is, may be said in others.
    ...[...failed, ...told(LABEL.failed)].map((text) => text.replace(/ → failed \([\s\S]*$/, " → failed")),
    ...told(LABEL.todo).map((todo) => todo.replace(BEGUN, "")),
  ];
}

export function stateOf(readings: readonly Reading[]): readonly ItemDraft[] {
  return stateOnce(readings, () => stateIn(readings));
}

const stateOnce = once<readonly Reading[], readonly ItemDraft[]>();

function stateIn(readings: readonly Reading[]): readonly ItemDraft[] {
  const calls = callsOf(readings);
  const whereIs = positionsOf(readings);
  const before = earlier(readings, "state");
  const told = (label: string): readonly Fact[] =>
    before
      .filter(({ text }) => text.startsWith(label))
      .map(({ text, sources }) => ({ text: text.slice(label.length), sources }));
  const oldestFirst = (label: string) => told(label).toReversed();
  const newest = (facts: readonly Fact[]) => facts.slice(-NEWEST).reverse();
  const folder = folderOf(readings);
  const filesBefore = told(LABEL.files).flatMap(({ text, sources }) =>
    readFiles(text, folder).map((file) => ({ text: file, sources })),
  );
  const commits = calls.flatMap((call) => commitsOf(call).map((text) => ({ text, sources: whereIs(call) })));
  const files = changedFiles(calls, filesBefore, whereIs);
  const keyOf = keysOf(calls);
  const checks = lastChecks(calls, keyOf, oldestFirst(LABEL.check), whereIs);
  const failed = openFailures(calls, keyOf, oldestFirst(LABEL.failed), checks, whereIs);
  const labelled: readonly (readonly [label: string, facts: readonly Fact[]])[] = [
    [LABEL.folder, folder === "" ? [] : [{ text: folder, sources: [] }]],
    [LABEL.commit, newest([...oldestFirst(LABEL.commit), ...commits])],
    [LABEL.files, files.length === 0 ? [] : [writeFiles(files, folder)]],
    [LABEL.check, newest(factsIn(checks))],
    [LABEL.failed, newest(factsIn(failed))],
    [LABEL.todo, openTodos(calls, told(LABEL.todo), whereIs)],
  ];
  return [
    ...labelled.flatMap(([label, facts]) =>
      facts.map(({ text, sources }) => line("state", { text: label + text, sources })),
    ),
    ...loadedIn(readings, told(LABEL.loaded), whereIs),
  ];
}

type WhereIs = ReturnType<typeof positionsOf>;

/** By what they are about, how that stands. */
function factsIn(facts: ReadonlyMap<string, Fact>): readonly Fact[] {
  return [...facts].map(([key, { text, sources }]) => ({ text: key + text, sources }));
}

// ---- instructions ----

/** Files that tell an agent how to work. */
const INSTRUCTIONS = /(?:^|[\\/])(?:AGENTS|CLAUDE|GEMINI|SKILL|CONVENTIONS)\.md$|\.cursorrules$/;

/** What such a call printed is a skill's text or a file of rules: they are in view or they are not, and then none of them is told. */
export function loadsInstructions(call: Call): boolean {
  const isFile = () => !writesFile(call) && INSTRUCTIONS.test(call.path ?? "");
  return !hasFailed(call.outcome) && (SKILL_TOOL.test(call.verb) || isFile());
}

/** Skills and rules that were loaded, by the call that loads each again; one that is still in its place is not told (R39). */
function loadedIn(readings: readonly Reading[], before: readonly Fact[], whereIs: WhereIs): ItemDraft[] {
  const at = new Map<string, { readonly from?: number; readonly sources: readonly number[] }>(
    before.map(({ text, sources }) => [text, { sources }]),
  );
  for (const reading of readings) {
    for (const call of reading.calls) {
      if (!loadsInstructions(call)) continue;
      const key = `${call.verb} ${JSON.stringify(call.values).slice(0, 200)}`;
      at.delete(key);
      at.set(key, { from: reading.at, sources: whereIs(call) });
    }
  }
  return [...at].map(([key, { from, sources }]) => ({
    ...line("state", { text: LABEL.loaded + key, sources }),
    from,
  }));
}

// ---- files ----

/** The folder that most paths of calls begin with, so that it is told once; the one of an earlier hand-off stays. */
export function folderOf(readings: readonly Reading[]): string {
  const told = earlier(readings, "state").find(({ text }) => text.startsWith(LABEL.folder));
  if (told !== undefined) return told.text.slice(LABEL.folder.length);
  const rooted = callsOf(readings).filter(({ path }) => path?.startsWith("/"));
  const inner = new Map<string, number>();
  for (const { path = "" } of rooted) {
    const folder = path.slice(0, path.lastIndexOf("/", LONGEST_FOLDER) + 1);
    inner.set(folder, (inner.get(folder) ?? 0) + 1);
  }
  const counts = new Map<string, number>();
  for (const [folder, count] of inner) {
    for (let end = folder.indexOf("/", 1); end > 0; end = folder.indexOf("/", end + 1)) {
      const outer = folder.slice(0, end + 1);
      counts.set(outer, (counts.get(outer) ?? 0) + count);
    }
  }
  const most = [...counts].filter(([, count]) => count >= 4 && count > rooted.length * 0.7);
  return most.reduce((best, [folder]) => (folder.length > best.length ? folder : best), "");
}

const LONGEST_FOLDER = 299;

/** A line a file, without the folder that is told. */
function writeFiles(files: readonly Fact[], folder: string): Fact {
  const lines = files.map(({ text }) => shortPath(text, folder));
  return { text: lines.join("\n"), sources: [...new Set(files.flatMap(({ sources }) => sources))] };
}

/** Beside paths in the folder, one that was not told from a root begins with a dot. */
function shortPath(path: string, folder: string): string {
  if (folder === "" || ROOTED.test(path)) return path.startsWith(folder) ? path.slice(folder.length) : path;
  return `./${path}`;
}

/** The lines of `writeFiles` that are there, each with its whole path. */
function readFiles(list: string, folder: string): readonly string[] {
  return list.split("\n").flatMap((line) => {
    const file = line.replace(/^… | …$/g, "");
    if (file === "" || file === "…") return [];
    if (folder === "" || ROOTED.test(file)) return [file];
    return [file.startsWith("./") ? file.slice(2) : folder + file];
  });
}

const ROOTED = /^(?:[/~\\]|[A-Za-z]:)/;

/** What git printed of a commit and of a push. */
function commitsOf(call: Call): string[] {
  const { output = "", outcome } = call;
  if (hasFailed(outcome) || !mayCommit(call)) return [];
  const start = output.slice(0, 8000);
  const pushed = call.command.includes("push") ? PUSHED.exec(start)?.[0].trim() : undefined;
  return [COMMITTED.exec(start)?.[0], pushed && `pushed ${pushed}`].filter((line) => line !== undefined);
}

const PUSHED = /^ +(?:[* +] )?(?:\[new (?:branch|tag)\]|[0-9a-f]{7,}\.{2,3}[0-9a-f]{7,}) +\S+ -> \S+/m;

// ---- checks ----

type KeyOf = (call: Call) => string;

/** A command line without what only shapes its output, with its folder where the same was run in several. */
function keysOf(calls: readonly Call[]): KeyOf {
  const folders = new Map<string, Set<unknown>>();
  const runs = new Map(calls.map((call) => [call, runOnce(call.asking, () => runOf(call))]));
  for (const { plain, folder } of runs.values())
    folders.set(plain, (folders.get(plain) ?? new Set()).add(folder));
  return (call) => {
    const { plain, folder } = runs.get(call)!;
    const isTold = folders.get(plain)!.size > 1 && typeof folder === "string";
    const key = isTold ? `cd ${folder} && ${plain}` : plain;
    return key.length <= 100 ? key : `${key.slice(0, 99)}…`;
  };
}

const runOnce = once<object, Run>();

interface Run {
  readonly plain: string;
  readonly folder: unknown;
}

function runOf(call: Call): Run {
  const lines = (call.command || `${call.verb} ${call.subject}`).slice(0, 4000).split("\n");
  // How the shell is set up is not what was run.
  const line = lines.find((each) => !each.startsWith("set -")) ?? lines[0]!;
  const [into = "", folder = call.values.workdir ?? call.values.cwd] = /^cd (\S+) && /.exec(line) ?? [];
  const plain = line.slice(into.length).replace(/ 2>&1|\s*\|\s*(?:tail|head|grep)[^|]*/g, "");
  return { plain: plain.trim(), folder };
}

/** `npm test → ok (3 passed)` read back. */
function readLines(lines: readonly Fact[]): Map<string, Fact> {
  const how = lines.map(({ text }) => text.search(/ → (?:ok|failed) \(/));
  return new Map(
    lines.map(({ text, sources }, i) => [text.slice(0, how[i]), { text: text.slice(how[i]), sources }]),
  );
}

/** A file was changed after the check. */
const STALE = "; before later edits";

/** Of a check that failed what it printed under the first lines that say so. */
function whatFailed({ outcome, output = "" }: Call): string {
  if (outcome.end !== "failed") return "";
  const lines = output.slice(-40000).split("\n");
  const around = lines.flatMap((line, i) => (BAD.test(line) ? lines.slice(Math.max(0, i - 1), i + 2) : []));
  const says = [...new Set(around.map((line) => line.trim()))].filter(
    (line) => line.includes(" ") && !VERDICT.test(line),
  );
  return says
    .filter((line) => !outcome.evidence.includes(line))
    .slice(0, 3)
    .map((line) => ` | ${line.slice(0, 160)}`)
    .join("");
}

/** What a runner prints of a whole package or task: it is in the verdict. */
const VERDICT = /^(?:ok|FAIL|PASS)[\t ]|task failed|^Exit code/;

function lastChecks(
  calls: readonly Call[],
  keyOf: KeyOf,
  before: readonly Fact[],
  whereIs: WhereIs,
): ReadonlyMap<string, Fact> {
  const checks = readLines(before);
  const seen = new Set(checks.keys());
  const ran = new Map<string, number>();
  calls.forEach((call, i) => {
    const { by } = call.outcome;
    const key = keyOf(call);
    const isCheck = by === "runner" || (by === "code" && seen.has(key));
    seen.add(key);
    if (!isCheck || key.startsWith("git ") || key.startsWith("gh ")) return;
    checks.delete(key);
    checks.set(key, { text: howItEnded(call.outcome) + whatFailed(call), sources: whereIs(call) });
    ran.set(key, i);
  });
  const edited = calls.findLastIndex((call) => mayEdit(call) && !hasFailed(call.outcome));
  const isStale = (key: string, how: string) => (ran.get(key) ?? -1) < edited && !how.endsWith(STALE);
  return new Map(
    [...checks].map(([key, { text, sources }]) => [
      key,
      isStale(key, text)
        ? { text: text + STALE, sources: [...sources, ...whereIs(calls[edited]!)] }
        : { text, sources },
    ]),
  );
}

/** By a tool of its own, or on a command line. */
function mayEdit(call: Call): boolean {
  return writesFile(call) || ["sed -i", "*** Begin Patch"].some((sign) => call.command.includes(sign));
}

function openFailures(
  calls: readonly Call[],
  keyOf: KeyOf,
  before: readonly Fact[],
  checks: ReadonlyMap<string, Fact>,
  whereIs: WhereIs,
): ReadonlyMap<string, Fact> {
  const open = readLines(before);
  for (const call of calls) {
    const key = keyOf(call);
    if (call.outcome.end === "refused") continue;
    open.delete(key);
    if (call.outcome.end === "failed" && !checks.has(key) && wasToChange(call))
      open.set(key, { text: howItEnded(call.outcome), sources: whereIs(call) });
  }
  return open;
}

/** Was this call to change anything? That a file to be read is not there is no open end. */
function wasToChange(call: Call): boolean {
  const { command } = call;
  return command === "" ? DEED.test(call.verb) || writesFile(call) : !onlyPrints(command);
}

const BEGUN = / \([^()]*(?:progress|started)[^()]*\)$/i;
const DONE = new Set(["completed", "cancelled", "deleted", "done"]);

interface Todo {
  text: string;
  status: string;
  sources: readonly number[];
}

/** The open todos. One that was made by itself is told with the number by which it is changed. */
function openTodos(calls: readonly Call[], before: readonly Fact[], whereIs: WhereIs): Fact[] {
  const todos = new Map<string, Todo>();
  for (const { text, sources } of before) {
    const status = BEGUN.exec(text)?.[0] ?? "";
    const key = NUMBERED.exec(text)?.[1] ?? text;
    todos.set(key, { text: text.slice(0, text.length - status.length), status, sources });
  }
  for (const call of calls) {
    const { verb, values, output = "" } = call;
    const list = values.todos ?? values.plan;
    const sources = whereIs(call);
    if (Array.isArray(list)) {
      todos.clear();
      list.forEach((todo: Record<string, unknown>, i) => {
        const text = String(todo?.content ?? todo?.step ?? "");
        todos.set(`${i}`, { text, status: String(todo?.status ?? ""), sources });
      });
    } else if (verb === "TaskCreate") {
      const number = /#(\d+)/.exec(output.slice(0, 200))?.[1] ?? `${todos.size + 1}`;
      todos.set(number, { text: `#${number} ${values.subject ?? ""}`, status: "pending", sources });
    } else if (verb === "TaskUpdate") {
      const todo = todos.get(String(values.taskId));
      if (todo && typeof values.status === "string") {
        todo.status = values.status;
        todo.sources = [...todo.sources, ...sources];
      }
    }
  }
  const open = [...todos.values()].filter(({ text, status }) => text !== "" && !DONE.has(status));
  return open.map(({ text, status, sources }) => ({
    text: /progress|started/i.test(status) ? `${text} (${status.replace(/[ ()]/g, "")})` : text,
    sources,
  }));
}

const NUMBERED = /^#(\d+) /;
