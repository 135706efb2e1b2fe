/** Files: which were read, edited, created, deleted, how often, and what was done to each last. */
import { type Action, isFileAction } from "../reading/calls/action.ts";
import { fileKey } from "../reading/calls/file-path.ts";
import type { LedgerDraft } from "./draft.ts";
import type { FileFact } from "./ledger.ts";
import { putFact } from "./recent-facts.ts";

/** Notes what an action did to its file. A script that writes one says nothing of what was there before. */
export function noteFile(draft: LedgerDraft, action: Action, isOfScript = false): void {
  if (!isFileAction(action)) return;
  const path = action.path!;
  if (action.ifKnown) noteKnown(draft, action);
  else if (action.kind === "move") moveFile(draft, path, action.to!);
  else touchFile(draft, path, action.kind as Touch, isOfScript || undefined);
}

type Touch = "read" | "edit" | "create" | "delete";

function touchFile(draft: LedgerDraft, path: string, touch: Touch, mayBeOlder?: true): void {
  const key = fileKey(path);
  const known = draft.files.byKey.get(key);
  if (known === undefined && draft.forgotten.size > 0 && draft.forgotten.delete(hashOf(key))) {
    draft.files.dropped--;
  }
  const gone = putFact(draft.files, key, touched(known, path, touch, draft.messages, mayBeOlder));
  if (gone !== undefined) forget(draft, gone);
}

/** Writing a whole file makes it, unless it was there: then it is an edit like any other. */
function touched(
  known: FileFact | undefined,
  path: string,
  touch: Touch,
  at: number,
  mayBeOlder: true | undefined,
): FileFact {
  if (known === undefined) {
    if (touch === "read") return fileFact(path, 1, 0, false, at, "read");
    if (touch === "delete") return fileFact(path, 0, 0, false, at, "deleted");
    return touch === "create"
      ? fileFact(path, 0, 0, true, at, "created", undefined, mayBeOlder)
      : fileFact(path, 0, 1, false, at, "edited");
  }
  const { reads } = known;
  const settled = known.settled || undefined;
  const older = known.mayBeOlder || undefined;
  if (touch === "read")
    return fileFact(path, reads + 1, known.edits, known.created, at, "read", settled, older);
  // What was committed since is changed anew.
  const edits = settled ? 0 : known.edits;
  if (touch === "delete") {
    // What the agent made anew and nobody committed is as if it had never been; so is what one script makes and takes away.
    const isUndone = known.created && !settled && (!older || known.at === at);
    return fileFact(path, reads, edits, false, at, "deleted", isUndone || undefined, older);
  }
  // What was there before it was deleted is changed by being written again.
  if (touch === "create" && known.last === "deleted" && (settled || older))
    return fileFact(path, reads, edits, true, at, "created", undefined, settled ? undefined : older);
  return fileFact(path, reads, edits + 1, !settled && known.created, at, "edited", undefined, older);
}

/** All are made here with all fields in one order: there are many, and they are looked at again and again. */
export function fileFact(
  path: string,
  reads: number,
  edits: number,
  created: boolean,
  at: number,
  last: FileFact["last"],
  settled?: true,
  mayBeOlder?: true,
): FileFact {
  return { path, reads, edits, created, at, last, settled, mayBeOlder };
}

function moveFile(draft: LedgerDraft, from: string, to: string): void {
  touchFile(draft, from, "delete");
  touchFile(draft, to, "create");
}

/** `rm -r build`, `mv src lib`: what is known to be there is gone, or went along. */
function noteKnown(draft: LedgerDraft, { path, to }: Action): void {
  const key = fileKey(path!);
  for (const [each, { path: file, last }] of [...draft.files.byKey]) {
    if ((each !== key && !each.startsWith(`${key}/`)) || last === "deleted") continue;
    if (to === undefined) touchFile(draft, file, "delete");
    else moveFile(draft, file, fileKey(to) + each.slice(key.length));
  }
}

/** So many dropped files are remembered by hash; beyond it a file that comes back may be counted again. */
const MAX_FORGOTTEN = 20_000;

function forget(draft: LedgerDraft, key: string): void {
  draft.forgotten.add(hashOf(key));
  if (draft.forgotten.size > MAX_FORGOTTEN) draft.forgotten.delete(draft.forgotten.values().next().value!);
}

/** 52 bits of two FNV-1a hashes: no two paths of a real conversation share it. */
function hashOf(key: string): number {
  let low = 0x811c9dc5;
  let high = 0x9dc5811c;
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x01000197);
  }
  return (high >>> 12) * 2 ** 32 + (low >>> 0);
}
