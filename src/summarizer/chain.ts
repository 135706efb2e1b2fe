/** summarizeWithFallback: asks the auxiliary model, then the main one, each once; then says why there is no summary (F49). */
import { type FailureClass, SummarizerFailedError } from "../errors/summarizer-failed-error.ts";
import { contextOverflowOf } from "../providers/overflow.ts";
import { initialSummarizerState, type SummarizerState } from "../state/summarizer-state.ts";
import { checkSummary } from "./check-summary.ts";
import {
  afterBypass,
  afterFailure,
  afterStart,
  afterSuccess,
  cooldownOf,
  type Force,
  mayAttempt,
} from "./cooldowns.ts";
import { classOfAbort, classOfException, failed, messageOf } from "./failure.ts";
import { roughTokens } from "./serialize.ts";
import type { Summarizer, Summary, SummaryRequest } from "./summarizer.ts";

export interface FallbackOptions {
  /** In the order they are asked: the cheap one first. The same one twice is asked once. */
  readonly summarizers: readonly Summarizer[];
  /** What to ask; a function where the prompt depends on the summarizer's window. */
  readonly request: SummaryRequest | ((summarizer: Summarizer) => SummaryRequest);
  /** A person spoke in what is summarised (R15). @default true */
  readonly hasUser?: boolean;
  /** Says why a summary in good form is still not to be used: a failure like any other. @default it always is */
  readonly refuse?: (text: string) => string | undefined;
  /** Each call's time. @default 120,000, or 25 for each token that is asked for */
  readonly timeoutMs?: number;
  /** What the last outcome gave back. */
  readonly state?: SummarizerState;
  /** Names the agent's turn: attempts are counted in each. @default 0 */
  readonly turn?: number;
  /** Passes cooldowns by. */
  readonly force?: Force;
  /** Milliseconds since the epoch. @default Date.now */
  readonly clock?: () => number;
}

/** What became of one summarizer, for the Report. */
export interface SummaryAttempt {
  readonly summarizer: string;
  /** Absent when it gave the summary. */
  readonly failure?: FailureClass;
  readonly message?: string;
  /** It was not called: it cools down. */
  readonly skipped?: boolean;
  /** What the call cost, also where its summary was rejected. */
  readonly usage?: Summary["usage"];
}

/** Either `summary` or `error` is there. */
export interface SummaryOutcome {
  readonly summary?: {
    readonly text: string;
    readonly summarizer: string;
    readonly model: string;
    /** Secrets masked on the way out. */
    readonly redacted: number;
  };
  /** Its `cause` is an AggregateError with every summarizer's own. */
  readonly error?: SummarizerFailedError;
  readonly attempts: readonly SummaryAttempt[];
  readonly state: SummarizerState;
}

/** Never throws. */
export async function summarizeWithFallback(options: FallbackOptions): Promise<SummaryOutcome> {
  const { hasUser = true, turn = 0, force, clock = Date.now } = options;
  const known = options.state ?? initialSummarizerState;
  const attempts: SummaryAttempt[] = [];
  const errors: SummarizerFailedError[] = [];
  if (!mayAttempt(known, turn, force)) {
    const message = `this turn has tried ${known.attempts.count} times already.`;
    return { error: new SummarizerFailedError(undefined, "other", message), attempts, state: known };
  }
  let state = afterStart(known, turn, force);
  for (const summarizer of new Set(options.summarizers)) {
    const { name } = summarizer;
    const cooldown = cooldownOf(state, name, clock(), force);
    if (cooldown !== undefined) {
      const reason = `cools down until ${new Date(cooldown.until).toISOString()}`;
      const message = `It ${reason}.`;
      errors.push(new SummarizerFailedError(name, cooldown.failure, message, { reason }));
      attempts.push({ summarizer: name, failure: cooldown.failure, message, skipped: true });
      continue;
    }
    state = afterBypass(state, name, clock());
    let answer: Summary | undefined;
    let request: SummaryRequest | undefined;
    try {
      const known = state.windows?.[name];
      const sized = known === undefined ? summarizer : { ...summarizer, window: known };
      request = requestFor(sized, options);
      await whenReady(summarizer, request.signal);
      try {
        answer = await askOnce(summarizer, request, options.timeoutMs);
      } catch (thrown) {
        // How much it can read was not known, or not to it: it has just said so.
        const overflow = contextOverflowOf(thrown);
        if (overflow === undefined || request.signal.aborted) throw thrown;
        attempts.push({ summarizer: name, failure: "other", message: messageOf(thrown) });
        // What rode was the conversation itself, of which nothing is known: a transcript of it is tried.
        const { rides: _, ...unridden } = summarizer;
        const half = request.ride ? undefined : Math.floor(roughTokens(request.prompt) / 2);
        const window = overflow.windowTokens ?? half;
        if (window !== undefined) state = { ...state, windows: { ...state.windows, [name]: window } };
        request = requestFor({ ...unridden, ...(window !== undefined && { window }) }, options);
        answer = await askOnce(summarizer, request, options.timeoutMs);
      }
      const { text, redacted } = checkSummary(answer, { summarizer: name, hasUser });
      const refusal = options.refuse?.(text);
      if (refusal !== undefined) throw new SummarizerFailedError(name, "malformed", refusal);
      attempts.push({ summarizer: name, ...usageOf(answer) });
      const summary = { text, summarizer: name, model: answer.model, redacted };
      return { summary, attempts, state: afterSuccess(state, name) };
    } catch (thrown) {
      const error = asFailure(thrown, name);
      const { failure, message } = error;
      errors.push(error);
      attempts.push({ summarizer: name, failure, message, ...usageOf(answer) });
      // The caller's own deadline is nobody's fault, and no other model could meet it either.
      if (request?.signal.aborted) break;
      // One that was not asked after all did not fail either; the next one may be asked.
      if (failure === "aborted") continue;
      state = afterFailure(state, { summarizer: name, failure, now: clock() });
    }
  }
  return { error: allFailed(errors), attempts, state };
}

function requestFor(summarizer: Summarizer, { request }: FallbackOptions): SummaryRequest {
  return typeof request === "function" ? request(summarizer) : request;
}

const DEFAULT_TIMEOUT_MS = 120_000;
/** A long text takes its time: forty tokens a second are slow. */
const TOKEN_MS = 25;

/** One that shall not be asked after all did not fail. */
async function whenReady({ name, ready }: Summarizer, signal: AbortSignal): Promise<void> {
  if (ready === undefined) return;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const stop = (): void => end();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await Promise.race([ready, ended]);
  } catch {
    throw failed(name, "aborted", "What it was to be asked behind did not come about.");
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** The call ends when its time is up or the caller gives up, whether the summarizer listens or not. */
async function askOnce(
  summarizer: Summarizer,
  request: SummaryRequest,
  timeoutMs = Math.max(DEFAULT_TIMEOUT_MS, request.targetTokens * TOKEN_MS),
): Promise<Summary> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([request.signal, timeout]);
  let stop: (() => void) | undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    stop = () =>
      reject(failed(summarizer.name, classOfAbort(signal), "The call was ended before it answered."));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([summarizer.summarize({ ...request, signal }), ended]);
  } catch (thrown) {
    if (thrown instanceof SummarizerFailedError) throw thrown;
    const failure = classOfException(thrown, signal);
    throw failed(summarizer.name, failure, `The call failed: ${messageOf(thrown)}.`, { cause: thrown });
  } finally {
    if (stop) signal.removeEventListener("abort", stop);
    ended.catch(() => {});
  }
}

function asFailure(thrown: unknown, name: string): SummarizerFailedError {
  if (thrown instanceof SummarizerFailedError) return thrown;
  return failed(name, "other", `The call failed: ${messageOf(thrown)}.`, { cause: thrown });
}

function usageOf(answer: Summary | undefined): Pick<SummaryAttempt, "usage"> {
  return answer?.usage === undefined ? {} : { usage: answer.usage };
}

/** The class is that of the last one asked: it had the final say. */
function allFailed(errors: readonly SummarizerFailedError[]): SummarizerFailedError {
  const last = errors.at(-1);
  if (last === undefined) return new SummarizerFailedError(undefined, "other", "none is given.");
  const { summarizer, failure, reason } = last;
  const earlier = errors.slice(0, -1).map(nameAndWhy).join(", then ");
  const told = `${reason ?? "no summary came"}${earlier === "" ? "" : `; before it, ${earlier}`}.`;
  const cause = new AggregateError(errors, errors.map(nameAndWhy).join(", then "));
  return new SummarizerFailedError(summarizer, failure, told, { cause, reason });
}

/** Of what a server said nothing is told on: it may quote what it was sent. */
function nameAndWhy({ summarizer, failure, reason }: SummarizerFailedError): string {
  return `${summarizer} (${failure}${reason === undefined ? "" : `, ${reason}`})`;
}
