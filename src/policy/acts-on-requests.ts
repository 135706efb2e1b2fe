/** actsOnRequests: whether a call of compress_context would be acted on: only then it is offered (F75). */
import type { Policy } from "./policy.ts";

/** `target` is the compactor's own: it says the size, whatever is asked for. */
export function actsOnRequests({ agentControlled, enabled }: Policy, target?: unknown): boolean {
  return agentControlled !== undefined && enabled && target === undefined;
}
