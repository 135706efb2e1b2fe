/** SummarizerFailedError: a summarizer did not give a usable summary; its class decides what happens next (R30–R33). */
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
  readonly summarizer: string;
  /** What tells failures of one class apart and holds no secret: `HTTP 404`, `ECONNREFUSED`. */
  readonly reason?: string;

  constructor(
    summarizer: string,
    failure: FailureClass,
    message: string,
    { reason, ...options }: { cause?: unknown; reason?: string | undefined } = {},
  ) {
    super("SUMMARIZER_FAILED", `The summarizer ${summarizer} failed (${failure}): ${message}`, options);
    this.failure = failure;
    this.summarizer = summarizer;
    if (reason !== undefined) this.reason = reason;
  }
}
