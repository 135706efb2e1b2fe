/** SummarizerFailedError: there is no usable summary; its class decides what happens next (R30–R33). */
import { CompactionError } from "./compaction-error.ts";

export type FailureClass =
  | "auth"
  | "quota"
  | "network"
  | "timeout"
  | "overload"
  | "truncated"
  | "empty"
  | "refused"
  | "malformed"
  | "directive"
  | "aborted"
  | "other";

export class SummarizerFailedError extends CompactionError {
  readonly failure: FailureClass;
  /** Absent where none was asked. */
  readonly summarizer?: string;
  /** What tells failures of one class apart and holds no secret: `HTTP 404`, `ECONNREFUSED`. */
  readonly reason?: string;

  constructor(
    summarizer: string | undefined,
    failure: FailureClass,
    message: string,
    { reason, ...options }: { cause?: unknown; reason?: string | undefined } = {},
  ) {
    const what =
      summarizer === undefined
        ? "No summarizer was asked"
        : `The summarizer ${summarizer} failed (${failure})`;
    super("SUMMARIZER_FAILED", `${what}: ${message}`, options);
    this.failure = failure;
    if (summarizer !== undefined) this.summarizer = summarizer;
    if (reason !== undefined) this.reason = reason;
  }
}
