/** A warning where system prompt and tools leave a conversation no room: once for each, since each of its requests is so. */
import { boundedMap } from "./bounded-map.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { Sendable } from "./preparation.ts";

/** Conversations that are known to have been told of. */
const MOST = 2_000;

export function createRoomWarning(log: Log, metrics: Metrics) {
  const told = boundedMap<true>(MOST, () => 1);
  return (
    request: string,
    { fixedTokens, conversation = "" }: Pick<Sendable, "fixedTokens" | "conversation">,
  ): void => {
    if (fixedTokens === undefined) return;
    metrics.add("no_room");
    if (told.get(conversation)) return;
    told.set(conversation, true);
    const reason =
      "The system prompt and the tools take over half of what a request may have: nearly every one will be compacted. " +
      "Offer fewer tools, or set --window for a model with more room.";
    log("warn", "no-room", { request, conversation, fixedTokens, reason });
  };
}
