/** Health: a conversation's state at a glance, and what to do about it (F40). */
import type { Conversation } from "../conversation/conversation.ts";
import { type Reading, readConversation } from "../engine/reading.ts";
import type { Fill } from "../tokens/fill.ts";
import { counted, percent } from "../tokens/number-words.ts";
import { type Conflict, findConflicts } from "./conflicts.ts";
import { findStale, type Stale } from "./staleness.ts";

export type HealthAction = "none" | "consider summarizing" | "summarize" | "trim";

/** What a conversation should say: who the agent is, what it is asked, which session it is. */
export type RequiredField = "persona" | "task" | "session id";

export interface Health {
  readonly status: "OK" | "WARN" | "CRITICAL";
  /** Share of the budget, 0 to 1 and above; absent when the window is not known. */
  readonly utilisation?: number;
  /** System messages aside. */
  readonly messages: number;
  readonly action: HealthAction;
  /** In words: why the status and the action are what they are. */
  readonly notes: readonly string[];
  /** Things the user said that cannot both hold: ask. */
  readonly conflicts: readonly Conflict[];
  /** Results that no longer tell the truth. */
  readonly stale: readonly Stale[];
  readonly missing: readonly RequiredField[];
}

export interface HealthOptions {
  readonly conversation: Conversation;
  /** Absent when the window is not known: then only messages are judged. */
  readonly fill?: Fill | undefined;
  readonly sessionId?: string | undefined;
  /** What must be there. @default ["persona", "task"] */
  readonly required?: readonly RequiredField[];
}

/** From these values on; the messages, above them. */
export const healthLimits = {
  warnAt: 0.5,
  criticalAt: 0.8,
  considerOverMessages: 20,
  trimOverMessages: 30,
} as const;

export function health(options: HealthOptions): Health {
  const { conversation, fill } = options;
  const messages = conversation.messages.filter((message) => message.role !== "system").length;
  const readings = readConversation(conversation.messages);
  const conflicts = findConflicts(readings);
  const stale = findStale(readings);
  const missing = missingFields(options, readings);
  const due = dueAction(fill?.ratio, messages);
  const troubled = due.action !== "none" || conflicts.length > 0 || missing.length > 0;
  return {
    status: (fill?.ratio ?? 0) >= healthLimits.criticalAt ? "CRITICAL" : troubled ? "WARN" : "OK",
    ...(fill && { utilisation: fill.ratio }),
    messages,
    action: due.action,
    notes: [
      ...due.notes,
      ...conflicts.map(
        ({ earlier, later }) => `"${earlier.text}" and "${later.text}" conflict: ask the user.`,
      ),
      ...(stale.length > 0 ? [`Out of date: ${counted(stale.length, "tool result")}.`] : []),
      ...missing.map((field) => `No ${field} is given.`),
    ],
    conflicts,
    stale,
    missing,
  };
}

/**
 * The line for the session log, `Health check: 50% tokens → Summarized`. `outcome` says what was done about it; without
 * it the line names what is due.
 */
export function healthLine(health: Health, outcome: string = dueWords[health.action]): string {
  const size =
    health.utilisation === undefined
      ? counted(health.messages, "message")
      : `${percent(health.utilisation)} tokens`;
  return `Health check: ${size} → ${outcome}`;
}

const dueWords: Readonly<Record<HealthAction, string>> = {
  none: "OK",
  "consider summarizing": "Consider summarizing",
  summarize: "Summarize",
  trim: "Trim",
};

function dueAction(
  ratio = 0,
  messages: number,
): { readonly action: HealthAction; readonly notes: readonly string[] } {
  const { warnAt, criticalAt, considerOverMessages, trimOverMessages } = healthLimits;
  const found: [HealthAction, string][] = [];
  if (ratio >= criticalAt) found.push(["trim", `${percent(ratio)} of the budget is used: trim.`]);
  else if (ratio >= warnAt) found.push(["summarize", `${percent(ratio)} of the budget is used: summarize.`]);
  if (messages > trimOverMessages) found.push(["trim", `${messages} messages: trim, whatever the tokens.`]);
  else if (messages > considerOverMessages) {
    found.push(["consider summarizing", `${messages} messages: consider summarizing.`]);
  }
  const action = severity.findLast((candidate) => found.some(([due]) => due === candidate)) ?? "none";
  return { action, notes: found.map(([, note]) => note) };
}

const severity: readonly HealthAction[] = ["none", "consider summarizing", "summarize", "trim"];

function missingFields(options: HealthOptions, readings: readonly Reading[]): readonly RequiredField[] {
  const { conversation, sessionId, required = ["persona", "task"] } = options;
  const there: Readonly<Record<RequiredField, boolean>> = {
    persona: conversation.messages.some((message) => message.role === "system" && message.parts.length > 0),
    task: readings.some(({ words }) => words.some(({ speaker }) => speaker === "person")),
    "session id": sessionId !== undefined && sessionId.trim() !== "",
  };
  return required.filter((field) => !there[field]);
}
