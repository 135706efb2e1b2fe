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
  readonly path?: string;
  /** Where a `move` put it. */
  readonly to?: string;
  /** Counts only for files that are known already: `rm -rf build` says nothing of what was there. */
  readonly ifKnown?: boolean;
  readonly command?: string;
  /** What a `todo` says. */
  readonly todos?: readonly TodoFact[];
  /** What the items of a `todo` do to the list: take its place, or add to it and change those with the same id. */
  readonly list?: "replace" | "merge";
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
