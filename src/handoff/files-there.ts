/** The files that calls have shown to be there: who writes one of them makes no new file. */
import { type Action, isFileAction } from "../reading/calls/action.ts";
import { fileKey } from "../reading/calls/file-path.ts";

export interface FilesThere {
  readonly paths: Set<string>;
  /** How many of the absolute paths end so: from which folder a relative one is seen is not always told. */
  readonly ends: Map<string, number>;
}

export function noFiles(): FilesThere {
  return { paths: new Set(), ends: new Map() };
}

/** Notes what an action that was done left in its place. */
export function noteThere(there: FilesThere, action: Action): void {
  if (!isFileAction(action)) return;
  const { kind, path, to } = action;
  if (kind === "delete" || kind === "move") removeFile(there, path!);
  else addFile(there, path!);
  if (to !== undefined) addFile(there, to);
}

export function isThere({ paths, ends }: FilesThere, path: string): boolean {
  const key = fileKey(path);
  return paths.has(key) || ends.has(key) || endsOf(key).some((end) => paths.has(end));
}

function addFile({ paths, ends }: FilesThere, path: string): void {
  const key = fileKey(path);
  if (paths.has(key)) return;
  paths.add(key);
  for (const end of endsOf(key)) ends.set(end, (ends.get(end) ?? 0) + 1);
}

function removeFile({ paths, ends }: FilesThere, path: string): void {
  const key = fileKey(path);
  if (!paths.delete(key)) return;
  for (const end of endsOf(key)) {
    const left = ends.get(end)! - 1;
    if (left > 0) ends.set(end, left);
    else ends.delete(end);
  }
}

const MOST_ENDS = 12;

/** `/repo/src/a.ts` → `a.ts`, `src/a.ts`, `repo/src/a.ts`; a relative path has none. */
function endsOf(key: string): readonly string[] {
  if (!/^(?:[/~]|[A-Za-z]:)/.test(key)) return NONE;
  const ends: string[] = [];
  for (
    let at = key.lastIndexOf("/");
    at >= 0 && ends.length < MOST_ENDS;
    at = at === 0 ? -1 : key.lastIndexOf("/", at - 1)
  )
    ends.push(key.slice(at + 1));
  return ends;
}

const NONE: readonly string[] = [];
