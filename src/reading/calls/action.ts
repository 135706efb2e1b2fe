/** Action: one thing that a tool call does, whatever the agent calls the tool. */
import type { ActionKind } from "../agents/tool-vocabulary.ts";

export interface TodoFact {
  /** The agent's own number for it, where later calls name it by that. */
  readonly id?: string;
  readonly text: string;
  readonly status: "open" | "active" | "done";
}

export interface Action {
  readonly kind: ActionKind;
  /** The file, as the call wrote it; for `move` the old one, for `list`, `search` and `web` the place looked at. */
  readonly path?: string | undefined;
  /** Where a `move` put it. */
  readonly to?: string | undefined;
  /** Counts only for files that are known already: `rm -rf build` says nothing of what was there. */
  readonly ifKnown?: boolean | undefined;
  /** Of a folder that is deleted: the same script makes it anew. */
  readonly remade?: boolean | undefined;
  readonly command?: string | undefined;
  /** What a `todo` says. */
  readonly todos?: readonly TodoFact[] | undefined;
  /** What the items of a `todo` do to the list: take its place, or add to it and change those with the same id. */
  readonly list?: "replace" | "merge" | undefined;
}

/** What is done to a file or at a place, or with nothing that has a name. */
export function actionAt(kind: ActionKind, path?: string, ifKnown?: true): Action {
  return action(kind, path, undefined, ifKnown, undefined, undefined, undefined, undefined);
}

export function moveAction(path: string, to: string, ifKnown?: true): Action {
  return action("move", path, to, ifKnown, undefined, undefined, undefined, undefined);
}

export function commandAction(command: string): Action {
  return action("command", undefined, undefined, undefined, undefined, command, undefined, undefined);
}

export function todoAction(todos?: Action["todos"], list?: Action["list"]): Action {
  return action("todo", undefined, undefined, undefined, undefined, undefined, todos, list);
}

/** The same action with some fields other. Not by a spread: fields that are set twice make compiled code that reads them void. */
export function actionWith(given: Action, other: Partial<Action>): Action {
  const { kind, path, to, ifKnown, remade, command, todos, list } = given;
  return action(
    other.kind ?? kind,
    other.path ?? path,
    to,
    ifKnown,
    other.remade ?? remade,
    command,
    other.todos ?? todos,
    other.list ?? list,
  );
}

/** All of them have all fields in one order: there are thousands, and code that meets one shape only is much quicker. */
function action(
  kind: ActionKind,
  path: Action["path"],
  to: Action["to"],
  ifKnown: Action["ifKnown"],
  remade: Action["remade"],
  command: Action["command"],
  todos: Action["todos"],
  list: Action["list"],
): Action {
  return { kind, path, to, ifKnown, remade, command, todos, list };
}

/** A call whose result has not been read yet: what it does counts when the result says that it did. */
export interface PendingCall {
  readonly pairId: string;
  readonly tool: string;
  readonly actions: readonly Action[];
}

/** Touches a file's content or existence. */
export function isFileAction({ kind, path }: Action): boolean {
  return path !== undefined && FILE_KINDS.has(kind);
}

/** Changes files. */
export function isChange({ kind }: Action): boolean {
  return kind !== "read" && FILE_KINDS.has(kind);
}

const FILE_KINDS: ReadonlySet<ActionKind> = new Set(["read", "edit", "create", "delete", "move"]);
