/** Which of the files that a ledger knows are committed as they are, by what git said. */

import { fileKey } from "../reading/calls/file-path.ts";
import type { GitFiles } from "../reading/calls/git-files.ts";
import type { LedgerDraft } from "./draft.ts";
import type { FileFact } from "./ledger.ts";

/** Notes which of the known files are committed as they are. Those that only git names are not the agent's. */
export function noteGitFiles(draft: LedgerDraft, { committed, listed }: GitFiles): void {
  const settle = (isSettled: (key: string) => boolean) => {
    for (const [key, file] of draft.files.byKey)
      if (!file.settled && isSettled(key)) draft.files.byKey.set(key, { ...file, settled: true });
  };
  if (committed === "all") settle(() => true);
  else if (committed !== undefined) {
    const names = committed.map(namedBy);
    settle((key) => names.some((isNamed) => isNamed(key)));
  }
  if (listed === undefined) return;
  const names = listed.map(({ path }) => namedBy(fileKey(path)));
  // A folder that git does not know is listed without its files.
  settle((key) => !names.some((isNamed) => isNamed(key)));
  for (const [at, { last }] of listed.entries()) {
    for (const [key, file] of draft.files.byKey)
      if (names[at]!(key)) draft.files.byKey.set(key, unsettled(file, last));
  }
}

function unsettled({ settled: _, ...file }: FileFact, last: FileFact["last"]): FileFact {
  const isTold = file.edits > 0 || file.created || file.last === "deleted";
  return isTold ? file : { ...file, last, edits: last === "edited" ? 1 : 0, created: last === "created" };
}

/** `cmd/a.go` names `/home/me/app/cmd/a.go`, and `a.go` that was changed in `cmd`; `cmd` every file in it. */
function namedBy(name: string): (key: string) => boolean {
  const bare = name.replace(/\/$/, "");
  const [atEnd, atStart, within] = [`/${bare}`, `${bare}/`, `/${bare}/`];
  return (key) =>
    key === bare ||
    key.endsWith(atEnd) ||
    key.startsWith(atStart) ||
    key.includes(within) ||
    (bare.length > key.length && bare.endsWith(`/${key}`));
}
