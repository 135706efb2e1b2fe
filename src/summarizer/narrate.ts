/** narrate: has a summary written of what a plan hands off, and gives back what of it may stand in the hand-off. */
import { type Audit, auditSummary } from "../audit/audit-summary.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { isUserMessage, type Message, textOfMessage } from "../conversation/message.ts";
import type { SummarizerFailedError } from "../errors/summarizer-failed-error.ts";
import { quotedLines } from "../handoff/quoted.ts";
import { handoffIn } from "../handoff/separate.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { type SummaryAttempt, summarizeWithFallback } from "./chain.ts";
import { rideOf } from "./ride.ts";
import { speaksOfUser } from "./serialize.ts";
import type { Summarizer, SummaryRequest } from "./summarizer.ts";
import { initialSummarizerState, type SummarizerState } from "./summarizer-state.ts";
import { ridePrompt, summaryPrompt, summaryTargetTokens } from "./summary-prompt.ts";
import type { TemplateName } from "./templates.ts";

export interface NarrateOptions {
  /** What is handed off, in order, earlier hand-offs included. */
  readonly span: readonly Message[];
  /** The whole conversation: what a summary names must stand somewhere in it. */
  readonly messages: readonly Message[];
  readonly counter: TokenCounter;
  /** What the messages were sent in: a summarizer of the same model may ride on it. */
  readonly conversation?: Conversation | undefined;
  /** In the order they are asked (F49). */
  readonly summarizers: readonly Summarizer[];
  readonly template: TemplateName;
  readonly focus?: string | undefined;
  /** The agent's own window: a summary takes no more than a twentieth of it. */
  readonly window?: number | undefined;
  readonly state?: SummarizerState | undefined;
  /** Names the turn, for the bound on attempts. */
  readonly turn: number;
  readonly force?: "manual" | "overflow" | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly clock: () => number;
}

export interface Narration {
  /** What the summary tells, line by line. Empty when there is none: the deterministic hand-off stands alone. */
  readonly story: readonly string[];
  /** Who wrote the summary. */
  readonly summarizer?: string;
  /** What the summary, or the last one that was refused for it, invented. What it dropped is seen where it is told. */
  readonly audit?: Pick<Audit, "invented" | "struck">;
  readonly attempts: readonly SummaryAttempt[];
  readonly error?: SummarizerFailedError;
  /** What was known of the summarizers when it began, and what is known now. */
  readonly before: SummarizerState;
  readonly state: SummarizerState;
}

/** Never throws. */
export async function narrate(options: NarrateOptions): Promise<Narration> {
  const { span, messages, counter, summarizers, template, focus, window } = options;
  const tokens = span.reduce((sum, message) => sum + counter.message(message), 0);
  const targetTokens = summaryTargetTokens(tokens, window);
  const transcript = (summarizer: Summarizer) =>
    summaryPrompt({
      messages: span,
      template,
      targetTokens,
      tokensOf: counter.text,
      ...(focus !== undefined && { focus }),
      ...(summarizer.window !== undefined && { window: summarizer.window }),
    });
  const rides = rideFinder(options, targetTokens);
  const before = options.state ?? initialSummarizerState;
  let audit: Audit | undefined;
  const refuse = (text: string): string | undefined => {
    audit = auditSummary({ summary: text, source: messages.map(textOfMessage).join("\n"), mustKeep: [] });
    return audit.refused === undefined ? undefined : `${audit.refused}.`;
  };
  const { summary, error, attempts, state } = await summarizeWithFallback({
    summarizers,
    request: (summarizer) => ({
      ...(rides(summarizer) ?? { prompt: transcript(summarizer).prompt }),
      targetTokens,
      signal: options.signal ?? new AbortController().signal,
    }),
    hasUser: (summarizers.some(rides) ? messages : span).some(isOfUser),
    refuse,
    turn: options.turn,
    clock: options.clock,
    state: before,
    ...(options.force && { force: options.force }),
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
  });
  const audited = { attempts, before, state, ...(audit && { audit }) };
  if (!summary || !audit) return { ...audited, story: [], ...(error && { error }) };
  const story = quotedLines(audit.text).filter((line) => line.trim() !== "");
  return { ...audited, story, summarizer: summary.summarizer };
}

/** Gives the request that rides on the conversation, where a summarizer can: the same wire and model, and room for it. */
function rideFinder(options: NarrateOptions, targetTokens: number) {
  const { span, messages, counter, template, focus, conversation } = options;
  const ride =
    conversation && options.summarizers.some((each) => each.rides) ? rideOf(conversation) : undefined;
  if (!conversation || !ride) return () => undefined;
  const prompt = ridePrompt({
    template,
    targetTokens,
    ...(focus !== undefined && { focus }),
    newest: messages.length - 1 - (span.at(-1)?.position ?? -1),
    hasHandoff: span.some((message) => handoffIn(message) !== undefined),
  });
  // The answer's place is twice the wish, since models overshoot; a tenth is left for another tokenizer.
  const needed = counter.conversation(conversation) + counter.text(prompt) + targetTokens * 2;
  return ({
    rides,
    window = options.window,
  }: Summarizer): Pick<SummaryRequest, "prompt" | "ride"> | undefined => {
    if (rides?.format !== conversation.format || rides.model !== conversation.model) return undefined;
    return window === undefined || needed <= window * 0.9 ? { prompt, ride } : undefined;
  };
}

/** A person's word, or an earlier hand-off that tells of one. */
function isOfUser(message: Message): boolean {
  const found = handoffIn(message);
  if (!found) return isUserMessage(message);
  return speaksOfUser(found.body) || (message.role === "user" && found.rest !== "");
}
