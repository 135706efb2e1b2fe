/** The file that a call names, read from the start of its arguments without parsing them: they may hold a whole file. */
import { PATH_KEYS } from "../ledger/tool-vocabulary.ts";

/** Keys stand before the bulk that is written under them. */
const READ_CHARS = 1000;
const NAMED = new RegExp(`"(?:${PATH_KEYS.join("|")})"\\s*:\\s*("(?:[^"\\\\]|\\\\.){1,300}")`);
const PATCHED = /\*\*\* (?:Add|Update|Delete) File: ([^\n\\"]{1,300})/;

/** `{"file_path":"/home/me/app/src/cli/run.ts"}` → `src/cli/run.ts`: its last three parts, as they are written; undefined when no file is named. */
export function fileOfCall(json: string): string | undefined {
  const path = pathOfCall(json);
  return path === undefined ? undefined : LAST_PARTS.exec(path)![0];
}

/** The same in full. */
export function pathOfCall(json: string): string | undefined {
  const start = json.slice(0, READ_CHARS);
  const quoted = NAMED.exec(start)?.[1];
  const path = quoted === undefined ? PATCHED.exec(start)?.[1] : unquoted(quoted);
  const end = path === undefined ? null : LAST_PARTS.exec(path);
  // A folder is where something was looked for, and no source of names.
  return end?.[1]?.includes(".") ? path : undefined;
}

const LAST_PARTS = /(?:[^/\\]+[/\\]){0,2}([^/\\]+)$/;

function unquoted(json: string): string | undefined {
  try {
    return String(JSON.parse(json));
  } catch {
    return undefined;
  }
}
