/** Told facts: a ledger's facts as a reader wants them, each with its line, its weight and whether it must be kept. */
import { commandCore, onlyLooks } from "../reading/calls/command-text.ts";
import { fileKey } from "../reading/calls/file-path.ts";
import { errorKey } from "./error-key.ts";
import type { CommandFact, DroppedName, FileFact, Ledger, ValueFact } from "./ledger.ts";
import { commandLine, errorLine, fileLine, saidLine, todoLine, valueLine } from "./ledger-lines.ts";
import { openErrors } from "./open-errors.ts";

export interface ToldFact {
  readonly line: string;
  readonly at: number;
  /** Told before anything that is merely useful: open todos, open errors, changed files. */
  readonly mustKeep: boolean;
  /** Failures, decisions and values over what merely happened. */
  readonly weight: number;
  /** What a count of such facts calls them. */
  readonly what: string;
  /** Of a file. */
  readonly path?: string;
}

/** The lines that no hand-off may be without, the newest first. */
export function mustKeepLines(ledger: Ledger): readonly string[] {
  return (["todos", "errors", "files"] as const)
    .flatMap((section) => toldFacts({ ...ledger, errors: openErrors(ledger) }, section))
    .filter((fact) => fact.mustKeep)
    .sort((a, b) => b.at - a.at)
    .map((fact) => fact.line);
}

/** What whoever tells of these messages should not pass over, in the order it happened: what must be kept, failed or was decided. */
export function checklistOf(ledger: Ledger): readonly string[] {
  return (["todos", "errors", "files", "commands", "decisions", "values"] as const)
    .flatMap((section) => toldFacts(ledger, section))
    .sort((a, b) => b.weight - a.weight || b.at - a.at)
    .slice(0, MOST_CHECKED)
    .sort((a, b) => a.at - b.at)
    .map(({ line }) => line);
}

const MOST_CHECKED = 40;

export function toldFacts(ledger: Ledger, section: DroppedName): readonly ToldFact[] {
  switch (section) {
    case "todos":
      return ledger.todos.map((todo) => {
        const mustKeep = todo.status !== "done";
        const what = mustKeep ? "todos open" : "todos done";
        return { line: todoLine(todo), at: ledger.messages, mustKeep, weight: mustKeep ? 6 : 1, what };
      });
    case "files":
      return filesOnce(ledger.files).map((file) => {
        const mustKeep = file.edits > 0 || file.created || file.last === "deleted";
        const weight = (mustKeep ? 4 : 1) + Math.min(2, file.reads / 4);
        const what = mustKeep ? "files changed" : "files read";
        return { line: fileLine(file), at: file.at, mustKeep, weight, what, path: file.path };
      });
    case "commands":
      return commandsOnce(ledger).map((command) => {
        const told = (command.outcome === "failed" ? 2 : 1) + (command.line === "" ? 0 : 1);
        const weight = told + Math.min(2, command.runs / 3);
        return { line: commandLine(command), at: command.at, mustKeep: false, weight, what: section };
      });
    case "errors":
      return ledger.errors.map((error) => {
        const what = error.open ? "errors open" : "errors resolved";
        const weight = error.open ? 6 : 2;
        return { line: errorLine(error), at: error.at, mustKeep: error.open, weight, what };
      });
    case "values":
      return valuesOnce(ledger.values).map((value) => {
        return { line: valueLine(value), at: value.at, mustKeep: false, weight: 2, what: section };
      });
    default: {
      const weight = section === "decisions" ? 4 : 2;
      return ledger[section].map((said) => {
        return { line: saidLine(said), at: said.at, mustKeep: false, weight, what: section };
      });
    }
  }
}

/** A file that calls named from two places, `src/a.ts` and `/home/me/app/src/a.ts`, is one to the reader. */
function filesOnce(files: readonly FileFact[]): readonly FileFact[] {
  const rooted = files.filter(({ path }) => isRooted(path));
  if (rooted.length === 0 || rooted.length === files.length) return files;
  const byName = Map.groupBy(rooted, ({ path }) => nameOf(fileKey(path)));
  const merged = new Map<FileFact, FileFact>(rooted.map((file) => [file, file]));
  const alone = files.filter((file) => {
    if (isRooted(file.path)) return false;
    const key = fileKey(file.path);
    const same = (byName.get(nameOf(key)) ?? []).filter(({ path }) => fileKey(path).endsWith(`/${key}`));
    if (same.length !== 1) return true;
    merged.set(same[0]!, bothOf(merged.get(same[0]!)!, file));
    return false;
  });
  const kept = new Set(alone);
  return files.flatMap((file) => (kept.has(file) ? [file] : (merged.get(file) ?? [])));
}

function isRooted(path: string): boolean {
  return /^(?:[/~\\]|[A-Za-z]:)/.test(path);
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}

function bothOf(one: FileFact, other: FileFact): FileFact {
  return {
    path: one.path,
    reads: one.reads + other.reads,
    edits: one.edits + other.edits,
    created: one.created || other.created,
    last: other.at > one.at ? other.last : one.last,
    at: Math.max(one.at, other.at),
    ...(one.settled && other.settled && { settled: true }),
  };
}

/**
 * Of a command that was run with other trimmings the newest. Not a look that found nothing to tell, nor a failure that is
 * told as an open error.
 */
function commandsOnce({ commands, errors }: Ledger): readonly CommandFact[] {
  const newest = new Map<string, CommandFact>();
  for (const command of commands) {
    const core = commandCore(command.command);
    const known = newest.get(core);
    const later = known !== undefined && known.at > command.at ? known : command;
    newest.set(core, { ...later, runs: command.runs + (known?.runs ?? 0) });
  }
  const open = new Set(errors.filter((error) => error.open).map(errorKey));
  return [...newest].flatMap(([source, command]) => {
    const { line, outcome } = command;
    const saysNothing = onlyLooks(source) && (line === "" || outcome === "failed");
    return saysNothing || open.has(errorKey({ source, text: line })) ? [] : [command];
  });
}

/** A value that was told under several keys by the newest of them. */
function valuesOnce(values: readonly ValueFact[]): readonly ValueFact[] {
  const newest = new Map<string, ValueFact>();
  for (const value of values) {
    const known = newest.get(value.value);
    if (known === undefined || known.at <= value.at) newest.set(value.value, value);
  }
  return values.filter((value) => newest.get(value.value) === value);
}
