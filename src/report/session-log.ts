/** Session log: the lines that source 1 writes to SESSION_LOG after a compaction, word for word (F28, F39). */

import type { MaskedText } from "../redact/masked-text.ts";
import { redactSecrets } from "../redact/redact-secrets.ts";
import { counted, percent, thousands } from "../tokens/number-words.ts";
import { healthLine } from "./health.ts";
import type { Report } from "./report.ts";
import { yieldedLines } from "./yielded-lines.ts";

/** `8, 1200` → `Summarized 8 messages → 1 summary (saved ~1,200 tokens)`. */
export function summarizedLine(count: number, savedTokens: number): string {
  return `Summarized ${counted(count, "message")} → 1 summary (saved ~${thousands(savedTokens)} tokens)`;
}

export interface TokenUsage {
  /** When; milliseconds since the epoch or a Date. Written in UTC. */
  readonly at: Date | number;
  readonly before: number;
  readonly after: number;
  /** What the tokens are measured against; absent when nobody knows. */
  readonly budget?: number | undefined;
}

/**
 * The monitoring block:
 *
 *     ## Token Usage @ 2025-11-09T10:35:22
 *     - Pre-summarization: 4,200 / 8,000 (52.5%)
 *     - Post-summarization: 2,800 / 8,000 (35%)
 *     - Savings: 1,400 tokens (33% reduction)
 */
export function tokenUsageBlock({ at, before, after, budget }: TokenUsage): string {
  const saved = before - after;
  return [
    `## Token Usage @ ${timeWords(at)}`,
    `- Pre-summarization: ${ofBudget(before, budget)}`,
    `- Post-summarization: ${ofBudget(after, budget)}`,
    `- Savings: ${thousands(saved)} tokens (${percent(before > 0 ? saved / before : 0, 0)} reduction)`,
  ].join("\n");
}

/**
 * What to append for one Report: a line per kind of work and the block, or why it failed; it ends with a blank line.
 * Empty when nothing was done and nothing went wrong: the log is not filled with silence.
 */
export function sessionLogEntry(report: Report, at: Date | number): MaskedText {
  if (report.error) {
    const message = report.error.message.replace(/\s+/g, " ").trim();
    return redactSecrets(`Compaction failed @ ${timeWords(at)}: ${message} [${report.error.code}]\n\n`).text;
  }
  if (!report.compacted) return redactSecrets("").text;
  const usage = {
    at,
    before: report.promptTokensBefore,
    after: report.promptTokensAfter,
    budget: report.base,
  };
  const lines = [
    ...agentLines(report),
    ...workLines(report),
    ...yieldedLines(report),
    ...healthLines(report),
    tokenUsageBlock(usage),
  ];
  return redactSecrets(`${lines.join("\n")}\n\n`).text;
}

/** Why it was done where the agent decides: what it said, or that it never asked (F76, F83). */
function agentLines({ request, safetyNet, promptTokensBefore, base }: Report): readonly string[] {
  return [
    ...(request ? [`Requested by the agent: ${request.reason}`] : []),
    ...(safetyNet ? [`${safetyNet.code}: ${ofBudget(promptTokensBefore, base)}`] : []),
  ];
}

/** What the check found, and what was done about it (F40). */
function healthLines({ health, stages, request }: Report): readonly string[] {
  if (!health) return [];
  const done = new Set(stages.map(({ stage }) => stage));
  const outcome = done.has("hand-off") ? (isArchived(request) ? "Archived" : "Summarized") : "Shortened";
  return [healthLine(health, outcome)];
}

function isArchived(request: Report["request"]): boolean {
  return request?.strategy === "archive" && !request.withoutArchive;
}

/** Saved by the hand-off means: the summarised messages less the summary (F29). */
function workLines({ stages, messages, request }: Report): readonly string[] {
  return stages
    .filter(({ tokensSaved, messages: touched }) => tokensSaved > 0 || touched > 0)
    .map(({ stage, tokensSaved, messages: touched }) => {
      if (stage === "hand-off") {
        const summarized = messages.filter(
          (message) => message.stage === stage && message.fate === "removed",
        ).length;
        if (!isArchived(request)) return summarizedLine(summarized || touched, tokensSaved);
        return `Archived ${counted(summarized || touched, "message")} (saved ~${thousands(tokensSaved)} tokens)`;
      }
      const verb = stage === "trim" ? "Trimmed" : "Shortened";
      const how = stage === "trim" ? "" : ` by ${stage}`;
      return `${verb} ${counted(touched, "message")}${how} (saved ~${thousands(tokensSaved)} tokens)`;
    });
}

function ofBudget(tokens: number, budget: number | undefined): string {
  if (budget === undefined || !(budget > 0)) return `${thousands(tokens)} tokens`;
  return `${thousands(tokens)} / ${thousands(budget)} (${percent(tokens / budget)})`;
}

/** ISO time without fractions and zone. A time that is none must not break the log. */
function timeWords(at: Date | number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "an unknown time" : date.toISOString().replace(/\.\d+Z$/, "");
}
