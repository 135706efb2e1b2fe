/** isCompactionError: whether an error is one of Pith's, and of which kind. */
import type { ArchiveError } from "./archive-error.ts";
import { CompactionError, type ErrorCode } from "./compaction-error.ts";
import type { InputError } from "./input-error.ts";
import type { MissingPackageError } from "./missing-package-error.ts";
import type { OptionsError } from "./options-error.ts";
import type { PlanStaleError } from "./plan-stale-error.ts";
import type { SummarizerFailedError } from "./summarizer-failed-error.ts";
import type { TargetUnreachableError } from "./target-unreachable-error.ts";
import type { UndoError } from "./undo-error.ts";
import type { UnknownWindowError } from "./unknown-window-error.ts";

/** Each kind of error by its code, with the data that it brings. */
export interface ErrorOfCode {
  readonly INVALID_INPUT: InputError;
  readonly INVALID_OPTIONS: OptionsError;
  readonly UNKNOWN_WINDOW: UnknownWindowError;
  readonly MISSING_PACKAGE: MissingPackageError;
  readonly TARGET_UNREACHABLE: TargetUnreachableError;
  readonly PLAN_STALE: PlanStaleError;
  readonly ARCHIVE_FAILED: ArchiveError;
  readonly UNDO_FAILED: UndoError;
  readonly SUMMARIZER_FAILED: SummarizerFailedError;
  readonly COMPACTION_FAILED: CompactionError;
}

/**
 *     if (isCompactionError(report.error, "TARGET_UNREACHABLE")) console.log(report.error.floorTokens);
 */
export function isCompactionError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: Code,
): error is ErrorOfCode[Code] {
  return error instanceof CompactionError && (code === undefined || error.code === code);
}
