/** toldEvent: an event as a listener gets it. Listeners log and send on: secrets are masked in it, and no original is in it. */
import type { Edit, Plan } from "../plan/plan.ts";
import { redactSecrets } from "../redact/redact-secrets.ts";
import type { CompactionEvent } from "./event.ts";

export function toldEvent(event: CompactionEvent): CompactionEvent {
  const told = event.type === "plan-made" ? { ...event, plan: withoutOriginals(event.plan) } : event;
  return masked(told) as CompactionEvent;
}

/** What the plan takes away is the caller's: they have it, and nobody else should. */
function withoutOriginals(plan: Plan): Plan {
  const steps = plan.steps.map((step) => ({ ...step, edits: step.edits.map(withoutRaw) }));
  return { ...plan, steps, originals: [] };
}

function withoutRaw(edit: Edit): Edit {
  if (edit.kind === "remove") return edit;
  const { raw: _raw, ...message } = edit.message;
  return { ...edit, message };
}

function masked(value: unknown): unknown {
  if (typeof value === "string") return redactSecrets(value).text;
  if (Array.isArray(value)) return value.map(masked);
  // An error masks its own text.
  if (typeof value !== "object" || value === null || value instanceof Error) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, masked(member)]));
}
