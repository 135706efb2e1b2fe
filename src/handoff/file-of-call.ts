/** The file that a call names, read from the start of its arguments without parsing them: they may hold a whole file. */
import { PATH_KEYS } from "../ledger/tool-vocabulary.ts";

/** Keys stand before the bulk that is written under them. */
const READ_CHARS = 1000;
const NAMED = new RegExp(`"(?:${PATH_KEYS.join("|")})"\\s*:\\s*("(?:[^"\\\\]|\\\\.){1,300}")`);
const PATCHED = /\*\*\* (?:Add|Update|Delete) File: ([^\n\\"]{1,300})/;

/** `{"file_path":"/home/me/app/src/cli/run.ts"}` → `src/cli/run.ts`: its last three parts, as they are written; undefined when no file is named. */
export function fileOfCall(json: string): string | undefined {
  const path = pathOfCall(json);
  if (path === undefined) return undefined;
  let start = partStart(path, path.length);
  for (let folders = 0; folders < 2 && start > 0; folders++) {
    const folder = partStart(path, start - 1);
    if (folder === start - 1) break;
    start = folder;
  }
  return path.slice(start);
}

/** The same in full. */
export function pathOfCall(json: string): string | undefined {
  const opening = json.slice(0, READ_CHARS);
  const quoted = NAMED.exec(opening)?.[1];
  const path = quoted === undefined ? PATCHED.exec(opening)?.[1] : unquoted(quoted);
  // A folder is where something was looked for, and no source of names.
  return path?.includes(".", partStart(path, path.length)) ? path : undefined;
}

/** Where the part of a path that ends at `end` starts. */
function partStart(path: string, end: number): number {
  let at = end;
  while (at > 0 && path[at - 1] !== "/" && path[at - 1] !== "\\") at--;
  return at;
}

function unquoted(json: string): string | undefined {
  try {
    return String(JSON.parse(json));
  } catch {
    return undefined;
  }
}
