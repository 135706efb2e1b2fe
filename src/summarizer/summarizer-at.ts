/** summarizerAt: the summarizer that an address stands for. */
import { anthropicSummarizer } from "./anthropic-compatible.ts";
import { openAISummarizer } from "./openai-compatible.ts";
import type { Summarizer } from "./summarizer.ts";

export interface SummarizerAddress {
  readonly url: string;
  readonly model: string;
  /** Which API is spoken there. */
  readonly kind: "openai" | "anthropic";
}

export function summarizerAt({ url, model, kind }: SummarizerAddress, key: string | undefined): Summarizer {
  const options = { url, model, ...(key !== undefined && { key }) };
  return kind === "anthropic" ? anthropicSummarizer(options) : openAISummarizer(options);
}
