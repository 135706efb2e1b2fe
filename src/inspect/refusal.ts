/** Refusal: what the inspector does not answer, with the status that says so; and the table from other errors to it. */
import { CompactionError, type ErrorCode } from "../errors/compaction-error.ts";
import { redactSecrets } from "../redact/redact-secrets.ts";
import type { ErrorView } from "./views.ts";

const STATUS = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  READ_ONLY: 403,
  NOT_FOUND: 404,
  WRONG_METHOD: 405,
  PLAN_STALE: 409,
  TOO_LARGE: 413,
  FAILED: 500,
} as const;
export type InspectRefusalCode = keyof typeof STATUS;

/** Its text may quote what was asked. */
export class InspectRefusal extends Error {
  readonly code: InspectRefusalCode;
  constructor(code: InspectRefusalCode, message: string) {
    super(redactSecrets(message).text);
    this.code = code;
  }
}

/** One that was made elsewhere: in another thread. */
export class GivenRefusal extends Error {
  readonly answer: ErrorAnswer;
  constructor(answer: ErrorAnswer) {
    super(answer.body.error.message);
    this.answer = answer;
  }
}

export interface ErrorAnswer {
  readonly status: number;
  readonly body: ErrorView;
}

const ENGINE_STATUS: Readonly<Record<ErrorCode, number>> = {
  INVALID_INPUT: 400,
  INVALID_OPTIONS: 400,
  UNKNOWN_WINDOW: 400,
  PLAN_STALE: 409,
  UNDO_FAILED: 409,
  TARGET_UNREACHABLE: 422,
  COMPACTION_FAILED: 422,
  MISSING_PACKAGE: 500,
  ARCHIVE_FAILED: 502,
  SUMMARIZER_FAILED: 502,
};

/** What is not ours to tell (a fault of the program) is told without its details. */
export function errorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof GivenRefusal) return error.answer;
  if (error instanceof InspectRefusal)
    return { status: STATUS[error.code], body: { error: { code: error.code, message: error.message } } };
  if (error instanceof CompactionError)
    return {
      status: ENGINE_STATUS[error.code],
      body: { error: { code: error.code, message: error.message } },
    };
  const message = "The inspector failed inside; where it runs, its log says why.";
  return { status: 500, body: { error: { code: "FAILED", message } } };
}
