/** Session log file: SESSION_LOG is append-only; nothing that is in it is ever rewritten. */
import { appendFileSync } from "node:fs";
import { CompactionError } from "../errors/compaction-error.ts";
import { OptionsError } from "../errors/options-error.ts";
import { redactSecrets } from "../redact/redact-secrets.ts";

/** Appends in one write, secrets masked, so that several processes may share the file. Creates it; throws CompactionError when it cannot. */
export function appendSessionLog(path: string, text: string): void {
  if (text === "") return;
  try {
    const masked = redactSecrets(text.endsWith("\n") ? text : `${text}\n`).text;
    appendFileSync(path, masked, { encoding: "utf8", flag: "a" });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const fix = fixes[code ?? ""] ?? message ?? String(error);
    const told = `Cannot append to the session log "${path}": ${fix}.`;
    if (code === "ENOSPC") throw new CompactionError("COMPACTION_FAILED", told, { cause: error });
    throw new OptionsError("sessionLog", told);
  }
}

const fixes: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist; create it or name another file",
  ENOTDIR: "a part of its path is a file, not a folder; name another file",
  EISDIR: "it is a folder; name a file in it",
  EACCES: "writing to it is not permitted; change its permissions or name another file",
  EPERM: "writing to it is not permitted; change its permissions or name another file",
  EROFS: "it is on a read-only file system; name another file",
  ENOSPC: "the disk is full",
};
