/** The floor: what cannot shrink, part by part. No target below it can be met. */
import { callsById, carriesResults, isUserMessage, makesCalls } from "../conversation/message.ts";
import type { FloorPart } from "../errors/target-unreachable-error.ts";
import { smallestHandoff, smallestSections } from "../handoff/compose.ts";
import { fitTail } from "./fit-tail.ts";
import { layOut, type TailWish } from "./layout.ts";
import type { PlanRequest } from "./plan-request.ts";

export interface Floor {
  readonly tokens: number;
  readonly parts: readonly FloorPart[];
}

/** The smallest tails: the latest ask alone, or the envelope of the last group, or the ask even where only that group is told. */
export const LEAST_WISHES: readonly TailWish[] = [
  { share: 0, restates: true },
  { share: 0, restates: false },
  { share: 0, restates: true, mayStandAlone: true },
];

/** The frame, the user's asking and binding sentences, pinned messages, and the last group's envelope unless the ask can stand for it. */
export function floorOf(request: PlanRequest): Floor {
  let floor = leastOf(request);
  // A larger target has room for more of the user's rules: what is advised must hold those as well.
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const next = leastOf({ ...request, targetTokens: floor.tokens });
    if (next.tokens <= floor.tokens) break;
    floor = next;
  }
  return floor;
}

/** Each brings at least another rule, and there are not many. */
const MOST_PASSES = 50;

function leastOf(request: PlanRequest): Floor {
  const floors = LEAST_WISHES.map((wish) => floorWith(request, wish));
  return floors.reduce((least, floor) => (floor.tokens < least.tokens ? floor : least));
}

function floorWith(request: PlanRequest, wish: TailWish): Floor {
  const { conversation, counter, marks, inView } = request;
  const { handoff, fixedTokens, placeTokens, recent } = layOut(request, wish);
  const envelope = fitTail(recent, {
    counter,
    calls: callsById(conversation.messages),
    maxTokens: 0,
    maxAskTokens: 0,
    marks,
    inView,
  });
  const last = envelope.reduce((sum, message) => sum + counter.message(message), 0);
  const [ask, group] = recent.every(isUserMessage) ? [last, 0] : [0, last];
  const parts: FloorPart[] = [];
  if (handoff) {
    const all = counter.text(smallestHandoff(handoff));
    const { constraints } = smallestSections(handoff);
    const frame =
      counter.text(smallestHandoff({ ...handoff, constraints: [], asks: { first: "", latest: "" } })) +
      placeTokens;
    const bound = counter.text(constraints.join("\n"));
    parts.push({ name: "frame", tokens: frame });
    parts.push({ name: "task", tokens: Math.max(0, all + placeTokens - frame - bound) + ask });
    parts.push({ name: "constraints", tokens: bound });
  } else parts.push({ name: "task", tokens: ask });
  parts.push({ name: "pinned messages", tokens: fixedTokens });
  const isToolGroup = recent.some((message) => makesCalls(message) || carriesResults(message));
  parts.push({ name: isToolGroup ? "last tool group" : "last message", tokens: group });
  const named = parts.filter((part) => part.tokens > 0);
  return { tokens: named.reduce((sum, part) => sum + part.tokens, 0), parts: named };
}
