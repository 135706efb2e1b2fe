/** pith/report: Reports, Plans and the health of a conversation, told to people and programs; what a compaction costs. */
import "../needed-node.ts";

export type { RequestReport, SafetyNetReport } from "./agent-report.ts";
export { estimateCost, paysOff, prices } from "./cost.ts";
export { type Health, type HealthAction, type HealthOptions, health } from "./health.ts";
export { printPlan } from "./print-plan.ts";
export { printReport, reportToJson } from "./print-report.ts";
export type { CostReport, MessageReport, MustKeepReport, StageReport, SummaryReport } from "./report.ts";
export { appendSessionLog } from "./session-log-file.ts";
