/** Pith: keeps an LLM agent inside its context window without making it forget. */

export {
  COMPRESS_CONTEXT,
  COMPRESS_CONTEXT_HINT,
  type CompressRequest,
  compressContextDescription,
  compressContextParameters,
  compressContextResult,
} from "./agent-control/compress-context.ts";
export { type ContextFill, type FillReport, fillNote, fillOf } from "./agent-control/fill-note.ts";
export type {
  Archive,
  ArchivedMessage,
  ArchiveItem,
  ArchiveWrite,
  Candidate,
  CandidateQuery,
  Checkpoint,
  CompactionRecord,
  ConversationInfo,
  Fault,
  Forget,
  ItemKind,
  MessagePlace,
  MessageRange,
  Removed,
  Retention as ArchiveRetention,
  SearchScope,
  StoredItem,
  Verification,
} from "./archive/archive.ts";
export { type ConversationToImport, importConversation } from "./archive/import-conversation.ts";
export { itemId } from "./archive/item-id.ts";
export { type Compactor, createCompactor, type OfferedTools } from "./compactor.ts";
export type { Conversation } from "./conversation/conversation.ts";
export type { Message, RawMessage, Role } from "./conversation/message.ts";
export type {
  MediaPart,
  OpaquePart,
  Part,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from "./conversation/part.ts";
export type { Group, Span, Turn } from "./conversation/turn.ts";
export { ArchiveError } from "./errors/archive-error.ts";
export { CompactionError, type ErrorCode } from "./errors/compaction-error.ts";
export { InputError, type InputPlace } from "./errors/input-error.ts";
export { type ErrorOfCode, isCompactionError } from "./errors/is-compaction-error.ts";
export { OptionsError } from "./errors/options-error.ts";
export { PlanStaleError } from "./errors/plan-stale-error.ts";
export { type FailureClass, SummarizerFailedError } from "./errors/summarizer-failed-error.ts";
export { type FloorPart, TargetUnreachableError } from "./errors/target-unreachable-error.ts";
export { UndoError } from "./errors/undo-error.ts";
export { UnknownWindowError } from "./errors/unknown-window-error.ts";
export type {
  CommandFact,
  ErrorFact,
  FileFact,
  Ledger,
  SaidFact,
  TodoFact,
  ValueFact,
} from "./ledger/ledger.ts";
export { emptyLedger } from "./ledger/ledger.ts";
export { readLedgerLines } from "./ledger/read-ledger-lines.ts";
export { type LedgerLinesOptions, type LedgerSections, ledgerLines } from "./ledger/render-ledger.ts";
export { updateLedger } from "./ledger/update-ledger.ts";
export { applyPlan } from "./plan/apply-plan.ts";
export type { Edit, HandedOff, Plan, Regions, StageName, Step } from "./plan/plan.ts";
export type { Action, HandoffStyle, Policy, Retention, Threshold } from "./policy/policy.ts";
export { type ModifierName, type PresetExpression, type PresetName, presets } from "./policy/presets.ts";
export type { TemplateName } from "./policy/template-names.ts";
export { convertConversation } from "./providers/convert.ts";
export { type ReadOptions, readConversation, writeConversation } from "./providers/detect.ts";
export type { Format } from "./providers/format.ts";
export { type ContextOverflow, contextOverflowOf } from "./providers/overflow.ts";
export { LEGACY_SUMMARY_PREFIX, SUMMARY_PREFIX } from "./reading/handoffs/prefixes.ts";
export { redactSecrets } from "./redact/redact-secrets.ts";
export type { RequestReport, SafetyNetReport } from "./report/agent-report.ts";
export type { CompactionEvent } from "./report/event.ts";
export { type Health, type HealthAction, type HealthOptions, health } from "./report/health.ts";
export { printPlan } from "./report/print-plan.ts";
export { printReport } from "./report/print-report.ts";
export type {
  CostReport,
  MessageReport,
  MustKeepReport,
  Report,
  StageReport,
  SummaryReport,
} from "./report/report.ts";
export { appendSessionLog } from "./report/session-log-file.ts";
export type { BackgroundSummaries } from "./run/background-summaries.ts";
export type { CompactOptions, CompactorOptions } from "./run/options.ts";
export type { Result, WrappedCall } from "./run/result.ts";
export type { Undone } from "./run/undo.ts";
export type { ShapeContext, Shaped, ToolOutput } from "./shapes/shape.ts";
export { shapeToolResult } from "./shapes/shape-tool-result.ts";
export { type CompactionState, initialState } from "./state/compaction-state.ts";
export { type AiSdkModel, aiSdkSummarizer } from "./summarizer/ai-sdk.ts";
export { anthropicSummarizer } from "./summarizer/anthropic-compatible.ts";
export type { SummaryAttempt } from "./summarizer/chain.ts";
export { openAISummarizer } from "./summarizer/openai-compatible.ts";
export type { Ride, Summarizer, Summary, SummaryRequest, SummaryUsage } from "./summarizer/summarizer.ts";
export type { SummarizerAddress } from "./summarizer/summarizer-at.ts";
export type { SummarizerChoice } from "./summarizer/summarizers-of.ts";
export { createTokenCounter, type TokenCounterOptions } from "./tokens/counter.ts";
export type { TokenCounter } from "./tokens/token-counter.ts";
export { type Lesson, type Lessons, weightOf } from "./weights/lessons.ts";
