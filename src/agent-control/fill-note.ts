/** The fill indicator: how full the context is, told to an agent that decides itself when to compact (F82). */
import { isObject, type WireObject } from "../json/wire-value.ts";
import type { Report } from "../report/report.ts";
import { percent, thousands } from "../tokens/number-words.ts";
import { COMPRESS_CONTEXT_HINT } from "./compress-context.ts";

/** As `report.promptTokensAfter` and `report.base` have it. */
export interface ContextFill {
  readonly tokens: number;
  /** What they are measured against. */
  readonly budget: number;
}

/** What of a Report tells the fill. */
export type FillReport = Pick<Report, "promptTokensAfter" | "base">;

/** How full the context is in what is sent; undefined where nobody knows the window. */
export function fillOf({ promptTokensAfter: tokens, base }: FillReport): ContextFill | undefined {
  return base ? { tokens, budget: base } : undefined;
}

/** `Context fill: 78% (31,200 of 40,000 tokens).` */
export function fillLine({ tokens, budget }: ContextFill): string {
  return `Context fill: ${percent(tokens / budget, 0)} (${thousands(tokens)} of ${thousands(budget)} tokens).`;
}

/** For the end of a prompt: the fill, and the hint of F75. */
export function fillNote(fill: ContextFill): string {
  return `[${fillLine(fill)} ${COMPRESS_CONTEXT_HINT}]`;
}

/** A tool's answer, with the fill below it. */
export function answerWithFill(text: string, fill: ContextFill | undefined): string {
  return fill ? `${text}\n[${fillLine(fill)}]` : text;
}

/**
 * A request's last message with the note behind what it says; the very message where there is no place for one. It stands
 * behind everything that a later request begins with, so that it costs no cached prefix.
 */
export function withFillNote(message: unknown, format: string, note: string): unknown {
  if (!isObject(message)) return message;
  if (format === "openai-responses") {
    const key = message.type === "function_call_output" ? "output" : "content";
    return message.type === "function_call_output" || message.role === "user"
      ? noted(message, key, note, "input_text")
      : message;
  }
  if (message.role !== "user" && message.role !== "tool") return message;
  const { content } = message;
  // A block of its own: what the client marked for the cache ends before it.
  if (format === "anthropic-messages" && typeof content === "string")
    return { ...message, content: [textBlock(content), textBlock(note)] };
  return noted(message, "content", note, "text");
}

function noted(message: WireObject, key: string, note: string, type: string): WireObject {
  const said = message[key];
  if (typeof said === "string") return { ...message, [key]: `${said}\n\n${note}` };
  return Array.isArray(said) ? { ...message, [key]: [...said, { type, text: note }] } : message;
}

function textBlock(text: string): WireObject {
  return { type: "text", text };
}
