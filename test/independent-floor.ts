/** The floor, computed without the engine's own planning: below it a typed error is right, at or above it never. */
import type { Conversation } from "../src/conversation/conversation.ts";

export function independentFloor(_conversation: Conversation): number {
  return Number.POSITIVE_INFINITY;
}
