/** summarizerAt: the summarizer at an address. */
import { anthropicSummarizer } from "./anthropic-compatible.ts";
import { openAISummarizer } from "./openai-compatible.ts";
import type { Summarizer } from "./summarizer.ts";

export interface SummarizerAddress {
  /** Such as "https://api.example.com/v1". */
  readonly url: string;
  readonly model: string;
  /** Which API is spoken there. @default "anthropic" where the address says so, otherwise "openai" */
  readonly kind?: "openai" | "anthropic" | undefined;
  /** Never shown. */
  readonly key?: string | undefined;
}

/** @param fetch how it is reached. @default the global one */
export function summarizerAt(
  { url, model, kind = kindAt(url), key }: SummarizerAddress,
  fetch?: typeof globalThis.fetch,
): Summarizer {
  const options = { url, model, ...(key !== undefined && { key }), ...(fetch && { fetch }) };
  return kind === "anthropic" ? anthropicSummarizer(options) : openAISummarizer(options);
}

/** `https://api.anthropic.com` → "anthropic" */
export function kindAt(url: string): "openai" | "anthropic" {
  const { hostname, pathname } = URL.canParse(url) ? new URL(url) : { hostname: "", pathname: "" };
  const isAnthropic = /(?:^|\.)anthropic\.com$/.test(hostname) || pathname.endsWith("/messages");
  return isAnthropic ? "anthropic" : "openai";
}
