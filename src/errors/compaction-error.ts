/** CompactionError: the base of every error that Pith raises. Its text may quote what was given, so secrets are masked in it. */
import { redactSecrets } from "../redact/redact-secrets.ts";

/** Stable names for scripts: the doors translate them to exit codes, HTTP statuses and MCP errors. */
export type ErrorCode =
  | "INVALID_INPUT"
  | "INVALID_OPTIONS"
  | "UNKNOWN_WINDOW"
  | "MISSING_PACKAGE"
  | "TARGET_UNREACHABLE"
  | "PLAN_STALE"
  | "ARCHIVE_FAILED"
  | "UNDO_FAILED"
  | "SUMMARIZER_FAILED"
  | "COMPACTION_FAILED";

export class CompactionError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(redactSecrets(message).text, options);
    this.name = new.target.name;
    this.code = code;
  }
}
