/** The warning on stderr: a compactor that cannot work says so once, and not only in Reports that nobody may read. */
import type { CompactionError, ErrorCode } from "../errors/compaction-error.ts";
import { redactSecrets } from "../redact/redact-secrets.ts";

/** Failures of how Pith is set up, which come back at every call; the others are about one conversation. */
const FAILURES_OF_SET_UP: ReadonlySet<ErrorCode> = new Set([
  "UNKNOWN_WINDOW",
  "INVALID_OPTIONS",
  "MISSING_PACKAGE",
  "ARCHIVE_FAILED",
  "COMPACTION_FAILED",
]);

const warned = new Set<ErrorCode>();
let toldElsewhere = false;

/** Warns of the first failure of each kind in this process; `process.on("warning")` hears of it as well. */
export function warnOfFailure({ code, message }: CompactionError): void {
  if (toldElsewhere || !FAILURES_OF_SET_UP.has(code) || warned.has(code)) return;
  warned.add(code);
  process.emitWarning(
    `A conversation was not compacted, nor will be any until this is put right: ${redactSecrets(message).text}`,
    {
      type: "PithWarning",
      code: `PITH_${code}`,
      detail: "This is said once; `report.error` says it each time.",
    },
  );
}

/** For a program that tells people of every failure itself. */
export function leaveWarningsOut(): void {
  toldElsewhere = true;
}
