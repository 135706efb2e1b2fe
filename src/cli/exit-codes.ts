/** Exit codes: the one table from an error's code to what the shell sees. */
import type { ErrorCode } from "../errors/compaction-error.ts";

/** Done, also when nothing was needed. */
export const exitDone = 0;
/** The command line or the input is wrong. */
export const exitUsage = 2;
/** Something failed that is neither the command line nor the input. */
export const exitFailure = 4;

export const exitCodes: Readonly<Record<ErrorCode, number>> = {
  INVALID_INPUT: exitUsage,
  INVALID_OPTIONS: exitUsage,
  UNKNOWN_WINDOW: exitUsage,
  MISSING_PACKAGE: exitUsage,
  PLAN_STALE: exitUsage,
  TARGET_UNREACHABLE: 3,
  ARCHIVE_FAILED: exitFailure,
  UNDO_FAILED: exitFailure,
  COMPACTION_FAILED: exitFailure,
  SUMMARIZER_FAILED: exitFailure,
};
