/** Writing files so that a reader sees the old one or the whole new one, and never over an input file. */
import { fstatSync, rmSync, type Stats } from "node:fs";
import { access, open, realpath, rename, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CompactionError } from "../errors/compaction-error.ts";
import { OptionsError } from "../errors/options-error.ts";

/** A file being written beside its final place. Nobody sees it before `commit`. */
export interface StagedFile {
  readonly write: (text: string) => Promise<void>;
  readonly commit: () => Promise<void>;
  /** Leaves no trace. Does nothing after `commit`. */
  readonly discard: () => Promise<void>;
}

/** Starts a file that will be at `path`, in place of what is there now. */
export async function stageFile(flag: string, path: string): Promise<StagedFile> {
  const found = await statIfThere(flag, path);
  if (found?.isDirectory())
    throw new OptionsError(flag, `${flag} ${path}: that is a folder. Name a file in it.`);
  const replaceable = found === undefined || found.isFile();
  // subtle: a symbolic link stays a link, so the file it leads to is the one that is exchanged.
  const place = found && replaceable ? await realpath(path) : path;
  const temporary = replaceable ? join(dirname(place), `.${basename(place)}.${process.pid}.tmp`) : place;
  const handle = await open(temporary, "w", found?.mode).catch((error) => {
    throw cannotWrite(flag, path, error);
  });
  const removeTemporary = (): void => {
    if (replaceable) rmSync(temporary, { force: true });
  };
  const removeOnSignal = onInterrupt(removeTemporary);
  return {
    write: (text) => attempt(() => handle.writeFile(text)),
    commit: async () => {
      await attempt(async () => {
        if (replaceable) await handle.sync();
        await handle.close();
        if (replaceable) await rename(temporary, place);
      });
      removeOnSignal();
    },
    discard: async () => {
      await handle.close();
      removeTemporary();
      removeOnSignal();
    },
  };

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      removeTemporary();
      throw cannotWrite(flag, path, error);
    }
  }
}

/**
 * Throws OptionsError, before any work is done, when a file to be written is the input, by whatever name or link, when two
 * of them are the same, or when one cannot be written where it is wanted.
 */
export async function checkOutputs(
  input: string,
  outputs: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const seen = new Map<string, string>();
  const source = input === "-" ? statOfStdin() : await statIfThere("FILE", input).catch(() => undefined);
  if (source?.isFile()) seen.set(identityOf(source), "the input file, which is never overwritten");
  for (const [flag, path] of Object.entries(outputs)) {
    if (path === undefined) continue;
    const found = await statIfThere(flag, path);
    if (found?.isDirectory())
      throw new OptionsError(flag, `${flag} ${path}: that is a folder. Name a file in it.`);
    if (found !== undefined && !found.isFile()) continue;
    if (found === undefined)
      await access(dirname(path)).catch((error) => Promise.reject(cannotWrite(flag, path, error)));
    const identity = found ? identityOf(found) : await futurePath(path);
    const other = seen.get(identity);
    if (other !== undefined)
      throw new OptionsError(flag, `${flag} ${path}: that is ${other}. Name another file.`);
    seen.set(identity, `the file of ${flag}`);
  }
}

function identityOf(found: Stats): string {
  return `${found.dev}:${found.ino}`;
}

async function futurePath(path: string): Promise<string> {
  return join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path));
}

async function statIfThere(flag: string, path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw cannotWrite(flag, path, error);
  }
}

function statOfStdin(): Stats | undefined {
  try {
    return fstatSync(0);
  } catch {
    // A closed stdin has no file behind it; reading it will say so.
    return undefined;
  }
}

const usageErrors = new Set([
  "ENOENT",
  "EACCES",
  "EPERM",
  "EISDIR",
  "ENOTDIR",
  "EROFS",
  "ENAMETOOLONG",
  "ELOOP",
]);

function cannotWrite(flag: string, path: string, error: unknown): CompactionError {
  if (error instanceof CompactionError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  const message = `${flag} ${path}: it cannot be written (${code}). Check that its folder exists and is writable.`;
  return usageErrors.has(code)
    ? new OptionsError(flag, message)
    : new CompactionError("COMPACTION_FAILED", `${flag} ${path}: writing failed (${code}).`, {
        cause: error,
      });
}

/** Runs `clean` when the process is interrupted; gives back how to stop that. */
function onInterrupt(clean: () => void): () => void {
  const handlers = (["SIGINT", "SIGTERM"] as const).map((signal) => {
    const handler = (): void => {
      clean();
      process.exit(signal === "SIGINT" ? 130 : 143);
    };
    process.once(signal, handler);
    return () => process.removeListener(signal, handler);
  });
  return () => {
    for (const stop of handlers) stop();
  };
}
