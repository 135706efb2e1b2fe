/** pith/summarizer: models that write the narrative of a hand-off, and the contract for one of your own. */
import "../needed-node.ts";

export { LEGACY_SUMMARY_PREFIX, SUMMARY_PREFIX } from "../conversation/handoffs/prefixes.ts";
export { type FailureClass, SummarizerFailedError } from "../errors/summarizer-failed-error.ts";
export { type AiSdkModel, aiSdkSummarizer } from "./ai-sdk.ts";
export { anthropicSummarizer } from "./anthropic-compatible.ts";
export type { SummaryAttempt } from "./chain.ts";
export { openAISummarizer } from "./openai-compatible.ts";
export type { Ride, Summarizer, Summary, SummaryRequest, SummaryUsage } from "./summarizer.ts";
export type { SummarizerAddress } from "./summarizer-at.ts";
export type { SummarizerChoice } from "./summarizers-of.ts";
