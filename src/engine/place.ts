/** Where the hand-off is: its role, or the neighbour it is merged into when no role would alternate. */
import { isUserMessage, type Message, type Role } from "../conversation/message.ts";

export type HandoffPlace =
  | {
      readonly kind: "insert";
      readonly role: Role;
      /** On this side an assistant's word must be between it and its neighbour. */
      readonly bridge?: "before" | "after";
    }
  /** No role fits between the neighbours: the text joins a neighbouring user message (R5). */
  | { readonly kind: "merge"; readonly into: "before" | "after" };

export interface PlaceOptions {
  /** The last message before the hand-off that is not a system message, and the first after it. */
  readonly before: Message | undefined;
  readonly after: Message | undefined;
  /** What the policy prefers. */
  readonly role: "auto" | Role;
  /** What the format can carry, and who may speak first in it (R4). */
  readonly handoffRoles: readonly Role[];
  readonly leadRoles: readonly Role[];
  /** Its neighbours may be changed. Otherwise, where no role fits, a bridge is beside it. @default true */
  readonly mayMerge?: boolean;
}

/**
 * Decides as F50: after an assistant or tool message the hand-off is a user message, after a user message an
 * assistant one; if that collides with what follows, it is merged. The policy's own wish comes first where it is legal.
 */
export function placeHandoff(options: PlaceOptions): HandoffPlace {
  const { before, after, role, handoffRoles, leadRoles, mayMerge = true } = options;
  const previous = before && visibleRole(before);
  const next = after && visibleRole(after);
  // Where the user's own words are not before it or right after it, the hand-off must be said by the user (R4).
  const userIsHeard = before !== undefined || (after !== undefined && isUserMessage(after));
  if (role === "system" && handoffRoles.includes("system") && userIsHeard) return { kind: "insert", role };
  if (role === "assistant" && next === "user" && userIsHeard) {
    const fits = previous === undefined ? leadRoles.includes("assistant") : previous !== "assistant";
    if (fits) return { kind: "insert", role };
  }
  if (previous !== "user" && next !== "user") return { kind: "insert", role: "user" };
  // With nothing after it, it is what the model answers: then it is the user's.
  if (previous === "user" && next !== undefined && next !== "assistant")
    return { kind: "insert", role: "assistant" };
  if (!mayMerge) return { kind: "insert", role: "user", bridge: next === "user" ? "after" : "before" };
  return { kind: "merge", into: next === "user" ? "after" : "before" };
}

/** A tool's own message is no one's turn to speak; results that travel under the user's role are the user's turn. */
function visibleRole(message: Message): "user" | "assistant" | "other" {
  return message.role === "user" || message.role === "assistant" ? message.role : "other";
}
