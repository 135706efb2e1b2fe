/** Fingerprints: digests by which a plan that is kept knows the messages it was made for again. */
import { createHash } from "node:crypto";
import { unmaskedMessage } from "../conversation/masked-messages.ts";
import type { Message } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import type { Plan } from "./plan.ts";

/** The plan to be applied later: with a fingerprint of every message that it replaces or removes. */
export function withFingerprints(plan: Plan, messages: readonly Message[]): Plan {
  const fingerprints: Record<number, string> = {};
  for (const { edits } of plan.steps) {
    for (const edit of edits) {
      if (edit.kind !== "insert") fingerprints[edit.position] = fingerprint(messages[edit.position]!);
    }
  }
  return { ...plan, originals: [], fingerprints };
}

export function fingerprint(message: Message): string {
  const hash = createHash("sha256").update(message.role);
  for (const part of unmaskedMessage(message).parts) hash.update(`\n${part.type}\n`).update(contentOf(part));
  return hash.digest("base64url").slice(0, 22);
}

function contentOf(part: Part): string {
  switch (part.type) {
    case "tool-call":
      return `${part.pairId}\n${part.name}\n${part.arguments}`;
    case "tool-result":
      return `${part.pairId}\n${part.isError}\n${part.text}`;
    case "media":
      return part.kind;
    default:
      return part.text;
  }
}
