/** Which of the files that a ledger knows are committed as they are, by what git said. */

import { fileKey } from "../reading/calls/file-path.ts";
import type { GitFiles } from "../reading/calls/git-files.ts";
import type { LedgerDraft } from "./draft.ts";
import { fileFact } from "./files.ts";
import type { FileFact } from "./ledger.ts";

/** Notes which of the known files are committed as they are. Those that only git names are not the agent's. */
export function noteGitFiles(draft: LedgerDraft, { committed, listed }: GitFiles): void {
  const taken = committed === undefined || committed === "all" ? NONE : committed.map(withoutEnd);
  const names = listed === undefined ? NONE : listed.map(({ path }) => withoutEnd(fileKey(path)));
  const { byKey } = draft.files;
  byKey.forEach((file, key) => {
    let now = file;
    if (committed === "all" || isNamedBy(taken, key)) now = settled(now);
    if (listed !== undefined) now = asListed(now, key, names, listed);
    if (now !== file) byKey.set(key, now);
  });
}

const NONE: readonly string[] = [];

function withoutEnd(name: string): string {
  return name.endsWith("/") ? name.slice(0, -1) : name;
}

function settled(file: FileFact): FileFact {
  if (file.settled) return file;
  const { path, reads, edits, created, at, last } = file;
  return fileFact(path, reads, edits, created, at, last, true);
}

/** As a status lists it; one that it does not list is as it was committed. */
function asListed(
  file: FileFact,
  key: string,
  names: readonly string[],
  listed: NonNullable<GitFiles["listed"]>,
): FileFact {
  let now = file;
  let isListed = false;
  for (let at = 0; at < names.length; at++) {
    if (!isNamed(names[at]!, key)) continue;
    now = unsettled(now, listed[at]!.last);
    isListed = true;
  }
  return isListed ? now : settled(now);
}

function unsettled(file: FileFact, now: FileFact["last"]): FileFact {
  const { path, reads, edits, created, at, last } = file;
  // One that git does not know was not there before.
  const mayBeOlder = (now !== "created" && file.mayBeOlder) || undefined;
  const isTold = edits > 0 || created || last === "deleted";
  return isTold
    ? fileFact(path, reads, edits, created, at, last, undefined, mayBeOlder)
    : fileFact(path, reads, now === "edited" ? 1 : 0, now === "created", at, now);
}

function isNamedBy(names: readonly string[], key: string): boolean {
  for (let at = 0; at < names.length; at++) if (isNamed(names[at]!, key)) return true;
  return false;
}

/**
 * `cmd/a.go` names `/home/me/app/cmd/a.go`, and `a.go` that was changed in `cmd`; `cmd` every file in it: a folder that git does
 * not know is listed without its files.
 */
function isNamed(name: string, key: string): boolean {
  if (name.length > key.length) {
    return name.endsWith(key) && name.charAt(name.length - key.length - 1) === "/";
  }
  for (let at = key.indexOf(name); at >= 0; at = at < key.length ? key.indexOf(name, at + 1) : -1) {
    const end = at + name.length;
    const isWhole = (at === 0 || key[at - 1] === "/") && (end === key.length || key[end] === "/");
    if (isWhole) return true;
  }
  return false;
}
