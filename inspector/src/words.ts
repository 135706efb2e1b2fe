/** Words: how numbers, times and the names of things are written for people. */

import { percent } from "../../src/tokens/number-words.ts";

const whole = new Intl.NumberFormat("en-US");
const short = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
const when = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** `12,345` */
export function count(value: number): string {
  return whole.format(value);
}

/** `12.3K` */
export function brief(value: number): string {
  return short.format(value);
}

/** `61.5%` of a share from 0 to 1, as the report writes it. */
export function share(value: number): string {
  return percent(value);
}

/** `3 messages`, `1 message` */
export function many(value: number, thing: string): string {
  return `${whole.format(value)} ${thing}${value === 1 ? "" : "s"}`;
}

/** `15 Nov 2026, 17:45`, or a dash where no time is known. */
export function time(value: number | string | undefined): string {
  if (value === undefined) return "–";
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? "–" : when.format(date);
}

/** Costs of single conversations are often below a hundredth: `12.35`, `0.123`, `0.0012`. */
export function money(value: number): string {
  if (value >= 10 || value === 0) return value.toFixed(2);
  return value.toFixed(value < 0.01 ? 4 : 3);
}

/** What each Stage does, in a few words; the name of a Stage that is not known here stands for itself. */
const stages: Readonly<Record<string, string>> = {
  "strip-reasoning": "Old reasoning left out",
  "drop-duplicates": "Repeated or outdated result",
  "shape-tool-results": "Tool result shortened",
  "shrink-call-arguments": "Long call arguments shortened",
  "extract-sentences": "Main sentences kept",
  "hand-off": "Told in the hand-off",
  trim: "Trimmed to fit",
};

/** A message that the hand-off was put into is not told in it: it carries it. */
export function stageWords(stage: string, change?: string): string {
  if (stage === "hand-off" && change === "changed") return "Carries the hand-off";
  return stages[stage] ?? stage;
}
