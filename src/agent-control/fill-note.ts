/** The fill indicator: how full the context is, told to an agent that decides itself when to compact (F82). */
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
