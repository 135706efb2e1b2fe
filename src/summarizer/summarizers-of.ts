/** summarizersOf: the summarizers that the option `summarizer` stands for, in the order they are asked (F49). */
import { OptionsError } from "../errors/options-error.ts";
import type { Summarizer } from "./summarizer.ts";
import { type SummarizerAddress, summarizerAt } from "./summarizer-at.ts";

/** One that is made already, or where one is. */
export type SummarizerChoice = Summarizer | SummarizerAddress;

/** Throws OptionsError. */
export function summarizersOf(
  given: SummarizerChoice | readonly SummarizerChoice[] | "none" = [],
): readonly Summarizer[] {
  if (given === "none") return [];
  return [given].flat().map(summarizerOf);
}

function summarizerOf(given: SummarizerChoice): Summarizer {
  if (typeof given === "object" && given !== null) {
    if ("summarize" in given) return given;
    if ("url" in given && "model" in given) return summarizerAt(given);
  }
  throw new OptionsError("summarizer", (given as unknown) === "same" ? SAME : UNKNOWN);
}

const SAME =
  'summarizer is "same": only an adapter and the gateway have the agent\'s own model in their hands. ' +
  "Use one of them (docs/adapters), or give a Summarizer or { url, model, key }.";
const UNKNOWN = "summarizer must be a Summarizer, { url, model, key }, a list of these in order, or none.";
