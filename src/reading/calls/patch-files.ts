/** Files that a patch names: the `*** Update File:` form, and unified diffs. */
import { type Action, actionAt, moveAction } from "./action.ts";

/** What each section of a patch does to its file, in order. */
export function patchActions(patch: string): readonly Action[] {
  const actions: Action[] = [];
  for (const [, verb, name] of patch.matchAll(SECTION)) {
    const path = name!.trim();
    const last = actions.at(-1);
    if (verb === "Move to") {
      if (last?.path !== undefined) actions[actions.length - 1] = moveAction(last.path, path);
    } else actions.push(actionAt(KINDS[verb!]!, path));
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
    if (before === "/dev/null") return actionAt("create", after);
    if (after === "/dev/null") return actionAt("delete", before);
    return actionAt("edit", after);
  });
}

function diffName(name: string): string {
  return name.trim().replace(/^[ab]\//, "");
}
