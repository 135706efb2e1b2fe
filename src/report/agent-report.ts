/** What a Report says of agent control: what the agent asked for, and that the net below it caught. */
import type { CompressRequest } from "../agent-control/compress-context.ts";
import type { Occasion } from "../occasion.ts";
import { redactSecrets } from "../redact/redact-secrets.ts";

/** What the agent asked for by `compress_context` (F83). */
export interface RequestReport extends Pick<CompressRequest, "strategy" | "preserveMarkers"> {
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

export function agentReport({ requested, goal, fill, archive }: Occasion): AgentReport {
  const isCaught = goal.act && goal.cause === "safety-net";
  return {
    ...(requested && { request: requestReport(requested, archive !== undefined) }),
    ...(isCaught && { safetyNet: { code: SAFETY_NET, fill: fill?.ratio ?? 1 } }),
  };
}

/** Reports and logs are kept for long, and read line by line. */
const LONGEST_REASON = 300;
const MOST_LOOKED_AT = 4_000;

function requestReport(
  { reason, strategy, preserveMarkers }: CompressRequest,
  hasArchive: boolean,
): RequestReport {
  const { text } = redactSecrets(reason.slice(0, MOST_LOOKED_AT));
  const line = text.replace(/[\p{Cc}\s]+/gu, " ").trim();
  const cut = line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON).toWellFormed()}…` : line;
  const isWithout = strategy === "archive" && !hasArchive;
  return { reason: cut, strategy, preserveMarkers, ...(isWithout && { withoutArchive: true }) };
}
