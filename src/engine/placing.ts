/** Placing: the messages that stay, the hand-off and whatever keeps speakers taking turns, in an order that every wire takes. */
import { mergeHandoff } from "../conversation/handoffs/separate.ts";
import { isUserMessage, type Message, type Role } from "../conversation/message.ts";
import type { Format } from "../providers/format.ts";
import { type Bridge, bridge, bridgesIn } from "./bridges.ts";
import { placeHandoff } from "./place.ts";

export interface PlacingRequest {
  /** The messages that stay, at any rendering. */
  readonly stay: readonly Message[];
  /** The positions of those at the end that are the live conversation. */
  readonly tail: ReadonlySet<number>;
  /** The positions of those that nothing may be added to. */
  readonly fixed: ReadonlySet<number>;
  readonly messages: readonly Message[];
  readonly format: Pick<Format, "create" | "handoffRoles" | "leadRoles" | "alternates">;
  readonly role: "auto" | Role;
  /** The hand-off may join a message that stays: it says itself where it ends. */
  readonly mayMerge: boolean;
}

/** Who speaks when is settled once; the function puts the messages, at their rendering, and a hand-off's text in that order. */
export function placed({
  stay,
  tail,
  fixed,
  messages,
  format,
  role,
  mayMerge,
}: PlacingRequest): (stay: readonly Message[], handoff: string | undefined) => readonly Message[] {
  const sorted = stay.toSorted(byPosition);
  const { before, after, at } = neighbours(sorted, tail, messages);
  const { handoffRoles, leadRoles } = format;
  const wanted = { before, after, role, handoffRoles, leadRoles, mayMerge };
  const free = placeHandoff(wanted);
  const host = free.kind === "merge" ? (free.into === "after" ? after : before) : undefined;
  const place = host && fixed.has(host.position) ? placeHandoff({ ...wanted, mayMerge: false }) : free;
  const create = (text: string) =>
    format.create(place.kind === "insert" ? place.role : "user", [{ type: "text", text }]);
  const stand = place.kind === "insert" ? inserted(sorted, [{ before: at, message: create("") }]) : sorted;
  const bridges = [
    ...(place.kind === "insert" && place.bridge ? [bridge(at, format)] : []),
    ...bridgesIn(stand, messages, format),
  ];
  return (given, text) => {
    const ordered = given.toSorted(byPosition);
    if (text === undefined) return ordered;
    if (place.kind === "merge") {
      const merged = ordered.map((message) =>
        message.position === host!.position ? mergeHandoff(text, message) : message,
      );
      return inserted(merged, bridges);
    }
    const handoff = { before: at, message: create(text) };
    return inserted(ordered, place.bridge === "after" ? [handoff, ...bridges] : [...bridges, handoff]);
  };
}

/**
 * After what is pinned or a head and before whatever came after all that left, unless the hand-off would then follow somebody
 * who speaks first although it is not the user (R4).
 */
function neighbours(stay: readonly Message[], tail: ReadonlySet<number>, messages: readonly Message[]) {
  const there = new Set(stay.map(({ position }) => position));
  const left = messages.findLast(({ position }) => !there.has(position))?.position ?? messages.length;
  const recent = stay.filter(
    ({ position, role }) => (tail.has(position) || position > left) && role !== "system",
  );
  const from = recent[0]?.position ?? messages.length;
  const visible = stay.filter(({ position, role }) => role !== "system" && position < from);
  const [first] = visible;
  if (first && !isUserMessage(first)) return { before: undefined, after: first, at: first.position };
  return { before: visible.at(-1), after: recent[0], at: from };
}

/** New messages before those of a position; what is to come before a position past the end is last. */
function inserted(
  messages: readonly Message[],
  news: readonly Pick<Bridge, "before" | "message">[],
): readonly Message[] {
  const left = news.toSorted((a, b) => a.before - b.before);
  const result: Message[] = [];
  for (const message of messages) {
    while (left[0] && message.role !== "system" && left[0].before <= message.position)
      result.push(left.shift()!.message);
    result.push(message);
  }
  return [...result, ...left.map((each) => each.message)];
}

function byPosition(a: Message, b: Message): number {
  return a.position - b.position;
}
