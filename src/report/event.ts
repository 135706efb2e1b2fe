/** Event: progress of a compaction, for whoever wants to show or log it. */
import type { Plan, StageName } from "../plan/plan.ts";
import type { RequestReport, SafetyNetReport } from "./agent-report.ts";
import type { Report } from "./report.ts";

export type CompactionEvent =
  | {
      readonly type: "compaction-start";
      readonly tokens: number;
      readonly targetTokens: number;
      readonly cause: string;
      /** What the agent asked for, where it did (F83). */
      readonly request?: RequestReport;
    }
  | {
      readonly type: "stage-end";
      readonly stage: StageName;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  | { readonly type: "plan-made"; readonly plan: Plan }
  | { readonly type: "compaction-end"; readonly report: Report }
  | { readonly type: "compaction-skip"; readonly reason: string }
  /** The net of an agent-controlled policy caught (F76). */
  | ({ readonly type: "safety-net" } & SafetyNetReport)
  | {
      readonly type: "compaction-fail";
      readonly code: "CONTEXT_BUDGET_COMPACTION_FAILED";
      readonly error: Error;
    };
