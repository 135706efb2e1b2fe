/** createFile: an empty archive file that only its owner may read, in a folder of its own when there was none. */
import { closeSync, fsyncSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * SQLite gives the files that it adds beside it the same mode. A file that is there already is not even opened: closing it
 * would end the locks that other connections of this process have on it.
 */
export function createFile(file: string): void {
  const folder = dirname(file);
  const newFolder = mkdirSync(folder, { recursive: true, mode: 0o700 });
  // What was said in a project does not belong in its commits; a folder of another name is its owner's.
  if (newFolder !== undefined && basename(folder) === ".pith")
    writeFileSync(join(folder, ".gitignore"), "*\n");
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return;
    throw error;
  }
  syncFolder(folder);
  if (newFolder !== undefined) syncFolder(dirname(newFolder));
}

/** So that the name of the file outlives a power cut as its content does. Windows has no such call and no need of it. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
