/** What the Report of an occasion says of agent control. */
import type { CompressRequest } from "../agent-control/compress-context.ts";
import { redactSecrets } from "../redact/redact-secrets.ts";
import { type AgentReport, type RequestReport, SAFETY_NET } from "../report/agent-report.ts";
import type { Occasion } from "./occasion.ts";

export function agentReport({ requested, goal, fill, archive }: Occasion): AgentReport {
  const isCaught = goal.act && goal.cause === "safety-net";
  return {
    ...(requested && { request: requestReport(requested, archive !== undefined) }),
    ...(isCaught && { safetyNet: { code: SAFETY_NET, fill: fill?.ratio ?? 1 } }),
  };
}

/** Reports and logs are kept for long, and read line by line. */
const LONGEST_REASON = 300;
const MOST_LOOKED_AT = 100_000;

function requestReport(
  { reason, strategy, preserveMarkers }: CompressRequest,
  hasArchive: boolean,
): RequestReport {
  const looked = reason.slice(0, MOST_LOOKED_AT).replace(/[\p{Cc}\s]+/gu, " ");
  // Masked before it is cut: nobody would know half a secret for one.
  const line = redactSecrets(looked.trim()).text;
  const cut = line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON).toWellFormed()}…` : line;
  const isWithout = strategy === "archive" && !hasArchive;
  return { reason: cut, strategy, preserveMarkers, ...(isWithout && { withoutArchive: true }) };
}
