/** Failure classes: what an HTTP status, an error body or an exception says about why a summarizer failed. */
import { type FailureClass, SummarizerFailedError } from "../errors/summarizer-failed-error.ts";
import { redactSecrets } from "../redact/redact-secrets.ts";

const QUOTA =
  /insufficient_quota|quota[ _]exceeded|exceeded your current quota|billing|credit balance|payment required/i;

/** The class of an HTTP answer that is no success. */
export function classOfStatus(status: number, body: string): FailureClass {
  if (status === 401 || status === 403) return QUOTA.test(body) ? "quota" : "auth";
  if (status === 402) return "quota";
  if (status === 429) return QUOTA.test(body) ? "quota" : "overload";
  if (status === 400 && /credit balance/i.test(body)) return "quota";
  if (status === 408 || status === 504) return "timeout";
  return status === 502 || status === 503 || status === 529 ? "overload" : "other";
}

/** The class of an aborted call: the clock ran out, or the caller no longer wants it. */
export function classOfAbort(signal: AbortSignal): FailureClass {
  return signal.reason instanceof DOMException && signal.reason.name === "TimeoutError"
    ? "timeout"
    : "aborted";
}

/** The class of whatever a call threw. */
export function classOfException(thrown: unknown, signal: AbortSignal): FailureClass {
  if (signal.aborted) return classOfAbort(signal);
  const { name, statusCode, status, responseBody, message } = fieldsOf(thrown);
  if (name === "TimeoutError") return "timeout";
  if (name === "AbortError") return "aborted";
  const code = typeof statusCode === "number" ? statusCode : status;
  if (typeof code === "number" && code >= 200 && code < 300) {
    // The answer came, and could not be read to its end or not be understood.
    return isNetworkFault(thrown) ? "truncated" : "malformed";
  }
  if (typeof code === "number") return classOfStatus(code, `${responseBody ?? ""} ${message ?? ""}`);
  if (thrown instanceof SyntaxError) return "malformed";
  return isNetworkFault(thrown) ? "network" : "other";
}

/** A failure whose words hold no secret. What was thrown is retold, not attached: it may carry headers and the key. */
export function failed(
  summarizer: string,
  failure: FailureClass,
  message: string,
  {
    key,
    cause,
    reason = reasonIn(cause),
  }: {
    readonly key?: string | undefined;
    readonly cause?: unknown;
    readonly reason?: string | undefined;
  } = {},
): SummarizerFailedError {
  const told = withoutSecrets(message, key);
  if (cause === undefined) return new SummarizerFailedError(summarizer, failure, told, { reason });
  const retold = new Error(withoutSecrets(messageOf(cause), key));
  return new SummarizerFailedError(summarizer, failure, told, { cause: retold, reason });
}

/** The status of an answer or the code of a network fault. Their words are not for everybody: they may quote the key. */
export function reasonIn(thrown: unknown): string | undefined {
  if (thrown instanceof SummarizerFailedError) return thrown.reason;
  const { statusCode, status = statusCode } = fieldsOf(thrown);
  // An answer that came and broke off has its status, which says nothing of the fault.
  return typeof status === "number" && status >= 300 ? `HTTP ${status}` : networkCodeIn(thrown);
}

/** What was thrown, in words, with the reason below it. */
export function messageOf(thrown: unknown): string {
  const { message, cause } = fieldsOf(thrown);
  const below = fieldsOf(cause).message ?? fieldsOf(cause).code;
  const words = typeof message === "string" ? message : String(thrown);
  return typeof below === "string" && below !== "" ? `${words} (${below})` : words;
}

const MOST_WORDS = 300;

function withoutSecrets(message: string, key: string | undefined): string {
  const keyless = key ? message.replaceAll(key, "[redacted: key]") : message;
  return redactSecrets(keyless.slice(0, MOST_WORDS * 4)).text.slice(0, MOST_WORDS);
}

const NETWORK_CODE = /^(?:E[A-Z]{4,}|UND_ERR_\w+|CERT_\w+|ERR_TLS\w*|SELF_SIGNED\w*|DEPTH_ZERO\w*)$/;

function isNetworkFault(thrown: unknown): boolean {
  return (
    networkCodeIn(thrown) !== undefined ||
    faultsIn(thrown).some(({ message }) => message === "fetch failed" || message === "terminated")
  );
}

function networkCodeIn(thrown: unknown): string | undefined {
  return faultsIn(thrown)
    .map(({ code }) => code)
    .find((code): code is string => typeof code === "string" && NETWORK_CODE.test(code));
}

/** What was thrown, and what is below it. */
function faultsIn(thrown: unknown): readonly Record<string, unknown>[] {
  const faults: Record<string, unknown>[] = [];
  for (let fault = thrown; faults.length < 4 && fault !== undefined; fault = faults.at(-1)!.cause)
    faults.push(fieldsOf(fault));
  return faults;
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
