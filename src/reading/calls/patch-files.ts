/** Files that a patch names: the `*** Update File:` form, and unified diffs. */
import type { Action } from "./action.ts";

/** What each section of a patch does to its file, in order. */
export function patchActions(patch: string): readonly Action[] {
  const actions: Action[] = [];
  for (const [, verb, name] of patch.matchAll(SECTION)) {
    const path = name!.trim();
    const last = actions.at(-1);
    if (verb === "Move to") {
      if (last?.path !== undefined) actions[actions.length - 1] = { kind: "move", path: last.path, to: path };
    } else actions.push({ kind: KINDS[verb!]!, path });
  }
  return actions.length > 0 ? actions : diffActions(patch);
}

const SECTION = /^\*\*\* (Add File|Update File|Delete File|Move to): ([^\n]{1,1000})/gm;
const KINDS: Readonly<Record<string, Action["kind"]>> = {
  "Add File": "create",
  "Update File": "edit",
  "Delete File": "delete",
};

const DIFF_HEAD = /^--- ([^\n\t]{1,1000})[^\n]*\n\+\+\+ ([^\n\t]{1,1000})/gm;

function diffActions(patch: string): readonly Action[] {
  return [...patch.matchAll(DIFF_HEAD)].map(([, from, to]): Action => {
    const before = diffName(from!);
    const after = diffName(to!);
    if (before === "/dev/null") return { kind: "create", path: after };
    if (after === "/dev/null") return { kind: "delete", path: before };
    return { kind: "edit", path: after };
  });
}

function diffName(name: string): string {
  return name.trim().replace(/^[ab]\//, "");
}
