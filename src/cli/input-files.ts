/** inputFiles: the files that the command line names, and those in the folders that it names. */
import type { Dirent, Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { cannotRead } from "./read-input.ts";

export interface InputFile {
  readonly path: string;
  /** It was in a folder that was named, not named itself. */
  readonly isFound: boolean;
  /** Milliseconds since the epoch; undefined for stdin. */
  readonly changedAt?: number;
}

/** In the order in which they were named; of a folder every file, however deep, by path. Throws InputError. */
export async function inputFiles(paths: readonly string[]): Promise<readonly InputFile[]> {
  const files: InputFile[] = [];
  for (const path of paths) {
    if (path === "-") files.push({ path, isFound: false });
    else files.push(...(await filesAt(path)));
  }
  return files;
}

async function filesAt(path: string): Promise<readonly InputFile[]> {
  const found = await asked(path, () => stat(path));
  if (!found.isDirectory()) return [inputFile(path, found, false)];
  const entries = await asked(path, () => readdir(path, { recursive: true, withFileTypes: true }));
  const inside = entries.filter((entry) => entry.isFile()).map(pathOf);
  const files: InputFile[] = [];
  for (const file of inside.sort()) files.push(inputFile(file, await asked(file, () => stat(file)), true));
  return files;
}

function pathOf({ parentPath, name }: Dirent): string {
  return join(parentPath, name);
}

function inputFile(path: string, { mtimeMs }: Stats, isFound: boolean): InputFile {
  return { path, isFound, changedAt: Math.round(mtimeMs) };
}

async function asked<Answer>(path: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw cannotRead(path, error);
  }
}
