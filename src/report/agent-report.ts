/** What a Report says of agent control: what the agent asked for, and that the net below it caught. */

/** What the agent asked for by `compress_context` (F83). */
export interface RequestReport {
  readonly strategy: "summarize" | "archive";
  readonly preserveMarkers: boolean;
  /** In its own words, on one line and without secrets. */
  readonly reason: string;
  /** It asked for the strategy archive where there is none: there is a summary all the same. */
  readonly withoutArchive?: true;
}

/** The source's name for the event (F76). */
export const SAFETY_NET = "CONTEXT_BUDGET_COMPACTION_SAFETY_NET";

/** The net of an agent-controlled policy caught (F76). */
export interface SafetyNetReport {
  readonly code: typeof SAFETY_NET;
  /** Share of the budget, 0 to 1 and above. */
  readonly fill: number;
}

export interface AgentReport {
  readonly request?: RequestReport;
  readonly safetyNet?: SafetyNetReport;
}
