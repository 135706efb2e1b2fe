/** Errors: what went wrong, from which command or tool, whether it still is, and what made it go away. */
import { type Action, isChange } from "./action.ts";
import type { CallEnd } from "./call-end.ts";
import { commandCore, commandText, failureLine, onlyLooks } from "./commands.ts";
import type { Draft } from "./draft.ts";
import { errorKey } from "./error-key.ts";
import type { ErrorFact } from "./ledger.ts";
import { putFact } from "./recent-facts.ts";
import { cutLine } from "./said.ts";

/** Notes how a call ended: a failure opens an error, a success closes those of the same source. */
export function noteEnd(draft: Draft, tool: string, actions: readonly Action[], end: CallEnd): void {
  if (end.declined || end.running) return;
  const source = sourceOf(tool, actions);
  if (end.failed) {
    if (isErrorSource(source, actions)) noteFailure(draft, source, end);
  } else {
    for (const error of openErrors(draft, source)) resolve(draft, error, source);
    noteStep(draft, tool, actions, source);
  }
}

/** `npm test`, or `Edit src/a.ts`: the command without its trimmings, or the tool and its file. */
function sourceOf(tool: string, actions: readonly Action[]): string {
  const command = actions[0]?.command;
  if (command !== undefined) return commandCore(commandText(command));
  const file = actions.find(({ kind, path }) => path !== undefined && FILE_SOURCES.has(kind));
  return cutLine(file === undefined ? tool : `${tool} ${file.path!}`, MAX_SOURCE);
}

const MAX_SOURCE = 300;
const FILE_SOURCES = new Set(["read", "edit", "create", "delete", "move", "list"]);

/** Reads, listings and searches that find nothing are answers. */
function isErrorSource(source: string, actions: readonly Action[]): boolean {
  const { kind, command } = actions[0] ?? {};
  return (
    kind !== "search" && kind !== "read" && kind !== "list" && (command === undefined || !onlyLooks(source))
  );
}

function noteFailure(draft: Draft, source: string, end: CallEnd): void {
  const text = failureLine(end);
  if (text === "") return;
  for (const error of openErrors(draft, source)) {
    const gone = error.text !== text && !end.text.includes(error.text);
    const edit = draft.latest.edit;
    if (gone && edit !== undefined && edit.at >= error.at) replace(draft, error, { resolvedBy: edit.label });
  }
  putFact(draft.errors, errorKey({ source, text }), { text, source, open: true, at: draft.messages });
}

function openErrors(draft: Draft, source: string): readonly ErrorFact[] {
  return [...draft.errors.byKey.values()].filter((error) => error.open && error.source === source);
}

/** By the newest edit since, else by the newest command since, else by doing the same again. */
function resolve(draft: Draft, error: ErrorFact, source: string): void {
  const { edit, command } = draft.latest;
  const step = [edit, command].find(
    (each) => each !== undefined && each.at >= error.at && each.label !== source,
  );
  replace(draft, error, { resolvedBy: step?.label ?? source });
}

function replace(draft: Draft, error: ErrorFact, { resolvedBy }: { readonly resolvedBy: string }): void {
  putFact(draft.errors, errorKey(error), { ...error, open: false, resolvedBy, at: draft.messages });
}

function noteStep(draft: Draft, tool: string, actions: readonly Action[], source: string): void {
  const first = actions[0];
  const change = actions.find(isChange);
  if (first?.command !== undefined) {
    if (change === undefined && onlyLooks(source)) return;
    const step = { label: commandText(first.command), at: draft.messages };
    draft.latest = { ...draft.latest, ...(change ? { edit: step } : { command: step }) };
  } else if (change?.path !== undefined) {
    draft.latest = {
      ...draft.latest,
      edit: { label: cutLine(`${tool} ${change.path}`, MAX_SOURCE), at: draft.messages },
    };
  }
}
