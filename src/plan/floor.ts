/** The floor: what cannot shrink, part by part. No target below it can be met. */
import { callsById } from "../conversation/message.ts";
import type { FloorPart } from "../errors/target-unreachable-error.ts";
import { smallestHandoff, smallestSections } from "../handoff/compose.ts";
import { fitTail } from "./fit-tail.ts";
import { layOut } from "./layout.ts";
import type { PlanRequest } from "./plan-request.ts";

export interface Floor {
  readonly tokens: number;
  readonly parts: readonly FloorPart[];
}

/** The frame, the user's asking and binding sentences, pinned messages, and the last group's envelope. */
export function floorOf(request: PlanRequest): Floor {
  const { conversation, counter, marks } = request;
  const { handoff, fixedTokens, placeTokens, recent } = layOut(request, 0);
  const envelope = fitTail(recent, {
    counter,
    calls: callsById(conversation.messages),
    maxTokens: 0,
    maxAskTokens: 0,
    marks,
  });
  const parts: FloorPart[] = [];
  if (handoff) {
    const all = counter.text(smallestHandoff(handoff));
    const { constraints } = smallestSections(handoff);
    const frame =
      counter.text(smallestHandoff({ ...handoff, constraints: [], asks: { first: "", latest: "" } })) +
      placeTokens;
    const bound = counter.text(constraints.join("\n"));
    parts.push({ name: "frame", tokens: frame });
    parts.push({ name: "task", tokens: Math.max(0, all + placeTokens - frame - bound) });
    parts.push({ name: "constraints", tokens: bound });
  }
  parts.push({ name: "pinned messages", tokens: fixedTokens });
  parts.push({
    name: "last tool group",
    tokens: envelope.reduce((sum, message) => sum + counter.message(message), 0),
  });
  const named = parts.filter((part) => part.tokens > 0);
  return { tokens: named.reduce((sum, part) => sum + part.tokens, 0), parts: named };
}
