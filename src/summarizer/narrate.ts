/** narrate: has a summary written of what a plan hands off, audits it, and gives back lines that may stand in the hand-off. */
import { type Audit, auditSummary } from "../audit/audit-summary.ts";
import { isUserMessage, type Message, textOfMessage } from "../conversation/message.ts";
import type { SummarizerFailedError } from "../errors/summarizer-failed-error.ts";
import { readSections } from "../handoff/sections.ts";
import { handoffIn } from "../handoff/separate.ts";
import type { DroppedName, Ledger } from "../ledger/ledger.ts";
import { readLedgerLines } from "../ledger/read-ledger-lines.ts";
import { mustKeepLines } from "../ledger/render-ledger.ts";
import { updateLedger } from "../ledger/update-ledger.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { type SummaryAttempt, summarizeWithFallback } from "./chain.ts";
import type { Summarizer } from "./summarizer.ts";
import type { SummarizerState } from "./summarizer-state.ts";
import { summaryPrompt, summaryTargetTokens } from "./summary-prompt.ts";
import type { TemplateName } from "./templates.ts";

export interface NarrateOptions {
  /** What is handed off, in order, earlier hand-offs included. */
  readonly span: readonly Message[];
  /** The whole conversation: what a summary names must stand somewhere in it. */
  readonly messages: readonly Message[];
  readonly counter: TokenCounter;
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
  /** What the summary dropped, then what it tells. Empty when there is none: the deterministic hand-off stands alone. */
  readonly lines: readonly string[];
  /** The lines that no hand-off of this span may be without; absent when there is no summary. */
  readonly mustKeep?: readonly string[];
  /** Who wrote the summary. */
  readonly summarizer?: string;
  /** Of the summary, or of the last one that was refused for it. */
  readonly audit?: Audit;
  readonly attempts: readonly SummaryAttempt[];
  readonly error?: SummarizerFailedError;
  readonly state: SummarizerState;
}

/** Never throws. */
export async function narrate(options: NarrateOptions): Promise<Narration> {
  const { span, messages, counter, summarizers, template, focus, window } = options;
  const tokens = span.reduce((sum, message) => sum + counter.message(message), 0);
  const targetTokens = summaryTargetTokens(tokens, window);
  const promptFor = (summarizer: Summarizer) =>
    summaryPrompt({
      messages: span,
      template,
      targetTokens,
      tokensOf: counter.text,
      ...(focus !== undefined && { focus }),
      ...(summarizer.window !== undefined && { window: summarizer.window }),
    });
  const ledger = updateLedger(
    toldBefore(span),
    span.filter((message) => !handoffIn(message)),
  );
  const mustKeep = mustKeepLines(ledger);
  let audit: Audit | undefined;
  const refuse = (text: string): string | undefined => {
    audit = auditSummary({ summary: text, source: messages.map(textOfMessage).join("\n"), mustKeep });
    return audit.refused === undefined ? undefined : `${audit.refused}.`;
  };
  const { summary, error, attempts, state } = await summarizeWithFallback({
    summarizers,
    request: (summarizer) => ({
      prompt: promptFor(summarizer).prompt,
      targetTokens,
      signal: options.signal ?? new AbortController().signal,
    }),
    hasUser: span.some(isUserMessage),
    refuse,
    turn: options.turn,
    clock: options.clock,
    ...(options.state && { state: options.state }),
    ...(options.force && { force: options.force }),
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
  });
  const audited = { attempts, state, ...(audit && { audit }) };
  if (!summary || !audit) return { ...audited, lines: [], ...(error && { error }) };
  // Where not everything fits, the story yields to the facts.
  const lines = [...audit.dropped, ...audit.text.split("\n").filter((line) => line.trim() !== "")];
  return { ...audited, lines, mustKeep, summarizer: summary.summarizer };
}

/**
 * The must-keeps that earlier hand-offs put first. What stands further down is talk, or a quote of what an even earlier
 * one said, which may be done with by now.
 */
function toldBefore(span: readonly Message[]): Ledger {
  const told = span.flatMap((message) => {
    const found = handoffIn(message);
    const lines = found ? readSections(found.body).progress : [];
    const end = lines.findIndex((line) => sectionOf(line) === undefined);
    return end < 0 ? lines : lines.slice(0, end);
  });
  const linesOf = (section: DroppedName) => told.filter((line) => sectionOf(line) === section);
  return readLedgerLines({ todos: linesOf("todos"), errors: linesOf("errors"), files: linesOf("files") });
}

/** Where a must-keep in the ledger's very own form belongs; none for any other line. */
function sectionOf(line: string): DroppedName | undefined {
  const sections = ["todos", "errors", "files"] as const;
  return sections.find((section) => mustKeepLines(readLedgerLines({ [section]: [line] }))[0] === line);
}
