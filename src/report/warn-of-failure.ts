/** The warning on stderr: a compactor that cannot work says so once, and not only in Reports that nobody may read. */
import type { CompactionError, ErrorCode } from "../errors/compaction-error.ts";
import { redactSecrets } from "../redact/redact-secrets.ts";

/** Failures of how Pith is set up, which come back at every call; the others are about one conversation. */
const FAILURES_OF_SET_UP: ReadonlySet<ErrorCode> = new Set([
  "UNKNOWN_WINDOW",
  "INVALID_OPTIONS",
  "MISSING_PACKAGE",
  "ARCHIVE_FAILED",
]);

const warned = new Set<string>();
let toldElsewhere = false;

/** Warns of the first failure of each kind in this process; `process.on("warning")` hears of it as well. */
export function warnOfFailure({ code, message, cause }: CompactionError): void {
  const detail = "This is said once; `report.error` says it each time.";
  if (FAILURES_OF_SET_UP.has(code))
    warn(
      code,
      `A conversation was not compacted, nor will be any until this is put right: ${message}`,
      detail,
    );
  // Where there is a cause, nobody foresaw it: it may be this one conversation, or a fault of Pith.
  else if (code === "COMPACTION_FAILED" && cause !== undefined)
    warn(code, `A conversation was not compacted: ${message}`, detail);
}

/** Warns that what was given as this option threw, the first time in this process. */
export function warnOfListener(option: string, cause: unknown): void {
  const reason = cause instanceof Error ? cause.message : String(cause);
  warn(
    "LISTENER_FAILED",
    `${option} failed: ${reason}. Compaction continues without it.`,
    "This is said once.",
    option,
  );
}

function warn(code: string, message: string, detail: string, key = code): void {
  if (toldElsewhere || warned.has(key)) return;
  warned.add(key);
  process.emitWarning(redactSecrets(message).text, { type: "PithWarning", code: `PITH_${code}`, detail });
}

/** For a program that tells people of every failure itself. */
export function leaveWarningsOut(): void {
  toldElsewhere = true;
}
