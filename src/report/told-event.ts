/** toldEvent: an event as a listener gets it. Listeners log and send on: secrets are masked in it, and no original is in it. */
import { redactSecrets } from "../redact/redact-secrets.ts";
import type { CompactionEvent } from "./event.ts";

export function toldEvent(event: CompactionEvent): CompactionEvent {
  return told(event) as CompactionEvent;
}

/** Of a message that a plan changes, `raw` is what the caller gave: they have it, and nobody else should. */
function told(value: unknown): unknown {
  if (typeof value === "string") return redactSecrets(value).text;
  if (Array.isArray(value)) return value.map(told);
  // An error masks its own text.
  if (typeof value !== "object" || value === null || value instanceof Error) return value;
  const entries = Object.entries(value).filter(([name]) => name !== "raw");
  return Object.fromEntries(entries.map(([name, member]) => [name, told(member)]));
}
