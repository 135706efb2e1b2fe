/** Pith: keeps an LLM agent inside its context window without making it forget. */

import "./needed-node.ts";

export { type Compactor, createCompactor, type OfferedTools } from "./compactor.ts";
export type { Conversation } from "./conversation/conversation.ts";
export type { Message } from "./conversation/message.ts";
export type { ToolOutput } from "./conversation/tool-output.ts";
export { CompactionError, type ErrorCode } from "./errors/compaction-error.ts";
export { type ErrorOfCode, isCompactionError } from "./errors/is-compaction-error.ts";
export type { Plan } from "./plan/plan.ts";
export type { PresetExpression } from "./policy/presets.ts";
export type { CompactionEvent } from "./report/event.ts";
export type { Report } from "./report/report.ts";
export type { BackgroundSummaries } from "./run/background-summaries.ts";
export type { CompactOptions, CompactorOptions } from "./run/options.ts";
export type { Result, WrappedCall } from "./run/result.ts";
export type { Undone } from "./run/undo.ts";
export type { CompactionState } from "./state/compaction-state.ts";
